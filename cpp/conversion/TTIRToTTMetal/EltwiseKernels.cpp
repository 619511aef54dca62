//===- EltwiseKernels.cpp - readers, compute kernels and writers of tiles ===//

#include "conversion/TTIRToTTMetal/EltwiseKernels.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

using ttkernel::BroadcastType;
using ttkernel::CBPort;

/// Tiles that are pushed at once if L1 has the space.
static constexpr int64_t kBlockTiles = 8;

EltwiseSource::EltwiseSource(const Tensor &tensor, const Tensor &output)
    : tensor(tensor), grid(tensor.getTileGrid()) {
  TileGrid out = output.getTileGrid();
  bool rows = grid.height != out.height, columns = grid.width != out.width;
  broadcast = rows && columns ? BroadcastType::Scalar
              : rows          ? BroadcastType::Row
              : columns       ? BroadcastType::Col
                              : BroadcastType::None;
  isPlain = broadcast == BroadcastType::None && grid.batches == out.batches;
}

EltwiseKernels::EltwiseKernels(Operation *op, DispatchBuilder &dispatch,
                               const Lowering &lowering,
                               ArrayRef<EltwiseSource> sources,
                               const Tensor &output)
    : op(op), dispatch(dispatch), lowering(lowering), sources(sources),
      output(output), grid(output.getTileGrid()) {}

/// Whether every core of the tensor's grid has a whole shard of tiles. What a
/// shard at the end lacks is memory that nothing has written.
static bool fillsShards(const Tensor &tensor) {
  LayoutAttr layout = tensor.getLayout();
  return tensor.getNumPages() ==
         volume(layout.getMemref().getShape()) * layout.getGrid().getVolume();
}

StringRef EltwiseKernels::whyNotAlias() const {
  LayoutAttr layout = output.getLayout();
  auto isShard = [&](const Tensor &tensor) {
    return tensor.isInL1() && !tensor.isPaged() &&
           tensor.getLayout().getGrid() == layout.getGrid() &&
           fillsShards(tensor);
  };
  if (!isShard(output))
    return "the output is not in whole shards in l1";
  if (needsMask())
    return "the padding of block floats has to be cleared";
  bool isWhole = layout.getGrid().getVolume() == 1;
  for (const EltwiseSource &source : sources) {
    const Tensor &tensor = source.tensor;
    if (!isShard(tensor))
      return "an input is not in whole shards on the cores of the output";
    if (source.isPlain && tensor.getLayout().getMemref().getShape() ==
                              layout.getMemref().getShape())
      continue;
    if (!isWhole || !tensor.hasTilesOfItsOwn() || !output.hasTilesOfItsOwn())
      return "an input is broadcast to several cores";
  }
  return "";
}

bool EltwiseKernels::needsMask() const {
  constexpr int64_t kBlock = 16;
  return isBlockFloat(output.getDataType()) && grid.width % kBlock != 0;
}

void EltwiseKernels::addIntermediates() {
  for (auto [i, type] : llvm::enumerate(program.intermediates))
    intermediates.push_back(dispatch.addTiles(
        static_cast<CBPort>(static_cast<unsigned>(CBPort::Intermed0) + i),
        getRegisterTile(lowering.device.getContext(), type), /*blockTiles=*/1,
        /*numBuffers=*/1));
}

/// The page of the input for a tile of the output, as numbered there.
I32 EltwiseKernels::getPage(const EltwiseSource &source, I32 tile) const {
  const TileGrid &own = source.grid, &out = grid;
  if (source.isPlain)
    return tile;
  if (own.volume() == 1)
    return 0;
  I32 matrix = tile / (out.rows * out.columns);
  I32 rest = tile % (out.rows * out.columns);
  I32 y = own.height == out.height ? rest / out.columns : I32(0);
  I32 x = own.width == out.width ? rest % out.columns : I32(0);
  if (own.batches == out.batches)
    return own.page(matrix, y, x);
  // The place of the matrix along the leading dimensions that are not
  // broadcast.
  ArrayRef<int64_t> shape = output.getShape();
  I32 batch = 0;
  int64_t ownStride = 1, stride = 1;
  ArrayRef<int64_t> ownShape = source.tensor.getShape();
  int64_t missing = shape.size() - ownShape.size();
  for (int64_t d = static_cast<int64_t>(shape.size()) - 3; d >= missing; --d) {
    int64_t extent = ownShape[d - missing];
    if (extent > 1)
      batch = batch + matrix / stride % extent * ownStride;
    ownStride *= extent;
    stride *= shape[d];
  }
  return own.page(batch, y, x);
}

/// Work on a block of tiles, a group at a time.
static void writeBlock(KernelBuilder &kernel, EltwiseWriter &writer, I32 count,
                       unsigned group,
                       function_ref<I32(unsigned, I32)> tileOf) {
  auto work = [&](I32 first, unsigned tiles) {
    writer.write(
        tiles,
        [&](unsigned input, unsigned i) { return tileOf(input, first + i); },
        first);
  };
  if (group == 1)
    return kernel.forRange(count, [&](I32 i) { work(i, 1); });
  I32 grouped = count / group * group;
  kernel.forRange(0, grouped, group, [&](I32 i) { work(i, group); });
  kernel.forRange(grouped, count, 1, [&](I32 i) { work(i, 1); });
}

LogicalResult EltwiseKernels::lowerAliased() {
  for (auto [i, source] : llvm::enumerate(sources))
    inputs.push_back(dispatch.addAlias(getInputPort(i), source.tensor));
  outputBuffer = dispatch.addAlias(CBPort::Out0, output);
  addIntermediates();
  dispatch.setCores(dispatch.coresOf(output));
  dispatch.compute([&](KernelBuilder &kernel) {
    EltwiseWriter writer(kernel, program, inputs, intermediates, outputBuffer);
    writer.start();
    writeBlock(kernel, writer, volume(outputBuffer.type.getShape()),
               program.getGroup(), [&](unsigned input, I32 tile) {
                 return getPage(sources[input], tile);
               });
  });
  return dispatch.build();
}

void tt::forBlocks(KernelBuilder &kernel, int64_t units,
                   const CoreRectangle &cores, int64_t block,
                   function_ref<void(I32, I32)> body) {
  Share share = kernel.share(units, cores.volume());
  kernel.forChunks(share.count, block, [&](I32 done, I32 count) {
    body(share.first + done, count);
  });
}

void tt::readPages(KernelBuilder &kernel, const Tensor &input,
                   const Buffer &buffer, int64_t units,
                   const CoreRectangle &cores) {
  forBlocks(kernel, units, cores, buffer.blockPages, [&](I32 first, I32 count) {
    kernel.reserve(buffer);
    I32 address = kernel.writePointer(buffer);
    kernel.forRange(count, [&](I32 i) {
      kernel.readPage(input, first + i, address + i * buffer.getPageBytes());
    });
    kernel.readBarrier();
    kernel.push(buffer);
  });
}

void tt::writePages(KernelBuilder &kernel, const Tensor &output,
                    const Buffer &buffer, int64_t units,
                    const CoreRectangle &cores) {
  forBlocks(kernel, units, cores, buffer.blockPages, [&](I32 first, I32 count) {
    kernel.wait(buffer);
    I32 address = kernel.readPointer(buffer);
    kernel.forRange(count, [&](I32 i) {
      kernel.writePage(output, first + i, address + i * buffer.getPageBytes());
    });
    kernel.writeBarrier();
    kernel.pop(buffer);
  });
}

void tt::writeMaskTile(KernelBuilder &kernel, I32 address, int64_t rows,
                       int64_t columns) {
  Builder &builder = kernel.getBuilder();
  constexpr int64_t kFace = 16, kBytes = 2, kOne = 0x3f80;
  auto fill = [&](I32 to, int64_t count, int64_t bits) {
    kernel.call(
        "fill_with_val", {to, count, bits},
        builder.getNamedAttr("bytes", builder.getI32IntegerAttr(kBytes)));
  };
  fill(address, 4 * kFace * kFace, 0);
  // Runs of a face's row, for the rows that the face has.
  for (int64_t face = 0; face < 4; ++face) {
    int64_t ones = std::clamp<int64_t>(columns - face % 2 * kFace, 0, kFace);
    int64_t lines = std::clamp<int64_t>(rows - face / 2 * kFace, 0, kFace);
    I32 first = address + face * kFace * kFace * kBytes;
    if (ones != 0)
      kernel.forRange(lines, [&](I32 line) {
        fill(first + line * (kFace * kBytes), ones, kOne);
      });
  }
}

void EltwiseKernels::addReader(CoreRectangle cores) {
  dispatch.reader([this, cores](KernelBuilder &kernel) {
    int64_t units = grid.volume();
    if (mask) {
      kernel.reserve(*mask);
      I32 address = kernel.writePointer(*mask);
      writeMaskTile(kernel, address, TileType::kExtent, TileType::kExtent);
      writeMaskTile(kernel, address + mask->getPageBytes(), TileType::kExtent,
                    grid.width % TileType::kExtent);
      kernel.push(*mask);
    }
    bool anyResident = false;
    for (auto [source, buffer] : llvm::zip(sources, inputs))
      if (source.isResident()) {
        kernel.reserve(buffer);
        kernel.readPage(source.tensor, 0, kernel.writePointer(buffer));
        anyResident = true;
      }
    if (anyResident)
      kernel.readBarrier();
    for (auto [source, buffer] : llvm::zip(sources, inputs))
      if (source.isResident())
        kernel.push(buffer);

    auto readBlock = [&](I32 first, I32 count) {
      for (auto [source, buffer] : llvm::zip(sources, inputs)) {
        if (source.isResident())
          continue;
        kernel.reserve(buffer);
        I32 address = kernel.writePointer(buffer);
        kernel.forRange(count, [&, &source = source, &buffer = buffer](I32 i) {
          kernel.readPage(source.tensor, getPage(source, first + i),
                          address + i * buffer.getPageBytes());
        });
      }
      kernel.readBarrier();
      for (auto [source, buffer] : llvm::zip(sources, inputs))
        if (!source.isResident())
          kernel.push(buffer);
    };
    if (llvm::any_of(sources, [](const EltwiseSource &source) {
          return !source.isResident();
        }))
      forBlocks(kernel, units, cores, outputBuffer.blockPages, readBlock);
  });
}

void EltwiseKernels::addCompute(CoreRectangle cores) {
  dispatch.compute([this, cores](KernelBuilder &kernel) {
    int64_t units = grid.volume();
    EltwiseWriter writer(kernel, program, inputs, intermediates, outputBuffer);
    writer.start();
    auto forInputs = [&](bool resident, auto body) {
      for (auto [source, buffer] : llvm::zip(sources, inputs))
        if (source.isResident() == resident)
          body(buffer);
    };
    forInputs(true, [&](const Buffer &buffer) { kernel.wait(buffer); });
    if (mask)
      kernel.wait(*mask);
    auto getTile = [&](unsigned input, I32 first, I32 tile) -> I32 {
      if (input == sources.size())
        return select((first + tile) % grid.columns == grid.columns - 1, 1, 0);
      return sources[input].isResident() ? I32(0) : tile;
    };
    forBlocks(
        kernel, units, cores, outputBuffer.blockPages,
        [&](I32 first, I32 count) {
          forInputs(false, [&](const Buffer &buffer) { kernel.wait(buffer); });
          kernel.reserve(outputBuffer);
          writeBlock(kernel, writer, count, program.getGroup(),
                     [&](unsigned input, I32 tile) {
                       return getTile(input, first, tile);
                     });
          kernel.push(outputBuffer);
          forInputs(false, [&](const Buffer &buffer) { kernel.pop(buffer); });
        });
    forInputs(true, [&](const Buffer &buffer) { kernel.pop(buffer); });
    if (mask)
      kernel.pop(*mask);
  });
}

/// Tiles of a block: as many as fit into the free L1, and no more than the
/// share of a core.
int64_t EltwiseKernels::chooseBlock(int64_t share) const {
  int64_t bytes = output.getPageBytes();
  for (const EltwiseSource &source : sources)
    bytes += source.tensor.getPageBytes();
  int64_t fixed = 0;
  for (DataType type : program.intermediates)
    fixed += getRegisterTile(lowering.device.getContext(), type)
                 .getStorageSizeBytes();
  int64_t free = dispatch.getFreeL1() - fixed;
  return std::clamp<int64_t>(free / (2 * bytes), 1,
                             std::min(kBlockTiles, share));
}

LogicalResult EltwiseKernels::lowerStreamed() {
  for (Value operand : op->getOperands()) {
    Tensor tensor{operand};
    if (!tensor.getAccessorArgs(lowering.systemDesc) ||
        !tensor.hasTilesOfItsOwn())
      return op->emitOpError(
                 "expected operands in pages, or in shards in L1, every "
                 "matrix in tiles of its own; found ")
             << operand.getType();
  }
  int64_t units = grid.volume();
  CoreRectangle cores = dispatch.coresFor(units);
  int64_t block = chooseBlock(
      llvm::divideCeil(units, static_cast<uint64_t>(cores.volume())));
  auto tileOf = [](const Tensor &tensor) {
    return cast<TileType>(tensor.getLayout().getElementType());
  };
  for (auto [i, source] : llvm::enumerate(sources))
    inputs.push_back(dispatch.addTiles(getInputPort(i), tileOf(source.tensor),
                                       source.isResident() ? 1 : block,
                                       source.isResident() ? 1 : 2));
  if (needsMask()) {
    mask = dispatch.addTiles(
        getInputPort(sources.size()),
        TileType::get(lowering.device.getContext(), DataType::BFloat16),
        /*blockTiles=*/2, /*numBuffers=*/1);
    inputs.push_back(*mask);
  }
  outputBuffer = dispatch.addTiles(CBPort::Out0, tileOf(output), block);
  addIntermediates();
  dispatch.setCores(cores);
  addReader(cores);
  addCompute(cores);
  dispatch.writer([this, cores](KernelBuilder &kernel) {
    writePages(kernel, output, outputBuffer, grid.volume(), cores);
  });
  return dispatch.build();
}

LogicalResult EltwiseKernels::lower(const EltwiseProgram &made) {
  program = made;
  if (program.intermediates.size() > 8)
    return op->emitOpError("needs ")
           << program.intermediates.size()
           << " intermediate results beside the destination registers, "
              "expected at most 8; split the region";
  StringRef problem = whyNotAlias();
  report(problem);
  return problem.empty() ? lowerAliased() : lowerStreamed();
}

void EltwiseKernels::report(StringRef whyStreamed) const {
  bool isStreamed = !whyStreamed.empty();
  auto remark = kKernelRemarks.passed(op, isStreamed ? "Streamed" : "OnShards");
  if (!remark)
    return;
  remark << reason(isStreamed ? "tiles come and go through double buffers, "
                                "read on noc0 and written on noc1"
                              : "every core computes on its shards in l1, and "
                                "moves nothing");
  if (isStreamed)
    remark << rejected("on shards: {0}", whyStreamed);
  remark << remark::metric("TilesAtATime", program.getGroup())
         << remark::metric("Intermediates", program.intermediates.size());
}
