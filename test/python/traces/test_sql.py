"""Perfetto's own trace processor reads both formats alike."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from .test_formats import BACKENDS, product
from .timelines import Timeline, read_json
from .trace_processor import processor

#: A slice with the thread or track that it is on.
SLICES = """
    select s.name, s.ts, s.dur, s.depth, s.category, coalesce(thread.name, track.name) as track
    from slice s join track on s.track_id = track.id
    left join thread_track on thread_track.id = track.id left join thread using (utid)
"""
FLOWS = """
    select a.name as leaves, a.ts as leaves_at, b.name as arrives, b.ts as arrives_at
    from flow join slice a on a.id = flow.slice_out join slice b on b.id = flow.slice_in
"""
THREADS = """
    select thread.name as thread, process.name as process from thread join process using (upid)
    where thread.name like 'core %'
"""
COUNTERS = "select track.name, ts, value from counter join track on track.id = counter.track_id"
PROBLEMS = "select name, value from stats where severity in ('error', 'data_loss') and value > 0"


@pytest.fixture(scope="module", params=BACKENDS)
def files(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("sql")
    report = product(request.param).report(trace=True)
    paths = {suffix: folder / f"trace{suffix}" for suffix in (".json", ".pftrace")}
    for path in paths.values():
        report.save_trace(path)
    return paths


@pytest.fixture(scope="module")
def timeline(files: dict[str, Path]) -> Timeline:
    return read_json(files[".json"].read_bytes())


@pytest.mark.parametrize("suffix", [".json", ".pftrace"])
def test_queries(suffix: str, files: dict[str, Path], timeline: Timeline) -> None:
    with processor(files[suffix]) as session:
        assert session.query(PROBLEMS) == []
        found = Counter(
            (r["track"], r["name"], r["category"], r["ts"], r["dur"]) for r in session.query(SLICES)
        )
        assert found == Counter(
            (s.track[1], s.name, s.category, s.begin, s.end - s.begin) for s in timeline.slices
        )
        flows = Counter(
            (r["leaves"], r["leaves_at"], r["arrives"], r["arrives_at"])
            for r in session.query(FLOWS)
        )
        assert flows == Counter((a.name, a.begin, b.name, b.begin) for a, b in timeline.flows)
        threads = {(r["process"], r["thread"]) for r in session.query(THREADS)}
        assert threads == {t for t in timeline.tracks if t[1].startswith("core ")}
        samples = sorted((r["ts"], r["value"]) for r in session.query(COUNTERS))
        assert samples == sorted(s for found in timeline.counters.values() for s in found)
        (deepest,) = session.query("select max(depth) as depth from slice")
        assert deepest["depth"] == 2  # the run, an op, its dispatch
