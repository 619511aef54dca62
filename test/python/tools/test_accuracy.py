"""The page about the clock's errors: what validates is not what constants were taken from, and the
page is that of the clock there is."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "benchmarks" / "accuracy"
sys.path.insert(0, str(FOLDER))

import measurements  # noqa: E402
import network_rows  # noqa: E402
from run import KINDS  # noqa: E402

ROWS = {row.id: row for kind in KINDS for row in measurements.rows(kind)}
NOT_MODELLED = {row["id"] for row in measurements.not_modelled()}
CONSTANTS = list(measurements.constants())
#: Words of sources of measurements.
MEASURED = re.compile(
    "noc_latencies|audit|PR |issue|golden|GEMM|fitted|GB/s over|a hop|DRAMTile|microbenchmark"
)


def test_every_row_has_a_name_and_a_use() -> None:
    names = [row.id for kind in KINDS for row in measurements.rows(kind)]
    names += [row["id"] for row in measurements.not_modelled()]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert {row.use for row in ROWS.values()} == {"calibration", "validation"}
    assert all(row.measured > 0 and row.source for row in ROWS.values())
    tables = {path.stem for path in measurements.FOLDER.glob("*.csv")}
    assert tables == {*KINDS, "not_modelled", "reasons"}


def test_no_constant_is_taken_from_a_row_that_validates() -> None:
    taken = {name for constant in CONSTANTS for name in constant.rows} | set(
        network_rows.SENDER_ROWS
    )
    assert taken - ROWS.keys() - NOT_MODELLED == set()
    assert {name for name in taken & ROWS.keys() if ROWS[name].use != "calibration"} == set()
    # Nor does a row escape validation that no constant was taken from.
    assert {row.id for row in ROWS.values() if row.use == "calibration"} - taken == set()


@pytest.mark.parametrize("constant", CONSTANTS, ids=lambda c: f"{c.arch}-{c.name}")
def test_a_constant_from_a_measurement_names_it(constant: measurements.Constant) -> None:
    assert constant.rows or not MEASURED.search(constant.source), constant.source


@pytest.mark.parametrize("arch", ["grayskull", *measurements.ARCHS])
def test_dram_is_not_faster_than_its_peak(arch: str) -> None:
    data = json.loads((measurements.CONSTANTS / f"{arch}.json").read_text(encoding="utf-8"))
    entries = {**data["chip"], **data["cost"], **data["timing"]}
    value = {name: entry["value"] for name, entry in entries.items()}
    peak = value["dram_bytes_per_second"] / value["clock_hz"] / value["num_dram_channels"]
    assert value["dram_read_bytes_per_cycle"] <= peak
    assert value["dram_write_bytes_per_cycle"] <= peak


def test_what_is_off_or_not_modelled_has_a_reason() -> None:
    assert all(row["reason"] for row in measurements.not_modelled())
    assert measurements.reasons().keys() - ROWS.keys() == set()
    assert all(measurements.reasons().values())


def test_the_page_is_that_of_this_clock() -> None:
    done = subprocess.run(
        [sys.executable, FOLDER / "run.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
