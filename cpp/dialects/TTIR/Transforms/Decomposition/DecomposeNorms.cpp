#include "dialects/TTIR/Transforms/Decomposition/DecompositionPatterns.h"

namespace mlir::tt::ttir {

/// exp(x - max) / sum(exp(x - max)), in f32.
static Value decomposeSoftmax(SoftmaxOp op, Primitives &b) {
  Value x = op.getInput();
  Type type = b.getElementType(x), wide = b.getWideType(type);
  int64_t dim = *shapes::normalizeDim(op.getDimension(), b.getRank(x));
  Value max = b.reduce<MaxOp>(x, dim, type);
  Value shifted = b.eltwise<SubtractOp>({x, max}, wide);
  Value exp = b.eltwise<ExpOp>(shifted);
  Value sum = b.reduce<SumOp>(exp, dim, wide);
  return b.eltwise<DivOp>({exp, sum}, op.getType().getElementType());
}

/// The mean over the dimensions `dims` of an f32 tensor.
static Value mean(Primitives &b, Value x, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= b.getShape(x)[dim];
  Type type = b.getElementType(x);
  return b.eltwise<DivOp>(
      {b.reduce<SumOp>(x, dims, type), b.scalar(count, type)});
}

/// `x` over the root of its mean square and epsilon, times weight, plus bias.
template <typename NormOp>
static Value normalize(NormOp op, Primitives &b, Value x,
                       ArrayRef<int64_t> dims) {
  Type wide = b.getElementType(x);
  Value square = b.eltwise<MultiplyOp>({x, x});
  Value shifted =
      b.eltwise<AddOp>({mean(b, square, dims),
                        b.scalar(op.getEpsilon().convertToDouble(), wide)});
  Value scale = b.eltwise<RsqrtOp>(shifted);
  Value result = b.eltwise<MultiplyOp>({x, scale});
  if (op.getWeight())
    result = b.eltwise<MultiplyOp>({result, op.getWeight()});
  if (op.getBias())
    result = b.eltwise<AddOp>({result, op.getBias()});
  return b.cast(result, op.getType().getElementType());
}

static SmallVector<int64_t> getInnerDims(ArrayRef<int64_t> normalizedShape,
                                         int64_t rank) {
  int64_t count = normalizedShape.size();
  return llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
}

static Value decomposeLayerNorm(LayerNormOp op, Primitives &b) {
  Type wide = b.getWideType(b.getElementType(op.getInput()));
  Value x = b.cast(op.getInput(), wide);
  SmallVector<int64_t> dims =
      getInnerDims(op.getNormalizedShape(), b.getRank(x));
  return normalize(op, b, b.eltwise<SubtractOp>({x, mean(b, x, dims)}), dims);
}

static Value decomposeRMSNorm(RMSNormOp op, Primitives &b) {
  Value x = op.getInput();
  return normalize(op, b, b.cast(x, b.getWideType(b.getElementType(x))),
                   getInnerDims(op.getNormalizedShape(), b.getRank(x)));
}

static Value transposeInner(Primitives &b, Value x, bool isTransposed) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, b.getRank(x)));
  if (isTransposed)
    std::swap(order[order.size() - 2], order[order.size() - 1]);
  return b.permute(x, order);
}

/// Whether `a` has matrices of so few rows, each in tiles of its own, that one
/// matrix of all of them takes at most half the tiles. All are multiplied by
/// the same `b`.
static bool hasFewRows(Primitives &b, Value left, Value right) {
  ArrayRef<int64_t> a = b.getShape(left), weights = b.getShape(right);
  if (a.size() < 3 || volume(weights.drop_back(2)) != 1)
    return false;
  int64_t matrices = volume(a.drop_back(2)), rows = a[a.size() - 2];
  auto tiles = [](int64_t extent) {
    return llvm::divideCeil(extent, TileType::kExtent);
  };
  return 2 * tiles(matrices * rows) <= matrices * tiles(rows);
}

/// The product of matrices; those of few rows are multiplied as one.
static Value multiply(Primitives &b, Value left, Value right, Type type) {
  if (!hasFewRows(b, left, right))
    return b.matmul(left, right, type);
  SmallVector<int64_t> shape(b.getShape(left));
  SmallVector<int64_t> joined(shape.size(), 1);
  joined.back() = shape.back();
  joined[joined.size() - 2] = volume(ArrayRef(shape).drop_back());
  shape.back() = b.getShape(right).back();
  return b.reshape(b.matmul(b.reshape(left, joined), right, type), shape);
}

static Value decomposeMatmul(MatmulOp op, Primitives &b) {
  if (!op.getTransposeA() && !op.getTransposeB() &&
      !isa<IntegerType>(op.getType().getElementType()) &&
      !hasFewRows(b, op.getA(), op.getB()))
    return {};
  return multiply(b, transposeInner(b, op.getA(), op.getTransposeA()),
                  transposeInner(b, op.getB(), op.getTransposeB()),
                  op.getType().getElementType());
}

static Value decomposeLinear(LinearOp op, Primitives &b) {
  Type type = op.getType().getElementType();
  Value product = multiply(b, transposeInner(b, op.getA(), op.getTransposeA()),
                           transposeInner(b, op.getB(), op.getTransposeB()),
                           op.getBias() ? b.getWideType(type) : type);
  return op.getBias() ? b.eltwise<AddOp>({product, op.getBias()}, type)
                      : product;
}

void populateNormDecompositions(RewritePatternSet &patterns) {
  addDecomposition<SoftmaxOp>(patterns, decomposeSoftmax);
  addDecomposition<LayerNormOp>(patterns, decomposeLayerNorm);
  addDecomposition<RMSNormOp>(patterns, decomposeRMSNorm);
  addDecomposition<MatmulOp>(patterns, decomposeMatmul);
  addDecomposition<LinearOp>(patterns, decomposeLinear);
}

} // namespace mlir::tt::ttir
