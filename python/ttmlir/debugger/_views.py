"""The state of a stopped program as text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from ttmlir.debugger._session import Debugger, Stop
from ttmlir.debugger._state import Array, Breakpoint, Buffer, Register, Thread

WIDTH = 100
THREADS = ("noc0", "noc1", "compute")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Formats a table; columns of numbers are on the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    cells = [[str(cell) for cell in row] for row in rows]
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for i, name in enumerate(columns):
        digits = all(row[i].lstrip("-").isdigit() for row in cells)
        made.add_column(name, justify="right" if digits and cells else "left", overflow="fold")
    for row in cells:
        made.add_row(*row)
    out = io.StringIO()
    # The names in it are no markup.
    Console(file=out, width=WIDTH, markup=False, highlight=False, emoji=False).print(made)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def numbers(array: Array) -> str:
    """Formats a tile by its corners, or a row by its ends."""
    with np.printoptions(precision=4, suppress=True, threshold=16, edgeitems=4, linewidth=WIDTH):
        return str(array)


def place(thread: Thread) -> str:
    """Returns the file without its folder, and the line."""
    path, colon, line = thread.line.rpartition(":")
    return f"{Path(path).name}:{line}" if colon else thread.location or "?"


def stop(found: Stop, source: str | None) -> str:
    """Formats a stop with its line of source."""
    reasons = {
        "launch": "Kernels are about to start",
        "interrupt": "Interrupted",
        "fault": "Fault",
        "deadlock": "",
        "ended": "The program has ended",
        "step": "Stopped",
        "breakpoint": "Breakpoint " + ", ".join(map(str, found.breakpoints)),
    }
    lines = [reasons[found.reason]]
    if found.reason == "deadlock":
        lines[0] = found.message[:1].upper() + found.message[1:]
    elif found.reason in ("fault", "ended") and found.message:
        # The stop before has shown the rest of it.
        message = found.message if found.reason == "fault" else found.message.partition("\n")[0]
        lines[0] += f": {message}"
    elif found.thread is not None:
        lines[0] += f", {found.thread}: {found.thread.instruction}"
        if found.message:
            lines[0] += f" ({found.message})"
        lines.append(f"{place(found.thread)}" + (f"   {source.strip()}" if source else ""))
    return "\n".join(lines)


def threads(debugger: Debugger, selected: Thread | None) -> str:
    """Formats all threads; a star marks the selected one."""
    return table(
        ("", "core", "thread", "kernel", "line", "state", "instruction", "steps"),
        (
            (
                "*" if selected is not None and t.place == selected.place else "",
                _core(t),
                t.name,
                t.kernel,
                place(t),
                t.state,
                "" if t.state == "ended" else t.instruction,
                t.steps,
            )
            for t in debugger.threads
        ),
    )


def _core(thread: Thread) -> str:
    where = f"{thread.core[0]},{thread.core[1]}"
    return f"{thread.device}:{where}" if thread.device else where


def breakpoints(found: Sequence[Breakpoint]) -> str:
    """Formats breakpoints, with the lines where they stop."""
    if not found:
        return "no breakpoints"
    return table(
        ("id", "enabled", "hits", "at", "stops at"),
        (
            (
                b.id,
                "yes" if b.enabled else "no",
                b.hits,
                str(b),
                ", ".join(Path(at).name for at in b.places) or "pending",
            )
            for b in found
        ),
    )


def buffers(found: Mapping[str, Buffer]) -> str:
    """Formats the circular buffers of a core."""
    if not found:
        return "no circular buffers"
    columns = ("buffer", "format", "pages", "available", "free", "read", "write", "waited",
               "reserved", "address")  # fmt: skip
    return table(
        columns,
        (
            (
                f"{b.name} ({b.port})",
                b.dtype if b.tiled else f"{b.dtype} rows",
                f"{b.pages} x {b.page_size}",
                b.available,
                b.room,
                b.read_page,
                b.write_page,
                b.waited,
                b.reserved,
                f"{b.address:#x}",
            )
            for b in found.values()
        ),
    )


def page(buffer: Buffer, index: int) -> str:
    """Formats a page of a buffer, with what it is."""
    position = (index - buffer.read_page) % buffer.pages
    state = "available" if position < buffer.available else "free"
    title = f"{buffer.name} page {index} ({state}), {buffer.dtype}"
    return f"{title}\n{numbers(buffer.page(index))}"


def registers(found: Sequence[Register]) -> str:
    """Lists the written destination registers, with the range of their numbers."""
    if not found:
        return "no destination register is written"
    return table(
        ("register", "section", "kind", "smallest", "largest"),
        ((r.index, r.section, r.kind, f"{r.values.min():g}", f"{r.values.max():g}") for r in found),
    )


def waiting(found: Sequence[Thread]) -> str:
    """Formats which threads wait for which."""
    lines = []
    for t in found:
        lines.append(f"{t}, {t.opcode} at {place(t)}")
        lines.append(f"  waits for {t.waits_for}")
        lines += [f"  <- {supplier}" for supplier in t.suppliers]
        if not t.suppliers:
            lines.append("  <- no thread could supply it")
    return "\n".join(lines) or "no thread waits"


def grid(found: Sequence[Thread]) -> str:
    """Draws the cores of each chip, with a letter for each thread."""
    letters = {"ready": "R", "waiting": "W", "ended": "."}
    lines = []
    for device in dict.fromkeys(t.device for t in found):
        states = {(t.core, t.name): letters[t.state] for t in found if t.device == device}
        rows, columns = (
            range(min(c[i] for c, _ in states), max(c[i] for c, _ in states) + 1) for i in (0, 1)
        )
        lines.append(f"device {device}: noc0, noc1 and compute of each core")
        lines.append("     " + " ".join(f"{column:>3}" for column in columns))
        for row in rows:
            cells = (
                "".join(states.get(((row, column), name), "-") for name in THREADS)
                for column in columns
            )
            lines.append(f"{row:>4} " + " ".join(cells))
    return "\n".join([*lines, "R ready, W waiting, . ended, - no kernel"])


def memory(data: bytes, address: int) -> str:
    """Formats bytes as 32-bit words, eight in a line."""
    words = np.frombuffer(data[: len(data) // 4 * 4], np.uint32)
    return "\n".join(
        f"{address + 4 * i:#010x}: " + " ".join(f"{word:08x}" for word in words[i : i + 8])
        for i in range(0, len(words), 8)
    )
