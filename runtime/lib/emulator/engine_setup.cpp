#include "emulator/engine_setup.h"

#include "emulator/engine.h"
#include "ttmlir/Target/Common/functions.inc"

#include <algorithm>
#include <string>

namespace tt::runtime::emulator {

using numerics::DType;

/// An instruction that sets the engines up, or one that needs them set up.
/// `operands` says what each operand is: the circular buffer in source register
/// A, B or both (s), that of the packer (o), a data type for them (A, B, O), a
/// part of the operation's kind (h), or neither (-).
struct EngineSetup::Step {
  enum class Does : std::uint8_t {
    Needs,   // the operation, and the formats of its buffers
    SetsUp,  // the operation, and formats if it has buffers
    Resets,  // no operation, formats
    Formats, // only formats
    Undoes,  // the operation's init
  };
  Opcode opcode;
  std::string_view operands;
  Does does;
  Opcode operation; // that is set up or undone
  bool undone = false;
};

namespace {

using enum Opcode;

std::string_view nameOf(Opcode opcode) {
  return ::tt::target::metal::EnumNameOpcode(opcode);
}

/// `<name>_init` of an instruction of the vector engine; `br` for others.
Opcode vectorInit(Opcode opcode) {
  switch (opcode) {
#define TTMLIR_CASE(instruction, operands, work)                               \
  case instruction##_tile:                                                     \
    return instruction##_tile_init;
    TTMLIR_VECTOR_INSTRUCTIONS(TTMLIR_CASE)
#undef TTMLIR_CASE
  case fill_tile_int:
    return fill_tile_init;
  default:
    return br;
  }
}

bool isVector(Opcode opcode) { return vectorInit(opcode) != br; }

bool isVectorInit(Opcode opcode) {
  switch (opcode) {
#define TTMLIR_CASE(instruction, operands, work) case instruction##_tile_init:
    TTMLIR_VECTOR_INSTRUCTIONS(TTMLIR_CASE)
#undef TTMLIR_CASE
    return true;
  default:
    return false;
  }
}

/// What to put before an operation of the matrix engine.
std::string matrixInit(Opcode operation) {
  switch (operation) {
  case add_tiles_bcast:
  case sub_tiles_bcast:
  case mul_tiles_bcast:
    return "init_bcast";
  case matmul_tiles:
    return "mm_init";
  case matmul_block:
    return "mm_block_init";
  case reduce_tile:
    return "reduce_init";
  case transpose_wh_tile:
    return "transpose_wh_init";
  case tilize_block:
    return "tilize_init";
  case untilize_block:
    return "untilize_init";
  default:
    return std::string(nameOf(operation)) + "_init";
  }
}

/// What undoes an init.
std::string uninitOf(Opcode init) {
  std::string name(nameOf(init));
  return name.insert(name.rfind("init"), "un");
}

} // namespace

void EngineSetup::execute(const Thread &thread, const Op *op, Opcode opcode,
                          const std::uint64_t *operands) {
  using enum Step::Does;
  static constexpr Step kSteps[] = {
      {compute_kernel_hw_startup, "abo", Resets, br},
      {binary_op_init_common, "abo", Resets, br},
      {unary_op_init_common, "so", SetsUp, copy_tile},
      {init_sfpu, "so", SetsUp, copy_tile},
      {reconfig_data_format, "ab", Formats, br},
      {reconfig_data_format_srca, "a", Formats, br},
      {reconfig_data_format_srcb, "b", Formats, br},
      {pack_reconfig_data_format, "o", Formats, br},
      {unpack_set_data_type, "AB", Formats, br},
      {pack_set_data_type, "O", Formats, br},
      {copy_tile_init, "-", SetsUp, copy_tile},
      {add_tiles_init, "--", SetsUp, add_tiles},
      {sub_tiles_init, "--", SetsUp, sub_tiles},
      {mul_tiles_init, "--", SetsUp, mul_tiles},
      {init_bcast, "abo-h", SetsUp, add_tiles_bcast},
      {unary_bcast_init, "soh", SetsUp, unary_bcast},
      {binary_dest_reuse_tiles_init, "-hh", SetsUp, binary_dest_reuse_tiles},
      {mm_init, "bao-", SetsUp, matmul_tiles},
      {mm_init_short, "---", SetsUp, matmul_tiles},
      {mm_block_init, "baohhh-", SetsUp, matmul_block},
      {mm_block_init_short, "--hhh-", SetsUp, matmul_block},
      {reduce_init, "abohh", SetsUp, reduce_tile, true},
      {transpose_wh_init, "so", SetsUp, transpose_wh_tile},
      {tilize_init, "s-o", SetsUp, tilize_block, true},
      {untilize_init, "so", SetsUp, untilize_block, true},
      {reduce_uninit, "", Undoes, reduce_tile},
      {tilize_uninit, "--", Undoes, tilize_block},
      {untilize_uninit, "-", Undoes, untilize_block},
      {copy_tile, "a--", Needs, copy_tile},
      {add_tiles, "ab---", Needs, add_tiles},
      {sub_tiles, "ab---", Needs, sub_tiles},
      {mul_tiles, "ab---", Needs, mul_tiles},
      {add_tiles_bcast, "ab---h", Needs, add_tiles_bcast},
      {sub_tiles_bcast, "ab---h", Needs, sub_tiles_bcast},
      {mul_tiles_bcast, "ab---h", Needs, mul_tiles_bcast},
      {unary_bcast, "b--h", Needs, unary_bcast},
      // The buffer's tile goes where the destination's does not.
      {binary_dest_reuse_tiles, "r--hh", Needs, binary_dest_reuse_tiles},
      {matmul_tiles, "ba---", Needs, matmul_tiles},
      {matmul_block, "ba---hhh-", Needs, matmul_block},
      {reduce_tile, "ab---hh", Needs, reduce_tile},
      {transpose_wh_tile, "a--", Needs, transpose_wh_tile},
      {tilize_block, "a-o", Needs, tilize_block},
      {untilize_block, "a-o", Needs, untilize_block},
      {pack_tile, "-o--", Needs, br},
      {pack_tile_block, "-o-", Needs, br},
  };
  if (isVectorInit(opcode)) {
    vector_ = opcode;
    return;
  }
  if (isVector(opcode))
    return needVector(thread, op, opcode, vectorInit(opcode));
  static const auto byOpcode = [] {
    std::array<const Step *, std::size_t(Opcode::MAX) + 1> result{};
    for (const Step &step : kSteps)
      result[std::size_t(step.opcode)] = &step;
    return result;
  }();
  const Step *step = byOpcode[std::size_t(opcode)];
  if (!step)
    return;
  if (step->does == Needs)
    need(*step, thread, op, operands);
  else
    setUp(*step, thread, operands);
}

void EngineSetup::setUp(const Step &step, const Thread &thread,
                        const std::uint64_t *operands) {
  Operation operation{step.operation};
  std::size_t hows = 0;
  for (std::size_t i = 0; i < step.operands.size(); ++i) {
    const char what = step.operands[i];
    if (what == '-')
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
  if (step.opcode == init_bcast) // the three follow each other
    operation.opcode = Opcode(int(add_tiles_bcast) + int(operands[3]));
  if (step.undone && !undo_)
    undo_ = step.opcode;
  switch (step.does) {
  case Step::Does::SetsUp:
    matrix_ = operation;
    break;
  case Step::Does::Undoes:
    if (undo_ && uninitOf(*undo_) == nameOf(step.opcode))
      undo_.reset();
    matrix_.reset();
    break;
  case Step::Does::Resets:
    matrix_.reset();
    break;
  case Step::Does::Formats:
  case Step::Does::Needs:
    break;
  }
}

void EngineSetup::need(const Step &step, const Thread &thread, const Op *op,
                       const std::uint64_t *operands) const {
  const std::string_view name = nameOf(step.opcode);
  Operation operation{step.operation};
  std::size_t hows = 0;
  for (std::size_t i = 0; i < step.operands.size(); ++i)
    if (step.operands[i] == 'h')
      operation.how[hows++] = std::uint32_t(operands[i]);
  const bool packs = step.operation == br;
  if (!packs && (!matrix_ || matrix_->opcode != operation.opcode))
    fail(thread, op, FaultKind::Init, name, " is executed while the engines ",
         matrix_ ? "are set up for " : "are not set up for any operation",
         matrix_ ? nameOf(matrix_->opcode) : std::string_view(), "; expected ",
         matrixInit(operation.opcode), " before");
  if (!packs && *matrix_ != operation)
    fail(thread, op, FaultKind::Init, name,
         " is executed with another broadcast, reduction, operation, "
         "transposition or block than its init has set up; expected ",
         matrixInit(operation.opcode), " with the same before");
  if (!packs && undo_ && matrixInit(operation.opcode) != nameOf(*undo_))
    fail(thread, op, FaultKind::Init, name, " is executed while ",
         nameOf(*undo_), " is in effect; expected ", uninitOf(*undo_),
         " before");

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
  for (std::size_t i = 0; i < step.operands.size(); ++i) {
    const char what = step.operands[i];
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

void EngineSetup::needVector(const Thread &thread, const Op *op, Opcode opcode,
                             Opcode init) const {
  if (vector_ == init)
    return;
  fail(thread, op, FaultKind::Init, nameOf(opcode),
       " is executed while the vector engine is ",
       vector_ ? "set up by " : "not set up",
       vector_ ? nameOf(*vector_) : std::string_view(), "; expected ",
       nameOf(init), " before");
}

} // namespace tt::runtime::emulator
