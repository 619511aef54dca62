"""What a run costs on the chip, as the emulator models it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from ttmlir import _traces

if TYPE_CHECKING:
    import os

    from ttmlir import runtime
    from ttmlir.errors import Remark

T = TypeVar("T")


@dataclass(frozen=True)
class TimeParts:
    """Where time went, in cycles along the critical path: what the last thread to end, and whatever
    it waited for, spent them on.

    The parts add up to the whole. ``host`` is PCIe. ``waiting`` is what no engine and no transfer
    explains: semaphores of others, and cores that start later or have more to do.
    """

    compute: float = 0.0
    noc: float = 0.0
    dram: float = 0.0
    ethernet: float = 0.0
    host: float = 0.0
    dispatch: float = 0.0
    waiting: float = 0.0

    def __add__(self, other: TimeParts) -> TimeParts:
        return TimeParts(*(getattr(self, n) + getattr(other, n) for n in _part_names()))

    @property
    def total(self) -> float:
        """The sum."""
        return sum(getattr(self, name) for name in _part_names())

    @property
    def bound(self) -> str:
        """The name of the largest part."""
        return max(_part_names(), key=lambda name: float(getattr(self, name)))


@dataclass(frozen=True)
class KernelUse:
    """A kernel of an operation, of the program's own or of the library.

    ``thread`` is ``noc0``, ``noc1`` or ``compute``, ``cores`` how many run it, ``begin`` and
    ``end`` when its first thread begins and its last one ends, in cycles from the operation's
    start; ``busy`` are the cycles of the thread that works most, and ``parts`` those of the thread
    that ends last.
    """

    name: str
    thread: str
    location: str
    cores: int
    begin: float
    end: float
    busy: float
    parts: TimeParts = TimeParts()


@dataclass(frozen=True)
class OperandUse:
    """An operand or a result: ``layout`` is ``tile`` or ``row_major``, ``memory`` ``dram``, ``l1``
    or ``host``, ``grid`` the cores or channels that hold its shards."""

    shape: tuple[int, ...]
    dtype: str
    layout: str
    memory: str
    sharding: str
    grid: str
    bytes: int


@dataclass(frozen=True)
class MemoryUse:
    """Bytes of ``l1`` or ``dram`` that ``name`` holds from cycle ``begin`` to ``end`` of the run:
    in each DRAM channel, or on all cores from ``y0``, ``x0`` to ``y1``, ``x1``, both included."""

    device: int
    space: str
    address: int
    bytes: int
    name: str
    begin: float
    end: float
    y0: int = 0
    x0: int = 0
    y1: int = 0
    x1: int = 0


@dataclass(frozen=True)
class MemoryRequest:
    """Bytes for which a memory, that of a core or of a DRAM channel, had no room: ``available`` are
    free in all, ``largest_free`` in one piece."""

    device: int
    space: str
    bytes: int
    name: str
    available: int
    largest_free: int

    def __str__(self) -> str:
        where = "the L1 of each core" if self.space == "l1" else "each DRAM channel"
        return (
            f"Out of memory: {self.name} needs {self.bytes:,} bytes of {where}; "
            f"{self.available:,} are free, {self.largest_free:,} in one piece"
        )


@dataclass(frozen=True)
class CoreUse:
    """Cycles in which the engines of a core worked, and the cycle in which the last one ended.

    ``y`` and ``x`` are logical; ``noc0`` and ``noc1`` are the data movement threads. ``device`` is
    the position of the chip in a mesh, here and in the uses below.
    """

    y: int
    x: int
    noc0: float
    noc1: float
    unpack: float
    math: float
    pack: float
    end: float
    device: int = 0


@dataclass(frozen=True)
class LinkUse:
    """Traffic of a link of a network on chip, from the router at ``x``, ``y`` of the die to the
    next one of its row, or of its column if ``vertical``; ``busy`` in cycles."""

    noc: int
    x: int
    y: int
    vertical: bool
    bytes: int
    busy: float
    device: int = 0


@dataclass(frozen=True)
class ChannelUse:
    """Traffic of a DRAM channel; ``busy`` in cycles."""

    channel: int
    read_bytes: int
    write_bytes: int
    busy: float
    device: int = 0


@dataclass(frozen=True)
class EthernetUse:
    """Traffic of one direction of an Ethernet link between two chips.

    ``link`` is its index among the links of the system, ``bytes`` the payload, ``wire_bytes`` with
    the headers of packets and frames; ``busy`` in cycles.
    """

    from_chip: int
    to_chip: int
    link: int
    bytes: int
    wire_bytes: int
    packets: int
    busy: float


@dataclass(frozen=True)
class OpReport:
    """Cost of one operation, or of one command of a program of kernels: times in cycles of the
    chip's clock, sizes in bytes.

    ``start`` is the cycle of the run in which it begins, ``cycles`` all that it takes, ``parts``
    what these are spent on. ``compute_cycles`` is the time of the busiest engine of a core,
    ``memory_cycles`` that of the busiest link, DRAM channel or PCIe, ``ethernet_cycles`` that of
    the busiest Ethernet link. ``phase`` is ``upload`` where arguments and constants go to the
    device, ``download`` where results come back, else ``run``. ``flops`` count the mathematical
    work; ``ideal_compute_cycles`` is their time at the peak of the chip's cores and
    ``ideal_memory_cycles`` that of operands and results at the DRAM's rate. ``l1_high_water`` is
    the most any core's L1 held up to and with this operation. On a mesh the bytes of memories and
    NoCs are those of one chip, and ``ethernet_bytes`` what all links carried, each byte once per
    hop.
    """

    name: str
    location: str
    cycles: float
    compute_cycles: float
    memory_cycles: float
    cores: int
    dram_read_bytes: int
    dram_write_bytes: int
    l1_read_bytes: int
    l1_write_bytes: int
    noc_bytes: int
    host_bytes: int
    l1_high_water: int
    dram_high_water: int
    core_use: tuple[CoreUse, ...] = ()
    link_use: tuple[LinkUse, ...] = ()
    channel_use: tuple[ChannelUse, ...] = ()
    ethernet_bytes: int = 0
    ethernet_cycles: float = 0.0
    ethernet_use: tuple[EthernetUse, ...] = ()
    start: float = 0.0
    parts: TimeParts = TimeParts()
    phase: str = "run"
    flops: float = 0.0
    fidelity: str = ""
    ideal_compute_cycles: float = 0.0
    ideal_memory_cycles: float = 0.0
    operands: tuple[OperandUse, ...] = ()
    results: tuple[OperandUse, ...] = ()
    kernels: tuple[KernelUse, ...] = ()

    @property
    def bound(self) -> str:
        """The largest of the parts."""
        return self.parts.bound

    @property
    def source(self) -> str:
        """``file:line`` of the location; empty where it has none."""
        places = _PLACE.findall(self.location)
        return f"{places[-1][0]}:{places[-1][1]}" if places else ""

    @property
    def label(self) -> str:
        """The name in the location: what ``name=`` gave the op; empty where it has none."""
        found = _LABEL.search(self.location)
        return found[1] if found else ""


@dataclass(frozen=True)
class Report:
    """Cost of one run of a program; ``seconds`` is modelled time, not time on the host.

    ``trace`` is the timeline if it was asked for; see ``save_trace``. ``ethernet_use`` sums what
    the links between chips carried. ``remarks`` are those of the compiler's passes on the program,
    if this process compiled it. ``memory`` tells who held which bytes of the device's memories, and
    when; ``failed`` is what there was no room for if the run ended for want of memory, see
    ``OutOfMemoryError.report``.
    """

    program: str
    arch: str
    clock_hz: float
    cycles: float
    seconds: float
    l1_high_water: int
    dram_high_water: int
    ops: tuple[OpReport, ...]
    trace: runtime.Trace | None = field(default=None, repr=False, compare=False)
    ethernet_bytes: int = 0
    ethernet_use: tuple[EthernetUse, ...] = ()
    remarks: tuple[Remark, ...] = ()
    memory: tuple[MemoryUse, ...] = ()
    failed: MemoryRequest | None = None

    def parts(self, phase: str | None = None) -> TimeParts:
        """What the time of all operations was spent on, or of those of a phase: ``upload``,
        ``run`` or ``download``."""
        chosen = (op.parts for op in self.ops if phase in (None, op.phase))
        return sum(chosen, TimeParts())

    @staticmethod
    def from_runtime(found: runtime.Report, remarks: tuple[Remark, ...] = ()) -> Report:
        """What ``runtime.get_report`` returns, as values of Python."""
        return _copy(Report, found, remarks=remarks)

    def save_trace(self, path: str | os.PathLike[str]) -> None:
        """Writes the timeline, by the suffix of the file as ``.json`` for Chrome's viewer, or as
        ``.pftrace`` (or ``.perfetto-trace``) for Perfetto, which opens both.

        Raises:
            InputError: there is no timeline, or the suffix is none of these.
            ValueError: the timeline has more slices than its filter allows, or none at all.
            FileError: the file cannot be written.
        """
        _traces.save(self.trace, path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as a page for a browser: one ``.html`` file that loads nothing.

        Raises:
            InputError: the path has another suffix.
            FileError: it cannot be written.
        """
        from ttmlir.pages import save_report_page

        save_report_page(self, path)

    def __str__(self) -> str:
        tables = [_text_table(self.title(), *self._table())]
        if self.ethernet_use:
            tables.append(_text_table("Ethernet links", *self._links()))
        return "\n".join(["\n\n".join(tables), *map(str, self.remarks)])

    def _repr_html_(self) -> str:
        from ttmlir.pages import report_frame

        return report_frame(self)

    def title(self) -> str:
        """One line with the totals."""
        return (
            f"{self.program} on {self.arch}: {_time(self.seconds)} modelled "
            f"({self.cycles:,.0f} cycles at {self.clock_hz / 1e9:g} GHz), "
            f"L1 high water {_bytes(self.l1_high_water)} a core, "
            f"DRAM {_bytes(self.dram_high_water)} a channel"
        )

    def _table(self) -> tuple[list[str], list[list[str]]]:
        columns = [c for c in _COLUMNS if c[0] != "Ethernet" or self.ethernet_bytes]
        rows = [[column(op) for _, column in columns] for op in self.ops]
        return [name for name, _ in columns], rows

    def _links(self) -> tuple[list[str], list[list[str]]]:
        rows = [
            [
                f"chip {use.from_chip} to {use.to_chip}, link {use.link}",
                f"{use.bytes:,}",
                f"{use.wire_bytes:,}",
                f"{use.packets:,}",
                f"{use.busy:,.0f}",
                f"{use.busy / max(self.cycles, 1.0):.1%}",
            ]
            for use in self.ethernet_use
        ]
        return ["link", "bytes", "on the wire", "packets", "cycles", "busy"], rows


#: loc("file":line:column), and loc("name"(...)) around it.
_PLACE = re.compile(r'"([^"]*)":(\d+)')
_LABEL = re.compile(r'loc\("([^"]*)"\(')


def _part_names() -> tuple[str, ...]:
    return tuple(f.name for f in fields(TimeParts))


#: What the items of a list are.
_PARTS: dict[str, type] = {
    "ops": OpReport,
    "operands": OperandUse,
    "results": OperandUse,
    "kernels": KernelUse,
    "memory": MemoryUse,
    "core_use": CoreUse,
    "link_use": LinkUse,
    "channel_use": ChannelUse,
    "ethernet_use": EthernetUse,
}


_ITEMS: dict[str, type] = {"parts": TimeParts, "failed": MemoryRequest}


def _copy(kind: type[T], source: Any, **values: Any) -> T:
    """The fields of a runtime's object, but for the given ones, and those of the objects in its
    lists."""
    for name in (f.name for f in fields(kind) if f.name not in values):  # type: ignore[arg-type]
        value = getattr(source, name)
        part = _PARTS.get(name)
        if name in _ITEMS and value is not None:
            values[name] = _copy(_ITEMS[name], value)
        elif isinstance(value, list):
            values[name] = tuple(_copy(part, v) if part else v for v in value)
        else:
            values[name] = value
    return kind(**values)


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
    ("Ethernet", lambda op: _bytes(op.ethernet_bytes)),
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
