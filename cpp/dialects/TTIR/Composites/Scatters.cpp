#include "dialects/TTIR/Composites/Indexing.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

LogicalResult mlir::tt::ttir::verifyScatterType(Operation *op,
                                                ReduceType type) {
  if (type != ReduceType::Mean && type != ReduceType::Std &&
      type != ReduceType::Var)
    return success();
  return op->emitOpError("reduce_type is not supported: expected sum, prod, "
                         "max, min or invalid, found ")
         << stringifyEnum(type);
}

Value mlir::tt::ttir::scatterRows(GraphBuilder &b, Value table, Value rows,
                                  Value updates, ReduceType type) {
  return b.op("scatter_rows", {table, rows, updates}, typeOf(table),
              b.attr("reduce_type",
                     ReduceTypeAttr::get(b.getBuilder().getContext(), type)));
}

/// Distinct dimensions in [0, rank), ascending if `isSorted`.
static LogicalResult verifyDims(ScatterOp op, StringRef name,
                                ArrayRef<int64_t> dims, int64_t rank,
                                bool isSorted) {
  SmallVector<bool> seen(rank, false);
  int64_t last = -1;
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank || seen[dim] || (isSorted && dim < last))
      return op.emitOpError(name)
             << " must be distinct" << (isSorted ? ", ascending" : "")
             << " dimensions in [0, " << rank << "): found " << dims;
    seen[dim] = true;
    last = dim;
  }
  return success();
}

/// The extents of a window in all dimensions of the input.
static SmallVector<int64_t> getWindow(ScatterOp op) {
  SmallVector<int64_t> window(op.getInput().getType().getRank(), 1);
  size_t next = 0;
  for (int64_t d : range(window.size()))
    if (!llvm::is_contained(op.getInsertedWindowDims(), d) &&
        !llvm::is_contained(op.getInputBatchingDims(), d))
      window[d] = shapeOf(op.getUpdates())[op.getUpdateWindowDims()[next++]];
  return window;
}

/// The dimensions of the indices that number the windows.
static SmallVector<int64_t> getBatchDims(ScatterOp op) {
  SmallVector<int64_t> dims;
  for (int64_t d : range(shapeOf(op.getScatterIndices()).size()))
    if (d != op.getIndexVectorDim())
      dims.push_back(d);
  return dims;
}

Shapes ScatterOp::inferShapes() {
  ArrayRef<int64_t> input = shapeOf(getInput());
  ArrayRef<int64_t> indices = shapeOf(getScatterIndices());
  ArrayRef<int64_t> updates = shapeOf(getUpdates());
  int64_t rank = input.size(), indexRank = indices.size();
  int64_t vectorDim = getIndexVectorDim();
  if (vectorDim < 0 || vectorDim > indexRank)
    return emitOpError("index_vector_dim must be in [0, ")
           << indexRank << "]: found " << vectorDim;
  if (failed(verifyDims(*this, "update_window_dims", getUpdateWindowDims(),
                        updates.size(), true)) ||
      failed(verifyDims(*this, "inserted_window_dims", getInsertedWindowDims(),
                        rank, true)) ||
      failed(verifyDims(*this, "input_batching_dims", getInputBatchingDims(),
                        rank, true)) ||
      failed(verifyDims(*this, "scatter_indices_batching_dims",
                        getScatterIndicesBatchingDims(), indexRank, false)) ||
      failed(verifyDims(*this, "scatter_dims_to_operand_dims",
                        getScatterDimsToOperandDims(), rank, false)) ||
      failed(verifyIntegerElements(*this, "scatter_indices",
                                   getScatterIndices())) ||
      failed(verifyScatterType(*this, getReduceType())))
    return failure();
  int64_t windowDims = getUpdateWindowDims().size();
  for (int64_t d : getInputBatchingDims())
    if (llvm::is_contained(getInsertedWindowDims(), d) ||
        llvm::is_contained(getScatterDimsToOperandDims(), d))
      return emitOpError("dimension ")
             << d
             << " is a batch: expected it neither in "
                "inserted_window_dims nor in scatter_dims_to_operand_dims";
  if (windowDims + static_cast<int64_t>(getInsertedWindowDims().size() +
                                        getInputBatchingDims().size()) !=
      rank)
    return emitOpError("expected each of the ")
           << rank << " dimensions of the input to be one of the window, "
           << "inserted or a batch: found " << windowDims << ", "
           << getInsertedWindowDims().size() << " and "
           << getInputBatchingDims().size();
  if (getInputBatchingDims().size() != getScatterIndicesBatchingDims().size())
    return emitOpError("expected as many scatter_indices_batching_dims as "
                       "input_batching_dims: found ")
           << getScatterIndicesBatchingDims().size() << " and "
           << getInputBatchingDims().size();
  for (auto [d, of] :
       llvm::zip(getInputBatchingDims(), getScatterIndicesBatchingDims()))
    if (of == vectorDim || indices[of] != input[d])
      return emitOpError("scatter_indices_batching_dims must name a dimension "
                         "of the extent ")
             << input[d] << ": found " << of;
  int64_t entries = vectorDim < indexRank ? indices[vectorDim] : 1;
  if (static_cast<int64_t>(getScatterDimsToOperandDims().size()) != entries)
    return emitOpError("scatter_dims_to_operand_dims must have an entry for "
                       "each of an index vector: expected ")
           << entries << ", found " << getScatterDimsToOperandDims().size();
  // The dimensions of the updates that number the windows.
  SmallVector<int64_t> expected, found;
  for (int64_t d : getBatchDims(*this))
    expected.push_back(indices[d]);
  for (int64_t d : range(updates.size()))
    if (!llvm::is_contained(getUpdateWindowDims(), d))
      found.push_back(updates[d]);
  if (expected != found)
    return emitOpError("updates must have the extents ")
           << shapes::toString(expected)
           << " of scatter_indices beside those of windows: found "
           << shapes::toString(found);
  SmallVector<int64_t> window = getWindow(*this);
  for (int64_t d : range(rank))
    if (window[d] > input[d] && !llvm::is_contained(getInputBatchingDims(), d))
      return emitOpError("windows must not be greater than the input: found ")
             << window[d] << " of " << input[d] << " in dimension " << d;
  return SmallVector<shapes::Shape>{shapes::Shape(input)};
}

namespace {

/// A scatter as one of rows: the input is a table of rows of whole innermost
/// dimensions, and each window is rows at fixed distances from its first.
struct RowWindows {
  RowWindows(ArrayRef<int64_t> shape, ArrayRef<int64_t> window)
      : outer(shape.size()) {
    while (outer > 0 && window[outer - 1] == shape[outer - 1])
      --outer;
    rowLength = countElements(shape.drop_front(outer));
    rows = countElements(shape.take_front(outer));
    strides = stridesOf(shape.take_front(outer));
    offsets.assign(1, 0);
    for (int64_t d = 0; d < outer; ++d) {
      SmallVector<int64_t> next;
      for (int64_t offset : offsets)
        for (int64_t i = 0; i < window[d]; ++i)
          next.push_back(offset + i * strides[d]);
      offsets = std::move(next);
    }
  }
  /// Dimensions in front of those of a row.
  int64_t outer;
  int64_t rowLength, rows;
  SmallVector<int64_t> strides, offsets;
};

} // namespace

/// The order of dimensions in which windows are long rows: as it is, unless
/// these would be a few elements only.
static SmallVector<int64_t> getOrder(ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> window) {
  constexpr int64_t kShort = 8;
  SmallVector<int64_t> order = range(shape.size());
  if (RowWindows(shape, window).rowLength >= kShort)
    return order;
  llvm::stable_sort(order, [&](int64_t a, int64_t b) {
    return (window[a] != shape[a]) > (window[b] != shape[b]);
  });
  return order;
}

static SmallVector<int64_t> inOrder(ArrayRef<int64_t> values,
                                    ArrayRef<int64_t> order) {
  SmallVector<int64_t> result;
  for (int64_t d : order)
    result.push_back(values[d]);
  return result;
}

/// Builds a slice update for a single replaced window; it is done in place if
/// nothing else reads the input. Null for other scatters.
static Value toUpdateSlice(ScatterOp op, GraphBuilder &b) {
  SmallVector<int64_t> window = getWindow(op);
  if (op.getReduceType() != ReduceType::Invalid || window.size() < 2 ||
      !op.getInputBatchingDims().empty() ||
      countElements(window) != countElements(shapeOf(op.getUpdates())))
    return {};
  OpBuilder &builder = b.getBuilder();
  ArrayRef<int64_t> dims = op.getScatterDimsToOperandDims();
  SmallVector<Value> inputs{op.getInput(), b.reshape(op.getUpdates(), window)};
  if (!dims.empty())
    inputs.push_back(b.reshape(b.cast(op.getScatterIndices(), b.getIndexType()),
                               {static_cast<int64_t>(dims.size())}));
  SmallVector<int64_t> starts(window.size(), 0);
  return b.op("update_slice", inputs, typeOf(op.getInput()),
              {b.attr("starts", builder.getDenseI64ArrayAttr(starts)),
               b.attr("dims", builder.getDenseI64ArrayAttr(dims)),
               b.attr("clamp", builder.getBoolAttr(false))});
}

Expansion ScatterOp::expand(GraphBuilder &b) {
  SmallVector<int64_t> input(shapeOf(getInput())), window = getWindow(*this);
  int64_t rank = input.size();
  if (countElements(shapeOf(getUpdates())) == 0)
    return SmallVector<Value>{getInput()};
  if (Value updated = toUpdateSlice(*this, b))
    return SmallVector<Value>{updated};
  SmallVector<int64_t> order = getOrder(input, window), back(rank);
  for (auto [i, d] : llvm::enumerate(order))
    back[d] = i;
  RowWindows rows(inOrder(input, order), inOrder(window, order));

  // Updates: what numbers the windows in front of their dimensions.
  SmallVector<int64_t> updateOrder, batch;
  ArrayRef<int64_t> indices = shapeOf(getScatterIndices());
  SmallVector<int64_t> batchDims = getBatchDims(*this);
  for (int64_t d : batchDims)
    batch.push_back(indices[d]);
  for (int64_t d : range(shapeOf(getUpdates()).size()))
    if (!llvm::is_contained(getUpdateWindowDims(), d))
      updateOrder.push_back(d);
  SmallVector<int64_t> placeOfDim(rank, -1);
  size_t next = 0;
  for (int64_t d : range(rank))
    if (!llvm::is_contained(getInsertedWindowDims(), d) &&
        !llvm::is_contained(getInputBatchingDims(), d))
      placeOfDim[d] = getUpdateWindowDims()[next++];
  for (int64_t d : order)
    if (placeOfDim[d] >= 0)
      updateOrder.push_back(placeOfDim[d]);
  int64_t windows = countElements(batch), width = rows.offsets.size();
  Value updates = b.reshape(b.permute(getUpdates(), updateOrder),
                            {windows * width, rows.rowLength});

  // Indices: the entries of the vectors side by side.
  Type si32 = b.getIndexType();
  SmallVector<int64_t> indexOrder(batchDims);
  int64_t entries = getScatterDimsToOperandDims().size();
  if (getIndexVectorDim() < static_cast<int64_t>(indices.size()))
    indexOrder.push_back(getIndexVectorDim());
  Value vectors =
      b.reshape(b.cast(b.permute(getScatterIndices(), indexOrder), si32),
                {windows, entries});
  Value places = b.reshape(numbers(b, rows.offsets), {1, width});
  Value isInside;
  for (auto [entry, dim] : llvm::enumerate(getScatterDimsToOperandDims())) {
    Value start = sliceDim(b, vectors, 1, entry, entry + 1);
    Value begins = b.predicate("ge", {start, number(b, 0, si32)});
    Value ends =
        b.predicate("le", {start, number(b, input[dim] - window[dim], si32)});
    Value both = b.predicate("logical_and", {begins, ends});
    isInside =
        isInside ? Value(b.predicate("logical_and", {isInside, both})) : both;
    if (back[dim] < rows.outer)
      places = b.eltwise(
          "add",
          {places,
           b.eltwise("multiply",
                     {start, number(b, rows.strides[back[dim]], si32)})});
  }
  for (auto [dim, of] :
       llvm::zip(getInputBatchingDims(), getScatterIndicesBatchingDims())) {
    if (back[dim] >= rows.outer || input[dim] == 1)
      continue;
    int64_t d = of - (of > getIndexVectorDim());
    Value row = b.broadcast(counted(b, batch, d), batch);
    places = b.eltwise(
        "add", {places, b.eltwise("multiply",
                                  {b.reshape(row, {windows, 1}),
                                   number(b, rows.strides[back[dim]], si32)})});
  }
  if (isInside)
    places = b.select(isInside, places, number(b, -1, si32));
  places = b.broadcast(places, {windows, width});
  Value table =
      b.reshape(b.permute(getInput(), order), {rows.rows, rows.rowLength});
  Value changed = scatterRows(b, table, b.reshape(places, {windows * width}),
                              updates, getReduceType());
  Value result = b.permute(b.reshape(changed, inOrder(input, order)), back);
  return SmallVector<Value>{result};
}
