"""The steps of a top-k, as a kernel composes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttmlir import kernel

GENERATOR = np.random.default_rng(20261130)
TILES, K = 8, 32

COMPUTE = r"""
#include "compute_kernel_api/common.h"
#include "compute_kernel_api.h"

namespace NAMESPACE {
void MAIN {
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  constexpr bool least = get_compile_time_arg_val(1);
  constexpr auto values = tt::CBIndex::c_0, indices = tt::CBIndex::c_1;
  init_sfpu(values, tt::CBIndex::c_16);
  topk_tile_init();
  tile_regs_acquire();
  for (uint32_t i = 0; i < tiles; ++i) {
    cb_wait_front(values, 1);
    cb_wait_front(indices, 1);
    const uint32_t at = i ? 1 : 0;
    copy_tile_to_dst_init_short(values);
    copy_tile(values, 0, at);
    copy_tile_to_dst_init_short(indices);
    copy_tile(indices, 0, 2 + at);
    cb_pop_front(values, 1);
    cb_pop_front(indices, 1);
    if (i == 0)
      continue;
    ckernel::topk_local_sort(0, (int)least, 4);
    ckernel::topk_merge<least>(0, 0, 32);
  }
  ckernel::topk_rebuild(0, (uint32_t)least, 0, 32, 5, true);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(tt::CBIndex::c_16, 1);
  pack_tile(0, tt::CBIndex::c_16);
  cb_push_back(tt::CBIndex::c_16, 1);
  cb_reserve_back(tt::CBIndex::c_17, 1);
  pack_tile(2, tt::CBIndex::c_17);
  cb_push_back(tt::CBIndex::c_17, 1);
  tile_regs_release();
}
} // namespace NAMESPACE
"""


def of_columns(least: bool, source: Path | None = None) -> kernel.Program:
    """The 32 greatest or least of the 256 numbers of each column, and the rows they come from."""
    program = kernel.Program("topk")
    shape = (32 * TILES, 32)
    x, rows = program.input("x", shape, "bf16"), program.input("rows", shape, "bf16")
    found = program.output("found", (32, 32), "bf16")
    places = program.output("places", (32, 32), "bf16")
    values, indices = program.circular_buffer("in0", "bf16"), program.circular_buffer("in1", "bf16")
    out, out_rows = program.circular_buffer("out0", "bf16"), program.circular_buffer("out1", "bf16")

    @kernel.data_movement(noc=0)
    def reader() -> None:
        for i in kernel.range(TILES):
            for tensor, buffer in ((x, values), (rows, indices)):
                kernel.cb_reserve_back(buffer, 1)
                address = kernel.get_write_ptr(buffer)
                kernel.noc_async_read_page(i, kernel.tensor_accessor(tensor), address)
                kernel.noc_async_read_barrier()
                kernel.cb_push_back(buffer, 1)

    @kernel.compute()
    def compute() -> None:
        kernel.init_sfpu(values, out)
        kernel.topk_tile_init()
        kernel.tile_regs_acquire()
        for i in range(TILES):
            for buffer, register in ((values, 0), (indices, 2)):
                kernel.cb_wait_front(buffer, 1)
                kernel.copy_tile_init(buffer)
                kernel.copy_tile(buffer, 0, register + min(i, 1))
                kernel.cb_pop_front(buffer, 1)
            if i == 0:
                continue
            kernel.topk_local_sort(0, int(least), 4, 0)
            kernel.topk_merge(0, 0, K, idir=least)
        kernel.topk_rebuild(0, int(least), 0, K, 5, 1)
        kernel.tile_regs_commit()
        kernel.tile_regs_wait()
        for buffer, register in ((out, 0), (out_rows, 2)):
            kernel.cb_reserve_back(buffer, 1)
            kernel.pack_tile(register, buffer)
            kernel.cb_push_back(buffer, 1)
        kernel.tile_regs_release()

    @kernel.data_movement(noc=1)
    def writer() -> None:
        for tensor, buffer in ((found, out), (places, out_rows)):
            kernel.cb_wait_front(buffer, 1)
            address = kernel.get_read_ptr(buffer)
            kernel.noc_async_write_page(0, kernel.tensor_accessor(tensor), address)
            kernel.noc_async_write_barrier()
            kernel.cb_pop_front(buffer, 1)

    program.add(reader)
    if source:
        source.write_text(COMPUTE, encoding="utf-8")
        arguments = [TILES, int(least)]
        program.add(kernel.from_cpp(source, kernel.Compute(), compile_args=arguments))
    else:
        program.add(compute)
    program.add(writer)
    return program


@pytest.mark.parametrize("numerics", ["fast", "exact"])
@pytest.mark.parametrize("least", [False, True])
@pytest.mark.parametrize("in_cpp", [False, True], ids=["python", "cpp"])
def test_top_32_of_256(numerics: str, least: bool, in_cpp: bool, tmp_path: Path) -> None:
    x = GENERATOR.normal(size=(32 * TILES, 32)).astype("bfloat16")
    rows = np.broadcast_to(np.arange(32 * TILES)[:, None], x.shape).astype("bfloat16")
    program = of_columns(least, tmp_path / "topk.cpp" if in_cpp else None)
    result: Any = program.run(numerics=numerics, x=x, rows=rows)
    found, places = result["found"].astype("f4"), result["places"].astype(int)
    ordered = np.sort(x.astype("f4"), axis=0)
    np.testing.assert_array_equal(found, ordered[:K] if least else ordered[::-1][:K])
    np.testing.assert_array_equal(np.take_along_axis(x.astype("f4"), places, 0), found)
    assert all(len(set(column)) == K for column in places.T)
