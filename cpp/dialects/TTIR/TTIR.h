#ifndef DIALECTS_TTIR_TTIR_H
#define DIALECTS_TTIR_TTIR_H

#include "dialects/Shapes/CollectiveRules.h"
#include "dialects/Shapes/ShapeRules.h"
#include "dialects/TT/TT.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tt::graph {
class GraphBuilder;
} // namespace mlir::tt::graph

namespace mlir::tt::ttir {

/// The shapes of an op's outputs, and the values that stand for its results.
using Shapes = FailureOr<SmallVector<shapes::Shape>>;
using Expansion = FailureOr<SmallVector<Value>>;

/// The outputs of an op with the interface CompositeOp are those that it
/// infers, and results have their types.
LogicalResult verifyComposite(Operation *op);

/// Operand constraints of an op with the interface TTIROp: one for each operand
/// unless the op has none at all.
LogicalResult verifyOperandConstraints(Operation *op);

/// The element types of an op that quantizes: whether input and result have
/// `!quant.uniform`, and floats otherwise.
LogicalResult verifyQuantization(Operation *op, bool from, bool to);

/// Scales and zero points that are operands: one, or one for each place along
/// `axis`.
LogicalResult verifyUnrolled(Operation *op, ValueRange numbers,
                             std::optional<int32_t> axis);

/// The rules of `ttir.max_pool2d` and `ttir.avg_pool2d`.
template <typename PoolOp> FailureOr<shapes::Shape> inferPool2d(PoolOp op);

} // namespace mlir::tt::ttir

#include "dialects/TTIR/TTIRDialect.h.inc"
#include "dialects/TTIR/TTIRInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/TTIR/TTIROps.h.inc"

namespace mlir::tt::ttir {

/// The scale factors of height and width.
SmallVector<int32_t> getScaleFactors(UpsampleOp op);

} // namespace mlir::tt::ttir

#endif
