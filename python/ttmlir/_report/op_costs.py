"""Costs of operations on the chip, in the emulator's model."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ttmlir._locations import label, source


@dataclass(frozen=True)
class TimeParts:
    """Cycles along the critical path by cause: the time of the last thread to end, and of
    everything it waited for.

    The parts add up to the total. ``host`` is PCIe. ``waiting`` is time that no engine and no
    transfer explains: waiting for semaphores, and for cores that start later or have more to do.
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
        """The sum of the parts."""
        return float(sum(getattr(self, name) for name in PARTS))

    @property
    def bound(self) -> str:
        """The name of the largest part."""
        return max(PARTS, key=lambda name: float(getattr(self, name)))


@dataclass(frozen=True)
class KernelUse:
    """A kernel of an operation, generated for the program or part of the library.

    ``thread`` is ``noc0``, ``noc1`` or ``compute``, and ``cores`` is the number of cores that run
    it. Its first thread starts at cycle ``begin`` and its last one ends at ``end``, relative to the
    operation's start. ``busy`` is the active time of the busiest thread in cycles, and ``parts``
    are the cycles of the thread that ends last.
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
    """An operand or a result: ``layout`` is ``tile`` or ``row_major``, ``memory`` is ``dram``,
    ``l1`` or ``host``, and ``grid`` are the cores or channels that hold its shards."""

    shape: tuple[int, ...]
    dtype: str
    layout: str
    memory: str
    sharding: str
    grid: str
    bytes: int


@dataclass(frozen=True)
class MemoryUse:
    """Bytes of ``l1`` or ``dram`` that ``name`` occupies from cycle ``begin`` to ``end``: in each
    DRAM channel, or on all cores from ``y0``, ``x0`` to ``y1``, ``x1`` inclusive."""

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
    """An allocation that failed in a core's L1 or a DRAM channel: ``available`` bytes are free in
    total, ``largest_free`` is the largest contiguous block."""

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
    """Active cycles of the engines of a core, and the cycle in which the last one ended.

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
    """Traffic of a NoC link from the router at ``x``, ``y`` of the die to the next one in its row,
    or in its column if ``vertical``; ``busy`` in cycles."""

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

    ``link`` is its index among the system's links, ``bytes`` is the payload, and ``wire_bytes``
    includes the headers of packets and frames; ``busy`` in cycles.
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

    The operation starts in cycle ``start`` of the run and takes ``cycles``, which ``parts`` breaks
    down. ``compute_cycles`` is the time of the busiest engine of a core, ``memory_cycles`` that of
    the busiest link, DRAM channel or PCIe, and ``ethernet_cycles`` that of the busiest Ethernet
    link. ``phase`` is ``upload`` for transfers of arguments and constants to the device,
    ``download`` for transfers of results, else ``run``. ``flops`` counts the mathematical work;
    ``ideal_compute_cycles`` is its time at the peak rate of the chip's cores, and
    ``ideal_memory_cycles`` that of operands and results at peak DRAM bandwidth. ``l1_high_water``
    is the most L1 that any core has used up to the end of this operation. On a mesh, the bytes of
    memories and NoCs are those of one chip, and ``ethernet_bytes`` is the total over all links,
    each byte counted once per hop.
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
        """``file:line`` of the location; empty if it has none."""
        return source(self.location)

    @property
    def label(self) -> str:
        """The name in the location, as set by ``name=``; all names of a fused chain, joined by `` +
        ``; empty if there is none."""
        return label(self.location)


#: Names of the parts of a time.
PARTS = tuple(f.name for f in fields(TimeParts))
