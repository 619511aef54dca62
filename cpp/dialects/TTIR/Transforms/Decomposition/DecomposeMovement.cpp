#include "dialects/TTIR/Transforms/Decomposition/DecompositionPatterns.h"

namespace mlir::tt::ttir {

static SmallVector<int64_t> getIntegers(ArrayAttr array) {
  SmallVector<int64_t> values;
  for (IntegerAttr value : array.getAsRange<IntegerAttr>())
    values.push_back(value.getInt());
  return values;
}

template <typename OpTy>
static Value decomposeIntoReshape(OpTy op, Primitives &b) {
  return b.reshape(op.getInput(), op.getType().getShape());
}

static Value decomposeReshape(ReshapeOp op, Primitives &b) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  if (b.getShape(op.getInput()) != shape && getIntegers(op.getShape()) == shape)
    return {};
  return b.reshape(op.getInput(), shape);
}

static Value decomposeTranspose(TransposeOp op, Primitives &b) {
  int64_t rank = b.getRank(op.getInput());
  if (op.getDim0() == rank - 2 && op.getDim1() == rank - 1)
    return {};
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[*shapes::normalizeDim(op.getDim0(), rank)],
            order[*shapes::normalizeDim(op.getDim1(), rank)]);
  return b.permute(op.getInput(), order);
}

/// A permutation that moves the last dimension would fetch every element by
/// itself. Instead rows are moved so that the dimension that becomes the last
/// one is next to it, the matrices are transposed, and rows are moved to their
/// places.
static Value permuteByTranspose(Primitives &b, Value input,
                                ArrayRef<int64_t> order) {
  int64_t last = order.size() - 1;
  SmallVector<int64_t> before, after;
  for (int64_t dim : order.drop_back()) {
    // Where the dimensions of the result are after the transposition.
    after.push_back(dim == last ? last - 1 : before.size());
    if (dim != last)
      before.push_back(dim);
  }
  after.push_back(last);
  before.append({order.back(), last});
  auto transpose = llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
  std::swap(transpose[last - 1], transpose[last]);
  return b.permute(b.permute(b.permute(input, before), transpose), after);
}

/// Null if rows do not change, or if matrices are so small that tiles would be
/// mostly padding.
static Value decomposePermute(PermuteOp op, Primitives &b) {
  ArrayRef<int64_t> order = op.getPermutation();
  int64_t last = static_cast<int64_t>(order.size()) - 1;
  if (llvm::equal(order, llvm::seq<int64_t>(0, last + 1)))
    return op.getInput();
  if (order.back() == last)
    return {};
  constexpr int64_t kTile = 32, kMaxGrowth = 16;
  ArrayRef<int64_t> shape = b.getShape(op.getInput());
  int64_t rows = shape[order.back()], columns = shape[last];
  bool isPlain =
      llvm::equal(order.drop_back(2), llvm::seq<int64_t>(0, last - 1));
  if (!isPlain && llvm::alignTo(rows, kTile) * llvm::alignTo(columns, kTile) >
                      static_cast<uint64_t>(kMaxGrowth * rows * columns))
    return {};
  return permuteByTranspose(b, op.getInput(), order);
}

static Value decomposeSlice(SliceOp op, Primitives &b) {
  SmallVector<int64_t> begins = getIntegers(op.getBegins()),
                       ends = getIntegers(op.getEnds());
  auto isPlain = [](int64_t bound) { return bound >= 0; };
  if (llvm::all_of(begins, isPlain) && llvm::all_of(ends, isPlain) &&
      op.getType().getShape() != b.getShape(op.getInput()))
    return {};
  for (auto [begin, end, extent] :
       llvm::zip_equal(begins, ends, b.getShape(op.getInput()))) {
    begin += begin < 0 ? extent : 0;
    end += end < 0 ? extent : 0;
  }
  return b.slice(op.getInput(), begins, ends, getIntegers(op.getStep()));
}

static Value decomposeConcat(ConcatOp op, Primitives &b) {
  if (op.getDim() >= 0 && op.getInputs().size() > 1)
    return {};
  return b.concat(op.getInputs(),
                  *shapes::normalizeDim(op.getDim(), op.getType().getRank()));
}

static Value decomposePad(PadOp op, Primitives &b) {
  if (llvm::any_of(op.getPadding(), [](int32_t count) { return count != 0; }))
    return {};
  return op.getInput();
}

/// Whether all that read `value` broadcast one of `shape` in its place to the
/// same result.
static bool isBroadcastByUsers(Value value, ArrayRef<int64_t> shape) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (!op || !isa<TTIR_ElementwiseOpInterface>(use.getOwner()) ||
        op.isDpsInit(&use))
      return false;
    SmallVector<ArrayRef<int64_t>> shapes;
    for (Value input : op.getDpsInputs())
      shapes.push_back(input == value ? shape : Primitives::getShape(input));
    FailureOr<SmallVector<int64_t>> result = shapes::broadcastShapes(shapes);
    return succeeded(result) &&
           ArrayRef(*result) == Primitives::getShape(op->getResult(0));
  });
}

/// `value`, which has extent 1 where it is repeated, at least where its readers
/// do not repeat it themselves.
static Value repeatFor(Primitives &b, Operation *op, Value value,
                       ArrayRef<int64_t> times) {
  if (isBroadcastByUsers(op->getResult(0), b.getShape(value)))
    return value;
  return b.repeat(value, times);
}

static Value decomposeBroadcast(BroadcastOp op, Primitives &b) {
  Value x = op.getInput();
  ArrayRef<int64_t> shape = op.getType().getShape();
  SmallVector<int64_t> aligned =
      shapes::alignBroadcast(b.getShape(x), shape.size(), op.getDimension());
  SmallVector<int64_t> times;
  for (auto [extent, target] : llvm::zip_equal(aligned, shape))
    times.push_back(extent == target ? 1 : target);
  return repeatFor(b, op, b.reshape(x, aligned), times);
}

static Value decomposeRepeat(RepeatOp op, Primitives &b) {
  Value x = op.getInput();
  for (auto [extent, count] :
       llvm::zip_equal(b.getShape(x), op.getRepeatDimensions()))
    if (extent != 1 && count != 1)
      return {};
  if (op.getType().getShape() != b.getShape(x) &&
      !isBroadcastByUsers(op.getResult(), b.getShape(x)))
    return {};
  return x;
}

/// One-hot rows of the indices, transposed, times the gradients: some rows of
/// the table at a time, because all of a real vocabulary by all tokens of a
/// batch are gigabytes.
static Value decomposeEmbeddingBackward(EmbeddingBackwardOp op, Primitives &b) {
  constexpr int64_t kTile = 32, kMaxOneHot = 1 << 26;
  Type f32 = b.builder.getF32Type();
  int64_t count = volume(b.getShape(op.getInput()));
  ArrayRef<int64_t> table = op.getType().getShape();
  Value index = b.cast(b.reshape(op.getInput(), {1, count}), f32);
  Value gradient =
      b.cast(b.reshape(op.getInGradient(), {count, table[1]}), f32);
  int64_t block =
      std::max<int64_t>(kTile, llvm::alignDown(kMaxOneHot / count, kTile));
  SmallVector<Value> rows;
  for (int64_t first = 0; first < table[0]; first += block) {
    Value numbers = b.iota(2, 0, first, std::min(block, table[0] - first), f32);
    Value isThere = b.eltwise<EqualOp>({numbers, index}, f32);
    rows.push_back(b.matmul(isThere, gradient, op.getType().getElementType()));
  }
  return b.concat(rows, 0);
}

void populateMovementDecompositions(RewritePatternSet &patterns) {
  addDecomposition<SqueezeOp>(patterns, decomposeIntoReshape<SqueezeOp>);
  addDecomposition<UnsqueezeOp>(patterns, decomposeIntoReshape<UnsqueezeOp>);
  addDecomposition<ReshapeOp>(patterns, decomposeReshape);
  addDecomposition<TransposeOp>(patterns, decomposeTranspose);
  addDecomposition<PermuteOp>(patterns, decomposePermute);
  addDecomposition<SliceOp>(patterns, decomposeSlice);
  addDecomposition<ConcatOp>(patterns, decomposeConcat);
  addDecomposition<PadOp>(patterns, decomposePad);
  addDecomposition<BroadcastOp>(patterns, decomposeBroadcast);
  addDecomposition<RepeatOp>(patterns, decomposeRepeat);
  addDecomposition<EmbeddingBackwardOp>(patterns, decomposeEmbeddingBackward);
}

} // namespace mlir::tt::ttir
