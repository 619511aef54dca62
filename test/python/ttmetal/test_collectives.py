"""Collectives as kernels, which give the bits of the command, and NumPy's results."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from math import prod
from typing import Any

import collective_reference as reference
import numpy as np
import pytest
from collective_cases import Case, assert_same, cases, compile, run
from collective_reference import Mesh
from hypothesis import given
from hypothesis import strategies as st
from op_formats import FORMATS, Array
from op_program import draws

import ttmlir
from ttmlir import passes, runtime


def run_both(case: Case, sources: set[str], **options: Any) -> list[Array]:
    """The kernels' results, which are those of the command, the first time as the second, and on
    one host thread as on two. Their C++ goes to the sources."""
    inputs = case.inputs()
    command, kernels = compile(case), compile(case, use_all_gather_kernel=True, **options)
    assert '"ttmetal.collective"' in command.mlir
    assert '"ttmetal.collective"' not in kernels.mlir
    sources.update(source for _, source in kernels.binary.get_program_kernels(0))
    expected = run(command, inputs)
    for threads in (1, 2):
        runtime.set_num_threads(threads)
        assert_same(run(kernels, inputs), expected)
    return expected


@draws(60)
@given(case=cases("all_gather"), swizzle=st.sampled_from((0, 1, 2, 3)))
def test_all_gather(kernels: set[str], case: Case, swizzle: int) -> None:
    found = run_both(case, kernels, all_gather_swizzle=swizzle)
    if case.dtype != "bfp8_b":
        assert_same(found, [case.expected(x) for x in case.inputs()])


@pytest.mark.parametrize("mesh", [(2, 4), (1, 8)])
@pytest.mark.parametrize("swizzle", [0, 3, 2**40])
def test_all_gather_of_many_tiles(mesh: Mesh, swizzle: int, kernels: set[str]) -> None:
    """Groups of rows that do not divide the rows, and more tiles than cores."""
    arguments = {"cluster_axis": 1, "dim": 1}
    case = Case("all_gather", mesh, ((5 * 32, 9 * 32),), "bf16", arguments)
    found = run_both(case, kernels, all_gather_swizzle=swizzle)
    assert_same(found, [case.expected(x) for x in case.inputs()])


@pytest.mark.parametrize("op", ["reduce_scatter", "all_reduce"])
@draws(50)
@given(data=st.data())
def test_reductions(kernels: set[str], op: str, data: st.DataObject) -> None:
    case = data.draw(cases(op), label="case")
    for x, y in zip(case.inputs(), run_both(case, kernels), strict=True):
        check_numbers(case, x, y)


@pytest.mark.parametrize("op", ["reduce_scatter", "all_reduce"])
@pytest.mark.parametrize("mesh", [(2, 4), (5, 1), (1, 8)])
@pytest.mark.parametrize("reduce", ["mean", "max"])
def test_reductions_of_many_chunks(op: str, mesh: Mesh, reduce: str, kernels: set[str]) -> None:
    """A core adds up one chunk after another; blocks are not all of one size."""
    axis = mesh.index(max(mesh))
    arguments = {"cluster_axis": axis, "reduce": reduce}
    if op == "reduce_scatter":
        arguments["dim"] = 0
    shape = (32 * mesh[axis], 32 * 7) if op == "reduce_scatter" else (32, 32 * 50)
    case = Case(op, mesh, (shape,), "bf16", arguments)
    for x, y in zip(case.inputs(), run_both(case, kernels, grid=(1, 1)), strict=True):
        check_numbers(case, x, y)


SIGNAL_BYTES = 4


@pytest.mark.parametrize("mesh", [(2, 4), (1, 6), (1, 8)])
@pytest.mark.parametrize("dtype", ["bf16", "bfp8_b"])
@pytest.mark.parametrize(
    ("op", "arguments"),
    [
        ("all_gather", {"dim": 1}),
        ("reduce_scatter", {"dim": 0, "reduce": "sum"}),
        ("all_reduce", {"reduce": "sum"}),
    ],
)
def test_links_carry_what_they_do_for_the_command(
    op: str, mesh: Mesh, dtype: str, arguments: dict[str, Any]
) -> None:
    """Pages, each as often, and signals; in the timeline, too."""
    shape = (32 * mesh[1] * 3, 64)
    case = Case(op, mesh, (shape,), dtype, {"cluster_axis": 1, **arguments})
    command, kernels = (
        links_of(compile(case, use_all_gather_kernel=on), case.inputs()) for on in (False, True)
    )
    assert set(kernels.bytes) == set(command.bytes)
    assert kernels.tracks == command.tracks
    for link, pages in command.bytes.items():
        signals, rest = divmod(kernels.bytes[link] - pages, SIGNAL_BYTES)
        assert rest == 0
        # At least one for each chunk, of up to eight tiles, that goes over the link.
        assert pages // (8 * 2048) <= signals < kernels.packets[link]


@dataclass
class Links:
    """Of a run: bytes and packets by (chip, chip, link), and the tracks of its timeline."""

    bytes: dict[tuple[int, int, int], int]
    packets: dict[tuple[int, int, int], int]
    tracks: set[str]


def links_of(executable: ttmlir.Executable, inputs: list[Array]) -> Links:
    runtime.enable_report(executable.device, True, trace=True)
    try:
        executable(*inputs)
        report = runtime.get_report(executable.device)
    finally:
        runtime.enable_report(executable.device, False)
    (op,) = (op for op in report.ops if op.ethernet_bytes)
    used = [use for use in op.ethernet_use if use.bytes]
    text = io.BytesIO()
    report.trace.write(text.write, "json")
    events = json.loads(text.getvalue())["traceEvents"]
    tracks = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    return Links(
        {(use.from_chip, use.to_chip, use.link): use.bytes for use in used},
        {(use.from_chip, use.to_chip, use.link): use.packets for use in used},
        {name for name in tracks if re.fullmatch(r"chip \d to \d, link \d+", name)},
    )


def test_one_after_the_other() -> None:
    """Kernels that follow each other along both axes begin with signals of their own."""
    mesh = (2, 4)
    x = np.random.default_rng(0).integers(-9, 9, (8 * 64, 96)).astype(np.float32)
    b = ttmlir.Builder(mesh_shape=mesh)
    y = b.mesh_shard(b.input("x", x.shape), (0, 0))
    chips = np.split(x, 8)
    for op, arguments in (
        ("all_gather", {"cluster_axis": 1, "dim": 0}),
        ("reduce_scatter", {"cluster_axis": 0, "dim": 1, "reduce": "sum"}),
        ("all_reduce", {"cluster_axis": 1, "reduce": "max"}),
        ("all_reduce", {"cluster_axis": 0, "reduce": "sum"}),
        ("reduce_scatter", {"cluster_axis": 1, "dim": 0, "reduce": "sum"}),
    ):
        y = getattr(b, op)(y, **arguments)
        chips = getattr(reference, op)(chips, mesh, **arguments)
    b.output(b.mesh_gather(y, (0, 0)))
    kernels = ttmlir.compile(b, backend="ttmetal", target="t3000", use_all_gather_kernel=True)
    for _ in range(2):
        np.testing.assert_array_equal(kernels(x), np.concatenate(chips))


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
        chips = np.split(found, prod(case.mesh))
        for group in reference.groups(case.mesh, axis):
            assert all(chips[p].tobytes() == chips[group[0]].tobytes() for p in group)


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
        ("all_gather_swizzle", 2**63),
        ("all_gather_swizzle", 1.5),
        ("all_gather_swizzle", True),
    ],
)
def test_bad_options(option: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{option}: expected .*, found {value!r}"):
        passes.TTIRToTTMetalBackendPipelineOptions(**{option: value})  # type: ignore[arg-type]


def test_option_of_the_other_backend() -> None:
    case = Case("all_gather", (1, 2), ((32, 32),), "f32", {"cluster_axis": 1, "dim": 0})
    with pytest.raises(ttmlir.Error, match="use_all_gather_kernel: not an option of backend"):
        ttmlir.compile(case.program(), target="n300", use_all_gather_kernel=True)
