"""Collectives on the tensors of the chips of a mesh, as programs, for tests of kernels.

The tensors of the chips are one behind the other along the first dimension.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import Any

import collective_reference as reference
import kernel_ops
import numpy as np
from collective_reference import Mesh
from hypothesis import strategies as st
from op_formats import FORMATS, Array, random
from places import Place

import ttmlir
from ttmlir import runtime
from ttmlir.builder import Tensor

RING = "ring"
#: Lines and rings, whole systems and parts of them.
MESHES: dict[Mesh, str] = {
    (5, 1): RING,
    (1, 2): "n300",
    (2, 1): "n300",
    (1, 3): "t3000",
    (1, 4): "t3000",
    (2, 2): "t3000",
    (1, 6): "t3000",
    (1, 8): "t3000",
    (8, 1): "t3000",
    (2, 4): "t3000",
}
FLOATS = ("f32", "bf16", "bfp8_b")
INTEGERS = ("u32", "u16", "u8", "si32", "si16", "si8")


@dataclass(frozen=True)
class Case:
    """A collective on tensors of one dtype; `shapes` are those of one chip."""

    op: str
    mesh: Mesh
    shapes: tuple[tuple[int, ...], ...]
    dtype: str
    arguments: dict[str, Any]
    #: Where the program places what the collective takes and what it gives.
    before: Place = field(default_factory=dict)
    after: Place = field(default_factory=dict)

    @property
    def host(self) -> str:
        """Block floats come from tensors of bf16, and are such tensors on the host."""
        return "bf16" if self.dtype == "bfp8_b" else self.dtype

    def program(self) -> ttmlir.Builder:
        b = ttmlir.Builder(mesh_shape=self.mesh)
        given = "i32" if self.host == "si32" else self.host
        chips = [
            b.mesh_shard(b.input(f"x{i}", joined(self.mesh, shape), given), (0, 0))
            for i, shape in enumerate(self.shapes)
        ]
        chips = [self.place(b, x, self.before) for x in chips]
        results = getattr(b, self.op)(chips, **self.arguments)
        results = [self.place(b, y, self.after) for y in results]
        b.output(*(b.mesh_gather(y, (0, 0)) for y in results))
        return b

    def place(self, b: ttmlir.Builder, x: Tensor, place: Place) -> Tensor:
        if self.dtype == "bfp8_b":
            place = {"format": "bfp8_b", **place}
        return b.to_layout(x, **place) if place else x

    def inputs(self) -> list[Array]:
        rng = np.random.default_rng(len(self.shapes[0]))
        arrays = [random(rng, joined(self.mesh, shape), self.dtype) for shape in self.shapes]
        return [a.astype(FORMATS[self.host].host) for a in arrays]

    def expected(self, full: Array) -> Array:
        chips = np.split(full, prod(self.mesh))
        return np.concatenate(getattr(reference, self.op)(chips, self.mesh, **self.arguments))


def joined(mesh: Mesh, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the tensors of all chips one behind the other."""
    return (prod(mesh) * shape[0], *shape[1:])


def run(executable: ttmlir.Executable, inputs: list[Array]) -> list[Array]:
    results = executable(*inputs)
    return list(results) if isinstance(results, tuple) else [results]


def compile(case: Case, **options: Any) -> ttmlir.Executable:
    target = MESHES[case.mesh]
    options |= {"system_desc": ring(prod(case.mesh))} if target == RING else {"target": target}
    return ttmlir.compile(case.program(), backend="ttmetal", **options)


@cache
def ring(chips: int) -> runtime.SystemDesc:
    """A system of which each chip is linked to the next one, the last to the first."""
    one = kernel_ops.run("module {}", "ttmlir-opt", "--ttir-load-system-desc").stdout.decode()
    links = [f"<[{chip}, 0, 1], [{(chip + 1) % chips}, 0, 0]>" for chip in range(chips)]
    lists = (
        ["0"] * chips,
        ["3 : i32"] * chips,
        [f"0x0x0x{chip}" for chip in range(chips)],
        links,
    )
    text = ", ".join(f"[{', '.join(items)}]" for items in lists)
    text, count = re.subn(r"\[0\], \[3 : i32\], \[ *0x0x0x0\]", text, one)
    assert count == 1
    found = kernel_ops.run(text, "ttmlir-translate", "--system-desc-to-flatbuffer").stdout
    return runtime.load_system_desc_from_bytes(found)


def assert_same(found: list[Array], expected: list[Array]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        assert one.tobytes() == other.tobytes()


@st.composite
def cases(draw: st.DrawFn, op: str) -> Case:
    mesh = draw(st.sampled_from(sorted(MESHES)))
    axis = draw(st.sampled_from([d for d, extent in enumerate(mesh) if extent > 1]))
    dtype = draw(st.sampled_from(FLOATS + INTEGERS))
    least = 2 if dtype == "bfp8_b" else 1
    # Tensors of several ranks have a dimension in common that counts from the end.
    ranks = draw(st.lists(st.integers(least, 4), min_size=1, max_size=2))
    dim = draw(st.integers(0, min(ranks) - 1))
    arguments: dict[str, Any] = {"cluster_axis": axis}
    if op != "all_reduce":
        arguments["dim"] = draw(st.sampled_from((dim, dim - min(ranks))))
    if op != "all_gather":
        reductions = set(reference.REDUCTIONS) - ({"mean"} if dtype in INTEGERS else set())
        arguments["reduce"] = draw(st.sampled_from(sorted(reductions)))
    extent = st.sampled_from((1, 2, 3, 5, 16, 32, 33, 64, 96))
    shapes = []
    for rank in ranks:
        shape = [draw(extent) for _ in range(rank)]
        shape[:-2] = [min(e, 3) for e in shape[:-2]]
        if op == "reduce_scatter":
            shape[arguments["dim"]] *= mesh[axis]
        shapes.append(tuple(shape))
    return Case(op, mesh, tuple(shapes), dtype, arguments)
