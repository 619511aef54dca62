#include "dialects/TTIR/Composites/Indexing.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

/// A list of integers with one for each of `rank` dimensions.
static LogicalResult verifyPlace(Operation *op, StringRef name, Value place,
                                 int64_t rank) {
  if (failed(verifyIntegerElements(op, name, place)))
    return failure();
  if (shapeOf(place) == ArrayRef<int64_t>{rank})
    return success();
  return op->emitOpError("expected ")
         << name << " to have the shape " << rank << ", found "
         << shapes::toString(shapeOf(place));
}

static LogicalResult verifyEntries(Operation *op, StringRef name, int64_t found,
                                   int64_t expected) {
  if (found == expected)
    return success();
  return op->emitOpError(name) << " must have " << expected
                               << " entries for its input: found " << found;
}

/// The slice of `sizes` from `starts` on.
static Value sliceAt(GraphBuilder &b, Value input, Value starts,
                     ArrayRef<int64_t> sizes) {
  OpBuilder &builder = b.getBuilder();
  auto array = [&](ArrayRef<int64_t> values) {
    return builder.getDenseI64ArrayAttr(values);
  };
  SmallVector<int64_t> dims = range(sizes.size());
  auto si64 = builder.getIntegerType(64, true);
  return b.op("gather", {input, starts},
              RankedTensorType::get(sizes, elementOf(input)),
              {b.attr("offset_dims", array(dims)),
               b.attr("collapsed_slice_dims", array({})),
               b.attr("operand_batching_dims", array({})),
               b.attr("start_indices_batching_dims", array({})),
               b.attr("start_index_map", array(dims)),
               b.attr("index_vector_dim", builder.getIntegerAttr(si64, 0)),
               b.attr("slice_sizes", array(sizes)),
               b.attr("clamp", builder.getBoolAttr(true))});
}

Value mlir::tt::ttir::updateSlice(GraphBuilder &b, Value input, Value update,
                                  Value index, ArrayRef<int64_t> starts,
                                  ArrayRef<int64_t> dims, bool clamp) {
  OpBuilder &builder = b.getBuilder();
  SmallVector<Value> operands = {input, b.cast(update, elementOf(input))};
  if (index)
    operands.push_back(b.cast(index, b.getIndexType()));
  return b.op("update_slice", operands, typeOf(input),
              {b.attr("starts", builder.getDenseI64ArrayAttr(starts)),
               b.attr("dims", builder.getDenseI64ArrayAttr(dims)),
               b.attr("clamp", builder.getBoolAttr(clamp))});
}

//===----------------------------------------------------------------------===//
// dynamic_slice, dynamic_update_slice, slice_dynamic
//===----------------------------------------------------------------------===//

Shapes DynamicSliceOp::inferShapes() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyPlace(*this, "start_indices", getStartIndices(),
                         input.getRank())) ||
      failed(verifyEntries(*this, "slice_sizes", getSliceSizes().size(),
                           input.getRank())))
    return failure();
  for (auto [d, size] : llvm::enumerate(getSliceSizes()))
    if (size < 0 || size > input.getDimSize(d))
      return emitOpError("slice_sizes must be between 0 and the extent ")
             << input.getDimSize(d) << " in dimension " << d << ": found "
             << size;
  return SmallVector<shapes::Shape>{shapes::Shape(getSliceSizes())};
}

Expansion DynamicSliceOp::expand(GraphBuilder &b) {
  if (getSliceSizes().empty())
    return SmallVector<Value>{getInput()};
  return SmallVector<Value>{
      sliceAt(b, getInput(), getStartIndices(), getSliceSizes())};
}

Shapes DynamicUpdateSliceOp::inferShapes() {
  RankedTensorType input = getInput().getType();
  ArrayRef<int64_t> update = shapeOf(getUpdate());
  if (static_cast<int64_t>(update.size()) != input.getRank())
    return emitOpError("expected an update of rank ")
           << input.getRank() << ", found " << shapes::toString(update);
  for (auto [d, extent] : llvm::enumerate(update))
    if (extent > input.getDimSize(d))
      return emitOpError("expected an update of at most the extent ")
             << input.getDimSize(d) << " in dimension " << d << ", found "
             << extent;
  if (failed(verifyPlace(*this, "start_indices", getStartIndices(),
                         input.getRank())))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape(input.getShape())};
}

Expansion DynamicUpdateSliceOp::expand(GraphBuilder &b) {
  SmallVector<int64_t> input(shapeOf(getInput())), update(shapeOf(getUpdate()));
  if (update.empty() || update == input)
    return SmallVector<Value>{b.cast(getUpdate(), getType().getElementType())};
  // A list is a row.
  SmallVector<int64_t> dims = range(input.size());
  Value into = getInput(), part = getUpdate();
  if (input.size() == 1) {
    dims = {1};
    input.insert(input.begin(), 1);
    update.insert(update.begin(), 1);
    into = b.reshape(into, input);
    part = b.reshape(part, update);
  }
  Value updated = updateSlice(b, into, part, getStartIndices(),
                              SmallVector<int64_t>(input.size(), 0), dims,
                              /*clamp=*/true);
  return SmallVector<Value>{
      b.reshape(updated, SmallVector<int64_t>(shapeOf(getInput())))};
}

/// The steps of all dimensions.
static SmallVector<int64_t> getSteps(SliceDynamicOp op) {
  SmallVector<int64_t> steps(op.getInput().getType().getRank(), 1);
  if (ArrayAttr given = op.getStepAttr())
    for (auto [step, value] : llvm::zip(steps, given))
      step = cast<IntegerAttr>(value).getInt();
  return steps;
}

/// Elements from the first to the last of `count`, `step` apart.
static int64_t getSpan(int64_t count, int64_t step) {
  return count == 0 ? 0 : (count - 1) * step + 1;
}

Shapes SliceDynamicOp::inferShapes() {
  RankedTensorType input = getInput().getType();
  int64_t rank = input.getRank();
  if (failed(verifyPlace(*this, "begins", getBegins(), rank)) ||
      failed(verifyPlace(*this, "ends", getEnds(), rank)) ||
      failed(verifyEntries(*this, "shape", getShape().size(), rank)) ||
      (getStepAttr() &&
       failed(verifyEntries(*this, "step", getStepAttr().size(), rank))))
    return failure();
  SmallVector<int64_t> steps = getSteps(*this);
  for (int64_t d : range(rank)) {
    if (steps[d] <= 0)
      return emitOpError("step must be positive: found ")
             << steps[d] << " in dimension " << d;
    if (getShape()[d] < 0 ||
        getSpan(getShape()[d], steps[d]) > input.getDimSize(d))
      return emitOpError("expected a slice inside of the extent ")
             << input.getDimSize(d) << " in dimension " << d << ", found "
             << getShape()[d] << " elements, " << steps[d] << " apart";
  }
  return SmallVector<shapes::Shape>{shapes::Shape(getShape())};
}

Expansion SliceDynamicOp::expand(GraphBuilder &b) {
  SmallVector<int64_t> extents(shapeOf(getInput())),
      steps = getSteps(*this), span, zeros(extents.size(), 0);
  if (extents.empty())
    return SmallVector<Value>{getInput()};
  for (auto [count, step] : llvm::zip_equal(getShape(), steps))
    span.push_back(getSpan(count, step));
  Type si32 = b.getIndexType();
  Value begins = b.cast(getBegins(), si32);
  Value isNegative = b.predicate("lt", {begins, number(b, 0, si32)});
  Value starts = b.select(
      isNegative, b.eltwise("add", {begins, numbers(b, extents)}), begins);
  Value whole = sliceAt(b, getInput(), starts, span);
  return SmallVector<Value>{b.slice(whole, zeros, span, steps)};
}

//===----------------------------------------------------------------------===//
// index, index_select
//===----------------------------------------------------------------------===//

Shapes IndexOp::inferShapes() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyDim(*this, signedOf(getDim()), input.getRank())))
    return failure();
  int64_t dim = *shapes::normalizeDim(signedOf(getDim()), input.getRank());
  int64_t extent = input.getDimSize(dim), step = signedOf(getStep());
  int64_t begin = signedOf(getBegin()), end = signedOf(getEnd());
  begin += begin < 0 ? extent : 0;
  end += end < 0 ? extent : 0;
  if (step <= 0)
    return emitOpError("step must be positive: found ") << step;
  if (begin < 0 || begin > end || end > extent)
    return emitOpError("expected 0 <= begin <= end <= ")
           << extent << ", found begin " << signedOf(getBegin()) << " and end "
           << signedOf(getEnd());
  shapes::Shape shape(input.getShape());
  shape[dim] = (end - begin + step - 1) / step;
  return SmallVector<shapes::Shape>{shape};
}

/// Every `step`-th place of a dimension from `begin` on.
static Value everyPlace(GraphBuilder &b, Value input, int64_t dim,
                        int64_t begin, int64_t count, int64_t step) {
  SmallVector<int64_t> begins(shapeOf(input).size(), 0), ends(shapeOf(input)),
      steps(begins.size(), 1);
  begins[dim] = begin;
  ends[dim] = begin + getSpan(count, step);
  steps[dim] = step;
  return b.slice(input, begins, ends, steps);
}

Expansion IndexOp::expand(GraphBuilder &b) {
  int64_t dim =
      *shapes::normalizeDim(signedOf(getDim()), getInput().getType().getRank());
  int64_t begin = signedOf(getBegin());
  if (begin < 0)
    begin += shapeOf(getInput())[dim];
  return SmallVector<Value>{everyPlace(b, getInput(), dim, begin,
                                       shapeOf(getOutput())[dim],
                                       signedOf(getStep()))};
}

Shapes IndexSelectOp::inferShapes() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyDim(*this, getDim(), input.getRank())))
    return failure();
  int64_t dim = *shapes::normalizeDim(getDim(), input.getRank());
  int64_t extent = input.getDimSize(dim);
  int64_t begin = getBegin() < 0 ? getBegin() + extent : getBegin();
  if (getLength() <= 0 || getStride() <= 0)
    return emitOpError("length and stride must be positive: found ")
           << getLength() << " and " << getStride();
  if (begin < 0 || begin + getSpan(getLength(), getStride()) > extent)
    return emitOpError("expected elements inside of the extent ")
           << extent << ", found " << getLength() << " from " << getBegin()
           << " on, " << getStride() << " apart";
  shapes::Shape shape(input.getShape());
  shape[dim] = getLength();
  return SmallVector<shapes::Shape>{shape};
}

Expansion IndexSelectOp::expand(GraphBuilder &b) {
  int64_t dim = *shapes::normalizeDim(getDim(), getInput().getType().getRank());
  int64_t begin = getBegin();
  if (begin < 0)
    begin += shapeOf(getInput())[dim];
  return SmallVector<Value>{
      everyPlace(b, getInput(), dim, begin, getLength(), getStride())};
}

//===----------------------------------------------------------------------===//
// repeat_interleave, reverse, get_dimension_size
//===----------------------------------------------------------------------===//

Shapes RepeatInterleaveOp::inferShapes() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyDim(*this, getDim(), input.getRank())))
    return failure();
  if (getRepeats() == 0)
    return emitOpError("repeats must be positive: found ") << getRepeats();
  shapes::Shape shape(input.getShape());
  shape[*shapes::normalizeDim(getDim(), input.getRank())] *= getRepeats();
  return SmallVector<shapes::Shape>{shape};
}

Expansion RepeatInterleaveOp::expand(GraphBuilder &b) {
  SmallVector<int64_t> shape(shapeOf(getInput()));
  int64_t dim = *shapes::normalizeDim(getDim(), shape.size());
  // Adds a dimension of copies after the repeated one. The other dimensions
  // stay separate, so that chips can still shard them.
  SmallVector<int64_t> copies(shape);
  copies.insert(copies.begin() + dim + 1, 1);
  Value single = b.reshape(getInput(), copies);
  copies[dim + 1] = getRepeats();
  Value repeated = b.broadcast(single, copies);
  shape[dim] *= getRepeats();
  return SmallVector<Value>{b.reshape(repeated, shape)};
}

Shapes ReverseOp::inferShapes() {
  int64_t rank = getInput().getType().getRank();
  SmallVector<bool> seen(rank, false);
  for (int64_t dim : getDimensions()) {
    if (dim < 0 || dim >= rank || seen[dim])
      return emitOpError("dimensions must be distinct and in [0, ")
             << rank << "): found " << getDimensions();
    seen[dim] = true;
  }
  return SmallVector<shapes::Shape>{
      shapes::Shape(getInput().getType().getShape())};
}

Expansion ReverseOp::expand(GraphBuilder &b) {
  Value x = getInput();
  int64_t rank = shapeOf(x).size();
  for (int64_t dim : getDimensions()) {
    int64_t extent = shapeOf(x)[dim];
    if (extent < 2)
      continue;
    SmallVector<int64_t> order, back(rank), places;
    order.push_back(dim);
    for (int64_t d : range(rank))
      if (d != dim)
        order.push_back(d);
    for (auto [i, d] : llvm::enumerate(order))
      back[d] = i;
    for (int64_t i = extent; i > 0; --i)
      places.push_back(i - 1);
    // Whole rows are taken.
    Value rows = b.permute(x, order);
    SmallVector<int64_t> moved(shapeOf(rows));
    Value table = b.reshape(rows, {extent, countElements(moved) / extent});
    Value turned = b.take(table, 0, numbers(b, places));
    x = b.permute(b.reshape(turned, moved), back);
  }
  return SmallVector<Value>{x};
}

Shapes GetDimensionSizeOp::inferShapes() {
  int64_t rank = getOperand().getType().getRank();
  if (getDimension() >= static_cast<uint32_t>(rank))
    return emitOpError("dimension must be in [0, ")
           << rank << "): found " << static_cast<int32_t>(getDimension());
  return SmallVector<shapes::Shape>{shapes::Shape{1}};
}

LogicalResult GetDimensionSizeOp::verify() {
  return verifyIntegerElements(*this, "the result", getOutput());
}

Expansion GetDimensionSizeOp::expand(GraphBuilder &b) {
  int64_t extent = getOperand().getType().getDimSize(getDimension());
  return SmallVector<Value>{number(b, extent, getType().getElementType())};
}
