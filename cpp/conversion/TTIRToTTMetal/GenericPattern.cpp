//===- GenericPattern.cpp - elementwise work on tiles
//----------------------===//

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"
#include "conversion/TTIRToTTMetal/EltwiseProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

using ttkernel::BroadcastType;
using ttkernel::CBPort;

namespace {

/// Tiles that are handed on at once where L1 has room.
constexpr int64_t kBlockTiles = 8;

/// An input with the place of its tiles relative to the output's.
struct Source {
  Tensor tensor;
  TileGrid grid;
  AffineMap map;
  BroadcastType broadcast = BroadcastType::None;
  /// The input has the tiles of the output, in the same order.
  bool isPlain = true;

  /// The one tile of an input is read once.
  bool isResident() const { return grid.volume() == 1; }
};

/// The port of the circular buffer of input `i`; data flow ports are as good
/// as those for inputs.
CBPort getInputPort(unsigned i) { return static_cast<CBPort>(i); }

constexpr unsigned kMaxInputs = 16;

bool isInterleaved(const Tensor &tensor) {
  return !tensor.isInL1() &&
         tensor.getLayout().getMemLayout() == TensorMemoryLayout::Interleaved;
}

/// The lowering of one elementwise `ttir.generic`.
class EltwiseGeneric {
public:
  EltwiseGeneric(ttir::GenericOp op, const Lowering &lowering,
                 ConversionPatternRewriter &rewriter)
      : op(op), lowering(lowering), rewriter(rewriter),
        dispatch(rewriter, op, lowering) {}

  LogicalResult lower();

private:
  LogicalResult analyze();
  LogicalResult addSource(Value input, AffineMap map);
  bool mayAlias() const;
  bool isReferenceForm();

  LogicalResult lowerReferenceForm();
  LogicalResult lowerAliased();
  LogicalResult lowerStreamed();

  FailureOr<EltwiseProgram> getProgram();
  int64_t chooseBlock(const EltwiseProgram &program, int64_t share) const;
  SmallVector<Buffer> addIntermediates(const EltwiseProgram &program);
  I32 getPage(const Source &source, I32 tile) const;
  void addCompute(CoreRectangle cores, int64_t units);
  void addReader(CoreRectangle cores, int64_t units);
  void addWriter(CoreRectangle cores, int64_t units);

  ttir::GenericOp op;
  const Lowering &lowering;
  ConversionPatternRewriter &rewriter;
  DispatchBuilder dispatch;
  SmallVector<Source> sources;
  Tensor output;
  TileGrid outputGrid;
  EltwiseProgram program;
  SmallVector<Buffer> inputBuffers, intermediates;
  Buffer outputBuffer;
};

} // namespace

//===----------------------------------------------------------------------===//
// Inputs and how they broadcast
//===----------------------------------------------------------------------===//

/// Whether `map` keeps dimensions in their order at the end and repeats those
/// of constant 0.
static bool isBroadcastMap(AffineMap map) {
  unsigned missing = map.getNumDims() - map.getNumResults();
  if (map.getNumResults() > map.getNumDims() || map.getNumSymbols() != 0)
    return false;
  for (auto [d, result] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    auto constant = dyn_cast<AffineConstantExpr>(result);
    if (!(dim && dim.getPosition() == missing + d) &&
        !(constant && constant.getValue() == 0))
      return false;
  }
  return true;
}

LogicalResult EltwiseGeneric::addSource(Value input, AffineMap map) {
  if (!isBroadcastMap(map))
    return op.emitOpError("expected indexing maps that keep or broadcast the "
                          "dimensions of the output, found ")
           << AffineMapAttr::get(map);
  Source source;
  source.tensor = dispatch.input(input);
  source.map = map;
  source.grid = source.tensor.getTileGrid();
  const TileGrid &own = source.grid;
  bool rows = own.height != outputGrid.height;
  bool columns = own.width != outputGrid.width;
  if ((rows && own.height != 1) || (columns && own.width != 1))
    return op.emitOpError("expected inputs that broadcast to the output's ")
           << op.getOutputs()[0].getType() << ", found " << input.getType();
  source.broadcast = rows && columns ? BroadcastType::Scalar
                     : rows          ? BroadcastType::Row
                     : columns       ? BroadcastType::Col
                                     : BroadcastType::None;
  source.isPlain = source.broadcast == BroadcastType::None &&
                   own.batches == outputGrid.batches;
  sources.push_back(source);
  return success();
}

LogicalResult EltwiseGeneric::analyze() {
  if (op.getOutputs().size() != 1)
    return op.emitOpError("expected one output, found ")
           << op.getOutputs().size();
  if (op.getInputs().empty() || op.getInputs().size() > kMaxInputs)
    return op.emitOpError("expected 1 to ")
           << kMaxInputs << " inputs, found " << op.getInputs().size();
  SmallVector<AffineMap> maps = llvm::to_vector(
      llvm::map_range(op.getIndexingMaps().getAsRange<AffineMapAttr>(),
                      [](AffineMapAttr map) { return map.getValue(); }));
  if (maps.size() != op->getNumOperands() || !maps.back().isIdentity())
    return op.emitOpError("expected an indexing map for each operand, the "
                          "identity for the output, found ")
           << op.getIndexingMaps();
  output.value = op.getOutputs()[0];
  outputGrid = output.getTileGrid();
  for (auto [input, map] : llvm::zip(op.getInputs(), maps))
    if (failed(addSource(input, map)))
      return failure();
  output = dispatch.output(output.value);
  for (Value operand : op->getOperands())
    if (!Tensor{operand}.isTiled())
      return op.emitOpError("expected operands in tiles, found ")
             << operand.getType() << "; run --ttir-layout first";
  return success();
}

FailureOr<EltwiseProgram> EltwiseGeneric::getProgram() {
  SmallVector<EltwiseInput> inputs;
  for (const Source &source : sources)
    inputs.push_back({source.tensor.getDataType(), source.broadcast});
  return EltwiseProgram::get(op.getRegion().front(), inputs,
                             output.getDataType());
}

//===----------------------------------------------------------------------===//
// The form with one arithmetic op on shards
//===----------------------------------------------------------------------===//

/// Whether all operands are shards of one shape on one grid, or whole on one
/// core, so that every core finds in its own L1 what it needs.
bool EltwiseGeneric::mayAlias() const {
  LayoutAttr layout = output.getLayout();
  auto isShard = [&](const Tensor &tensor) {
    TensorMemoryLayout memLayout = tensor.getLayout().getMemLayout();
    return tensor.isInL1() &&
           tensor.getLayout().getGrid() == layout.getGrid() &&
           memLayout != TensorMemoryLayout::Interleaved &&
           memLayout != TensorMemoryLayout::SingleBank;
  };
  if (!isShard(output))
    return false;
  bool isWhole = layout.getGrid().getVolume() == 1;
  for (const Source &source : sources) {
    const Tensor &tensor = source.tensor;
    if (!isShard(tensor))
      return false;
    if (source.isPlain && tensor.getLayout().getMemref().getShape() ==
                              layout.getMemref().getShape())
      continue;
    if (!isWhole || !tensor.hasTilesOfItsOwn() || !output.hasTilesOfItsOwn())
      return false;
  }
  return true;
}

/// A lone arith.addf or arith.mulf of the two inputs.
bool EltwiseGeneric::isReferenceForm() {
  Block &body = op.getRegion().front();
  if (sources.size() != 2 || !llvm::hasNItems(body, 2) || !mayAlias())
    return false;
  Operation &arithOp = body.front();
  return isa<arith::AddFOp, arith::MulFOp>(arithOp) &&
         arithOp.getOperand(0) == body.getArgument(0) &&
         arithOp.getOperand(1) == body.getArgument(1) &&
         body.getTerminator()->getOperand(0) == arithOp.getResult(0) &&
         llvm::all_of(sources, [&](const Source &source) {
           return source.isPlain &&
                  source.tensor.getDataType() == output.getDataType();
         });
}

/// Loops over the dimensions of a shard that carry the number of the tile.
static Value writeTileLoops(OpBuilder &builder, Location loc,
                            ArrayRef<int64_t> shape, Value tile,
                            function_ref<void(Value)> body) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(number));
  };
  if (shape.empty()) {
    body(tile);
    return arith::AddIOp::create(builder, loc, tile, constant(1));
  }
  Value lower = constant(0), upper = constant(shape.front()),
        step = constant(1);
  auto loop =
      scf::ForOp::create(builder, loc, lower, upper, step, ValueRange(tile));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value next = writeTileLoops(builder, loc, shape.drop_front(),
                              loop.getRegionIterArgs()[0], body);
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

LogicalResult EltwiseGeneric::lowerReferenceForm() {
  Buffer in0 = dispatch.addAlias(CBPort::In0, sources[0].tensor);
  Buffer in1 = dispatch.addAlias(CBPort::In1, sources[1].tensor);
  Buffer out = dispatch.addAlias(CBPort::Out0, output);
  dispatch.setCores(dispatch.coresOf(output));
  StringRef mnemonic = isa<arith::AddFOp>(op.getRegion().front().front())
                           ? "add_tiles"
                           : "mul_tiles";
  auto config = ttkernel::TensixConfigAttr::get(
      op.getContext(), ttkernel::MathFidelity::HiFi4,
      /*fp32_dest_acc_en=*/false, /*preserve_fp32_precision=*/false,
      /*math_approx_mode=*/false);
  dispatch.addKernel(config, [&](KernelBuilder &kernel) {
    OpBuilder &builder = kernel.getBuilder();
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(builder, kernel.getLoc(),
                                       builder.getI32IntegerAttr(number));
    };
    kernel.call("binary_op_init_common", {in0, in1, out});
    kernel.call((mnemonic + "_init").str(), {in0, in1});
    writeTileLoops(builder, kernel.getLoc(), out.type.getShape(), constant(0),
                   [&](Value tile) {
                     Value dst = constant(0);
                     kernel.acquire();
                     kernel.call(mnemonic, {in0, in1, tile, tile, dst});
                     kernel.commit();
                     kernel.call("pack_tile", {dst, out, tile});
                     kernel.release();
                   });
  });
  return dispatch.build();
}

//===----------------------------------------------------------------------===//
// The general form
//===----------------------------------------------------------------------===//

SmallVector<Buffer>
EltwiseGeneric::addIntermediates(const EltwiseProgram &program) {
  SmallVector<Buffer> buffers;
  for (auto [i, type] : llvm::enumerate(program.intermediates))
    buffers.push_back(dispatch.addTiles(
        static_cast<CBPort>(static_cast<unsigned>(CBPort::Intermed0) + i),
        getRegisterTile(op.getContext(), type), /*blockTiles=*/1,
        /*numBuffers=*/1));
  return buffers;
}

/// The page of the input for a tile of the output, as numbered there.
I32 EltwiseGeneric::getPage(const Source &source, I32 tile) const {
  const TileGrid &own = source.grid, &out = outputGrid;
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

LogicalResult EltwiseGeneric::lowerAliased() {
  for (auto [i, source] : llvm::enumerate(sources))
    inputBuffers.push_back(dispatch.addAlias(getInputPort(i), source.tensor));
  outputBuffer = dispatch.addAlias(CBPort::Out0, output);
  intermediates = addIntermediates(program);
  dispatch.setCores(dispatch.coresOf(output));
  dispatch.compute([&](KernelBuilder &kernel) {
    EltwiseWriter writer(kernel, program, inputBuffers, intermediates,
                         outputBuffer);
    writer.start();
    writeBlock(kernel, writer, volume(outputBuffer.type.getShape()),
               program.getGroup(), [&](unsigned input, I32 tile) {
                 return getPage(sources[input], tile);
               });
  });
  return dispatch.build();
}

/// Runs `body` with the first tile and the number of tiles of every block of
/// the core's share.
static void forBlocks(KernelBuilder &kernel, int64_t units,
                      const CoreRectangle &cores, int64_t block,
                      function_ref<void(I32, I32)> body) {
  Share share = kernel.share(units, cores.volume());
  kernel.forRange(0, share.count, block, [&](I32 done) {
    bool isWhole =
        share.count.isConstant() && share.count.getConstant() % block == 0;
    body(share.first + done,
         isWhole ? I32(block) : min(share.count - done, block));
  });
}

void EltwiseGeneric::addReader(CoreRectangle cores, int64_t units) {
  dispatch.reader([this, cores, units](KernelBuilder &kernel) {
    bool anyResident = false;
    for (auto [source, buffer] : llvm::zip(sources, inputBuffers))
      if (source.isResident()) {
        kernel.reserve(buffer);
        kernel.readPage(source.tensor, 0, kernel.writePointer(buffer));
        anyResident = true;
      }
    if (anyResident)
      kernel.readBarrier();
    for (auto [source, buffer] : llvm::zip(sources, inputBuffers))
      if (source.isResident())
        kernel.push(buffer);

    auto readBlock = [&](I32 first, I32 count) {
      for (auto [source, buffer] : llvm::zip(sources, inputBuffers)) {
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
      for (auto [source, buffer] : llvm::zip(sources, inputBuffers))
        if (!source.isResident())
          kernel.push(buffer);
    };
    if (llvm::any_of(sources,
                     [](const Source &source) { return !source.isResident(); }))
      forBlocks(kernel, units, cores, outputBuffer.blockPages, readBlock);
  });
}

void EltwiseGeneric::addCompute(CoreRectangle cores, int64_t units) {
  dispatch.compute([this, cores, units](KernelBuilder &kernel) {
    EltwiseWriter writer(kernel, program, inputBuffers, intermediates,
                         outputBuffer);
    writer.start();
    auto forInputs = [&](bool resident, auto body) {
      for (auto [source, buffer] : llvm::zip(sources, inputBuffers))
        if (source.isResident() == resident)
          body(buffer);
    };
    forInputs(true, [&](const Buffer &buffer) { kernel.wait(buffer); });
    forBlocks(
        kernel, units, cores, outputBuffer.blockPages, [&](I32, I32 count) {
          forInputs(false, [&](const Buffer &buffer) { kernel.wait(buffer); });
          kernel.reserve(outputBuffer);
          writeBlock(kernel, writer, count, program.getGroup(),
                     [&](unsigned input, I32 tile) {
                       return sources[input].isResident() ? I32(0) : tile;
                     });
          kernel.push(outputBuffer);
          forInputs(false, [&](const Buffer &buffer) { kernel.pop(buffer); });
        });
    forInputs(true, [&](const Buffer &buffer) { kernel.pop(buffer); });
  });
}

void EltwiseGeneric::addWriter(CoreRectangle cores, int64_t units) {
  dispatch.writer([this, cores, units](KernelBuilder &kernel) {
    forBlocks(kernel, units, cores, outputBuffer.blockPages,
              [&](I32 first, I32 count) {
                kernel.wait(outputBuffer);
                I32 address = kernel.readPointer(outputBuffer);
                kernel.forRange(count, [&](I32 i) {
                  kernel.writePage(output, first + i,
                                   address + i * outputBuffer.getPageBytes());
                });
                kernel.writeBarrier();
                kernel.pop(outputBuffer);
              });
  });
}

/// Tiles of a block: as many as fit the L1 that is free, and no more than a
/// core has to do.
int64_t EltwiseGeneric::chooseBlock(const EltwiseProgram &program,
                                    int64_t share) const {
  int64_t bytes = output.getPageBytes();
  for (const Source &source : sources)
    bytes += source.tensor.getPageBytes();
  int64_t fixed = 0;
  for (DataType type : program.intermediates)
    fixed += getRegisterTile(rewriter.getContext(), type).getStorageSizeBytes();
  int64_t free = dispatch.getFreeL1() - fixed;
  return std::clamp<int64_t>(free / (2 * bytes), 1,
                             std::min(kBlockTiles, share));
}

LogicalResult EltwiseGeneric::lowerStreamed() {
  for (Value operand : op->getOperands()) {
    Tensor tensor{operand};
    if (!getAccessorArgs(tensor, lowering.systemDesc) ||
        !tensor.hasTilesOfItsOwn())
      return op.emitOpError("expected operands in DRAM, interleaved, or shards "
                            "in L1, every matrix in tiles of its own; found ")
             << operand.getType();
  }
  int64_t units = outputGrid.volume();
  CoreRectangle cores = dispatch.coresFor(units);
  int64_t block = chooseBlock(
      program, llvm::divideCeil(units, static_cast<uint64_t>(cores.volume())));
  auto tileOf = [](const Tensor &tensor) {
    return cast<TileType>(tensor.getLayout().getElementType());
  };
  for (auto [i, source] : llvm::enumerate(sources))
    inputBuffers.push_back(dispatch.addTiles(
        getInputPort(i), tileOf(source.tensor), source.isResident() ? 1 : block,
        source.isResident() ? 1 : 2));
  outputBuffer = dispatch.addTiles(CBPort::Out0, tileOf(output), block);
  intermediates = addIntermediates(program);
  dispatch.setCores(cores);
  addReader(cores, units);
  addCompute(cores, units);
  addWriter(cores, units);
  return dispatch.build();
}

LogicalResult EltwiseGeneric::lower() {
  if (failed(analyze()))
    return failure();
  if (isReferenceForm())
    return lowerReferenceForm();
  FailureOr<EltwiseProgram> made = getProgram();
  if (failed(made))
    return failure();
  program = std::move(*made);
  if (program.intermediates.size() > 8)
    return op.emitOpError("needs ")
           << program.intermediates.size()
           << " intermediate results beside the destination registers, "
              "expected at most 8; split the region";
  return mayAlias() ? lowerAliased() : lowerStreamed();
}

//===----------------------------------------------------------------------===//
// Kernels by name, and the pattern
//===----------------------------------------------------------------------===//

/// The kernels of the region: calls of builtin kernels on the buffers that
/// alias the operands.
static LogicalResult lowerKernels(ttir::GenericOp op, const Lowering &lowering,
                                  ConversionPatternRewriter &rewriter) {
  Block &body = op.getRegion().front();
  for (Value operand : op->getOperands())
    if (!Tensor{operand}.isInL1())
      return op.emitOpError("expected operands in L1 for kernels that are "
                            "called by name, found ")
             << operand.getType();
  if (op.getInputs().size() > 8 || op.getOutputs().size() > 8)
    return op.emitOpError("expected at most 8 inputs and 8 outputs, found ")
           << op.getInputs().size() << " and " << op.getOutputs().size();
  for (Operation &nested : body.without_terminator()) {
    auto call = dyn_cast<ttir::KernelOp>(nested);
    if (!call)
      return nested.emitOpError("expected only kernels called by name beside "
                                "others");
    for (Value operand : call->getOperands())
      if (!isa<BlockArgument>(operand))
        return call.emitOpError("expected kernels on the arguments of the "
                                "region, found the result of another kernel");
  }

  DispatchBuilder dispatch(rewriter, op, lowering);
  SmallVector<Buffer> buffers;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    buffers.push_back(
        dispatch.addAlias(getInputPort(i), dispatch.input(input)));
  Tensor output;
  for (auto [i, value] : llvm::enumerate(op.getOutputs())) {
    output = dispatch.output(value);
    buffers.push_back(dispatch.addAlias(
        static_cast<CBPort>(static_cast<unsigned>(CBPort::Out0) + i), output));
  }
  dispatch.setCores(dispatch.coresOf(output));
  dispatch.compute([&](KernelBuilder &kernel) {
    for (auto call : body.getOps<ttir::KernelOp>()) {
      SmallVector<Operand> operands;
      for (Value operand : call->getOperands())
        operands.push_back(
            buffers[cast<BlockArgument>(operand).getArgNumber()]);
      Builder &builder = kernel.getBuilder();
      kernel.call("builtin", operands,
                  {builder.getNamedAttr("op", call.getOpAttr()),
                   builder.getNamedAttr("kind", call.getKindAttr())});
    }
  });
  return dispatch.build();
}

/// The op of `ttir` that a kernel called by name stands for; empty if it stands
/// for none.
static StringRef getEltwiseOp(ttir::KernelOp kernel) {
  if (kernel.getKind() != "eltwise" || kernel->getNumResults() != 1)
    return {};
  StringRef op = kernel.getOp();
  return EltwiseProgram::isSupported(("ttir." + op).str()) ? op : StringRef();
}

namespace {
struct GenericPattern : public KernelPattern<ttir::GenericOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::GenericOp op,
                      ConversionPatternRewriter &rewriter) const final {
    if (!op.getRegion().hasOneBlock())
      return op.emitOpError("expected a region of one block");
    bool callsOthers = llvm::any_of(
        op.getRegion().front().getOps<ttir::KernelOp>(),
        [](ttir::KernelOp kernel) { return getEltwiseOp(kernel).empty(); });
    if (callsOthers)
      return lowerKernels(op, lowering, rewriter);
    return EltwiseGeneric(op, lowering, rewriter).lower();
  }
};
} // namespace

void tt::populateTTIRToTTMetalGenericPatterns(RewritePatternSet &patterns,
                                              Lowering &lowering) {
  patterns.add<GenericPattern>(patterns.getContext(), lowering);
}
