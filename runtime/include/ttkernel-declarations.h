// What the C++ text of a kernel calls.
//
// On the chip these functions come from the headers that the text includes
// (dataflow_api.h, compute_kernel_api/...). This file, with the one that it
// includes, declares the same functions with the same parameters and defines
// none of them, so that a compiler without the chip's toolchain checks the text
// of a kernel:
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
/// Memory of the local core.
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
  Int8,
  Int16,
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
// What is more than the declaration of a function
//===----------------------------------------------------------------------===//

template <typename T> T get_arg_val(u32 index);
template <typename T> T get_common_arg_val(u32 index);
constexpr u32 get_compile_time_arg_val(u32) { return 0; }
extern std::uint8_t noc_index;
extern std::uint8_t my_x[2];
extern std::uint8_t my_y[2];

constexpr L1Address MEM_ZEROS_BASE = 0;
constexpr u32 MEM_ZEROS_SIZE = 512;

/// Where the pages of a tensor are: interleaved over the banks, or in shards of
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

struct DebugPrinter {
  template <typename T> DebugPrinter &operator<<(const T &value);
};
extern DebugPrinter DPRINT;
struct EndOfLine {};
EndOfLine ENDL();

//===----------------------------------------------------------------------===//
// All other functions, made from the descriptions of the instructions
//===----------------------------------------------------------------------===//

#include "ttkernel-functions.h"

#endif // TTKERNEL_DECLARATIONS_H
