// The instructions of the vector engine for elementwise functions.
#ifndef TT_RUNTIME_TTNN_VECTOR_OPCODES_H
#define TT_RUNTIME_TTNN_VECTOR_OPCODES_H

#include "numerics/functions.h"
#include "ttmlir/Target/TTMetal/instructions.inc"
#include "ttmlir/Target/TTMetal/kernel_generated.h"

namespace tt::runtime::ttnn {

/// Each function but UnaryOp::Copy has one.
constexpr ::tt::target::metal::Opcode vectorOpcode(numerics::UnaryOp op) {
  using ::tt::target::metal::Opcode;
  switch (op) {
#define TTMLIR_CASE(instruction, Name, ...)                                    \
  case numerics::UnaryOp::Name:                                                \
    return Opcode::instruction##_tile;
    TTMLIR_UNARY_INSTRUCTIONS(TTMLIR_CASE)
#undef TTMLIR_CASE
  case numerics::UnaryOp::Copy:
    break;
  }
  __builtin_unreachable();
}
constexpr ::tt::target::metal::Opcode vectorOpcode(numerics::BinaryOp op) {
  using ::tt::target::metal::Opcode;
  switch (op) {
#define TTMLIR_CASE(instruction, Name, ...)                                    \
  case numerics::BinaryOp::Name:                                               \
    return Opcode::instruction##_tile;
    TTMLIR_BINARY_INSTRUCTIONS(TTMLIR_CASE)
#undef TTMLIR_CASE
  case numerics::BinaryOp::Count:
    break;
  }
  __builtin_unreachable();
}

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_VECTOR_OPCODES_H
