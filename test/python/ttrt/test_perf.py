"""`ttrt perf`: host times, and the chip's as the emulator models them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

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

    # ttrt has a device of its own; the shared one may hold tensors of other tests.
    own = ttmlir.runtime.open_device([0])
    report = ttmlir.load(files / "out.ttnn").report(device=own)
    begin, *ops = rows(folder / "ops_perf_results.csv")
    assert (begin["OP TYPE"], begin["OP CODE"]) == ("signpost", "multiply")
    (multiply,) = ops
    (expected,) = [op for op in report.ops if op.name == "eltwise.multiply"]
    nanoseconds = (expected.cycles - expected.parts.dispatch) / report.clock_hz * 1e9
    assert abs(float(multiply["DEVICE KERNEL DURATION [ns]"]) - nanoseconds) < 1e-3
    assert (multiply["OP CODE"], multiply["OP"]) == ("BinaryNg", "eltwise.multiply")
    assert multiply["INPUT_1_X_PAD[LOGICAL]"] == "128[128]"
    assert int(multiply["DRAM READ [bytes]"]) > 0

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
    assert not (folder / "0.trace.pftrace").exists()
    (program,) = json.loads((folder / "perf.json").read_text())
    assert "trace" not in program
    assert "trace" not in program["device"]
    kernels = [op for op in program["device"]["ops"] if op["core_use"]]
    assert kernels
    _, *ops = rows(folder / "ops_perf_results.csv")
    assert len(ops) == len([op for op in program["device"]["ops"] if not op["host_bytes"]])


ONE = "files/one.ttnn"


def test_the_page(here: Path, ttrt: Call) -> None:
    """That of the report, with the threads that the timeline keeps."""
    b = ttmlir.Builder("double")
    x = b.input("x", (64, 64))
    b.output(b.add(x, x, name="twice"))
    ttmlir.compile(b).save(here / "double.ttnn")
    done = ttrt("perf", "double.ttnn", "--html", "out.html", "--trace-cores", "0,0")
    assert done.returncode == 0, done.stderr
    page = (here / "out.html").read_text()
    assert "<html" in page
    assert "twice" in page
    assert {"0,0"} == set(re.findall(r'"core": ?"([^"]*)"', page))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([ONE, "--html", "out.txt"], "out.txt"),
        ([ONE, "--html", "none/out.html"], "cannot be written"),
        ([ONE, "--html", "out.html", "--host-only"], "expected --html or --host-only, found both"),
        (["files", "--html", "out.html"], "--html: expected one program, found 2; choose it by"),
    ],
)
def test_wrong_options_of_the_page(
    options: list[str], message: str, here: Path, ttrt: Call
) -> None:
    b = ttmlir.Builder("double")
    b.output(b.relu(b.input("x", (32, 32))))
    (here / "files").mkdir()
    for name in ("one.ttnn", "two.ttnn"):
        ttmlir.compile(b).save(here / "files" / name)
    done = ttrt("perf", *options)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(here.rglob("out.html"))


def test_options_of_the_timeline(here: Path, ttrt: Call) -> None:
    b = ttmlir.Builder("double")
    x = b.input("x", (64, 64))
    b.output(b.add(x, x))
    ttmlir.compile(b, backend="ttmetal").save(here / "double.ttm")
    folder = here / "ttrt-artifacts" / "double.ttm" / "perf"
    options = ["--trace-tracks", "ops,cores", "--trace-cores", "0,0-1 7,7"]
    assert ttrt("perf", "double.ttm", *options, "--trace-window", ":1e6").returncode == 0
    events = json.loads((folder / "0.trace.json").read_text())["traceEvents"]
    tracks = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert {name.split()[1] for name in tracks if name.startswith("core")} == {"0,0", "0,1"}
    assert not any(name.startswith(("noc", "DRAM")) for name in tracks)

    assert ttrt("perf", "double.ttm", "--trace-format", "perfetto").returncode == 0
    assert (folder / "0.trace.pftrace").stat().st_size > 0
    assert not (folder / "0.trace.json").exists()

    # The tables are there without a timeline.
    done = ttrt("perf", "double.ttm", "--trace-limit", "3")
    assert done.returncode == 0
    assert "program 0 has no trace: the trace has" in done.stderr
    assert {p.suffix for p in folder.iterdir()} == {".csv", ".json"}
    assert not (folder / "0.trace.json").exists()


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("cores", "1", "expected rows,columns such as 0,0 or 0-3,0-7, found '1'"),
        ("cores", "a,0", "expected a number or a range such as 0-3, found 'a'"),
        ("devices", "x", "expected a number or a range such as 0-3, found 'x'"),
        ("window", "5:5", "options of the trace: window"),
        ("window", "5", "expected cycles as BEGIN:END, found '5'"),
        ("window", "a:b", "expected cycles as BEGIN:END, found 'a:b'"),
        ("tracks", "threads", "found 'threads'"),
        ("limit", "0", "expected at least 1, found 0"),
        ("format", "xml", "is not one of 'json', 'perfetto'"),
    ],
)
def test_wrong_options_of_the_timeline(
    option: str, value: str, message: str, files: Path, here: Path, ttrt: Call
) -> None:
    done = ttrt("perf", "out.ttnn", f"--trace-{option}", value)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr


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
    assert [r["OP CODE"] for r in ops if r["OP TYPE"] == "signpost"] == ["first", "second"]
    begins = [float(r["HOST START TS"]) for r in ops]
    assert begins == sorted(begins)
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


def test_what_is_shown(here: Path, ttrt: Call) -> None:
    b = ttmlir.Builder("chain")
    x = b.input("x", (64, 64))
    b.output(b.matmul(b.exp(x, name="first"), x, name="second"))
    ttmlir.compile(b, backend="ttmetal").save(here / "chain.ttm")

    def table(*options: str) -> list[str]:
        done = ttrt("perf", "chain.ttm", *options)
        assert done.returncode == 0, done.stderr
        return done.stdout.partition("\nPhases\n")[0].splitlines()[4:]

    both, ops, kernels = table(), table("--ops"), table("--kernels")
    assert len([line for line in both if line.strip()]) >= len(ops)
    assert not any("(noc0)" in line for line in ops)
    assert all("(" in line for line in kernels if line.strip())
    assert table("--ops", "--kernels") == both
    (only,) = [line for line in table("--ops", "--sort", "name", "--top", "1") if line.strip()]
    assert only.startswith("first")


def test_wrong_options(ttrt: Call) -> None:
    for options, message in (
        (("--sort", "cycle"), "'cycle' is not one of 'start', 'name', 'op'"),
        (("--top", "-1"), "argument 'top': expected at least 0, found -1"),
        (("--top", "few"), "'few' is not a valid integer"),
    ):
        done = ttrt("perf", "out.ttnn", *options)
        assert done.returncode == 1
        assert message in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_written(here: Path, ttrt: Call) -> None:
    (here / "saved").write_text("no folder")
    done = ttrt("perf", "out.ttnn", "--artifact-dir", "saved")
    assert done.returncode == 1
    assert "saved" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("backend", "suffix"), [("ttnn", "ttnn"), ("ttmetal", "ttm")])
def test_replays_of_a_captured_trace(here: Path, ttrt: Call, backend: str, suffix: str) -> None:
    """Parameters are part of it."""
    b = ttmlir.Builder("dense")
    b.output(b.matmul(b.input("x", (32, 64), "bf16"), b.parameter("w", (64, 32), "bf16")))
    exe = ttmlir.compile(b, backend=backend)
    exe.save(here / f"dense.{suffix}")
    done = ttrt("perf", f"dense.{suffix}", "--replays", "3", "--ops")
    assert done.returncode == 0, done.stderr
    assert "trace of dense on wormhole_b0" in done.stdout
    folder = here / "ttrt-artifacts" / f"dense.{suffix}" / "perf"
    (program,) = json.loads((folder / "perf.json").read_text())
    exe.bind(w=ttmlir.runtime.to_host_array([[0.0] * 32] * 64, "bfloat16"))
    with exe.trace() as trace:
        assert program["captured_trace"] == trace.report().as_dict()
    events = json.loads((folder / "0.queues.json").read_text())["traceEvents"]
    assert sum(e["name"].startswith("replay") for e in events) == 3


def test_replays_that_the_host_would_have_to_help(here: Path, ttrt: Call) -> None:
    b = ttmlir.Builder("chosen")
    x, wanted = b.input("x", (32, 32)), b.input("wanted", (1,), "si32")
    b.output(*b.cond(wanted, lambda: b.exp(x), lambda: b.sin(x)))
    ttmlir.compile(b).save(here / "chosen.ttnn")
    done = ttrt("perf", "chosen.ttnn", "--replays", "3")
    assert done.returncode == 1
    assert "the host reads the condition" in done.stdout + done.stderr
