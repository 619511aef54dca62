#include "dialects/TT/TensorLayout.h"

#include "dialects/TT/Bounds.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

LayoutAttr mlir::tt::getLayoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding())
                : LayoutAttr();
}

std::optional<DataType> mlir::tt::getStoredFormat(RankedTensorType type) {
  LayoutAttr layout = getLayoutOf(type);
  return elementTypeToDataType(layout ? layout.getElementType()
                                      : type.getElementType());
}

/// Extents in scalars of what the shards of all grid points hold together.
static SmallVector<int64_t> getCapacity(LayoutAttr layout) {
  SmallVector<int64_t> capacity = layout.getShardShape();
  for (auto [extent, cores] :
       llvm::zip_equal(capacity, layout.getGrid().getShape()))
    if (llvm::MulOverflow(extent, cores, extent))
      extent = std::numeric_limits<int64_t>::max();
  return capacity;
}

/// Every index of the tensor is in a shard.
static LogicalResult verifyCoverage(Operation *op, Type type) {
  LayoutAttr layout = getLayoutOf(type);
  if (!layout)
    return success();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  SmallVector<int64_t> capacity = getCapacity(layout);
  for (auto [d, expr] : llvm::enumerate(layout.getLinear().getResults())) {
    std::optional<IndexRange> range = getIndexRange(expr, shape);
    if (range && range->first >= 0 && range->last < capacity[d])
      continue;
    InFlightDiagnostic diagnostic = op->emitError();
    diagnostic << "(C6) expected a grid of shards that hold the tensor: "
                  "dimension "
               << d << " of the shards has indices from 0 to "
               << capacity[d] - 1 << ", the tensor ";
    llvm::interleave(shape, diagnostic, "x");
    if (!range)
      return diagnostic << " takes more than 64 bits";
    return diagnostic << " takes " << range->first << " to " << range->last;
  }
  return success();
}

LogicalResult mlir::tt::verifyPlacedTensors(Operation *root) {
  llvm::SmallDenseSet<Type> seen;
  auto check = [&](Operation *op, TypeRange types) {
    return success(llvm::all_of(types, [&](Type type) {
      return !seen.insert(type).second || succeeded(verifyCoverage(op, type));
    }));
  };
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failed(check(op, op->getResultTypes())))
      return WalkResult::interrupt();
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (failed(check(op, function.getArgumentTypes())) ||
          failed(check(op, function.getResultTypes())))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
