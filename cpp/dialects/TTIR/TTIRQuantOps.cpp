//===- TTIRQuantOps.cpp - rules of ops on quantized tensors ---------------===//

#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tt;

static bool isQuantized(Type element) {
  auto type = dyn_cast<quant::QuantizedType>(element);
  return isa_and_present<quant::UniformQuantizedType,
                         quant::UniformQuantizedPerAxisType>(type) &&
         llvm::is_contained({8u, 16u, 32u}, type.getStorageTypeIntegralWidth());
}

static LogicalResult expectElement(Operation *op, StringRef what, Type type,
                                   bool quantized) {
  Type element = getElementTypeOrSelf(type);
  if (quantized ? isQuantized(element) : isa<FloatType>(element))
    return success();
  return op->emitOpError("expected ")
         << what << " of "
         << (quantized ? "!quant.uniform with a storage of 8, 16 or 32 bits"
                       : "floats")
         << ", found " << type;
}

LogicalResult mlir::tt::ttir::verifyQuantization(Operation *op, bool from,
                                                 bool to) {
  return success(
      succeeded(
          expectElement(op, "an input", op->getOperand(0).getType(), from)) &&
      succeeded(expectElement(op, "a result", op->getResult(0).getType(), to)));
}

LogicalResult mlir::tt::ttir::verifyUnrolled(Operation *op, ValueRange numbers,
                                             std::optional<int32_t> axis) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  int64_t rank = input.getRank();
  std::optional<int64_t> dim =
      axis ? shapes::normalizeDim(*axis, rank) : std::nullopt;
  if (axis && !dim)
    return op->emitOpError("expected an axis in [")
           << -rank << ", " << rank << "), found " << *axis;
  int64_t count = dim ? input.getDimSize(*dim) : 1;
  for (Type type : numbers.getTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getNumElements() != count)
      return op->emitOpError("expected scales and zero points of ")
             << count << (count == 1 ? " element" : " elements") << ", found "
             << type;
  }
  return success();
}
