// exp(x) / sum(exp(x)) of rows of tiles, without subtracting the maximum.
#include <cstdint>

#include "compute_kernel_api.h"
#include "compute_kernel_api/bcast.h"
#include "compute_kernel_api/eltwise_unary/recip.h"
#include "compute_kernel_api/reduce.h"

namespace NAMESPACE {

constexpr uint32_t cb_in = tt::CBIndex::c_0, cb_ones = tt::CBIndex::c_1;
constexpr uint32_t cb_out = tt::CBIndex::c_16;
constexpr uint32_t cb_exp = tt::CBIndex::c_24, cb_sum = tt::CBIndex::c_25;

ALWI void exponentials(uint32_t columns) {
  unary_op_init_common(cb_in, cb_exp);
  exp_tile_init();
  for (uint32_t i = 0; i < columns; ++i) {
    cb_wait_front(cb_in, 1);
    cb_reserve_back(cb_exp, 1);
    acquire_dst();
    copy_tile(cb_in, 0, 0);
    exp_tile(0);
    pack_tile(0, cb_exp);
    release_dst();
    cb_pop_front(cb_in, 1);
    cb_push_back(cb_exp, 1);
  }
}

void MAIN {
  constexpr uint32_t rows = get_compile_time_arg_val(0);
  constexpr uint32_t columns = get_compile_time_arg_val(1);
  cb_wait_front(cb_ones, 1);
  for (uint32_t row = 0; row < rows; ++row) {
    exponentials(columns);

    cb_wait_front(cb_exp, columns);
    reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_exp, cb_ones, cb_sum);
    cb_reserve_back(cb_sum, 1);
    acquire_dst();
    for (uint32_t i = 0; i < columns; ++i)
      reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_exp, cb_ones, i, 0,
                                                        0);
    recip_tile_init();
    recip_tile(0);
    pack_tile(0, cb_sum);
    release_dst();
    reduce_uninit();
    cb_push_back(cb_sum, 1);

    cb_wait_front(cb_sum, 1);
    init_bcast<EltwiseBinaryType::ELWMUL, BroadcastType::COL>(cb_exp, cb_sum,
                                                              cb_out);
    for (uint32_t i = 0; i < columns; ++i) {
      cb_reserve_back(cb_out, 1);
      acquire_dst();
      mul_tiles_bcast_cols(cb_exp, cb_sum, i, 0, 0);
      pack_tile(0, cb_out);
      release_dst();
      cb_push_back(cb_out, 1);
    }
    cb_pop_front(cb_exp, columns);
    cb_pop_front(cb_sum, 1);
  }
  cb_pop_front(cb_ones, 1);
}

} // namespace NAMESPACE
