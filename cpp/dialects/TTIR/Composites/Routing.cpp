#include "dialects/TTIR/Composites/Indexing.h"
#include "dialects/TTIR/TTIRLinearAlgebra.h"

#include "mlir/Dialect/Traits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

/// The columns of the results.
static int64_t countChosen(TopKRouterGptOp op) {
  return llvm::alignTo<8>(std::max<int64_t>(signedOf(op.getK()), 0));
}

Shapes TopKRouterGptOp::inferShapes() {
  ArrayRef<int64_t> input = shapeOf(getInput()), weight = shapeOf(getWeight());
  int64_t experts = signedOf(getNumExperts());
  if (input.size() < 2 || weight.size() != 2 || input.back() != weight[0] ||
      weight[1] != experts)
    return emitOpError("expected an input (.., M, H) and a weight (H, ")
           << experts << "), found " << shapes::toString(input) << " and "
           << shapes::toString(weight);
  SmallVector<int64_t> shape(input), joined;
  shape.back() = experts;
  ArrayRef<int64_t> bias = shapeOf(getBias());
  if (!OpTrait::util::getBroadcastedShape(shape, bias, joined) ||
      joined != shape)
    return emitOpError("expected a bias that broadcasts to ")
           << shapes::toString(shape) << ", found " << shapes::toString(bias);
  shape.back() = countChosen(*this);
  if (signedOf(getK()) < 1 || shape.back() > experts)
    return emitOpError("expected a positive k that is, rounded up to a "
                       "multiple of 8, at most ")
           << experts << ", found " << signedOf(getK());
  return SmallVector<shapes::Shape>(2, shapes::Shape(shape));
}

LogicalResult TopKRouterGptOp::verify() {
  if (failed(verifyIntegerElements(*this, "the first result",
                                   getOutputs().front())))
    return failure();
  for (Value tensor : {Value(getInput()), Value(getWeight()), Value(getBias()),
                       getOutputs().back()})
    if (!isa<FloatType>(elementOf(tensor)))
      return emitOpError(
                 "expected tensors of floats but for the places, found ")
             << tensor.getType();
  return success();
}

Expansion TopKRouterGptOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  SmallVector<int64_t> shape(shapeOf(getInput()));
  // As one matrix, whatever the rank.
  Value rows =
      b.reshape(toF32(b, getInput()),
                {countElements(ArrayRef(shape).drop_back()), shape.back()});
  Value logits = b.matmul(rows, toF32(b, getWeight()), f32);
  shape.back() = signedOf(getNumExperts());
  logits = b.eltwise("add", {b.reshape(logits, shape), toF32(b, getBias())});
  int64_t dim = shape.size() - 1;
  Value order = argsort(b, logits, dim, /*descending=*/true);
  Value places = sliceDim(b, order, dim, 0, countChosen(*this));
  Value chosen = takeAlong(b, logits, places, dim);
  return SmallVector<Value>{b.cast(places, elementOf(getResults().front())),
                            b.cast(chosen, elementOf(getResults().back()))};
}
