#include "conversion/TosaToTTIR/TosaToTTIR.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt {

using namespace frontend;

#define GEN_PASS_DEF_CHECKTOSA
#include "conversion/TosaToTTIR/Passes.h.inc"

namespace {

/// The dimensions of a tensor in the specification's level 8K.
constexpr int64_t kMaxRank = 6;
/// The extents of images, and the numerator of their scale.
constexpr int64_t kMaxExtent = 16383, kMaxScale = 2048;

using Numbers = std::optional<SmallVector<int64_t>>;

LogicalResult expectInside(Operation *op, StringRef what, int64_t low,
                           int64_t high, int64_t found) {
  if (low <= found && found <= high)
    return success();
  return op->emitOpError("expected ")
         << what << " of " << low << " to " << high << ", found " << found;
}

LogicalResult checkRanks(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && tensor.getRank() > kMaxRank)
        return op->emitOpError("expected tensors of at most ")
               << kMaxRank << " dimensions, as TOSA has them, found " << type;
  return success();
}

/// Null for other types than tensors of a static shape.
RankedTensorType staticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : nullptr;
}

/// Where a constant is sliced the fold of the op takes this for granted.
LogicalResult checkSliceStart(tosa::SliceOp op, ArrayRef<int64_t> sizes) {
  Numbers starts = constantIntegers(op.getStart());
  RankedTensorType type = staticType(op.getInput1());
  if (!starts || !type ||
      starts->size() != static_cast<size_t>(type.getRank()) ||
      sizes.size() != starts->size())
    return success();
  for (auto [start, size, extent] : llvm::zip(*starts, sizes, type.getShape()))
    if (failed(expectInside(op, "a start", 0, extent - size, start)))
      return failure();
  return success();
}

LogicalResult checkSlice(tosa::SliceOp op) {
  Numbers sizes = constantIntegers(op.getSize());
  RankedTensorType type = staticType(op.getOutput());
  if (!sizes || !type || type.getRank() == 0)
    return success();
  if (ArrayRef(*sizes) == type.getShape())
    return checkSliceStart(op, *sizes);
  return op.emitOpError("expected the sizes of the result, found ")
         << ArrayRef(*sizes) << " for " << type;
}

LogicalResult checkTile(tosa::TileOp op) {
  Numbers multiples = constantIntegers(op.getMultiples());
  RankedTensorType from = staticType(op.getInput1()),
                   to = staticType(op.getOutput());
  if (!multiples || !from || !to || from.getRank() != to.getRank() ||
      static_cast<int64_t>(multiples->size()) != from.getRank())
    return success();
  for (auto [multiple, before, after] :
       llvm::zip_equal(*multiples, from.getShape(), to.getShape()))
    if (before * multiple != after)
      return op.emitOpError("expected the multiples that lead to the result, "
                            "found ")
             << ArrayRef(*multiples) << " for " << from << " to " << to;
  return success();
}

LogicalResult checkResize(tosa::ResizeOp op) {
  Numbers scale = constantIntegers(op.getScale()),
          offset = constantIntegers(op.getOffset()),
          border = constantIntegers(op.getBorder());
  RankedTensorType from = staticType(op.getInput()),
                   to = staticType(op.getOutput());
  if (!scale || !offset || !border || !from || !to)
    return success();
  for (int dim : {0, 1}) {
    int64_t n = (*scale)[2 * dim], d = (*scale)[2 * dim + 1];
    if (failed(expectInside(op, "extents", 1, kMaxExtent,
                            from.getShape()[dim + 1])) ||
        failed(expectInside(op, "extents", 1, kMaxExtent,
                            to.getShape()[dim + 1])) ||
        failed(expectInside(op, "numerators of the scale", 1, kMaxScale, n)) ||
        failed(
            expectInside(op, "denominators of the scale", 1, 16 * n - 1, d)) ||
        failed(expectInside(op, "offsets", -n, 16 * n - 1, (*offset)[dim])) ||
        failed(expectInside(op, "borders", -16 * n, n - 1, (*border)[dim])))
      return failure();
  }
  return success();
}

LogicalResult checkRescale(tosa::RescaleOp op) {
  auto widthOf = [](Value value) {
    return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  };
  unsigned in = widthOf(op.getInput()), out = widthOf(op.getOutput());
  if (op.getInputUnsigned() && op.getOutputUnsigned())
    return op.emitOpError("expected a signed input or a signed output, found "
                          "both unsigned");
  if ((op.getInputUnsigned() || op.getOutputUnsigned()) &&
      (in > 16 || out > 16))
    return op.emitOpError("expected a signed input and a signed output where "
                          "one has more than 16 bits, found an unsigned ")
           << (op.getInputUnsigned() ? "input" : "output") << ", "
           << op.getInput().getType() << " to " << op.getOutput().getType();
  if (in <= 32)
    return success();
  if (op.getScale32())
    return op.emitOpError("expected multipliers of 16 bits for an input of ")
           << in << " bits, found scale32";
  if (Numbers multipliers = constantIntegers(op.getMultiplier()))
    for (int64_t multiplier : *multipliers)
      if (failed(expectInside(op, "multipliers", 0, 32767, multiplier)))
        return failure();
  return success();
}

LogicalResult check(Operation *op) {
  if (!isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
    return success();
  if (failed(checkRanks(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tosa::SliceOp>(checkSlice)
      .Case<tosa::TileOp>(checkTile)
      .Case<tosa::ResizeOp>(checkResize)
      .Case<tosa::RescaleOp>(checkRescale)
      .Default(success());
}

class CheckTosa : public impl::CheckTosaBase<CheckTosa> {
public:
  void runOnOperation() final {
    if (failed(checkTosa(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace

LogicalResult checkTosa(ModuleOp module) {
  return failure(module
                     .walk([](Operation *op) -> WalkResult {
                       return failed(check(op)) ? WalkResult::interrupt()
                                                : WalkResult::advance();
                     })
                     .wasInterrupted());
}

} // namespace mlir::tt
