"""Collectives as kernels, beside those of the library and NumPy's results.

The tensors of the chips are the shards of tensors with the axes of the mesh in front.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import collective_reference as reference
import numpy as np
import pytest
from collective_reference import Mesh
from hypothesis import given
from hypothesis import strategies as st
from op_formats import FORMATS, Array, random
from op_program import draws

import ttmlir
from ttmlir import passes, runtime

MESHES: dict[Mesh, str] = {(1, 2): "n300", (2, 4): "t3000", (1, 8): "t3000", (8, 1): "t3000"}


@dataclass(frozen=True)
class Case:
    """A collective on tensors of one dtype; `shapes` are those of one chip."""

    op: str
    mesh: Mesh
    shapes: tuple[tuple[int, ...], ...]
    dtype: str
    arguments: dict[str, Any]

    def program(self) -> ttmlir.Builder:
        b = ttmlir.Builder(mesh_shape=self.mesh)
        host = "bf16" if self.dtype == "bfp8_b" else self.dtype
        chips = []
        for i, shape in enumerate(self.shapes):
            full = b.input(f"x{i}", (*self.mesh, *shape), host)
            x = b.reshape(b.mesh_shard(full, (0, 1)), shape)
            chips.append(b.to_layout(x, format="bfp8_b") if self.dtype == "bfp8_b" else x)
        results = getattr(b, self.op)(chips, **self.arguments)
        if self.dtype == "bfp8_b":
            results = [b.to_layout(y, format="bfp8_b") for y in results]
        b.output(*(b.mesh_gather(b.reshape(y, (1, 1, *y.shape)), (0, 1)) for y in results))
        return b

    def inputs(self) -> list[Array]:
        rng = np.random.default_rng(len(self.shapes[0]))
        arrays = [random(rng, (*self.mesh, *shape), self.dtype) for shape in self.shapes]
        # Block floats come from tensors of bf16, and are such tensors on the host.
        host = FORMATS["bf16" if self.dtype == "bfp8_b" else self.dtype].host
        return [a.astype(host) for a in arrays]

    def expected(self, full: Array) -> Array:
        chips = list(full.reshape(-1, *full.shape[2:]))
        result = getattr(reference, self.op)(chips, self.mesh, **self.arguments)
        return np.stack(result).reshape(*self.mesh, *result[0].shape)


def run(executable: ttmlir.Executable, inputs: list[Array]) -> list[Array]:
    """The same on one host thread and on two."""
    found = []
    for threads in (1, 2):
        runtime.set_num_threads(threads)
        results = executable(*inputs)
        found.append(list(results) if isinstance(results, tuple) else [results])
    assert_same(found[1], found[0])
    return found[0]


def compile(case: Case, backend: str, **options: Any) -> ttmlir.Executable:
    return ttmlir.compile(case.program(), backend=backend, target=MESHES[case.mesh], **options)


def assert_same(found: list[Array], expected: list[Array]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        assert one.tobytes() == other.tobytes()


@st.composite
def cases(draw: st.DrawFn, op: str) -> Case:
    mesh = draw(st.sampled_from(sorted(MESHES)))
    axis = draw(st.sampled_from([d for d, extent in enumerate(mesh) if extent > 1]))
    dtype = draw(st.sampled_from(("f32", "bf16", "bfp8_b")))
    rank = draw(st.integers(2 if dtype == "bfp8_b" else 1, 3))
    dim = draw(st.integers(0, rank - 1))
    arguments: dict[str, Any] = {"cluster_axis": axis}
    if op != "all_reduce":
        arguments["dim"] = draw(st.sampled_from((dim, dim - rank)))
    if op != "all_gather":
        arguments["reduce"] = draw(st.sampled_from(sorted(reference.REDUCTIONS)))
    extent = st.sampled_from((1, 2, 3, 5, 16, 32, 33, 64, 96))
    shapes = []
    for _ in range(draw(st.integers(1, 2))):
        shape = [draw(extent) for _ in range(rank)]
        shape[:-2] = [min(e, 5) for e in shape[:-2]]
        if op == "reduce_scatter":
            shape[dim] *= mesh[axis]
        shapes.append(tuple(shape))
    return Case(op, mesh, tuple(shapes), dtype, arguments)


@draws(10)
@given(case=cases("all_gather"), swizzle=st.sampled_from((0, 1, 2, 3)))
def test_all_gather(case: Case, swizzle: int) -> None:
    """Both orders of tiles give the bits of the library."""
    inputs = case.inputs()
    library = run(compile(case, "ttnn"), inputs)
    kernels = compile(case, "ttmetal", use_all_gather_kernel=True, all_gather_swizzle=swizzle)
    assert_same(run(kernels, inputs), library)
    if case.dtype != "bfp8_b":
        assert_same(library, [case.expected(x) for x in inputs])


@pytest.mark.parametrize("swizzle", [0, 3, 100])
def test_many_tiles(swizzle: int) -> None:
    """Groups of rows that do not divide the rows, and more tiles than cores."""
    arguments = {"cluster_axis": 1, "dim": 1}
    case = Case("all_gather", (2, 4), ((5 * 32, 9 * 32),), "bf16", arguments)
    inputs = case.inputs()
    kernels = compile(case, "ttmetal", use_all_gather_kernel=True, all_gather_swizzle=swizzle)
    assert_same(run(kernels, inputs), [case.expected(x) for x in inputs])


@pytest.mark.parametrize("mesh", [(2, 4), (1, 8)])
def test_many_chunks(mesh: Mesh) -> None:
    """Cores that add up one chunk after another, on a line and on a ring."""
    arguments = {"cluster_axis": 1, "reduce": "sum"}
    case = Case("all_reduce", mesh, ((32, 32 * 50),), "f32", arguments)
    inputs = case.inputs()
    kernels = compile(case, "ttmetal", use_all_gather_kernel=True, grid=(1, 1))
    for x, y in zip(inputs, run(kernels, inputs), strict=True):
        check_numbers(case, x, y)


@pytest.mark.parametrize("op", ["reduce_scatter", "all_reduce"])
@draws(10)
@given(data=st.data())
def test_reductions(op: str, data: st.DataObject) -> None:
    """Within the bound of the library; an all_reduce gives all chips the same bits."""
    case = data.draw(cases(op), label="case")
    inputs = case.inputs()
    kernels = compile(case, "ttmetal", use_all_gather_kernel=True)
    for x, y in zip(inputs, run(kernels, inputs), strict=True):
        check_numbers(case, x, y)


def check_numbers(case: Case, full: Array, found: Array) -> None:
    expected = case.expected(full.astype(np.float64))
    axis = case.arguments["cluster_axis"]
    # Partial results are rounded to the format on every chip of the way, and what comes back to
    # the host is.
    hops = case.mesh[axis]
    magnitude = np.abs(full.astype(np.float64)).max() * hops
    bound = (hops + 1) * FORMATS[case.dtype].epsilon * magnitude
    if case.arguments["reduce"] in ("max", "min") and case.dtype != "bfp8_b":
        bound = 0.0
    assert np.abs(found.astype(np.float64) - expected).max() <= bound
    if case.op == "all_reduce":
        chips = np.moveaxis(found, axis, 0)
        assert all(chip.tobytes() == chips[0].tobytes() for chip in chips)


@pytest.mark.parametrize("op", ["all_gather", "all_reduce", "collective_permute"])
def test_commands(op: str) -> None:
    """Without the option, and where there are no kernels, the library's command is in the file."""
    given: dict[str, Any] = {"cluster_axis": 1}
    if op == "all_gather":
        given["dim"] = -1
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.reshape(b.mesh_shard(b.input("x", (1, 2, 33, 5)), (0, 1)), (33, 5))
    y = (
        b.collective_permute(x, [(0, 1)])
        if op == "collective_permute"
        else getattr(b, op)(x, **given)
    )
    b.output(b.mesh_gather(b.reshape(y, (1, 1, *y.shape)), (0, 1)))
    array = np.random.default_rng(0).standard_normal((1, 2, 33, 5)).astype(np.float32)
    library = ttmlir.compile(b, backend="ttnn", target="n300")(array)
    use_kernel = op == "collective_permute"
    command = ttmlir.compile(b, backend="ttmetal", target="n300", use_all_gather_kernel=use_kernel)(
        array
    )
    assert library.tobytes() == command.tobytes()


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("use_all_gather_kernel", "yes"),
        ("use_all_gather_kernel", 1),
        ("all_gather_swizzle", -1),
        ("all_gather_swizzle", 1.5),
        ("all_gather_swizzle", True),
    ],
)
def test_bad_options(option: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{option}: expected .*, found {value!r}"):
        passes.TTIRToTTMetalBackendPipelineOptions(**{option: value})  # type: ignore[arg-type]


def test_option_of_the_other_backend() -> None:
    case = Case("all_gather", (1, 2), ((32, 32),), "f32", {"cluster_axis": 1, "dim": 0})
    with pytest.raises(ttmlir.Error, match="use_all_gather_kernel: expected no such keyword"):
        compile(case, "ttnn", use_all_gather_kernel=True)


def test_unsupported_elements() -> None:
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.reshape(b.mesh_shard(b.input("x", (1, 2, 32, 32), "i32"), (0, 1)), (32, 32))
    b.output(b.all_reduce(x, cluster_axis=1))
    with pytest.raises(
        ttmlir.CompileError, match=r"'ttir\.all_reduce' op has kernels for tiles of f32, f16, bf16"
    ):
        ttmlir.compile(b, backend="ttmetal", target="n300", use_all_gather_kernel=True)
