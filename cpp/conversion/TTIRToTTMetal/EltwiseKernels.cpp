//===- EltwiseKernels.cpp - readers, compute kernels and writers of tiles ===//

#include "conversion/TTIRToTTMetal/EltwiseKernels.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

using ttkernel::BroadcastType;
using ttkernel::CBPort;

/// Tiles that are pushed at once if L1 has the space. Of rows more are worth
/// it: each row of scalars is a transfer.
static constexpr int64_t kBlockTiles = 8, kRowBlockTiles = 32;

/// The first port of rows of inputs.
static constexpr unsigned kRowPort = static_cast<unsigned>(CBPort::DataFlow0);

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

    // What the reader fills.
    auto getBuffer = [&](size_t i) -> const Buffer & {
      return inputRows[i] ? *inputRows[i] : inputs[i];
    };
    auto readBlock = [&](const TileBlock &block) {
      for (auto [i, source] : llvm::enumerate(sources)) {
        if (source.isResident())
          continue;
        const Buffer &buffer = getBuffer(i);
        kernel.reserve(buffer);
        I32 address = kernel.writePointer(buffer);
        if (source.isRows()) {
          rowBlocks->read(kernel, source.tensor, *block.rows, address,
                          /*padding=*/0);
          continue;
        }
        kernel.forRange(block.count, [&, &source = source](I32 tile) {
          kernel.readPage(source.tensor, getPage(source, block.first + tile),
                          address + tile * buffer.getPageBytes());
        });
      }
      kernel.readBarrier();
      for (auto [i, source] : llvm::enumerate(sources))
        if (!source.isResident())
          kernel.push(getBuffer(i));
    };
    if (llvm::any_of(sources, [](const EltwiseSource &source) {
          return !source.isResident();
        }))
      forTileBlocks(kernel, cores, readBlock);
  });
}

void EltwiseKernels::tilize(KernelBuilder &kernel, I32 count) {
  for (auto [rows, tiles] : llvm::zip(inputRows, inputs)) {
    if (!rows)
      continue;
    kernel.wait(*rows);
    kernel.reserve(tiles);
    kernel.call("tilize_init", {*rows, tiles.blockPages, tiles});
    kernel.call("tilize_block", {*rows, count, tiles});
    kernel.call("tilize_uninit", {*rows, tiles});
    kernel.push(tiles);
    kernel.pop(*rows);
  }
}

void EltwiseKernels::untilize(KernelBuilder &kernel, I32 count) {
  kernel.wait(outputBuffer);
  kernel.reserve(*outputRows);
  kernel.call("untilize_init", {outputBuffer, *outputRows});
  kernel.call("untilize_block", {outputBuffer, count, *outputRows});
  kernel.call("untilize_uninit", {outputBuffer});
  kernel.push(*outputRows);
  kernel.pop(outputBuffer);
}

void EltwiseKernels::addCompute(CoreRectangle cores) {
  dispatch.compute([this, cores](KernelBuilder &kernel) {
    EltwiseWriter writer(kernel, program, inputs, intermediates, outputBuffer);
    if (!rowBlocks)
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
    forTileBlocks(kernel, cores, [&](const TileBlock &block) {
      tilize(kernel, block.count);
      // Tilizing and untilizing set the engines up for something else.
      if (rowBlocks)
        writer.start();
      forInputs(false, [&](const Buffer &buffer) { kernel.wait(buffer); });
      kernel.reserve(outputBuffer);
      writeBlock(kernel, writer, block.count, program.getGroup(),
                 [&](unsigned input, I32 tile) {
                   return getTile(input, block.first, tile);
                 });
      kernel.push(outputBuffer);
      forInputs(false, [&](const Buffer &buffer) { kernel.pop(buffer); });
      if (outputRows)
        untilize(kernel, block.count);
    });
    forInputs(true, [&](const Buffer &buffer) { kernel.pop(buffer); });
    if (mask)
      kernel.pop(*mask);
  });
}

void EltwiseKernels::addWriter(CoreRectangle cores) {
  dispatch.writer([this, cores](KernelBuilder &kernel) {
    const Buffer &buffer = outputRows ? *outputRows : outputBuffer;
    forTileBlocks(kernel, cores, [&](const TileBlock &block) {
      kernel.wait(buffer);
      I32 address = kernel.readPointer(buffer);
      if (outputRows)
        rowBlocks->write(kernel, output, *block.rows, address);
      else
        kernel.forRange(block.count, [&](I32 tile) {
          kernel.writePage(output, block.first + tile,
                           address + tile * buffer.getPageBytes());
        });
      kernel.writeBarrier();
      kernel.pop(buffer);
    });
  });
}

/// Blocks of rows do not pass the end of a row of tiles.
void EltwiseKernels::forTileBlocks(
    KernelBuilder &kernel, const CoreRectangle &cores,
    function_ref<void(const TileBlock &)> body) const {
  if (!rowBlocks)
    return forBlocks(kernel, grid.volume(), cores, outputBuffer.blockPages,
                     [&](I32 first, I32 count) {
                       body({first, count});
                     });
  rowBlocks->forEach(kernel, cores, [&](const RowBlock &block) {
    body({rowBlocks->getFirstTile(block), block.tiles, &block});
  });
}

/// Tiles of a block: as many as fit into the free L1, and no more than the
/// share of a core. Where no tile fits twice, threads wait for each other.
void EltwiseKernels::chooseBlock(int64_t share) {
  // Between threads, and of tiles that the compute thread keeps for itself.
  int64_t passed = 0, kept = 0;
  auto add = [&](const Tensor &tensor) {
    int64_t tile = getTile(tensor).getStorageSizeBytes();
    passed += tensor.isTiled() ? tile : RowBlocks::getPageBytes(tensor);
    kept += tensor.isTiled() ? 0 : tile;
  };
  add(output);
  for (const EltwiseSource &source : sources)
    add(source.tensor);
  int64_t fixed = 0;
  for (DataType type : program.intermediates)
    fixed += getRegisterTile(lowering.device.getContext(), type)
                 .getStorageSizeBytes();
  int64_t free = dispatch.getFreeL1() - fixed;
  int64_t most =
      kept != 0 ? std::min(kRowBlockTiles, grid.columns) : kBlockTiles;
  numBuffers = kept != 0 && free < 2 * passed + kept ? 1 : 2;
  block = std::clamp<int64_t>(free / (numBuffers * passed + kept), 1,
                              std::min(most, share));
}

LogicalResult EltwiseKernels::checkStreamed() const {
  for (Value operand : op->getOperands()) {
    Tensor tensor{operand};
    bool isFit = tensor.isTiled() ? tensor.hasTilesOfItsOwn()
                                  : tensor.isPaged() &&
                                        tensor.getMatrixRows() == grid.height;
    if (!tensor.getAccessorArgs(lowering.systemDesc) || !isFit)
      return op->emitOpError(
                 "expected operands in pages, or in shards in L1, every "
                 "matrix in tiles of its own or in rows without a gap; found ")
             << operand.getType();
  }
  for (const EltwiseSource &source : sources)
    if (source.isRows() && !source.isPlain)
      return op->emitOpError("expected an input that is broadcast in tiles, "
                             "found rows of scalars: ")
             << source.tensor.getType();
  return success();
}

/// A tile of the tensor, or one that is made of its rows.
TileType EltwiseKernels::getTile(const Tensor &tensor) const {
  Type element = tensor.getLayout().getElementType();
  if (auto tile = dyn_cast<TileType>(element))
    return tile;
  return TileType::get(op->getContext(), tensor.getDataType());
}

void EltwiseKernels::addBuffers() {
  auto addRows = [&](CBPort port, const Tensor &tensor) {
    if (!rowBlocks)
      rowBlocks.emplace(grid, /*matrixRows=*/grid.height, block);
    return rowBlocks->addBuffer(dispatch, port, tensor, numBuffers);
  };
  // Ports of rows are those of data flow, which tiles do not take then.
  for (auto [i, source] : llvm::enumerate(sources)) {
    inputRows.emplace_back();
    if (source.isRows())
      inputRows.back() = addRows(getInputPort(kRowPort + i), source.tensor);
    bool isPassed = !source.isResident() && !source.isRows(); // by the reader
    inputs.push_back(dispatch.addTiles(getInputPort(i), getTile(source.tensor),
                                       source.isResident() ? 1 : block,
                                       isPassed ? numBuffers : 1));
  }
  if (needsMask()) {
    mask = dispatch.addTiles(
        getInputPort(sources.size()),
        TileType::get(lowering.device.getContext(), DataType::BFloat16),
        /*blockTiles=*/2, /*numBuffers=*/1);
    inputs.push_back(*mask);
  }
  if (output.isTiled()) {
    outputBuffer =
        dispatch.addTiles(CBPort::Out0, getTile(output), block, numBuffers);
  } else {
    outputRows = addRows(CBPort::Out0, output);
    outputBuffer = dispatch.addTiles(CBPort::Out1, getTile(output), block,
                                     /*numBuffers=*/1);
  }
  addIntermediates();
}

LogicalResult EltwiseKernels::lowerStreamed() {
  if (failed(checkStreamed()))
    return failure();
  int64_t units = grid.volume();
  CoreRectangle cores = dispatch.coresFor(units);
  chooseBlock(llvm::divideCeil(units, static_cast<uint64_t>(cores.volume())));
  addBuffers();
  if (rowBlocks)
    cores = dispatch.coresFor(rowBlocks->countBlocks());
  dispatch.setCores(cores);
  addReader(cores);
  addCompute(cores);
  addWriter(cores);
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
