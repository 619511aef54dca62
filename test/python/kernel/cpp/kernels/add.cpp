// Adds tiles, as kernels of 2024 are written.
#include <cstdint>

#include "compute_kernel_api/eltwise_binary.h"
#include "compute_kernel_api/tile_move_copy.h"

namespace NAMESPACE {
void MAIN {
  uint32_t first = get_arg_val<uint32_t>(0);
  uint32_t end = get_arg_val<uint32_t>(1);
  constexpr auto cb_a = tt::CBIndex::c_0;
  constexpr auto cb_b = tt::CBIndex::c_1;
  constexpr auto cb_out = tt::CBIndex::c_16;
  binary_op_init_common(cb_a, cb_b, cb_out);
  OPERATION_init(cb_a, cb_b);
  for (uint32_t i = first; i < end; i++) {
    cb_wait_front(cb_a, 1);
    cb_wait_front(cb_b, 1);
    tile_regs_acquire();
    OPERATION(cb_a, cb_b, 0, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(cb_out, 1);
    pack_tile(0, cb_out);
    cb_push_back(cb_out, 1);
    cb_pop_front(cb_a, 1);
    cb_pop_front(cb_b, 1);
    tile_regs_release();
  }
}
} // namespace NAMESPACE
