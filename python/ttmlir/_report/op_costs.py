"""What an operation costs on the chip, as the emulator models it."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ttmlir._locations import label, source


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
        return TimeParts(*(getattr(self, n) + getattr(other, n) for n in PARTS))

    @property
    def total(self) -> float:
        """The sum."""
        return float(sum(getattr(self, name) for name in PARTS))

    @property
    def bound(self) -> str:
        """The name of the largest part."""
        return max(PARTS, key=lambda name: float(getattr(self, name)))


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
    ``ideal_memory_cycles`` that of operands and results at the DRAM's peak. ``l1_high_water`` is
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
        return source(self.location)

    @property
    def label(self) -> str:
        """The name in the location, that ``name=`` gave the op; all names of a fused chain, with
        `` + `` between them; empty where it has none."""
        return label(self.location)


#: Names of the parts of a time.
PARTS = tuple(f.name for f in fields(TimeParts))
