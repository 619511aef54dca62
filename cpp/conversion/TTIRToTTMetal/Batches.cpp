//===- Batches.cpp - matrices of tensors, tile by tile --------------------===//

#include "conversion/TTIRToTTMetal/Batches.h"

using namespace mlir;
using namespace mlir::tt;

SmallVector<int64_t> tt::getRowMajorStrides(ArrayRef<int64_t> extents) {
  SmallVector<int64_t> strides(extents.size(), 1);
  for (size_t i = extents.size(); i-- > 1;)
    strides[i - 1] = strides[i] * extents[i];
  return strides;
}

I32 tt::linearize(I32 index, ArrayRef<int64_t> extents,
                  ArrayRef<int64_t> strides) {
  // A dimension is collapsed with the next one if steps along both are those of
  // one longer dimension: fewer divisions.
  SmallVector<int64_t> lengths, steps;
  for (auto [extent, stride] : llvm::zip(extents, strides)) {
    if (extent == 1)
      continue;
    if (!steps.empty() && steps.back() == stride * extent) {
      lengths.back() *= extent;
      steps.back() = stride;
      continue;
    }
    lengths.push_back(extent);
    steps.push_back(stride);
  }
  I32 place = 0;
  int64_t inner = 1;
  for (size_t i = lengths.size(); i-- > 0;) {
    I32 coordinate = index / inner;
    if (i > 0)
      coordinate = coordinate % lengths[i];
    place = place + coordinate * steps[i];
    inner *= lengths[i];
  }
  return place;
}

I32 tt::broadcastBatch(I32 index, ArrayRef<int64_t> resultBatches,
                       ArrayRef<int64_t> operandBatches) {
  SmallVector<int64_t> strides(resultBatches.size(), 0);
  SmallVector<int64_t> own = getRowMajorStrides(operandBatches);
  size_t missing = resultBatches.size() - operandBatches.size();
  for (auto [i, extent] : llvm::enumerate(operandBatches))
    strides[missing + i] = extent == 1 ? 0 : own[i];
  return linearize(index, resultBatches, strides);
}

ArrayRef<int64_t> tt::getBatchExtents(const Tensor &tensor) {
  ArrayRef<int64_t> shape = tensor.getShape();
  return shape.drop_back(std::min<size_t>(2, shape.size()));
}

LogicalResult tt::checkFloatTiles(Operation *op, StringRef name,
                                  const Tensor &tensor) {
  auto tile = dyn_cast<TileType>(tensor.getLayout().getElementType());
  if (!tile || tile.getShape() != ArrayRef<int64_t>{32, 32} ||
      !isa<FloatType>(tensor.getType().getElementType()))
    return op->emitOpError("has kernels for tiles of 32x32 floats, found ")
           << name << " of " << tensor.getLayout().getElementType();
  if (!tensor.hasTilesOfItsOwn())
    return op->emitOpError("has kernels for tensors whose matrices have tiles "
                           "of their own, found ")
           << name << " with the linear map "
           << AffineMapAttr::get(tensor.getLayout().getLinear())
           << "; see --ttir-layout";
  return success();
}

LogicalResult tt::checkPadding(Operation *op, StringRef name,
                               const Tensor &tensor, int64_t extent,
                               OOBVal value) {
  if (extent % 32 == 0 || tensor.getLayout().getOobVal() == value)
    return success();
  return op->emitOpError("expected ")
         << name << " padded with " << stringifyOOBVal(value)
         << " behind its extent of " << extent << ", found "
         << stringifyOOBVal(tensor.getLayout().getOobVal());
}
