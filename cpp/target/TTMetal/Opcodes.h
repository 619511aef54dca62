#ifndef TARGET_TTMETAL_OPCODES_H
#define TARGET_TTMETAL_OPCODES_H

#include "ttmlir/Target/TTMetal/kernel_generated.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::tt::ttmetal {

/// The instruction of an op; nothing if there is none.
std::optional<::tt::target::metal::Opcode> getOpcode(Operation *op);

/// Bits of an integer or index; 0 for other types.
unsigned getBits(Type type);

/// Whether registers of 32 bits compute an `arith` op; else an error. Numbers
/// of fewer bits have no arithmetic of their own: they are compared, chosen and
/// combined bit by bit.
LogicalResult verifyArith(Operation *op);

} // namespace mlir::tt::ttmetal

#endif
