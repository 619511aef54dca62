#ifndef CONVERSION_TTIRTOTTMETAL_COLLECTIVELANE_H
#define CONVERSION_TTIRTOTTMETAL_COLLECTIVELANE_H

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"

#include <array>

namespace mlir::tt {

/// The directions in which collectives send along a group of chips: each has
/// one data movement thread and its own signals.
enum class Direction { Forward, Backward };
inline constexpr std::array<Direction, 2> kDirections = {Direction::Forward,
                                                         Direction::Backward};

/// The most cores of a collective, and so the most words of L1 that each of its
/// signals takes on a chip: a core signals to the core at the same coordinates
/// on the neighbouring chip. They keep several links busy (12.5 GB/s each, a
/// tile of bf16 in about 160 cycles).
inline constexpr int64_t kMaxCollectiveCores = 32;

/// A group of chips along an axis of the mesh.
struct CollectiveGroup {
  /// Chips of a group, and of the mesh.
  int64_t size = 1, chips = 1;
  /// Positions from one chip of the group to the next.
  int64_t stride = 1;
  /// The last chip is linked to the first.
  bool isRing = false;

  /// Chips of a ring that a chip's data reaches in each direction.
  int64_t getReach() const { return size / 2; }
  /// The last of them is the same in both directions: half of a block's pages
  /// is sent there in each direction, so that both have the same traffic.
  bool hasOpposite() const { return isRing && size % 2 == 0; }
};

/// A number of the dispatch that chips signal to each other with, one for each
/// direction; ids of semaphores.
struct Signal {
  std::array<int64_t, kDirections.size()> ids = {};
  int64_t operator[](Direction direction) const {
    return ids[static_cast<size_t>(direction)];
  }
};

/// One semaphore for each direction.
Signal addSignal(DispatchBuilder &dispatch);

/// The cores for `units` units of work, at most kMaxCollectiveCores.
CoreRectangle getCollectiveCores(const DispatchBuilder &dispatch,
                                 int64_t units);

/// Pages of a block that a core moves at once.
struct Chunk {
  I32 index, first, count;
};

/// The pages of a chunk from `begin` on and before `end`, by their index in the
/// chunk.
struct PageRange {
  I32 begin, end;
  I32 count() const { return end - begin; }
  Condition has(I32 page) const;
};

/// The pages of a tensor that is cut into blocks, one for each chip of a group.
struct BlockPages {
  /// The tensor of all blocks.
  Tensor whole;
  /// Pages of a block, and how many of them follow each other in the whole.
  int64_t pages = 0, run = 1;
  int64_t blocks = 1;
  /// Pages of the whole. Where these are not those of `blocks` blocks, blocks
  /// follow each other and are as equal as they can be.
  int64_t total = 0;
  /// Bytes of a page of a block. If blocks are side by side in the pages of the
  /// whole, these are parts of them.
  int64_t bytes = 0;
  bool isInPage = false;

  bool isEqual() const { return isInPage || pages * blocks == total; }
  I32 getPage(I32 block, I32 page) const;
  /// The pages of a block, and those of a chunk that it has.
  I32 countPages(I32 block) const;
  PageRange getPages(I32 block, const Chunk &chunk) const;
  /// Those of them that are in the first or second half of the block.
  PageRange getHalf(I32 block, const Chunk &chunk, bool isSecond) const;
  /// First byte of the block in a page.
  I32 getOffset(I32 block) const { return isInPage ? block * bytes : I32(0); }
};

/// Whether the pages of a block go from its owner to the other chips or from
/// these to its owner. The first half goes forward to the opposite chip, and
/// comes backward from it.
enum class Travel { FromOwner, ToOwner };

/// The kernel of one chip that forwards data of a group in one direction: from
/// the chip before to the chip behind. All chips run the same kernel with
/// different positions.
class Lane {
public:
  Lane(KernelBuilder &kernel, const CollectiveGroup &group,
       Direction direction);

  Direction getDirection() const { return direction; }
  /// Index of the chip in its group.
  I32 getPlace() const { return place; }
  /// Index of the chip that is `hops` chips before or behind this one.
  I32 getPlaceBefore(I32 hops) const { return step(hops, !isForward()); }
  I32 getPlaceBehind(I32 hops) const { return step(hops, isForward()); }

  /// Whether there is a chip before and behind this one.
  Condition hasBefore() const;
  Condition hasBehind() const;
  /// Number of chips before this one whose data comes this way; all on a line.
  I32 countBefore() const;
  /// Number of chips behind this one that its data reaches; all on a line.
  I32 countBehind() const;
  /// Number of blocks, the local one included, that are sent to the chip behind
  /// if all chips get all blocks.
  I32 countSends() const;

  /// The pages of a chunk of a block that go in this direction over hop number
  /// `hop` from the block's owner, counted from 1: half of them if the hop
  /// leads to the opposite chip.
  PageRange getPages(const BlockPages &blocks, I32 block, const Chunk &chunk,
                     I32 hop, Travel travel) const;

  /// Starts to write `bytes` bytes at `l1Address` to an address of the chip
  /// behind.
  void send(I32 l1Address, Value nocAddress, I32 bytes);
  /// Adds 1 to the signal on this core of the chip behind, when what was sent
  /// to it has arrived; or of the chip before.
  void signalBehind(const Signal &signal);
  void signalBefore(const Signal &signal);
  /// Waits until the signal has arrived at least `count` times.
  void waitFor(const Signal &signal, I32 count);
  /// Waits until all that was sent has arrived.
  void barrier();

  /// The NoC address of an address in L1 of this core.
  Value getNocAddress(I32 l1Address);

private:
  bool isForward() const { return direction == Direction::Forward; }
  I32 step(I32 hops, bool up) const;
  /// Position of the neighbour.
  I32 getNeighbour(bool up) const;
  Condition hasNeighbour(bool up) const;
  I32 count(bool up) const;
  void signal(const Signal &signal, bool up);

  KernelBuilder &kernel;
  CollectiveGroup group;
  Direction direction;
  I32 position, place;
};

/// The order in which the tiles of a block are moved. With groups of `group`
/// rows of tiles, the tiles of a group come column by column; 0 is row by row.
struct TileOrder {
  int64_t rows = 1, columns = 1, group = 0;
  I32 getTile(I32 index) const;
};

/// The pages of a tensor as rows and columns: its tiles, or for rows of scalars
/// the dimensions in front of the last.
TileOrder getTileOrder(const Tensor &tensor, int64_t group);

/// Calls `body` for each chunk of at most `chunkPages` pages of the share.
void forEachChunk(KernelBuilder &kernel, const Share &share, int64_t chunkPages,
                  function_ref<void(const Chunk &)> body);
/// How many chunks that are.
I32 countChunks(const Share &share, int64_t chunkPages);

} // namespace mlir::tt

#endif
