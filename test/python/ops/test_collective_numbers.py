"""The numbers of collectives against NumPy in float64: every op, mesh, axis, dimension, reduction
and format, extents that fill tiles and that do not. All of a mesh and a format are one program.

A tensor of a chip is a block of a tensor of the host, which the axes of the mesh cut in its first
two dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, product
from math import prod
from typing import Any

import collective_reference as reference
import numpy as np
import pytest
from collective_reference import Chips, Mesh
from op_formats import FORMATS, Array, Shape, blocks, random

import ttmlir
from ttmlir import ir, passes, runtime
from ttmlir.builder import Tensor

MESHES: dict[Mesh, str] = {(1, 2): "n300", (2, 4): "t3000", (1, 8): "t3000", (8, 1): "t3000"}
DTYPES = ("f32", "bf16", "bfp8_b")
#: The ops of these tests. `mesh_shard` cuts and joins the tensors of all others.
NAMES = {
    *("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute"),
    *("mesh_partition", "mesh_shard", "reduce_scatter"),
}
#: Half of the distance between numbers of a format, of the number; in bfp8_b of a block's maximum.
ROUNDING = {"f32": 2.0**-24, "bf16": 2.0**-8, "bfp8_b": 2.0**-7}
#: Extents that 8 chips divide, into tiles and into parts of tiles; the 240 rows of the last one are
#: as many tiles as those of its parts together.
SHAPES: tuple[Shape, ...] = (
    *((256, 64), (64, 256), (40, 72), (8, 16, 40), (8, 8, 16, 8)),
    (8, 240, 8),
)
#: An extent that nothing divides.
ODD: Shape = (3, 37)
#: Eight times 30 rows, too, have no more tiles than eight times the tiles of 30.
PADDED: Shape = (2, 30, 5)


@dataclass(frozen=True)
class Case:
    """A method of the builder, of that name in the reference, on tensors of these shapes."""

    op: str
    arguments: tuple[Any, ...]
    shapes: tuple[Shape, ...]

    @property
    def is_reduction(self) -> bool:
        return self.op in ("all_reduce", "reduce_scatter")


def linked_cases(mesh: Mesh) -> Iterator[Case]:
    """What goes along an axis of the mesh."""
    kinds = cycle(reference.REDUCTIONS)
    for axis in (a for a in (0, 1) if mesh[a] > 1):
        for shape in (*SHAPES, ODD, PADDED):
            for dim in range(len(shape)):
                yield Case("all_gather", (dim - len(shape) * (dim % 2), axis), (shape,))
            yield Case("all_reduce", (axis, next(kinds)), (shape,))
        for shape in SHAPES:
            for dim in range(len(shape)):
                yield Case("reduce_scatter", (dim, axis, next(kinds)), (shape,))
        for kind in reference.REDUCTIONS:
            yield Case("all_reduce", (axis, kind), ((40, 72),))
            for dim in (-2, -1):
                yield Case("reduce_scatter", (dim, axis, kind), ((40, 72),))
        several = (ODD, (8, 16, 40), (40, 72))
        yield Case("all_gather", (-1, axis), several)
        yield Case("all_reduce", (axis, "sum"), several)
        yield Case("reduce_scatter", (-1, axis, "sum"), several[1:])


def routed_cases(mesh: Mesh) -> Iterator[Case]:
    """What goes between positions of the mesh, or stays."""
    last = prod(mesh) - 1
    around = [(p, (p + 1) % (last + 1)) for p in range(last + 1)]
    rows = [reference.groups(mesh, a) for a in (0, 1) if mesh[a] > 1]
    rows += [[list(range(last, -1, -1))]]
    for shape in (*SHAPES, ODD):
        for pairs in (around, around[1:], [(last, 0)], []):
            yield Case("collective_permute", (pairs,), (shape,))
        for groups in (*rows, [[last, 0]]):
            yield Case("collective_broadcast", (groups,), (shape,))
    for shape in SHAPES:
        dims = range(len(shape))
        axes = [a for a in (0, 1) if mesh[a] > 1]
        for dim, axis in product(dims, (*axes, None)):
            yield Case("mesh_partition", (dim, axis), (shape,))
        for groups, split in product(rows, dims):
            yield Case("all_to_all", (split, (split + 1) % len(shape), groups), (shape,))
        yield Case("all_to_all", (-1, -1, rows[0]), (shape,))


def full_shape(mesh: Mesh, shape: Shape) -> Shape:
    return (shape[0] * mesh[0], shape[1] * mesh[1], *shape[2:])


def cut(array: Array, mesh: Mesh) -> Chips:
    return [part for row in np.split(array, mesh[0], 0) for part in np.split(row, mesh[1], 1)]


class Program:
    """Collectives as the results of one function."""

    def __init__(self, mesh: Mesh, dtype: str, cases: list[Case]) -> None:
        self.mesh, self.dtype, self.cases = mesh, dtype, cases
        self.host = "bf16" if dtype == "bfp8_b" else dtype
        self.shapes = list(dict.fromkeys(shape for case in cases for shape in case.shapes))

    def build(self) -> ttmlir.Builder:
        b = ttmlir.Builder(mesh_shape=self.mesh)
        inputs: dict[Shape, Tensor] = {}
        for i, shape in enumerate(self.shapes):
            full = b.input(f"x{i}", full_shape(self.mesh, shape), self.host)
            inputs[shape] = b.mesh_shard(full, (0, 1))
            if self.dtype == "bfp8_b":
                inputs[shape] = b.to_layout(inputs[shape], format="bfp8_b")
        results: list[Tensor] = []
        for case in self.cases:
            chosen = [inputs[shape] for shape in case.shapes]
            x: Any = chosen if len(chosen) > 1 else chosen[0]
            found = getattr(b, case.op)(x, *case.arguments)
            results += found if len(chosen) > 1 else [found]
        b.output(*(b.mesh_gather(y, (0, 1)) for y in results))
        return b

    def run(self, exe: ttmlir.Executable) -> None:
        rng = np.random.default_rng(7)
        inputs = {s: random(rng, full_shape(self.mesh, s), self.dtype) for s in self.shapes}
        host = FORMATS[self.host].host
        results = iter(exe(*(x.astype(host) for x in inputs.values())))
        for case in self.cases:
            for shape in case.shapes:
                result = next(results)
                assert result.dtype == host
                chips = cut(inputs[shape].astype(np.float64), self.mesh)
                self.check_case(case, chips, cut(result.astype(np.float64), self.mesh))
        assert not list(results)

    def check_case(self, case: Case, given: Chips, found: Chips) -> None:
        expected = getattr(reference, case.op)(given, self.mesh, *case.arguments)
        slack = self.slack(case, given, expected)
        for position, (got, want) in enumerate(zip(found, expected, strict=True)):
            where = f"{case} at position {position} of mesh {self.mesh}"
            assert got.shape == want.shape, where
            error = np.abs(got - want)
            assert (error <= slack[position]).all(), f"{where}: {error.max()} off"
        if case.op == "all_reduce":
            for group in reference.groups(self.mesh, case.arguments[0]):
                for position in group:
                    np.testing.assert_array_equal(found[position], found[group[0]])

    def slack(self, case: Case, given: Chips, expected: Chips) -> Chips:
        """How far each element may be off. What is moved and maxima of plain numbers are exact; a
        block that is cut elsewhere has another exponent, and its elements are rounded to it: by an
        all_to_all in the part that is sent, too."""
        is_block = self.dtype == "bfp8_b"
        if not case.is_reduction:
            twice = case.op == "all_to_all"
            scale = is_block * ROUNDING["bfp8_b"]
            steps = [blocks(np.abs(x), top) for x in expected]
            return [s * scale + row_max(s) * scale * twice for s in steps]
        *arguments, kind = case.arguments
        if not is_block and kind in ("max", "min"):
            return [np.zeros_like(x) for x in expected]
        # A rounding at each hop, of partial results that are at most the sum of absolute values.
        chips = self.mesh[arguments[-1]]
        sums = getattr(reference, case.op)([np.abs(x) for x in given], self.mesh, *arguments, "sum")
        if is_block:
            sums = [row_max(x) for x in sums]
        scale = ROUNDING[self.dtype] * (1 if kind == "mean" else chips)
        return [x * scale for x in sums]


def row_max(array: Array) -> Array:
    return np.broadcast_to(array.max(-1, keepdims=True), array.shape)


def top(parts: Array) -> Array:
    """The power of two of the largest element of each block."""
    return 2.0 ** np.floor(np.log2(np.maximum(parts.max(-1), 2.0**-99)))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mesh", MESHES, ids=lambda mesh: "x".join(map(str, mesh)))
def test_numbers(mesh: Mesh, dtype: str, backend: str) -> None:
    program = Program(mesh, dtype, [*linked_cases(mesh), *routed_cases(mesh)])
    assert {case.op for case in program.cases} | {"mesh_shard"} == NAMES
    program.run(ttmlir.compile(program.build(), target=MESHES[mesh], backend=backend))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("mesh", MESHES, ids=lambda mesh: "x".join(map(str, mesh)))
def test_kernels(mesh: Mesh) -> None:
    """That they have the bits of the command is tested in test/python/ttmetal."""
    program = Program(mesh, "bf16", list(linked_cases(mesh)))
    exe = ttmlir.compile(
        program.build(), target=MESHES[mesh], backend="ttmetal", use_all_gather_kernel=True
    )
    program.run(exe)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("topology", ["ring", "linear"])
@pytest.mark.parametrize("mesh", [(1, 8), (8, 1)], ids=lambda mesh: "x".join(map(str, mesh)))
def test_topologies(mesh: Mesh, topology: str, dtype: str) -> None:
    """A line leaves the link between the last chip and the first one alone."""
    program = Program(mesh, dtype, list(linked_cases(mesh)))
    exe = ttmlir.compile(program.build(), target="t3000")
    module = ir.Module.parse(exe.mlir, ir.Context())

    def use(op: ir.Operation) -> ir.WalkResult:
        if op.name.removeprefix("ttnn.") in ("all_gather", "all_reduce", "reduce_scatter"):
            with module.context:
                op.attributes["topology"] = ir.Attribute.parse(f"#tt.topology<{topology}>")
                op.attributes["num_links"] = ir.Attribute.parse("2 : ui32")
        return ir.WalkResult.ADVANCE

    module.operation.walk(use)
    assert module.operation.verify()
    binary = runtime.load_binary_from_bytes(passes.ttnn_to_flatbuffer_bytes(module))
    exe = ttmlir.Executable(binary, runtime.get_default_system_desc("t3000"))
    program.run(exe)
    ends = {exe.programs[0].chip_ids[0], exe.programs[0].chip_ids[-1]}
    joined = [u for u in exe.report().ethernet_use if {u.from_chip, u.to_chip} == ends]
    assert len(joined) == (4 if topology == "ring" else 0)
