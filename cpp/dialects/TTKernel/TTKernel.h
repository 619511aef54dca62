#ifndef DIALECTS_TTKERNEL_TTKERNEL_H
#define DIALECTS_TTKERNEL_TTKERNEL_H

#include "dialects/TT/TT.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/TTKernel/TTKernelDialect.h.inc"

#include "dialects/TTKernel/TTKernelEnums.h.inc"

#include "dialects/TTKernel/TTKernelInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TTKernel/TTKernelAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/TTKernel/TTKernelTypes.h.inc"

namespace mlir::tt::ttkernel {

/// The destination registers, at the most: 16 tiles of 16-bit numbers.
constexpr int64_t kMaxDstTiles = 16;

/// The threads that an op can run on.
enum class KernelThread { Any, Noc, Compute };

/// What the verifier requires of an operand: nothing, a buffer of tiles, a
/// buffer of scalars, the index of a destination register, or a number of pages
/// of the first operand, which is a buffer.
enum class OperandRule { Any, Tiles, Scalars, Dst, Pages };

/// Verifies that the op is in a kernel (a region of `ttmetal.dispatch` or a
/// function of a module, at any depth) of a thread that it can run on, and its
/// operands by `rules`, one for each; variadic operands have none. `className`
/// names the op in messages.
LogicalResult verifyKernelOp(Operation *op, StringRef className,
                             KernelThread thread, ArrayRef<OperandRule> rules);

/// Verifies that the two buffers have different ports.
LogicalResult verifyPorts(Operation *op, CBType input, CBType output);

/// Numbers in L1 have 1, 2 or 4 bytes.
LogicalResult verifyBytes(Operation *op, uint32_t bytes);

/// The text has a `{}` for each value.
LogicalResult verifyFormat(Operation *op, StringRef format, size_t values);

} // namespace mlir::tt::ttkernel

#define GET_OP_CLASSES
#include "dialects/TTKernel/TTKernelOps.h.inc"

#endif
