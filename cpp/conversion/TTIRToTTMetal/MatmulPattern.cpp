//===- MatmulPattern.cpp - matrix products --------------------------------===//
//
// The result is cut into blocks of tiles. Where one product fills the grid, the
// grid is laid over the matrix: the cores of a row share the rows of `a` that
// they need and those of a column the columns of `b`. One core of each line
// reads them from memory, a block at a time, and multicasts them to the others:
// the cores of a diagonal, so that their multicasts use different links. Small
// or many products are dealt out block by block, and every core reads for
// itself.
//
// Sums over more than one block of the depth are kept as f32 in L1 by the
// packer, and rounded once.

#include "conversion/TTIRToTTMetal/Batches.h"
#include "conversion/TTIRToTTMetal/MatmulBlocking.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

using ttkernel::CBPort;

/// Destination registers with 32 bits.
constexpr int64_t kRegisters = 4;
/// The tiles of a block of the result.
struct ResultBlock {
  I32 batch;
  Share rows, columns;
};

/// A line of cores that share what one of them reads.
struct Line {
  int64_t length = 1;
  Condition isReader = true;
  /// NoC coordinates of the reader and of the ends of the line, in the order of
  /// the network's direction.
  I32 readerX = 0, readerY = 0, startX = 0, startY = 0, endX = 0, endY = 0;
  /// Incremented by the others when they have free space, and set when data has
  /// arrived.
  I32 ready = 0, valid = 0;
};

/// One product: operands, buffers and the cut.
class Product {
public:
  Product(ttir::MatmulOp op, const Lowering &lowering,
          ConversionPatternRewriter &rewriter)
      : op(op), lowering(lowering), dispatch(rewriter, op, lowering) {}

  LogicalResult lower();

private:
  LogicalResult check();
  TileType getSumTile() const {
    return TileType::get(dispatch.getContext(), DataType::Float32);
  }
  void choose();
  /// `wanted` are the blocks for which L1 may have no room.
  void report(const MatmulBlocking &wanted, StringRef whyDealt) const;
  bool isGridContiguous() const;
  int64_t getBufferBytes(const MatmulBlocking &blocking) const;
  void declare();

  /// The core's blocks of the result.
  void forBlocks(KernelBuilder &kernel,
                 function_ref<void(const ResultBlock &)> body);
  void forBlocksOverGrid(KernelBuilder &kernel,
                         function_ref<void(const ResultBlock &)> body);
  /// The blocks of the depth, with the number of each.
  void forDepth(KernelBuilder &kernel,
                function_ref<void(I32, const Share &)> body);

  Line rowLine(KernelBuilder &kernel);
  Line columnLine(KernelBuilder &kernel);
  void start(KernelBuilder &kernel, Line &line, int64_t ready, int64_t valid);
  void provide(KernelBuilder &kernel, const Line &line, const Buffer &buffer,
               I32 tiles, function_ref<void(I32)> read);
  void send(KernelBuilder &kernel, const Line &line, I32 address, I32 bytes);
  void receive(KernelBuilder &kernel, const Line &line);

  void readA(KernelBuilder &kernel);
  void readBAndWrite(KernelBuilder &kernel);
  void write(KernelBuilder &kernel, const ResultBlock &block);
  void compute(KernelBuilder &kernel);
  void multiply(KernelBuilder &kernel, const ResultBlock &block, I32 tiles,
                const Buffer &target);
  void roundSums(KernelBuilder &kernel, const ResultBlock &block);
  /// The unpacker is reconfigured between operands and sums.
  bool mixesFormats() const {
    return a.getDataType() != DataType::Float32 ||
           b.getDataType() != DataType::Float32;
  }

  ttir::MatmulOp op;
  const Lowering &lowering;
  DispatchBuilder dispatch;
  Tensor a, b, out;
  MatmulBlocking cut;
  Buffer aTiles, bTiles, sums, result;
  /// Semaphores of the lines along rows and columns of cores.
  int64_t semaphores[4] = {};
  /// Registers that one pass of the matrix engine fills.
  int64_t passRows = 1, passColumns = 1;
};

LogicalResult Product::check() {
  if (failed(checkFloatTiles(op, "operand a", a)) ||
      failed(checkFloatTiles(op, "operand b", b)) ||
      failed(checkFloatTiles(op, "the output", out)))
    return failure();
  if (op.getTransposeA() || op.getTransposeB())
    return op.emitOpError("has kernels for operands that are not transposed, "
                          "found transpose_a or transpose_b; run "
                          "--ttir-decomposition first");
  int64_t depth = a.getShape().back();
  if (failed(checkPadding(op, "operand a", a, depth, OOBVal::Zero)) ||
      failed(checkPadding(op, "operand b", b, depth, OOBVal::Zero)))
    return failure();
  return success();
}

/// A multicast goes to a rectangle on the NoC, which must have workers only.
bool Product::isGridContiguous() const {
  CoreRectangle grid = dispatch.allCores();
  auto mapping = PhysicalCoreCoordMapping::getWorkerMapping(
      [&] { return op->emitOpError(); }, lowering.systemDesc,
      lowering.device.getChipIds());
  if (failed(mapping))
    return false;
  auto [firstY, firstX] = (*mapping)[{0, 0, 0}];
  for (int64_t y = 0; y < grid.rows; ++y)
    for (int64_t x = 0; x < grid.columns; ++x)
      if ((*mapping)[{0, y, x}] !=
          PhysicalCoreCoordMapping::Coord(firstY + y, firstX + x))
        return false;
  return true;
}

int64_t Product::getBufferBytes(const MatmulBlocking &blocking) const {
  int64_t rows = blocking.rows.blockTiles(),
          columns = blocking.columns.blockTiles(),
          depth = blocking.depth.blockTiles();
  int64_t aBytes = a.getPageBytes(), bBytes = b.getPageBytes();
  int64_t bytes = 2 * depth * (rows * aBytes + columns * bBytes) +
                  rows * columns * static_cast<int64_t>(out.getPageBytes());
  if (blocking.depth.blocks > 1)
    bytes += rows * columns * getSumTile().getStorageSizeBytes();
  return bytes;
}

void Product::choose() {
  TileGrid target = out.getTileGrid();
  MatmulBlocking whole;
  whole.batches = target.batches;
  whole.rows.tiles = target.rows;
  whole.columns.tiles = target.columns;
  whole.depth.tiles = a.getTileGrid().columns;
  auto fits = [&](MatmulBlocking &blocking) {
    return blocking.fit(
        dispatch.getFreeL1(),
        [&](const MatmulBlocking &smaller) { return getBufferBytes(smaller); });
  };

  CoreRectangle grid = dispatch.allCores();
  MatmulBlocking laid = whole.laidOver(grid);
  MatmulBlocking dealt = whole.dealtOut(grid.volume());
  int64_t cores = laid.countCores(grid.volume());
  StringRef problem;
  if (cores == 1)
    problem = "one core has it all";
  else if (2 * cores < dealt.countCores(grid.volume()))
    problem = "less than half of the cores would work";
  else if (!isGridContiguous())
    problem = "the cores are no rectangle of the chip";
  else if (!fits(cut = laid))
    problem = "l1 has no room for its smallest blocks";
  if (!problem.empty())
    fits(cut = dealt); // If not, it is an error when the buffers are allocated.
  report(problem.empty() ? laid : dealt, problem);

  int64_t blockRows = cut.rows.blockTiles(),
          blockColumns = cut.columns.blockTiles();
  passColumns = std::min<int64_t>(blockColumns, 2);
  passRows = std::min(blockRows, kRegisters / passColumns);
  if (passRows == 1)
    passColumns = std::min(blockColumns, kRegisters);
}

void Product::report(const MatmulBlocking &wanted, StringRef whyDealt) const {
  auto remark = kKernelRemarks.passed(op, "Blocks");
  if (!remark)
    return;
  remark << reason(
      "blocks of {0}x{1} tiles of the result in steps of {2} of {3} tiles of "
      "the inner dimension, {4}",
      cut.rows.blockTiles(), cut.columns.blockTiles(), cut.depth.blockTiles(),
      cut.depth.tiles,
      cut.overGrid
          ? "laid over the cores: those of a row share what one reads of a, by "
            "multicast on noc0, those of a column what one reads of b, on noc1"
          : "dealt out to the cores, each of which reads for itself");
  if (!cut.overGrid)
    remark << rejected("laid over the cores with multicast: {0}", whyDealt);
  else if (getBufferBytes(cut) != getBufferBytes(wanted))
    remark << rejected("blocks of {0}x{1} in steps of {2}: their buffers take "
                       "{3} bytes, {4} are free",
                       wanted.rows.blockTiles(), wanted.columns.blockTiles(),
                       wanted.depth.blockTiles(), getBufferBytes(wanted),
                       dispatch.getFreeL1());
  else
    remark << rejected("blocks dealt out one by one: every core would read "
                       "its operands itself");
}

void Product::declare() {
  auto tile = [](const Tensor &tensor) {
    return cast<TileType>(tensor.getLayout().getElementType());
  };
  int64_t rows = cut.rows.blockTiles(), columns = cut.columns.blockTiles(),
          depth = cut.depth.blockTiles();
  aTiles = dispatch.addTiles(CBPort::In0, tile(a), rows * depth);
  bTiles = dispatch.addTiles(CBPort::In1, tile(b), depth * columns);
  result = dispatch.addTiles(CBPort::Out0, tile(out), rows * columns, 1);
  if (cut.depth.blocks > 1)
    sums =
        dispatch.addTiles(CBPort::Intermed0, getSumTile(), rows * columns, 1);
  if (cut.overGrid) {
    for (int64_t &semaphore : semaphores)
      semaphore = dispatch.addSemaphore();
    dispatch.setCores({0, 0, cut.rows.cores, cut.columns.cores});
  } else {
    dispatch.setCores(dispatch.coresFor(cut.countBlocks()));
  }
}

//===----------------------------------------------------------------------===//
// Loops that all three kernels have in common
//===----------------------------------------------------------------------===//

void Product::forBlocksOverGrid(KernelBuilder &kernel,
                                function_ref<void(const ResultBlock &)> body) {
  I32 core = kernel.coreIndex();
  Share rows = cut.rows.getOwn(core / cut.columns.cores);
  Share columns = cut.columns.getOwn(core % cut.columns.cores);
  kernel.forRange(cut.batches, [&](I32 batch) {
    kernel.forRange(cut.rows.blocks, [&](I32 y) {
      Share blockRows = cut.rows.getBlock(rows, y);
      kernel.forRange(cut.columns.blocks, [&](I32 x) {
        body({batch, blockRows, cut.columns.getBlock(columns, x)});
      });
    });
  });
}

void Product::forBlocks(KernelBuilder &kernel,
                        function_ref<void(const ResultBlock &)> body) {
  if (cut.overGrid)
    return forBlocksOverGrid(kernel, body);
  Share share = kernel.share(cut.countBlocks(), dispatch.getCores().volume());
  Share rows = cut.rows.getOwn(0), columns = cut.columns.getOwn(0);
  kernel.forRange(share.count, [&](I32 i) {
    I32 unit = share.first + i;
    I32 x = unit % cut.columns.blocks;
    I32 y = unit / cut.columns.blocks % cut.rows.blocks;
    I32 batch = cut.batches == 1
                    ? I32(0)
                    : unit / (cut.columns.blocks * cut.rows.blocks);
    body({batch, cut.rows.getBlock(rows, y), cut.columns.getBlock(columns, x)});
  });
}

void Product::forDepth(KernelBuilder &kernel,
                       function_ref<void(I32, const Share &)> body) {
  Share all = cut.depth.getOwn(0);
  kernel.forRange(cut.depth.blocks,
                  [&](I32 i) { body(i, cut.depth.getBlock(all, i)); });
}

//===----------------------------------------------------------------------===//
// Lines of cores
//===----------------------------------------------------------------------===//

Line Product::rowLine(KernelBuilder &kernel) {
  Line line;
  if (!cut.overGrid || cut.columns.cores == 1)
    return line;
  I32 core = kernel.coreIndex();
  I32 row = core / cut.columns.cores;
  I32 reader = row % cut.columns.cores;
  line.length = cut.columns.cores;
  line.isReader = core % cut.columns.cores == reader;
  line.readerY = line.startY = line.endY = kernel.nocY(row);
  line.readerX = kernel.nocX(reader);
  line.startX = kernel.nocX(0);
  line.endX = kernel.nocX(cut.columns.cores - 1);
  start(kernel, line, semaphores[0], semaphores[1]);
  return line;
}

Line Product::columnLine(KernelBuilder &kernel) {
  Line line;
  if (!cut.overGrid || cut.rows.cores == 1)
    return line;
  I32 core = kernel.coreIndex();
  I32 column = core % cut.columns.cores;
  I32 reader = column % cut.rows.cores;
  line.length = cut.rows.cores;
  line.isReader = core / cut.columns.cores == reader;
  line.readerX = line.startX = line.endX = kernel.nocX(column);
  line.readerY = kernel.nocY(reader);
  // The second network runs in the opposite direction: a rectangle begins at
  // its end.
  line.startY = kernel.nocY(cut.rows.cores - 1);
  line.endY = kernel.nocY(0);
  start(kernel, line, semaphores[2], semaphores[3]);
  return line;
}

void Product::start(KernelBuilder &kernel, Line &line, int64_t ready,
                    int64_t valid) {
  line.ready = kernel.callI32("get_semaphore", {ready});
  line.valid = kernel.callI32("get_semaphore", {valid});
  // The reader's own word is what it sends to the others.
  kernel.ifThen(line.isReader, [&] {
    kernel.call("noc_semaphore_set", {line.valid, 1});
  });
}

void Product::send(KernelBuilder &kernel, const Line &line, I32 address,
                   I32 bytes) {
  Type nocAddr = ttkernel::NocAddrType::get(op.getContext());
  auto others = [&](I32 local) {
    return kernel.call("get_noc_multicast_addr",
                       {line.startX, line.startY, line.endX, line.endY, local},
                       {}, nocAddr);
  };
  I32 count = line.length - 1;
  kernel.call("noc_semaphore_wait", {line.ready, count});
  kernel.call("noc_semaphore_set", {line.ready, 0});
  kernel.call("noc_async_write_multicast",
              {address, others(address), bytes, count});
  kernel.call("noc_semaphore_set_multicast",
              {line.valid, others(line.valid), count});
  kernel.writeBarrier();
}

void Product::receive(KernelBuilder &kernel, const Line &line) {
  kernel.call("noc_semaphore_set", {line.valid, 0});
  Value reader =
      kernel.call("get_noc_addr", {line.readerX, line.readerY, line.ready}, {},
                  ttkernel::NocAddrType::get(op.getContext()));
  kernel.call("noc_semaphore_inc", {reader, 1});
  kernel.call("noc_semaphore_wait", {line.valid, 1});
}

void Product::provide(KernelBuilder &kernel, const Line &line,
                      const Buffer &buffer, I32 tiles,
                      function_ref<void(I32)> read) {
  kernel.reserve(buffer);
  I32 address = kernel.writePointer(buffer);
  auto fetch = [&] {
    read(address);
    kernel.readBarrier();
  };
  if (line.length == 1) {
    fetch();
  } else {
    kernel.ifThen(
        line.isReader,
        [&] {
          fetch();
          send(kernel, line, address, tiles * buffer.getPageBytes());
        },
        [&] { receive(kernel, line); });
  }
  kernel.push(buffer);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void Product::readA(KernelBuilder &kernel) {
  Line line = rowLine(kernel);
  TileGrid grid = a.getTileGrid();
  int64_t bytes = a.getPageBytes();
  forBlocks(kernel, [&](const ResultBlock &block) {
    I32 batch =
        broadcastBatch(block.batch, getBatchExtents(out), getBatchExtents(a));
    forDepth(kernel, [&](I32, const Share &depth) {
      I32 tiles = block.rows.count * depth.count;
      provide(kernel, line, aTiles, tiles, [&](I32 address) {
        kernel.forRange(block.rows.count, [&](I32 y) {
          kernel.forRange(depth.count, [&](I32 x) {
            kernel.readPage(
                a, grid.page(batch, block.rows.first + y, depth.first + x),
                address + (y * depth.count + x) * bytes);
          });
        });
      });
    });
  });
  if (line.length > 1)
    kernel.call("noc_async_atomic_barrier");
}

void Product::readBAndWrite(KernelBuilder &kernel) {
  Line line = columnLine(kernel);
  TileGrid grid = b.getTileGrid();
  int64_t bytes = b.getPageBytes();
  forBlocks(kernel, [&](const ResultBlock &block) {
    I32 batch =
        broadcastBatch(block.batch, getBatchExtents(out), getBatchExtents(b));
    forDepth(kernel, [&](I32, const Share &depth) {
      I32 tiles = depth.count * block.columns.count;
      provide(kernel, line, bTiles, tiles, [&](I32 address) {
        kernel.forRange(depth.count, [&](I32 y) {
          kernel.forRange(block.columns.count, [&](I32 x) {
            kernel.readPage(
                b, grid.page(batch, depth.first + y, block.columns.first + x),
                address + (y * block.columns.count + x) * bytes);
          });
        });
      });
    });
    write(kernel, block);
  });
  if (line.length > 1)
    kernel.call("noc_async_atomic_barrier");
}

void Product::write(KernelBuilder &kernel, const ResultBlock &block) {
  TileGrid grid = out.getTileGrid();
  kernel.wait(result);
  I32 address = kernel.readPointer(result);
  kernel.forRange(block.rows.count, [&](I32 y) {
    kernel.forRange(block.columns.count, [&](I32 x) {
      kernel.writePage(
          out,
          grid.page(block.batch, block.rows.first + y, block.columns.first + x),
          address + (y * cut.columns.blockTiles() + x) * out.getPageBytes());
    });
  });
  kernel.writeBarrier();
  kernel.pop(result);
}

void Product::multiply(KernelBuilder &kernel, const ResultBlock &block,
                       I32 tiles, const Buffer &target) {
  NamedAttribute outOfOrder = kernel.getBuilder().getNamedAttr(
      "out_of_order", kernel.getBuilder().getUnitAttr());
  int64_t stride = cut.columns.blockTiles();
  kernel.forChunks(block.rows.count, passRows, [&](I32 y, I32 rows) {
    kernel.forChunks(block.columns.count, passColumns, [&](I32 x, I32 columns) {
      // The engines are set up for blocks of one extent, until the next setup.
      if (!rows.is(passRows) || !columns.is(passColumns))
        kernel.call("mm_block_init_short",
                    {aTiles, bTiles, 0, columns, rows, tiles});
      kernel.acquire();
      kernel.forRange(tiles, [&](I32 k) {
        kernel.call("matmul_block",
                    {aTiles, bTiles, y * tiles + k, k * block.columns.count + x,
                     0, 0, columns, rows, tiles});
      });
      kernel.commit();
      kernel.forRange(rows, [&](I32 i) {
        kernel.forRange(columns, [&](I32 j) {
          kernel.call("pack_tile",
                      {i * columns + j, target, (y + i) * stride + x + j},
                      outOfOrder);
        });
      });
      kernel.release();
    });
  });
}

void Product::roundSums(KernelBuilder &kernel, const ResultBlock &block) {
  NamedAttribute outOfOrder = kernel.getBuilder().getNamedAttr(
      "out_of_order", kernel.getBuilder().getUnitAttr());
  kernel.wait(sums);
  kernel.reserve(result);
  kernel.call("pack_reconfig_l1_acc", {0});
  if (mixesFormats())
    kernel.call("reconfig_data_format_srca", {sums});
  kernel.call("copy_tile_init", {sums});
  kernel.call("pack_reconfig_data_format", {result});
  kernel.forRange(block.rows.count, [&](I32 y) {
    kernel.forChunks(block.columns.count, kRegisters, [&](I32 x, I32 count) {
      I32 first = y * cut.columns.blockTiles() + x;
      kernel.acquire();
      kernel.forRange(count, [&](I32 i) {
        kernel.call("copy_tile", {sums, first + i, i});
      });
      kernel.commit();
      kernel.forRange(count, [&](I32 i) {
        kernel.call("pack_tile", {i, result, first + i}, outOfOrder);
      });
      kernel.release();
    });
  });
  kernel.pop(sums);
  kernel.push(result);
}

void Product::compute(KernelBuilder &kernel) {
  bool keepsSums = cut.depth.blocks > 1;
  int64_t depth = cut.depth.blockTiles();
  const Buffer &target = keepsSums ? sums : result;
  SmallVector<Operand> engines = {aTiles,      bTiles,   target, 0,
                                  passColumns, passRows, depth};
  kernel.call("mm_block_init", engines);
  forBlocks(kernel, [&](const ResultBlock &block) {
    if (keepsSums) {
      // The second operand goes to source register A.
      if (mixesFormats())
        kernel.call("reconfig_data_format", {bTiles, aTiles});
      kernel.call("mm_block_init_short",
                  {aTiles, bTiles, 0, passColumns, passRows, depth});
      kernel.call("pack_reconfig_data_format", {sums});
    }
    kernel.reserve(target);
    forDepth(kernel, [&](I32 index, const Share &tiles) {
      kernel.wait(aTiles);
      kernel.wait(bTiles);
      if (keepsSums)
        kernel.call("pack_reconfig_l1_acc", {select(index == 0, 0, 1)});
      multiply(kernel, block, tiles.count, target);
      kernel.pop(aTiles);
      kernel.pop(bTiles);
    });
    kernel.push(target);
    if (keepsSums)
      roundSums(kernel, block);
  });
}

LogicalResult Product::lower() {
  a = dispatch.input(op.getA());
  b = dispatch.input(op.getB());
  out = dispatch.output(op.getOutput());
  if (failed(check()))
    return failure();
  choose();
  declare();
  dispatch.reader([&](KernelBuilder &kernel) { readA(kernel); });
  dispatch.writer([&](KernelBuilder &kernel) { readBAndWrite(kernel); });
  dispatch.compute([&](KernelBuilder &kernel) { compute(kernel); });
  return dispatch.build();
}

struct MatmulPattern : public KernelPattern<ttir::MatmulOp> {
  using KernelPattern::KernelPattern;
  LogicalResult lower(ttir::MatmulOp op,
                      ConversionPatternRewriter &rewriter) const final {
    return Product(op, lowering, rewriter).lower();
  }
};

} // namespace

void tt::populateTTIRToTTMetalMatmulPatterns(RewritePatternSet &patterns,
                                             Lowering &lowering) {
  patterns.add<MatmulPattern>(patterns.getContext(), lowering);
}
