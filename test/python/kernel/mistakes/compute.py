"""The engines: destination registers, inits, formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mistakes import compute_tile, mistake, pipeline
from ttmlir import kernel


def one_tile(
    init: Callable[[Any, Any], None], compute: Callable[[Any], None], **options: Any
) -> kernel.Program:
    """A pipeline whose compute kernel runs `init(tiles, results)` and, for each tile,
    `compute(tiles)`."""

    def run(tiles: Any, results: Any) -> None:
        init(tiles, results)
        compute_tile(tiles, results, lambda: compute(tiles))

    return pipeline(compute=run, **options)


def nothing(tiles: Any, results: Any) -> None:
    """No init at all."""


def to_copy(tiles: Any, results: Any) -> None:
    kernel.unary_op_init_common(tiles, results)
    kernel.copy_tile_init(tiles)


def copy(tiles: Any) -> None:
    kernel.copy_tile(tiles, 0, 0)


def add(tiles: Any) -> None:
    kernel.add_tiles(tiles, tiles, 0, 0, 0)


# Inits.


@mistake("an operation without its init", "InitFault")
def copy_without_init() -> kernel.Program:
    return one_tile(nothing, copy)


@mistake("an operation without its init", "InitFault")
def add_without_init() -> kernel.Program:
    return one_tile(nothing, add)


@mistake("an operation without its init", "InitFault")
def add_without_its_own_init() -> kernel.Program:
    return one_tile(lambda tiles, results: kernel.binary_op_init_common(tiles, tiles, results), add)


@mistake("an operation behind the init of another one", "InitFault")
def add_after_multiply_init() -> kernel.Program:
    def init(tiles: Any, results: Any) -> None:
        kernel.binary_op_init_common(tiles, tiles, results)
        kernel.mul_tiles_init(tiles, tiles)

    return one_tile(init, add)


@mistake("an operation behind the init of another one", "InitFault")
def add_after_matmul_init() -> kernel.Program:
    return one_tile(lambda tiles, results: kernel.mm_init(tiles, tiles, results, 0), add)


@mistake("an operation behind the init of another one", "InitFault")
def add_after_transpose_init() -> kernel.Program:
    return one_tile(kernel.transpose_wh_init, add)


@mistake("an operation behind the init of another one", "InitFault")
def matmul_after_add_init() -> kernel.Program:
    def init(tiles: Any, results: Any) -> None:
        kernel.binary_op_init_common(tiles, tiles, results)
        kernel.add_tiles_init(tiles, tiles)

    return one_tile(init, lambda tiles: kernel.matmul_tiles(tiles, tiles, 0, 0, 0))


@mistake("an operation behind the init of another one", "InitFault")
def block_after_tiles_init() -> kernel.Program:
    return one_tile(
        lambda tiles, results: kernel.mm_init(tiles, tiles, results, 0),
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 0, 1, 1, 1),
    )


@mistake("an operation behind its init for another broadcast, reduction or side", "InitFault")
def broadcast_of_another_kind() -> kernel.Program:
    return one_tile(
        lambda tiles, results: kernel.init_bcast(tiles, tiles, results, "add", "row"),
        lambda tiles: kernel.add_tiles_bcast(tiles, tiles, 0, 0, 0, "col"),
    )


@mistake("an operation behind its init for another broadcast, reduction or side", "InitFault")
def reduction_of_another_dimension() -> kernel.Program:
    return one_tile(
        lambda tiles, results: kernel.reduce_init(tiles, tiles, results, "sum", "row"),
        lambda tiles: kernel.reduce_tile(tiles, tiles, 0, 0, 0, "sum", "col"),
    )


@mistake("an operation behind its init for another broadcast, reduction or side", "InitFault")
def block_transposed() -> kernel.Program:
    return one_tile(
        lambda tiles, results: kernel.mm_block_init(tiles, tiles, results, 0, 1, 1, 1),
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 1, 1, 1, 1),
    )


@mistake("a block of other extents than its init", "InitFault")
def block_of_other_extents() -> kernel.Program:
    return one_tile(
        lambda tiles, results: kernel.mm_block_init(tiles, tiles, results, 0, 2, 1, 1),
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 0, 1, 1, 1),
    )


@mistake("a reduction or a tilization that is not undone before the next operation", "InitFault")
def reduction_not_undone() -> kernel.Program:
    def init(tiles: Any, results: Any) -> None:
        kernel.reduce_init(tiles, tiles, results, "sum", "row")
        kernel.copy_tile_init(tiles)

    return one_tile(init, copy)


@mistake("a function of the vector engine without its init, or behind another's", "InitFault")
def function_without_init() -> kernel.Program:
    def compute(tiles: Any) -> None:
        copy(tiles)
        kernel.exp_tile(0)

    return one_tile(to_copy, compute)


@mistake("a function of the vector engine without its init, or behind another's", "InitFault")
def function_after_another_init() -> kernel.Program:
    def compute(tiles: Any) -> None:
        copy(tiles)
        kernel.exp_tile_init()
        kernel.recip_tile_init()
        kernel.exp_tile(0)

    return one_tile(to_copy, compute)


@mistake("a packer that no init has set up", "InitFault")
def packer_without_init() -> kernel.Program:
    def compute(tiles: Any) -> None:
        kernel.fill_tile_init()
        kernel.fill_tile(0, 1.0)

    return one_tile(nothing, compute)


# Formats.


@mistake("tiles of another format than the unpacker is set up for", "TileFormatFault")
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


@mistake("tiles of another format than the packer is set up for", "TileFormatFault")
def pack_another_format() -> kernel.Program:
    def init(tiles: Any, results: Any) -> None:
        kernel.unary_op_init_common(tiles, tiles)

    return one_tile(init, copy, out_dtype="f32")


@mistake("integers and floats in one operation", "TileFormatFault")
def bits_of_a_float() -> kernel.Program:
    def compute(tiles: Any) -> None:
        copy(tiles)
        kernel.bitwise_not_tile_init()
        kernel.bitwise_not_tile(0)

    return one_tile(to_copy, compute)


@mistake("integers and floats in one operation", "TileFormatFault")
def typecast_of_another_source() -> kernel.Program:
    def compute(tiles: Any) -> None:
        copy(tiles)
        kernel.typecast_tile_init()
        kernel.typecast_tile(0, "i32", "f32")

    return one_tile(to_copy, compute, fp32_dest_acc_en=True)


@mistake("a function of floats on integers", "TileFormatFault")
def exponential_of_integers() -> kernel.Program:
    def compute(tiles: Any) -> None:
        kernel.fill_tile_init()
        kernel.fill_tile_int(0, 3)
        kernel.exp_tile_init()
        kernel.exp_tile(0)

    return one_tile(to_copy, compute, fp32_dest_acc_en=True)


@mistake("a function of floats on integers", "TileFormatFault")
def root_after_typecast() -> kernel.Program:
    def compute(tiles: Any) -> None:
        copy(tiles)
        kernel.typecast_tile_init()
        kernel.typecast_tile(0, "bf16", "u8")
        kernel.sqrt_tile_init()
        kernel.sqrt_tile(0)

    return one_tile(to_copy, compute, fp32_dest_acc_en=True)


@mistake("integers are packed as floats, or floats as integers", "TileFormatFault")
def integers_packed_as_floats() -> kernel.Program:
    def compute(tiles: Any) -> None:
        kernel.fill_tile_init()
        kernel.fill_tile_int(0, 3)

    return one_tile(to_copy, compute, fp32_dest_acc_en=True)


@mistake("integers are packed as floats, or floats as integers", "TileFormatFault")
def floats_packed_as_integers() -> kernel.Program:
    return one_tile(to_copy, copy, out_dtype="i32", fp32_dest_acc_en=True)


# Accumulation in L1.


def accumulate(tiles: Any, results: Any, count: int, resets: bool) -> None:
    """Packs each tile, and adds it once more; with `resets` the first of the two adds nothing."""
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
            if adds or resets:
                kernel.pack_reconfig_l1_acc(adds)
            kernel.pack_tile(0, results, 0, True)
            kernel.tile_regs_release()
        kernel.cb_pop_front(tiles, 1)
        kernel.cb_push_back(results, 1)


@mistake("a tile is added to a page that nothing was written to", "UninitializedReadFault")
def sums_of_an_empty_page() -> kernel.Program:
    def compute(tiles: Any, results: Any) -> None:
        kernel.pack_reconfig_l1_acc(1)
        accumulate(tiles, results, 1, resets=False)

    return pipeline(compute=compute)


@mistake("a tile is added to a page that nothing was written to", "UninitializedReadFault")
def block_of_sums_in_order() -> kernel.Program:
    def compute(tiles: Any, results: Any) -> None:
        to_copy(tiles, results)
        kernel.cb_wait_front(tiles, 1)
        kernel.tile_regs_acquire()
        copy(tiles)
        kernel.tile_regs_commit()
        kernel.cb_reserve_back(results, 1)
        kernel.tile_regs_wait()
        kernel.pack_reconfig_l1_acc(1)
        kernel.pack_tile_block(0, results, 1)

    return pipeline(compute=compute)


@mistake("a tile is added to what an earlier page has left", "UninitializedReadFault")
def sums_of_the_page_before() -> kernel.Program:
    def compute(tiles: Any, results: Any) -> None:
        accumulate(tiles, results, 3, resets=False)

    return pipeline(compute=compute, tiles=3)


@mistake("a tile is added to what the kernel has left in a page that it popped itself", None)
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
    return one_tile(to_copy, lambda tiles: kernel.copy_tile(tiles, 0, 4), fp32_dest_acc_en=True)


@mistake("a destination register beyond the capacity", "DstIndexFault")
def block_beyond_the_registers() -> kernel.Program:
    return one_tile(
        lambda tiles, results: kernel.mm_block_init(tiles, tiles, results, 0, 3, 3, 1),
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 0, 3, 3, 1),
    )


@mistake("a destination register that nothing has written", "DstUnwrittenFault")
def function_of_an_empty_register() -> kernel.Program:
    def compute(tiles: Any) -> None:
        copy(tiles)
        kernel.exp_tile_init()
        kernel.exp_tile(2)

    return one_tile(to_copy, compute)


@mistake("registers are computed in, or packed, by who does not have them", "DstProtocolFault")
def compute_without_acquire() -> kernel.Program:
    def compute(tiles: Any, results: Any) -> None:
        to_copy(tiles, results)
        kernel.cb_wait_front(tiles, 1)
        copy(tiles)

    return pipeline(compute=compute)


@mistake("registers are computed in, or packed, by who does not have them", "DstProtocolFault")
def pack_before_commit() -> kernel.Program:
    def compute(tiles: Any, results: Any) -> None:
        to_copy(tiles, results)
        kernel.cb_wait_front(tiles, 1)
        kernel.tile_regs_acquire()
        copy(tiles)
        kernel.cb_reserve_back(results, 1)
        kernel.pack_tile(0, results, 0)

    return pipeline(compute=compute)


@mistake("a kernel ends with registers that it has not given back", "DstProtocolFault")
def end_without_release() -> kernel.Program:
    return pipeline(compute=lambda tiles, results: kernel.tile_regs_acquire())


@mistake("an operand out of its range", "OperandFault")
def empty_block() -> kernel.Program:
    return one_tile(
        lambda tiles, results: kernel.mm_block_init(tiles, tiles, results, 0, 1, 1, 1),
        lambda tiles: kernel.matmul_block(tiles, tiles, 0, 0, 0, 0, kernel.my_logical_x(), 1, 1),
    )
