#include "dialects/TTIR/Composites/Composites.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

LogicalResult mlir::tt::ttir::verifyComposite(Operation *op) {
  Shapes expected = cast<CompositeOp>(op).inferShapes();
  if (failed(expected))
    return failure();
  ResultRange results = op->getResults();
  if (results.size() != expected->size())
    return op->emitOpError("expected ")
           << expected->size() << " results, found " << results.size();
  auto destinations = cast<DestinationStyleOpInterface>(op).getDpsInits();
  if (destinations.size() != results.size())
    return op->emitOpError("expected a destination for each result: found ")
           << destinations.size() << " for " << results.size();
  for (auto [shape, destination] : llvm::zip(*expected, destinations)) {
    auto type = cast<RankedTensorType>(destination.getType());
    // A scalar is a tensor of one element after `ttir-legalize-types`; the
    // result of a reduction may be either.
    int64_t extent = 1;
    ArrayRef<int64_t> one(extent);
    bool isScalar = (shape.empty() && type.getShape() == one) ||
                    (type.getRank() == 0 && ArrayRef(shape) == one &&
                     isa<ReduceAndOp, ReduceOrOp>(op));
    if (!isScalar && failed(shapes::expectShape(op, shape, type)))
      return failure();
  }
  return success();
}

LogicalResult mlir::tt::ttir::verifyOneKind(Operation *op) {
  auto isFloat = [](Type type) {
    return isa<FloatType>(cast<RankedTensorType>(type).getElementType());
  };
  Type first = op->getOperand(0).getType();
  for (Type type : op->getOperandTypes())
    if (isFloat(type) != isFloat(first))
      return op->emitOpError(
                 "expected all tensors of floats or all of integers: found ")
             << cast<RankedTensorType>(first).getElementType() << " and "
             << cast<RankedTensorType>(type).getElementType();
  return success();
}

LogicalResult mlir::tt::ttir::verifyVector(Operation *op, StringRef name,
                                           Value value, int64_t extent) {
  if (!value)
    return success();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  if (shape.size() == 1 && shape.front() == extent)
    return success();
  return op->emitOpError("expected ") << name << " to have the shape " << extent
                                      << ", found " << shapes::toString(shape);
}

Value mlir::tt::ttir::alongDim(graph::GraphBuilder &builder, Value vector,
                               int64_t rank, int64_t dim) {
  SmallVector<int64_t> shape(rank, 1);
  shape[dim] = graph::shapeOf(vector).front();
  return builder.reshape(vector, shape);
}

Value mlir::tt::ttir::toF32(graph::GraphBuilder &builder, Value value) {
  if (!isa<FloatType>(graph::elementOf(value)))
    return value;
  return builder.cast(value, builder.getBuilder().getF32Type());
}

bool mlir::tt::ttir::hasKernel(Operation *op) {
  auto attention = dyn_cast<ScaledDotProductAttentionOp>(op);
  if (!attention)
    return true;
  if (attention.getAttentionSink() || attention.getSlidingWindowSize())
    return false;
  // Kernels take floats; a mask has a number for each key.
  for (Value operand : op->getOperands())
    if (!isa<FloatType>(graph::elementOf(operand)))
      return false;
  Value mask = attention.getAttentionMask();
  return !mask || graph::shapeOf(mask)[3] == getNumKeys(attention);
}
