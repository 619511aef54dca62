#ifndef DIALECTS_TTNN_TTNN_H
#define DIALECTS_TTNN_TTNN_H

#include "dialects/Shapes/CollectiveRules.h"
#include "dialects/Shapes/ShapeRules.h"
#include "dialects/TT/TT.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/TTNN/TTNNDialect.h.inc"

#include "dialects/TTNN/TTNNEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TTNN/TTNNAttrs.h.inc"

namespace mlir::tt::ttnn {

/// The memory configuration of a tensor in a library call: the memory layout
/// (`interleaved` if none is chosen) and the memory.
MemoryConfigAttr getMemoryConfig(tt::LayoutAttr layout);

/// Row-major or tiles.
LayoutAttr getElementOrder(tt::LayoutAttr layout);

/// `arity` inputs, one output and one result; with `integersOnly` all have
/// integer elements.
LogicalResult verifyEltwise(Operation *op, int64_t arity, bool integersOnly);

/// The attribute of collectives that overlap the product before them.
constexpr llvm::StringLiteral kOverlapSlices = "overlap_slices";

/// Whether an op is a product of its rows by one matrix.
bool isProductByOneMatrix(Operation *op);

/// `overlap_slices`, if it is there: the product right before the collective
/// makes the operand, which nothing else reads.
LogicalResult verifyOverlap(Operation *op);

/// The attribute of ops with an activation.
constexpr llvm::StringLiteral kActivation = "activation";

/// The functions that can be the activation of an op, by mnemonic.
ArrayRef<StringRef> getActivations();

/// The activation is one of these, and the result has floats.
LogicalResult verifyActivation(Operation *op);

/// Of ops that can apply a function to their result: `activation`, if it is
/// there, is the mnemonic of the function.
template <typename ConcreteType>
struct HasActivation : OpTrait::TraitBase<ConcreteType, HasActivation> {
  static LogicalResult verifyTrait(Operation *op) {
    return verifyActivation(op);
  }
};

/// The rules of `ttnn.max_pool2d` and `ttnn.avg_pool2d`.
template <typename PoolOp> LogicalResult verifyPool2d(PoolOp op);

} // namespace mlir::tt::ttnn

#define GET_OP_CLASSES
#include "dialects/TTNN/TTNNOps.h.inc"

namespace mlir::tt::ttnn {

LogicalResult verifyTypecast(TypecastOp op);

/// The name of the attribute of ops that compute.
constexpr llvm::StringLiteral kComputeConfig = "compute_config";

/// Whether the op runs on the matrix or the vector engine of the cores.
bool computes(Operation *op);

/// How the op is computed; null where it says nothing.
DeviceComputeKernelConfigAttr getComputeConfig(Operation *op);

} // namespace mlir::tt::ttnn

#endif
