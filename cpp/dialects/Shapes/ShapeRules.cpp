#include "dialects/Shapes/ShapeRules.h"

#include "dialects/TT/TensorLayout.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tt::shapes {

std::string toString(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t extent : shape) {
    if (!text.empty())
      text += 'x';
    text += ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
  }
  return text;
}

LogicalResult expectShape(Operation *op, FailureOr<Shape> expected,
                          RankedTensorType output, StringRef message) {
  if (failed(expected))
    return failure();
  if (ArrayRef<int64_t>(*expected) == output.getShape() ||
      (expected->empty() && output.getShape() == ArrayRef<int64_t>{1}))
    return success();
  return op->emitOpError(message)
         << toString(*expected) << ", found " << toString(output.getShape());
}

FailureOr<Shape> broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  Shape result;
  for (ArrayRef<int64_t> shape : shapes) {
    if (shape.size() > result.size())
      result.insert(result.begin(), shape.size() - result.size(), 1);
    for (size_t i = 1; i <= shape.size(); ++i) {
      int64_t &extent = result[result.size() - i];
      int64_t other = shape[shape.size() - i];
      if (extent == other || other == 1)
        continue;
      // An unknown extent can only be the known one that is not 1.
      if (extent == 1 || ShapedType::isDynamic(extent))
        extent = other;
      else if (!ShapedType::isDynamic(other))
        return failure();
    }
  }
  return result;
}

std::optional<int64_t> normalizeDim(int64_t dim, int64_t rank) {
  if (dim < -rank || dim >= rank)
    return std::nullopt;
  return dim < 0 ? dim + rank : dim;
}

/// The shapes of all operands, as `64x128, 1x128`.
static std::string listShapes(TypeRange types) {
  return llvm::join(llvm::map_range(types,
                                    [](Type type) {
                                      return toString(
                                          cast<ShapedType>(type).getShape());
                                    }),
                    ", ");
}

/// Whether a tensor is stored as integers.
static bool isOfIntegers(RankedTensorType type) {
  LayoutAttr layout = getLayoutOf(type);
  Type element = layout ? layout.getElementType() : type.getElementType();
  auto tile = dyn_cast<TileType>(element);
  return isa<IntegerType, quant::QuantizedType>(tile ? tile.getElementType()
                                                     : element);
}

LogicalResult verifyOneKind(Operation *op, ArrayRef<RankedTensorType> inputs,
                            RankedTensorType output) {
  for (RankedTensorType input : inputs)
    if (input && isOfIntegers(input) != isOfIntegers(output))
      return op->emitOpError("expected all tensors to be of floats or all of "
                             "integers, as they are stored: found ")
             << input << " and the output " << output;
  return success();
}

LogicalResult verifyIntegers(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isa<IntegerType>(getElementTypeOrSelf(type)) ||
          !isOfIntegers(cast<RankedTensorType>(type)))
        return op->emitOpError("expected integer elements, found ") << type;
  return success();
}

static FailureOr<Shape> broadcastOperands(Operation *op, TypeRange types) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (Type type : types)
    shapes.push_back(cast<RankedTensorType>(type).getShape());
  FailureOr<Shape> shape = broadcastShapes(shapes);
  if (failed(shape))
    return op->emitOpError("Operands are not broadcast compatible")
           << ": found " << listShapes(types);
  return shape;
}

FailureOr<Shape> inferElementwise(Operation *op, int64_t arity) {
  return broadcastOperands(op, op->getOperands().take_front(arity).getTypes());
}

LogicalResult verifyElementwise(Operation *op, int64_t arity,
                                bool integersOnly) {
  // The attribute operandSegmentSizes has been checked before.
  if (op->getNumResults() != 1 || op->getNumOperands() != arity + 1)
    return op->emitOpError("expected ")
           << arity << (arity == 1 ? " input" : " inputs")
           << ", one output and one result, found " << op->getNumOperands()
           << " operands and " << op->getNumResults() << " results";

  // What buffers hold of tensors is related by the maps of the ttir.generic.
  bool hasBuffers = llvm::any_of(op->getOperandTypes(), [](Type type) {
    return isa_and_present<BufferAttr>(
        cast<RankedTensorType>(type).getEncoding());
  });
  if (hasBuffers)
    return integersOnly ? verifyIntegers(op) : success();

  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (failed(expectShape(op, broadcastOperands(op, op->getOperandTypes()),
                         result,
                         "Result shape must match operand shapes after "
                         "broadcasting: expected ")))
    return failure();
  return integersOnly ? verifyIntegers(op) : success();
}

/// Whether two extents cannot be one.
static bool differ(int64_t lhs, int64_t rhs) {
  return lhs != rhs && !ShapedType::isDynamic(lhs) &&
         !ShapedType::isDynamic(rhs);
}

FailureOr<Shape> inferMatmul(Operation *op, RankedTensorType a,
                             RankedTensorType b, bool transposeA,
                             bool transposeB) {
  int64_t rank = a.getRank();
  if (rank < 2)
    return op->emitOpError("Input A must be at least a 2D tensor")
           << ": found rank " << rank;
  if (b.getRank() < 2)
    return op->emitOpError("Input B must be at least a 2D tensor")
           << ": found rank " << b.getRank();
  if (b.getRank() != rank)
    return op->emitOpError("Input A and B must have the same rank")
           << ": found " << rank << " and " << b.getRank();

  Shape aDims(a.getShape()), bDims(b.getShape());
  if (transposeA)
    std::swap(aDims[rank - 1], aDims[rank - 2]);
  if (transposeB)
    std::swap(bDims[rank - 1], bDims[rank - 2]);
  ArrayRef<int64_t> aShape = aDims, bShape = bDims;
  if (differ(aShape[rank - 1], bShape[rank - 2]))
    return op->emitOpError("Input A and B must have matching inner dimensions")
           << ": a is " << toString(aShape) << ", b is " << toString(bShape)
           << ", expected b to have " << aShape[rank - 1] << " rows";
  FailureOr<Shape> shape =
      broadcastShapes({aShape.drop_back(2), bShape.drop_back(2)});
  if (failed(shape))
    return op->emitOpError("Batch dimensions of input A and B must be "
                           "broadcast compatible")
           << ": found " << toString(aShape.drop_back(2)) << " and "
           << toString(bShape.drop_back(2));
  shape->append({aShape[rank - 2], bShape[rank - 1]});
  return shape;
}

LogicalResult verifyMatmul(Operation *op, RankedTensorType output,
                           RankedTensorType a, RankedTensorType b,
                           bool transposeA, bool transposeB) {
  FailureOr<Shape> shape = inferMatmul(op, a, b, transposeA, transposeB);
  if (failed(shape))
    return failure();
  ArrayRef<int64_t> expected = *shape, found = output.getShape();
  size_t rank = expected.size();
  if (found.size() != rank)
    return op->emitOpError(
               "Input A and B must have the same rank as the output")
           << ": expected " << rank << ", found " << found.size();
  if (differ(found[rank - 2], expected[rank - 2]))
    return op->emitOpError(
               "Output must have the same number of rows as input A")
           << ": expected " << expected[rank - 2] << ", found "
           << found[rank - 2];
  if (differ(found[rank - 1], expected[rank - 1]))
    return op->emitOpError(
               "Output must have the same number of columns as input B")
           << ": expected " << expected[rank - 1] << ", found "
           << found[rank - 1];
  if (output.hasStaticShape() && expected.drop_back(2) != found.drop_back(2))
    return op->emitOpError(
               "Output must have the batch dimensions of input A and B")
           << ": expected " << toString(expected.drop_back(2)) << ", found "
           << toString(found.drop_back(2));
  return verifyOneKind(op, {a, b}, output);
}

/// A bias of a product of `shape`; null is none.
static LogicalResult expectBias(Operation *op, RankedTensorType bias,
                                ArrayRef<int64_t> shape) {
  if (!bias)
    return success();
  FailureOr<Shape> together = broadcastShapes({bias.getShape(), shape});
  if (succeeded(together) && ArrayRef<int64_t>(*together) == shape)
    return success();
  return op->emitOpError("Bias must broadcast to the output: bias is ")
         << toString(bias.getShape()) << ", output is " << toString(shape);
}

FailureOr<Shape> inferLinear(Operation *op, RankedTensorType a,
                             RankedTensorType b, RankedTensorType bias,
                             bool transposeA, bool transposeB) {
  FailureOr<Shape> shape = inferMatmul(op, a, b, transposeA, transposeB);
  if (failed(shape) || failed(expectBias(op, bias, *shape)))
    return failure();
  return shape;
}

LogicalResult verifyLinear(Operation *op, RankedTensorType output,
                           RankedTensorType a, RankedTensorType b,
                           RankedTensorType bias, bool transposeA,
                           bool transposeB) {
  if (failed(verifyMatmul(op, output, a, b, transposeA, transposeB)) ||
      failed(expectBias(op, bias, output.getShape())))
    return failure();
  return bias ? verifyOneKind(op, bias, output) : success();
}

/// Which dimensions of a tensor of rank `rank` are reduced.
static FailureOr<SmallVector<bool>> getReducedDims(Operation *op, int64_t rank,
                                                   ArrayAttr dims) {
  SmallVector<bool> reduced(rank, !dims || dims.empty());
  if (!dims)
    return reduced;
  for (APInt value : dims.getAsValueRange<IntegerAttr>()) {
    int64_t given = value.getSExtValue();
    std::optional<int64_t> dim = normalizeDim(given, rank);
    if (!dim)
      return op->emitOpError("Reduction dimension is out of bounds: expected "
                             "a dimension in [")
             << -rank << ", " << rank << "), found " << given;
    if (reduced[*dim])
      return op->emitOpError("Reduction dimensions must be distinct: found ")
             << given << " twice";
    reduced[*dim] = true;
  }
  return reduced;
}

static Shape reduce(ArrayRef<int64_t> input, ArrayRef<bool> reduced,
                    bool keepDim) {
  Shape shape;
  for (auto [extent, isReduced] : llvm::zip(input, reduced))
    if (!isReduced || keepDim)
      shape.push_back(isReduced ? 1 : extent);
  return shape;
}

FailureOr<Shape> inferReduction(Operation *op, RankedTensorType input,
                                bool keepDim, ArrayAttr dims) {
  FailureOr<SmallVector<bool>> reduced =
      getReducedDims(op, input.getRank(), dims);
  if (failed(reduced))
    return failure();
  Shape shape = reduce(input.getShape(), *reduced, keepDim);
  // A program has no tensors of rank 0: all elements become one.
  return shape.empty() ? Shape{1} : shape;
}

/// True for the reductions' loosely stated output shapes: a reduced dimension
/// is kept as 1 or padded to the 32 of a tile.
static bool isPaddedReduction(ArrayRef<int64_t> input, ArrayRef<int64_t> output,
                              ArrayRef<bool> reduced) {
  if (input.size() != output.size())
    return false;
  for (size_t i = 0; i < input.size(); ++i)
    if (reduced[i] ? (output[i] != 1 && output[i] != 32)
                   : output[i] != input[i])
      return false;
  return true;
}

LogicalResult verifyReduction(Operation *op, RankedTensorType output,
                              RankedTensorType input, bool keepDim,
                              ArrayAttr dims) {
  FailureOr<SmallVector<bool>> reduced =
      getReducedDims(op, input.getRank(), dims);
  if (failed(reduced))
    return failure();
  if (!input.hasStaticShape() || !output.hasStaticShape())
    return success();
  Shape expected = reduce(input.getShape(), *reduced, keepDim);
  if (output.getNumElements() == ShapedType::getNumElements(expected) ||
      isPaddedReduction(input.getShape(), output.getShape(), *reduced))
    return success();
  return op->emitOpError("Output shape must be the reduced shape of the input "
                         "(")
         << toString(input.getShape()) << "): expected " << toString(expected)
         << ", found " << toString(output.getShape());
}

LogicalResult verifyAlloc(Operation *op, RankedTensorType result,
                          uint64_t address, uint64_t size,
                          MemorySpace memorySpace) {
  auto layout = dyn_cast_if_present<LayoutAttr>(result.getEncoding());
  if (!layout)
    return op->emitOpError("Result type missing layout attribute")
           << ": found " << result;
  if (size == 0)
    return op->emitOpError("Alloc size must be non-zero: found 0");
  if (layout.getMemorySpace() != memorySpace)
    return op->emitOpError(
               "Input tensor layout memory space must match alloc memory space")
           << ": expected " << stringifyMemorySpace(layout.getMemorySpace())
           << ", found " << stringifyMemorySpace(memorySpace);
  if (layout.isSystemMemorySpace() && address != 0)
    return op->emitOpError("Allocating from system memory space must have "
                           "address set to 0, implicitly allocated by the "
                           "runtime")
           << ": found " << address;
  // What a function returns is where the runtime has room.
  auto function = op->getParentOfType<FunctionOpInterface>();
  bool isPlaced = function && memorySpace == MemorySpace::DeviceDRAM &&
                  (function->hasAttr("tt.part") ||
                   llvm::is_contained(function.getResultTypes(), Type(result)));
  if (layout.isDeviceMemorySpace() && address == 0 && !isPlaced)
    return op->emitOpError("Allocating from a device memory space must have "
                           "address set to a non-zero value, device addresses "
                           "are statically allocated: found 0");
  constexpr uint64_t kMaxAddress = uint64_t(1) << 40;
  if (layout.isDeviceMemorySpace() && std::max(address, size) > kMaxAddress)
    return op->emitOpError("expected address and size of at most 2^40 on a "
                           "device, found ")
           << address << " and " << size;
  return success();
}

} // namespace mlir::tt::shapes
