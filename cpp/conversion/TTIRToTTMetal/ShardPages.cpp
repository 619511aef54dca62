//===- ShardPages.cpp - between pages in banks and shards in L1 ----------===//

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

/// The kernel of every core of a grid that moves its own shard.
class ShardMover {
public:
  ShardMover(ttir::ToLayoutOp op, const Lowering &lowering,
             ConversionPatternRewriter &rewriter)
      : op(op), lowering(lowering), dispatch(rewriter, op, lowering) {}

  LogicalResult lower() {
    Tensor input = dispatch.input(op.getInput());
    Tensor output = dispatch.output(op.getOutput());
    reads = input.isPaged();
    paged = reads ? input : output;
    shards = reads ? output : input;
    if (failed(check()))
      return failure();

    SmallVector<int64_t> extents = getExtents(paged);
    rows = extents[0];
    columns = extents[1];
    ArrayRef<int64_t> shard = shards.getLayout().getMemref().getShape();
    shardRows = shard[0];
    shardColumns = shard[1];
    bytes = shards.getLayout().getElementStorageSizeBytes();
    if (!paged.isTiled() && !isAligned())
      scratch = dispatch.addScalars(
          ttkernel::CBPort::DataFlow0, IntegerType::get(op.getContext(), 8),
          {1, getScratchBytes()}, getScratchBytes(), /*numBuffers=*/1);
    dispatch.setCores(dispatch.coresOf(shards));
    dispatch.reader([this](KernelBuilder &kernel) { write(kernel); });
    return dispatch.build();
  }

private:
  LogicalResult check() {
    CoreRectangle cores = dispatch.coresOf(shards), all = dispatch.allCores();
    if (!paged.isPaged() || !shards.isInL1() ||
        !shards.getAccessorArgs(lowering.systemDesc) || cores.rows > all.rows ||
        cores.columns > all.columns)
      return op.emitOpError("expected pages in DRAM or L1, and shards in L1 on "
                            "the device's grid, found ")
             << op.getInput().getType() << " and " << op.getOutput().getType();
    if (getExtents(paged) != getExtents(shards) ||
        paged.getMatrixRows() != shards.getMatrixRows())
      return op.emitOpError("changes the rows of the matrices and the place of "
                            "the tensor; expected one of them, found ")
             << op.getInput().getType() << " and " << op.getOutput().getType();
    return success();
  }

  /// Physical extents in tiles or scalars.
  static SmallVector<int64_t> getExtents(const Tensor &tensor) {
    LayoutAttr layout = tensor.getLayout();
    SmallVector<int64_t> extents =
        layout.isTiled() ? layout.getTiledShape(tensor.getShape())
                         : layout.getPhysicalShape(tensor.getShape());
    return {volume(ArrayRef(extents).drop_back()), extents.back()};
  }

  int64_t getAlign() const {
    return lowering.systemDesc.getAddressAlignBytes();
  }
  /// Whether rows of scalars have the same offset to the alignment of transfers
  /// in both memories.
  bool isAligned() const {
    return shardColumns * bytes % getAlign() == 0 &&
           shards.address % getAlign() == 0;
  }
  /// A row, and the bytes in front of it that align it.
  int64_t getScratchBytes() const {
    return llvm::alignTo(shardColumns * bytes, getAlign()) + getAlign();
  }

  void write(KernelBuilder &kernel) {
    I32 firstRow = kernel.callI32("my_logical_y") * shardRows;
    I32 firstColumn = kernel.callI32("my_logical_x") * shardColumns;
    // The shards at the end have less than a whole shard of the tensor.
    auto left = [&](I32 first, int64_t extent, int64_t shard) {
      return select(first < extent, min(extent - first, shard), 0);
    };
    I32 ownColumns = left(firstColumn, columns, shardColumns);
    if (scratch)
      kernel.reserve(*scratch);
    kernel.ifThen(0 < ownColumns, [&] {
      kernel.forRange(left(firstRow, rows, shardRows), [&](I32 row) {
        I32 address = shards.address + row * (shardColumns * bytes);
        I32 pageRow = firstRow + row;
        if (paged.isTiled())
          kernel.forRange(ownColumns, [&](I32 column) {
            movePage(kernel, pageRow * columns + firstColumn + column,
                     address + column * bytes);
          });
        else
          moveRow(kernel, pageRow, firstColumn * bytes, address,
                  ownColumns * bytes);
      });
    });
    if (reads)
      kernel.readBarrier();
    else
      kernel.writeBarrier();
    if (scratch) {
      kernel.push(*scratch);
      kernel.wait(*scratch);
      kernel.pop(*scratch);
    }
  }

  void movePage(KernelBuilder &kernel, I32 page, I32 address) {
    if (reads)
      kernel.readPage(paged, page, address);
    else
      kernel.writePage(paged, page, address);
  }

  void moveRow(KernelBuilder &kernel, I32 page, I32 offset, I32 address,
               I32 size) {
    if (!scratch) {
      if (reads)
        kernel.readBytes(paged, page, offset, address, size);
      else
        kernel.writeBytes(paged, page, offset, address, size);
      return;
    }
    // Through a place with the same offset to the alignment as the page's
    // bytes.
    I32 place = kernel.writePointer(*scratch) + offset % getAlign();
    if (reads) {
      kernel.readBytes(paged, page, offset, place, size);
      kernel.readBarrier();
      kernel.call("tt_memmove", {address, place, size});
    } else {
      kernel.call("tt_memmove", {place, address, size});
      kernel.writeBytes(paged, page, offset, place, size);
      kernel.writeBarrier();
    }
  }

  ttir::ToLayoutOp op;
  const Lowering &lowering;
  DispatchBuilder dispatch;
  Tensor paged, shards;
  /// From pages to shards.
  bool reads = false;
  int64_t rows = 0, columns = 0, shardRows = 0, shardColumns = 0, bytes = 0;
  std::optional<Buffer> scratch;
};

} // namespace

LogicalResult tt::lowerShardPages(ttir::ToLayoutOp op, const Lowering &lowering,
                                  ConversionPatternRewriter &rewriter) {
  return ShardMover(op, lowering, rewriter).lower();
}
