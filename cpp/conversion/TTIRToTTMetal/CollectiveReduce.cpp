//===- CollectiveReduce.cpp - reduce_scatter and all_reduce as kernels ---===//
//
// A block of the tensor belongs to each chip of the group. The parts of the
// chips are added along the path to it: forward from the chips before the
// owner, backward from those behind it, and the owner adds both to its own
// part. So a block crosses a link once, instead of once for every chip that it
// comes from. For an all_reduce the blocks are then sent to all chips. Half of
// the chips of a ring are before the owner, half are behind it (see
// CollectiveGroup).
//
// A core adds up a chunk of each block on all chips before it starts the next
// chunk. Then at most one chunk of each direction has not been read yet, and
// space for two chunks is enough.

#include "conversion/TTIRToTTMetal/CollectiveKernels.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

using ttkernel::CBPort;

namespace {

/// Chunks that fit into the buffer of each direction.
constexpr int64_t kRoom = 2;

class BlockReduction {
public:
  BlockReduction(Operation *op, ReduceType type, const CollectiveGroup &group,
                 const Lowering &lowering, ConversionPatternRewriter &rewriter)
      : op(op), type(type), group(group),
        align(lowering.systemDesc.getAddressAlignBytes()),
        dispatch(rewriter, op, lowering) {}

  /// Without `dim` every chip gets all blocks.
  FailureOr<ttmetal::DispatchOp> lower(Value input, Value output,
                                       std::optional<int64_t> dim);

private:
  /// The buffers of a direction.
  struct Way {
    /// Of this chip, from the chip before, for the chip behind, and the local
    /// block at the end.
    Buffer own, partial, sum, result;
  };
  Way &getWay(Direction direction) {
    return ways[static_cast<size_t>(direction)];
  }

  LogicalResult check(std::optional<int64_t> dim);
  void addBuffers();

  /// Whether a partial sum arrives for the block that is sent in step `i`, and
  /// for the local block; and how many arrive for a chunk.
  Condition hasPartial(const Lane &lane, I32 i) const {
    return group.isRing ? I32(0) < i : lane.hasBefore();
  }
  Condition hasPartialForOwn(const Lane &lane) const {
    return group.isRing ? Condition(true) : lane.hasBefore();
  }
  I32 countPartials(const Lane &lane) const {
    return group.isRing ? lane.countBehind() : lane.countBehind() + 1;
  }
  /// The blocks of the farthest owners are sent first.
  I32 getBlock(const Lane &lane, I32 i) const {
    return lane.getPlaceBehind(lane.countBehind() - i);
  }
  /// The pages that are sent in step `i`, and those of them that were received.
  PageRange getPages(const Lane &lane, I32 i, const Chunk &chunk) const {
    return lane.getPages(blocks, getBlock(lane, i), chunk,
                         lane.countBehind() - i, Travel::ToOwner);
  }
  PageRange getPartials(const Lane &lane, I32 i, const Chunk &chunk) const {
    return lane.getPages(blocks, getBlock(lane, i), chunk,
                         lane.countBehind() - i + 1, Travel::ToOwner);
  }

  void move(KernelBuilder &kernel, Direction direction);
  void passBlock(KernelBuilder &kernel, Lane &lane, const Chunk &chunk, I32 i);
  void finishBlock(KernelBuilder &kernel, Lane &lane, const Chunk &chunk);
  void readOwn(KernelBuilder &kernel, I32 block, const Chunk &chunk,
               PageRange pages, const Buffer &buffer);
  void makeRoom(KernelBuilder &kernel, Lane &lane);
  void receive(KernelBuilder &kernel, Lane &lane, I32 number);
  void send(KernelBuilder &kernel, Lane &lane, I32 l1Address, PageRange pages,
            I32 number);

  void compute(KernelBuilder &kernel);
  void addPartial(KernelBuilder &kernel, Lane &lane, I32 i, const Chunk &chunk);
  void addAll(KernelBuilder &kernel, ArrayRef<Lane> lanes, const Chunk &chunk);
  void load(KernelBuilder &kernel, const Buffer &buffer, I32 tile, int64_t dst);
  /// Register 0 combined with a tile.
  void combine(KernelBuilder &kernel, const Buffer &buffer, I32 tile);
  void average(KernelBuilder &kernel);

  Operation *op;
  ReduceType type;
  CollectiveGroup group;
  int64_t align;
  DispatchBuilder dispatch;
  /// Of an all_reduce.
  std::optional<BlockGather> gather;
  Tensor in, out;
  /// Blocks of the input.
  BlockPages blocks;
  int64_t chunkTiles = 1;
  /// A partial sum has arrived from the chip before; the chip behind has free
  /// space.
  Signal arrived, room;
  std::array<Way, kDirections.size()> ways;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is reduced
//===----------------------------------------------------------------------===//

LogicalResult BlockReduction::check(std::optional<int64_t> dim) {
  for (auto [name, tensor] :
       {std::pair<StringRef, const Tensor &>("an input", in),
        std::pair<StringRef, const Tensor &>("an output", out)}) {
    if (failed(checkCollectiveOperand(op, name, tensor)))
      return failure();
    if (!tensor.isTiled())
      return op->emitOpError("has kernels for tiles, found ")
             << name << " of elements " << tensor.getLayout().getElementType()
             << " in " << tensor.getType();
  }
  if (in.getLayout().getElementType() != out.getLayout().getElementType())
    return op->emitOpError("has kernels that keep the form of the elements, "
                           "found an input of ")
           << in.getLayout().getElementType() << " and an output of "
           << out.getLayout().getElementType();
  if (dim) {
    std::optional<BlockPages> found =
        getBlockPages(in, *dim, group.size, align);
    if (!found || !out.hasTilesOfItsOwn())
      return op->emitOpError("has kernels for blocks of whole tiles, found ")
             << in.getType() << " scattered along dimension " << *dim
             << " into " << out.getType() << "; run --ttir-decomposition first";
    blocks = *found;
    return success();
  }
  int64_t total = in.getNumPages();
  int64_t each = llvm::divideCeil(total, group.size);
  blocks = {in,         each,  each,
            group.size, total, static_cast<int64_t>(in.getPageBytes())};
  return success();
}

void BlockReduction::addBuffers() {
  constexpr CBPort kPorts[kDirections.size()][4] = {
      {CBPort::In0, CBPort::In2, CBPort::Out0, CBPort::Out2},
      {CBPort::In1, CBPort::In3, CBPort::Out1, CBPort::Out3}};
  auto tile = cast<TileType>(in.getLayout().getElementType());
  chunkTiles = getCollectiveChunkPages(blocks.bytes);
  if (gather)
    gather->addBuffers(blocks.bytes);
  for (Direction direction : kDirections) {
    Way &way = getWay(direction);
    const auto &ports = kPorts[static_cast<size_t>(direction)];
    way.own = dispatch.addTiles(ports[0], tile, chunkTiles);
    way.partial = dispatch.addTiles(ports[1], tile, chunkTiles, kRoom);
    way.sum = dispatch.addTiles(ports[2], tile, chunkTiles);
    if (gather || direction == Direction::Backward)
      way.result = dispatch.addTiles(ports[3], tile, chunkTiles);
  }
}

FailureOr<ttmetal::DispatchOp>
BlockReduction::lower(Value input, Value output, std::optional<int64_t> dim) {
  in = dispatch.input(input);
  out = dispatch.output(output);
  if (failed(check(dim)))
    return failure();
  arrived = addSignal(dispatch);
  room = addSignal(dispatch);
  if (!dim)
    gather.emplace(dispatch, group, align);
  addBuffers();
  dispatch.setCores(getCollectiveCores(dispatch, blocks.pages));
  dispatch.reader(
      [&](KernelBuilder &kernel) { move(kernel, Direction::Forward); });
  dispatch.addKernel(ttkernel::TensixConfigAttr::get(
                         op->getContext(), ttkernel::MathFidelity::HiFi4,
                         /*fp32_dest_acc_en=*/true,
                         /*preserve_fp32_precision=*/true,
                         /*math_approx_mode=*/false),
                     [&](KernelBuilder &kernel) { compute(kernel); });
  dispatch.writer(
      [&](KernelBuilder &kernel) { move(kernel, Direction::Backward); });
  return dispatch.create();
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

void BlockReduction::readOwn(KernelBuilder &kernel, I32 block,
                             const Chunk &chunk, PageRange pages,
                             const Buffer &buffer) {
  kernel.reserve(buffer);
  I32 address = kernel.writePointer(buffer);
  kernel.forRange(pages.begin, pages.end, 1, [&](I32 i) {
    kernel.readPage(in, blocks.getPage(block, chunk.first + i),
                    address + i * blocks.bytes);
  });
  kernel.readBarrier();
  kernel.push(buffer);
}

/// For the next partial sum, which the chip before waits for.
void BlockReduction::makeRoom(KernelBuilder &kernel, Lane &lane) {
  kernel.reserve(getWay(lane.getDirection()).partial);
  lane.signalBefore(room);
}

/// The partial sum with the given number among all that arrive.
void BlockReduction::receive(KernelBuilder &kernel, Lane &lane, I32 number) {
  if (!group.isRing)
    makeRoom(kernel, lane);
  lane.waitFor(arrived, number + 1);
  kernel.push(getWay(lane.getDirection()).partial);
}

/// The buffers of all chips are at the same addresses, and partial sums fill
/// their halves in turn. The packer has written the pages one after the other;
/// at the receiver each page is at its index in the chunk.
void BlockReduction::send(KernelBuilder &kernel, Lane &lane, I32 l1Address,
                          PageRange pages, I32 number) {
  const Buffer &partial = getWay(lane.getDirection()).partial;
  lane.waitFor(room, number + 1);
  kernel.ifThen(pages.begin < pages.end, [&] {
    I32 first = pages.begin * blocks.bytes;
    I32 place = number % kRoom * (chunkTiles * blocks.bytes) +
                static_cast<int64_t>(partial.type.getAddress());
    lane.send(l1Address, lane.getNocAddress(place + first),
              pages.count() * blocks.bytes);
  });
  lane.signalBehind(arrived);
  lane.barrier();
}

/// Adds this chip's part to a block of a chip behind, and sends it. All chips
/// of a ring send before anything has arrived, and each frees space before it
/// waits for free space.
void BlockReduction::passBlock(KernelBuilder &kernel, Lane &lane,
                               const Chunk &chunk, I32 i) {
  const Way &way = getWay(lane.getDirection());
  I32 block = getBlock(lane, i);
  PageRange pages = getPages(lane, i, chunk);
  I32 number = chunk.index * lane.countBehind() + i;
  readOwn(kernel, block, chunk, pages, way.own);
  kernel.ifThen(hasPartial(lane, i), [&] {
    I32 first = chunk.index * countPartials(lane);
    receive(kernel, lane, first + i - (group.isRing ? 1 : 0));
  });
  if (group.isRing)
    makeRoom(kernel, lane);
  kernel.wait(way.sum);
  send(kernel, lane, kernel.readPointer(way.sum), pages, number);
  kernel.pop(way.sum);
}

/// The local block: the forward thread reads it, both threads receive partial
/// sums.
void BlockReduction::finishBlock(KernelBuilder &kernel, Lane &lane,
                                 const Chunk &chunk) {
  const Way &way = getWay(lane.getDirection());
  bool isForward = lane.getDirection() == Direction::Forward;
  if (isForward)
    readOwn(kernel, lane.getPlace(), chunk,
            blocks.getPages(lane.getPlace(), chunk), way.own);
  kernel.ifThen(hasPartialForOwn(lane), [&] {
    I32 count = countPartials(lane);
    receive(kernel, lane, chunk.index * count + (count - 1));
  });
  if (isForward && !gather)
    return;
  kernel.wait(way.result);
  I32 address = kernel.readPointer(way.result);
  if (!gather) {
    kernel.forRange(chunk.count, [&](I32 i) {
      kernel.writePage(out, chunk.first + i, address + i * blocks.bytes);
    });
  } else {
    BlockPages all = blocks;
    all.whole = out;
    if (isForward)
      gather->writeOwn(kernel, lane, all, TileOrder(), chunk, address);
    gather->sendOwn(kernel, lane, all, TileOrder(), chunk, address);
    lane.barrier();
  }
  kernel.writeBarrier();
  kernel.pop(way.result);
}

void BlockReduction::move(KernelBuilder &kernel, Direction direction) {
  Lane lane(kernel, group, direction);
  Share share = kernel.share(blocks.pages, dispatch.getCores().volume());
  forEachChunk(kernel, share, chunkTiles, [&](const Chunk &chunk) {
    kernel.forRange(lane.countBehind(),
                    [&](I32 i) { passBlock(kernel, lane, chunk, i); });
    finishBlock(kernel, lane, chunk);
  });
  if (gather) {
    BlockPages all = blocks;
    all.whole = out;
    gather->begin(kernel, lane);
    gather->passOn(kernel, lane, all, TileOrder(), share, /*seen=*/0);
    gather->end(kernel, lane);
  }
  lane.barrier();
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

void BlockReduction::load(KernelBuilder &kernel, const Buffer &buffer, I32 tile,
                          int64_t dst) {
  kernel.call("copy_tile_init", {buffer});
  kernel.call("copy_tile", {buffer, tile, dst});
}

void BlockReduction::combine(KernelBuilder &kernel, const Buffer &buffer,
                             I32 tile) {
  StringRef mnemonic = "add_binary_tile";
  if (type == ReduceType::Max)
    mnemonic = "binary_max_tile";
  else if (type == ReduceType::Min)
    mnemonic = "binary_min_tile";
  load(kernel, buffer, tile, 1);
  kernel.call((mnemonic + "_init").str());
  kernel.call(mnemonic, {0, 1, 0});
}

/// Register 0 divided by the number of chips.
void BlockReduction::average(KernelBuilder &kernel) {
  int64_t chips = llvm::bit_cast<uint32_t>(static_cast<float>(group.size));
  kernel.call("fill_tile_init");
  kernel.call("fill_tile", {1, chips});
  kernel.call("div_binary_tile_init");
  kernel.call("div_binary_tile", {0, 1, 0});
}

void BlockReduction::addPartial(KernelBuilder &kernel, Lane &lane, I32 i,
                                const Chunk &chunk) {
  const Way &way = getWay(lane.getDirection());
  Condition isMore = hasPartial(lane, i);
  kernel.wait(way.own);
  kernel.ifThen(isMore, [&] { kernel.wait(way.partial); });
  kernel.reserve(way.sum);
  PageRange pages = getPages(lane, i, chunk);
  PageRange partials = getPartials(lane, i, chunk);
  kernel.forRange(pages.begin, pages.end, 1, [&](I32 tile) {
    kernel.acquire();
    load(kernel, way.own, tile, 0);
    Condition hasCome =
        group.hasOpposite() ? isMore && partials.has(tile) : isMore;
    kernel.ifThen(hasCome, [&] { combine(kernel, way.partial, tile); });
    kernel.commit();
    kernel.pack(0, way.sum, tile);
    kernel.release();
  });
  kernel.push(way.sum);
  kernel.ifThen(isMore, [&] { kernel.pop(way.partial); });
  kernel.pop(way.own);
}

void BlockReduction::addAll(KernelBuilder &kernel, ArrayRef<Lane> lanes,
                            const Chunk &chunk) {
  const Buffer &own = getWay(Direction::Forward).own;
  // Without a gather the backward thread writes the result.
  ArrayRef<Direction> takers = kDirections;
  if (!gather)
    takers = takers.drop_front();
  auto forEachPartial = [&](function_ref<void(const Buffer &)> body) {
    for (const Lane &lane : lanes)
      kernel.ifThen(hasPartialForOwn(lane),
                    [&] { body(getWay(lane.getDirection()).partial); });
  };
  kernel.wait(own);
  forEachPartial([&](const Buffer &partial) { kernel.wait(partial); });
  for (Direction taker : takers)
    kernel.reserve(getWay(taker).result);
  kernel.forRange(blocks.getPages(lanes.front().getPlace(), chunk).end,
                  [&](I32 i) {
                    kernel.acquire();
                    load(kernel, own, i, 0);
                    forEachPartial([&](const Buffer &partial) {
                      combine(kernel, partial, i);
                    });
                    if (type == ReduceType::Mean)
                      average(kernel);
                    kernel.commit();
                    for (Direction taker : takers)
                      kernel.pack(0, getWay(taker).result, i);
                    kernel.release();
                  });
  for (Direction taker : takers)
    kernel.push(getWay(taker).result);
  forEachPartial([&](const Buffer &partial) { kernel.pop(partial); });
  kernel.pop(own);
}

/// The directions in turn: on a line, a block that has reached this chip does
/// not wait for later blocks of the other direction.
void BlockReduction::compute(KernelBuilder &kernel) {
  kernel.call("init_sfpu", {getWay(Direction::Forward).own,
                            getWay(Direction::Backward).result});
  Lane lanes[] = {Lane(kernel, group, Direction::Forward),
                  Lane(kernel, group, Direction::Backward)};
  Share share = kernel.share(blocks.pages, dispatch.getCores().volume());
  int64_t steps = group.isRing ? group.getReach() : group.size - 1;
  forEachChunk(kernel, share, chunkTiles, [&](const Chunk &chunk) {
    kernel.forRange(steps, [&](I32 i) {
      for (Lane &lane : lanes)
        kernel.ifThen(i < lane.countBehind(),
                      [&] { addPartial(kernel, lane, i, chunk); });
    });
    addAll(kernel, lanes, chunk);
  });
}

LogicalResult tt::lowerReduction(Operation *op, ValueRange inputs,
                                 ValueRange outputs, std::optional<int64_t> dim,
                                 ReduceType type, const CollectiveGroup &group,
                                 const Lowering &lowering,
                                 ConversionPatternRewriter &rewriter) {
  SmallVector<Value> results;
  for (auto [input, output] : llvm::zip(inputs, outputs)) {
    FailureOr<ttmetal::DispatchOp> dispatch =
        BlockReduction(op, type, group, lowering, rewriter)
            .lower(input, output, dim);
    if (failed(dispatch))
      return failure();
    llvm::append_range(results, dispatch->getResults());
  }
  rewriter.replaceOp(op, results);
  return success();
}
