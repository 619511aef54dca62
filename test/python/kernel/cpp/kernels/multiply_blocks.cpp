// Accumulates a block of the product in the destination registers.
#include <cstdint>

#include "compute_kernel_api/matmul.h"

namespace NAMESPACE {
void MAIN {
  constexpr uint32_t steps = get_compile_time_arg_val(0);
  constexpr uint32_t rows = get_compile_time_arg_val(1);
  constexpr uint32_t inner = get_compile_time_arg_val(2);
  constexpr uint32_t columns = get_compile_time_arg_val(3);
  constexpr auto cb_a = tt::CBIndex::c_0, cb_b = tt::CBIndex::c_1;
  constexpr auto cb_out = tt::CBIndex::c_16;
  mm_init(cb_a, cb_b, cb_out);
  tile_regs_acquire();
  for (uint32_t step = 0; step < steps; ++step) {
    cb_wait_front(cb_a, rows * inner);
    cb_wait_front(cb_b, inner * columns);
    for (uint32_t k = 0; k < inner; ++k)
      for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t column = 0; column < columns; ++column)
          matmul_tiles(cb_a, cb_b, row * inner + k, k * columns + column,
                       row * columns + column);
    cb_pop_front(cb_a, rows * inner);
    cb_pop_front(cb_b, inner * columns);
  }
  tile_regs_commit();
  cb_reserve_back(cb_out, rows * columns);
  tile_regs_wait();
  for (uint32_t tile = 0; tile < rows * columns; ++tile)
    pack_tile(tile, cb_out);
  tile_regs_release();
  cb_push_back(cb_out, rows * columns);
}
} // namespace NAMESPACE
