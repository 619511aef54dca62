"""Who held which bytes in a run, and what a run that ended for want of memory leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

import ttmlir


def test_who_held_what(tmp_path: Path) -> None:
    b = ttmlir.Builder("sum")
    b.output(b.add(b.input("x", (64, 64)), b.input("y", (64, 64))))
    report = ttmlir.compile(b, optimization_level=0).report()
    dram = [use for use in report.memory if use.space == "dram"]
    # Two inputs and a result of four tiles, in four channels a tile each.
    assert len([use for use in dram if use.bytes == 4096]) >= 3
    assert all(0 <= use.begin <= use.end <= report.cycles for use in report.memory)
    assert report.failed is None
    highest = max(sum(u.bytes for u in dram if u.begin <= at.begin < u.end) for at in dram)
    assert highest <= report.dram_high_water
    for one in dram:
        for other in dram:
            apart = one.address + one.bytes <= other.address or one.end <= other.begin
            assert (
                one is other
                or apart
                or other.address + other.bytes <= one.address
                or (other.end <= one.begin)
            ), f"expected {one} and {other} apart in address or in time"


def test_out_of_memory(tmp_path: Path) -> None:
    """The error has the report until then, which says what there was no room for."""
    b = ttmlir.Builder("large")
    x = b.input("x", (32, 32))
    # 16 GiB in the 12 GiB of an n150.
    rows = b.broadcast(b.reshape(x, (1, 1024)), (4 * 1024 * 1024, 1024))
    b.output(b.sum(rows, dim=-1))
    exe = ttmlir.compile(b)
    with pytest.raises(ttmlir.OutOfMemoryError, match="DRAM") as caught:
        exe.report()
    report = caught.value.report
    assert report.ops
    assert report.failed.space == "dram"
    assert report.failed.bytes > report.failed.largest_free
    assert str(report.failed).startswith("Out of memory: ")
    assert any(use.end == report.cycles for use in report.memory)
    report.save(tmp_path / "memory.html")
    assert "Out of memory" in (tmp_path / "memory.html").read_text()
    # The next report is that of the next run.
    small = ttmlir.Builder("small")
    y = small.input("y", (32, 32))
    small.output(small.add(y, y))
    assert ttmlir.compile(small).report().failed is None
