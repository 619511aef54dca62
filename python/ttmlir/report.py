"""What a run costs on the chip, as the emulator models it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttmlir import runtime


@dataclass(frozen=True)
class OpReport:
    """Cost of one operation: times in cycles of the chip's clock, sizes in bytes.

    ``compute_cycles`` is that of the busiest core, ``memory_cycles`` the slowest of DRAM, NoC and
    PCIe; ``cycles`` adds the gap before the operation to the larger of both. ``l1_high_water`` is
    the most any core's L1 held up to and with this operation.
    """

    name: str
    location: str
    cycles: float
    compute_cycles: float
    memory_cycles: float
    dispatch_cycles: float
    cores: int
    dram_read_bytes: int
    dram_write_bytes: int
    l1_read_bytes: int
    l1_write_bytes: int
    noc_bytes: int
    host_bytes: int
    l1_high_water: int
    dram_high_water: int


@dataclass(frozen=True)
class Report:
    """Cost of one run of a program; ``seconds`` is modelled time, not time on the host."""

    program: str
    arch: str
    clock_hz: float
    cycles: float
    seconds: float
    l1_high_water: int
    dram_high_water: int
    ops: tuple[OpReport, ...]

    @staticmethod
    def from_runtime(found: runtime.Report) -> Report:
        """What ``runtime.get_report`` returns, as values of Python."""

        def values(kind: type[OpReport] | type[Report], source: Any) -> dict[str, Any]:
            return {f.name: getattr(source, f.name) for f in fields(kind) if f.name != "ops"}

        ops = tuple(OpReport(**values(OpReport, op)) for op in found.ops)
        return Report(**values(Report, found), ops=ops)

    def __str__(self) -> str:
        return _text_table(self.title(), [c[0] for c in _COLUMNS], self._rows())

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name, _ in _COLUMNS)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._rows()
        )
        return f"<p>{escape(self.title())}</p><table><tr>{head}</tr>{body}</table>"

    def title(self) -> str:
        """One line with the totals."""
        return (
            f"{self.program} on {self.arch}: {_time(self.seconds)} modelled "
            f"({self.cycles:,.0f} cycles at {self.clock_hz / 1e9:g} GHz), "
            f"L1 high water {_bytes(self.l1_high_water)} a core, "
            f"DRAM {_bytes(self.dram_high_water)} a channel"
        )

    def _rows(self) -> list[list[str]]:
        rows = [[column(op) for _, column in _COLUMNS] for op in self.ops]
        return rows


def _bytes(count: int) -> str:
    """1536 -> '1.5 KiB'."""
    size = float(count)
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


def _time(seconds: float) -> str:
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


_COLUMNS: tuple[tuple[str, Callable[[OpReport], str]], ...] = (
    ("op", lambda op: op.name),
    ("cycles", lambda op: f"{op.cycles:,.0f}"),
    ("compute", lambda op: f"{op.compute_cycles:,.0f}"),
    ("memory", lambda op: f"{op.memory_cycles:,.0f}"),
    ("cores", lambda op: str(op.cores)),
    ("DRAM", lambda op: _bytes(op.dram_read_bytes + op.dram_write_bytes)),
    ("L1", lambda op: _bytes(op.l1_read_bytes + op.l1_write_bytes)),
    ("NoC", lambda op: _bytes(op.noc_bytes)),
    ("host", lambda op: _bytes(op.host_bytes)),
    ("L1 high water", lambda op: _bytes(op.l1_high_water)),
)


def _text_table(title: str, head: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [title]
    for row in [head, ["-" * width for width in widths], *rows]:
        first = row[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([first, *rest]).rstrip())
    return "\n".join(lines)
