#include "dialects/TTIR/Transforms/Decomposition/DecompositionPatterns.h"

namespace mlir::tt::ttir {

/// Elements of 32 bits with the same order, which kernels sort.
static Value toOrderedWords(Primitives &b, Value value) {
  Type type = b.getElementType(value);
  if (isa<FloatType>(type))
    return b.cast(value, b.builder.getF32Type());
  if (type.getIntOrFloatBitWidth() == 32)
    return value;
  return b.cast(value, b.builder.getIntegerType(32, /*isSigned=*/true));
}

static Value makeDestination(Primitives &b, RankedTensorType type) {
  return tensor::EmptyOp::create(b.builder, b.loc, type.getShape(),
                                 type.getElementType(), type.getEncoding());
}

/// Rows of 32-bit elements are sorted by a kernel.
static Value decomposeArgSort(ArgSortOp op, Primitives &b) {
  Value x = op.getInput();
  int64_t rank = b.getRank(x);
  int64_t dim = *shapes::normalizeDim(op.getDim(), rank);
  Type word = b.builder.getIntegerType(32);
  Type element = op.getType().getElementType();
  if (rank == 2 && dim == 1 && toOrderedWords(b, x) == x && element == word &&
      op.getDim() == 1)
    return {};
  SmallVector<int64_t> order, back(rank);
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim)
      order.push_back(d);
  order.push_back(dim);
  for (auto [place, d] : llvm::enumerate(order))
    back[d] = place;
  x = b.permute(toOrderedWords(b, x), order);
  SmallVector<int64_t> moved(b.getShape(x));
  int64_t count = moved.back();
  x = b.reshape(x, {volume(moved) / count, count});
  auto type = RankedTensorType::get(b.getShape(x), word);
  Value places =
      ArgSortOp::create(b.builder, b.loc, type, x, makeDestination(b, type),
                        b.builder.getI64IntegerAttr(1), op.getDescendingAttr(),
                        b.getRows(2))
          .getResult();
  return b.cast(b.permute(b.reshape(places, moved), back), element);
}

/// Converts a list of positions to 32 bits.
static Value toWords(Primitives &b, Value value) {
  if (b.getElementType(value).getIntOrFloatBitWidth() == 32)
    return value;
  return b.cast(value, b.builder.getIntegerType(32, /*isSigned=*/true));
}

static Value decomposePreviousEqual(PreviousEqualOp op, Primitives &b) {
  Type word = b.builder.getIntegerType(32);
  Type element = op.getType().getElementType();
  Value words = toWords(b, op.getInput());
  if (words == op.getInput() && element == word)
    return {};
  auto type = RankedTensorType::get(b.getShape(words), word);
  Value places = PreviousEqualOp::create(b.builder, b.loc, type, words,
                                         makeDestination(b, type),
                                         op.getLimitAttr(), b.getRows(2))
                     .getResult();
  return b.cast(places, element);
}

/// Rows replace those of a table.
static Value setRows(Primitives &b, Value table, Value indices, Value updates) {
  auto type = cast<RankedTensorType>(table.getType());
  auto plain = RankedTensorType::get(type.getShape(), type.getElementType());
  auto set = ReduceTypeAttr::get(b.builder.getContext(), ReduceType::Invalid);
  return ScatterRowsOp::create(b.builder, b.loc, plain, table, indices, updates,
                               makeDestination(b, plain), set, b.getRows(4))
      .getResult();
}

/// Combines each update with all earlier ones of the same row, at distance 1,
/// 2, 4, ..., so that the last update of a row has the result. The first update
/// starts with the row itself.
template <typename CombineOp>
static Value combineRows(ScatterRowsOp op, Primitives &b, Value indices) {
  Type f32 = b.builder.getF32Type(), word = b.builder.getIntegerType(32);
  Value table = op.getInput(), updates = op.getUpdates();
  Type wide = b.getWideType(b.getElementType(table));
  int64_t rows = b.getShape(table)[0], count = b.getShape(updates)[0];
  Value places = b.iota(1, 0, 0, count, f32);
  auto wordType = RankedTensorType::get({count}, word);
  Value previous = b.cast(
      PreviousEqualOp::create(b.builder, b.loc, wordType, indices,
                              makeDestination(b, wordType),
                              b.builder.getI64IntegerAttr(rows), b.getRows(2))
          .getResult(),
      f32);
  auto column = [&](Value value) { return b.reshape(value, {count, 1}); };
  auto take = [&](Value from, Value at) {
    return b.embedding(b.cast(at, word), from);
  };
  Value inside = b.cast(indices, f32);
  inside = b.eltwise<MaximumOp>({inside, b.scalar(0, f32)});
  inside = b.eltwise<MinimumOp>({inside, b.scalar(rows - 1, f32)});
  Value follows = b.eltwise<NotEqualOp>({previous, places});
  Value total = b.cast(updates, wide);
  Value begun =
      b.eltwise<CombineOp>({b.cast(take(table, inside), wide), total});
  total = b.eltwise<WhereOp>({column(follows), total, begun}, wide);
  for (int64_t distance = 1; distance < count; distance *= 2) {
    Value joined = b.eltwise<CombineOp>({take(total, previous), total});
    total = b.eltwise<WhereOp>({column(follows), joined, total}, wide);
    if (2 * distance >= count)
      break;
    Value further = b.reshape(take(column(follows), previous), {count});
    follows = b.eltwise<LogicalAndOp>({follows, further});
    previous = b.reshape(take(column(previous), previous), {count});
  }
  return setRows(b, table, indices,
                 b.cast(total, op.getType().getElementType()));
}

static Value decomposeScatterRows(ScatterRowsOp op, Primitives &b) {
  Value indices = toWords(b, op.getIndices());
  Type element = op.getType().getElementType();
  Value table = b.cast(op.getInput(), element);
  switch (op.getReduceType()) {
  case ReduceType::Sum:
    return combineRows<AddOp>(op, b, indices);
  case ReduceType::Prod:
    return combineRows<MultiplyOp>(op, b, indices);
  case ReduceType::Max:
    return combineRows<MaximumOp>(op, b, indices);
  case ReduceType::Min:
    return combineRows<MinimumOp>(op, b, indices);
  default:
    break;
  }
  Value updates = b.cast(op.getUpdates(), element);
  if (indices == op.getIndices() && table == op.getInput() &&
      updates == op.getUpdates())
    return {};
  return setRows(b, table, indices, updates);
}

/// Applies the updates one after the other.
static Value updateEach(UpdateSliceOp op, Primitives &b) {
  ArrayRef<int64_t> index = Primitives::getShape(op.getIndex());
  int64_t extent = Primitives::getShape(op.getUpdate())[0] / index[0];
  Value cache = op.getInput();
  for (int64_t i = 0; i < index[0]; ++i) {
    Value part = b.slice(op.getUpdate(), 0, i * extent, (i + 1) * extent);
    Value row = b.reshape(b.slice(op.getIndex(), 0, i, i + 1), {index[1]});
    Value destination = makeDestination(b, op.getType());
    auto made = cast<UpdateSliceOp>(b.builder.clone(*op));
    made.getInputMutable().assign(cache);
    made.getUpdateMutable().assign(part);
    made.getIndexMutable().assign(row);
    made.getOutputMutable().assign(destination);
    if (!llvm::is_contained(op.getDims(), 0)) {
      SmallVector<int64_t> starts(op.getStarts());
      starts[0] += i * extent;
      made.setStarts(starts);
    }
    cache = made.getResult();
  }
  return cache;
}

/// Kernels read 32-bit indices.
static Value decomposeUpdateSlice(UpdateSliceOp op, Primitives &b) {
  if (!op.getIndex())
    return {};
  if (op.getIndex().getType().getRank() == 2)
    return updateEach(op, b);
  Value words = toWords(b, op.getIndex());
  if (words == op.getIndex())
    return {};
  Value destination = makeDestination(b, op.getType());
  auto update = cast<UpdateSliceOp>(b.builder.clone(*op));
  update.getIndexMutable().assign(words);
  update.getOutputMutable().assign(destination);
  return update.getResult();
}

static Value decomposeBitcastConvert(BitcastConvertOp op, Primitives &) {
  if (op.getInput().getType().getElementType() == op.getType().getElementType())
    return op.getInput();
  return {};
}

LogicalResult verifyIndexingDecomposition(Operation *op) {
  constexpr int64_t kMaxExact = int64_t(1) << 24;
  if (auto bits = dyn_cast<BitcastConvertOp>(op))
    if (bits.getInput().getType().getRank() != bits.getType().getRank())
      return op->emitOpError("cannot be decomposed: expected elements of one "
                             "size, found ")
             << bits.getInput().getType().getElementType() << " and "
             << bits.getType().getElementType();
  if (auto scatter = dyn_cast<ScatterRowsOp>(op);
      scatter && scatter.getReduceType() != ReduceType::Invalid)
    for (Value list : {scatter.getInput(), scatter.getUpdates()})
      if (int64_t rows = Primitives::getShape(list)[0]; rows > kMaxExact)
        return op->emitOpError("cannot be decomposed: expected at most 2^24 "
                               "rows to combine, found ")
               << rows;
  return success();
}

void populateIndexingDecompositions(RewritePatternSet &patterns) {
  addDecomposition<ArgSortOp>(patterns, decomposeArgSort);
  addDecomposition<PreviousEqualOp>(patterns, decomposePreviousEqual);
  addDecomposition<ScatterRowsOp>(patterns, decomposeScatterRows);
  addDecomposition<UpdateSliceOp>(patterns, decomposeUpdateSlice);
  addDecomposition<BitcastConvertOp>(patterns, decomposeBitcastConvert);
}

} // namespace mlir::tt::ttir
