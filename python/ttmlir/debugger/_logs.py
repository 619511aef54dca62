"""Logs in the formats of tt-metal's tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttmlir.debugger._state import Thread

#: Processors by thread: a reader runs on NCRISC with NoC 0, a writer on BRISC with NoC 1.
_PROCESSORS = {"noc0": "NC", "noc1": "BR", "compute": "TR"}
_ENGINES = {"unpack": 2, "math": 3, "pack": 4}
#: Waypoints of the kernel library while it waits, by instruction.
_WAYPOINTS = {
    "cb_wait_front": "CWFW",
    "cb_reserve_back": "CRBW",
    "noc_async_read_barrier": "NRBW",
    "noc_async_write_barrier": "NWBW",
    "noc_async_writes_flushed": "NWFW",
    "noc_async_atomic_barrier": "NABW",
    "noc_semaphore_wait": "NSW",
    "noc_semaphore_wait_min": "NSMW",
    "tile_regs_acquire": "MWDW",
    "acquire_dst": "MWDW",
    "tile_regs_wait": "PWDW",
}


def print_line(core: tuple[int, int], thread: str, text: str, device: int = 0) -> str:
    """Formats a printed line like tt-metal's debug print server: ``0:(x=0,y=0):BR: text``."""
    return f"{device}:(x={core[1]},y={core[0]}):{_PROCESSORS[thread]}: {text}"


def waypoint(thread: Thread) -> str:
    """Returns four letters for a thread: its waypoint, or D once it has ended, and R while it
    runs."""
    if thread.state == "ended":
        return "D"
    if thread.state == "waiting":
        return _WAYPOINTS.get(thread.opcode, "W")
    return thread.waypoint or "R"


def watcher_log(threads: Sequence[Thread]) -> str:
    """Formats the state of all cores like tt-metal's watcher: a line for each core with the
    waypoints of BRISC, NCRISC and the three TRISCs, and the kernels by number."""
    kernels = list(dict.fromkeys(thread.kernel for thread in threads))
    lines = []
    for device, core in dict.fromkeys((t.device, t.core) for t in threads):
        own = [t for t in threads if (t.device, t.core) == (device, core)]
        lines.append(_core_line(device, core, own, kernels))
    lines += [f"k_id[{i}]: {name}" for i, name in enumerate(kernels, 1)]
    return "\n".join(lines)


def _core_line(
    device: int, core: tuple[int, int], threads: Iterable[Thread], kernels: list[str]
) -> str:
    points, ids = ["W"] * 5, [0, 0, 0]
    for thread in threads:
        slot = ("noc1", "noc0", "compute").index(thread.name)
        ids[slot] = kernels.index(thread.kernel) + 1
        if thread.name != "compute":
            points[slot] = waypoint(thread)
            continue
        # The emulator runs the three engines in program order: the others are ahead or idle.
        waits = _ENGINES.get(thread.engine, 3)
        for engine in _ENGINES.values():
            here = engine == waits or thread.state == "ended"
            points[engine] = waypoint(thread) if here else thread.waypoint or "R"
    shown = ",".join(f"{point:>4}" for point in points)
    numbers = "|".join(map(str, ids))
    return f"Device {device} worker core(x={core[1]:2},y={core[0]:2}): {shown} k_ids:{numbers}"
