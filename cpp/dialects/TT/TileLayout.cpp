//===- TileLayout.cpp - padding to tiles and pages ------------------------===//

#include "dialects/TT/TileLayout.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

AffineExpr mlir::tt::addTerms(AffineExpr left, AffineExpr right) {
  if (right.getKind() != AffineExprKind::Add)
    return left + right;
  auto sum = cast<AffineBinaryOpExpr>(right);
  return addTerms(left, sum.getLHS()) + sum.getRHS();
}

AffineMap mlir::tt::getTilePaddedMap(MLIRContext *context,
                                     ArrayRef<int64_t> shape,
                                     int64_t tileHeight) {
  int64_t rank = shape.size();
  AffineExpr row = getAffineConstantExpr(0, context);
  int64_t stride = 1;
  for (int64_t d = rank - 2; d >= 0; --d) {
    row = addTerms(getAffineDimExpr(d, context) * stride, row);
    stride =
        d == rank - 2 ? llvm::alignTo(shape[d], tileHeight) : stride * shape[d];
  }
  return AffineMap::get(rank, /*symbolCount=*/0,
                        {row, getAffineDimExpr(rank - 1, context)}, context);
}

LayoutAttr mlir::tt::getTilePaddedLayout(RankedTensorType type,
                                         MemorySpace memorySpace, GridAttr grid,
                                         TileType tile,
                                         TensorMemoryLayout memLayout,
                                         OOBVal oobVal) {
  MLIRContext *context = type.getContext();
  AffineMap linear =
      getTilePaddedMap(context, type.getShape(), tile.getHeight());
  SmallVector<int64_t> shard;
  for (auto [extent, cores] :
       llvm::zip_equal(evalShape(linear, type.getShape()), grid.getShape()))
    shard.push_back(llvm::divideCeilSigned(extent, cores));
  shard[0] = llvm::divideCeilSigned(shard[0], tile.getHeight());
  shard[1] = llvm::divideCeilSigned(shard[1], tile.getWidth());
  auto memref = MemRefType::get(shard, tile, MemRefLayoutAttrInterface(),
                                MemorySpaceAttr::get(context, memorySpace));
  return LayoutAttr::get(context, linear, oobVal, grid, memref, memLayout);
}

bool mlir::tt::isPaged(LayoutAttr layout) {
  return layout.isDeviceMemorySpace() &&
         (layout.getMemLayout() == TensorMemoryLayout::Interleaved ||
          layout.getMemLayout() == TensorMemoryLayout::SingleBank);
}

bool mlir::tt::hasFullShards(LayoutAttr layout, ArrayRef<int64_t> shape) {
  return llvm::all_of(llvm::zip_equal(layout.getPhysicalShape(shape),
                                      layout.getGrid().getShape(),
                                      layout.getShardShape()),
                      [](auto extents) {
                        auto [extent, cores, shard] = extents;
                        return extent == cores * shard;
                      });
}

uint64_t Pages::getBytesPerBank(uint64_t numBanks) const {
  return llvm::divideCeil(count, numBanks) * alignedBytes;
}

Pages mlir::tt::getPages(RankedTensorType type, uint64_t alignment) {
  auto layout = cast<LayoutAttr>(type.getEncoding());
  uint64_t bytes = layout.getElementStorageSizeBytes();
  if (layout.isTiled())
    return {
        static_cast<uint64_t>(volume(layout.getTiledShape(type.getShape()))),
        llvm::alignTo(bytes, alignment)};
  SmallVector<int64_t> physical = layout.getPhysicalShape(type.getShape());
  uint64_t columns = physical.pop_back_val();
  return {static_cast<uint64_t>(volume(physical)),
          llvm::alignTo(columns * bytes, alignment)};
}
