"""Reads traces of both formats into one form, and checks the rules of each format on the way."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

Track = tuple[str, str]  # names of a process and of a track of it


@dataclass(frozen=True)
class Slice:
    """Times in nanoseconds."""

    track: Track
    name: str
    category: str
    begin: int
    end: int
    arguments: tuple[tuple[str, Any], ...] = ()

    def argument(self, key: str) -> Any:
        return dict(self.arguments)[key]


@dataclass
class Timeline:
    processes: list[str] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    slices: list[Slice] = field(default_factory=list)
    flows: list[tuple[Slice, Slice]] = field(default_factory=list)
    counters: dict[Track, list[tuple[int, float]]] = field(default_factory=dict)

    def on(self, name: str) -> list[Slice]:
        """The slices of the tracks of a name."""
        return [s for s in self.slices if s.track[1] == name]


def check_nesting(slices: Iterable[Slice]) -> None:
    """Two slices of a track have no time in common, or one has all of the other's."""
    tracks: dict[Track, list[Slice]] = {}
    for one in slices:
        tracks.setdefault(one.track, []).append(one)
    for found in tracks.values():
        around: list[Slice] = []
        for one in sorted(found, key=lambda s: (s.begin, -s.end)):
            while around and around[-1].end <= one.begin:
                around.pop()
            assert not around or one.end <= around[-1].end, (around[-1], one)
            around.append(one)


def check(timeline: Timeline) -> None:
    """What holds of a trace in any format."""
    assert len(set(timeline.tracks)) == len(timeline.tracks)
    assert len(set(timeline.processes)) == len(timeline.processes)
    assert {s.track for s in timeline.slices} == set(timeline.tracks)
    assert all(s.begin < s.end for s in timeline.slices)
    check_nesting(timeline.slices)
    for leaves, arrives in timeline.flows:
        assert leaves.begin < arrives.begin
    for samples in timeline.counters.values():
        times = [time for time, _ in samples]
        assert times == sorted(set(times))
        assert all(value >= 0 for _, value in samples)
        assert samples[-1][1] == 0


def read_json(text: bytes) -> Timeline:
    """Chrome's format: complete events, flows, counters and metadata."""
    content = json.loads(text.decode("ascii"), parse_constant=lambda name: pytest.fail(name))
    timeline = Timeline()
    processes: dict[int, str] = {}
    tracks: dict[int, Track] = {}
    leaves: dict[int, Slice] = {}
    last: dict[int, Slice] = {}
    for event in content["traceEvents"]:
        kind, pid, tid = event["ph"], event["pid"], event["tid"]
        if kind == "M":
            if event["name"] == "process_name":
                assert pid not in processes
                processes[pid] = event["args"]["name"]
            elif event["name"] == "thread_name":
                assert tid not in tracks
                assert tid not in processes
                tracks[tid] = (processes[pid], event["args"]["name"])
        elif kind == "X":
            assert tracks[tid][0] == processes[pid]
            begin = round(event["ts"] * 1000)
            last[tid] = Slice(
                tracks[tid],
                event["name"],
                event["cat"],
                begin,
                begin + round(event["dur"] * 1000),
                tuple(sorted(event["args"].items())),
            )
            timeline.slices.append(last[tid])
        elif kind in "sf":
            assert round(event["ts"] * 1000) == last[tid].begin
            if kind == "s":
                assert event["id"] not in leaves
                leaves[event["id"]] = last[tid]
            else:
                assert event["bp"] == "e"
                last[tid, event["id"]] = last[tid]  # type: ignore[index]
        else:
            assert kind == "C", event
            ((_, value),) = event["args"].items()
            samples = timeline.counters.setdefault((processes[pid], event["name"]), [])
            samples.append((round(event["ts"] * 1000), value))
    ends = {key[1]: one for key, one in last.items() if isinstance(key, tuple)}
    assert set(ends) == set(leaves)
    timeline.flows = [(leaves[flow], ends[flow]) for flow in sorted(leaves)]
    timeline.processes = list(processes.values())
    timeline.tracks = list(tracks.values())
    check(timeline)
    return timeline


class _Packets:
    """The state of a sequence of packets."""

    def __init__(self) -> None:
        self.timeline = Timeline()
        self.names: dict[str, dict[int, str]] = {}
        self.processes: dict[int, str] = {}
        self.tracks: dict[int, Any] = {}
        self.open: dict[int, list[tuple[int, Any]]] = {}
        self.leaves: dict[int, Any] = {}
        self.ends: dict[int, Any] = {}
        self.closed: dict[int, Slice] = {}
        self.time = 0

    def name_of(self, uuid: int) -> Track:
        """Every track is below a process."""
        track = self.tracks[uuid]
        process = track
        while not process.HasField("process"):
            process = self.tracks[process.parent_uuid]
        return process.process.process_name, track.name or track.thread.thread_name

    def describe(self, track: Any) -> None:
        assert track.uuid not in self.tracks
        assert track.uuid > 0
        self.tracks[track.uuid] = track
        if track.HasField("process"):
            self.timeline.processes.append(track.process.process_name)
        elif track.HasField("thread"):
            assert track.thread.pid == self.tracks[track.parent_uuid].process.pid

    def intern(self, data: Any) -> None:
        for kind in ("event_categories", "event_names", "debug_annotation_names"):
            found = {entry.iid: entry.name for entry in getattr(data, kind)}
            assert len(found) == len(getattr(data, kind))
            assert 0 not in found
            self.names[kind] = found

    def event(self, event: Any, time: int) -> None:
        assert time >= self.time
        self.time = time
        uuid = event.track_uuid
        if event.type == event.TYPE_COUNTER:
            assert self.tracks[uuid].HasField("counter")
            samples = self.timeline.counters.setdefault(self.name_of(uuid), [])
            samples.append((time, event.double_counter_value))
            return
        assert not self.tracks[uuid].HasField("process")
        if event.type == event.TYPE_SLICE_BEGIN:
            self.open.setdefault(uuid, []).append((time, event))
            return
        assert event.type == event.TYPE_SLICE_END
        begin, event = self.open[uuid].pop()
        one = Slice(
            self.name_of(uuid),
            self.names["event_names"][event.name_iid],
            self.names["event_categories"][event.category_iids[0]],
            begin,
            time,
            tuple(sorted(map(self.argument, event.debug_annotations))),
        )
        self.timeline.slices.append(one)
        for ids, slices in ((event.flow_ids, self.leaves), (event.terminating_flow_ids, self.ends)):
            for flow in ids:
                assert flow not in slices
                slices[flow] = one

    def argument(self, annotation: Any) -> tuple[str, Any]:
        value = getattr(annotation, annotation.WhichOneof("value"))
        return self.names["debug_annotation_names"][annotation.name_iid], value


def read_perfetto(content: bytes) -> Timeline:
    """Perfetto's format, by the schema that its package publishes."""
    schema = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    unknown = pytest.importorskip("google.protobuf.unknown_fields")

    def check_known(message: Any) -> None:
        """Every field is one of the schema's."""
        assert len(unknown.UnknownFieldSet(message)) == 0, message
        for about, value in message.ListFields():
            if about.message_type is not None:
                repeated = isinstance(value, Iterable)
                for inner in value if repeated else [value]:
                    check_known(inner)

    trace = schema.Trace()
    trace.ParseFromString(content)
    packets = _Packets()
    cleared = schema.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
    for number, packet in enumerate(trace.packet):
        check_known(packet)
        assert packet.trusted_packet_sequence_id == 1
        assert packet.sequence_flags & schema.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
        assert bool(packet.sequence_flags & cleared) == (number == 0)
        match packet.WhichOneof("data"):
            case "track_descriptor":
                packets.describe(packet.track_descriptor)
            case "track_event":
                packets.event(packet.track_event, packet.timestamp)
            case other:
                assert other is None
                packets.intern(packet.interned_data)
    assert not any(packets.open.values())
    assert set(packets.leaves) == set(packets.ends)
    timeline = packets.timeline
    timeline.flows = [(packets.leaves[flow], packets.ends[flow]) for flow in sorted(packets.ends)]
    used = {s.track for s in timeline.slices}
    groups = {track.parent_uuid for track in packets.tracks.values()}
    timeline.tracks = [
        packets.name_of(uuid)
        for uuid, track in packets.tracks.items()
        if uuid not in groups and not track.HasField("counter") and not track.HasField("process")
    ]
    assert used == set(timeline.tracks)
    check(timeline)
    return timeline


def check_equal(one: Timeline, other: Timeline) -> None:
    """Both say the same, in whatever order."""
    assert one.processes == other.processes
    assert one.tracks == other.tracks
    assert sorted(one.slices, key=repr) == sorted(other.slices, key=repr)
    assert one.flows == other.flows
    assert one.counters == other.counters
