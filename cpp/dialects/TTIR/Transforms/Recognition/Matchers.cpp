#include "dialects/TTIR/Transforms/Recognition/Matchers.h"

#include <cmath>

namespace mlir::tt::ttir {

/// A constant whose elements are all equal.
static DenseElementsAttr getSplat(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<BroadcastOp, ReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  DenseElementsAttr elements = graph::elementsOf(value);
  return elements && elements.isSplat() ? elements : nullptr;
}

std::optional<int64_t> Matcher::getInteger(Value value) {
  DenseElementsAttr elements = getSplat(value);
  if (!elements || !isa<IntegerType>(elements.getElementType()))
    return std::nullopt;
  return elements.getSplatValue<APInt>().getSExtValue();
}

std::optional<double> Matcher::getNumber(Value value) {
  if (auto full = value.getDefiningOp<FullOp>()) {
    if (auto number = dyn_cast<FloatAttr>(full.getFillValue()))
      return number.getValueAsDouble();
    return std::nullopt;
  }
  DenseElementsAttr elements = getSplat(value);
  if (!elements || !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  APFloat number = elements.getSplatValue<APFloat>();
  bool loses = false;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

/// What an op takes that gives it again with other extents of 1, or as it is: a
/// maximum with minus infinity, from which JAX starts one. Null for others.
static Value getReshaped(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (isa<ReshapeOp, UnsqueezeOp>(op))
    return op->getOperand(0);
  if (isa<MaximumOp>(op))
    for (unsigned i : {0, 1})
      if (std::optional<double> number =
              Matcher::getNumber(op->getOperand(1 - i));
          number && *number == -INFINITY &&
          graph::shapeOf(op->getOperand(i)) == graph::shapeOf(value))
        return op->getOperand(i);
  return {};
}

Value Matcher::throughShapes(Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getInput();
  while (Value inner = getReshaped(value))
    value = inner;
  return value;
}

Value Matcher::withoutBroadcast(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return value;
  ArrayRef<int64_t> shape = graph::shapeOf(broadcast.getInput());
  int64_t rank = broadcast.getType().getRank();
  if (static_cast<int64_t>(shape.size()) != rank ||
      ArrayRef<int64_t>(shapes::alignBroadcast(
          shape, rank, broadcast.getDimension())) != shape)
    return value;
  ops.insert(broadcast);
  return broadcast.getInput();
}

bool Matcher::liesBeside(Value value, Value inner, ArrayRef<int64_t> kept,
                         ArrayRef<int64_t> full) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  Value before = value;
  if (broadcast) {
    if (graph::shapeOf(value) != full ||
        ArrayRef<int64_t>(shapes::alignBroadcast(
            graph::shapeOf(broadcast.getInput()), full.size(),
            broadcast.getDimension())) != kept)
      return false;
    before = broadcast.getInput();
  } else if (graph::shapeOf(value) != kept) {
    return false;
  }
  // What is left brings extents of 1 to their places.
  for (Value at = before; at != inner; at = getReshaped(at))
    ops.insert(at.getDefiningOp());
  auto withoutOnes = [](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> rest;
    llvm::copy_if(shape, std::back_inserter(rest),
                  [](int64_t extent) { return extent != 1; });
    return rest;
  };
  if (withoutOnes(graph::shapeOf(inner)) != withoutOnes(kept))
    return false;
  if (broadcast)
    ops.insert(broadcast);
  return true;
}

bool Matcher::ownsAll() const {
  return llvm::all_of(ops, [&](Operation *op) {
    return op == root || llvm::all_of(op->getUsers(), [&](Operation *user) {
             return ops.contains(user);
           });
  });
}

SmallVector<Operation *> getGraphOps(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<GenericOp>(op))
      return WalkResult::skip();
    if (isa<TTIRDialect>(op->getDialect()))
      ops.push_back(op);
    return WalkResult::advance();
  });
  return ops;
}

} // namespace mlir::tt::ttir
