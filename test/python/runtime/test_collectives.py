"""Collectives in program files: what does not fit, links that are missing, and the report. Their
numbers are in ops/test_collective_numbers.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import machine
import pytest
import ttnn_file

from ttmlir import _runtime, runtime


@pytest.fixture(scope="module")
def board() -> Iterator[_runtime.Device]:
    opened = _runtime.open_system(_runtime.get_default_system_desc("t3000"), list(range(8)))
    yield opened
    _runtime.close_device(opened)


AXIS_2 = {"type": "AllGather", "dim": 0, "cluster_axis": 2}
PAIR = {"type": "CollectivePermute", "group_size": 2}
TO_ALL = {"type": "AllToAll", "dim": 0, "concat_dim": 1, "group_size": 2}


@pytest.mark.parametrize(
    ("op", "shape", "message"),
    [
        (AXIS_2, (40, 72), "cluster axis below 2 on mesh 1x2, found 2"),
        ({"type": "AllGather", "dim": 2, "cluster_axis": 1}, (40, 72), "dim"),
        (
            {"type": "AllGather", "cluster_axis": 1},
            (40, 72),
            "expected a dimension in field dim, found none",
        ),
        (
            {"type": "AllGather", "dim": 0, "cluster_axis": 1},
            (40, 72),
            "on mesh 1x2: expected a result of 80x72 in field out, found 40x72",
        ),
        (
            {"type": "ReduceScatter", "dim": 1, "cluster_axis": 1, "reduce_type": "Sum"},
            (40, 36),
            "equal shards for the 2 chips of a group on mesh 1x2, found extent 73 of dimension 1",
        ),
        (
            {"type": "AllReduce", "cluster_axis": 1},
            (40, 73),
            "expected a type in field reduce_type",
        ),
        (
            {"type": "AllReduce", "cluster_axis": 1, "reduce_type": "Std"},
            (40, 73),
            "expected reduce type Sum, Mean, Max or Min, found Std",
        ),
        (
            {"type": "AllReduce", "cluster_axis": 1, "reduce_type": "Sum", "num_links": 0},
            (40, 73),
            "expected at least one link in field num_links, found 0",
        ),
        (PAIR | {"groups": [0, 2]}, (40, 73), "positions from 0 to 1 of mesh 1x2 in field groups"),
        (PAIR | {"groups": [0, 1, 0, 0]}, (40, 73), "mesh 1x2 once as a source, found 0 twice"),
        (PAIR | {"groups": [0, 1, 1, 1]}, (40, 73), "mesh 1x2 once as a target, found 1 twice"),
        (PAIR | {"groups": [0, 1, 1]}, (40, 73), "elements in field groups, found 3 elements"),
        (TO_ALL | {"groups": [0, 0], "split_count": 2}, (20, 146), "once as a member of a group"),
        (
            TO_ALL | {"groups": [0, 1], "split_count": 4},
            (20, 146),
            "a split_count of 2, the chips of a group on mesh 1x2",
        ),
        (TO_ALL | {"groups": [], "split_count": 2}, (20, 146), "found 0 elements and group_size 2"),
    ],
)
def test_what_does_not_fit(op: dict[str, Any], shape: tuple[int, ...], message: str) -> None:
    program = ttnn_file.Program()
    program.get_mesh((1, 2), [0, 1])
    x = program.input(program.dram((40, 72 if shape == (40, 72) else 73)))
    program.op("CollectiveOp", **{"in": x}, out=program.dram(shape), **op)
    with pytest.raises(runtime.RuntimeError) as error:
        machine.load(program, target="t3000")
    assert message in str(error.value)
    assert f"operation 1 ({names[op['type']]})" in str(error.value)


names = {
    "AllGather": "all_gather",
    "ReduceScatter": "reduce_scatter",
    "AllReduce": "all_reduce",
    "CollectivePermute": "collective_permute",
    "AllToAll": "all_to_all",
}


def test_a_link_that_is_missing(board: _runtime.Device) -> None:
    """Chips 3 and 4 of the board are not neighbours."""
    program = ttnn_file.Program()
    device = program.get_mesh((1, 2), [3, 4])
    x, out = program.dram((32, 32)), program.dram((32, 64))
    program.op("FullOp", device=device, fill_value=1.0, out=x)
    program.op("CollectiveOp", type="AllGather", **{"in": x}, out=out, dim=1, cluster_axis=1)
    binary = machine.load(program, target="t3000")
    with pytest.raises(runtime.SystemMismatchError) as error:
        _runtime.run(board, binary, 0, [])
    assert "(all_gather)" in str(error.value)
    assert "mesh 1x2" in str(error.value)
    assert "3" in str(error.value) and "4" in str(error.value)


def test_links_in_the_report(board: _runtime.Device) -> None:
    """An all_gather of a 1x2 mesh sends the tensor of each chip once."""
    program = ttnn_file.Program()
    device = program.get_mesh((1, 2), [0, 1])
    x, out = program.dram((64, 64), "BFP_BFloat8"), program.dram((64, 128), "BFP_BFloat8")
    program.op("FullOp", device=device, fill_value=1.0, out=x)
    program.op("CollectiveOp", type="AllGather", **{"in": x}, out=out, dim=1, cluster_axis=1)
    _runtime.enable_report(board, True)
    try:
        _runtime.run(board, machine.load(program, target="t3000"), 0, [])
    finally:
        _runtime.enable_report(board, False)
    op = _runtime.get_report(board).ops[-1]
    assert op.name == "all_gather"
    assert op.ethernet_bytes == 2 * 4 * 1088
    sent = {(use.from_chip, use.to_chip): use.bytes for use in op.ethernet_use}
    assert sent == {(0, 1): 4 * 1088, (1, 0): 4 * 1088}
    assert op.cycles >= op.ethernet_cycles > 0


SUM = {"type": "AllReduce", "cluster_axis": 1, "reduce_type": "Sum"}


def reduced_product(slices: int | None, *, n: int = 2048) -> ttnn_file.Program:
    """The sum over 1x8 chips of a product of 32x1024 and 1024xn."""
    program = ttnn_file.Program()
    device = program.get_mesh((1, 8), [0, 1, 2, 3, 7, 6, 5, 4])
    a, b = program.dram((32, 1024)), program.dram((1024, n))
    product, out = program.dram((32, n)), program.dram((32, n))
    program.op("FullOp", device=device, fill_value=0.5, out=a)
    program.op("FullOp", device=device, fill_value=0.25, out=b)
    program.op("MatmulOp", in0=a, in1=b, out=product)
    more = {} if slices is None else {"overlap_slices": slices}
    program.op("CollectiveOp", **SUM, **{"in": product}, out=out, **more)
    return program


def test_overlap_with_a_product(board: _runtime.Device) -> None:
    """All of the links' work is in the report, and what is left of its time."""
    found = []
    for slices in (None, 1, 2, 4):
        _runtime.enable_report(board, True)
        try:
            _runtime.run(board, machine.load(reduced_product(slices), target="t3000"), 0, [])
        finally:
            _runtime.enable_report(board, False)
        report = _runtime.get_report(board)
        product, collective = report.ops[-2:]
        assert (product.name, collective.name) == ("matmul", "all_reduce")
        assert collective.start == product.start + product.cycles
        found.append((report, collective))
    (before, reduction), *overlapped = found
    for report, collective in overlapped:
        assert report.cycles < before.cycles
        assert collective.parts.dispatch == 0
        assert collective.ethernet_bytes == reduction.ethernet_bytes
        assert collective.cycles < reduction.cycles


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slices": 0}, "expected at least one slice in field overlap_slices, found 0"),
        (
            {"type": "AllGather", "dim": 0},
            "expected no field overlap_slices in all_gather, found 2",
        ),
        ({"before": "FullOp"}, "expected a product by one matrix right before"),
        ({"operand": "b"}, "expected a product by one matrix right before"),
    ],
)
def test_overlaps_that_do_not_fit(change: dict[str, Any], message: str) -> None:
    program = ttnn_file.Program()
    device = program.get_mesh((1, 2), [0, 1])
    a, b, product = (program.dram((32, 32)) for _ in range(3))
    program.op("FullOp", device=device, fill_value=0.5, out=a)
    program.op("FullOp", device=device, fill_value=0.25, out=b)
    program.op("MatmulOp", in0=a, in1=b, out=product)
    if "before" in change:
        program.op("FullOp", device=device, fill_value=0.25, out=program.dram((32, 32)))
    kind = SUM | {key: change[key] for key in ("type", "dim") if key in change}
    rows = 64 if "dim" in change else 32
    program.op(
        "CollectiveOp",
        **kind,
        **{"in": b if "operand" in change else product},
        out=program.dram((rows, 32)),
        overlap_slices=change.get("slices", 2),
    )
    with pytest.raises(runtime.RuntimeError) as error:
        machine.load(program, target="t3000")
    assert message in str(error.value)
