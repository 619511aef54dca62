"""The engines: destination registers, inits, formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mistakes import as_compute, compute_tile, mistake, pipeline
from ttmlir import kernel

Init = Callable[[Any, Any], None]


def nothing(tiles: Any, results: Any) -> None:
    """No init at all."""


def to_copy(tiles: Any, results: Any) -> None:
    kernel.unary_op_init_common(tiles, results)
    kernel.copy_tile_init(tiles)


def one_tile(
    compute: Callable[[Any], None], init: Init = to_copy, **options: Any
) -> kernel.Program:
    """A pipeline whose compute kernel runs `init(tiles, results)` and, for each tile,
    `compute(tiles)`."""

    def run(tiles: Any, results: Any) -> None:
        init(tiles, results)
        compute_tile(tiles, results, lambda: compute(tiles))

    return pipeline(compute=run, **options)


def copy(tiles: Any) -> None:
    kernel.copy_tile(tiles, 0, 0)


def add(tiles: Any) -> None:
    kernel.add_tiles(tiles, tiles, 0, 0, 0)


# Inits.


@mistake("an operation without its init", "InitFault")
def copy_without_init() -> kernel.Program:
    return one_tile(copy, nothing)


@mistake("an operation without its init", "InitFault")
def add_without_init() -> kernel.Program:
    return one_tile(add, nothing)


@mistake("an operation without its init", "InitFault")
def add_without_its_own_init() -> kernel.Program:
    return one_tile(add, lambda tiles, results: kernel.binary_op_init_common(tiles, tiles, results))


@mistake("an operation after the init of another one", "InitFault")
def add_after_multiply_init() -> kernel.Program:
    def init(tiles: Any, results: Any) -> None:
        kernel.binary_op_init_common(tiles, tiles, results)
        kernel.mul_tiles_init(tiles, tiles)

    return one_tile(add, init)


@mistake("an operation after the init of another one", "InitFault")
def add_after_matmul_init() -> kernel.Program:
    return one_tile(add, lambda tiles, results: kernel.mm_init(tiles, tiles, results, 0))


@mistake("an operation after the init of another one", "InitFault")
def add_after_transpose_init() -> kernel.Program:
    return one_tile(add, kernel.transpose_wh_init)


@mistake("an operation after the init of another one", "InitFault")
def matmul_after_add_init() -> kernel.Program:
    def init(tiles: Any, results: Any) -> None:
        kernel.binary_op_init_common(tiles, tiles, results)
        kernel.add_tiles_init(tiles, tiles)

    return one_tile(lambda tiles: kernel.matmul_tiles(tiles, tiles, 0, 0, 0), init)


@mistake("an operation after the init of another one", "InitFault")
def block_after_tiles_init() -> kernel.Program:
    return one_tile(
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 0, 1, 1, 1),
        lambda tiles, results: kernel.mm_init(tiles, tiles, results, 0),
    )


@mistake("an operation after its init for another broadcast, reduction or side", "InitFault")
def broadcast_of_another_kind() -> kernel.Program:
    return one_tile(
        lambda tiles: kernel.add_tiles_bcast(tiles, tiles, 0, 0, 0, "col"),
        lambda tiles, results: kernel.init_bcast(tiles, tiles, results, "add", "row"),
    )


@mistake("an operation after its init for another broadcast, reduction or side", "InitFault")
def reduction_of_another_dimension() -> kernel.Program:
    return one_tile(
        lambda tiles: kernel.reduce_tile(tiles, tiles, 0, 0, 0, "sum", "col"),
        lambda tiles, results: kernel.reduce_init(tiles, tiles, results, "sum", "row"),
    )


@mistake("an operation after its init for another broadcast, reduction or side", "InitFault")
def block_transposed() -> kernel.Program:
    return one_tile(
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 1, 1, 1, 1),
        lambda tiles, results: kernel.mm_block_init(tiles, tiles, results, 0, 1, 1, 1),
    )


@mistake("a block with other extents than its init", "InitFault")
def block_of_other_extents() -> kernel.Program:
    return one_tile(
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 0, 1, 1, 1),
        lambda tiles, results: kernel.mm_block_init(tiles, tiles, results, 0, 2, 1, 1),
    )


@mistake("a reduction or tilization without its uninit before the next operation", "InitFault")
def reduction_not_undone() -> kernel.Program:
    def init(tiles: Any, results: Any) -> None:
        kernel.reduce_init(tiles, tiles, results, "sum", "row")
        kernel.copy_tile_init(tiles)

    return one_tile(copy, init)


@mistake("a vector engine function without its init, or after another's", "InitFault", one_tile)
def function_without_init(tiles: Any) -> None:
    copy(tiles)
    kernel.exp_tile(0)


@mistake("a vector engine function without its init, or after another's", "InitFault", one_tile)
def function_after_another_init(tiles: Any) -> None:
    copy(tiles)
    kernel.exp_tile_init()
    kernel.recip_tile_init()
    kernel.exp_tile(0)


@mistake("a packer without an init", "InitFault", one_tile, init=nothing)
def packer_without_init(tiles: Any) -> None:
    kernel.fill_tile_init()
    kernel.fill_tile(0, 1.0)


# Formats.


@mistake("tiles in another format than the unpacker is set up for", "TileFormatFault")
def unpack_another_format() -> kernel.Program:
    program = kernel.Program()
    _x, _y = program.input("x", (32, 32), "f32"), program.output("y", (32, 32))
    wide, tiles = program.circular_buffer("in0", "f32"), program.circular_buffer("in1", "bf16")
    results = program.circular_buffer("out0", "bf16")

    def reader() -> None:
        kernel.cb_reserve_back(tiles, 1)
        kernel.fill_with_val(kernel.get_write_ptr(tiles), 512, 0, 4)
        kernel.cb_push_back(tiles, 1)

    def compute() -> None:
        kernel.unary_op_init_common(wide, results)
        kernel.copy_tile_init(tiles)
        compute_tile(tiles, results, lambda: copy(tiles))

    program.add(kernel.data_movement()(reader))
    program.add(kernel.compute()(compute))
    return program


@mistake("tiles in another format than the packer is set up for", "TileFormatFault")
def pack_another_format() -> kernel.Program:
    def init(tiles: Any, results: Any) -> None:
        kernel.unary_op_init_common(tiles, tiles)

    return one_tile(copy, init, out_dtype="f32")


@mistake("integers and floats in one operation", "TileFormatFault", one_tile)
def bits_of_a_float(tiles: Any) -> None:
    copy(tiles)
    kernel.bitwise_not_tile_init()
    kernel.bitwise_not_tile(0)


@mistake("integers and floats in one operation", "TileFormatFault", one_tile, fp32_dest_acc_en=True)
def typecast_of_another_source(tiles: Any) -> None:
    copy(tiles)
    kernel.typecast_tile_init()
    kernel.typecast_tile(0, "i32", "f32")


@mistake(
    "a floating-point function on integers", "TileFormatFault", one_tile, fp32_dest_acc_en=True
)
def exponential_of_integers(tiles: Any) -> None:
    kernel.fill_tile_init()
    kernel.fill_tile_int(0, 3)
    kernel.exp_tile_init()
    kernel.exp_tile(0)


@mistake(
    "a floating-point function on integers", "TileFormatFault", one_tile, fp32_dest_acc_en=True
)
def root_after_typecast(tiles: Any) -> None:
    copy(tiles)
    kernel.typecast_tile_init()
    kernel.typecast_tile(0, "bf16", "u8")
    kernel.sqrt_tile_init()
    kernel.sqrt_tile(0)


@mistake(
    "integers are packed as floats, or floats as integers",
    "TileFormatFault",
    one_tile,
    fp32_dest_acc_en=True,
)
def integers_packed_as_floats(tiles: Any) -> None:
    kernel.fill_tile_init()
    kernel.fill_tile_int(0, 3)


@mistake("integers are packed as floats, or floats as integers", "TileFormatFault")
def floats_packed_as_integers() -> kernel.Program:
    return one_tile(copy, out_dtype="i32", fp32_dest_acc_en=True)


# Accumulation in L1.


def accumulate(tiles: Any, results: Any, count: int) -> None:
    """Packs each tile, and adds it once more; the packer stays as it is then."""
    kernel.unary_op_init_common(tiles, results)
    kernel.copy_tile_init(tiles)
    for _ in kernel.range(count):
        kernel.cb_wait_front(tiles, 1)
        kernel.cb_reserve_back(results, 1)
        for adds in (0, 1):
            kernel.tile_regs_acquire()
            copy(tiles)
            kernel.tile_regs_commit()
            kernel.tile_regs_wait()
            if adds:
                kernel.pack_reconfig_l1_acc(1)
            kernel.pack_tile(0, results, 0, True)
            kernel.tile_regs_release()
        kernel.cb_pop_front(tiles, 1)
        kernel.cb_push_back(results, 1)


@mistake("a tile is accumulated onto an uninitialized page", "UninitializedReadFault", as_compute)
def sums_of_an_empty_page(tiles: Any, results: Any) -> None:
    kernel.pack_reconfig_l1_acc(1)
    accumulate(tiles, results, 1)


@mistake("a tile is accumulated onto an uninitialized page", "UninitializedReadFault", as_compute)
def block_of_sums_in_order(tiles: Any, results: Any) -> None:
    to_copy(tiles, results)
    kernel.cb_wait_front(tiles, 1)
    kernel.tile_regs_acquire()
    copy(tiles)
    kernel.tile_regs_commit()
    kernel.cb_reserve_back(results, 1)
    kernel.tile_regs_wait()
    kernel.pack_reconfig_l1_acc(1)
    kernel.pack_tile_block(0, results, 1)


@mistake(
    "a tile is accumulated onto data left by an earlier page",
    "UninitializedReadFault",
    as_compute,
    tiles=3,
)
def sums_of_the_page_before(tiles: Any, results: Any) -> None:
    accumulate(tiles, results, 3)


@mistake("a tile is accumulated onto data that the kernel left in a page that it popped", None)
def sums_of_the_own_page_before() -> kernel.Program:
    """The second result has the sums of the first."""

    def compute(tiles: Any, results: Any) -> None:
        to_copy(tiles, results)
        for adds in (0, 1):
            kernel.pack_reconfig_l1_acc(adds)
            compute_tile(tiles, sums, lambda: copy(tiles))
            kernel.pack_reconfig_l1_acc(0)
            compute_tile(sums, results, lambda: copy(sums))

    program = pipeline(compute=compute, tiles=2)
    sums = program.circular_buffer("int0", pages=1)
    return program


# Destination registers.


@mistake("a destination register beyond the capacity", "DstIndexFault")
def fourth_register_of_32_bits() -> kernel.Program:
    return one_tile(lambda tiles: kernel.copy_tile(tiles, 0, 4), fp32_dest_acc_en=True)


@mistake("a destination register beyond the capacity", "DstIndexFault")
def block_beyond_the_registers() -> kernel.Program:
    return one_tile(
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 0, 3, 3, 1),
        lambda tiles, results: kernel.mm_block_init(tiles, tiles, results, 0, 3, 3, 1),
    )


@mistake("an unwritten destination register", "DstUnwrittenFault", one_tile)
def function_of_an_empty_register(tiles: Any) -> None:
    copy(tiles)
    kernel.exp_tile_init()
    kernel.exp_tile(2)


@mistake(
    "math or packing on registers that the thread does not hold",
    "DstProtocolFault",
    as_compute,
)
def compute_without_acquire(tiles: Any, results: Any) -> None:
    to_copy(tiles, results)
    kernel.cb_wait_front(tiles, 1)
    copy(tiles)


@mistake(
    "math or packing on registers that the thread does not hold",
    "DstProtocolFault",
    as_compute,
)
def pack_before_commit(tiles: Any, results: Any) -> None:
    to_copy(tiles, results)
    kernel.cb_wait_front(tiles, 1)
    kernel.tile_regs_acquire()
    copy(tiles)
    kernel.cb_reserve_back(results, 1)
    kernel.pack_tile(0, results, 0)


@mistake("a kernel ends without releasing its registers", "DstProtocolFault")
def end_without_release() -> kernel.Program:
    return pipeline(compute=lambda tiles, results: kernel.tile_regs_acquire())


@mistake("an operand out of range", "OperandFault")
def empty_block() -> kernel.Program:
    return one_tile(
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 0, kernel.my_logical_x(), 1, 1),
        lambda tiles, results: kernel.mm_block_init(tiles, tiles, results, 0, 1, 1, 1),
    )
