// Kernel programs of a file, decoded and verified: what has passed here runs
// without checks of its form.
#ifndef TT_RUNTIME_EMULATOR_PROGRAM_H
#define TT_RUNTIME_EMULATOR_PROGRAM_H

#include "clock/events.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tt::runtime::emulator {

// Recorded for the clock in its words.
using clock::Engine;
using clock::kPorts;
using clock::Opcode;

inline constexpr std::uint32_t kNoResult = 0xffffffff;
/// Most registers, instructions and operands of a kernel.
inline constexpr std::uint32_t kMaxKernelSize = 1u << 24;

/// Which threads may execute an instruction.
enum class Threads : std::uint8_t { Any, DataMovement, Compute };

/// The form of an instruction. One letter per operand:
///   r register, c port of a circular buffer, t instruction, x accessor,
///   s string, i any number, p predicate of cmpi, b bytes (1, 2 or 4),
///   w bits (1 to 64), l first register of a local array, whose size is the
///   next operand, f flag, d DataType, e EltwiseBinaryType, k
///   BroadcastType, o PoolType, m ReduceDim; a final * means any number of
///   registers.
struct Signature {
  std::string_view operands;
  bool result;
  Threads threads;
  Engine engine;  // of a compute thread
  bool takesTime; // the clock counts its calls
};

/// The signature of every opcode, from cpp/dialects/TTKernel/Instructions.td.
const Signature &signatureOf(Opcode opcode);

struct Instruction {
  Opcode opcode;
  std::uint16_t count;    // operands
  std::uint32_t result;   // register or kNoResult
  std::uint32_t first;    // operand
  std::uint32_t location; // string
};

struct Range2d {
  std::int32_t y, x, height, width;
};

/// See AccessorDesc in the schema; sizes in bytes.
struct Accessor {
  bool dram = true;
  bool sharded = false;
  std::uint32_t pageSize = 0, alignedPageSize = 0;
  std::uint32_t rows = 0, cols = 0;           // of pages in the tensor
  std::uint32_t shardRows = 0, shardCols = 0; // of pages in a shard
  std::vector<Range2d> cores;
};

struct KernelProgram {
  std::uint32_t registers = 0;
  std::vector<std::uint32_t> constants;
  std::vector<Instruction> instructions;
  std::vector<std::uint32_t> operands;
  std::vector<Accessor> accessors;
  std::vector<std::string> strings;

  const std::uint32_t *operandsOf(const Instruction &instruction) const {
    return operands.data() + instruction.first;
  }
  const std::string &locationOf(const Instruction &instruction) const {
    return strings[instruction.location];
  }
};

/// Decodes a program and verifies all of it: opcodes, counts and kinds of
/// operands, registers, ports, targets, accessors, strings and that the last
/// instruction leaves or jumps. Throws Error(Format) that names `where`, the
/// instruction and what was expected and found.
std::shared_ptr<const KernelProgram>
decodeKernel(::tt::target::metal::KernelProgram const *program,
             const std::string &where);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_PROGRAM_H
