"""Microbenchmarks of the networks on chip and of DRAM, as kernels."""

from __future__ import annotations

import random

from measurements import Row, constants

from ttmlir import kernel

GRIDS = {"n150": (8, 8), "p150": (10, 13)}
ARCH_OF = {"n150": "wormhole_b0", "p150": "blackhole"}
CLOCKS = {"n150": 1.0e9, "p150": 1.35e9}
#: Senders of multicasts without loopback: 9 and 15 hops before the end of a 2x2 rectangle, which is
#: where these rows have them.
SENDER_ROWS = ("wh-multicast-1x64-2x2", "bh-multicast-1x64-2x2")
SENDERS = {"n150": (6, 0), "p150": (9, 7)}
#: Transfers of a core that loads a channel.
PIECES = 64
#: The other end of a transfer from core (0, 0): in another row and column, or in the same column.
PLACES = {"other": (3, 3), "same": (3, 0), "self": (0, 0)}


def new_program(row: Row) -> kernel.Program:
    program = kernel.Program(row.kind, target=row.target)
    program.output("result", (1, 32), "u32")  # required, but never written
    return program


def cycles(program: kernel.Program) -> float:
    """Returns the cycles of the kernels, from their start."""
    report = program.run(report=True, checks=False).report
    assert report is not None
    launch = next(op for op in report.ops if op.core_use)
    return max(core.end for core in launch.core_use)


def worker(y: int, x: int, address: kernel.Value) -> kernel.Value:
    """Returns the L1 address of a core."""
    return kernel.get_noc_addr(
        kernel.convert_logical_x_to_translated(x),
        kernel.convert_logical_y_to_translated(y),
        address,
    )


def barrier(op: str) -> None:
    if op == "read":
        kernel.noc_async_read_barrier()
    else:
        kernel.noc_async_write_barrier()


def transfer(op: str, there: kernel.Value, local: kernel.Value, size: int) -> None:
    if op == "read":
        kernel.noc_async_read(there, local, size)
    else:
        kernel.noc_async_write(local, there, size)


def rate(row: Row, per_transfer: float) -> float:
    """Converts to the unit of the row."""
    return per_transfer if row.unit == "cycles" else row.number("bytes") / per_transfer


def transfers(row: Row) -> float:
    """Reads or writes with one core, and waits at the end; subtracts the start-up time."""
    count = row.number("count")
    return rate(row, (_transfers(row, count) - _transfers(row, 0)) / count)


def _transfers(row: Row, count: int) -> float:
    op, where, size = row["op"], row["where"], row.number("bytes")
    grid = GRIDS[row.target]

    @kernel.data_movement(noc=0)
    def move(x: kernel.Tensor, buffer: kernel.CircularBuffer) -> None:
        local = kernel.get_write_ptr(buffer)
        if where == "interleaved":
            page = kernel.noc_async_read_page if op == "read" else kernel.noc_async_write_page
            pages = kernel.tensor_accessor(x)
            for i in range(count):
                page(i % x.pages, pages, local)
        elif where == "all":
            others = [worker(y, x, local) for y in range(grid[0]) for x in range(grid[1])][1:]
            for i in range(count):
                transfer(op, others[i % len(others)], local, size)
        else:
            there = (
                kernel.get_noc_addr_from_bank_id(0, x.address, dram=True)
                if where == "dram"
                else worker(*PLACES[where], local)
            )
            for _ in range(count):
                transfer(op, there, local, size)
        barrier(op)

    program = new_program(row)
    x = program.scratch("x", (64, size // 4), "u32", layout="row_major")
    buffer = program.circular_buffer("in0", "u32", page_size=size, pages=1)
    program.add(move, x, buffer)
    return cycles(program)


def multicasts(row: Row) -> float:
    """Sends from a core to a rectangle of cores, and waits at the end; subtracts the start-up time.

    With loopback the sender is the first core of the rectangle. Otherwise its position is not
    published: it is the one in SENDERS, and the rectangle begins at core (1, 1).
    """
    count = row.number("count")
    return rate(row, (_multicasts(row, count) - _multicasts(row, 0)) / count)


def _multicasts(row: Row, count: int) -> float:
    size, height, width = row.number("bytes"), row.number("rows"), row.number("columns")
    loopback = row.number("loopback") == 1
    first = 0 if loopback else 1

    @kernel.data_movement(noc=0)
    def move(buffer: kernel.CircularBuffer) -> None:
        local = kernel.get_write_ptr(buffer)
        there = kernel.get_noc_multicast_addr(
            kernel.convert_logical_x_to_translated(first),
            kernel.convert_logical_y_to_translated(first),
            kernel.convert_logical_x_to_translated(first + width - 1),
            kernel.convert_logical_y_to_translated(first + height - 1),
            local,
        )
        for _ in range(count):
            if loopback:
                kernel.noc_async_write_multicast_loopback_src(local, there, size, height * width)
            else:
                kernel.noc_async_write_multicast(local, there, size, height * width)
        kernel.noc_async_write_barrier()

    sender = kernel.CoreRange(*((0, 0) if loopback else SENDERS[row.target]), 1, 1)
    program = new_program(row)
    buffer = program.circular_buffer("in0", "u32", page_size=size, pages=1, cores=GRIDS[row.target])
    program.add(move, buffer, cores=sender)
    return cycles(program)


def bandwidths(row: Row) -> float:
    """Returns GB/s of cores that read or write DRAM channels: of the nearest core to each channel,
    or of all cores of the grid, each with a channel, in random order."""
    channels = row.number("channels")
    if row["place"] == "near":
        pairs = list(enumerate(_near(row)))[:channels]
    else:
        rows, columns = GRIDS[row.target]
        cores = [(y, x) for y in range(rows) for x in range(columns)]
        random.Random(0).shuffle(cores)
        pairs = [(i % channels, core) for i, core in enumerate(cores)]
    op, size = row["op"], row.number("bytes")

    @kernel.data_movement(noc=row.number("noc"))
    def move(x: kernel.Tensor, buffer: kernel.CircularBuffer, channel: int) -> None:
        local = kernel.get_write_ptr(buffer)
        there = kernel.get_noc_addr_from_bank_id(channel, x.address, dram=True)
        for _ in range(PIECES):
            transfer(op, there, local, size)
        barrier(op)

    program = new_program(row)
    x = program.scratch("x", (16, size // 4), "u32", layout="row_major")
    buffer = program.circular_buffer("in0", "u32", page_size=size, pages=1, cores=GRIDS[row.target])
    for channel, (y, column) in pairs:
        program.add(move, x, buffer, channel, cores=kernel.CoreRange(y, column, 1, 1))
    seconds = cycles(program) / CLOCKS[row.target]
    return PIECES * size * len(pairs) / seconds / 1e9


def _near(row: Row) -> list[tuple[int, int]]:
    """Returns, for each channel, the nearest free core whose route shares no link with others."""
    chip = {c.name: c.value for c in constants() if c.arch == ARCH_OF[row.target]}
    sides = chip["noc_width"], chip["noc_height"]
    step = 1 if row["noc"] == "0" else -1
    axes = (0, 1) if row["noc"] == "0" else (1, 0)
    rows, columns = GRIDS[row.target]
    free = {
        (y, x): (chip["worker_columns"][x], chip["worker_rows"][y])
        for y in range(rows)
        for x in range(columns)
    }
    used: set[tuple[int, int, int]] = set()

    def links(core: tuple[int, int], channel: tuple[int, int]) -> set[tuple[int, int, int]]:
        """Returns the links on the route of the data, by axis and position."""
        ends = (channel, free[core]) if row["op"] == "read" else (free[core], channel)
        at, found = list(ends[0]), set()
        for axis in axes:
            while at[axis] != ends[1][axis]:
                found.add((axis, at[0], at[1]))
                at[axis] = (at[axis] + step) % sides[axis]
        return found

    chosen = []
    for channel in zip(chip["dram_columns"], chip["dram_rows"], strict=True):
        ways = {core: links(core, channel) for core in free}
        core = min(ways, key=lambda core: (len(ways[core] & used), len(ways[core])))
        used |= ways[core]
        del free[core]
        chosen.append(core)
    return chosen
