// Calls of the functions of compute kernels, in the forms of 2024 and 2026;
// none of them is executed.
#include <cstdint>

#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tilize.h"
#include "compute_kernel_api.h"

void kernel_main() {
  if (get_arg_val<uint32_t>(0) == 0)
    return;
  compute_kernel_hw_startup(0, 1, 16);
  compute_kernel_hw_startup(0, 16);
  binary_op_init_common(0, 1, 16);
  unary_op_init_common(0, 16);
  init_sfpu(0, 16);
  reconfig_data_format(0, 1);
  reconfig_data_format(0, 1, 2, 3);
  reconfig_data_format_srca(0);
  reconfig_data_format_srcb(0, 1);
  pack_reconfig_data_format(16);
  pack_reconfig_data_format(16, 17);
  pack_reconfig_l1_acc(1);
  unpack_reconfig_data_format_srca(0, 1);
  acquire_dst();
  release_dst();
  copy_init(0);
  copy_tile_init(0);
  copy_tile_to_dst_init_short();
  copy_tile_to_dst_init_short_with_dt(0, 1);
  copy_block_matmul_partials(0, 0, 0, 2);
  copy_tile(0, 0, 0);
  pack_tile(0, 16);
  pack_tile<true>(0, 16, 1);
  pack_tile_block(0, 16, 2);
  matmul_pack_tile(0, 16, 2);
  add_tiles_init();
  sub_tiles_init(0, 1, true);
  mul_tiles_init(0, 1);
  binary_tiles_init<true, EltwiseBinaryType::ELWSUB>(0, 1);
  init_bcast<ELWADD, BroadcastType::ROW>(0, 1, 16);
  add_bcast_rows_init_short(0, 1);
  sub_bcast_cols_init_short(0, 1);
  mul_bcast_cols_init_short(0, 1);
  mul_tiles_bcast_scalar_init_short(0, 1);
  add_tiles_bcast_rows(0, 1, 0, 0, 0);
  sub_tiles_bcast_cols(0, 1, 0, 0, 0);
  mul_tiles_bcast_scalar(0, 1, 0, 0, 0);
  add_tiles_bcast<BroadcastType::COL>(0, 1, 0, 0, 0);
  unary_bcast_init<BroadcastType::ROW>(0, 16);
  unary_bcast<BroadcastType::ROW>(0, 0, 0);
  binary_dest_reuse_tiles_init<ELWADD,
                               EltwiseBinaryReuseDestType::DEST_TO_SRCA>(0);
  binary_dest_reuse_tiles<EltwiseBinaryType::ELWMUL,
                          EltwiseBinaryReuseDestType::DEST_TO_SRCB>(0, 0, 0);
  mm_init();
  mm_init(0, 1, 16, 1);
  mm_init_short(0, 1);
  mm_init_short_with_dt(0, 1, 2);
  matmul_init(0, 1);
  matmul_tile(0, 1, 0, 0, 0);
  matmul_tiles(0, 1, 0, 0, 0, false);
  mm_block_init(0, 1, 16, false, 2, 2, 2);
  mm_block_init_short(0, 1, false, 2, 2, 2);
  mm_block_init_short_with_dt(0, 1, 2, false, 2, 2, 2);
  matmul_block(0, 1, 0, 0, 0, false, 2, 2, 2);
  reduce_init<PoolType::MAX, ReduceDim::REDUCE_COL>(0, 1, 16);
  reduce_init_delta<false>(0, 1, 16);
  reduce_tile<PoolType::MAX, ReduceDim::REDUCE_COL>(0, 1, 0, 0, 0);
  reduce_tile(0, 1, 0, 0, 0);
  reduce_revert_delta();
  reduce_uninit();
  transpose_wh_init(0, 16);
  transpose_wh_init_short(0);
  transpose_wh_tile(0, 0, 0);
  tilize_init(0, 2, 16);
  tilize_block(0, 2, 16);
  tilize_uninit(0, 16);
  untilize_init(0, 16);
  untilize_block(0, 2, 16);
  untilize_uninit(0);
  exp_tile_init<true, false>();
  exp_tile<true>(0);
  ckernel::exp_tile(0);
  ckernel::reduce_tile<ckernel::PoolType::MAX, ckernel::ReduceDim::REDUCE_COL>(
      0, 1, 0, 0, 0);
  gelu_tile<false>(0);
  rsqrt_tile(0);
  recip_tile(0);
  typecast_tile_init<0u, 5u>();
  typecast_tile<(uint32_t)DataFormat::Float32,
                (uint32_t)DataFormat::Float16_b>(0);
  fill_tile(0, 1.5f);
  fill_tile_int(0, 3);
  fill_tile_bitcast(0, 0x3f800000);
  power_tile(0, 0x40000000);
  where_tile(0, 1, 2, 3);
  add_binary_tile(0, 1, 0);
  binop_with_scalar_tile_init();
  add_unary_tile(0, 0x3f800000);
  sub_unary_tile(0, 0x3f800000);
  mul_unary_tile(0, 0x3f800000);
  div_unary_tile(0, 0x3f800000);
  rsub_unary_tile(0, 0x3f800000);
  add_unary_tile_int32(0, 3);
  sub_unary_tile_int32(0, 3);
  eqz_tile_init();
  eqz_tile(0);
  gez_tile_init();
  gez_tile_int32(0);
  add_int_tile_init();
  add_int_tile<DataFormat::Int32>(0, 1, 2);
  mul_int_tile_init();
  mul_int_tile<DataFormat::UInt16>(0, 1, 2);
  abs_tile_int32(0);
  negative_tile_int32(0);
  relu_tile_int32(0);
  copy_dest_values_init();
  copy_dest_values<DataFormat::Float32>(0, 1);
  rand_tile_init(7);
  rand_tile(0, 0, 0x3f800000);
  sfpu_reduce_init<PoolType::MAX, DataFormat::Float32>();
  sfpu_reduce<PoolType::MAX, DataFormat::Float32, ReduceDim::REDUCE_COL>(0);
  topk_tile_init();
  topk_local_sort(0, 0, 4);
  topk_local_sort(0, 1, 4, 2);
  topk_merge(0, 0, 32);
  topk_merge<true>(0, 0, 32);
  topk_rebuild(0, 0, 0, 32, 5, true);
  max_reduce_with_indices_init();
  max_reduce_with_indices<9>(0, 2);
  max_reduce_with_indices<32>(0, 2, 1);
  pack_untilize_init<2>(0, 16);
  pack_untilize_init<2, 4>(0, 16);
  pack_untilize_block<2>(0, 1, 16);
  pack_untilize_block<2, 4>(0, 1, 16, 1);
  pack_untilize_uninit(16);
  pack_untilize_dest_init<2>(16);
  pack_untilize_dest<2, 4>(16, 1, 1);
  MATH(DPRINT << "math" << ENDL());
  DPRINT_PACK(DPRINT << "pack" << ENDL());
}
