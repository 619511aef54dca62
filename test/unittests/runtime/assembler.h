// Kernel programs written down instruction by instruction, and a chip to run
// them on.
#ifndef TTMLIR_UNITTESTS_RUNTIME_ASSEMBLER_H
#define TTMLIR_UNITTESTS_RUNTIME_ASSEMBLER_H

#include "emulator/launch.h"
#include "emulator/launch_memory.h"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace tt::runtime::test {

namespace metal = ::tt::target::metal;
using emulator::CoreRange;
using emulator::Kernel;
using emulator::KernelKind;
using emulator::Launch;
using emulator::LaunchOptions;
using emulator::LaunchResult;
using emulator::Opcode;

/// A register; constants are numbered before the others when the program is
/// finished.
struct Reg {
  std::uint32_t index = 0;
  bool constant = false;
};

/// A register, or a number; where the instruction takes a register the number
/// becomes a constant.
struct Operand {
  Operand(Reg reg) : reg(reg), isReg(true) {}
  Operand(int value) : value(std::uint32_t(value)) {}
  Operand(unsigned value) : value(value) {}
  Operand(Opcode) = delete;
  Reg reg;
  std::uint32_t value = 0;
  bool isReg = false;
};

class Assembler {
public:
  Reg constant(std::uint32_t value) {
    for (std::size_t i = 0; i < constants_.size(); ++i)
      if (constants_[i] == value)
        return {std::uint32_t(i), true};
    constants_.push_back(value);
    return {std::uint32_t(constants_.size() - 1), true};
  }
  Reg reg() { return {registers_++, false}; }

  /// Appends an instruction at location "k:<number>"; the result, if it has
  /// one, is in a new register.
  Reg op(Opcode opcode, const std::vector<Operand> &operands = {}) {
    const bool result = emulator::signatureOf(opcode).result;
    const Reg out = result ? reg() : Reg{};
    append(opcode, operands, result, out);
    return out;
  }
  void into(Reg out, Opcode opcode, const std::vector<Operand> &operands) {
    append(opcode, operands, true, out);
  }
  std::uint32_t string(const std::string &text) {
    strings_.push_back(text);
    return std::uint32_t(strings_.size() - 1);
  }
  std::uint32_t accessor(const emulator::Accessor &accessor) {
    accessors_.push_back(accessor);
    return std::uint32_t(accessors_.size() - 1);
  }
  std::uint32_t here() const { return std::uint32_t(lines_.size()); }

  /// for (i = 0; i < count; ++i) body(i)
  void loop(Operand count, const std::function<void(Reg)> &body) {
    const Reg i = reg();
    into(i, Opcode::move, {0});
    const std::uint32_t head = here();
    const Reg more = op(Opcode::cmpi, {6, i, count});
    const std::uint32_t exit = here();
    op(Opcode::cond_br, {more, int(exit + 1), 0});
    body(i);
    into(i, Opcode::addi, {i, 1});
    op(Opcode::br, {int(head)});
    lines_[exit].operands[2] = here();
  }

  /// Decodes what was written, with a `ret` at its end.
  std::shared_ptr<const emulator::KernelProgram> finish();
  /// The program as a table of a file.
  flatbuffers::Offset<metal::KernelProgram>
  serialize(flatbuffers::FlatBufferBuilder &fbb);
  /// The bytes of the program, for tests that damage it.
  std::vector<std::uint8_t> serialize();

private:
  struct Line {
    Opcode opcode;
    std::vector<std::uint32_t> operands;
    std::vector<bool> constant, isReg;
    bool result;
    Reg out;
  };
  void append(Opcode opcode, const std::vector<Operand> &operands, bool result,
              Reg out);
  std::uint32_t number(std::uint32_t index, bool constant) const {
    return constant ? index : std::uint32_t(constants_.size()) + index;
  }

  std::vector<std::uint32_t> constants_;
  std::uint32_t registers_ = 0;
  std::vector<Line> lines_;
  std::vector<std::string> strings_;
  std::vector<emulator::Accessor> accessors_;
};

/// A compute kernel: circular buffer 16 = left + right, tile by tile; both may
/// be the same buffer.
Assembler adder(int count, int left, int right);

/// A chip with a 4x4 grid of workers and 4 DRAM channels of 1 MiB below them.
ChipGeometry smallChip();

/// One tensor that has all DRAM of such a chip and was written.
emulator::LiveBuffer wholeDram();

inline constexpr std::uint32_t kL1Base = 4096;
inline constexpr std::uint32_t kDramBase = 1024;

/// A launch with its chip.
struct Bench {
  emulator::Chip chip{0, smallChip()};
  Launch launch{.live = {wholeDram()}};
  LaunchOptions options;

  Kernel &kernel(KernelKind kind, Assembler &program,
                 CoreRange cores = {0, 0, 1, 1}) {
    Kernel k;
    k.name = std::string(emulator::threadName(kind)) + "_kernel";
    k.kind = kind;
    k.program = program.finish();
    k.cores = {cores};
    k.fp32DestAcc = true;
    launch.kernels.push_back(std::move(k));
    return launch.kernels.back();
  }
  emulator::CircularBufferConfig &
  buffer(std::uint32_t port, std::uint32_t address, std::uint32_t pages,
         CoreRange cores = {0, 0, 1, 1}, bool aliased = false,
         numerics::DType type = numerics::DType::F32) {
    launch.buffers.push_back({port,
                              address,
                              std::uint64_t(numerics::tileBytes(type)),
                              pages,
                              type,
                              true,
                              aliased,
                              {cores}});
    if (aliased) // a tensor that was written
      launch.live.push_back({"t" + std::to_string(port),
                             address,
                             pages * launch.buffers.back().pageSize,
                             {cores},
                             {}});
    return launch.buffers.back();
  }
  /// The memory of the launches before, as a device keeps it.
  emulator::LaunchMemory memory;

  LaunchResult run() {
    return emulator::launch({{&chip}, nullptr, &memory}, launch, options);
  }

  template <typename T> T *l1(int core, std::uint32_t address) {
    return reinterpret_cast<T *>(chip.l1(core, address));
  }
  template <typename T> T *dram(int channel, std::uint32_t address) {
    return reinterpret_cast<T *>(chip.dram(channel, address));
  }
};

/// An interleaved DRAM tensor of f32 tiles.
emulator::Accessor tiles(std::uint32_t count, std::uint32_t bytes = 4096);

} // namespace tt::runtime::test

#endif // TTMLIR_UNITTESTS_RUNTIME_ASSEMBLER_H
