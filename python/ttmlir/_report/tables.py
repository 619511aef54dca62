"""Rows for operations and kernels, and how they are sorted and printed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ttmlir._report.op_costs import PARTS, KernelUse, OpReport, TimeParts


@dataclass(frozen=True)
class Row:
    """A line of a table: an operation, one of its kernels or a phase. Times are in seconds.

    ``share`` is the share of the whole run; ``parts`` and their sum ``cycles`` are in cycles.
    """

    name: str
    op: str
    source: str
    start: float
    seconds: float
    share: float
    parts: TimeParts
    cores: int = 0
    fidelity: str = ""
    flops: float = 0.0
    dram_bytes: int = 0
    host_bytes: int = 0
    ideal_compute: float = 0.0
    ideal_memory: float = 0.0
    l1: int = 0
    kernels: tuple[Row, ...] = field(default=(), repr=False)

    @staticmethod
    def of_op(op: OpReport, clock_hz: float, total: float) -> Row:
        return Row(
            name=op.label or op.name,
            op=op.name,
            source=op.source,
            start=op.start / clock_hz,
            seconds=op.cycles / clock_hz,
            share=_ratio(op.cycles, total),
            parts=op.parts,
            cores=op.cores,
            fidelity=op.fidelity,
            flops=op.flops,
            dram_bytes=op.dram_read_bytes + op.dram_write_bytes,
            host_bytes=op.host_bytes,
            ideal_compute=op.ideal_compute_cycles / clock_hz,
            ideal_memory=op.ideal_memory_cycles / clock_hz,
            l1=op.l1_high_water,
            kernels=tuple(Row.of_kernel(op, k, clock_hz, total) for k in op.kernels),
        )

    @staticmethod
    def of_kernel(op: OpReport, kernel: KernelUse, clock_hz: float, total: float) -> Row:
        cycles = kernel.end - kernel.begin
        return Row(
            name=op.label or op.name,
            op=f"{kernel.name} ({kernel.thread})",
            source=op.source,
            start=(op.start + kernel.begin) / clock_hz,
            seconds=cycles / clock_hz,
            share=_ratio(cycles, total),
            parts=kernel.parts,
            cores=kernel.cores,
        )

    @staticmethod
    def of_phase(phase: str, ops: Sequence[OpReport], clock_hz: float, total: float) -> Row:
        """Sums up the operations of a phase."""
        rows = [Row.of_op(op, clock_hz, total) for op in ops]
        return Row(
            name=phase,
            op=_count(sum(row.seconds > 0 for row in rows), "op"),
            source="",
            start=rows[0].start,
            seconds=sum(row.seconds for row in rows),
            share=sum(row.share for row in rows),
            parts=sum((op.parts for op in ops), TimeParts()),
            flops=sum(row.flops for row in rows),
            dram_bytes=sum(row.dram_bytes for row in rows),
            host_bytes=sum(row.host_bytes for row in rows),
            ideal_compute=sum(row.ideal_compute for row in rows),
            ideal_memory=sum(row.ideal_memory for row in rows),
            l1=max(row.l1 for row in rows),
        )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def rows(ops: Iterable[OpReport], clock_hz: float, total: float) -> list[Row]:
    """Returns a row for each operation that takes time, with rows for its kernels."""
    return [Row.of_op(op, clock_hz, total) for op in ops if op.cycles > 0]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


# How values are written ---------------------------------------------------------------------------


def size(count: float) -> str:
    """1536 -> '1.5 KiB'."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def time(seconds: float) -> str:
    """0.0000015 -> '1.50 us'."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _rate(per_second: float) -> str:
    """1.5e12 -> '1.50 T'; empty for 0."""
    for factor, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if per_second >= factor:
            return f"{per_second / factor:.2f} {unit}"
    return f"{per_second:.0f}" if per_second else ""


def _percent(share: float) -> str:
    return f"{share:.1%}" if share >= 0.0005 else ""


@dataclass(frozen=True)
class Column:
    """``key`` names the column for sorting; ``text`` is empty for rows without a value."""

    key: str
    title: str
    value: Callable[[Row], Any]
    text: Callable[[Row], str]


def _part(name: str) -> Column:
    """Returns the column of a part of the time, as a share of the row's time."""

    def share(row: Row) -> str:
        return _percent(_ratio(getattr(row.parts, name), row.parts.total))

    title = {"noc": "NoC", "dram": "DRAM", "ethernet": "Ethernet"}.get(name, name)
    return Column(name, title, lambda row: float(getattr(row.parts, name)), share)


COLUMNS: tuple[Column, ...] = (
    Column("name", "name", lambda row: row.name, lambda row: _short(row.name)),
    Column("op", "op", lambda row: row.op, lambda row: _short(row.op)),
    Column("source", "source", lambda row: row.source, lambda row: os.path.basename(row.source)),
    Column("time", "ns", lambda row: row.seconds, lambda row: f"{row.seconds * 1e9:,.0f}"),
    Column("share", "of all", lambda row: row.share, lambda row: f"{row.share:.1%}"),
    Column("bound", "bound", lambda row: row.parts.bound, lambda row: row.parts.bound),
    *map(_part, PARTS),
    Column(
        "flops",
        "FLOP/s",
        lambda row: _ratio(row.flops, row.seconds),
        lambda row: _rate(_ratio(row.flops, row.seconds)),
    ),
    Column(
        "peak",
        "of peak",
        lambda row: _ratio(row.ideal_compute, row.seconds),
        lambda row: _percent(_ratio(row.ideal_compute, row.seconds)),
    ),
    Column(
        "bytes",
        "DRAM B/s",
        lambda row: _ratio(row.dram_bytes, row.seconds),
        lambda row: _rate(_ratio(row.dram_bytes, row.seconds)),
    ),
    Column(
        "bandwidth",
        "of peak",
        lambda row: _ratio(row.ideal_memory, row.seconds),
        lambda row: _percent(_ratio(row.ideal_memory, row.seconds)),
    ),
    Column(
        "host_bytes",
        "host B",
        lambda row: row.host_bytes,
        lambda row: f"{row.host_bytes:,}" if row.host_bytes else "",
    ),
    Column("cores", "cores", lambda row: row.cores, lambda row: str(row.cores or "")),
    Column("fidelity", "fidelity", lambda row: row.fidelity, lambda row: row.fidelity),
    Column("l1", "L1", lambda row: row.l1, lambda row: size(row.l1) if row.l1 else ""),
)

#: The keys by which rows can be sorted.
SORT_KEYS = ("start", *(column.key for column in COLUMNS))
#: Text columns, which are sorted alphabetically.
_TEXTS = ("name", "op", "source", "bound", "fidelity", "link", "dtype", "shape", "note")
_LONGEST = 40


def _short(text: str) -> str:
    """Shortens a name to the width of a column."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def choose(
    found: Sequence[Row], sort: str, top: int | None, *, ops: bool = True, kernels: bool = True
) -> list[Row]:
    """Selects the rows to show: operations with their kernels below them, or either alone.

    Raises:
        ValueError: no column has the key ``sort``.
    """
    if sort not in SORT_KEYS:
        raise ValueError(
            f"expected a column to sort by, one of {', '.join(SORT_KEYS)}, found {sort!r}"
        )
    all_rows = list(found) if ops else [kernel for row in found for kernel in row.kernels]
    if sort == "start":
        all_rows.sort(key=lambda row: row.start)
    else:
        value = next(column.value for column in COLUMNS if column.key == sort)
        all_rows.sort(key=value, reverse=sort not in _TEXTS)
    all_rows = all_rows[:top]
    if not (ops and kernels):
        return all_rows
    return [shown for row in all_rows for shown in (row, *map(_below, row.kernels))]


def _below(kernel: Row) -> Row:
    """Indents a kernel below its operation."""
    return replace(kernel, name="", op=f"  {kernel.op}", source="")


def cells(shown: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Returns titles and cells of the columns that have a value in some row."""
    table = [(column.title, [column.text(row) for row in shown]) for column in COLUMNS]
    table = [(title, texts) for title, texts in table if any(texts)]
    return [title for title, _ in table], [
        list(row) for row in zip(*(t for _, t in table), strict=True)
    ]


def text_table(title: str, head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Formats columns side by side, with numbers aligned to the right."""
    widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
    lines = [title]
    for row in [head, ["-" * width for width in widths], *body]:
        texts = [
            cell.ljust(width) if name in _TEXTS else cell.rjust(width)
            for name, cell, width in zip(head, row, widths, strict=True)
        ]
        lines.append("  ".join(texts).rstrip())
    return "\n".join(lines)
