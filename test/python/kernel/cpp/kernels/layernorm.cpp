// (x - mean) / sqrt(variance + eps) * gamma + beta of rows of tiles, with the
// calls of a library kernel: broadcasts, reductions and changes of formats.
#include <cstdint>

#include "api/compute/bcast.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary/rsqrt.h"
#include "api/compute/layernorm.h"
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"

namespace NAMESPACE {

constexpr uint32_t cb_x = tt::CBIndex::c_0, cb_scaler = tt::CBIndex::c_1;
constexpr uint32_t cb_eps = tt::CBIndex::c_2, cb_gamma = tt::CBIndex::c_3;
constexpr uint32_t cb_beta = tt::CBIndex::c_4, cb_out = tt::CBIndex::c_16;
constexpr uint32_t cb_mean = tt::CBIndex::c_24, cb_centred = tt::CBIndex::c_25;
constexpr uint32_t cb_square = tt::CBIndex::c_26, cb_var = tt::CBIndex::c_27;
constexpr uint32_t cb_scale = tt::CBIndex::c_28, cb_normal = tt::CBIndex::c_29;
constexpr uint32_t columns = get_compile_time_arg_val(1);

/// Packs register 0 to a buffer after `compute`.
template <typename Compute> ALWI void one_tile(uint32_t to, Compute compute) {
  tile_regs_acquire();
  compute();
  tile_regs_commit();
  cb_reserve_back(to, 1);
  tile_regs_wait();
  pack_tile(0, to);
  tile_regs_release();
  cb_push_back(to, 1);
}

ALWI void sum_of_row(uint32_t from, uint32_t to) {
  cb_wait_front(from, columns);
  reconfig_data_format(from, cb_scaler);
  pack_reconfig_data_format(to);
  reduce_init_delta<false, PoolType::SUM, ReduceDim::REDUCE_ROW>(
      from, cb_scaler, to);
  one_tile(to, [&] {
    for (uint32_t i = 0; i < columns; ++i)
      reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(from, cb_scaler, i, 0,
                                                        0);
  });
  reduce_revert_delta(to);
}

void MAIN {
  binary_op_init_common(cb_x, cb_scaler, cb_out);
  cb_wait_front(cb_scaler, 1);
  cb_wait_front(cb_eps, 1);
  cb_wait_front(cb_gamma, columns);
  cb_wait_front(cb_beta, columns);
  for (uint32_t row = 0; row < get_compile_time_arg_val(0); ++row) {
    sum_of_row(cb_x, cb_mean);

    cb_wait_front(cb_mean, 1);
    reconfig_data_format(cb_scaler, cb_x, cb_scaler, cb_mean);
    pack_reconfig_data_format(cb_mean, cb_centred);
    sub_bcast_cols_init_short(cb_x, cb_mean);
    for (uint32_t i = 0; i < columns; ++i)
      one_tile(cb_centred,
               [&] { sub_tiles_bcast_cols(cb_x, cb_mean, i, 0, 0); });
    cb_pop_front(cb_mean, 1);
    cb_pop_front(cb_x, columns);

    cb_wait_front(cb_centred, columns);
    reconfig_data_format_srca(cb_centred);
    reconfig_data_format_srcb(cb_mean, cb_centred);
    mul_tiles_init(cb_centred, cb_centred);
    for (uint32_t i = 0; i < columns; ++i)
      one_tile(cb_square, [&] { mul_tiles(cb_centred, cb_centred, i, i, 0); });
    sum_of_row(cb_square, cb_var);
    cb_pop_front(cb_square, columns);

    cb_wait_front(cb_var, 1);
    reconfig_data_format(cb_var, cb_eps);
    pack_reconfig_data_format(cb_scale);
    add_tiles_init(cb_var, cb_eps);
    one_tile(cb_scale, [&] {
      add_tiles(cb_var, cb_eps, 0, 0, 0);
      sqrt_tile_init();
      sqrt_tile(0);
      recip_tile_init();
      recip_tile(0);
    });
    cb_pop_front(cb_var, 1);

    cb_wait_front(cb_scale, 1);
    reconfig_data_format(cb_centred, cb_scale);
    pack_reconfig_data_format(cb_normal);
    mul_bcast_cols_init_short(cb_centred, cb_scale);
    for (uint32_t i = 0; i < columns; ++i)
      one_tile(cb_normal,
               [&] { mul_tiles_bcast_cols(cb_centred, cb_scale, i, 0, 0); });
    cb_pop_front(cb_scale, 1);
    cb_pop_front(cb_centred, columns);

    reconfig_data_format_srcb(cb_gamma);
    for (uint32_t i = 0; i < columns; ++i) {
      cb_wait_front(cb_normal, 1);
      mul_bcast_rows_init_short(cb_normal, cb_gamma);
      one_tile(cb_square,
               [&] { mul_tiles_bcast_rows(cb_normal, cb_gamma, 0, i, 0); });
      cb_pop_front(cb_normal, 1);
      cb_wait_front(cb_square, 1);
      add_bcast_rows_init_short(cb_square, cb_beta);
      pack_reconfig_data_format(cb_out);
      one_tile(cb_out,
               [&] { add_tiles_bcast_rows(cb_square, cb_beta, 0, i, 0); });
      pack_reconfig_data_format(cb_normal);
      cb_pop_front(cb_square, 1);
    }
  }
}

} // namespace NAMESPACE
