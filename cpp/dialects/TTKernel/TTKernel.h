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

/// A kernel's op is in a region of `ttmetal.dispatch` or in a function of a
/// module, at any depth. `className` names the op in the message.
LogicalResult verifyInKernel(Operation *op, StringRef className);

/// The rules of `verifyInKernel`, and of an op that turns scalars of one
/// circular buffer into tiles of another, or back.
LogicalResult verifyTilize(Operation *op, StringRef className, CBType input,
                           CBType output);
LogicalResult verifyUntilize(Operation *op, StringRef className, CBType input,
                             CBType output);

} // namespace mlir::tt::ttkernel

#define GET_OP_CLASSES
#include "dialects/TTKernel/TTKernelOps.h.inc"

#endif
