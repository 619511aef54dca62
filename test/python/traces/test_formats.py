"""Timelines of both backends: the rules of both formats, and that both say what the report says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models import blocks

import ttmlir

from .timelines import Timeline, check_equal, read_json, read_perfetto

BACKENDS = ("ttnn", "ttmetal")


def product(backend: str) -> ttmlir.Executable:
    b = ttmlir.Builder("product")
    x = b.input("x", (64, 128))
    b.output(b.relu(b.matmul(x, b.input("y", (128, 64)), name="score"), name="positive"))
    options = {"optimization_level": 0} if backend == "ttnn" else {}
    return ttmlir.compile(b, backend=backend, **options)


def written(report: ttmlir.Report, folder: Path) -> dict[str, bytes]:
    files = {}
    for suffix in (".json", ".pftrace"):
        report.save_trace(folder / f"trace{suffix}")
        files[suffix] = (folder / f"trace{suffix}").read_bytes()
    assert len(list(folder.iterdir())) == 2  # nothing else is left
    return files


def read_both(report: ttmlir.Report, folder: Path) -> Timeline:
    files = written(report, folder)
    timeline = read_json(files[".json"])
    check_equal(timeline, read_perfetto(files[".pftrace"]))
    return timeline


def nanoseconds(report: ttmlir.Report, cycles: float) -> int:
    return round(cycles * 1e9 / report.clock_hz)


def check_ops(report: ttmlir.Report, timeline: Timeline) -> None:
    """The run is as long as the report says, and so is each op in it."""
    (run,) = (s for s in timeline.slices if s.category == "program")
    assert (run.begin, run.end) == (0, nanoseconds(report, report.cycles))
    assert run.argument("cycles") == report.cycles
    found = [
        (s.begin, s.end, s.name, s.argument("op"))
        for s in timeline.slices
        if s.category in ("op", "host")
    ]
    expected = [
        (nanoseconds(report, op.start), nanoseconds(report, op.start + op.cycles), op)
        for op in report.ops
    ]
    assert sorted(found) == sorted(
        (begin, end, op.label or op.name, op.name) for begin, end, op in expected if begin < end
    )
    assert max(s.end for s in timeline.slices) <= run.end


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_timeline_is_that_of_the_report(backend: str, tmp_path: Path) -> None:
    executable = product(backend)
    report = executable.report(trace=True)
    assert report == executable.report()  # to be watched takes no time
    timeline = read_both(report, tmp_path)
    check_ops(report, timeline)
    assert timeline.processes[0] == "program product"
    assert {s.name for s in timeline.on("ops")} >= {"score", "dispatch"}
    assert timeline.on("host")


@pytest.mark.parametrize("backend", BACKENDS)
def test_kernels_have_tracks_of_threads_links_and_channels(backend: str, tmp_path: Path) -> None:
    report = product(backend).report(trace=True)
    timeline = read_both(report, tmp_path)
    chip = "device 0 (wormhole_b0)"
    assert timeline.processes == ["program product", chip]
    names = [name for process, name in timeline.tracks if process == chip]
    threads = [name for name in names if name.startswith("core ")]
    lanes = ("noc0", "noc1", "unpack", "math", "pack")
    order = [
        (*map(int, core.split(",")), lanes.index(lane))
        for core, lane in (name.removeprefix("core ").split() for name in threads)
    ]
    assert order == sorted(order)
    assert {lane for *_, lane in order} == set(range(5))
    assert {name.split()[0] for name in names} == {"core", "noc0", "noc1", "DRAM"}

    # A kernel has the name that its source has; what a thread does is inside of it.
    kernels = [s for s in timeline.slices if s.category == "kernel"]
    assert {s.argument("op") for s in kernels} >= {"score"}
    inside = {"compute", "data_movement", "sync", "wait"}
    for track in (t for t in timeline.tracks if t[1] in threads):
        spans = [(s.begin, s.end) for s in kernels if s.track == track]
        for one in (s for s in timeline.slices if s.track == track and s.category in inside):
            assert any(begin <= one.begin and one.end <= end for begin, end in spans)

    # Bytes of the DRAM are those of the report, but for those that the host moves.
    moved = {"read": 0, "write": 0}
    for one in (s for s in timeline.slices if s.category == "dram"):
        moved[one.name] += one.argument("bytes")
    ops = [op for op in report.ops if not op.host_bytes]
    assert moved["read"] == sum(op.dram_read_bytes for op in ops)
    assert moved["write"] == sum(op.dram_write_bytes for op in ops)


@pytest.mark.whole_run
def test_blocks_that_are_not_modelled_are_one_slice(tmp_path: Path) -> None:
    """A library kernel with many blocks: the trace has the first ones, and says so."""
    b = ttmlir.Builder("large")
    x = b.input("x", (4096, 2048), "bf16")
    b.output(b.exp(b.relu(x, name="first"), name="second"))
    # All tensors in DRAM: each core has a reader, a writer and the three compute threads.
    exe = ttmlir.compile(b, optimization_level=0)
    report = exe.report(trace=ttmlir.TraceFilter(tracks=["ops", "cores"]))
    timeline = read_both(report, tmp_path)
    check_ops(report, timeline)
    kernels = [s for s in timeline.slices if s.category == "kernel"]
    further = {s.track: [] for s in kernels}
    for one in (s for s in timeline.slices if s.category == "estimate"):
        further[one.track].append(one)
    for label in ("first", "second"):
        (op,) = (op for op in report.ops if op.label == label and op.kernels)
        shown = [s for s in kernels if s.argument("op") == label]
        assert len({s.track for s in shown}) == 64 * 5
        assert max(s.end for s in shown) == nanoseconds(report, op.start + op.cycles)
        for kernel in shown:
            blocks, modelled = (kernel.argument(k) for k in ("blocks", "modelled_blocks"))
            assert 0 < modelled < blocks
            (rest,) = (s for s in further[kernel.track] if kernel.begin < s.begin < kernel.end)
            assert (rest.end, rest.argument("blocks")) == (kernel.end, blocks - modelled)
            assert rest.name == "further blocks"
            inside = [s for s in timeline.slices if s.track == kernel.track and s not in kernels]
            assert not any(rest.begin < s.begin < rest.end for s in inside)
    # An op of few blocks is shown as it is.
    timeline = read_both(product("ttnn").report(trace=True), tmp_path)
    for one in timeline.slices:
        assert one.category != "estimate"
        assert "modelled_blocks" not in dict(one.arguments)


@pytest.mark.parametrize("backend", BACKENDS)
def test_arrows_go_from_a_push_to_who_waited(backend: str, tmp_path: Path) -> None:
    timeline = read_both(product(backend).report(trace=True), tmp_path)
    assert timeline.flows
    pairs = {(leaves.name, arrives.name) for leaves, arrives in timeline.flows}
    assert ("cb_push_back", "cb_wait_front") in pairs
    waits = {(s.track, s.end) for s in timeline.slices if s.category == "wait"}
    for leaves, arrives in timeline.flows:
        assert arrives.category == "sync"
        assert (arrives.track, arrives.begin) in waits
        if leaves.name.startswith("cb_"):  # within a core
            assert leaves.track[1].split()[:2] == arrives.track[1].split()[:2]
            assert leaves.argument("cb") == arrives.argument("cb")


@pytest.mark.parametrize("backend", BACKENDS)
def test_chips_and_their_links(backend: str, tmp_path: Path) -> None:
    b = ttmlir.Builder("sum", mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (64, 128)), (None, 1))
    x = b.all_reduce(b.relu(x, name="positive"), cluster_axis=1, name="total")
    b.output(b.mesh_gather(x, (None, 1)))
    report = ttmlir.compile(b, backend=backend, target="n300").report(trace=True)
    timeline = read_both(report, tmp_path)
    check_ops(report, timeline)
    links = [s for s in timeline.slices if s.track[0] == "Ethernet"]
    assert {s.track[1].split(",")[0] for s in links} == {"chip 0 to 1", "chip 1 to 0"}
    assert sum(s.argument("bytes") for s in links) == report.ethernet_bytes
    # Each chip does its share.
    (op,) = (op for op in report.ops if op.label == "positive" and op.core_use)
    assert {use.device for use in op.core_use} == {0, 1}
    shown = [s for s in timeline.slices if s.category == "kernel" and s.argument("op") == op.label]
    assert {s.track[0].split(" (")[0] for s in shown} == {"device 0", "device 1"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block", blocks.BLOCKS)
@pytest.mark.parametrize("target", blocks.TARGETS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_blocks_of_networks(block: str, target: str, backend: str, tmp_path: Path) -> None:
    """A corner of the cores, and all ops and links between chips."""
    kept = ttmlir.TraceFilter(
        tracks=["ops", "cores", "dram", "ethernet", "counters"], cores=[(0, 0), (1, 1)]
    )
    report = blocks.compiled(block, target, backend).report(trace=kept)
    timeline = read_both(report, tmp_path)
    check_ops(report, timeline)
    assert {"DRAM traffic"} <= {name for _, name in timeline.counters}


TEXT = st.text(max_size=20) | st.sampled_from(['"', "\\", "\n\t\r\0", "\u2028", "\U0001f600", "</"])


@settings(max_examples=20, deadline=None)
@given(name=TEXT)
def test_names_are_any_text(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Names of programs, which files carry as any text."""
    from ttmlir import runtime

    try:
        b = ttmlir.Builder(name)
    except ttmlir.Error:
        return
    b.output(b.relu(b.input("x", (32, 32))))
    try:
        executable = ttmlir.compile(b)
    except ttmlir.Error:
        return
    assert executable.programs[0].name == name
    timeline = read_both(executable.report(trace=True), tmp_path_factory.mktemp("traces"))
    assert timeline.processes[0] == f"program {name}"
    assert isinstance(executable.report(trace=True).trace, runtime.Trace)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_run_gives_the_same_file(backend: str, tmp_path: Path) -> None:
    executable = product(backend)
    first = written(executable.report(trace=True), tmp_path)
    assert written(executable.report(trace=True), tmp_path) == first
