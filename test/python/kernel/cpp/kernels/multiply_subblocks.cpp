// Multiplies blocks by parts that fit the destination registers. Sums that are
// not complete wait in c_24.
#include <cstdint>

#include "compute_kernel_api/matmul.h"
#include "compute_kernel_api/tile_move_copy.h"

namespace NAMESPACE {
void MAIN {
  constexpr uint32_t steps = get_compile_time_arg_val(0);
  constexpr uint32_t parts = get_compile_time_arg_val(1); // rows of a block
  constexpr uint32_t inner = get_compile_time_arg_val(2);
  constexpr uint32_t columns = get_compile_time_arg_val(3);
  constexpr auto cb_a = tt::CBIndex::c_0, cb_b = tt::CBIndex::c_1;
  constexpr auto cb_out = tt::CBIndex::c_16, cb_sums = tt::CBIndex::c_24;
  mm_init(cb_a, cb_b, cb_out);
  for (uint32_t step = 0; step < steps; ++step) {
    const bool last = step == steps - 1;
    cb_wait_front(cb_a, parts * inner);
    cb_wait_front(cb_b, inner * columns);
    for (uint32_t part = 0; part < parts; ++part) {
      tile_regs_acquire();
      if (step > 0) {
        copy_tile_to_dst_init_short(cb_sums);
        cb_wait_front(cb_sums, columns);
        for (uint32_t i = 0; i < columns; ++i)
          copy_tile(cb_sums, i, i);
        cb_pop_front(cb_sums, columns);
        mm_init_short(cb_a, cb_b);
      }
      for (uint32_t column = 0; column < columns; ++column)
        for (uint32_t k = 0; k < inner; ++k)
          matmul_tiles(cb_a, cb_b, part * inner + k, k * columns + column,
                       column);
      tile_regs_commit();
      const uint32_t to = last ? cb_out : cb_sums;
      cb_reserve_back(to, columns);
      tile_regs_wait();
      for (uint32_t i = 0; i < columns; ++i)
        pack_tile(i, to);
      tile_regs_release();
      cb_push_back(to, columns);
    }
    cb_pop_front(cb_a, parts * inner);
    cb_pop_front(cb_b, inner * columns);
  }
}
} // namespace NAMESPACE
