#include "conversion/LinalgToTTIR/Structured.h"

namespace mlir::tt::frontend {

namespace {

/// What the loops of a contraction c[..] += a[..] * b[..] are for.
struct Roles {
  Dims batch; ///< In a, b and c.
  Dims rows;  ///< In a and c.
  Dims cols;  ///< In b and c.
  Dims inner; ///< In a and b.
};

std::optional<Roles> classify(const Dims &a, const Dims &b, const Dims &c) {
  Roles roles;
  auto in = [](const Dims &dims, int64_t loop) {
    return llvm::is_contained(dims, loop);
  };
  for (int64_t loop : c) {
    if (in(a, loop) && in(b, loop))
      roles.batch.push_back(loop);
    else if (in(a, loop))
      roles.rows.push_back(loop);
    else if (in(b, loop))
      roles.cols.push_back(loop);
    else
      return std::nullopt;
  }
  for (int64_t loop : a) {
    if (in(c, loop))
      continue;
    if (!in(b, loop))
      return std::nullopt;
    roles.inner.push_back(loop);
  }
  for (int64_t loop : b)
    if (!in(c, loop) && !in(a, loop))
      return std::nullopt;
  return roles;
}

/// An operand of a matrix product: batch dimensions and two more, which may be
/// exchanged.
struct Matrix {
  Value value;
  bool transposed = false;
};

} // namespace

std::optional<LogicalResult>
Structured::convertContraction(const Reduction &reduction) {
  auto factors = matchProduct(reduction.term);
  if (reduction.name != "sum" || !factors)
    return std::nullopt;
  auto [first, second] = *factors;
  std::optional<Dims> a = loopsOf(mapOf(first.operand)),
                      b = loopsOf(mapOf(second.operand));
  Dims c = *loopsOf(outputMap());
  if (!a || !b)
    return std::nullopt;
  std::optional<Roles> roles = classify(*a, *b, c);
  if (!roles || roles->inner.empty())
    return std::nullopt;

  // The rows of the result are those of the operand whose loops come first.
  if (!roles->rows.empty() && !roles->cols.empty() &&
      llvm::find(c, roles->cols.front()) < llvm::find(c, roles->rows.front())) {
    std::swap(first, second);
    std::swap(a, b);
    std::swap(roles->rows, roles->cols);
  }

  auto valueOf = [&](const Factor &factor) {
    Value operand = translator.get(op->getOperand(factor.operand));
    return evaluateOn(factor.value, factor.operand, operand);
  };
  Value leftValue = valueOf(first), rightValue = valueOf(second);
  if (!leftValue || !rightValue)
    return failure();

  auto bring = [&](Value value, const Dims &loops, const Dims &outer,
                   const Dims &inner) {
    Dims swapped = join({roles->batch, inner, outer});
    // The product itself transposes two plain dimensions.
    if (loops == swapped && outer.size() == 1 && inner.size() == 1 &&
        loops != join({roles->batch, outer, inner}))
      return Matrix{value, true};
    value = graph.permute(value,
                          placesOf(join({roles->batch, outer, inner}), loops));
    return Matrix{value, false};
  };
  Dims batch = extentsOf(roles->batch);
  auto flatten = [&](Matrix &factor, const Dims &outer, const Dims &inner) {
    if (!factor.transposed)
      factor.value =
          graph.reshape(factor.value, join({batch,
                                            {volumeOf(extentsOf(outer))},
                                            {volumeOf(extentsOf(inner))}}));
  };
  Matrix left = bring(leftValue, *a, roles->rows, roles->inner);
  Matrix right = bring(rightValue, *b, roles->inner, roles->cols);
  // More than two batch dimensions are collapsed.
  flatten(left, roles->rows, roles->inner);
  flatten(right, roles->inner, roles->cols);
  if (batch.size() > 2)
    for (Matrix *factor : {&left, &right}) {
      Shape shape = shapeOf(factor->value);
      factor->value = graph.reshape(
          factor->value, {volumeOf(batch), shape.end()[-2], shape.end()[-1]});
    }

  Type element = translator.resultType(op->getResult(0)).getElementType();
  Value product = graph.matmul(left.value, right.value, element,
                               left.transposed, right.transposed);
  Dims loops = join({roles->batch, roles->rows, roles->cols});
  Dims shape = extentsOf(loops);
  product = graph.reshape(product, shape.empty() ? Dims{1} : shape);
  if (!loops.empty())
    product = graph.permute(product, placesOf(c, loops));
  return finish(reduction, product);
}

} // namespace mlir::tt::frontend
