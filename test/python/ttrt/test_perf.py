"""`ttrt perf`: host times, and the chip's as the emulator models them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import ttmlir

Call = Any


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_files(files: Path, here: Path, ttrt: Call) -> None:
    done = ttrt("perf", "out.ttnn", "--loops", "3")
    assert done.returncode == 0, done.stderr
    folder = here / "ttrt-artifacts" / "out.ttnn" / "perf"
    host = rows(folder / "host_perf_results.csv")
    assert [r["loop"] for r in host] == ["0", "1", "2"]
    assert all(float(r["seconds"]) > 0 for r in host)

    ops = rows(folder / "ops_perf_results.csv")
    report = ttmlir.load(files / "out.ttnn").report()
    assert [r["name"] for r in ops] == [op.name for op in report.ops]
    assert [float(r["cycles"]) for r in ops] == [op.cycles for op in report.ops]
    (multiply,) = [r for r in ops if "multiply" in r["name"]]
    seconds = float(multiply["nanoseconds"]) * 1e-9
    assert abs(seconds - float(multiply["cycles"]) / report.clock_hz) < 1e-12
    assert int(multiply["dram_read_bytes"]) > 0

    (program,) = json.loads((folder / "perf.json").read_text())
    assert (program["program"], program["loops"]) == ("multiply", 3)
    assert program["device"]["cycles"] == report.cycles
    assert str(report) in done.stdout
    (entry,) = json.loads((here / "perf_results.json").read_text())
    assert (entry["result"], entry["program_index"]) == ("pass", "all")


def test_timeline_of_kernels(here: Path, ttrt: Call) -> None:
    b = ttmlir.Builder("double")
    x = b.input("x", (64, 64))
    b.output(b.add(x, x))
    ttmlir.compile(b, backend="ttmetal").save(here / "double.ttm")
    done = ttrt("perf", "double.ttm")
    assert done.returncode == 0, done.stderr
    folder = here / "ttrt-artifacts" / "double.ttm" / "perf"
    timeline = json.loads((folder / "0.trace.json").read_text())
    assert any(e["name"] == "pack_tile" for e in timeline["traceEvents"])
    (program,) = json.loads((folder / "perf.json").read_text())
    assert "trace" not in program
    assert "trace" not in program["device"]
    kernels = [op for op in program["device"]["ops"] if op["core_use"]]
    assert kernels
    ops = rows(folder / "ops_perf_results.csv")
    assert len(ops) == len(program["device"]["ops"])
    assert "core_use" not in ops[0]


def test_host_only(here: Path, ttrt: Call) -> None:
    done = ttrt("perf", "out.ttnn", "--host-only")
    assert done.returncode == 0, done.stderr
    folder = here / "ttrt-artifacts" / "out.ttnn" / "perf"
    assert {p.name for p in folder.iterdir()} == {"host_perf_results.csv", "perf.json"}
    (program,) = json.loads((folder / "perf.json").read_text())
    assert "device" not in program
    assert "cycles" not in done.stdout


def test_every_program_of_a_folder(here: Path, ttrt: Call) -> None:
    assert ttrt("perf", "flatbuffers", "--artifact-dir", "saved").returncode == 0
    ops = rows(here / "saved" / "b.ttnn" / "perf" / "ops_perf_results.csv")
    assert {r["program"] for r in ops} == {"first", "second"}
    assert (here / "saved" / "a.ttnn" / "perf" / "perf.json").exists()
    assert (here / "saved" / "a.ttnn" / "system_desc.ttsys").exists()
    assert not (here / "saved" / "a.ttnn" / "run").exists()


def test_a_second_run_leaves_nothing_of_the_first(here: Path, ttrt: Call) -> None:
    assert ttrt("perf", "out.ttnn").returncode == 0
    assert ttrt("perf", "out.ttnn", "--host-only").returncode == 0
    folder = here / "ttrt-artifacts" / "out.ttnn" / "perf"
    assert not (folder / "ops_perf_results.csv").exists()


def test_checks_of_run(files: Path, ttrt: Call) -> None:
    done = ttrt("perf", files / "zero.ttnn", "--non-zero")
    assert done.returncode == 1
    assert "Failed: output tensor all zero" in done.stderr
