// What the engines of a compute thread have been set up for.
//
// A chip's unpacker, matrix engine, vector engine and packer keep the state
// that `_init` and reconfiguration instructions leave, and use it for every
// instruction that follows; after a wrong setup they compute wrong numbers. The
// emulator takes what it needs from the instruction itself, and compares it
// with this state: an instruction needs its own `_init` before it, and the
// unpacker and the packer the formats of its circular buffers.
//
// An `_init` that names the output's circular buffer sets up everything:
// operation and formats. One that does not leaves the formats as they are.
#ifndef TT_RUNTIME_EMULATOR_ENGINE_SETUP_H
#define TT_RUNTIME_EMULATOR_ENGINE_SETUP_H

#include "emulator/program.h"
#include "numerics/formats.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace tt::runtime::emulator {

struct Op;
struct Thread;

class EngineSetup {
public:
  /// Compares an instruction of the compute thread, whose operands have been
  /// checked, with what was set up, or records what it sets up.
  void execute(const Thread &thread, const Op *op, Opcode opcode,
               const std::uint64_t *operands);

private:
  /// The instruction that unpacker and matrix engine are ready for; `how` are
  /// its operands that the init has, such as the kind of broadcast.
  struct Operation {
    Opcode opcode;
    std::array<std::uint32_t, 3> how{};
    bool operator==(const Operation &) const = default;
  };
  /// What an instruction sets up or needs; see EngineState in
  /// cpp/dialects/TTKernel/InstructionBase.td.
  struct Step;
  static std::span<const Step> steps();
  /// Null for an instruction that has nothing to do with what is set up.
  static const Step *stepOf(Opcode opcode);
  /// What undoes an init; null if nothing has to.
  static const Step *undoing(Opcode init);

  void setUp(const Step &step, const Thread &thread,
             const std::uint64_t *operands);
  void need(const Step &step, const Thread &thread, const Op *op,
            const std::uint64_t *operands) const;
  void needVector(const Step &step, const Thread &thread, const Op *op) const;

  std::optional<Operation> matrix_;
  std::optional<Opcode> vector_; // the last `_init` of the vector engine
  /// Formats of the source registers and of the packer.
  std::optional<numerics::DType> sourceA_, sourceB_, packer_;
  /// An init that something has to undo before another operation.
  std::optional<Opcode> undo_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_ENGINE_SETUP_H
