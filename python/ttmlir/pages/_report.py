"""The data of the page of a report."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import Any

from ttmlir import runtime

_FIDELITIES = ("LoFi", "HiFi2", "HiFi3", "HiFi4")
#: With more slices, browsers open the page slowly; the trace file has all of them.
MOST_SLICES = 300_000


def report_data(report: Any) -> dict[str, Any]:
    """Returns JSON-compatible values for a ``ttmlir.Report``, which imports this module and so is
    not imported; times are in cycles of the run."""
    uses: dict[str, int] = {}
    names, tracks, note = _tracks(report.trace, report.clock_hz)
    return {
        "title": report.title(),
        "program": report.program,
        "arch": report.arch,
        "clock": report.clock_hz,
        "cycles": _number(report.cycles),
        "seconds": report.seconds,
        "l1": report.l1_high_water,
        "dram": report.dram_high_water,
        "ethernet": report.ethernet_bytes,
        "to_device": report.host_to_device_bytes,
        "to_host": report.device_to_host_bytes,
        "devices": 1 + max(_devices(report), default=0),
        "parts": [f.name for f in fields(report.parts())],
        "ops": [_op(i, op, uses) for i, op in enumerate(report.ops)],
        "uses": [json.loads(use) for use in uses],
        "memory": [
            [
                *(m.device, m.space, m.address, m.bytes, m.name, _number(m.begin), _number(m.end)),
                *(m.y0, m.x0, m.y1, m.x1),
            ]
            for m in report.memory
        ],
        "chip": _chip(report.arch),
        "remarks": [
            [r.location, r.name or r.op, r.pass_name, r.kind, r.reason] for r in report.remarks
        ],
        "advice": [s.cells() for s in report.advice.all()] if report.advice else [],
        "names": names,
        "tracks": tracks,
        "note": note,
        "failure": report.failed and _failure(report.failed),
    }


def _failure(failed: Any) -> dict[str, Any]:
    return {"message": str(failed), **asdict(failed)}


def _number(value: float) -> float:
    """Rounds cycles to a tenth; None for values that JSON does not have."""
    if not math.isfinite(value):
        return 0
    return round(value) if value == round(value) else round(value, 1)


def _numbers(*values: float) -> list[float]:
    return [_number(value) for value in values]


def _time_parts(parts: Any) -> list[float]:
    return _numbers(*(getattr(parts, f.name) for f in fields(parts)))


def _devices(report: Any) -> Iterator[int]:
    for op in report.ops:
        for uses in (op.core_use, op.link_use, op.channel_use):
            yield from (use.device for use in uses)
    yield from (use.device for use in report.memory)


def _op(index: int, op: Any, uses: dict[str, int]) -> dict[str, Any]:
    # Ops of one kind and shape often have the same usage, which is stored once.
    use = json.dumps(
        {
            "cores": [
                [c.device, c.y, c.x, *_numbers(c.noc0, c.noc1, c.unpack, c.math, c.pack, c.end)]
                for c in op.core_use
            ],
            "links": [
                [u.device, u.noc, u.x, u.y, int(u.vertical), u.bytes, _number(u.busy)]
                for u in op.link_use
            ],
            "channels": [
                [u.device, u.channel, u.read_bytes, u.write_bytes, _number(u.busy)]
                for u in op.channel_use
            ],
            "ethernet": [
                [u.from_chip, u.to_chip, u.link, u.bytes, u.wire_bytes, _number(u.busy)]
                for u in op.ethernet_use
            ],
        }
    )
    return {
        "index": index,
        "name": op.name,
        "label": op.label,
        "source": op.source,
        "location": op.location,
        "phase": op.phase,
        "start": _number(op.start),
        "cycles": _number(op.cycles),
        "parts": _time_parts(op.parts),
        "bound": op.bound,
        "cores": op.cores,
        "flops": op.flops,
        "fidelity": op.fidelity,
        "ideal_compute": _number(op.ideal_compute_cycles),
        "dram": op.dram_read_bytes + op.dram_write_bytes,
        "noc": op.noc_bytes,
        "host": op.host_bytes,
        "ethernet": op.ethernet_bytes,
        "l1_high": op.l1_high_water,
        "operands": [_operand(o) for o in op.operands],
        "results": [_operand(o) for o in op.results],
        "kernels": [
            {
                "name": k.name,
                "thread": k.thread,
                "cores": k.cores,
                "begin": _number(k.begin),
                "end": _number(k.end),
                "busy": _number(k.busy),
                "parts": _time_parts(k.parts),
            }
            for k in op.kernels
        ],
        "use": uses.setdefault(use, len(uses)),
    }


def _operand(use: Any) -> str:
    shape = "x".join(map(str, use.shape))
    grid = f" on {use.grid}" if use.grid else ""
    return f"{shape} {use.dtype} {use.layout}, {use.memory} {use.sharding}{grid}"


def _chip(arch: str) -> dict[str, Any] | None:
    """Returns the floor plan and the peak rates of a chip; None for an unknown one."""
    try:
        machine = runtime.get_machine(arch)
    except runtime.ArgumentError:
        return None
    return {
        "grid": [machine.grid_y, machine.grid_x],
        "width": machine.noc_width,
        "height": machine.noc_height,
        "columns": machine.columns,
        "rows": machine.rows,
        "channels": machine.channels,
        "l1_size": machine.l1_size,
        "dram_size": machine.dram_channel_size,
        "dram_rate": machine.dram_bytes_per_second,
        "noc_rate": machine.noc_bytes_per_second,
        "peaks": list(zip(_FIDELITIES, machine.flops_per_second, strict=True)),
    }


def _tracks(trace: Any, clock: float) -> tuple[list[str], list[dict[str, Any]], str]:
    """Returns the names of slices, the threads of cores with their slices (begin, cycles, name),
    and a note on omitted slices."""
    try:
        events = _events(trace) if trace else []
    except runtime.ArgumentError as error:
        # The page has everything but the threads.
        return [], [], str(error)
    processes, threads = (
        {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == name}
        for name in ("process_name", "thread_name")
    )
    names: dict[str, int] = {}
    tracks: dict[tuple[int, int], dict[str, Any]] = {}
    left_out = count = 0
    for event in events:
        if event["ph"] != "X":
            continue
        key = (event["pid"], event["tid"])
        if key not in tracks:
            tracks[key] = _track(f"{processes.get((key[0], 0), '')} {threads.get(key, '')}")
        if not tracks[key]["core"]:
            continue
        count += 1
        if count > MOST_SLICES:
            left_out += 1
            continue
        begin, length = (_number(event[k] * clock / 1e6) for k in ("ts", "dur"))
        name = names.setdefault(event["name"], len(names))
        tracks[key]["slices"].append([begin, length, name])
    note = f"{left_out:,} slices of the trace are left out" if left_out else ""
    return list(names), [t for t in tracks.values() if t["core"]], note


def _events(trace: Any) -> list[dict[str, Any]]:
    pieces: list[bytes] = []
    trace.write(pieces.append, "json")
    events: list[dict[str, Any]] = json.loads(b"".join(pieces))["traceEvents"]
    return events


def _track(title: str) -> dict[str, Any]:
    """Parses the names of process and thread, such as "chip 1" and "core 0,3 noc0"."""
    core = re.search(r"core (\d+),(\d+)", title)
    device = re.search(r"(?:chip|device) (\d+)", title)
    return {
        "device": int(device[1]) if device else 0,
        "core": f"{core[1]},{core[2]}" if core else "",
        "thread": title.split()[-1] if title.split() else "",
        "slices": [],
    }
