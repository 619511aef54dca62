// A product with the names of 2026, added to a tile that the destination holds.
#include <cstdint>

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/matmul.h"
#include "api/compute/tile_move_copy.h"
#include "experimental/circular_buffer.h"

void kernel_main() {
  constexpr uint32_t inner = get_named_compile_time_arg_val("inner");
  experimental::CircularBuffer a(0), b(1), c(2), out(16);
  compute_kernel_hw_startup(0, 1, 16);
  a.wait_front(inner);
  b.wait_front(inner);
  c.wait_front(1);
  tile_regs_acquire();
  reconfig_data_format_srca(2);
  copy_init(2);
  copy_tile(2, 0, 0);
  reconfig_data_format(0, 1);
  matmul_init(0, 1);
  for (uint32_t i = 0; i < inner; ++i)
    matmul_tile(0, 1, i, i, 0);
  tile_regs_commit();
  out.reserve_back(1);
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  out.push_back(1);
  a.pop_front(inner);
  b.pop_front(inner);
  c.pop_front(1);
}
