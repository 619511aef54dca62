//===- CollectiveLane.cpp - a direction of a group of chips --------------===//

#include "conversion/TTIRToTTMetal/CollectiveLane.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

Signal tt::addSignal(DispatchBuilder &dispatch) {
  Signal signal;
  for (int64_t &id : signal.ids)
    id = dispatch.addSemaphore();
  return signal;
}

CoreRectangle tt::getCollectiveCores(const DispatchBuilder &dispatch,
                                     int64_t units) {
  CoreRectangle cores =
      dispatch.coresFor(std::min<int64_t>(units, kMaxCollectiveCores));
  cores.rows = std::min(
      cores.rows, std::max<int64_t>(kMaxCollectiveCores / cores.columns, 1));
  return cores;
}

//===----------------------------------------------------------------------===//
// Lane
//===----------------------------------------------------------------------===//

Lane::Lane(KernelBuilder &kernel, const CollectiveGroup &group,
           Direction direction)
    : kernel(kernel), group(group), direction(direction),
      position(kernel.callI32("get_my_device_id")),
      place(position / group.stride) {
  if (group.stride * group.size != group.chips)
    place = place % group.size;
}

I32 Lane::step(I32 hops, bool up) const {
  if (!group.isRing)
    return up ? place + hops : place - hops;
  return (up ? place + hops : place + (I32(group.size) - hops)) % group.size;
}

Condition Lane::hasNeighbour(bool up) const {
  if (group.isRing)
    return true;
  return up ? place < group.size - 1 : I32(0) < place;
}

Condition Lane::hasBefore() const { return hasNeighbour(!isForward()); }
Condition Lane::hasBehind() const { return hasNeighbour(isForward()); }

I32 Lane::count(bool up) const {
  if (group.isRing)
    return group.getReach();
  return up ? I32(group.size - 1) - place : place;
}

I32 Lane::countBefore() const { return count(!isForward()); }
I32 Lane::countBehind() const { return count(isForward()); }

I32 Lane::countSends() const {
  if (group.isRing)
    return group.getReach();
  return select(hasBehind(), countBefore() + 1, 0);
}

PageRange Lane::getPages(const BlockPages &blocks, I32 block,
                         const Chunk &chunk, I32 hop, Travel travel) const {
  PageRange all = blocks.getPages(block, chunk);
  if (!group.hasOpposite())
    return all;
  bool isFirst = isForward() == (travel == Travel::FromOwner);
  PageRange half = blocks.getHalf(block, chunk, !isFirst);
  Condition isOpposite = hop == group.getReach();
  return {select(isOpposite, half.begin, all.begin),
          select(isOpposite, half.end, all.end)};
}

I32 Lane::getNeighbour(bool up) const {
  I32 neighbour = up ? position + group.stride : position - group.stride;
  if (!group.isRing)
    return neighbour;
  int64_t span = (group.size - 1) * group.stride;
  return up ? select(place == group.size - 1, position - span, neighbour)
            : select(place == 0, position + span, neighbour);
}

Value Lane::getNocAddress(I32 l1Address) {
  return kernel.call(
      "get_noc_addr",
      {kernel.callI32("my_x"), kernel.callI32("my_y"), l1Address}, {},
      ttkernel::NocAddrType::get(kernel.getBuilder().getContext()));
}

void Lane::send(I32 l1Address, Value nocAddress, I32 bytes) {
  kernel.call("fabric_async_write",
              {l1Address, getNeighbour(isForward()), nocAddress, bytes});
}

void Lane::signal(const Signal &signal, bool up) {
  I32 address = kernel.callI32("get_semaphore", {signal[direction]});
  kernel.call("fabric_semaphore_inc",
              {getNeighbour(up), getNocAddress(address), 1});
}

void Lane::signalBehind(const Signal &signal) {
  this->signal(signal, isForward());
}

void Lane::signalBefore(const Signal &signal) {
  this->signal(signal, !isForward());
}

void Lane::waitFor(const Signal &signal, I32 count) {
  I32 address = kernel.callI32("get_semaphore", {signal[direction]});
  kernel.call("noc_semaphore_wait_min", {address, count});
}

void Lane::barrier() { kernel.call("fabric_async_write_barrier"); }

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

/// `lhs - rhs`, or 0 if that is less.
static I32 subtract(I32 lhs, I32 rhs) {
  return select(rhs < lhs, lhs - rhs, 0);
}

Condition PageRange::has(I32 page) const {
  return page < end && begin < page + 1;
}

I32 BlockPages::getPage(I32 block, I32 page) const {
  if (isInPage)
    return page;
  if (!isEqual())
    return block * total / blocks + page;
  I32 base = page + block * run;
  return pages == run ? base : base + page / run * (run * (blocks - 1));
}

I32 BlockPages::countPages(I32 block) const {
  if (isEqual())
    return pages;
  return (block + 1) * total / blocks - block * total / blocks;
}

PageRange BlockPages::getPages(I32 block, const Chunk &chunk) const {
  if (isEqual())
    return {0, chunk.count};
  return {0, min(subtract(countPages(block), chunk.first), chunk.count)};
}

PageRange BlockPages::getHalf(I32 block, const Chunk &chunk,
                              bool isSecond) const {
  I32 end = getPages(block, chunk).end;
  I32 middle = min(subtract(countPages(block) / 2, chunk.first), end);
  return isSecond ? PageRange{middle, end} : PageRange{0, middle};
}

I32 TileOrder::getTile(I32 index) const {
  if (group == 0)
    return index;
  int64_t tilesOfGroup = group * columns;
  I32 firstRow = index / tilesOfGroup * group;
  // The last group has the rows that are left.
  I32 size = min(I32(rows) - firstRow, group);
  I32 inGroup = index % tilesOfGroup;
  I32 row = firstRow + inGroup % size;
  I32 column = inGroup / size;
  return row * columns + column;
}

TileOrder tt::getTileOrder(const Tensor &tensor, int64_t group) {
  TileOrder order;
  ArrayRef<int64_t> rows = tensor.getShape().drop_back();
  if (tensor.isTiled()) {
    TileGrid grid = tensor.getTileGrid();
    order.rows = grid.batches * grid.rows;
    order.columns = grid.columns;
  } else if (!rows.empty()) {
    order.rows = tt::volume(rows.drop_back());
    order.columns = rows.back();
  }
  // A group of more rows than the tensor has is one group.
  order.group = std::min(group, order.rows);
  return order;
}

I32 tt::countChunks(const Share &share, int64_t chunkPages) {
  return (share.count + (chunkPages - 1)) / chunkPages;
}

void tt::forEachChunk(KernelBuilder &kernel, const Share &share,
                      int64_t chunkPages,
                      function_ref<void(const Chunk &)> body) {
  kernel.forRange(countChunks(share, chunkPages), [&](I32 index) {
    I32 done = index * chunkPages;
    I32 count = share.count.is(chunkPages)
                    ? I32(chunkPages)
                    : min(share.count - done, chunkPages);
    body({index, share.first + done, count});
  });
}
