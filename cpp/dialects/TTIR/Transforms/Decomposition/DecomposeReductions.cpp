#include "dialects/TTIR/Transforms/Decomposition/DecompositionPatterns.h"

namespace mlir::tt::ttir {

SmallVector<int64_t> getReducedDims(ArrayAttr dims, int64_t rank) {
  SmallVector<int64_t> result;
  if (dims)
    for (APInt dim : dims.getAsValueRange<IntegerAttr>())
      result.push_back(*shapes::normalizeDim(dim.getSExtValue(), rank));
  if (result.empty())
    llvm::append_range(result, llvm::seq<int64_t>(0, rank));
  llvm::sort(result);
  return result;
}

/// Joins the halves of dimension `dim` until one place is left.
template <typename EltwiseOp>
static Value joinHalves(Primitives &b, Value x, int64_t dim) {
  while (b.getShape(x)[dim] > 1) {
    int64_t extent = b.getShape(x)[dim], half = extent / 2;
    Value lower = b.slice(x, dim, 0, half);
    Value upper = b.slice(x, dim, half, 2 * half);
    Value joined = b.eltwise<EltwiseOp>({lower, upper});
    // What is left over goes into the next round.
    if (extent % 2)
      joined = b.concat({joined, b.slice(x, dim, extent - 1, extent)}, dim);
    x = joined;
  }
  return x;
}

/// The kernels of reductions take floats; integers are joined by halves.
template <typename ReductionOp, typename EltwiseOp>
static Value reduce(Primitives &b, Value x, ArrayRef<int64_t> dims,
                    Type elementType) {
  if (isa<FloatType>(b.getElementType(x)))
    return b.reduce<ReductionOp>(x, dims, elementType);
  for (int64_t dim : dims)
    x = joinHalves<EltwiseOp>(b, x, dim);
  return b.cast(x, elementType);
}

/// A reduction with its dimensions kept, in the shape that the op states. One
/// that keeps whole tiles has zeros after the results.
static Value fitReduced(Primitives &b, Value reduced, RankedTensorType type) {
  if (b.getShape(reduced).size() == type.getShape().size()) {
    SmallVector<int64_t> padding;
    for (auto [extent, stated] :
         llvm::zip_equal(b.getShape(reduced), type.getShape())) {
      padding.push_back(0);
      padding.push_back(std::max<int64_t>(stated - extent, 0));
    }
    if (volume(b.getShape(reduced)) != type.getNumElements())
      return b.pad(reduced, padding, 0);
  }
  return b.reshape(reduced, type.getShape());
}

/// Sums, maxima and minima of floats with their dimensions kept are primitives.
template <typename ReductionOp, typename EltwiseOp>
static Value decomposeReduction(ReductionOp op, Primitives &b) {
  Value x = op.getInput();
  SmallVector<int64_t> dims = getReducedDims(op.getDimArgAttr(), b.getRank(x));
  SmallVector<int64_t> kept(b.getShape(x));
  for (int64_t dim : dims)
    kept[dim] = 1;
  RankedTensorType type = op.getType();
  SmallVector<int32_t> narrow(dims.begin(), dims.end());
  if (isa<FloatType>(b.getElementType(x)) && op.getKeepDim() &&
      type.getShape() == ArrayRef(kept) &&
      op.getDimArgAttr() == b.builder.getI32ArrayAttr(narrow))
    return {};
  return fitReduced(
      b, reduce<ReductionOp, EltwiseOp>(b, x, dims, type.getElementType()),
      type);
}

static Value decomposeMean(MeanOp op, Primitives &b) {
  Value x = op.getInput();
  SmallVector<int64_t> dims = getReducedDims(op.getDimArgAttr(), b.getRank(x));
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= b.getShape(x)[dim];
  Type f32 = b.builder.getF32Type();
  Type wide = b.getWideType(b.getElementType(x));
  Value sum = b.cast(reduce<SumOp, AddOp>(b, x, dims, wide), f32);
  Type type = op.getType().getElementType();
  Value mean = b.eltwise<DivOp>({sum, b.scalar(count, f32)},
                                isa<FloatType>(type) ? type : f32);
  return fitReduced(b, b.cast(mean, type), op.getType());
}

static Value decomposeProd(ProdOp op, Primitives &b) {
  Value x = op.getInput();
  x = b.cast(x, b.getWideType(b.getElementType(x)));
  for (int64_t dim : getReducedDims(op.getDimArgAttr(), b.getRank(x)))
    x = joinHalves<MultiplyOp>(b, x, dim);
  return fitReduced(b, b.cast(x, op.getType().getElementType()), op.getType());
}

/// The least index of those where the maximum, or NaN, is.
static Value decomposeArgMax(ArgMaxOp op, Primitives &b) {
  Value x = op.getInput();
  Type f32 = b.builder.getF32Type(), type = b.getElementType(x);
  int64_t dim = 0;
  if (op.getDimArgAttr() && !op.getDimArgAttr().empty())
    dim = getReducedDims(op.getDimArgAttr(), b.getRank(x)).front();
  else
    x = b.reshape(x, {1, volume(b.getShape(x))}), dim = 1;
  int64_t count = b.getShape(x)[dim];
  Value isMaximum =
      b.eltwise<EqualOp>({x, reduce<MaxOp, MaximumOp>(b, x, dim, type)});
  if (isa<FloatType>(type))
    isMaximum =
        b.eltwise<LogicalOrOp>({isMaximum, b.eltwise<NotEqualOp>({x, x})});
  isMaximum = b.cast(isMaximum, f32);
  Value index =
      b.eltwise<WhereOp>({isMaximum, b.iota(b.getRank(x), dim, 0, count, f32),
                          b.scalar(count, f32)},
                         f32);
  Value first = b.reduce<MinOp>(index, dim, f32);
  return b.reshape(b.cast(first, op.getType().getElementType()),
                   op.getType().getShape());
}

/// Combines each place with the one at distance 1, then 2, 4, ... before it.
template <typename ScanOp>
static Value decomposeScan(ScanOp op, Primitives &b,
                           function_ref<Value(Value, Value)> combine) {
  Value x = op.getInput();
  int64_t dim = *shapes::normalizeDim(op.getDim(), b.getRank(x));
  int64_t extent = b.getShape(x)[dim];
  x = b.cast(x, b.getWideType(b.getElementType(x)));
  for (int64_t distance = 1; distance < extent; distance *= 2) {
    Value combined = combine(b.slice(x, dim, 0, extent - distance),
                             b.slice(x, dim, distance, extent));
    x = b.concat({b.slice(x, dim, 0, distance), combined}, dim);
  }
  return b.cast(x, op.getType().getElementType());
}

template <typename CombineOp, typename ScanOp>
static Value decomposeScanOf(ScanOp op, Primitives &b) {
  return decomposeScan(op, b, [&](Value before, Value x) {
    return b.eltwise<CombineOp>({before, x});
  });
}

void populateReductionDecompositions(RewritePatternSet &patterns) {
  addDecomposition<SumOp>(patterns, decomposeReduction<SumOp, AddOp>);
  addDecomposition<MaxOp>(patterns, decomposeReduction<MaxOp, MaximumOp>);
  addDecomposition<MinOp>(patterns, decomposeReduction<MinOp, MinimumOp>);
  addDecomposition<MeanOp>(patterns, decomposeMean);
  addDecomposition<ProdOp>(patterns, decomposeProd);
  addDecomposition<ArgMaxOp>(patterns, decomposeArgMax);
  addDecomposition<CumSumOp>(patterns, decomposeScanOf<AddOp, CumSumOp>);
  addDecomposition<CumProdOp>(patterns, decomposeScanOf<MultiplyOp, CumProdOp>);
  addDecomposition<CumMaxOp>(patterns, decomposeScanOf<MaximumOp, CumMaxOp>);
  addDecomposition<CumMinOp>(patterns, decomposeScanOf<MinimumOp, CumMinOp>);
}

} // namespace mlir::tt::ttir
