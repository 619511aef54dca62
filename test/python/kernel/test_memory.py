"""What kernels read that nothing has written, leave unwritten, or reach beyond their tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mistakes import drop

import ttmlir
from ttmlir import errors, kernel

Body = Callable[[kernel.Tensor, kernel.Tensor, kernel.Value], None]


def program_of(
    body: Body, shape: tuple[int, int] = (64, 96), dtype: str = "bf16", **place: Any
) -> kernel.Program:
    """`body` is given x, y and the address of two reserved pages, which hold zeros."""

    @kernel.data_movement()
    def run(x: kernel.Tensor, y: kernel.Tensor, pages: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(pages, 2)
        address = kernel.get_write_ptr(pages)
        kernel.fill_with_val(address, 2 * pages.page_size // 4, 0, 4)
        body(x, y, address)
        kernel.noc_async_read_barrier()
        kernel.noc_async_write_barrier()
        drop(pages, 2)

    program = kernel.Program("memory")
    x, y = program.input("x", shape, dtype), program.output("y", shape, dtype, **place)
    program.add(run, x, y, program.circular_buffer("in0", dtype))
    return program


def copy(
    x: kernel.Tensor, y: kernel.Tensor, address: kernel.Value, pages: int, shift: int = 0
) -> None:
    source, target = kernel.tensor_accessor(x), kernel.tensor_accessor(y)
    for page in kernel.range(pages):
        kernel.noc_async_read_page(page, source, address)
        kernel.noc_async_read_barrier()
        kernel.noc_async_write_page(page + shift, target, address)
        kernel.noc_async_write_barrier()


def numbers(shape: tuple[int, int] = (64, 96)) -> Any:
    return np.arange(1, 1 + shape[0] * shape[1]).reshape(shape).astype("bfloat16")


def nothing(x: kernel.Tensor, y: kernel.Tensor, address: kernel.Value) -> None:
    pass


def everything(x: kernel.Tensor, y: kernel.Tensor, address: kernel.Value) -> None:
    copy(x, y, address, x.pages)


def test_an_output_that_no_kernel_writes() -> None:
    """Also where an earlier program has left its numbers."""
    program, x = program_of(nothing), numbers()
    assert (program_of(everything).run(x=x)["y"] == x).all()
    with pytest.raises(errors.UninitializedReadFault, match="in 6 of 6 tiles") as caught:
        program.run(x=x)
    assert "output 0" in str(caught.value)
    assert caught.value.bytes == 64 * 96 * 2
    assert not program.run(x=x, checks=False)["y"].any()


@pytest.mark.parametrize("shape", [(64, 96), (17, 40), (4096, 33)])
def test_an_output_that_is_written_in_part(shape: tuple[int, int]) -> None:
    tiles = -(-shape[0] // 32) * -(-shape[1] // 32)
    program = program_of(lambda x, y, address: copy(x, y, address, x.pages - 1), shape)
    message = f"in 1 of {tiles} tiles, from tile {tiles - 1} on"
    with pytest.raises(errors.UninitializedReadFault, match=message):
        program.run(x=numbers(shape))
    assert (program_of(everything, shape).run(x=numbers(shape))["y"] == numbers(shape)).all()


def test_an_output_in_l1_that_no_kernel_writes() -> None:
    program = program_of(nothing, memory="l1", grid=(2, 1))
    with pytest.raises(errors.UninitializedReadFault, match=r"output 0.*in 6 of 6 tiles"):
        program.run(x=numbers())
    assert not program.run(x=numbers(), checks=False)["y"].any()


@pytest.mark.parametrize("memory", ["dram", "l1"])
def test_scratch_that_nothing_has_written(memory: str) -> None:
    @kernel.data_movement()
    def read(scratch: kernel.Tensor, y: kernel.Tensor, pages: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(pages, 1)
        copy(scratch, y, kernel.get_write_ptr(pages), 1)
        drop(pages)

    program = kernel.Program("scratch")
    scratch, y = program.scratch("s", (32, 32), memory=memory), program.output("y", (32, 32))
    program.add(read, scratch, y, program.circular_buffer("in0"))
    with pytest.raises(errors.UninitializedReadFault) as caught:
        program.run()
    assert (caught.value.kernel, caught.value.bytes) == ("read", 2048)
    assert "test_memory.py" in caught.value.location
    assert not program.run(checks=False)["y"].any()


def test_scratch_goes_from_one_dispatch_to_the_next() -> None:
    """What kernels have written stays written; a tensor that only they use has any size."""

    @kernel.data_movement()
    def move(x: kernel.Tensor, y: kernel.Tensor, pages: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(pages, 1)
        copy(x, y, kernel.get_write_ptr(pages), x.pages)
        drop(pages)

    for memory in ("dram", "l1"):
        program = kernel.Program("stages")
        x, y = program.input("x", (64, 96)), program.output("y", (64, 96))
        scratch = program.scratch("s", (64, 96), memory=memory)
        program.add(move, x, scratch, program.circular_buffer("in0"))
        program.then()
        program.add(move, scratch, y, program.circular_buffer("in0"))
        assert (program.run(x=numbers())["y"] == numbers()).all()


@pytest.mark.parametrize("shape", [(64, 96), (1024, 2048)])
@pytest.mark.parametrize("beyond", [0, 1, 1000, 10**6, -1])
@pytest.mark.parametrize("writes", [False, True])
def test_pages_beyond_a_tensor(shape: tuple[int, int], beyond: int, writes: bool) -> None:
    pages = shape[0] * shape[1] // 1024
    page = -1 if beyond < 0 else pages + beyond

    def reach(x: kernel.Tensor, y: kernel.Tensor, address: kernel.Value) -> None:
        if writes:
            kernel.noc_async_write_page(page, kernel.tensor_accessor(y), address)
        else:
            kernel.noc_async_read_page(page, kernel.tensor_accessor(x), address)

    extents = f"{shape[0]}x{shape[1]}"
    message = rf"expected a page of tensor \d \({extents} .* below {pages}, found {page}"
    with pytest.raises(errors.OutOfBoundsFault, match=message) as caught:
        program_of(reach, shape).run(x=numbers(shape))
    assert (caught.value.kernel, caught.value.thread) == ("run", "noc0")
    assert "test_memory.py" in caught.value.location


def test_other_tensors_do_not_change() -> None:
    """13 pages to a tensor of one: page 12 would be the first of the next tensor."""

    @kernel.data_movement()
    def spill(y: kernel.Tensor, z: kernel.Tensor, pages: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(pages, 1)
        address = kernel.get_write_ptr(pages)
        kernel.fill_with_val(address, 512, 7, 4)
        kernel.noc_async_write_page(0, kernel.tensor_accessor(z), address)
        for page in kernel.range(13):
            kernel.noc_async_write_page(page, kernel.tensor_accessor(y), address)

    program = kernel.Program("spill")
    y, z = program.output("y", (32, 32)), program.output("z", (32, 32))
    program.add(spill, y, z, program.circular_buffer("in0"))
    with pytest.raises(errors.OutOfBoundsFault, match="below 1, found 1"):
        program.run()


@pytest.mark.parametrize(
    ("offset", "bytes", "place"),
    [(2048, 64, "are after"), (2016, 64, "cross the end of"), (1 << 28, 64, "are after")],
)
def test_addresses_outside_of_tensors(offset: int, bytes: int, place: str) -> None:
    def reach(x: kernel.Tensor, y: kernel.Tensor, address: kernel.Value) -> None:
        # The output is the last tensor in memory, with a tile in each channel.
        there = kernel.get_noc_addr_from_bank_id(3, y.address + offset, True)
        kernel.noc_async_read(there, address, bytes)

    with pytest.raises(errors.OutOfBoundsFault, match=f"they {place} tensor") as caught:
        program_of(reach).run(x=numbers())
    assert caught.value.bytes == bytes
    assert "DRAM channel 3" in str(caught.value)


def test_circular_buffers_do_not_show_what_was_there() -> None:
    """Without checks a page that nothing has written holds zeros."""

    @kernel.data_movement()
    def show(y: kernel.Tensor, pages: kernel.CircularBuffer, fills: int) -> None:
        kernel.cb_reserve_back(pages, 1)
        address = kernel.get_write_ptr(pages)
        kernel.dprint("{}", kernel.load_from_l1(address, 4))
        kernel.fill_with_val(address, 512, fills, 4)
        kernel.cb_push_back(pages, 1)

    lines = []
    for _ in range(2):
        program = kernel.Program("show")
        y = program.output("y", (32, 32))
        program.add(show, y, program.circular_buffer("in0"), 42)
        lines.append([line.text for line in program.run(checks=False).prints])
    assert lines == [["0"], ["0"]]


RETURNED = """
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
func.func @main() -> tensor<64x128xf32, #host> {
  %0 = tensor.empty() : tensor<64x128xf32, #host>
  return %0 : tensor<64x128xf32, #host>
}
"""


def test_host_tensors_that_nothing_wrote() -> None:
    """They are zeros where a library made them, and an error where no command wrote them."""
    junk = [np.full((64, 128), 7, "float32") for _ in range(50)]
    del junk
    assert not ttmlir.compile(RETURNED, backend="ttnn")().any()
    program = ttmlir.compile(RETURNED, backend="ttmetal")
    with pytest.raises(errors.Error, match=r"output 0: .* was never written"):
        program()


def test_the_message_names_the_pages() -> None:
    program = program_of(lambda x, y, address: copy(x, y, address, 2, shift=1))
    message = "no kernel has written 8192 bytes, in 4 of 6 tiles, from tile 0 on"
    with pytest.raises(errors.UninitializedReadFault, match=message):
        program.run(x=numbers())
