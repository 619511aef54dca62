#include "dialects/TTIR/Composites/Composites.h"
#include "dialects/TTIR/Transforms/Recognition/Matchers.h"

#include <cmath>

namespace mlir::tt::ttir {

/// The keys (B, H, T, D) of a product with them transposed; null if it is
/// another one.
static Value findKeys(Matcher &matcher, MatmulOp scores) {
  Value keys = scores.getB();
  if (scores.getTransposeB())
    return keys;
  if (auto transpose = matcher.find<TransposeOp>(keys)) {
    int64_t rank = transpose.getType().getRank();
    int64_t dims[] = {*shapes::normalizeDim(transpose.getDim0(), rank),
                      *shapes::normalizeDim(transpose.getDim1(), rank)};
    if (std::min(dims[0], dims[1]) == rank - 2 &&
        std::max(dims[0], dims[1]) == rank - 1)
      return transpose.getInput();
    return {};
  }
  if (auto permute = matcher.find<PermuteOp>(keys))
    if (permute.getPermutation() == ArrayRef<int64_t>({0, 1, 3, 2}))
      return permute.getInput();
  return {};
}

/// softmax(scale * query * key^T + mask) * value of rank 4.
Value recognizeAttention(MatmulOp op, graph::GraphBuilder &b) {
  Matcher matcher(op);
  if (op.getTransposeA() || op.getTransposeB() || op.getType().getRank() != 4)
    return {};
  Value value = op.getB(), weights = op.getA();
  // Weights may be rounded to the format of the values.
  if (Value wide = matcher.unary<TypecastOp>(weights))
    weights = wide;
  auto softmax = matcher.find<SoftmaxOp>(weights);
  if (!softmax || *shapes::normalizeDim(softmax.getDimension(), 4) != 3)
    return {};
  Value scores = softmax.getInput(), mask;
  double scale = 1;
  auto isProduct = [&](Value tested) {
    double ignored = 0;
    Matcher look = matcher;
    Value inner = look.withNumber<MultiplyOp>(tested, ignored);
    if (!inner)
      inner = look.withNumber<DivOp>(tested, ignored);
    return (inner ? inner : tested).getDefiningOp<MatmulOp>() != nullptr;
  };
  if (auto add = scores.getDefiningOp<AddOp>()) {
    bool isFirst = isProduct(add->getOperand(0));
    if (!isFirst && !isProduct(add->getOperand(1)))
      return {};
    matcher.find<AddOp>(scores);
    mask = add->getOperand(isFirst ? 1 : 0);
    scores = add->getOperand(isFirst ? 0 : 1);
    if (auto broadcast = mask.getDefiningOp<BroadcastOp>();
        broadcast && broadcast.getInput().getType().getRank() == 4 &&
        shapes::alignBroadcast(graph::shapeOf(broadcast.getInput()), 4,
                               broadcast.getDimension()) ==
            shapes::Shape(graph::shapeOf(broadcast.getInput()))) {
      matcher.find<BroadcastOp>(mask);
      mask = broadcast.getInput();
    }
  }
  // Models that take a mask make one of zeros where there is none.
  if (mask && Matcher::getNumber(mask) == 0.0)
    mask = {};
  double number = 1;
  if (Value inner = matcher.withNumber<MultiplyOp>(scores, number)) {
    scale = number;
    scores = inner;
  } else if (Value quotient = matcher.withNumber<DivOp>(scores, number)) {
    scale = 1 / number;
    scores = quotient;
  }
  auto product = matcher.find<MatmulOp>(scores);
  if (!product || product.getTransposeA())
    return {};
  Value query = product.getA(), key = findKeys(matcher, product);
  if (!key)
    return {};
  // The query may have been scaled instead.
  double queryScale = 1;
  {
    Matcher look = matcher;
    if (Value inner = look.withNumber<MultiplyOp>(query, queryScale);
        inner && query.hasOneUse()) {
      matcher = look;
      scale *= queryScale;
      query = inner;
    }
  }
  ArrayRef<int64_t> q = graph::shapeOf(query), k = graph::shapeOf(key),
                    v = graph::shapeOf(value);
  bool fits = q.size() == 4 && k.size() == 4 && v.size() == 4 &&
              q.take_front(2) == k.take_front(2) &&
              k.take_front(3) == v.take_front(3) && q[3] == k[3] &&
              std::isfinite(scale) && scale > 0;
  SmallVector<int64_t> all{q.empty() ? 0 : q[0], 0, 0, 0};
  if (!fits)
    return {};
  all = {q[0], q[1], q[2], k[2]};
  if (mask) {
    ArrayRef<int64_t> found = graph::shapeOf(mask);
    SmallVector<int64_t> padded(4 - std::min<size_t>(4, found.size()), 1);
    padded.append(found.begin(), found.end());
    for (size_t i = 0; i < 4; ++i)
      if (padded.size() != 4 || (padded[i] != 1 && padded[i] != all[i]))
        return {};
    if (!matcher.ownsAll())
      return {};
    mask = b.reshape(mask, padded);
  } else if (!matcher.ownsAll()) {
    return {};
  }
  Attention attention{query, key, value, mask};
  attention.scale = APFloat(static_cast<float>(scale));
  return attention.make(b, op.getType().getElementType());
}

} // namespace mlir::tt::ttir
