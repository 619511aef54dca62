//===- MatmulPattern.cpp - matrix products --------------------------------===//
//
// The result is cut into blocks of tiles. Where one product fills the grid, the
// grid is laid over the matrix: the cores of a row share the rows of `a` that
// they need and those of a column the columns of `b`. One core of each line
// reads them from memory, a block at a time, and multicasts them to the others:
// the cores of a diagonal, so that what they send does not meet on the network.
// Small or many products are dealt out block by block, and every core reads for
// itself.
//
// Sums over more than one block of the depth are kept as f32 in L1 by the
// packer, and rounded once.

#include "conversion/TTIRToTTMetal/Batches.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

using ttkernel::CBPort;

/// Destination registers with 32 bits.
constexpr int64_t kRegisters = 4;
/// Largest side of a block.
constexpr int64_t kBlockTiles = 8;

/// How a product is cut. In tiles, except for `batches` and the core counts.
struct Blocking {
  int64_t batches, rows, columns, depth;
  int64_t blockRows, blockColumns, blockDepth;
  /// Cores along the rows and columns of the result when the grid is laid over
  /// it, with the blocks that each has; otherwise the blocks of a batch.
  bool overGrid = false;
  int64_t coreRows = 1, coreColumns = 1;
  int64_t rowBlocks = 1, columnBlocks = 1;

  int64_t depthBlocks() const { return llvm::divideCeil(depth, blockDepth); }
};

/// A block of the result: where it begins and how much of it there is.
struct Block {
  I32 batch, row, rows, column, columns;
};

/// Tiles of a block along one side of the result, from the number of blocks
/// that cover it.
int64_t evenBlock(int64_t tiles, int64_t largest) {
  return llvm::divideCeil(tiles, llvm::divideCeil(tiles, largest));
}

/// Lays the grid over the result.
Blocking overGrid(Blocking shape, const CoreRectangle &grid) {
  shape.overGrid = true;
  auto cut = [](int64_t tiles, int64_t cores, int64_t &block, int64_t &blocks,
                int64_t &used) {
    int64_t each = llvm::divideCeil(tiles, cores);
    block = evenBlock(each, kBlockTiles);
    blocks = llvm::divideCeil(each, block);
    used = llvm::divideCeil(tiles, block * blocks);
  };
  cut(shape.rows, grid.rows, shape.blockRows, shape.rowBlocks, shape.coreRows);
  cut(shape.columns, grid.columns, shape.blockColumns, shape.columnBlocks,
      shape.coreColumns);
  return shape;
}

/// Deals out blocks that are small enough to give every core one.
Blocking dealtOut(Blocking shape, int64_t cores) {
  shape.blockRows = evenBlock(shape.rows, kBlockTiles);
  shape.blockColumns = evenBlock(shape.columns, kBlockTiles);
  auto count = [&] {
    shape.rowBlocks = llvm::divideCeil(shape.rows, shape.blockRows);
    shape.columnBlocks = llvm::divideCeil(shape.columns, shape.blockColumns);
    return shape.batches * shape.rowBlocks * shape.columnBlocks;
  };
  while (count() < cores && (shape.blockRows > 1 || shape.blockColumns > 1)) {
    int64_t &side = shape.blockRows >= shape.blockColumns ? shape.blockRows
                                                          : shape.blockColumns;
    side = llvm::divideCeil(side, 2);
  }
  count();
  return shape;
}

/// A line of cores that share what one of them reads.
struct Line {
  int64_t length = 1;
  Condition isReader = true;
  /// NoC coordinates of the reader and of the ends of the line, in the order in
  /// which the network comes to them.
  I32 readerX = 0, readerY = 0, startX = 0, startY = 0, endX = 0, endY = 0;
  /// Counted up by the others when they have room, and set when data is there.
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
  void choose();
  bool isGridContiguous() const;
  uint64_t bufferBytes() const;
  void declare();

  void forBlocks(KernelBuilder &kernel, function_ref<void(Block)> body);
  void forBlocksOverGrid(KernelBuilder &kernel, function_ref<void(Block)> body);
  /// The blocks of the depth: first tile and number of tiles.
  void forDepth(KernelBuilder &kernel, function_ref<void(I32, I32)> body);

  Line rowLine(KernelBuilder &kernel);
  Line columnLine(KernelBuilder &kernel);
  void start(KernelBuilder &kernel, Line &line, int64_t ready, int64_t valid);
  void provide(KernelBuilder &kernel, const Line &line, const Buffer &buffer,
               I32 tiles, function_ref<void(I32)> read);
  void send(KernelBuilder &kernel, const Line &line, I32 address, I32 bytes);
  void receive(KernelBuilder &kernel, const Line &line);

  void readA(KernelBuilder &kernel);
  void readBAndWrite(KernelBuilder &kernel);
  void write(KernelBuilder &kernel, const Block &block);
  void compute(KernelBuilder &kernel);
  void multiply(KernelBuilder &kernel, const Block &block, I32 tiles,
                const Buffer &target);
  void roundSums(KernelBuilder &kernel, const Block &block);

  ttir::MatmulOp op;
  const Lowering &lowering;
  DispatchBuilder dispatch;
  Tensor a, b, out;
  Blocking cut;
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

uint64_t Product::bufferBytes() const {
  uint64_t aBytes = a.getPageBytes(), bBytes = b.getPageBytes();
  uint64_t block = cut.blockRows * cut.blockColumns;
  uint64_t bytes =
      2 * cut.blockDepth * (cut.blockRows * aBytes + cut.blockColumns * bBytes);
  bytes += block * out.getPageBytes();
  if (cut.depthBlocks() > 1)
    bytes += block * 32 * 32 * sizeof(float);
  return bytes;
}

void Product::choose() {
  TileGrid left = a.getTileGrid(), target = out.getTileGrid();
  Blocking shape;
  shape.batches = target.batches;
  shape.rows = target.rows;
  shape.columns = target.columns;
  shape.depth = left.columns;
  CoreRectangle grid = dispatch.allCores();
  cut = dealtOut(shape, grid.volume());
  int64_t busy =
      std::min(grid.volume(), cut.batches * cut.rowBlocks * cut.columnBlocks);
  Blocking laid = overGrid(shape, grid);
  if (laid.coreRows * laid.coreColumns > 1 &&
      2 * laid.coreRows * laid.coreColumns >= busy && isGridContiguous())
    cut = laid;

  cut.blockDepth = evenBlock(cut.depth, kBlockTiles);
  // Half the memory is left to what is in flight for nobody's harm: blocks
  // shrink until they fit what the tensors of the function leave.
  uint64_t size = lowering.systemDesc.getChipDesc().getL1Size();
  uint64_t used = lowering.freeL1.lookup(op->getParentOfType<func::FuncOp>());
  uint64_t available = size > used ? size - used : 0;
  while (bufferBytes() > available && cut.blockDepth > 1)
    cut.blockDepth = llvm::divideCeil(cut.blockDepth, 2);
  passColumns = std::min<int64_t>(cut.blockColumns, 2);
  passRows = std::min(cut.blockRows, kRegisters / passColumns);
  if (passRows == 1)
    passColumns = std::min(cut.blockColumns, kRegisters);
}

void Product::declare() {
  auto tile = [](const Tensor &tensor) {
    return cast<TileType>(tensor.getLayout().getElementType());
  };
  int64_t block = cut.blockRows * cut.blockColumns;
  aTiles =
      dispatch.addTiles(CBPort::In0, tile(a), cut.blockRows * cut.blockDepth);
  bTiles = dispatch.addTiles(CBPort::In1, tile(b),
                             cut.blockDepth * cut.blockColumns);
  result = dispatch.addTiles(CBPort::Out0, tile(out), block, 1);
  if (cut.depthBlocks() > 1)
    sums = dispatch.addTiles(
        CBPort::Intermed0,
        TileType::get(op.getContext(), {32, 32}, DataType::Float32), block, 1);
  if (cut.overGrid) {
    for (int64_t &semaphore : semaphores)
      semaphore = dispatch.addSemaphore();
    dispatch.setCores({0, 0, cut.coreRows, cut.coreColumns});
  } else {
    dispatch.setCores(
        dispatch.coresFor(cut.batches * cut.rowBlocks * cut.columnBlocks));
  }
}

//===----------------------------------------------------------------------===//
// Loops that all three kernels have in common
//===----------------------------------------------------------------------===//

/// Tiles of the block that begins at `first`, of `tiles` in all.
I32 blockExtent(I32 first, int64_t tiles, int64_t block) {
  return tiles % block == 0 ? I32(block) : min(I32(tiles) - first, block);
}

void Product::forBlocksOverGrid(KernelBuilder &kernel,
                                function_ref<void(Block)> body) {
  I32 core = kernel.coreIndex();
  I32 coreRow = core / cut.coreColumns, coreColumn = core % cut.coreColumns;
  // All cores of a line go through as many blocks. A core at the end that has
  // fewer does its last tile again: the same numbers at the same place.
  auto place = [&](I32 core, I32 block, int64_t blocks, int64_t size,
                   int64_t tiles) {
    I32 first = (core * blocks + block) * size;
    return tiles % (size * blocks) == 0 ? first : min(first, tiles - 1);
  };
  kernel.forRange(cut.batches, [&](I32 batch) {
    kernel.forRange(cut.rowBlocks, [&](I32 rowBlock) {
      I32 row =
          place(coreRow, rowBlock, cut.rowBlocks, cut.blockRows, cut.rows);
      kernel.forRange(cut.columnBlocks, [&](I32 columnBlock) {
        I32 column = place(coreColumn, columnBlock, cut.columnBlocks,
                           cut.blockColumns, cut.columns);
        body({batch, row, blockExtent(row, cut.rows, cut.blockRows), column,
              blockExtent(column, cut.columns, cut.blockColumns)});
      });
    });
  });
}

void Product::forBlocks(KernelBuilder &kernel, function_ref<void(Block)> body) {
  if (cut.overGrid)
    return forBlocksOverGrid(kernel, body);
  Share share = kernel.share(cut.batches * cut.rowBlocks * cut.columnBlocks,
                             dispatch.getCores().volume());
  kernel.forRange(share.count, [&](I32 i) {
    I32 unit = share.first + i;
    I32 column = unit % cut.columnBlocks * cut.blockColumns;
    I32 row = unit / cut.columnBlocks % cut.rowBlocks * cut.blockRows;
    I32 batch =
        cut.batches == 1 ? I32(0) : unit / (cut.columnBlocks * cut.rowBlocks);
    body({batch, row, blockExtent(row, cut.rows, cut.blockRows), column,
          blockExtent(column, cut.columns, cut.blockColumns)});
  });
}

void Product::forDepth(KernelBuilder &kernel,
                       function_ref<void(I32, I32)> body) {
  kernel.forRange(0, cut.depth, cut.blockDepth, [&](I32 first) {
    body(first, blockExtent(first, cut.depth, cut.blockDepth));
  });
}

//===----------------------------------------------------------------------===//
// Lines of cores
//===----------------------------------------------------------------------===//

Line Product::rowLine(KernelBuilder &kernel) {
  Line line;
  if (!cut.overGrid || cut.coreColumns == 1)
    return line;
  I32 core = kernel.coreIndex();
  I32 row = core / cut.coreColumns;
  I32 reader = row % cut.coreColumns;
  line.length = cut.coreColumns;
  line.isReader = core % cut.coreColumns == reader;
  line.readerY = line.startY = line.endY = kernel.nocY(row);
  line.readerX = kernel.nocX(reader);
  line.startX = kernel.nocX(0);
  line.endX = kernel.nocX(cut.coreColumns - 1);
  start(kernel, line, semaphores[0], semaphores[1]);
  return line;
}

Line Product::columnLine(KernelBuilder &kernel) {
  Line line;
  if (!cut.overGrid || cut.coreRows == 1)
    return line;
  I32 core = kernel.coreIndex();
  I32 column = core % cut.coreColumns;
  I32 reader = column % cut.coreRows;
  line.length = cut.coreRows;
  line.isReader = core / cut.coreColumns == reader;
  line.readerX = line.startX = line.endX = kernel.nocX(column);
  line.readerY = kernel.nocY(reader);
  // On the second network the way goes up: a rectangle begins at its end.
  line.startY = kernel.nocY(cut.coreRows - 1);
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
  forBlocks(kernel, [&](const Block &block) {
    I32 batch =
        broadcastBatch(block.batch, getBatchExtents(out), getBatchExtents(a));
    forDepth(kernel, [&](I32 first, I32 tiles) {
      provide(kernel, line, aTiles, block.rows * tiles, [&](I32 address) {
        kernel.forRange(block.rows, [&](I32 y) {
          kernel.forRange(tiles, [&](I32 x) {
            kernel.readPage(a, grid.page(batch, block.row + y, first + x),
                            address + (y * tiles + x) * bytes);
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
  forBlocks(kernel, [&](const Block &block) {
    I32 batch =
        broadcastBatch(block.batch, getBatchExtents(out), getBatchExtents(b));
    forDepth(kernel, [&](I32 first, I32 tiles) {
      provide(kernel, line, bTiles, tiles * block.columns, [&](I32 address) {
        kernel.forRange(tiles, [&](I32 y) {
          kernel.forRange(block.columns, [&](I32 x) {
            kernel.readPage(b, grid.page(batch, first + y, block.column + x),
                            address + (y * block.columns + x) * bytes);
          });
        });
      });
    });
    write(kernel, block);
  });
  if (line.length > 1)
    kernel.call("noc_async_atomic_barrier");
}

void Product::write(KernelBuilder &kernel, const Block &block) {
  TileGrid grid = out.getTileGrid();
  kernel.wait(result);
  I32 address = kernel.readPointer(result);
  kernel.forRange(block.rows, [&](I32 y) {
    kernel.forRange(block.columns, [&](I32 x) {
      kernel.writePage(
          out, grid.page(block.batch, block.row + y, block.column + x),
          address + (y * cut.blockColumns + x) * out.getPageBytes());
    });
  });
  kernel.writeBarrier();
  kernel.pop(result);
}

void Product::multiply(KernelBuilder &kernel, const Block &block, I32 tiles,
                       const Buffer &target) {
  NamedAttribute outOfOrder = kernel.getBuilder().getNamedAttr(
      "out_of_order", kernel.getBuilder().getUnitAttr());
  kernel.forRange(0, block.rows, passRows, [&](I32 y) {
    I32 rows = passRows == 1 ? I32(1) : min(block.rows - y, passRows);
    kernel.forRange(0, block.columns, passColumns, [&](I32 x) {
      I32 columns =
          passColumns == 1 ? I32(1) : min(block.columns - x, passColumns);
      kernel.acquire();
      kernel.forRange(tiles, [&](I32 k) {
        kernel.call("matmul_block",
                    {aTiles, bTiles, y * tiles + k, k * block.columns + x, 0, 0,
                     columns, rows, tiles});
      });
      kernel.commit();
      kernel.forRange(rows, [&](I32 i) {
        kernel.forRange(columns, [&](I32 j) {
          kernel.call(
              "pack_tile",
              {i * columns + j, target, (y + i) * cut.blockColumns + x + j},
              outOfOrder);
        });
      });
      kernel.release();
    });
  });
}

void Product::roundSums(KernelBuilder &kernel, const Block &block) {
  NamedAttribute outOfOrder = kernel.getBuilder().getNamedAttr(
      "out_of_order", kernel.getBuilder().getUnitAttr());
  kernel.wait(sums);
  kernel.reserve(result);
  kernel.call("pack_reconfig_l1_acc", {0});
  kernel.call("copy_tile_init", {sums});
  kernel.call("pack_reconfig_data_format", {result});
  kernel.forRange(block.rows, [&](I32 y) {
    kernel.forRange(0, block.columns, kRegisters, [&](I32 x) {
      I32 count = min(block.columns - x, kRegisters);
      I32 first = y * cut.blockColumns + x;
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
  bool keepsSums = cut.depthBlocks() > 1;
  const Buffer &target = keepsSums ? sums : result;
  SmallVector<Operand> engines = {aTiles,      bTiles,   target,        0,
                                  passColumns, passRows, cut.blockDepth};
  kernel.call("mm_block_init", engines);
  forBlocks(kernel, [&](const Block &block) {
    if (keepsSums) {
      kernel.call("mm_block_init_short",
                  {aTiles, bTiles, 0, passColumns, passRows, cut.blockDepth});
      kernel.call("pack_reconfig_data_format", {sums});
    }
    kernel.reserve(target);
    forDepth(kernel, [&](I32 first, I32 tiles) {
      kernel.wait(aTiles);
      kernel.wait(bTiles);
      if (keepsSums)
        kernel.call("pack_reconfig_l1_acc", {select(first == 0, 0, 1)});
      multiply(kernel, block, tiles, target);
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
