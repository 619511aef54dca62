"""Kernels in C++ on several chips, and in several dispatches."""

from __future__ import annotations

import numpy as np

from ttmlir import kernel

SWAP = """
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t other = 1 - get_my_device_id();
  const auto x = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  const auto y = TensorAccessor(TensorAccessorArgs<1>(), get_arg_val<uint32_t>(1));
  const uint32_t flag = get_semaphore(get_arg_val<uint32_t>(2));
  cb_reserve_back(0, 1);
  const uint32_t local = get_write_ptr(0);
  noc_async_read_page(0, x, local);
  noc_async_read_barrier();
  fabric_async_write(local, other, y.get_noc_addr(0), 2048);
  fabric_semaphore_inc(other, get_noc_addr(my_x[noc_index], my_y[noc_index], flag), 1);
  fabric_async_write_barrier();
  noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(flag), 1);
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
}
"""

COPY = """
#include "dataflow_api.h"

void kernel_main() {
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  const auto to = TensorAccessor(TensorAccessorArgs<1>(), get_arg_val<uint32_t>(1));
  const uint32_t page = get_arg_val<uint32_t>(2);
  cb_reserve_back(0, 1);
  noc_async_read_tile(page, from, get_write_ptr(0));
  noc_async_read_barrier();
  noc_async_write_tile(page, to, get_write_ptr(0));
  noc_async_write_barrier();
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
}
"""


def test_two_chips() -> None:
    program = kernel.Program("swap", mesh=(1, 2), target="n300")
    x, y = program.input("x", (32, 32)), program.output("y", (32, 32))
    program.circular_buffer("in0", pages=1)
    swap = kernel.from_cpp(SWAP, kernel.DataMovement(0), compile_args=[x, y])
    program.add(swap, x, y, program.semaphore(0))
    zeros, ones = np.zeros((32, 32), "bfloat16"), np.ones((32, 32), "bfloat16")
    first, second = program.run(x=[zeros, ones])["y"]
    assert (first == 1).all()
    assert (second == 0).all()


def test_two_dispatches_and_shards() -> None:
    program = kernel.Program("two", cores=(1, 2))
    x, y = program.input("x", (32, 64)), program.output("y", (32, 64))
    z = program.scratch("z", (32, 64), memory="l1", grid=(1, 2))
    # Each core copies the shard of the other.
    pages = kernel.per_core([1, 0])
    program.circular_buffer("in0", pages=1)
    program.add(kernel.from_cpp(COPY, kernel.DataMovement(0), compile_args=[x, z]), x, z, pages)
    program.then()
    program.circular_buffer("in0", pages=1)
    program.add(kernel.from_cpp(COPY, kernel.DataMovement(1), compile_args=[z, y]), z, y, pages)
    values = np.arange(2048).reshape(32, 64).astype("bfloat16")
    assert (program.run(x=values)["y"] == values).all()
