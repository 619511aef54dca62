#include "dialects/TTIR/Transforms/Decomposition/DecompositionPatterns.h"

namespace mlir::tt::ttir {

namespace {

/// A gather as a look-up of rows: the input is a table of rows of whole
/// innermost dimensions, and each slice is `offsets.size()` rows at fixed
/// distances from the slice's first.
struct RowLookup {
  explicit RowLookup(GatherOp op)
      : shape(op.getInput().getType().getShape()), sizes(op.getSliceSizes()) {
    outer = shape.size();
    while (outer > 0 && sizes[outer - 1] == shape[outer - 1])
      --outer;
    rowLength = volume(shape.drop_front(outer));
    strides.assign(outer, 1);
    for (int64_t d = outer - 2; d >= 0; --d)
      strides[d] = strides[d + 1] * shape[d + 1];
    offsets.assign(1, 0);
    for (int64_t d = 0; d < outer; ++d) {
      SmallVector<int64_t> next;
      for (int64_t offset : offsets)
        for (int64_t i = 0; i < sizes[d]; ++i)
          next.push_back(offset + i * strides[d]);
      offsets = std::move(next);
    }
  }

  ArrayRef<int64_t> shape, sizes;
  /// Number of dimensions in front of those of a row.
  int64_t outer, rowLength;
  /// Rows from one place of an outer dimension to the next.
  SmallVector<int64_t> strides;
  SmallVector<int64_t> offsets;
};

} // namespace

/// The index vectors as rows, (slices, entries), and the extents of the
/// dimensions that number the slices.
static Value getVectors(GatherOp op, Primitives &b,
                        SmallVector<int64_t> &batch) {
  Value indices = op.getStartIndices();
  int64_t rank = b.getRank(indices), dim = op.getIndexVectorDim();
  SmallVector<int64_t> order;
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim) {
      order.push_back(d);
      batch.push_back(b.getShape(indices)[d]);
    }
  int64_t entries = 1;
  if (dim < rank) {
    order.push_back(dim);
    entries = b.getShape(indices)[dim];
  }
  return b.reshape(b.permute(indices, order), {volume(batch), entries});
}

/// The rows of the table that each slice has beside those of its index: by its
/// place in the slice, and by the batch that the slice belongs to.
static Value getFixedRows(GatherOp op, Primitives &b, const RowLookup &lookup,
                          ArrayRef<int64_t> batch) {
  ArrayRef<int64_t> inputDims = op.getOperandBatchingDims();
  int64_t slices = inputDims.empty() ? 1 : volume(batch);
  SmallVector<float> rows;
  for (int64_t slice = 0; slice < slices; ++slice) {
    int64_t first = 0;
    for (auto [dim, indexDim] :
         llvm::zip_equal(inputDims, op.getStartIndicesBatchingDims())) {
      int64_t d = indexDim - (indexDim > op.getIndexVectorDim());
      int64_t place = slice / volume(batch.drop_front(d + 1)) % batch[d];
      if (dim < lookup.outer)
        first += place * lookup.strides[dim];
    }
    for (int64_t offset : lookup.offsets)
      rows.push_back(first + offset);
  }
  int64_t width = lookup.offsets.size();
  return b.constant({slices, width}, rows);
}

/// Indices are computed in f32, exactly for tables of up to 2^24 rows.
static Value decomposeGather(GatherOp op, Primitives &b) {
  RowLookup lookup(op);
  Type f32 = b.builder.getF32Type();
  SmallVector<int64_t> batch;
  Value vectors = getVectors(op, b, batch);
  Value rows = getFixedRows(op, b, lookup, batch);
  for (auto [entry, dim] : llvm::enumerate(op.getStartIndexMap()))
    if (dim < lookup.outer) {
      Value start = b.cast(b.slice(vectors, 1, entry, entry + 1), f32);
      if (op.getClamp()) {
        double last = lookup.shape[dim] - lookup.sizes[dim];
        start = b.eltwise<MaximumOp>({start, b.scalar(0, f32)});
        start = b.eltwise<MinimumOp>({start, b.scalar(last, f32)});
      }
      rows = b.eltwise<AddOp>(
          {rows,
           b.eltwise<MultiplyOp>({start, b.scalar(lookup.strides[dim], f32)})});
    }
  int64_t slices = volume(batch), width = lookup.offsets.size();
  if (b.getShape(rows)[0] != slices)
    rows = b.repeat(rows, {slices, 1});
  Value table =
      b.reshape(op.getInput(),
                {volume(lookup.shape) / lookup.rowLength, lookup.rowLength});
  Value found = b.embedding(b.cast(rows, b.builder.getI32Type()), table);

  // The slices' dimensions after those that number them, then each at its place
  // in the result.
  SmallVector<int64_t> extents(batch), order;
  for (auto [d, size] : llvm::enumerate(lookup.sizes))
    if (!llvm::is_contained(op.getCollapsedSliceDims(), int64_t(d)) &&
        !llvm::is_contained(op.getOperandBatchingDims(), int64_t(d)))
      extents.push_back(size);
  int64_t nextBatch = 0, nextOffset = batch.size();
  for (int64_t d = 0; d < op.getType().getRank(); ++d)
    order.push_back(llvm::is_contained(op.getOffsetDims(), d) ? nextOffset++
                                                              : nextBatch++);
  return b.permute(b.reshape(found, extents), order);
}

LogicalResult verifyGatherDecomposition(GatherOp op) {
  ArrayRef<int64_t> input = op.getInput().getType().getShape();
  ArrayRef<int64_t> indices = op.getStartIndices().getType().getShape();
  ArrayRef<int64_t> sizes = op.getSliceSizes();
  if (int64_t count = volume(input); count > kMaxTableElements)
    return op->emitOpError("cannot be decomposed: expected an input of at most "
                           "2^24 elements, found ")
           << count;
  // One row of the table for each row of a slice.
  SmallVector<int64_t> table;
  size_t outer = input.size();
  while (outer > 0 && sizes[outer - 1] == input[outer - 1])
    --outer;
  llvm::append_range(table, sizes.take_front(outer));
  if (!op.getOperandBatchingDims().empty())
    llvm::append_range(table, indices);
  if (isAddressable(table, kMaxTableElements))
    return success();
  return op->emitOpError("cannot be decomposed: expected at most 2^24 rows of "
                         "slices, found ")
         << shapes::toString(table);
}

void populateGatherDecompositions(RewritePatternSet &patterns) {
  addDecomposition<GatherOp>(patterns, decomposeGather);
}

} // namespace mlir::tt::ttir
