"""Files of a mesh that are wrong, and devices that do not have its chips; what reports and
timelines say of several chips."""

from __future__ import annotations

import io
import itertools
import json
from pathlib import Path
from typing import Any

import edited_files
import numpy as np
import pytest

import ttmlir
from ttmlir import _runtime, runtime

ROWS, COLUMNS = 64, 256  # of the whole; a chip has half of the columns
PART = ROWS * COLUMNS // 2 * 4  # bytes of a chip


def compiled(kernels: bool) -> ttmlir.Executable:
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (ROWS, COLUMNS)), (None, 1))
    y = b.all_gather(b.all_reduce(x, cluster_axis=1), dim=1, cluster_axis=1)
    b.output(b.mesh_gather(y, (None, None)))
    return ttmlir.compile(b, backend="ttmetal", target="n300", use_all_gather_kernel=kernels)


@pytest.fixture(scope="module")
def executable() -> ttmlir.Executable:
    return compiled(False)


def with_mesh(executable: ttmlir.Executable, shape: list[int], ids: list[int], path: Path) -> bytes:
    """The file for another mesh."""
    document = edited_files.document(executable)
    device = document["programs"][0]["device_programs"][0]
    device["mesh_shape"], device["chip_ids"] = shape, ids
    return edited_files.write(document, "TTMetal", path).read_bytes()


@pytest.mark.parametrize(
    ("shape", "ids", "message"),
    [
        ([1, 2], [0, 0], "each chip once in mesh 1x2, found 0 more than once"),
        ([1, 2], [0, 2], "chip ids below 2 for mesh 1x2, found 2"),
        ([1, 4], [0, 1], "found mesh 1x4 and 2 chips"),
        ([0, 2], [0, 1], "found mesh 0x2 and 2 chips"),
        ([65536, 65536, 65536], [0, 1], "found mesh 65536x65536x65536 and 2 chips"),
        ([], [0, 1], "expected the extents of a mesh in field mesh_shape"),
        ([2, 1], [0, 1], "(mesh_shard): 1x2 shards, dims [-1, 1], on mesh 2x1"),
    ],
)
def test_meshes_that_are_none(
    executable: ttmlir.Executable, shape: list[int], ids: list[int], message: str, tmp_path: Path
) -> None:
    with pytest.raises(runtime.FormatError) as error:
        runtime.load_binary_from_bytes(with_mesh(executable, shape, ids, tmp_path))
    assert message in str(error.value)


def test_other_chips_in_another_order(executable: ttmlir.Executable, tmp_path: Path) -> None:
    binary = runtime.load_binary_from_bytes(with_mesh(executable, [1, 2], [1, 0], tmp_path))
    x = np.random.default_rng(0).random((ROWS, COLUMNS), np.float32)
    swapped = ttmlir.Executable(binary, runtime.get_default_system_desc("n300"))
    np.testing.assert_array_equal(swapped(x), executable(x))


def test_a_device_without_the_chips(executable: ttmlir.Executable) -> None:
    x = np.zeros((ROWS, COLUMNS), np.float32)
    device = _runtime.open_system(runtime.get_default_system_desc("n300"), [1])
    with pytest.raises(ttmlir.Error, match=r"mesh 1x2: expected a chip among .* \(1\), found 0"):
        executable(x, device=device)
    runtime.close_device(device)
    other = runtime.open_mesh_device([1, 2], system_desc=runtime.get_default_system_desc("t3000"))
    with pytest.raises(ttmlir.Error, match="expected number of chips 2, found 8"):
        executable(x, device=other)
    runtime.close_device(other)


@pytest.mark.parametrize("kernels", [False, True])
def test_the_report_has_both_chips(kernels: bool) -> None:
    report = compiled(kernels).report(trace=True)
    ops = [op for op in report.ops if op.ethernet_bytes]
    assert len(ops) == 2
    # An all_reduce sends half of a part for its sum and half for the result, in each direction.
    for op in ops:
        assert {(use.from_chip, use.to_chip) for use in op.ethernet_use} == {(0, 1), (1, 0)}
        for use in op.ethernet_use:
            assert PART <= use.bytes < PART * 1.02  # kernels send semaphores too
            assert use.wire_bytes > use.bytes
            assert 0 < use.busy < op.cycles
    assert sum(use.bytes for use in report.ethernet_use) == sum(op.ethernet_bytes for op in ops)
    check_timeline(report, kernels)


def check_timeline(report: Any, kernels: bool) -> None:
    """Each direction of a link has a track, whose slices lie within the run."""
    text = io.BytesIO()
    report.trace.write(text.write, "json")
    events = json.loads(text.getvalue())["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    groups = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    slices: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        if event["ph"] == "X" and groups[event["pid"]] == "Ethernet":
            slices.setdefault(names[event["pid"], event["tid"]], []).append(event)
    assert [name.split(",")[0] for name in sorted(slices)] == ["chip 0 to 1", "chip 1 to 0"]
    for found in slices.values():
        expected = {"packets"} if kernels else {"all_reduce", "all_gather"}
        assert {event["name"] for event in found} == expected
        for before, after in itertools.pairwise(found):
            assert before["ts"] + before["dur"] <= after["ts"] + 1e-3
        assert found[-1]["ts"] + found[-1]["dur"] <= report.seconds * 1e6
    chips = {name.split()[1] for name in groups.values() if name.startswith("device ")}
    assert chips == {"0", "1"}
