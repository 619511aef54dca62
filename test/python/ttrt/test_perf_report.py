"""What PyPI's tt-perf-report makes of ``ops_perf_results.csv``, against our own report."""

from __future__ import annotations

import csv
import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import op_definitions
import pytest
from models import blocks

import ttmlir
from ttmlir._report import perf_csv
from ttmlir.report import OpReport

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tt_perf_report") is None,
    reason="needs tt-perf-report: pip install 'ttmlir[test]'",
)


BYTES = {"bf16": 2, "f32": 4}


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def analyze(path: Path, *options: str) -> str:
    """What the program prints; it must have nothing to complain about."""
    command = [sys.executable, "-m", "tt_perf_report.perf_report", str(path), *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=path.parent, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    for word in ("Warning", "Traceback", "Ignoring", "Defaulting", "not found", "unknown shape"):
        assert word not in done.stdout, done.stdout
    return done.stdout


def device_time(op: OpReport, report: ttmlir.Report) -> float:
    """In microseconds, of all chips together: that of the slowest. Operands that an op brings from
    the host come before."""
    return (op.cycles - op.parts.dispatch - op.parts.host) / report.clock_hz * 1e6


@pytest.mark.sampled(4)
@pytest.mark.parametrize("backend", blocks.BACKENDS)
@pytest.mark.parametrize("target", blocks.TARGETS)
@pytest.mark.parametrize("block", blocks.BLOCKS)
def test_blocks(block: str, target: str, backend: str, tmp_path: Path) -> None:
    report = blocks.compiled(block, target, backend).report()
    report.save_csv(tmp_path / "ops.csv")
    text = analyze(tmp_path / "ops.csv", "--csv", "table.csv", "--no-summary")
    assert f"Using last signpost: {report.program}" in text
    assert f"Architecture: wormhole, Worker cores: {report.worker_cores}" in text
    table = read(tmp_path / "table.csv")
    ops = [op for op in report.ops if perf_csv.runs_on_device(op)]
    assert len(table) == len(ops) > 3
    for row, op in zip(table, ops, strict=True):
        code = perf_csv.op_code(op)
        assert row["OP Code"].split()[0] == code
        assert row["Op Category"] != "Other"
        assert int(row["Cores"]) == max(op.cores, 1)
        time = device_time(op, report)
        if "All" not in code:  # Of collectives it takes the mean of the chips.
            assert float(row["Device Time"]) == pytest.approx(time)
        if row["Op-to-Op Gap"]:
            gap = op.parts.dispatch / report.clock_hz * 1e6
            assert float(row["Op-to-Op Gap"]) == pytest.approx(gap)
        if code == "Matmul":
            check_product(row, op, time)


def check_product(row: dict[str, str], op: OpReport, microseconds: float) -> None:
    """Its FLOP/s and bytes/s are of the padded shapes."""
    assert row["Bound Analysis"] == "full"
    (a, b), (out,) = op.operands[:2], op.results
    sizes = [padded(use.shape) for use in (a, b, out)]
    work = 2 * volume(sizes[2]) * sizes[0][-1] / microseconds / 1e6
    if a.shape[-2:][0] == out.shape[-2:][0]:
        assert float(row["FLOPs"]) == pytest.approx(work)
    moved = sum(
        volume(s) * BYTES[u.dtype]
        for s, u in zip(sizes, (a, b, out), strict=True)
        if u.memory == "dram"
    )
    assert float(row["DRAM"] or 0) == pytest.approx(moved / microseconds / 1e3)
    assert row["Math Fidelity"].split()[0] in ("LoFi", "HiFi2", "HiFi3", "HiFi4")
    assert 0 < float(row["FLOPs %"]) < 100


def padded(shape: tuple[int, ...]) -> list[int]:
    return [*shape[:-2], *(-(-extent // 32) * 32 for extent in shape[-2:])]


def volume(shape: list[int]) -> int:
    found = 1
    for extent in shape:
        found *= extent
    return found


def test_convolution(tmp_path: Path) -> None:
    report = blocks.compiled("resnet", "n150", "ttnn").report()
    report.save_csv(tmp_path / "ops.csv")
    assert "Conv2d 224 x 288 x 16" in analyze(tmp_path / "ops.csv", "--no-color")
    analyze(tmp_path / "ops.csv", "--csv", "table.csv", "--no-summary")
    (spatial,) = [op for op in report.ops if (op.label, op.name) == ("spatial_relu", "conv2d")]
    (row,) = [r for r in read(tmp_path / "table.csv") if "x 288 x" in r["OP Code"]]
    time = device_time(spatial, report)
    # 14 * 14 pixels and 16 channels are padded to tiles.
    assert float(row["FLOPs"]) == pytest.approx(2 * 224 * (9 * 32) * 16 / time / 1e6)


def test_devices_apart(tmp_path: Path) -> None:
    report = blocks.compiled("llama", "t3000", "ttmetal").report()
    report.save_csv(tmp_path / "ops.csv")
    rows = [r for r in read(tmp_path / "ops.csv") if r["OP TYPE"] != "signpost"]
    assert {r["DEVICE ID"] for r in rows} == {str(i) for i in range(8)}
    text = analyze(tmp_path / "ops.csv", "--no-merge-devices", "--no-color")
    assert "Detected data from 8 devices" in text


def test_every_op_has_a_code() -> None:
    """That of an elementwise function depends on its operands alone."""
    eltwise = {row["mnemonic"] for row in op_definitions.eltwise_rows()}
    #: They do not run on the device, or only describe what does.
    silent = {"alloc", "dealloc", "empty", "generic", "get_device", "kernel", "mesh_shard", "yield"}
    known = set(perf_csv.OP_CODES) | perf_csv.LAYOUT_OPS | silent
    missing = {
        d.mnemonic
        for d in op_definitions.definitions().values()
        if not d.is_composite
        and d.mnemonic not in eltwise | known
        and f"eltwise.{d.mnemonic}" not in known
    }
    assert missing == set()


def test_the_program_knows_every_code(tmp_path: Path) -> None:
    report: Any = importlib.import_module("tt_perf_report.perf_report")
    codes = {*perf_csv.OP_CODES.values(), "Unary", "BinaryNg", "Ternary"}
    codes |= {"Tilize", "Untilize", "Copy", "Reshard"}
    codes |= {"InterleavedToSharded", "ShardedToInterleaved", "Typecast"}
    assert {code for code in codes if report.classify_operation(code) == "Other"} == set()
