#include "dialects/TTIR/Composites/Indexing.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

//===----------------------------------------------------------------------===//
// What the ops of places share
//===----------------------------------------------------------------------===//

LogicalResult mlir::tt::ttir::verifyDim(Operation *op, int64_t dim,
                                        int64_t rank) {
  if (shapes::normalizeDim(dim, rank))
    return success();
  return op->emitOpError("expected a dimension in [")
         << -rank << ", " << rank << "), found " << dim;
}

LogicalResult mlir::tt::ttir::verifyIntegerElements(Operation *op,
                                                    StringRef name,
                                                    Value value) {
  if (isa<IntegerType>(elementOf(value)))
    return success();
  return op->emitOpError("expected integer elements of ")
         << name << ", found " << elementOf(value);
}

SmallVector<int64_t> mlir::tt::ttir::stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t d = static_cast<int64_t>(shape.size()) - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * shape[d + 1];
  return strides;
}

Value mlir::tt::ttir::number(GraphBuilder &b, int64_t value, Type element) {
  return b.scalar(static_cast<double>(value), element);
}

Value mlir::tt::ttir::numbers(GraphBuilder &b, ArrayRef<int64_t> values) {
  SmallVector<APInt> elements;
  for (int64_t value : values)
    elements.emplace_back(32, value, /*isSigned=*/true, /*implicitTrunc=*/true);
  return b.constant(DenseElementsAttr::get(
      RankedTensorType::get(values.size(), b.getIndexType()), elements));
}

Value mlir::tt::ttir::counted(GraphBuilder &b, ArrayRef<int64_t> shape,
                              int64_t dim) {
  SmallVector<int64_t> ones(shape.size(), 1);
  ones[dim] = shape[dim];
  return b.reshape(b.iota(shape[dim]), ones);
}

Value mlir::tt::ttir::sliceDim(GraphBuilder &b, Value value, int64_t dim,
                               int64_t begin, int64_t end) {
  SmallVector<int64_t> begins(shapeOf(value).size(), 0), ends(shapeOf(value)),
      steps(begins.size(), 1);
  begins[dim] = begin;
  ends[dim] = end;
  return b.slice(value, begins, ends, steps);
}

Value mlir::tt::ttir::takeAlong(GraphBuilder &b, Value value, Value index,
                                int64_t dim) {
  SmallVector<int64_t> extents(shapeOf(index));
  int64_t rank = extents.size();
  // As many places as the index has along the other dimensions.
  SmallVector<int64_t> begins(rank, 0), ends(extents), steps(rank, 1);
  ends[dim] = shapeOf(value)[dim];
  value = b.slice(value, begins, ends, steps);
  SmallVector<int64_t> batches;
  for (int64_t d : range(rank))
    if (d != dim)
      batches.push_back(d);
  OpBuilder &builder = b.getBuilder();
  auto array = [&](ArrayRef<int64_t> values) {
    return builder.getDenseI64ArrayAttr(values);
  };
  auto si64 = builder.getIntegerType(64, true);
  return b.op("gather", {value, index},
              RankedTensorType::get(extents, elementOf(value)),
              {b.attr("offset_dims", array({})),
               b.attr("collapsed_slice_dims", array(dim)),
               b.attr("operand_batching_dims", array(batches)),
               b.attr("start_indices_batching_dims", array(batches)),
               b.attr("start_index_map", array(dim)),
               b.attr("index_vector_dim", builder.getIntegerAttr(si64, rank)),
               b.attr("slice_sizes", array(SmallVector<int64_t>(rank, 1))),
               b.attr("clamp", builder.getBoolAttr(true))});
}

Value mlir::tt::ttir::argsort(GraphBuilder &b, Value value, int64_t dim,
                              bool descending) {
  OpBuilder &builder = b.getBuilder();
  return b.op("argsort", value,
              RankedTensorType::get(shapeOf(value), b.getIndexType()),
              {b.attr("dim", builder.getI64IntegerAttr(dim)),
               b.attr("descending", builder.getBoolAttr(descending))});
}

//===----------------------------------------------------------------------===//
// sort
//===----------------------------------------------------------------------===//

Shapes SortOp::inferShapes() {
  if (getInputs().empty())
    return emitOpError("expected at least one input, found none");
  shapes::Shape shape(shapeOf(getInputs().front()));
  for (Value input : getInputs())
    if (shapeOf(input) != ArrayRef(shape))
      return emitOpError("expected inputs of one shape, found ")
             << shapes::toString(shape) << " and "
             << shapes::toString(shapeOf(input));
  if (failed(verifyDim(*this, getDim(), shape.size())))
    return failure();
  int64_t keys = signedOf(getNumKeys()), count = getInputs().size();
  if (keys < 1 || keys > count)
    return emitOpError("num_keys must be between 1 and ")
           << count << ": found " << keys;
  return SmallVector<shapes::Shape>(count + 1, shape);
}

LogicalResult SortOp::verify() {
  return verifyIntegerElements(*this, "the last result", getOutputs().back());
}

Expansion SortOp::expand(GraphBuilder &b) {
  int64_t rank = shapeOf(getInputs().front()).size();
  int64_t dim = *shapes::normalizeDim(getDim(), rank);
  // By the last key first: a later order leaves equal elements as they are.
  Value places;
  for (Value key : llvm::reverse(getInputs().take_front(getNumKeys()))) {
    Value order = argsort(b, places ? takeAlong(b, key, places, dim) : key, dim,
                          getDescending());
    places = places ? takeAlong(b, places, order, dim) : order;
  }
  SmallVector<Value> results;
  for (Value input : getInputs())
    results.push_back(takeAlong(b, input, places, dim));
  results.push_back(b.cast(places, elementOf(getResults().back())));
  return results;
}

//===----------------------------------------------------------------------===//
// topk
//===----------------------------------------------------------------------===//

Shapes TopKOp::inferShapes() {
  shapes::Shape shape(getInput().getType().getShape());
  if (failed(verifyDim(*this, signedOf(getDim()), shape.size())))
    return failure();
  int64_t &extent =
      shape[*shapes::normalizeDim(signedOf(getDim()), shape.size())];
  int64_t k = signedOf(getK());
  if (k < 1 || k > extent)
    return emitOpError("k must be between 1 and ") << extent << ": found " << k;
  extent = k;
  return SmallVector<shapes::Shape>(2, shape);
}

LogicalResult TopKOp::verify() {
  return verifyIntegerElements(*this, "the last result", getOutputs().back());
}

Expansion TopKOp::expand(GraphBuilder &b) {
  int64_t dim =
      *shapes::normalizeDim(signedOf(getDim()), getInput().getType().getRank());
  Value order = argsort(b, getInput(), dim, getLargest());
  Value places = sliceDim(b, order, dim, 0, getK());
  return SmallVector<Value>{takeAlong(b, getInput(), places, dim),
                            b.cast(places, elementOf(getResults().back()))};
}

//===----------------------------------------------------------------------===//
// gather_dim
//===----------------------------------------------------------------------===//

/// Of `gather_dim` and `scatter_dim`.
static LogicalResult verifyAlongDim(Operation *op, Value input, Value index,
                                    int64_t dim) {
  int64_t rank = shapeOf(input).size();
  // A scalar has one dimension here, as in PyTorch.
  int64_t dims = std::max<int64_t>(rank, 1);
  if (failed(verifyDim(op, dim, dims)) ||
      failed(verifyIntegerElements(op, "index", index)))
    return failure();
  if (static_cast<int64_t>(shapeOf(index).size()) != rank)
    return op->emitOpError("expected an index of rank ")
           << rank << ", found " << shapes::toString(shapeOf(index));
  int64_t along = *shapes::normalizeDim(dim, dims);
  for (int64_t d : range(rank))
    if (d != along && shapeOf(index)[d] > shapeOf(input)[d])
      return op->emitOpError("expected at most the extent ")
             << shapeOf(input)[d] << " in dimension " << d
             << " of index, found " << shapeOf(index)[d];
  return success();
}

Shapes GatherDimOp::inferShapes() {
  if (failed(verifyAlongDim(*this, getInput(), getIndex(), signedOf(getDim()))))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape(shapeOf(getIndex()))};
}

Expansion GatherDimOp::expand(GraphBuilder &b) {
  int64_t dim =
      *shapes::normalizeDim(signedOf(getDim()), getInput().getType().getRank());
  return SmallVector<Value>{takeAlong(b, getInput(), getIndex(), dim)};
}

//===----------------------------------------------------------------------===//
// scatter_dim
//===----------------------------------------------------------------------===//

Shapes ScatterDimOp::inferShapes() {
  if (failed(
          verifyAlongDim(*this, getInput(), getIndex(), signedOf(getDim()))) ||
      failed(verifyScatterType(*this, getReduceType())))
    return failure();
  ArrayRef<int64_t> index = shapeOf(getIndex()), source = shapeOf(getSource());
  bool fits = source.size() == index.size();
  for (auto [has, needs] : llvm::zip(source, index))
    fits &= has >= needs;
  if (!fits)
    return emitOpError("expected a source of at least the extents ")
           << shapes::toString(index) << " of index, found "
           << shapes::toString(source);
  return SmallVector<shapes::Shape>{
      shapes::Shape(getInput().getType().getShape())};
}

Expansion ScatterDimOp::expand(GraphBuilder &b) {
  SmallVector<int64_t> shape(shapeOf(getInput())), extents(shapeOf(getIndex()));
  int64_t rank = shape.size();
  int64_t dim = *shapes::normalizeDim(signedOf(getDim()), rank);
  if (countElements(extents) == 0)
    return SmallVector<Value>{getInput()};
  SmallVector<int64_t> strides = stridesOf(shape), zeros(rank, 0),
                       ones(rank, 1);
  Value source = b.slice(getSource(), zeros, extents, ones);
  Type si32 = b.getIndexType();
  Value place = b.cast(getIndex(), si32);
  Value isInside = b.predicate(
      "logical_and", {b.predicate("ge", {place, number(b, 0, si32)}),
                      b.predicate("lt", {place, number(b, shape[dim], si32)})});
  Value rows = b.eltwise("multiply", {place, number(b, strides[dim], si32)});
  for (int64_t d : range(rank))
    if (d != dim && extents[d] > 1)
      rows = b.eltwise(
          "add", {rows, b.eltwise("multiply", {counted(b, extents, d),
                                               number(b, strides[d], si32)})});
  rows = b.select(isInside, rows, number(b, -1, si32));
  int64_t count = countElements(extents);
  Value changed = scatterRows(
      b, b.reshape(getInput(), {countElements(shape), 1}),
      b.reshape(rows, {count}), b.reshape(source, {count, 1}), getReduceType());
  return SmallVector<Value>{b.reshape(changed, shape)};
}
