#include "dialects/Shapes/ShapeRules.h"

#include "dialects/TT/TensorLayout.h"

#include "mlir/IR/TypeUtilities.h"
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

LogicalResult expectShape(Operation *op, ArrayRef<int64_t> expected,
                          RankedTensorType output) {
  if (expected == output.getShape())
    return success();
  return op->emitOpError("Output shape mismatch: expected ")
         << toString(expected) << ", found " << toString(output.getShape());
}

FailureOr<SmallVector<int64_t>>
broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  SmallVector<int64_t> result;
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
  return isa<IntegerType>(tile ? tile.getElementType() : element);
}

/// An error if the product of some tensors is of floats and integers.
static LogicalResult verifyOneKind(Operation *op,
                                   ArrayRef<RankedTensorType> inputs,
                                   RankedTensorType output) {
  for (RankedTensorType input : inputs)
    if (isOfIntegers(input) != isOfIntegers(output))
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

  SmallVector<ArrayRef<int64_t>> shapes;
  for (Type type : op->getOperandTypes())
    shapes.push_back(cast<RankedTensorType>(type).getShape());
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(shapes);
  if (failed(shape))
    return op->emitOpError("Operands are not broadcast compatible")
           << ": found " << listShapes(op->getOperandTypes());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (*shape != result.getShape())
    return op->emitOpError(
               "Result shape must match operand shapes after broadcasting")
           << ": expected " << toString(*shape) << ", found "
           << toString(result.getShape());
  return integersOnly ? verifyIntegers(op) : success();
}

LogicalResult verifyMatmul(Operation *op, RankedTensorType a,
                           RankedTensorType b, RankedTensorType output,
                           bool transposeA, bool transposeB) {
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
  if (output.getRank() != rank)
    return op->emitOpError(
               "Input A and B must have the same rank as the output")
           << ": expected " << rank << ", found " << output.getRank();

  auto differ = [](int64_t lhs, int64_t rhs) {
    return lhs != rhs && !ShapedType::isDynamic(lhs) &&
           !ShapedType::isDynamic(rhs);
  };
  SmallVector<int64_t> aDims(a.getShape()), bDims(b.getShape());
  if (transposeA)
    std::swap(aDims[rank - 1], aDims[rank - 2]);
  if (transposeB)
    std::swap(bDims[rank - 1], bDims[rank - 2]);
  ArrayRef<int64_t> aShape = aDims, bShape = bDims,
                    outShape = output.getShape();
  if (differ(aShape[rank - 1], bShape[rank - 2]))
    return op->emitOpError("Input A and B must have matching inner dimensions")
           << ": a is " << toString(aShape) << ", b is " << toString(bShape)
           << ", expected b to have " << aShape[rank - 1] << " rows";
  if (differ(outShape[rank - 2], aShape[rank - 2]))
    return op->emitOpError(
               "Output must have the same number of rows as input A")
           << ": expected " << aShape[rank - 2] << ", found "
           << outShape[rank - 2];
  if (differ(outShape[rank - 1], bShape[rank - 1]))
    return op->emitOpError(
               "Output must have the same number of columns as input B")
           << ": expected " << bShape[rank - 1] << ", found "
           << outShape[rank - 1];

  FailureOr<SmallVector<int64_t>> batch =
      broadcastShapes({aShape.drop_back(2), bShape.drop_back(2)});
  if (failed(batch))
    return op->emitOpError("Batch dimensions of input A and B must be "
                           "broadcast compatible")
           << ": found " << toString(aShape.drop_back(2)) << " and "
           << toString(bShape.drop_back(2));
  if (output.hasStaticShape() && *batch != outShape.drop_back(2))
    return op->emitOpError(
               "Output must have the batch dimensions of input A and B")
           << ": expected " << toString(*batch) << ", found "
           << toString(outShape.drop_back(2));
  return verifyOneKind(op, {a, b}, output);
}

LogicalResult verifyLinear(Operation *op, RankedTensorType a,
                           RankedTensorType b, RankedTensorType bias,
                           RankedTensorType output, bool transposeA,
                           bool transposeB) {
  if (failed(verifyMatmul(op, a, b, output, transposeA, transposeB)))
    return failure();
  if (!bias)
    return success();
  FailureOr<SmallVector<int64_t>> shape =
      broadcastShapes({bias.getShape(), output.getShape()});
  if (succeeded(shape) && ArrayRef<int64_t>(*shape) == output.getShape())
    return verifyOneKind(op, bias, output);
  return op->emitOpError("Bias must broadcast to the output: bias is ")
         << toString(bias.getShape()) << ", output is "
         << toString(output.getShape());
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

LogicalResult verifyReduction(Operation *op, RankedTensorType input,
                              RankedTensorType output, bool keepDim,
                              ArrayAttr dims) {
  int64_t rank = input.getRank();
  SmallVector<bool> reduced(rank, !dims || dims.empty());
  if (dims) {
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
  }
  if (!input.hasStaticShape() || !output.hasStaticShape())
    return success();

  SmallVector<int64_t> kept, dropped;
  for (auto [extent, isReduced] : llvm::zip(input.getShape(), reduced)) {
    kept.push_back(isReduced ? 1 : extent);
    if (!isReduced)
      dropped.push_back(extent);
  }
  if (output.getNumElements() == ShapedType::getNumElements(dropped) ||
      isPaddedReduction(input.getShape(), output.getShape(), reduced))
    return success();
  return op->emitOpError("Output shape must be the reduced shape of the input "
                         "(")
         << toString(input.getShape()) << "): expected "
         << toString(keepDim ? kept : dropped) << ", found "
         << toString(output.getShape());
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
  if (layout.isDeviceMemorySpace() && address == 0)
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
