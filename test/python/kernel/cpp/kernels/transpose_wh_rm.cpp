// Tilizes rows of scalars, transposes each tile, and untilizes a column of
// tiles in the packer.
#include <cstdint>

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/transpose_wh.h"
#include "ttnn/cpp/ttnn/kernel_lib/tilize_helpers.hpp"

namespace NAMESPACE {
void MAIN {
  constexpr uint32_t Ht = get_compile_time_arg_val(0);
  constexpr uint32_t Wt = get_compile_time_arg_val(1);
  constexpr uint32_t cb_in = 0, cb_tiles = 24, cb_out = 16;
  compute_kernel_hw_startup(cb_in, cb_tiles);
  compute_kernel_lib::tilize(cb_in, Wt, cb_tiles, Ht);

  cb_wait_front(cb_tiles, Ht * Wt);
  reconfig_data_format_srca(cb_in, cb_tiles);
  pack_reconfig_data_format(cb_tiles, cb_out);
  transpose_wh_init_short(cb_tiles);
  pack_untilize_dest_init<Ht>(cb_out);
  for (uint32_t w = 0; w < Wt; ++w) {
    tile_regs_acquire();
    for (uint32_t h = 0; h < Ht; ++h)
      transpose_wh_tile(cb_tiles, h * Wt + w, h);
    tile_regs_commit();
    cb_reserve_back(cb_out, Ht);
    tile_regs_wait();
    pack_untilize_dest<Ht>(cb_out);
    tile_regs_release();
    cb_push_back(cb_out, Ht);
  }
  pack_untilize_uninit(cb_out);
  cb_pop_front(cb_tiles, Ht * Wt);
}
} // namespace NAMESPACE
