#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Recognition/Heads.h"
#include "dialects/TTIR/Transforms/Recognition/Matchers.h"

namespace mlir::tt::ttir::heads {

Value Projection::getRoot() const {
  Value root = input;
  while (Value before = getBeforeReshape(root))
    root = before;
  return root;
}

bool areAlike(const Projection &a, const Projection &b) {
  auto haveOneElement = [](Value x, Value y) {
    return !x || !y || graph::elementOf(x) == graph::elementOf(y);
  };
  return a.product != b.product &&
         a.product->getBlock() == b.product->getBlock() &&
         a.getRoot() == b.getRoot() &&
         graph::shapeOf(a.input) == graph::shapeOf(b.input) &&
         a.isTransposed == b.isTransposed &&
         a.getType().getElementType() == b.getType().getElementType() &&
         graph::typeOf(a.weight).getRank() ==
             graph::typeOf(b.weight).getRank() &&
         haveOneElement(a.weight, b.weight) && haveOneElement(a.bias, b.bias) &&
         !a.added == !b.added && haveOneElement(a.added, b.added) &&
         a.product->getDiscardableAttrDictionary() ==
             b.product->getDiscardableAttrDictionary();
}

/// Moves what computes a value in front of an op that it does not depend on.
static void hoist(Value value, Operation *before) {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || op->getBlock() != before->getBlock() ||
      op->isBeforeInBlock(before))
    return;
  for (Value operand : op->getOperands())
    hoist(operand, before);
  op->moveBefore(before);
}

/// A vector of `width` elements that is the same for all rows; null for other
/// values.
static Value findVector(Value value, int64_t width, Dependences &dependences) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getInput();
  RankedTensorType type = graph::typeOf(value);
  return isPlain(value) && type.getRank() != 0 &&
                 type.getNumElements() == width &&
                 type.getShape().back() == width && dependences.isFixed(value)
             ? value
             : Value();
}

std::optional<Projection> findProjection(const Split &split,
                                         Dependences &dependences) {
  Value source = split.source;
  if (!split.op->getOperand(0).hasOneUse())
    return std::nullopt;
  Projection found{};
  for (;;) {
    if (!source.hasOneUse())
      return std::nullopt;
    if (Value before = getBeforeReshape(source)) {
      source = before;
      continue;
    }
    auto add = source.getDefiningOp<AddOp>();
    if (!add || found.added)
      break;
    Type element = graph::elementOf(source);
    for (unsigned i : {0, 1}) {
      Value value = add->getOperand(i);
      if (found.added || graph::shapeOf(value) != graph::shapeOf(source) ||
          graph::elementOf(value) != element)
        continue;
      Value vector = findVector(add->getOperand(1 - i),
                                graph::shapeOf(source).back(), dependences);
      if (!vector || graph::elementOf(vector) != element)
        continue;
      found.added = vector;
      source = value;
    }
    if (!found.added)
      return std::nullopt;
  }
  found.product = source.getDefiningOp();
  bool isTransposed = false; // the input
  if (auto linear = dyn_cast_or_null<LinearOp>(found.product)) {
    found.input = linear.getA();
    found.weight = linear.getB();
    found.bias = linear.getBias();
    isTransposed = linear.getTransposeA();
    found.isTransposed = linear.getTransposeB();
  } else if (auto matmul = dyn_cast_or_null<MatmulOp>(found.product)) {
    found.input = matmul.getA();
    found.weight = matmul.getB();
    isTransposed = matmul.getTransposeA();
    found.isTransposed = matmul.getTransposeB();
  } else {
    return std::nullopt;
  }
  RankedTensorType weight = graph::typeOf(found.weight);
  if (isTransposed || !isPlain(source) || !isPlain(found.input) ||
      !isPlain(found.weight) || weight.getRank() < 2 ||
      graph::typeOf(found.input).getRank() < 2 ||
      llvm::any_of(weight.getShape().drop_back(2),
                   [](int64_t extent) { return extent != 1; }) ||
      dependences.isFixed(found.input) || !dependences.isFixed(found.weight))
    return std::nullopt;
  if (found.bias) {
    found.bias = findVector(found.bias, found.getWidth(), dependences);
    if (!found.bias)
      return std::nullopt;
  }
  return found;
}

/// One vector of those of all products; a missing one is zero.
static Value joinVectors(graph::GraphBuilder &b, ArrayRef<Projection> all,
                         Value Projection::*member) {
  auto known = llvm::find_if(
      all, [&](const Projection &one) { return bool(one.*member); });
  if (known == all.end())
    return {};
  Type element = graph::elementOf(*known.*member);
  SmallVector<Value> vectors;
  // What depends on nothing is not kept from call to call: one number stays
  // one.
  std::optional<double> number = Matcher::getNumber(*known.*member);
  bool isOneNumber = number.has_value();
  int64_t width = 0;
  for (const Projection &one : all) {
    isOneNumber &= (one.*member ? Matcher::getNumber(one.*member)
                                : std::optional(0.0)) == number;
    width += one.getWidth();
  }
  if (isOneNumber)
    return b.splat(*number, RankedTensorType::get({width}, element));
  for (const Projection &one : all)
    vectors.push_back(one.*member ? b.reshape(one.*member, {one.getWidth()})
                                  : b.splat(0, RankedTensorType::get(
                                                   {one.getWidth()}, element)));
  return b.concat(vectors, 0);
}

Value joinProducts(ArrayRef<Projection> all) {
  SmallVector<Operation *> products;
  SmallVector<Location> locs;
  SmallVector<Value> weights;
  int64_t width = 0;
  for (const Projection &one : all) {
    products.push_back(one.product);
    locs.push_back(one.product->getLoc());
    weights.push_back(one.weight);
    width += one.getWidth();
  }
  Operation *first = getFirstInBlock(products);
  for (const Projection &one : all)
    for (Value value : {one.weight, one.bias, one.added})
      hoist(value, first);
  OpBuilder builder(first);
  graph::GraphBuilder b(builder, FusedLoc::get(first->getContext(), locs));
  int64_t rank = graph::typeOf(weights[0]).getRank();
  SmallVector<Value> operands{
      first->getOperand(0),
      b.concat(weights, all[0].isTransposed ? rank - 2 : rank - 1)};
  Value bias = joinVectors(b, all, &Projection::bias);
  if (bias)
    operands.push_back(bias);
  SmallVector<NamedAttribute> attributes(first->getDiscardableAttrs().begin(),
                                         first->getDiscardableAttrs().end());
  if (all[0].isTransposed)
    attributes.push_back(b.attr("transpose_b", builder.getBoolAttr(true)));
  SmallVector<int64_t> shape(all[0].getType().getShape());
  shape.back() = width;
  Value found = b.op(bias ? "linear" : "matmul", operands,
                     all[0].getType().clone(shape), attributes);
  if (Value added = joinVectors(b, all, &Projection::added))
    found = b.eltwise("add", {found, added});
  return found;
}

} // namespace mlir::tt::ttir::heads
