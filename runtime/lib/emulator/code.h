// Kernels as they run.
#ifndef TT_RUNTIME_EMULATOR_CODE_H
#define TT_RUNTIME_EMULATOR_CODE_H

#include "emulator/launch.h"
#include "tensix/compute.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tt::runtime::emulator {

struct Op;
struct Thread;

/// Executes one instruction and returns the next one, or null when the thread
/// stops: it then has set Thread::state and Thread::next.
using Handler = const Op *(*)(Thread &, const Op *);

/// A decoded instruction. Operands are register numbers or immediates, as the
/// opcode says; `operands` has all of them.
struct Op {
  Handler run;
  const std::uint32_t *operands;
  std::uint32_t out, a, b, c;
  tensix::Handler compute; // of compute instructions
  Opcode opcode;
  std::uint16_t count; // operands
  bool takesTime;
};

/// An accessor with the banks of its pages; see Accessor. Sharded if it has
/// shard banks.
struct PlacedAccessor {
  bool dram = true;
  std::uint32_t bytes = 0, stride = 0; // of a page, and between pages of a bank
  std::uint64_t pages = 0;
  std::uint32_t banks = 1;
  std::uint32_t cols = 1, shardRows = 1, shardCols = 1, shardsX = 1;
  std::vector<std::uint32_t> shardBanks;
};

/// A kernel ready to run; shared by the cores.
struct Code {
  const Kernel *kernel;
  std::uint32_t index; // in the launch
  bool taken = true;   // by a kernel of the launch
  std::vector<Op> ops;
  std::vector<PlacedAccessor> accessors;
  /// It can address the L1 of a core through the NoC.
  bool reachesCores = false;
  /// It sends to other chips.
  bool reachesChips = false;
  /// Registers may depend on data, and with them what it does. For kernels in
  /// C++ see Mesh::sawData.
  bool loadsData = false;
  /// Ports that an instruction pushes to or pops from.
  std::uint32_t pushes = 0, pops = 0;
  /// Ports that it reserves, pushes, waits for or pops.
  std::uint32_t queues = 0;
};

/// The kernels of a chip that were decoded, for as long as their programs are
/// there.
class CodeCache {
public:
  /// Decodes a kernel, or takes what was decoded before and is not taken.
  Code &take(const Kernel &kernel, std::uint32_t index,
             const ChipGeometry &geometry);

private:
  struct Entry {
    std::weak_ptr<const KernelProgram> program;
    KernelKind kind;
    std::unique_ptr<Code> code;
  };
  void forget();

  std::unordered_map<const KernelProgram *, std::vector<Entry>> entries_;
  std::size_t most_ = 256; // programs before some are forgotten
};

/// The handler of an instruction.
Handler handlerOf(Opcode opcode);

/// Decodes a kernel for a chip. Throws Error(Format) for instructions of
/// another kind of thread and Error(Argument) for shards outside of the grid.
std::unique_ptr<Code> compile(const Kernel &kernel, std::uint32_t index,
                              const ChipGeometry &geometry);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_CODE_H
