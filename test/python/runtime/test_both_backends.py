"""The same op in both backends: cycles differ by no more than the data flow explains, and the page
says what they are and why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "benchmarks"))

import bench_clock  # noqa: E402
from bench_clock import Case  # noqa: E402

PAGE = (ROOT / "docs" / "src" / "timing.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]


@pytest.mark.parametrize("case", bench_clock.CASES, ids=lambda case: f"{case.name}, {case.where}")
def test_cycles_differ_as_the_data_flow_says(case: Case) -> None:
    found = case.both()
    ratio = bench_clock.ratio(found)
    (row,) = (cells for cells in ROWS if cells[:2] == [case.name, case.where])
    assert row[-1] == case.why
    # Of the page, which a change of a kernel or a stream may leave a bit behind.
    assert ratio == pytest.approx(float(row[-3]), rel=0.1)
    # More bytes take longer, by as much and half of it again where they come from one channel.
    moved = {backend: bench_clock.dram_bytes(ops) for backend, ops in found.items()}
    bytes_ratio = moved["ttmetal"] / moved["ttnn"] if moved["ttnn"] else 1
    assert 0.6 < ratio / bytes_ratio < 1.5
