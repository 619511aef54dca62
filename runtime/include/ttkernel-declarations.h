// What the C++ text of a kernel calls.
//
// On the chip these functions come from the headers that the text includes
// (dataflow_api.h, compute_kernel_api/...). This file declares the same
// functions with the same parameters and defines none of them, so that a
// compiler without the chip's toolchain checks the text of a kernel:
//
//   g++ -std=c++17 -fsyntax-only -I EMPTY -include ttkernel-declarations.h
//     kernel.cpp
//
// where EMPTY holds an empty file for every header that the text includes.
#ifndef TTKERNEL_DECLARATIONS_H
#define TTKERNEL_DECLARATIONS_H

#include <cstdint>
#include <initializer_list>

// What surrounds a compute kernel.
#define NAMESPACE compute_kernel
#define MAIN compute_main()
/// Memory of the own core.
#define tt_l1_ptr

namespace tt {
/// A circular buffer by its port.
enum CB : std::uint32_t {
  c_in0,
  c_in1,
  c_in2,
  c_in3,
  c_in4,
  c_in5,
  c_in6,
  c_in7,
  dataflow0,
  dataflow1,
  dataflow2,
  dataflow3,
  dataflow4,
  dataflow5,
  dataflow6,
  dataflow7,
  c_out0,
  c_out1,
  c_out2,
  c_out3,
  c_out4,
  c_out5,
  c_out6,
  c_out7,
  c_intermed0,
  c_intermed1,
  c_intermed2,
  c_intermed3,
  c_intermed4,
  c_intermed5,
  c_intermed6,
  c_intermed7,
};
} // namespace tt

enum class DataFormat : std::uint8_t {
  Float32,
  Float16,
  Float16_b,
  Bfp8,
  Bfp8_b,
  Bfp4,
  Bfp4_b,
  Bfp2,
  Bfp2_b,
  UInt32,
  UInt16,
  UInt8,
  Int32,
};
enum class EltwiseBinaryType { ELWADD, ELWSUB, ELWMUL };
enum class EltwiseBinaryReuseDestType { DEST_TO_SRCA, DEST_TO_SRCB };
enum class BroadcastType { NONE, ROW, COL, SCALAR };
enum class PoolType { SUM, AVG, MAX, MIN };
enum class ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };

using CBId = std::uint32_t;
using L1Address = std::uint32_t;
using NocAddress = std::uint64_t;
using Semaphore = volatile tt_l1_ptr std::uint32_t *;
using u32 = std::uint32_t;

//===----------------------------------------------------------------------===//
// Arguments and place
//===----------------------------------------------------------------------===//

template <typename T> T get_arg_val(u32 index);
template <typename T> T get_common_arg_val(u32 index);
constexpr u32 get_compile_time_arg_val(u32) { return 0; }
extern std::uint8_t noc_index;
extern std::uint8_t my_x[2];
extern std::uint8_t my_y[2];
u32 get_absolute_logical_x();
u32 get_absolute_logical_y();
u32 core_index();
u32 convert_logical_x_to_translated(u32 x);
u32 convert_logical_y_to_translated(u32 y);

//===----------------------------------------------------------------------===//
// Circular buffers
//===----------------------------------------------------------------------===//

void cb_reserve_back(CBId cb, u32 pages);
void cb_push_back(CBId cb, u32 pages);
void cb_wait_front(CBId cb, u32 pages);
void cb_pop_front(CBId cb, u32 pages);
bool cb_pages_available_at_front(CBId cb, u32 pages);
bool cb_pages_reservable_at_back(CBId cb, u32 pages);
L1Address get_write_ptr(CBId cb);
L1Address get_read_ptr(CBId cb);
u32 get_tile_size(CBId cb);
/// A number of `DataFormat`.
u32 get_dataformat(CBId cb);

//===----------------------------------------------------------------------===//
// Memory and network
//===----------------------------------------------------------------------===//

constexpr L1Address MEM_ZEROS_BASE = 0;
constexpr u32 MEM_ZEROS_SIZE = 512;

void tt_memmove(L1Address destination, L1Address source, u32 bytes);
template <typename T>
void fill_with_val(L1Address address, u32 count, u32 value);

NocAddress get_noc_addr(u32 x, u32 y, L1Address address);
template <bool is_dram>
NocAddress get_noc_addr_from_bank_id(u32 bank, u32 offset);
NocAddress get_noc_multicast_addr(u32 x_start, u32 y_start, u32 x_end,
                                  u32 y_end, L1Address address);
void noc_async_read(NocAddress source, L1Address destination, u32 bytes);
void noc_async_write(L1Address source, NocAddress destination, u32 bytes);
void noc_async_write_multicast(L1Address source, NocAddress destination,
                               u32 bytes, u32 destinations);
void noc_async_write_multicast_loopback_src(L1Address source,
                                            NocAddress destination, u32 bytes,
                                            u32 destinations);
void noc_async_read_barrier();
void noc_async_write_barrier();
void noc_async_writes_flushed();
void noc_async_atomic_barrier();
void noc_async_full_barrier();
void noc_inline_dw_write(NocAddress address, u32 value);

/// How the pages of a tensor lie: interleaved over the banks, or in shards of
/// `shard` pages on rectangles of cores (row, column, rows, columns).
struct TensorAccessorArgs {
  explicit TensorAccessorArgs(bool is_dram);
  TensorAccessorArgs(bool is_dram, std::initializer_list<u32> tensor,
                     std::initializer_list<u32> shard,
                     std::initializer_list<std::initializer_list<u32>> cores);
};
struct TensorAccessor {
  TensorAccessor();
  TensorAccessor(TensorAccessorArgs args, u32 base, u32 page_bytes,
                 u32 aligned_page_bytes);
};
NocAddress get_noc_addr(u32 page, const TensorAccessor &tensor, u32 offset);
void noc_async_read_page(u32 page, const TensorAccessor &tensor,
                         L1Address destination);
void noc_async_write_page(u32 page, const TensorAccessor &tensor,
                          L1Address source);

//===----------------------------------------------------------------------===//
// Semaphores
//===----------------------------------------------------------------------===//

L1Address get_semaphore(u32 id);
void noc_semaphore_wait(Semaphore semaphore, u32 value);
void noc_semaphore_wait_min(Semaphore semaphore, u32 value);
void noc_semaphore_set(Semaphore semaphore, u32 value);
void noc_semaphore_inc(NocAddress semaphore, u32 increment);
void noc_semaphore_set_remote(L1Address source, NocAddress semaphore);
void noc_semaphore_set_multicast(L1Address source, NocAddress semaphores,
                                 u32 destinations);
void noc_semaphore_set_multicast_loopback_src(L1Address source,
                                              NocAddress semaphores,
                                              u32 destinations);
void noc_semaphore_inc_multicast(NocAddress semaphores, u32 increment,
                                 u32 destinations);

//===----------------------------------------------------------------------===//
// Other chips
//===----------------------------------------------------------------------===//

/// A device is a position in the mesh, its row-major index.
u32 get_my_device_id();
void fabric_async_write(L1Address source, u32 device, NocAddress destination,
                        u32 bytes);
void fabric_semaphore_inc(u32 device, NocAddress semaphore, u32 increment);
void fabric_async_write_barrier();

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void acquire_dst();
void release_dst();
void tile_regs_acquire();
void tile_regs_commit();
void tile_regs_wait();
void tile_regs_release();
void unpack_a(CBId cb, u32 tile);
void unpack_ab(CBId cb_a, u32 tile_a, CBId cb_b, u32 tile_b);
void unpack_set_data_type(DataFormat a, DataFormat b);
void add(u32 dst);
void sub(u32 dst);
void mul(u32 dst);
void matmul(u32 dst);
void pack(u32 dst, CBId cb, u32 tile);
void pack_set_data_type(DataFormat format);
template <bool out_of_order = false>
void pack_tile(u32 dst, CBId cb, u32 tile = 0);
void pack_tile_block(u32 dst, CBId cb, u32 tiles);
void pack_reconfig_data_format(CBId cb);
void pack_reconfig_l1_acc(u32 enable);
void reconfig_data_format(CBId cb_a, CBId cb_b);
void reconfig_data_format_srca(CBId cb);
void reconfig_data_format_srcb(CBId cb);
void copy_tile_init(CBId cb);
void copy_tile(CBId cb, u32 tile, u32 dst);

//===----------------------------------------------------------------------===//
// The matrix engine
//===----------------------------------------------------------------------===//

void compute_kernel_hw_startup(CBId in0, CBId in1, CBId out);
void binary_op_init_common(CBId in0, CBId in1, CBId out);
void unary_op_init_common(CBId in, CBId out);

#define TTKERNEL_TILES(name)                                                   \
  void name##_tiles_init(CBId in0, CBId in1);                                  \
  void name##_tiles(CBId in0, CBId in1, u32 tile0, u32 tile1, u32 dst);        \
  template <BroadcastType broadcast>                                           \
  void name##_tiles_bcast(CBId in0, CBId in1, u32 tile0, u32 tile1, u32 dst);
TTKERNEL_TILES(add)
TTKERNEL_TILES(sub)
TTKERNEL_TILES(mul)
#undef TTKERNEL_TILES

template <EltwiseBinaryType type, BroadcastType broadcast>
void init_bcast(CBId in0, CBId in1, CBId out);
template <BroadcastType broadcast> void unary_bcast_init(CBId in, CBId out);
template <BroadcastType broadcast> void unary_bcast(CBId in, u32 tile, u32 dst);
template <EltwiseBinaryType type, EltwiseBinaryReuseDestType reuse>
void binary_dest_reuse_tiles_init(CBId in);
template <EltwiseBinaryType type, EltwiseBinaryReuseDestType reuse>
void binary_dest_reuse_tiles(CBId in, u32 tile, u32 dst);

void mm_init(CBId in0, CBId in1, CBId out, u32 transpose);
void mm_init_short(CBId in0, CBId in1, u32 transpose);
void matmul_tiles(CBId in0, CBId in1, u32 tile0, u32 tile1, u32 dst);
void mm_block_init(CBId in0, CBId in1, CBId out, u32 transpose, u32 ct_dim,
                   u32 rt_dim, u32 kt_dim);
void mm_block_init_short(CBId in0, CBId in1, u32 transpose, u32 ct_dim,
                         u32 rt_dim, u32 kt_dim);
void matmul_block(CBId in0, CBId in1, u32 tile0, u32 tile1, u32 dst,
                  u32 transpose, u32 ct_dim, u32 rt_dim, u32 kt_dim);

template <PoolType type, ReduceDim dim>
void reduce_init(CBId in, CBId scaler, CBId out);
template <PoolType type, ReduceDim dim>
void reduce_tile(CBId in, CBId scaler, u32 tile, u32 scaler_tile, u32 dst);
void reduce_uninit();
void transpose_wh_init(CBId in, CBId out);
void transpose_wh_tile(CBId in, u32 tile, u32 dst);

void tilize_init(CBId in, u32 tiles, CBId out);
void tilize_block(CBId in, u32 tiles, CBId out);
void tilize_uninit(CBId in, CBId out);
void untilize_init(CBId in, CBId out);
void untilize_block(CBId in, u32 tiles, CBId out);
void untilize_uninit(CBId in);

//===----------------------------------------------------------------------===//
// The vector engine
//===----------------------------------------------------------------------===//

void init_sfpu(CBId in, CBId out);

/// A function of the tile in a destination register, and of numbers.
#define TTKERNEL_TILE(name, ...)                                               \
  void name##_tile_init();                                                     \
  void name##_tile(u32 dst __VA_ARGS__);
#define TTKERNEL_COMMA ,
TTKERNEL_TILE(abs)
TTKERNEL_TILE(cbrt)
TTKERNEL_TILE(ceil)
TTKERNEL_TILE(cos)
TTKERNEL_TILE(erf)
TTKERNEL_TILE(exp)
TTKERNEL_TILE(expm1)
TTKERNEL_TILE(floor)
TTKERNEL_TILE(gelu)
TTKERNEL_TILE(isfinite)
TTKERNEL_TILE(log)
TTKERNEL_TILE(log1p)
TTKERNEL_TILE(logical_not_unary)
TTKERNEL_TILE(bitwise_not)
TTKERNEL_TILE(negative)
TTKERNEL_TILE(recip)
TTKERNEL_TILE(relu)
TTKERNEL_TILE(rsqrt)
TTKERNEL_TILE(sigmoid)
TTKERNEL_TILE(sign)
TTKERNEL_TILE(silu)
TTKERNEL_TILE(sin)
TTKERNEL_TILE(sqrt)
TTKERNEL_TILE(square)
TTKERNEL_TILE(tan)
TTKERNEL_TILE(tanh)
TTKERNEL_TILE(clamp, TTKERNEL_COMMA u32 min_bits TTKERNEL_COMMA u32 max_bits)
TTKERNEL_TILE(leaky_relu, TTKERNEL_COMMA u32 slope_bits)
TTKERNEL_TILE(power, TTKERNEL_COMMA u32 exponent_bits)
TTKERNEL_TILE(max, TTKERNEL_COMMA u32 other)
TTKERNEL_TILE(where, TTKERNEL_COMMA u32 if_true TTKERNEL_COMMA u32 if_false
                         TTKERNEL_COMMA u32 result)
#undef TTKERNEL_COMMA
#undef TTKERNEL_TILE

void fill_tile_init();
void fill_tile_bitcast(u32 dst, u32 value_bits);
void fill_tile_int(u32 dst, u32 value);
void typecast_tile_init();
template <u32 in_format, u32 out_format> void typecast_tile(u32 dst);

/// A function of the tiles in two destination registers, into a third.
#define TTKERNEL_TWO_TILES(name)                                               \
  void name##_tile_init();                                                     \
  void name##_tile(u32 in0, u32 in1, u32 out);
TTKERNEL_TWO_TILES(add_binary)
TTKERNEL_TWO_TILES(sub_binary)
TTKERNEL_TWO_TILES(mul_binary)
TTKERNEL_TWO_TILES(div_binary)
TTKERNEL_TWO_TILES(power_binary)
TTKERNEL_TWO_TILES(binary_max)
TTKERNEL_TWO_TILES(binary_min)
TTKERNEL_TWO_TILES(remainder_binary)
TTKERNEL_TWO_TILES(eq_binary)
TTKERNEL_TWO_TILES(ne_binary)
TTKERNEL_TWO_TILES(lt_binary)
TTKERNEL_TWO_TILES(gt_binary)
TTKERNEL_TWO_TILES(le_binary)
TTKERNEL_TWO_TILES(ge_binary)
TTKERNEL_TWO_TILES(logical_and_binary)
TTKERNEL_TWO_TILES(logical_or_binary)
TTKERNEL_TWO_TILES(logical_xor_binary)
TTKERNEL_TWO_TILES(bitwise_and_binary)
TTKERNEL_TWO_TILES(bitwise_or_binary)
TTKERNEL_TWO_TILES(bitwise_xor_binary)
#undef TTKERNEL_TWO_TILES

//===----------------------------------------------------------------------===//
// Help for the author
//===----------------------------------------------------------------------===//

struct DebugPrinter {
  template <typename T> DebugPrinter &operator<<(const T &value);
};
extern DebugPrinter DPRINT;
struct EndOfLine {};
EndOfLine ENDL();
void ASSERT(bool condition, const char *message);

#endif // TTKERNEL_DECLARATIONS_H
