"""What a trace keeps, and what is not written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kernel_programs import zeros

import ttmlir
from ttmlir import TraceFilter

from .test_formats import product, read_both
from .timelines import Timeline, read_json


@pytest.fixture(scope="module")
def executable() -> ttmlir.Executable:
    return product("ttmetal")


def kept(executable: ttmlir.Executable, folder: Path, **options: Any) -> Timeline:
    return read_both(executable.report(trace=TraceFilter(**options)), folder)


def details(timeline: Timeline) -> set[str]:
    return {name for process, name in timeline.tracks if process.startswith("device")}


@pytest.mark.parametrize(
    ("kind", "first"), [("cores", "core"), ("noc", "noc"), ("dram", "DRAM channel")]
)
def test_kinds_of_tracks(
    executable: ttmlir.Executable, kind: str, first: str, tmp_path: Path
) -> None:
    timeline = kept(executable, tmp_path, tracks=[kind])
    assert all(name.startswith(first) for _, name in timeline.tracks)
    assert not timeline.counters


def test_ops_are_always_few(executable: ttmlir.Executable, tmp_path: Path) -> None:
    timeline = kept(executable, tmp_path, tracks=["ops"])
    assert {name for _, name in timeline.tracks} == {"ops", "host"}


def test_cores(executable: ttmlir.Executable, tmp_path: Path) -> None:
    timeline = kept(executable, tmp_path, tracks=["cores"], cores=[(0, 1)])
    assert {name.split()[1] for name in details(timeline)} == {"0,1"}


@pytest.mark.parametrize("pattern", ["score", "sc*"])
def test_ops(executable: ttmlir.Executable, pattern: str, tmp_path: Path) -> None:
    timeline = kept(executable, tmp_path, ops=[pattern])
    kernels = [s for s in timeline.slices if s.category == "kernel"]
    assert {s.argument("op") for s in kernels} == {"score"}
    assert len({s.name for s in timeline.on("ops")}) > 2  # the others have no detail only


def test_window(executable: ttmlir.Executable, tmp_path: Path) -> None:
    everything = kept(executable, tmp_path)
    last = max(s.end for s in everything.slices)
    begin, end = last // 3, last // 2
    timeline = kept(executable, tmp_path, window=(begin, end))
    assert 0 < len(timeline.slices) < len(everything.slices)
    assert all(s.end >= begin and s.begin <= end for s in timeline.slices)
    leaves = [s for s in timeline.slices if s.category in ("compute", "data_movement")]
    inside = [
        s
        for s in everything.slices
        if s.category in ("compute", "data_movement") and s.end > begin and s.begin < end
    ]
    assert sum(s.end - s.begin for s in leaves) >= sum(
        min(s.end, end) - max(s.begin, begin) for s in inside
    )


def test_devices(tmp_path: Path) -> None:
    b = ttmlir.Builder("positive", mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (64, 128)), (None, 1))
    b.output(b.mesh_gather(b.relu(x), (None, 1)))
    mesh = ttmlir.compile(b, backend="ttmetal", target="n300")
    timeline = kept(mesh, tmp_path, devices=[1])
    assert [p for p in timeline.processes if p.startswith("device")] == ["device 1 (wormhole_b0)"]


# -- Errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ops": ["softmax"]}, r"no op matches 'softmax'; expected names or labels.*'score'"),
        ({"cores": [(99, 99)], "tracks": ["cores"]}, "the trace is empty"),
        ({"devices": [3], "tracks": ["cores"]}, "the trace is empty"),
        ({"tracks": ["ethernet"]}, "the trace is empty"),
        ({"window": (1e12, 2e12)}, "the trace is empty"),
        ({"limit": 10}, r"has \d{3,} slices, expected at most 10: narrow it by ops, cores"),
    ],
)
def test_nothing_to_write(
    executable: ttmlir.Executable, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    report = executable.report(trace=TraceFilter(**options))
    for suffix in (".json", ".pftrace"):
        with pytest.raises(ValueError, match=message) as caught:
            report.save_trace(tmp_path / f"trace{suffix}")
        assert isinstance(caught.value, ttmlir.Error)
    assert list(tmp_path.iterdir()) == []


def test_the_limit_is_a_number_of_slices(executable: ttmlir.Executable, tmp_path: Path) -> None:
    report = executable.report(trace=TraceFilter(limit=1))
    with pytest.raises(ValueError, match="has") as caught:
        report.save_trace(tmp_path / "trace.json")
    count = int(str(caught.value).split("has ")[1].split()[0])
    executable.report(trace=TraceFilter(limit=count)).save_trace(tmp_path / "trace.json")
    with pytest.raises(ValueError, match=f"has {count} slices"):
        executable.report(trace=TraceFilter(limit=count - 1)).save_trace(tmp_path / "less.json")
    assert [p.name for p in tmp_path.iterdir()] == ["trace.json"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tracks": ["threads"]}, "expected some of 'ops', 'cores', .* found 'threads'"),
        ({"window": (5, 5)}, "expected a begin from 0 and a later end, found 5 and 5"),
        ({"window": (-1, 5)}, "found -1 and 5"),
        ({"window": (float("nan"), 5)}, "found nan and 5"),
    ],
)
def test_filters_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TraceFilter(**options)


@pytest.mark.parametrize("name", ["trace", "trace.txt", "trace.JSON", "json"])
def test_unknown_suffix(executable: ttmlir.Executable, name: str, tmp_path: Path) -> None:
    report = executable.report(trace=TraceFilter(tracks=["ops"]))
    with pytest.raises(ttmlir.InputError, match=r"expected a suffix of a trace, \.json, \.pftrace"):
        report.save_trace(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_paths_that_cannot_be_written(executable: ttmlir.Executable, tmp_path: Path) -> None:
    report = executable.report(trace=TraceFilter(tracks=["ops"]))
    (tmp_path / "folder.json").mkdir()
    for path in (tmp_path / "none" / "t.json", tmp_path / "folder.json", Path("a\0.json")):
        with pytest.raises(ttmlir.FileError, match="cannot be written"):
            report.save_trace(path)
    assert [p.name for p in tmp_path.iterdir()] == ["folder.json"]
    assert list((tmp_path / "folder.json").iterdir()) == []


def test_a_report_without_a_timeline(executable: ttmlir.Executable, tmp_path: Path) -> None:
    report = executable.report()
    assert report.trace is None
    with pytest.raises(ttmlir.InputError, match="expected a run with trace=True"):
        report.save_trace(tmp_path / "trace.json")
    assert list(tmp_path.iterdir()) == []


def test_kernels_by_hand(tmp_path: Path) -> None:
    """``Program.run`` names the file first: a wrong suffix is an error before the run."""

    program = zeros()
    program.run(trace=tmp_path / "t.json", trace_filter=TraceFilter(cores=[(0, 1)]))
    timeline = read_json((tmp_path / "t.json").read_bytes())
    assert {s.name for s in timeline.slices if s.category == "kernel"} == {"fill"}
    threads = {name for name in details(timeline) if name.startswith("core")}
    assert threads == {"core 0,1 noc0"}
    with pytest.raises(ttmlir.InputError, match="expected a suffix of a trace"):
        program.run(trace=tmp_path / "t.xml")
