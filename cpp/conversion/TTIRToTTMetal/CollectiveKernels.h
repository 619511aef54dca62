#ifndef CONVERSION_TTIRTOTTMETAL_COLLECTIVEKERNELS_H
#define CONVERSION_TTIRTOTTMETAL_COLLECTIVEKERNELS_H

#include "conversion/TTIRToTTMetal/CollectiveLane.h"

namespace mlir::tt {

/// Pages of `slotBytes` bytes that kernels of collectives move at once.
int64_t getCollectiveChunkPages(int64_t slotBytes);

/// Sends the blocks of all chips to all others, from chip to chip. A block is
/// written to its place in the gathered tensor in DRAM, and read there to be
/// forwarded. So no chip waits for free memory on another one.
class BlockGather {
public:
  BlockGather(DispatchBuilder &dispatch, const CollectiveGroup &group,
              int64_t align)
      : dispatch(dispatch), group(group), align(align),
        arrived(addSignal(dispatch)) {}

  /// Declares a buffer for each direction, for chunks of pages of at most
  /// `pageBytes` bytes.
  void addBuffers(int64_t pageBytes);
  const Buffer &getBuffer(Direction direction) const {
    return buffers[static_cast<size_t>(direction)];
  }
  /// Pages of a chunk, and bytes from one page of it to the next in L1.
  int64_t getChunkPages() const { return chunkPages; }
  int64_t getSlotBytes(const BlockPages &blocks) const;

  /// Reserves the buffer of a direction, and releases it.
  void begin(KernelBuilder &kernel, const Lane &lane);
  void end(KernelBuilder &kernel, const Lane &lane);
  /// Starts to write a chunk of the local block, at `l1Address`, to its place.
  void writeOwn(KernelBuilder &kernel, Lane &lane, const BlockPages &blocks,
                const TileOrder &order, const Chunk &chunk, I32 l1Address);
  /// Starts to send it to the chip behind, if there is one.
  void sendOwn(KernelBuilder &kernel, Lane &lane, const BlockPages &blocks,
               const TileOrder &order, const Chunk &chunk, I32 l1Address);
  /// Forwards the blocks of the other chips and waits until all have arrived.
  /// `seen` is the number of signals for tensors before this one; returns the
  /// number after it.
  I32 passOn(KernelBuilder &kernel, Lane &lane, const BlockPages &blocks,
             const TileOrder &order, const Share &share, I32 seen);

private:
  void send(KernelBuilder &kernel, Lane &lane, const BlockPages &blocks,
            const TileOrder &order, I32 block, const Chunk &chunk,
            PageRange pages, I32 l1Address);

  DispatchBuilder &dispatch;
  CollectiveGroup group;
  int64_t align;
  Signal arrived;
  int64_t chunkPages = 1;
  std::array<Buffer, kDirections.size()> buffers;
};

/// Makes the kernels of an all_gather of `inputs` along dimension `dim`: one
/// dispatch for all of them. `tileGroup` is the group of TileOrder. A negative
/// `dim` counts from the end of each tensor.
LogicalResult lowerAllGather(Operation *op, ValueRange inputs,
                             ValueRange outputs, int64_t dim,
                             const CollectiveGroup &group, int64_t tileGroup,
                             const Lowering &lowering,
                             ConversionPatternRewriter &rewriter);

/// Makes the kernels of a reduce_scatter along `dim`, or of an all_reduce
/// without one: a dispatch for each tensor.
LogicalResult lowerReduction(Operation *op, ValueRange inputs,
                             ValueRange outputs, std::optional<int64_t> dim,
                             ReduceType type, const CollectiveGroup &group,
                             const Lowering &lowering,
                             ConversionPatternRewriter &rewriter);

/// An error unless `tensor`, an operand of a collective, is interleaved in DRAM
/// in pages that kernels can send.
LogicalResult checkCollectiveOperand(Operation *op, StringRef name,
                                     const Tensor &tensor);

/// The blocks of `whole` along dimension `dim`, one for each chip of a group;
/// nothing if they do not fill pages.
std::optional<BlockPages> getBlockPages(const Tensor &whole, int64_t dim,
                                        int64_t blocks, int64_t align);

} // namespace mlir::tt

#endif
