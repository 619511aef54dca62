// The library of compute kernels.
#ifndef TTK_COMPUTE_H
#define TTK_COMPUTE_H

#ifndef TTK_COMPUTE
#error                                                                         \
    "this header is for compute kernels: expected api/dataflow/dataflow_api.h in a data movement kernel"
#endif

/// The library has its functions and enumerations for tiles in this namespace,
/// and uses it.
inline namespace ckernel {
enum class EltwiseBinaryType { ELWADD, ELWSUB, ELWMUL };
enum class EltwiseBinaryReuseDestType { DEST_TO_SRCA, DEST_TO_SRCB };
enum class BroadcastType { NONE, ROW, COL, SCALAR };
enum class PoolType { SUM, AVG, MAX, MIN };
enum class ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
inline constexpr EltwiseBinaryType ELWADD = EltwiseBinaryType::ELWADD,
                                   ELWSUB = EltwiseBinaryType::ELWSUB,
                                   ELWMUL = EltwiseBinaryType::ELWMUL;
using BcastType = BroadcastType;
} // namespace ckernel

#include "ttk/core.h"

#ifndef REDUCE_OP
#define REDUCE_OP PoolType::SUM
#endif
#ifndef REDUCE_DIM
#define REDUCE_DIM ReduceDim::REDUCE_ROW
#endif

namespace ttk {
TTK_API void wholeTiles(std::uint32_t face_rows, std::uint32_t faces,
                        TTK_PLACE) {
  if (face_rows != 16 || faces != 4)
    refuse("pack_untilize_dest of parts of a tile is not supported by the "
           "emulator: expected 4 faces of 16 rows",
           ttk_place);
}
} // namespace ttk

inline namespace ckernel {

enum class VectorMode { None, R, C, RC = 4, RC_custom = 6, Invalid = 255 };

//===----------------------------------------------------------------------===//
// Setup
//===----------------------------------------------------------------------===//

TTK_API void compute_kernel_hw_startup(std::uint32_t in0_cb,
                                       std::uint32_t in1_cb,
                                       std::uint32_t out_cb, TTK_PLACE) {
  ttk::issue(106, ttk_place, in0_cb, in1_cb, out_cb);
}
TTK_API void compute_kernel_hw_startup(std::uint32_t in_cb,
                                       std::uint32_t out_cb, TTK_PLACE) {
  ttk::issue(106, ttk_place, in_cb, in_cb, out_cb);
}

TTK_API void reconfig_data_format(std::uint32_t a, std::uint32_t b, TTK_PLACE) {
  ttk::issue(101, ttk_place, a, b);
}
/// Configures the formats of the new buffers; the old ones are ignored.
TTK_API void reconfig_data_format(std::uint32_t old_a, std::uint32_t new_a,
                                  std::uint32_t old_b, std::uint32_t new_b,
                                  TTK_PLACE) {
  ttk::issue(101, ttk_place, new_a, new_b);
}
TTK_API void reconfig_data_format_srca(std::uint32_t cb, TTK_PLACE) {
  ttk::issue(102, ttk_place, cb);
}
TTK_API void reconfig_data_format_srca(std::uint32_t old_cb, std::uint32_t cb,
                                       TTK_PLACE) {
  ttk::issue(102, ttk_place, cb);
}
TTK_API void reconfig_data_format_srcb(std::uint32_t cb, TTK_PLACE) {
  ttk::issue(103, ttk_place, cb);
}
TTK_API void reconfig_data_format_srcb(std::uint32_t old_cb, std::uint32_t cb,
                                       TTK_PLACE) {
  ttk::issue(103, ttk_place, cb);
}
template <bool is_tile_dim_reconfig_en = false>
TTK_API void pack_reconfig_data_format(std::uint32_t cb, TTK_PLACE) {
  ttk::issue(99, ttk_place, cb);
}
template <bool is_tile_dim_reconfig_en = false>
TTK_API void pack_reconfig_data_format(std::uint32_t old_cb, std::uint32_t cb,
                                       TTK_PLACE) {
  ttk::issue(99, ttk_place, cb);
}
TTK_API void pack_reconfig_l1_acc(std::uint32_t enable, TTK_PLACE) {
  ttk::issue(100, ttk_place, enable);
}
/// Names of 2024.
TTK_API void unpack_reconfig_data_format(std::uint32_t a, std::uint32_t b,
                                         TTK_PLACE) {
  ttk::issue(101, ttk_place, a, b);
}
TTK_API void unpack_reconfig_data_format(std::uint32_t, std::uint32_t a,
                                         std::uint32_t, std::uint32_t b,
                                         TTK_PLACE) {
  ttk::issue(101, ttk_place, a, b);
}
TTK_API void unpack_reconfig_data_format_srca(std::uint32_t cb, TTK_PLACE) {
  ttk::issue(102, ttk_place, cb);
}
TTK_API void unpack_reconfig_data_format_srca(std::uint32_t, std::uint32_t cb,
                                              TTK_PLACE) {
  ttk::issue(102, ttk_place, cb);
}
TTK_API void unpack_reconfig_data_format_srcb(std::uint32_t cb, TTK_PLACE) {
  ttk::issue(103, ttk_place, cb);
}
TTK_API void unpack_reconfig_data_format_srcb(std::uint32_t, std::uint32_t cb,
                                              TTK_PLACE) {
  ttk::issue(103, ttk_place, cb);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TTK_API void copy_tile_init(std::uint32_t cb, TTK_PLACE) {
  ttk::issue(104, ttk_place, cb);
}
TTK_API void copy_init(std::uint32_t cb, TTK_PLACE) {
  ttk::issue(104, ttk_place, cb);
}
TTK_API void copy_tile_to_dst_init_short(std::uint32_t cb = 0,
                                         std::uint32_t transpose = 0,
                                         TTK_PLACE) {
  if (transpose)
    ttk::refuse("copy_tile_to_dst_init_short with a transposition is not "
                "supported by the emulator: expected transpose_wh_tile",
                ttk_place);
  ttk::issue(104, ttk_place, cb);
}
TTK_API void copy_tile_to_dst_init_short_with_dt(std::uint32_t old_cb,
                                                 std::uint32_t cb,
                                                 std::uint32_t transpose = 0,
                                                 TTK_PLACE) {
  ttk::issue(102, ttk_place, cb);
  copy_tile_to_dst_init_short(cb, transpose, ttk_place);
}
TTK_API void copy_block_matmul_partials(std::uint32_t cb, std::uint32_t tile,
                                        std::uint32_t dst, std::uint32_t count,
                                        TTK_PLACE) {
  for (std::uint32_t i = 0; i < count; ++i)
    ttk::issue(105, ttk_place, cb, tile + i, dst + i);
}

template <bool out_of_order_output = false, bool untilize = false>
TTK_API void pack_tile(std::uint32_t dst_index, std::uint32_t out_cb,
                       std::uint32_t out_index = 0, TTK_PLACE) {
  static_assert(!untilize, "pack_tile that untilizes is not supported by the "
                           "emulator");
  ttk::issue(97, ttk_place, dst_index, out_cb, out_index, out_of_order_output);
}
TTK_API void matmul_pack_tile(std::uint32_t dst_index, std::uint32_t out_cb,
                              std::uint32_t count, TTK_PLACE) {
  ttk::issue(98, ttk_place, dst_index, out_cb, count);
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

#define TTK_ARITHMETIC(word, init)                                             \
  TTK_API void word##_tiles_init(std::uint32_t in0_cb = 0,                     \
                                 std::uint32_t in1_cb = 1, bool = false,       \
                                 TTK_PLACE) {                                  \
    ttk::issue(init, ttk_place, in0_cb, in1_cb);                               \
  }
TTK_ARITHMETIC(add, 109)
TTK_ARITHMETIC(sub, 110)
TTK_ARITHMETIC(mul, 111)
#undef TTK_ARITHMETIC
TTK_API void mul_tiles_init_f(TTK_PLACE) {
  mul_tiles_init(0, 1, false, ttk_place);
}
TTK_API void add_tiles_init_nof(TTK_PLACE) {
  add_tiles_init(0, 1, false, ttk_place);
}
TTK_API void sub_tiles_init_nof(TTK_PLACE) {
  sub_tiles_init(0, 1, false, ttk_place);
}
template <bool full_init, EltwiseBinaryType type>
TTK_API void binary_tiles_init(std::uint32_t in0_cb, std::uint32_t in1_cb,
                               bool = false, TTK_PLACE) {
  ttk::issue(type == ELWADD   ? 109
             : type == ELWSUB ? 110
                              : 111,
             ttk_place, in0_cb, in1_cb);
}

template <EltwiseBinaryType type, BroadcastType broadcast>
TTK_API void init_bcast(std::uint32_t in0_cb, std::uint32_t in1_cb,
                        std::uint32_t out_cb = 16, TTK_PLACE) {
  ttk::issue(115, ttk_place, in0_cb, in1_cb, out_cb, type, broadcast);
}

/// The short forms do not change the formats.
#define TTK_BROADCAST(name, type, broadcast)                                   \
  TTK_API void name(std::uint32_t in0_cb = 0, std::uint32_t in1_cb = 1,        \
                    TTK_PLACE) {                                               \
    ttk::issue(115, ttk_place, in0_cb, in1_cb, ttk::kNoBuffer, type,           \
               BroadcastType::broadcast);                                      \
  }
TTK_BROADCAST(add_bcast_rows_init_short, ELWADD, ROW)
TTK_BROADCAST(add_bcast_cols_init_short, ELWADD, COL)
TTK_BROADCAST(add_bcast_scalar_init_short, ELWADD, SCALAR)
TTK_BROADCAST(sub_bcast_rows_init_short, ELWSUB, ROW)
TTK_BROADCAST(sub_bcast_cols_init_short, ELWSUB, COL)
TTK_BROADCAST(sub_tiles_bcast_scalar_init_short, ELWSUB, SCALAR)
TTK_BROADCAST(mul_bcast_rows_init_short, ELWMUL, ROW)
TTK_BROADCAST(mul_bcast_cols_init_short, ELWMUL, COL)
TTK_BROADCAST(mul_tiles_bcast_scalar_init_short, ELWMUL, SCALAR)
#undef TTK_BROADCAST

#define TTK_BROADCAST(name, opcode, broadcast)                                 \
  TTK_API void name(std::uint32_t in0_cb, std::uint32_t in1_cb,                \
                    std::uint32_t in0_tile, std::uint32_t in1_tile,            \
                    std::uint32_t dst, TTK_PLACE) {                            \
    ttk::issue(opcode, ttk_place, in0_cb, in1_cb, in0_tile, in1_tile, dst,     \
               BroadcastType::broadcast);                                      \
  }
TTK_BROADCAST(add_tiles_bcast_rows, 116, ROW)
TTK_BROADCAST(add_tiles_bcast_cols, 116, COL)
TTK_BROADCAST(add_tiles_bcast_scalar, 116, SCALAR)
TTK_BROADCAST(sub_tiles_bcast_rows, 117, ROW)
TTK_BROADCAST(sub_tiles_bcast_cols, 117, COL)
TTK_BROADCAST(sub_tiles_bcast_scalar, 117, SCALAR)
TTK_BROADCAST(mul_tiles_bcast_rows, 118, ROW)
TTK_BROADCAST(mul_tiles_bcast_cols, 118, COL)
TTK_BROADCAST(mul_tiles_bcast_scalar, 118, SCALAR)
#undef TTK_BROADCAST

template <BroadcastType broadcast>
TTK_API void unary_bcast_init(std::uint32_t in_cb, std::uint32_t out_cb,
                              TTK_PLACE) {
  ttk::issue(119, ttk_place, in_cb, out_cb, broadcast);
}

template <
    EltwiseBinaryType type = ELWADD,
    EltwiseBinaryReuseDestType reuse = EltwiseBinaryReuseDestType::DEST_TO_SRCA>
TTK_API void binary_dest_reuse_tiles_init(std::uint32_t in_cb, TTK_PLACE) {
  ttk::issue(121, ttk_place, in_cb, type, reuse);
}
template <
    EltwiseBinaryType type = ELWADD,
    EltwiseBinaryReuseDestType reuse = EltwiseBinaryReuseDestType::DEST_TO_SRCA>
TTK_API void binary_dest_reuse_tiles(std::uint32_t in_cb, std::uint32_t tile,
                                     std::uint32_t dst, TTK_PLACE) {
  ttk::issue(122, ttk_place, in_cb, tile, dst, type, reuse);
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

TTK_API void mm_init(std::uint32_t in0_cb = 0, std::uint32_t in1_cb = 1,
                     std::uint32_t out_cb = 16, std::uint32_t transpose = 0,
                     TTK_PLACE) {
  ttk::issue(123, ttk_place, in0_cb, in1_cb, out_cb, transpose);
}
TTK_API void matmul_init(std::uint32_t in0_cb, std::uint32_t in1_cb,
                         std::uint32_t transpose = 0, TTK_PLACE) {
  ttk::issue(124, ttk_place, in0_cb, in1_cb, transpose);
}
TTK_API void mm_init_short(std::uint32_t in0_cb = 0, std::uint32_t in1_cb = 1,
                           std::uint32_t transpose = 0, TTK_PLACE) {
  ttk::issue(124, ttk_place, in0_cb, in1_cb, transpose);
}
TTK_API void mm_init_short_with_dt(std::uint32_t in0_cb, std::uint32_t in1_cb,
                                   std::uint32_t old_in1_cb,
                                   std::uint32_t transpose = 0, TTK_PLACE) {
  ttk::issue(102, ttk_place, in1_cb);
  ttk::issue(124, ttk_place, in0_cb, in1_cb, transpose);
}
/// The form of 2024. The transposition is ignored: the init sets it.
TTK_API void matmul_tiles(std::uint32_t in0_cb, std::uint32_t in1_cb,
                          std::uint32_t in0_tile, std::uint32_t in1_tile,
                          std::uint32_t dst, std::uint32_t transpose,
                          TTK_PLACE) {
  ttk::issue(125, ttk_place, in0_cb, in1_cb, in0_tile, in1_tile, dst);
}
TTK_API void matmul_tile(std::uint32_t in0_cb, std::uint32_t in1_cb,
                         std::uint32_t in0_tile, std::uint32_t in1_tile,
                         std::uint32_t dst, TTK_PLACE) {
  ttk::issue(125, ttk_place, in0_cb, in1_cb, in0_tile, in1_tile, dst);
}
TTK_API void mm_block_init(std::uint32_t in0_cb = 0, std::uint32_t in1_cb = 1,
                           std::uint32_t out_cb = 16,
                           std::uint32_t transpose = 0,
                           std::uint32_t ct_dim = 1, std::uint32_t rt_dim = 1,
                           std::uint32_t kt_dim = 1, TTK_PLACE) {
  ttk::issue(126, ttk_place, in0_cb, in1_cb, out_cb, transpose, ct_dim, rt_dim,
             kt_dim);
}
TTK_API void mm_block_init_short(std::uint32_t in0_cb = 0,
                                 std::uint32_t in1_cb = 1,
                                 std::uint32_t transpose = 0,
                                 std::uint32_t ct_dim = 1,
                                 std::uint32_t rt_dim = 1,
                                 std::uint32_t kt_dim = 1, TTK_PLACE) {
  ttk::issue(127, ttk_place, in0_cb, in1_cb, transpose, ct_dim, rt_dim, kt_dim);
}
TTK_API void mm_block_init_short_with_dt(
    std::uint32_t in0_cb, std::uint32_t in1_cb, std::uint32_t old_in1_cb,
    std::uint32_t transpose = 0, std::uint32_t ct_dim = 1,
    std::uint32_t rt_dim = 1, std::uint32_t kt_dim = 1, TTK_PLACE) {
  ttk::issue(102, ttk_place, in1_cb);
  ttk::issue(127, ttk_place, in0_cb, in1_cb, transpose, ct_dim, rt_dim, kt_dim);
}
TTK_API void matmul_block(std::uint32_t in0_cb, std::uint32_t in1_cb,
                          std::uint32_t in0_tile, std::uint32_t in1_tile,
                          std::uint32_t dst, std::uint32_t transpose,
                          std::uint32_t ct_dim, std::uint32_t rt_dim,
                          std::uint32_t kt_dim, TTK_PLACE) {
  ttk::issue(128, ttk_place, in0_cb, in1_cb, in0_tile, in1_tile, dst, transpose,
             ct_dim, rt_dim, kt_dim);
}

//===----------------------------------------------------------------------===//
// Reductions and transposition
//===----------------------------------------------------------------------===//

template <PoolType type = REDUCE_OP, ReduceDim dim = REDUCE_DIM,
          auto... options>
TTK_API void reduce_init(std::uint32_t in_cb, std::uint32_t scaler_cb,
                         std::uint32_t out_cb, TTK_PLACE) {
  ttk::issue(129, ttk_place, in_cb, scaler_cb, out_cb, type, dim);
}
template <bool at_start = true, PoolType type = REDUCE_OP,
          ReduceDim dim = REDUCE_DIM, auto... options>
TTK_API void reduce_init_delta(std::uint32_t in_cb = 0,
                               std::uint32_t scaler_cb = 1,
                               std::uint32_t out_cb = 16, TTK_PLACE) {
  ttk::issue(129, ttk_place, in_cb, scaler_cb, out_cb, type, dim);
}
template <auto... options>
TTK_API void reduce_uninit(std::uint32_t = 0, TTK_PLACE) {
  ttk::issue(130, ttk_place);
}
template <auto... options>
TTK_API void reduce_revert_delta(std::uint32_t = 16, TTK_PLACE) {
  ttk::issue(130, ttk_place);
}
template <PoolType type = REDUCE_OP, ReduceDim dim = REDUCE_DIM,
          auto... options>
TTK_API void reduce_tile(std::uint32_t in_cb, std::uint32_t scaler_cb,
                         std::uint32_t tile, std::uint32_t scaler_tile,
                         std::uint32_t dst, TTK_PLACE) {
  ttk::issue(131, ttk_place, in_cb, scaler_cb, tile, scaler_tile, dst, type,
             dim);
}

TTK_API void transpose_wh_init(std::uint32_t in_cb, std::uint32_t out_cb,
                               TTK_PLACE) {
  ttk::issue(132, ttk_place, in_cb, out_cb);
}
TTK_API void transpose_wh_init_short(std::uint32_t in_cb, TTK_PLACE) {
  ttk::issue(132, ttk_place, in_cb, ttk::kNoBuffer);
}

//===----------------------------------------------------------------------===//
// Rows of scalars and tiles
//===----------------------------------------------------------------------===//

TTK_API void tilize_init(std::uint32_t in_cb, std::uint32_t tiles,
                         std::uint32_t out_cb, TTK_PLACE) {
  ttk::issue(134, ttk_place, in_cb, tiles, out_cb);
}
TTK_API void tilize_init_short(std::uint32_t in_cb, std::uint32_t tiles,
                               std::uint32_t out_cb, TTK_PLACE) {
  ttk::issue(134, ttk_place, in_cb, tiles, out_cb);
}

template <std::uint32_t block_ct_dim = 8,
          std::uint32_t full_ct_dim = block_ct_dim, auto... options>
TTK_API void pack_untilize_init(std::uint32_t in_cb, std::uint32_t out_cb,
                                TTK_PLACE) {
  ttk::issue(349, ttk_place, in_cb, out_cb, block_ct_dim, full_ct_dim);
}
template <std::uint32_t block_ct_dim = 8,
          std::uint32_t full_ct_dim = block_ct_dim, auto... options>
TTK_API void pack_untilize_block(std::uint32_t in_cb,
                                 std::uint32_t block_rt_dim,
                                 std::uint32_t out_cb,
                                 std::uint32_t block_c_index = 0, TTK_PLACE) {
  ttk::issue(350, ttk_place, in_cb, block_rt_dim, out_cb, block_c_index,
             block_ct_dim, full_ct_dim);
}
template <std::uint32_t block_ct_dim = 8,
          std::uint32_t full_ct_dim = block_ct_dim, bool diagonal = false,
          auto... options>
TTK_API void pack_untilize_dest_init(std::uint32_t out_cb,
                                     std::uint32_t face_rows = 16,
                                     std::uint32_t faces = 4, TTK_PLACE) {
  static_assert(!diagonal, "pack_untilize_dest_init of a diagonal is not "
                           "supported by the emulator");
  ttk::wholeTiles(face_rows, faces, ttk_place);
  ttk::issue(352, ttk_place, out_cb, block_ct_dim, full_ct_dim);
}
template <std::uint32_t block_ct_dim = 8,
          std::uint32_t full_ct_dim = block_ct_dim, bool diagonal = false,
          auto... options>
TTK_API void pack_untilize_dest(std::uint32_t out_cb,
                                std::uint32_t block_rt_dim = 1,
                                std::uint32_t block_c_index = 0,
                                std::uint32_t face_rows = 16,
                                std::uint32_t faces = 4, TTK_PLACE) {
  static_assert(!diagonal, "pack_untilize_dest of a diagonal is not supported "
                           "by the emulator");
  ttk::wholeTiles(face_rows, faces, ttk_place);
  ttk::issue(353, ttk_place, out_cb, block_rt_dim, block_c_index, block_ct_dim,
             full_ct_dim);
}

//===----------------------------------------------------------------------===//
// The vector engine
//===----------------------------------------------------------------------===//

/// The formats are values of DataFormat.
template <std::uint32_t in_dtype, std::uint32_t out_dtype>
TTK_API void typecast_tile(std::uint32_t dst_index, TTK_PLACE) {
  ttk::issue(203, ttk_place, dst_index, in_dtype, out_dtype);
}
template <auto... formats> TTK_API void typecast_tile_init(TTK_PLACE) {
  ttk::issue(171, ttk_place);
}
TTK_API void fill_tile(std::uint32_t dst_index, float value, TTK_PLACE) {
  std::uint32_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  fill_tile_bitcast(dst_index, bits, ttk_place);
}

namespace unary {}

} // namespace ckernel

#endif // TTK_COMPUTE_H
