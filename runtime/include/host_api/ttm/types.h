// Enumerations and configurations of the host API.
#ifndef TTM_TYPES_H
#define TTM_TYPES_H

#include "ttm/core_coord.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

/// The fidelity of the matrix engine.
enum class MathFidelity : std::uint8_t { LoFi, HiFi2 = 2, HiFi3, HiFi4 };

namespace tt {

/// Numbered as in kernels.
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
  Invalid = 0xff,
};

/// Bytes of a 32x32 tile.
TTM_EXPORT std::uint32_t tile_size(DataFormat format);
/// Bytes of an element; block floats have none.
TTM_EXPORT std::uint32_t datum_size(DataFormat format);

// clang-format off
#define TTM_PORTS(X)                                                           \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)    \
  X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25)      \
  X(26) X(27) X(28) X(29) X(30) X(31)
// clang-format on
#define TTM_PORT(number) c_##number = number,
enum CBIndex : std::uint8_t { TTM_PORTS(TTM_PORT) SIZE = 32 };
#undef TTM_PORT
#undef TTM_PORTS

/// Names of 2024.
// clang-format off
enum CB : std::uint8_t {
  c_in0, c_in1, c_in2, c_in3, c_in4, c_in5, c_in6, c_in7,
  dataflow0, dataflow1, dataflow2, dataflow3, dataflow4, dataflow5, dataflow6, dataflow7,
  c_out0, c_out1, c_out2, c_out3, c_out4, c_out5, c_out6, c_out7,
  c_intermed0, c_intermed1, c_intermed2, c_intermed3, c_intermed4, c_intermed5, c_intermed6,
  c_intermed7,
};
// clang-format on

enum class ARCH : std::uint8_t { GRAYSKULL, WORMHOLE_B0, BLACKHOLE };

namespace constants {
inline constexpr std::uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32;
inline constexpr std::uint32_t TILE_HW = TILE_HEIGHT * TILE_WIDTH;
inline constexpr std::uint32_t FACE_HEIGHT = 16, FACE_WIDTH = 16;
inline constexpr std::uint32_t FACE_HW = FACE_HEIGHT * FACE_WIDTH;
} // namespace constants

/// a / b rounded up; and a rounded up to a multiple of `b`.
inline constexpr std::uint32_t div_up(std::uint32_t a, std::uint32_t b) {
  return (a + b - 1) / b;
}
inline constexpr std::uint32_t round_up(std::uint32_t a, std::uint32_t b) {
  return div_up(a, b) * b;
}

namespace tt_metal {

using tt::DataFormat;
using DeviceAddr = std::uint64_t;
using ChipId = int;

enum class BufferType : std::uint8_t { DRAM, L1 };
enum class TensorMemoryLayout : std::uint8_t {
  INTERLEAVED,
  HEIGHT_SHARDED,
  WIDTH_SHARDED,
  BLOCK_SHARDED
};
enum class ShardOrientation : std::uint8_t { ROW_MAJOR, COL_MAJOR };
enum class CoreType : std::uint8_t { WORKER, ETH };

enum class DataMovementProcessor : std::uint8_t { RISCV_0, RISCV_1 };
enum NOC : std::uint8_t {
  RISCV_0_default = 0,
  RISCV_1_default = 1,
  NOC_0 = 0,
  NOC_1 = 1
};
enum NOC_MODE : std::uint8_t { DM_DEDICATED_NOC, DM_DYNAMIC_NOC };
enum class UnpackToDestMode : std::uint8_t { Default, UnpackToDestFp32 };
enum class KernelBuildOptLevel : std::uint8_t { O1, O2, O3, O0, Os, Ofast, Oz };

using Defines = std::map<std::string, std::string>;
using NamedArgs = std::unordered_map<std::string, std::uint32_t>;

/// A data movement kernel. It runs on the thread of its NoC, whatever the
/// processor.
struct DataMovementConfig {
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  NOC noc = NOC::RISCV_0_default;
  NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
  std::vector<std::uint32_t> compile_args = {};
  Defines defines = {};
  NamedArgs named_compile_args = {};
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
};

struct ReaderDataMovementConfig : DataMovementConfig {
  ReaderDataMovementConfig(std::vector<std::uint32_t> compile_args = {},
                           Defines defines = {}, NamedArgs named = {})
      : DataMovementConfig{DataMovementProcessor::RISCV_1,
                           NOC::NOC_0,
                           NOC_MODE::DM_DEDICATED_NOC,
                           std::move(compile_args),
                           std::move(defines),
                           std::move(named)} {}
};

struct WriterDataMovementConfig : DataMovementConfig {
  WriterDataMovementConfig(std::vector<std::uint32_t> compile_args = {},
                           Defines defines = {}, NamedArgs named = {})
      : DataMovementConfig{DataMovementProcessor::RISCV_0,
                           NOC::NOC_1,
                           NOC_MODE::DM_DEDICATED_NOC,
                           std::move(compile_args),
                           std::move(defines),
                           std::move(named)} {}
};

struct ComputeConfig {
  MathFidelity math_fidelity = MathFidelity::HiFi4;
  bool fp32_dest_acc_en = false;
  bool dst_full_sync_en = false;
  std::vector<UnpackToDestMode> unpack_to_dest_mode = {};
  bool bfp8_pack_precise = false;
  bool math_approx_mode = false;
  std::vector<std::uint32_t> compile_args = {};
  Defines defines = {};
  NamedArgs named_compile_args = {};
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O3;
};

/// An Ethernet core kernel, which the emulator does not support.
struct EthernetConfig {
  int eth_mode = 0;
  NOC noc = NOC::NOC_0;
  std::vector<std::uint32_t> compile_args = {};
  Defines defines = {};
};

namespace detail {
inline std::uint32_t TileSize(DataFormat format) { return tile_size(format); }
} // namespace detail

} // namespace tt_metal
} // namespace tt

#endif // TTM_TYPES_H
