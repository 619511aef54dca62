#include "dialects/TTKernel/TensorPages.h"

#include "dialects/TT/TensorLayout.h"
#include "dialects/TT/TileLayout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttkernel;

uint64_t ttkernel::getPageBytes(RankedTensorType type) {
  LayoutAttr layout = getLayoutOf(type);
  uint64_t bytes = layout.getElementStorageSizeBytes();
  if (layout.isTiled())
    return bytes;
  // Whole rows go to the banks, whatever the grid.
  return bytes * (isPaged(layout)
                      ? layout.getPhysicalShape(type.getShape()).back()
                      : layout.getShardShape().back());
}

int64_t ttkernel::getNumPages(RankedTensorType type) {
  LayoutAttr layout = getLayoutOf(type);
  if (layout.isTiled())
    return volume(layout.getTiledShape(type.getShape()));
  SmallVector<int64_t> physical = layout.getPhysicalShape(type.getShape());
  // A page of scalars is a row, or the part of it that a shard has.
  physical.back() = isPaged(layout) ? 1 : layout.getGrid().getShape().back();
  return volume(physical);
}

/// Rows and columns of a shape whose leading dimensions are taken together.
static std::array<int64_t, 2> flatten(ArrayRef<int64_t> shape) {
  return {volume(shape.drop_back()), shape.back()};
}

/// Rows and columns of the pages of a tensor that is not sharded.
static std::array<int64_t, 2> getPageExtents(RankedTensorType type) {
  LayoutAttr layout = getLayoutOf(type);
  if (layout.isTiled())
    return flatten(layout.getTiledShape(type.getShape()));
  return {flatten(layout.getPhysicalShape(type.getShape()))[0], 1};
}

TensorAccessorArgsAttr ttkernel::getAccessorArgs(RankedTensorType type,
                                                 SystemDescAttr systemDesc) {
  LayoutAttr layout = getLayoutOf(type);
  MLIRContext *context = layout.getContext();
  MemorySpace space = layout.getMemorySpace();
  uint64_t bytes = getPageBytes(type);
  if (isPaged(layout)) {
    uint64_t stride =
        llvm::alignTo(bytes, systemDesc.getAddressAlignBytes(space));
    if (layout.getMemLayout() == TensorMemoryLayout::Interleaved)
      return TensorAccessorArgsAttr::get(context, space, bytes, stride,
                                         getPageExtents(type));
    // One shard in the first bank.
    int64_t pages[] = {getNumPages(type), 1}, first[] = {0, 0, 1, 1};
    return TensorAccessorArgsAttr::get(context, space,
                                       TensorMemoryLayout::HeightSharded, bytes,
                                       stride, pages, pages, first);
  }
  if (space != MemorySpace::DeviceL1 || layout.getGrid().getRank() != 2)
    return {};
  // A page of scalars is a row of a shard. Shards at the end may hold nothing:
  // the others are counted row by row of their own rectangle.
  ArrayRef<int64_t> grid = layout.getGrid().getShape();
  std::array<int64_t, 2> pages = getPageExtents(type);
  std::array<int64_t, 2> shard = flatten(layout.getMemref().getShape());
  if (!layout.isTiled()) {
    pages[1] = grid[1];
    shard[1] = 1;
  }
  int64_t rows = llvm::divideCeil(pages[0], shard[0]);
  int64_t columns = llvm::divideCeil(pages[1], shard[1]);
  return TensorAccessorArgsAttr::get(
      context, space, TensorMemoryLayout::BlockSharded, bytes, bytes, pages,
      shard, {0, 0, rows, columns});
}

uint64_t ttkernel::getBytesPerBank(TensorAccessorArgsAttr args,
                                   SystemDescAttr systemDesc) {
  if (args.isSharded())
    return volume(args.getShardPages()) * args.getAlignedPageSize();
  ChipDescAttr chip = systemDesc.getChipDesc(0);
  uint64_t banks = args.getMemorySpace() == MemorySpace::DeviceDRAM
                       ? chip.getChipPhysicalCores().getDram().size()
                       : volume(chip.getGrid());
  Pages pages{static_cast<uint64_t>(volume(args.getTensorPages())),
              args.getAlignedPageSize()};
  return pages.getBytesPerBank(banks);
}
