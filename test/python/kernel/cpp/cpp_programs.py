"""Programs whose kernels exist twice: in C++, and in Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from ttmlir import kernel

KERNELS = Path(__file__).parent / "kernels"
BF16 = ml_dtypes.bfloat16


def cpp(name: str, config: Any, **options: Any) -> kernel.Kernel:
    return kernel.from_cpp(KERNELS / f"{name}.cpp", config, **options)


class Case(NamedTuple):
    """A program with its inputs and the result that NumPy computes."""

    program: kernel.Program
    inputs: dict[str, Any]
    expected: Any
    tolerance: float = 0.0


def numbers(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(BF16)


PROGRAMS: dict[str, Callable[[bool], Case]] = {}


def case(function: Callable[[bool], Case]) -> Callable[[bool], Case]:
    PROGRAMS[function.__name__] = function
    return function


# The kernels in Python ----------------------------------------------------------------------------


@kernel.data_movement(noc=0)
def read_one(x: Any, tiles: Any, address: Any, first: Any, end: Any) -> None:
    pages = kernel.tensor_accessor(x, address)
    for page in kernel.range(first, end):
        kernel.cb_reserve_back(tiles, 1)
        kernel.noc_async_read_page(page, pages, kernel.get_write_ptr(tiles))
        kernel.noc_async_read_barrier()
        kernel.cb_push_back(tiles, 1)


@kernel.data_movement(noc=0)
def read_two(
    a: Any, b: Any, in0: Any, in1: Any, a_at: Any, b_at: Any, first: Any, end: Any
) -> None:
    of_a, of_b = kernel.tensor_accessor(a, a_at), kernel.tensor_accessor(b, b_at)
    for page in kernel.range(first, end):
        kernel.cb_reserve_back(in0, 1)
        kernel.cb_reserve_back(in1, 1)
        kernel.noc_async_read_page(page, of_a, kernel.get_write_ptr(in0))
        kernel.noc_async_read_page(page, of_b, kernel.get_write_ptr(in1))
        kernel.noc_async_read_barrier()
        kernel.cb_push_back(in0, 1)
        kernel.cb_push_back(in1, 1)


@kernel.data_movement(noc=1)
def write_tiles(y: Any, out: Any, address: Any, first: Any, end: Any) -> None:
    pages = kernel.tensor_accessor(y, address)
    for page in kernel.range(first, end):
        kernel.cb_wait_front(out, 1)
        kernel.noc_async_write_page(page, pages, kernel.get_read_ptr(out))
        kernel.noc_async_write_barrier()
        kernel.cb_pop_front(out, 1)


@kernel.compute()
def add(in0: Any, in1: Any, out: Any, first: Any, end: Any) -> None:
    kernel.binary_op_init_common(in0, in1, out)
    kernel.add_tiles_init(in0, in1)
    for _ in kernel.range(first, end):
        kernel.cb_wait_front(in0, 1)
        kernel.cb_wait_front(in1, 1)
        kernel.tile_regs_acquire()
        kernel.add_tiles(in0, in1, 0, 0, 0)
        kernel.tile_regs_commit()
        kernel.tile_regs_wait()
        kernel.cb_reserve_back(out, 1)
        kernel.pack_tile(0, out, 0)
        kernel.cb_push_back(out, 1)
        kernel.cb_pop_front(in0, 1)
        kernel.cb_pop_front(in1, 1)
        kernel.tile_regs_release()


# The programs -------------------------------------------------------------------------------------


@case
def loopback(in_cpp: bool) -> Case:
    program = kernel.Program("loopback")
    x, y = program.input("x", (320, 160)), program.output("y", (320, 160))
    page = program.circular_buffer("in0", pages=1)

    @kernel.data_movement()
    def copy(page: Any, x_at: Any, y_at: Any, pages: Any) -> None:
        source, target = kernel.tensor_accessor(x, x_at), kernel.tensor_accessor(y, y_at)
        kernel.cb_reserve_back(page, 1)
        l1 = kernel.get_write_ptr(page)
        for i in kernel.range(pages):
            kernel.noc_async_read_page(i, source, l1)
            kernel.noc_async_read_barrier()
            kernel.noc_async_write_page(i, target, l1)
            kernel.noc_async_write_barrier()
        kernel.cb_push_back(page, 1)
        kernel.cb_wait_front(page, 1)
        kernel.cb_pop_front(page, 1)

    if in_cpp:
        copied = cpp("loopback", kernel.DataMovement(0), compile_args=[page, x, y])
        program.add(copied, x, y, x.pages)
    else:
        program.add(copy, page, kernel.runtime(x), kernel.runtime(y), kernel.runtime(x.pages))
    values = numbers(320, 160)
    return Case(program, {"x": values}, values)


def added(in_cpp: bool, name: str, cores: tuple[int, int], ranges: Any) -> Case:
    program = kernel.Program(name, cores=cores)
    a, b = program.input("a", (128, 160)), program.input("b", (128, 160))
    y = program.output("y", (128, 160))
    in0, in1 = program.circular_buffer("in0"), program.circular_buffer("in1")
    out = program.circular_buffer("out0")
    first, end = (kernel.per_core(column) for column in zip(*ranges, strict=True))
    if in_cpp:
        reader = cpp("read_two", kernel.DataMovement(0), compile_args=[a, b])
        defines = {"OPERATION": "add_tiles", "OPERATION_init": "add_tiles_init"}
        program.add(reader, a, b, first, end)
        program.add(cpp("add", kernel.Compute(), defines=defines), first, end)
        program.add(cpp("write_tiles", kernel.DataMovement(1), compile_args=[y]), y, first, end)
    else:
        at = kernel.runtime
        program.add(read_two, a, b, in0, in1, at(a), at(b), first, end)
        program.add(add, in0, in1, out, first, end)
        program.add(write_tiles, y, out, at(y), first, end)
    x1, x2 = numbers(128, 160), numbers(128, 160, seed=1)
    return Case(program, {"a": x1, "b": x2}, x1.astype("f4") + x2.astype("f4"), 0.01)


@case
def eltwise_binary(in_cpp: bool) -> Case:
    return added(in_cpp, "eltwise_binary", (1, 1), [(0, 20)])


@case
def vecadd_multi_core(in_cpp: bool) -> Case:
    """20 tiles on 8 cores: 4 cores have 3 of them, the others 2."""
    counts = [3, 3, 3, 3, 2, 2, 2, 2]
    ends = np.cumsum(counts)
    return added(in_cpp, "vecadd", (2, 4), [(e - n, e) for e, n in zip(ends, counts, strict=True)])


@case
def eltwise_sfpu(in_cpp: bool) -> Case:
    program = kernel.Program("eltwise_sfpu")
    x, y = program.input("x", (64, 64)), program.output("y", (64, 64))
    tiles, out = program.circular_buffer("in0"), program.circular_buffer("out0")

    @kernel.compute()
    def exp(count: int) -> None:
        kernel.init_sfpu(tiles, out)
        kernel.exp_tile_init()
        for _ in kernel.range(count):
            kernel.tile_regs_acquire()
            kernel.cb_wait_front(tiles, 1)
            kernel.copy_tile(tiles, 0, 0)
            kernel.exp_tile(0)
            kernel.tile_regs_commit()
            kernel.tile_regs_wait()
            kernel.cb_reserve_back(out, 1)
            kernel.pack_tile(0, out, 0)
            kernel.cb_pop_front(tiles, 1)
            kernel.tile_regs_release()
            kernel.cb_push_back(out, 1)

    at, end = kernel.runtime, kernel.runtime(x.pages)
    if in_cpp:
        program.add(cpp("read_one", kernel.DataMovement(0), compile_args=[x]), x, 0, x.pages)
        named = {"tiles": x.pages}
        program.add(cpp("exp", kernel.Compute(), named_compile_args=named))
        program.add(cpp("write_tiles", kernel.DataMovement(1), compile_args=[y]), y, 0, x.pages)
    else:
        program.add(read_one, x, tiles, at(x), at(0), end)
        program.add(exp, x.pages)
        program.add(write_tiles, y, out, at(y), at(0), end)
    values = numbers(64, 64)
    return Case(program, {"x": values}, np.exp(values.astype("f4")), 0.02)


def multiplied(in_cpp: bool, name: str, cores: tuple[int, int], ranges: Any) -> Case:
    m, k, n = 128, 96, 64
    Kt, Nt = k // 32, n // 32
    program = kernel.Program(name, cores=cores)
    a, b = program.input("a", (m, k)), program.input("b", (k, n))
    y = program.output("y", (m, n))
    in0, in1 = program.circular_buffer("in0"), program.circular_buffer("in1")
    out = program.circular_buffer("out0")
    first, end = (kernel.per_core(column) for column in zip(*ranges, strict=True))

    @kernel.data_movement(noc=0)
    def read(a_at: Any, b_at: Any, first: Any, end: Any) -> None:
        of_a, of_b = kernel.tensor_accessor(a, a_at), kernel.tensor_accessor(b, b_at)
        for tile in kernel.range(first, end):
            row, column = tile // Nt, tile % Nt
            for i in kernel.range(Kt):
                for page, pages, buffer in (
                    (row * Kt + i, of_a, in0),
                    (i * Nt + column, of_b, in1),
                ):
                    kernel.cb_reserve_back(buffer, 1)
                    kernel.noc_async_read_page(page, pages, kernel.get_write_ptr(buffer))
                    kernel.noc_async_read_barrier()
                    kernel.cb_push_back(buffer, 1)

    @kernel.compute()
    def multiply(first: Any, end: Any) -> None:
        kernel.mm_init(in0, in1, out, 0)
        for _ in kernel.range(first, end):
            kernel.tile_regs_acquire()
            for _ in kernel.range(Kt):
                kernel.cb_wait_front(in0, 1)
                kernel.cb_wait_front(in1, 1)
                kernel.matmul_tiles(in0, in1, 0, 0, 0)
                kernel.cb_pop_front(in0, 1)
                kernel.cb_pop_front(in1, 1)
            kernel.tile_regs_commit()
            kernel.tile_regs_wait()
            kernel.cb_reserve_back(out, 1)
            kernel.pack_tile(0, out, 0)
            kernel.cb_push_back(out, 1)
            kernel.tile_regs_release()

    if in_cpp:
        reader = cpp("read_matmul", kernel.DataMovement(0), compile_args=[Kt, Nt, a, b])
        program.add(reader, a, b, first, end)
        program.add(cpp("matmul", kernel.Compute(), compile_args=[Kt]), first, end)
        program.add(cpp("write_tiles", kernel.DataMovement(1), compile_args=[y]), y, first, end)
    else:
        at = kernel.runtime
        program.add(read, at(a), at(b), first, end)
        program.add(multiply, first, end)
        program.add(write_tiles, y, out, at(y), first, end)
    x1, x2 = numbers(m, k), numbers(k, n, seed=1)
    return Case(program, {"a": x1, "b": x2}, x1.astype("f4") @ x2.astype("f4"), 0.05)


@case
def matmul_single_core(in_cpp: bool) -> Case:
    return multiplied(in_cpp, "matmul", (1, 1), [(0, 8)])


@case
def matmul_multi_core(in_cpp: bool) -> Case:
    return multiplied(in_cpp, "matmul_cores", (1, 3), [(0, 3), (3, 6), (6, 8)])


@case
def matmul_reuse(in_cpp: bool) -> Case:
    """Products by blocks, with sums that are not complete in a circular buffer."""
    m, k, n, rows, inner, columns = 128, 128, 192, 2, 2, 3
    Kt, Nt, steps = k // 32, n // 32, k // 32 // inner
    grid = (m // 32 // rows, Nt // columns)
    program = kernel.Program("matmul_reuse", cores=grid)
    a, b = program.input("a", (m, k)), program.input("b", (k, n))
    y = program.output("y", (m, n))
    in0 = program.circular_buffer("in0", pages=2 * rows * inner)
    in1 = program.circular_buffer("in1", pages=2 * inner * columns)
    out = program.circular_buffer("out0", pages=rows * columns)
    sums = program.circular_buffer("int0", pages=rows * columns)
    places = [(i * rows, j * columns) for i in range(grid[0]) for j in range(grid[1])]
    row, column = (kernel.per_core(values) for values in zip(*places, strict=True))
    first = kernel.per_core([i * Nt + j for i, j in places])

    def block(call: Any, pages: Any, first: Any, stride: int, extents: Any, l1: Any) -> None:
        for i in kernel.range(extents[0]):
            for j in kernel.range(extents[1]):
                call(first + i * stride + j, pages, l1 + (i * extents[1] + j) * 2048)

    @kernel.data_movement(noc=0)
    def read(a_at: Any, b_at: Any, row: Any, column: Any) -> None:
        of_a, of_b = kernel.tensor_accessor(a, a_at), kernel.tensor_accessor(b, b_at)
        get = kernel.noc_async_read_page
        for step in kernel.range(steps):
            kernel.cb_reserve_back(in0, rows * inner)
            kernel.cb_reserve_back(in1, inner * columns)
            tile, l1 = row * Kt + step * inner, kernel.get_write_ptr(in0)
            block(get, of_a, tile, Kt, (rows, inner), l1)
            kernel.noc_async_read_barrier()
            tile, l1 = step * (inner * Nt) + column, kernel.get_write_ptr(in1)
            block(get, of_b, tile, Nt, (inner, columns), l1)
            kernel.noc_async_read_barrier()
            kernel.cb_push_back(in0, rows * inner)
            kernel.cb_push_back(in1, inner * columns)

    @kernel.compute(fp32_dest_acc_en=True)
    def multiply() -> None:
        kernel.mm_init(in0, in1, out, 0)
        for step in range(steps):
            to = out if step == steps - 1 else sums
            kernel.cb_wait_front(in0, rows * inner)
            kernel.cb_wait_front(in1, inner * columns)
            for part in kernel.range(rows):
                kernel.tile_regs_acquire()
                if step > 0:
                    kernel.copy_tile_init(sums)
                    kernel.cb_wait_front(sums, columns)
                    for i in kernel.range(columns):
                        kernel.copy_tile(sums, i, i)
                    kernel.cb_pop_front(sums, columns)
                    kernel.mm_init_short(in0, in1, 0)
                for j in kernel.range(columns):
                    for i in kernel.range(inner):
                        kernel.matmul_tiles(in0, in1, part * inner + i, i * columns + j, j)
                kernel.tile_regs_commit()
                kernel.cb_reserve_back(to, columns)
                kernel.tile_regs_wait()
                for i in kernel.range(columns):
                    kernel.pack_tile(i, to, i)
                kernel.tile_regs_release()
                kernel.cb_push_back(to, columns)
            kernel.cb_pop_front(in0, rows * inner)
            kernel.cb_pop_front(in1, inner * columns)

    @kernel.data_movement(noc=1)
    def write(y_at: Any, first: Any) -> None:
        pages = kernel.tensor_accessor(y, y_at)
        for i in kernel.range(rows):
            kernel.cb_wait_front(out, columns)
            l1, tile = kernel.get_read_ptr(out), first + i * Nt
            block(kernel.noc_async_write_page, pages, tile, Nt, (1, columns), l1)
            kernel.noc_async_write_barrier()
            kernel.cb_pop_front(out, columns)

    if in_cpp:
        sizes = [steps, rows, inner, columns]
        reader = cpp("read_blocks", kernel.DataMovement(0), compile_args=[*sizes, Kt, Nt, a, b])
        program.add(reader, a, b, row, column)
        config = kernel.Compute(fp32_dest_acc_en=True)
        program.add(cpp("multiply_subblocks", config, compile_args=sizes))
        extents = [rows, columns, Nt, y]
        program.add(cpp("write_rows", kernel.DataMovement(1), compile_args=extents), y, first)
    else:
        at = kernel.runtime
        program.add(read, at(a), at(b), row, column)
        program.add(multiply)
        program.add(write, at(y), first)
    x1, x2 = numbers(m, k), numbers(k, n, seed=1)
    return Case(program, {"a": x1, "b": x2}, x1.astype("f4") @ x2.astype("f4"), 0.05)


@case
def pad(in_cpp: bool) -> Case:
    rows, columns, wide = 12, 64, 96
    program = kernel.Program("pad", cores=(1, 4))
    x = program.input("x", (rows, columns), layout="row_major")
    y = program.output("y", (rows, wide), layout="row_major")
    row = program.circular_buffer("in0", pages=1, page_size=2 * wide)
    first, end = kernel.per_core([0, 3, 6, 9]), kernel.per_core([3, 6, 9, 12])

    @kernel.data_movement()
    def padded(x_at: Any, y_at: Any, first: Any, end: Any) -> None:
        source, target = kernel.tensor_accessor(x, x_at), kernel.tensor_accessor(y, y_at)
        kernel.cb_reserve_back(row, 1)
        l1 = kernel.get_write_ptr(row)
        for i in kernel.range(columns // 2, wide // 2):
            kernel.store_to_l1(0x40004000, l1 + i * 4, 4)
        for i in kernel.range(first, end):
            kernel.noc_async_read_page(i, source, l1)
            kernel.noc_async_read_barrier()
            kernel.noc_async_write_page(i, target, l1)
            kernel.noc_async_write_barrier()
        kernel.cb_push_back(row, 1)
        kernel.cb_wait_front(row, 1)
        kernel.cb_pop_front(row, 1)

    if in_cpp:
        config = kernel.DataMovement(0)
        sizes = [2 * columns, 2 * wide, x, y]
        wider = cpp("pad", config, compile_args=sizes, defines={"PAD_VALUE": 0x4000})
        program.add(wider, x, y, first, end)
    else:
        at = kernel.runtime
        program.add(padded, at(x), at(y), first, end)
    values = numbers(rows, columns)
    two = np.full((rows, wide - columns), 2, BF16)
    return Case(program, {"x": values}, np.concatenate([values, two], 1))


@case
def noc_tile_transfer(in_cpp: bool) -> Case:
    program = kernel.Program("transfer", cores=(1, 2))
    x, y = program.input("x", (32, 32)), program.output("y", (32, 32))
    tile = program.circular_buffer("in0", pages=1)
    ready, sent = program.semaphore(0), program.semaphore(0)
    left, right = kernel.CoreRange(0, 0, 1, 1), kernel.CoreRange(0, 1, 1, 1)
    here, there = (0, 0), (1, 0)  # columns and rows

    def on_network(x: Any, y: Any) -> tuple[Any, Any]:
        to_x, to_y = kernel.convert_logical_x_to_translated, kernel.convert_logical_y_to_translated
        return to_x(x), to_y(y)

    @kernel.data_movement()
    def send(x_at: Any, cx: Any, cy: Any, ready_id: Any, sent_id: Any) -> None:
        cx, cy = on_network(cx, cy)
        ready, sent = kernel.get_semaphore(ready_id), kernel.get_semaphore(sent_id)
        pages = kernel.tensor_accessor(x, x_at)
        kernel.cb_reserve_back(tile, 1)
        l1 = kernel.get_write_ptr(tile)
        kernel.noc_async_read_page(0, pages, l1)
        kernel.noc_async_read_barrier()
        kernel.cb_push_back(tile, 1)
        kernel.noc_semaphore_wait(ready, 1)
        kernel.noc_semaphore_set(ready, 0)
        kernel.cb_wait_front(tile, 1)
        kernel.noc_async_write(l1, kernel.get_noc_addr(cx, cy, l1), 2048)
        kernel.noc_async_write_barrier()
        kernel.noc_semaphore_inc(kernel.get_noc_addr(cx, cy, sent), 1)
        kernel.noc_async_atomic_barrier()
        kernel.cb_pop_front(tile, 1)

    @kernel.data_movement()
    def receive(y_at: Any, cx: Any, cy: Any, ready_id: Any, sent_id: Any) -> None:
        cx, cy = on_network(cx, cy)
        ready, sent = kernel.get_semaphore(ready_id), kernel.get_semaphore(sent_id)
        pages = kernel.tensor_accessor(y, y_at)
        kernel.cb_reserve_back(tile, 1)
        l1 = kernel.get_write_ptr(tile)
        kernel.noc_semaphore_inc(kernel.get_noc_addr(cx, cy, ready), 1)
        kernel.noc_async_atomic_barrier()
        kernel.noc_semaphore_wait(sent, 1)
        kernel.cb_push_back(tile, 1)
        kernel.cb_wait_front(tile, 1)
        kernel.noc_async_write_page(0, pages, l1)
        kernel.noc_async_write_barrier()
        kernel.cb_pop_front(tile, 1)

    if in_cpp:
        sender = cpp("send_tile", kernel.DataMovement(0), compile_args=[x])
        receiver = cpp("receive_tile", kernel.DataMovement(0), compile_args=[y])
        program.add(sender, x, *there, ready, sent, cores=left)
        program.add(receiver, y, *here, ready, sent, cores=right)
    else:
        at = kernel.runtime
        ids = at(ready.id), at(sent.id)
        program.add(send, at(x), *map(at, there), *ids, cores=left)
        program.add(receive, at(y), *map(at, here), *ids, cores=right)
    values = numbers(32, 32)
    return Case(program, {"x": values}, values)


@case
def shard_data_rm(in_cpp: bool) -> Case:
    """Rows to shards in the L1 of a column of cores."""
    rows, columns, cores = 16, 64, 4
    own, row_bytes = rows // cores, 2 * columns
    program = kernel.Program("shard", cores=(cores, 1))
    x = program.input("x", (rows, columns), layout="row_major")
    y = program.output("y", (rows, columns), layout="row_major", memory="l1", grid=(cores, 1))
    shard = program.circular_buffer("in0", tensor=y)
    first = kernel.per_core([own * i for i in range(cores)])

    @kernel.data_movement()
    def read(x_at: Any, first: Any, count: Any, size: Any) -> None:
        pages = kernel.tensor_accessor(x, x_at)
        kernel.cb_reserve_back(shard, count)
        l1 = kernel.get_write_ptr(shard)
        for i in kernel.range(count):
            kernel.noc_async_read_page(first + i, pages, l1 + i * size)
        kernel.noc_async_read_barrier()
        kernel.cb_push_back(shard, count)

    if in_cpp:
        reader = cpp("read_shard", kernel.DataMovement(0), compile_args=[x])
        program.add(reader, x, first, own, row_bytes)
    else:
        at = kernel.runtime
        program.add(read, at(x), first, at(own), at(row_bytes))
    values = numbers(rows, columns)
    return Case(program, {"x": values}, values)


@case
def softmax(in_cpp: bool) -> Case:
    rows, columns = 2, 3
    program = kernel.Program("softmax")
    x, y = program.input("x", (64, 96)), program.output("y", (64, 96))
    tiles, ones = program.circular_buffer("in0"), program.circular_buffer("in1", pages=1)
    out = program.circular_buffer("out0")
    exps = program.circular_buffer("int0", pages=columns)
    sums = program.circular_buffer("int1", pages=1)

    @kernel.data_movement()
    def read(x_at: Any, count: Any) -> None:
        pages = kernel.tensor_accessor(x, x_at)
        kernel.cb_reserve_back(ones, 1)
        kernel.fill_with_val(kernel.get_write_ptr(ones), 1024, 0x3F80, 2)
        kernel.cb_push_back(ones, 1)
        for page in kernel.range(count):
            kernel.cb_reserve_back(tiles, 1)
            kernel.noc_async_read_page(page, pages, kernel.get_write_ptr(tiles))
            kernel.noc_async_read_barrier()
            kernel.cb_push_back(tiles, 1)

    @kernel.compute()
    def compute() -> None:
        kernel.cb_wait_front(ones, 1)
        for _ in kernel.range(rows):
            kernel.unary_op_init_common(tiles, exps)
            kernel.exp_tile_init()
            for _ in kernel.range(columns):
                kernel.cb_wait_front(tiles, 1)
                kernel.cb_reserve_back(exps, 1)
                kernel.acquire_dst()
                kernel.copy_tile(tiles, 0, 0)
                kernel.exp_tile(0)
                kernel.pack_tile(0, exps, 0)
                kernel.release_dst()
                kernel.cb_pop_front(tiles, 1)
                kernel.cb_push_back(exps, 1)
            kernel.cb_wait_front(exps, columns)
            kernel.reduce_init(exps, ones, sums, "sum", "row")
            kernel.cb_reserve_back(sums, 1)
            kernel.acquire_dst()
            for i in kernel.range(columns):
                kernel.reduce_tile(exps, ones, i, 0, 0, "sum", "row")
            kernel.recip_tile_init()
            kernel.recip_tile(0)
            kernel.pack_tile(0, sums, 0)
            kernel.release_dst()
            kernel.reduce_uninit()
            kernel.cb_push_back(sums, 1)
            kernel.cb_wait_front(sums, 1)
            kernel.init_bcast(exps, sums, out, "mul", "col")
            for i in kernel.range(columns):
                kernel.cb_reserve_back(out, 1)
                kernel.acquire_dst()
                kernel.mul_tiles_bcast(exps, sums, i, 0, 0, "col")
                kernel.pack_tile(0, out, 0)
                kernel.release_dst()
                kernel.cb_push_back(out, 1)
            kernel.cb_pop_front(exps, columns)
            kernel.cb_pop_front(sums, 1)
        kernel.cb_pop_front(ones, 1)

    at = kernel.runtime
    if in_cpp:
        program.add(cpp("read_softmax", kernel.DataMovement(0), compile_args=[x]), x, x.pages)
        program.add(cpp("softmax", kernel.Compute(), compile_args=[rows, columns]))
        program.add(cpp("write_tiles", kernel.DataMovement(1), compile_args=[y]), y, 0, y.pages)
    else:
        program.add(read, at(x), at(x.pages))
        program.add(compute)
        program.add(write_tiles, y, out, at(y), at(0), at(y.pages))
    values = numbers(64, 96)
    e = np.exp(values.astype("f4"))
    return Case(program, {"x": values}, e / e.sum(1, keepdims=True), 0.02)
