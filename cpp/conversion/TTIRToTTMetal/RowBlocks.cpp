//===- RowBlocks.cpp - rows of scalars, a block of tiles at a time -------===//

#include "conversion/TTIRToTTMetal/RowBlocks.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

static int64_t getElementBytes(const Tensor &tensor) {
  return getDataTypeBits(tensor.getDataType()) / 8;
}

int64_t RowBlocks::countBlocks() const {
  return grid.batches * grid.rows * llvm::divideCeil(grid.columns, blockTiles);
}

void RowBlocks::forEach(KernelBuilder &kernel, const CoreRectangle &cores,
                        function_ref<void(const RowBlock &)> body) const {
  int64_t chunks = llvm::divideCeil(grid.columns, blockTiles);
  Share share = kernel.share(countBlocks(), cores.volume());
  kernel.forRange(share.count, [&](I32 i) {
    I32 unit = share.first + i;
    RowBlock block{unit / chunks, 0, 0, 0, 0, 0, 0};
    block.matrix = block.tileRow / grid.rows;
    block.row = block.tileRow % grid.rows * kTile;
    block.column = unit % chunks * blockTiles;
    block.tiles = grid.columns % blockTiles == 0
                      ? I32(blockTiles)
                      : min(grid.columns - block.column, blockTiles);
    block.validRows = grid.height % kTile == 0
                          ? I32(kTile)
                          : min(grid.height - block.row, kTile);
    block.validColumns =
        grid.width % kTile == 0
            ? block.tiles * kTile
            : min(grid.width - block.column * kTile, block.tiles * kTile);
    body(block);
  });
}

int64_t RowBlocks::getPageBytes(const Tensor &tensor) {
  return kTile * kTile * getElementBytes(tensor);
}

Buffer RowBlocks::addBuffer(DispatchBuilder &dispatch, ttkernel::CBPort port,
                            const Tensor &tensor, int64_t numBuffers) const {
  return dispatch.addScalars(port, tensor.getLayout().getElementType(),
                             {kTile, blockTiles * kTile}, getPageBytes(tensor),
                             numBuffers);
}

/// Address of byte `offset` of a row of scalars in L1.
static I32 getRowAddress(const Tensor &tensor, I32 row, I32 offset) {
  return tensor.address + row * static_cast<int64_t>(tensor.getPageBytes()) +
         offset;
}

void RowBlocks::read(KernelBuilder &kernel, const Tensor &tensor,
                     const RowBlock &block, I32 base, I32 padding,
                     const std::optional<AlignedRows> &aligned) const {
  int64_t bytes = getElementBytes(tensor);
  NamedAttribute width = kernel.getBuilder().getNamedAttr(
      "bytes", kernel.getBuilder().getI32IntegerAttr(bytes));
  I32 rowBytes = block.tiles * (kTile * bytes);
  I32 size = block.validColumns * bytes;
  I32 gap = block.tiles * kTile - block.validColumns;
  I32 offset = block.column * (kTile * bytes);
  auto fillGap = [&](I32 to) {
    kernel.ifThen(gap != 0, [&] {
      kernel.call("fill_with_val", {to + size, gap, padding}, width);
    });
  };
  auto getAlignedPlace = [&](I32 row) {
    return aligned->address + row * aligned->rowBytes + offset % aligned->align;
  };
  kernel.forRange(block.validRows, [&](I32 row) {
    I32 page = getPage(block, row);
    I32 to = base + row * rowBytes;
    if (aligned)
      return kernel.readBytes(tensor, page, offset, getAlignedPlace(row), size);
    if (!tensor.isPaged())
      kernel.call("tt_memmove",
                  {to, getRowAddress(tensor, page, offset), size});
    else
      kernel.readBytes(tensor, page, offset, to, size);
    fillGap(to);
  });
  if (aligned) {
    kernel.readBarrier();
    kernel.forRange(block.validRows, [&](I32 row) {
      I32 to = base + row * rowBytes;
      kernel.call("tt_memmove", {to, getAlignedPlace(row), size});
      fillGap(to);
    });
  }
  kernel.ifThen(block.validRows != kTile, [&] {
    kernel.call("fill_with_val",
                {base + block.validRows * rowBytes,
                 (kTile - block.validRows) * (block.tiles * kTile), padding},
                width);
  });
}

void RowBlocks::write(KernelBuilder &kernel, const Tensor &tensor,
                      const RowBlock &block, I32 base) const {
  int64_t bytes = getElementBytes(tensor);
  I32 rowBytes = block.tiles * (kTile * bytes);
  kernel.forRange(block.validRows, [&](I32 row) {
    I32 page = getPage(block, row);
    I32 offset = block.column * (kTile * bytes);
    I32 from = base + row * rowBytes, size = block.validColumns * bytes;
    if (!tensor.isPaged())
      kernel.call("tt_memmove",
                  {getRowAddress(tensor, page, offset), from, size});
    else
      kernel.writeBytes(tensor, page, offset, from, size);
  });
}
