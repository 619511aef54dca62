#include "dialects/TTIR/Canonicalize.h"

#include "dialects/TT/Formats.h"
#include "dialects/TT/TensorLayout.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

void TTIRDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateSimplificationPatterns(patterns);
  populateConstantFoldingPatterns(patterns);
  populateCollectivePatterns(patterns);
}

bool isLossless(DataType from, DataType to) {
  const auto &source = formatOf(from), &target = formatOf(to);
  if (from == to)
    return true;
  if (source.exponentBits)
    return to == DataType::Float32 || to == DataType(source.holder);
  return source.bits < target.bits &&
         (!target.exponentBits || to == DataType::Float32);
}

std::optional<DataType> getStorageType(Value value) {
  return getStoredFormat(cast<RankedTensorType>(value.getType()));
}

DenseElementsAttr getConstant(Value value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return dyn_cast<DenseElementsAttr>(constant.getValue());
  auto full = value.getDefiningOp<FullOp>();
  if (!full)
    return {};
  // The attribute is f32 or i32, whatever the tensor's elements are.
  auto type = cast<RankedTensorType>(full.getResult().getType());
  Type elementType = type.getElementType();
  auto plain = RankedTensorType::get(type.getShape(), elementType);
  auto number = dyn_cast<FloatAttr>(full.getFillValue());
  if (!number || elementType != number.getType())
    return {};
  return DenseElementsAttr::get(plain, Attribute(number));
}

SmallVector<Value> getInputs(Operation *op) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  return dps.getDpsInputs();
}

std::optional<SmallVector<int64_t>> getPermutation(Operation *op) {
  if (auto permute = dyn_cast_or_null<PermuteOp>(op))
    return SmallVector<int64_t>(permute.getPermutation());
  auto transpose = dyn_cast_or_null<TransposeOp>(op);
  if (!transpose)
    return std::nullopt;
  int64_t rank = transpose.getInput().getType().getRank();
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  auto normalize = [&](int64_t dim) { return dim < 0 ? dim + rank : dim; };
  std::swap(order[normalize(transpose.getDim0())],
            order[normalize(transpose.getDim1())]);
  return order;
}

} // namespace mlir::tt::ttir
