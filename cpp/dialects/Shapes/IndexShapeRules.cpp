#include "dialects/Shapes/ShapeRules.h"

namespace mlir::tt::shapes {

static LogicalResult expectDim(Operation *op, int64_t dim, int64_t rank) {
  if (normalizeDim(dim, rank))
    return success();
  return op->emitOpError("Dimension attribute must be within the bounds of the "
                         "input tensor")
         << ": expected a dimension in [" << -rank << ", " << rank
         << "), found " << dim;
}

static LogicalResult expectIntegerElements(Operation *op, StringRef name,
                                           RankedTensorType type) {
  if (isa<IntegerType>(type.getElementType()))
    return success();
  return op->emitOpError(name)
         << " must have integer elements: found " << type.getElementType();
}

/// Integers that hold places.
static LogicalResult expectPlaces(Operation *op, RankedTensorType output) {
  Type element = output.getElementType();
  if (isa<IntegerType>(element) && element.getIntOrFloatBitWidth() >= 16)
    return success();
  return op->emitOpError("Output must have elements of an integer of 16 bits "
                         "at least: found ")
         << element;
}

static LogicalResult expectRank(Operation *op, StringRef name,
                                RankedTensorType type, int64_t rank) {
  if (type.getRank() == rank)
    return success();
  return op->emitOpError(name)
         << " must have rank " << rank << ": found " << type.getRank();
}

FailureOr<Shape> inferArgSort(Operation *op, RankedTensorType input,
                              int64_t dim) {
  if (failed(expectDim(op, dim, input.getRank())))
    return failure();
  return Shape(input.getShape());
}

LogicalResult verifyArgSort(Operation *op, RankedTensorType output,
                            RankedTensorType input, int64_t dim) {
  if (failed(expectPlaces(op, output)))
    return failure();
  return expectShape(op, inferArgSort(op, input, dim), output);
}

FailureOr<Shape> inferScatterRows(Operation *op, RankedTensorType input,
                                  RankedTensorType indices,
                                  RankedTensorType updates, ReduceType type) {
  if (failed(expectRank(op, "input", input, 2)) ||
      failed(expectRank(op, "updates", updates, 2)) ||
      failed(expectRank(op, "indices", indices, 1)) ||
      failed(expectIntegerElements(op, "indices", indices)))
    return failure();
  if (updates.getDimSize(1) != input.getDimSize(1))
    return op->emitOpError("updates must have rows of the input's length: "
                           "expected ")
           << input.getDimSize(1) << ", found " << updates.getDimSize(1);
  if (updates.getDimSize(0) != indices.getDimSize(0))
    return op->emitOpError("indices must have an element for each update: "
                           "expected ")
           << updates.getDimSize(0) << ", found " << indices.getDimSize(0);
  if (type == ReduceType::Mean || type == ReduceType::Std ||
      type == ReduceType::Var)
    return op->emitOpError("reduce_type is not supported: expected sum, prod, "
                           "max, min or invalid, found ")
           << stringifyEnum(type);
  return Shape(input.getShape());
}

FailureOr<Shape> inferUpdateSlice(Operation *op, RankedTensorType input,
                                  RankedTensorType update,
                                  RankedTensorType index,
                                  ArrayRef<int64_t> starts,
                                  ArrayRef<int64_t> dims) {
  int64_t rank = input.getRank();
  if (rank < 2)
    return op->emitOpError("input must have rank 2 at least: found ") << rank;
  if (failed(expectRank(op, "update", update, rank)))
    return failure();
  if (update.getElementType() != input.getElementType())
    return op->emitOpError("update must have the input's elements: expected ")
           << input.getElementType() << ", found " << update.getElementType();
  bool isList = index && index.getRank() == 2;
  int64_t count = isList ? index.getDimSize(0) : 1;
  if (count < 1 || update.getDimSize(0) % count != 0)
    return op->emitOpError("index must have a row for each update, and their "
                           "number must divide dimension 0 of extent ")
           << update.getDimSize(0) << ": found " << index;
  for (auto [d, extent] : llvm::enumerate(update.getShape()))
    if (int64_t own =
            d == 0 && llvm::is_contained(dims, 0) ? extent / count : extent;
        own > input.getDimSize(d))
      return op->emitOpError("update must have at most the extent ")
             << input.getDimSize(d) << " in dimension " << d << ": found "
             << own;
  if (static_cast<int64_t>(starts.size()) != rank)
    return op->emitOpError("starts must have ")
           << rank << " entries: found " << starts.size();
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= rank || llvm::is_contained(dims.take_front(i), dim))
      return op->emitOpError("dims must be distinct dimensions in [0, ")
             << rank << "): found " << dims;
  if (!index != dims.empty())
    return op->emitOpError("index must have an element for each of dims: "
                           "expected ")
           << dims.size() << ", found "
           << (index ? index.getNumElements() : int64_t(0));
  if (!index)
    return Shape(input.getShape());
  if (!isList && failed(expectRank(op, "index", index, 1)))
    return failure();
  if (failed(expectIntegerElements(op, "index", index)))
    return failure();
  if (index.getShape().back() != static_cast<int64_t>(dims.size()))
    return op->emitOpError("index must have an element for each of dims: "
                           "expected ")
           << dims.size() << ", found " << index.getShape().back();
  return Shape(input.getShape());
}

FailureOr<Shape> inferPreviousEqual(Operation *op, RankedTensorType input,
                                    int64_t limit) {
  if (failed(expectRank(op, "input", input, 1)) ||
      failed(expectIntegerElements(op, "input", input)))
    return failure();
  if (limit <= 0)
    return op->emitOpError("limit must be positive: found ") << limit;
  return Shape(input.getShape());
}

LogicalResult verifyPreviousEqual(Operation *op, RankedTensorType output,
                                  RankedTensorType input, int64_t limit) {
  if (failed(expectPlaces(op, output)))
    return failure();
  return expectShape(op, inferPreviousEqual(op, input, limit), output);
}

FailureOr<Shape> inferBitcastConvert(Operation *op, RankedTensorType input,
                                     RankedTensorType output) {
  for (RankedTensorType type : {input, output})
    if (auto layout = dyn_cast_if_present<LayoutAttr>(type.getEncoding()))
      if (auto tile = dyn_cast<TileType>(layout.getElementType());
          tile && isBlockFloat(tile.getDataType()))
        return op->emitOpError("expected elements with bits of their own, "
                               "found block floats: ")
               << type;
  auto width = [](RankedTensorType type) {
    return type.getElementType().getIntOrFloatBitWidth();
  };
  int64_t from = width(input), to = width(output);
  Shape shape(input.getShape());
  if (to < from) {
    if (from % to)
      return op->emitOpError("expected element types of which one's bits "
                             "divide the other's: found ")
             << from << " and " << to << " bits";
    shape.push_back(from / to);
  } else if (from < to) {
    if (to % from || shape.empty() || shape.back() != to / from)
      return op->emitOpError("expected an innermost dimension of the elements "
                             "that make one of ")
             << to << " bits: found " << toString(shape) << " of " << from
             << " bits";
    shape.pop_back();
  }
  return shape;
}

} // namespace mlir::tt::shapes
