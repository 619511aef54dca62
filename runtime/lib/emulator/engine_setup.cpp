#include "emulator/engine_setup.h"

#include "emulator/engine.h"

#include <algorithm>
#include <span>

namespace tt::runtime::emulator {

using numerics::DType;

struct EngineSetup::Step {
  enum class Does : std::uint8_t {
    Needs,        // the operation, and the formats of its buffers
    SetsUp,       // the operation, and formats if it has buffers
    Resets,       // no operation, formats
    Formats,      // only formats
    Undoes,       // the operation's init
    NeedsVector,  // the vector engine's init
    SetsUpVector, // the vector engine
  };
  Opcode opcode;
  Does does;
  std::string_view formats;
  /// The operation that is set up, or the init that is needed or undone.
  std::optional<Opcode> counterpart;
};

namespace {

std::string_view nameOf(Opcode opcode) {
  return ::tt::target::metal::EnumNameOpcode(opcode);
}

/// What `init_bcast` sets up, as its operand says.
Opcode broadcastOf(std::uint64_t type) {
  using ::tt::target::metal::EltwiseBinaryType;
  switch (EltwiseBinaryType(type)) {
  case EltwiseBinaryType::Add:
    return Opcode::add_tiles_bcast;
  case EltwiseBinaryType::Sub:
    return Opcode::sub_tiles_bcast;
  case EltwiseBinaryType::Mul:
    break;
  }
  return Opcode::mul_tiles_bcast;
}

} // namespace

std::span<const EngineSetup::Step> EngineSetup::steps() {
  static constexpr Step kSteps[] = {
#define TTMLIR_STEP(name, does, formats, counterpart)                          \
  {Opcode::name, Step::Does::does, formats, counterpart},
      TTMLIR_ENGINE_STATE(TTMLIR_STEP)
#undef TTMLIR_STEP
  };
  return kSteps;
}

const EngineSetup::Step *EngineSetup::stepOf(Opcode opcode) {
  static const auto byOpcode = [] {
    std::array<const Step *, std::size_t(Opcode::MAX) + 1> result{};
    for (const Step &step : steps())
      result[std::size_t(step.opcode)] = &step;
    return result;
  }();
  return byOpcode[std::size_t(opcode)];
}

const EngineSetup::Step *EngineSetup::undoing(Opcode init) {
  const auto all = steps();
  const auto found = std::ranges::find_if(all, [&](const Step &step) {
    return step.does == Step::Does::Undoes && step.counterpart == init;
  });
  return found == all.end() ? nullptr : &*found;
}

void EngineSetup::execute(const Thread &thread, const Op *op, Opcode opcode,
                          const std::uint64_t *operands) {
  const Step *step = stepOf(opcode);
  if (!step)
    return;
  switch (step->does) {
  case Step::Does::NeedsVector:
    return needVector(*step, thread, op);
  case Step::Does::SetsUpVector:
    vector_ = opcode;
    return;
  case Step::Does::Needs:
    return need(*step, thread, op, operands);
  default:
    return setUp(*step, thread, operands);
  }
}

void EngineSetup::setUp(const Step &step, const Thread &thread,
                        const std::uint64_t *operands) {
  Operation operation{step.counterpart.value_or(step.opcode)};
  // The short forms in C++ kernels name no output, and do not change formats.
  bool isShort = false;
  for (std::size_t i = 0; i < step.formats.size(); ++i)
    isShort |= step.formats[i] == 'o' && operands[i] == ttk::kNoBuffer;
  std::size_t hows = 0;
  for (std::size_t i = 0; i < step.formats.size(); ++i) {
    const char what = step.formats[i];
    if (what == '-' || (isShort && what != 'h'))
      continue;
    if (what == 'h') {
      operation.how[hows++] = std::uint32_t(operands[i]);
      continue;
    }
    const DType type = what < 'a' ? DType(operands[i])
                                  : thread.core->buffers[operands[i]].type;
    if (what == 'a' || what == 'A' || what == 's')
      sourceA_ = type;
    if (what == 'b' || what == 'B' || what == 's')
      sourceB_ = type;
    if (what == 'o' || what == 'O')
      packer_ = type;
  }
  if (step.opcode == Opcode::init_bcast)
    operation.opcode = broadcastOf(operands[3]);
  switch (step.does) {
  case Step::Does::SetsUp:
    matrix_ = operation;
    if (!undo_ && undoing(step.opcode))
      undo_ = step.opcode;
    break;
  case Step::Does::Undoes:
    if (undo_ == step.counterpart)
      undo_.reset();
    matrix_.reset();
    break;
  case Step::Does::Resets:
    matrix_.reset();
    break;
  default:
    break;
  }
}

void EngineSetup::need(const Step &step, const Thread &thread, const Op *op,
                       const std::uint64_t *operands) const {
  const std::string_view name = nameOf(step.opcode);
  Operation operation{step.opcode};
  std::size_t hows = 0;
  for (std::size_t i = 0; i < step.formats.size(); ++i)
    if (step.formats[i] == 'h')
      operation.how[hows++] = std::uint32_t(operands[i]);
  // What the packer does needs no init of its own.
  if (const auto init = step.counterpart) {
    if (!matrix_ || matrix_->opcode != operation.opcode)
      fail(thread, op, FaultKind::Init, name, " is executed while the engines ",
           matrix_ ? "are set up for " : "are not set up for any operation",
           matrix_ ? nameOf(matrix_->opcode) : std::string_view(),
           "; expected ", nameOf(*init), " before");
    if (*matrix_ != operation)
      fail(thread, op, FaultKind::Init, name,
           " is executed with another broadcast, reduction, operation, "
           "transposition or block than its init has set up; expected ",
           nameOf(*init), " with the same before");
    if (undo_ && undo_ != init)
      fail(thread, op, FaultKind::Init, name, " is executed while ",
           nameOf(*undo_), " is in effect; expected ",
           nameOf(undoing(*undo_)->opcode), " before");
  }

  const auto requireFormat = [&](const std::optional<DType> &set,
                                 std::uint64_t port, const char *engine,
                                 const char *reconfigure) {
    const DType type = thread.core->buffers[port].type;
    if (!set)
      fail(thread, op, FaultKind::Init, name,
           " is executed while no format is set up for ", engine,
           "; expected an init that names the output's circular buffer, such "
           "as binary_op_init_common, before");
    if (*set != type)
      fail(thread, op, FaultKind::TileFormat, "circular buffer ", port,
           " has tiles of ", numerics::dtypeName(type), ", and ", engine,
           " is set up for ", numerics::dtypeName(*set), "; expected ",
           reconfigure, " before ", name);
  };
  for (std::size_t i = 0; i < step.formats.size(); ++i) {
    const char what = step.formats[i];
    const bool reused = what == 'r';
    if (what == 'a' || (reused && operands[4]))
      requireFormat(sourceA_, operands[i], "source register A",
                    "reconfig_data_format_srca");
    else if (what == 'b' || reused)
      requireFormat(sourceB_, operands[i], "source register B",
                    "reconfig_data_format_srcb");
    else if (what == 'o')
      requireFormat(packer_, operands[i], "the packer",
                    "pack_reconfig_data_format");
  }
}

void EngineSetup::needVector(const Step &step, const Thread &thread,
                             const Op *op) const {
  if (vector_ == step.counterpart)
    return;
  fail(thread, op, FaultKind::Init, nameOf(step.opcode),
       " is executed while the vector engine is ",
       vector_ ? "set up by " : "not set up",
       vector_ ? nameOf(*vector_) : std::string_view(), "; expected ",
       nameOf(*step.counterpart), " before");
}

} // namespace tt::runtime::emulator
