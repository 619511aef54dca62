//===- CollectiveGather.cpp - all_gather as a kernel ---------------------===//

#include "conversion/TTIRToTTMetal/CollectiveKernels.h"
#include "dialects/Shapes/ShapeRules.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

using ttkernel::CBPort;

namespace {

/// The bytes of a chunk in L1, and its largest number of pages. A signal for
/// every eighth tile costs little in comparison, and the next chip can start
/// early.
constexpr int64_t kChunkBytes = 16 * 1024;
constexpr int64_t kMaxChunkPages = 8;

} // namespace

//===----------------------------------------------------------------------===//
// Blocks that go from chip to chip
//===----------------------------------------------------------------------===//

int64_t tt::getCollectiveChunkPages(int64_t slotBytes) {
  return std::clamp<int64_t>(kChunkBytes / slotBytes, 1, kMaxChunkPages);
}

int64_t BlockGather::getSlotBytes(const BlockPages &blocks) const {
  return llvm::alignTo(blocks.bytes, align);
}

void BlockGather::addBuffers(int64_t pageBytes) {
  int64_t slot = llvm::alignTo(pageBytes, align);
  chunkPages = getCollectiveChunkPages(slot);
  Type byte = IntegerType::get(dispatch.getContext(), 8);
  constexpr CBPort kPorts[] = {CBPort::DataFlow0, CBPort::DataFlow1};
  for (auto [buffer, port] : llvm::zip(buffers, kPorts))
    buffer = dispatch.addScalars(port, byte, {chunkPages, slot}, slot,
                                 /*numBuffers=*/1);
}

void BlockGather::begin(KernelBuilder &kernel, const Lane &lane) {
  kernel.reserve(getBuffer(lane.getDirection()));
}

void BlockGather::end(KernelBuilder &kernel, const Lane &lane) {
  const Buffer &buffer = getBuffer(lane.getDirection());
  kernel.push(buffer);
  kernel.wait(buffer);
  kernel.pop(buffer);
}

void BlockGather::writeOwn(KernelBuilder &kernel, Lane &lane,
                           const BlockPages &blocks, const TileOrder &order,
                           const Chunk &chunk, I32 l1Address) {
  I32 own = lane.getPlace();
  kernel.forRange(blocks.getPages(own, chunk).end, [&](I32 i) {
    I32 page = blocks.getPage(own, order.getTile(chunk.first + i));
    kernel.writeBytes(blocks.whole, page, blocks.getOffset(own),
                      l1Address + i * getSlotBytes(blocks), blocks.bytes);
  });
}

void BlockGather::send(KernelBuilder &kernel, Lane &lane,
                       const BlockPages &blocks, const TileOrder &order,
                       I32 block, const Chunk &chunk, PageRange pages,
                       I32 l1Address) {
  kernel.forRange(pages.begin, pages.end, 1, [&](I32 i) {
    I32 page = blocks.getPage(block, order.getTile(chunk.first + i));
    lane.send(l1Address + i * getSlotBytes(blocks),
              kernel.pageAddress(blocks.whole, page, blocks.getOffset(block)),
              blocks.bytes);
  });
  lane.signalBehind(arrived);
}

void BlockGather::sendOwn(KernelBuilder &kernel, Lane &lane,
                          const BlockPages &blocks, const TileOrder &order,
                          const Chunk &chunk, I32 l1Address) {
  kernel.ifThen(lane.hasBehind(), [&] {
    I32 own = lane.getPlace();
    send(kernel, lane, blocks, order, own, chunk,
         lane.getPages(blocks, own, chunk, 1, Travel::FromOwner), l1Address);
  });
}

I32 BlockGather::passOn(KernelBuilder &kernel, Lane &lane,
                        const BlockPages &blocks, const TileOrder &order,
                        const Share &share, I32 seen) {
  I32 chunks = countChunks(share, chunkPages);
  I32 address = kernel.writePointer(getBuffer(lane.getDirection()));
  // The local block was the first that was sent to the chip behind.
  kernel.forRange(1, lane.countSends(), 1, [&](I32 hops) {
    I32 block = lane.getPlaceBefore(hops);
    I32 before = seen + (hops - 1) * chunks;
    forEachChunk(kernel, share, chunkPages, [&](const Chunk &chunk) {
      lane.waitFor(arrived, before + chunk.index + 1);
      PageRange pages =
          lane.getPages(blocks, block, chunk, hops + 1, Travel::FromOwner);
      kernel.forRange(pages.begin, pages.end, 1, [&](I32 i) {
        I32 page = blocks.getPage(block, order.getTile(chunk.first + i));
        kernel.readBytes(blocks.whole, page, blocks.getOffset(block),
                         address + i * getSlotBytes(blocks), blocks.bytes);
      });
      kernel.readBarrier();
      send(kernel, lane, blocks, order, block, chunk, pages, address);
      lane.barrier();
    });
  });
  seen = seen + lane.countBefore() * chunks;
  lane.waitFor(arrived, seen);
  return seen;
}

//===----------------------------------------------------------------------===//
// all_gather
//===----------------------------------------------------------------------===//

LogicalResult tt::checkCollectiveOperand(Operation *op, StringRef name,
                                         const Tensor &tensor) {
  if (tensor.isPaged() && !tensor.isInL1())
    return success();
  return op->emitOpError("has kernels for tensors interleaved in DRAM, found ")
         << name << " of " << tensor.getType()
         << "; run --ttir-decomposition=use-all-gather-kernel and "
            "--ttir-layout first";
}

std::optional<BlockPages> tt::getBlockPages(const Tensor &whole, int64_t dim,
                                            int64_t blocks, int64_t align) {
  ArrayRef<int64_t> shape = whole.getShape();
  int64_t rank = whole.getType().getRank();
  dim = *shapes::normalizeDim(dim, rank);
  BlockPages pages;
  pages.whole = whole;
  pages.blocks = blocks;
  pages.bytes = whole.getPageBytes();
  // Extents in pages: tiles of the two innermost dimensions, or rows.
  SmallVector<int64_t> extents(shape);
  if (whole.isTiled()) {
    if (!whole.hasTilesOfItsOwn())
      return std::nullopt;
    TileGrid grid = whole.getTileGrid();
    extents.back() = grid.columns;
    if (rank >= 2)
      extents[rank - 2] = grid.rows;
    // No tile has elements of two blocks.
    int64_t tileExtent = llvm::divideCeil(shape[dim], extents[dim]);
    if (dim >= rank - 2 && shape[dim] / blocks % tileExtent != 0)
      return std::nullopt;
  } else {
    extents.back() = 1;
  }
  pages.total = volume(extents);
  if (whole.isTiled() || dim != rank - 1) {
    pages.pages = pages.total / blocks;
    pages.run = volume(ArrayRef(extents).drop_front(dim)) / blocks;
    return pages;
  }
  // Blocks are side by side in every row.
  pages.isInPage = true;
  pages.pages = pages.run = pages.total;
  pages.bytes /= blocks;
  if (pages.bytes % align != 0)
    return std::nullopt;
  return pages;
}

namespace {

class AllGather {
public:
  AllGather(Operation *op, int64_t dim, const CollectiveGroup &group,
            int64_t tileGroup, const Lowering &lowering,
            ConversionPatternRewriter &rewriter)
      : op(op), dim(dim), group(group), tileGroup(tileGroup),
        align(lowering.systemDesc.getAddressAlignBytes()),
        dispatch(rewriter, op, lowering), gather(dispatch, group, align) {}

  LogicalResult lower(ValueRange inputs, ValueRange outputs);

private:
  /// A tensor and what becomes of it.
  struct Pair {
    Tensor in;
    BlockPages out;
    TileOrder order;
  };

  LogicalResult add(Value input, Value output);
  void write(KernelBuilder &kernel, Direction direction);
  void sendOwn(KernelBuilder &kernel, Lane &lane, const Pair &pair,
               const Share &share);

  Operation *op;
  int64_t dim;
  CollectiveGroup group;
  int64_t tileGroup, align;
  DispatchBuilder dispatch;
  BlockGather gather;
  SmallVector<Pair> pairs;
};

} // namespace

LogicalResult AllGather::add(Value input, Value output) {
  Tensor in = dispatch.input(input), out = dispatch.output(output);
  if (failed(checkCollectiveOperand(op, "an input", in)) ||
      failed(checkCollectiveOperand(op, "an output", out)))
    return failure();
  if (in.getLayout().getElementType() != out.getLayout().getElementType())
    return op->emitOpError("has kernels that keep the form of the elements, "
                           "found an input of ")
           << in.getLayout().getElementType() << " and an output of "
           << out.getLayout().getElementType();
  std::optional<BlockPages> blocks = getBlockPages(out, dim, group.size, align);
  if (!blocks || (in.isTiled() && !in.hasTilesOfItsOwn()))
    return op->emitOpError("has kernels for blocks of whole pages, found ")
           << in.getType() << " gathered along dimension " << dim << " into "
           << out.getType() << "; run --ttir-decomposition first";
  pairs.push_back({in, *blocks, getTileOrder(in, tileGroup)});
  return success();
}

/// Writes the local block to its place in the result, and starts to send it.
void AllGather::sendOwn(KernelBuilder &kernel, Lane &lane, const Pair &pair,
                        const Share &share) {
  int64_t slot = gather.getSlotBytes(pair.out);
  I32 address = kernel.writePointer(gather.getBuffer(lane.getDirection()));
  auto moveChunk = [&](const Chunk &chunk) {
    kernel.forRange(chunk.count, [&](I32 i) {
      kernel.readPage(pair.in, pair.order.getTile(chunk.first + i),
                      address + i * slot);
    });
    kernel.readBarrier();
    if (lane.getDirection() == Direction::Forward)
      gather.writeOwn(kernel, lane, pair.out, pair.order, chunk, address);
    gather.sendOwn(kernel, lane, pair.out, pair.order, chunk, address);
    if (lane.getDirection() == Direction::Forward)
      kernel.writeBarrier();
    lane.barrier();
  };
  auto moveAll = [&] {
    forEachChunk(kernel, share, gather.getChunkPages(), moveChunk);
  };
  if (lane.getDirection() == Direction::Forward)
    moveAll();
  else
    kernel.ifThen(lane.hasBehind(), moveAll);
}

void AllGather::write(KernelBuilder &kernel, Direction direction) {
  Lane lane(kernel, group, direction);
  gather.begin(kernel, lane);
  I32 seen = 0;
  for (const Pair &pair : pairs) {
    Share share = kernel.share(pair.out.pages, dispatch.getCores().volume());
    sendOwn(kernel, lane, pair, share);
    seen = gather.passOn(kernel, lane, pair.out, pair.order, share, seen);
  }
  gather.end(kernel, lane);
}

LogicalResult AllGather::lower(ValueRange inputs, ValueRange outputs) {
  for (auto [input, output] : llvm::zip(inputs, outputs))
    if (failed(add(input, output)))
      return failure();
  int64_t pages = 0, bytes = 0;
  for (const Pair &pair : pairs) {
    pages = std::max(pages, pair.out.pages);
    bytes = std::max(bytes, pair.out.bytes);
  }
  gather.addBuffers(bytes);
  dispatch.setCores(getCollectiveCores(dispatch, pages));
  dispatch.reader(
      [&](KernelBuilder &kernel) { write(kernel, Direction::Forward); });
  dispatch.writer(
      [&](KernelBuilder &kernel) { write(kernel, Direction::Backward); });
  return dispatch.build();
}

LogicalResult tt::lowerAllGather(Operation *op, ValueRange inputs,
                                 ValueRange outputs, int64_t dim,
                                 const CollectiveGroup &group,
                                 int64_t tileGroup, const Lowering &lowering,
                                 ConversionPatternRewriter &rewriter) {
  return AllGather(op, dim, group, tileGroup, lowering, rewriter)
      .lower(inputs, outputs);
}
