// exp(x * scale - max) / sum of rows of tiles, with the scale as a broadcast
// scalar and helpers for reductions.
#include <cstdint>

#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/eltwise_unary/recip.h"
#include "ttnn/cpp/ttnn/kernel_lib/reduce_helpers_compute.hpp"

namespace lib = compute_kernel_lib;

void kernel_main() {
  constexpr uint32_t rows = get_compile_time_arg_val(0);
  constexpr uint32_t columns = get_compile_time_arg_val(1);
  constexpr uint32_t cb_in = 0, cb_ones = 1, cb_scale = 2, cb_out = 16;
  constexpr uint32_t cb_x = 24, cb_max = 25, cb_exp = 26, cb_sum = 27;
  constexpr auto row_of_tiles = lib::ReduceInputBlockShape::row(columns);
  compute_kernel_hw_startup(cb_in, cb_scale, cb_x);
  cb_wait_front(cb_scale, 1);
  for (uint32_t row = 0; row < rows; ++row) {
    reconfig_data_format(cb_in, cb_scale);
    mul_tiles_bcast_scalar_init_short(cb_in, cb_scale);
    for (uint32_t i = 0; i < columns; ++i) {
      cb_wait_front(cb_in, 1);
      cb_reserve_back(cb_x, 1);
      acquire_dst();
      mul_tiles_bcast_scalar(cb_in, cb_scale, 0, 0, 0);
      pack_tile(0, cb_x);
      release_dst();
      cb_push_back(cb_x, 1);
      cb_pop_front(cb_in, 1);
    }

    lib::reduce<PoolType::MAX, ReduceDim::REDUCE_ROW,
                lib::ReduceInputPolicy::WaitUpfrontNoPop>(
        cb_x, cb_ones, cb_max, row_of_tiles);

    cb_wait_front(cb_max, 1);
    sub_bcast_cols_init_short(cb_x, cb_max);
    exp_tile_init<false>();
    for (uint32_t i = 0; i < columns; ++i) {
      cb_reserve_back(cb_exp, 1);
      acquire_dst();
      sub_tiles_bcast_cols(cb_x, cb_max, i, 0, 0);
      exp_tile<false>(0);
      pack_tile(0, cb_exp);
      release_dst();
      cb_push_back(cb_exp, 1);
    }
    cb_pop_front(cb_max, 1);
    cb_pop_front(cb_x, columns);

    cb_wait_front(cb_exp, columns);
    lib::reduce<PoolType::SUM, ReduceDim::REDUCE_ROW,
                lib::ReduceInputPolicy::NoWaitNoPop>(
        cb_exp, cb_ones, cb_sum, row_of_tiles, [](uint32_t dst) {
          recip_tile_init();
          recip_tile(dst);
        });

    cb_wait_front(cb_sum, 1);
    mul_bcast_cols_init_short(cb_exp, cb_sum);
    for (uint32_t i = 0; i < columns; ++i) {
      cb_reserve_back(cb_out, 1);
      acquire_dst();
      mul_tiles_bcast_cols(cb_exp, cb_sum, i, 0, 0);
      pack_tile(0, cb_out);
      release_dst();
      cb_push_back(cb_out, 1);
    }
    cb_pop_front(cb_sum, 1);
    cb_pop_front(cb_exp, columns);
  }
}
