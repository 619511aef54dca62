"""Microbenchmarks of a core's engines, as compute kernels on pages that are already in L1."""

from __future__ import annotations

from collections.abc import Callable

from measurements import Row
from network_rows import new_program

from ttmlir import kernel

#: Instructions in a row, and tiles for an instruction that works on a block.
TIMES = 64

Buffers = tuple[kernel.CircularBuffer, kernel.CircularBuffer, kernel.CircularBuffer]


def _matmul(a: kernel.CircularBuffer, b: kernel.CircularBuffer, c: kernel.CircularBuffer) -> None:
    kernel.mm_init(a, b, c, 0)
    _section(lambda: kernel.matmul_tiles(a, b, 0, 0, 0))


def _binary(name: str) -> Callable[..., None]:
    def run(a: kernel.CircularBuffer, b: kernel.CircularBuffer, c: kernel.CircularBuffer) -> None:
        kernel.binary_op_init_common(a, b, c)
        getattr(kernel, f"{name}_tiles_init")(a, b)
        _section(lambda: getattr(kernel, f"{name}_tiles")(a, b, 0, 0, 0))

    return run


def _reduce(pool: str, along: str) -> Callable[..., None]:
    def run(a: kernel.CircularBuffer, b: kernel.CircularBuffer, c: kernel.CircularBuffer) -> None:
        kernel.reduce_init(a, b, c, pool, along)
        _section(lambda: kernel.reduce_tile(a, b, 0, 0, 0, pool, along))

    return run


def _function(name: str, *numbers: float) -> Callable[..., None]:
    """Applies a function of the vector engine to a tile, after copying it to the destination."""

    def run(a: kernel.CircularBuffer, b: kernel.CircularBuffer, c: kernel.CircularBuffer) -> None:
        kernel.init_sfpu(a, c)
        getattr(kernel, f"{name}_tile_init")()
        _section(lambda: getattr(kernel, f"{name}_tile")(0, *numbers))

    return run


def _rows(name: str) -> Callable[..., None]:
    """Converts between tiles and rows, in one block."""

    def run(a: kernel.CircularBuffer, b: kernel.CircularBuffer, c: kernel.CircularBuffer) -> None:
        if name == "tilize":
            kernel.tilize_init(a, TIMES, c)
            kernel.tilize_block(a, TIMES, c)
        elif name == "pack_untilize":
            shape = {"block_ct_dim": TIMES, "full_ct_dim": TIMES}
            kernel.pack_untilize_init(a, c, **shape)
            kernel.pack_untilize_block(a, 1, c, **shape)
        else:
            kernel.untilize_init(a, c)
            kernel.untilize_block(a, TIMES, c)

    return run


def _section(instruction: Callable[[], None]) -> None:
    kernel.tile_regs_acquire()
    for _ in range(TIMES):
        instruction()
    kernel.tile_regs_commit()
    kernel.tile_regs_wait()
    kernel.tile_regs_release()


KERNELS: dict[str, Callable[..., None]] = {
    "matmul": _matmul,
    "add": _binary("add"),
    "mul": _binary("mul"),
    **{
        f"reduce {pool} {along}": _reduce(pool, along)
        for pool in ("max", "sum")
        for along in ("row", "col", "scalar")
    },
    # Load, an operation, store.
    "identity": _function("abs"),
    "relu": _function("relu"),
    **{name: _function(name) for name in ("tanh", "exp", "gelu", "recip", "sigmoid")},
    "tilize": _rows("tilize"),
    "untilize": _rows("untilize"),
    "pack_untilize": _rows("pack_untilize"),
}


def tiles(row: Row) -> float:
    """Returns the cycles of an engine for a tile of bf16, or of all engines together."""
    program = new_program(row)
    # Row-major elements are on the side of a tilize or untilize without tiles.
    rows = {"tilize": "in0", "untilize": "out0", "pack_untilize": "out0"}
    size = {rows[row["op"]]: 2048} if row["op"] in rows else {}
    buffers = [
        program.circular_buffer(port, "bf16", pages=TIMES, page_size=size.get(port))
        for port in ("in0", "in1", "out0")
    ]
    decorate = kernel.compute(
        fidelity=row["fidelity"],
        math_approx_mode=row["mode"] == "approx",
        fp32_dest_acc_en=row["mode"] == "fp32",
    )
    program.add(decorate(KERNELS[row["op"]]), *buffers)
    report = program.run(report=True, checks=False).report
    assert report is not None
    core = next(op for op in report.ops if op.core_use).core_use[0]
    return {"unpack": core.unpack, "math": core.math, "pack": core.pack, "all": core.end}[
        row["engine"]
    ] / TIMES
