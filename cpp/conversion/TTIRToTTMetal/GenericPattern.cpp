//===- GenericPattern.cpp - elementwise work on tiles --------------------===//

#include "conversion/TTIRToTTMetal/EltwiseKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tt;

using ttkernel::CBPort;

namespace {

/// One port is for a mask.
constexpr unsigned kMaxInputs = 15;

/// The lowering of one elementwise `ttir.generic`.
class EltwiseGeneric {
public:
  EltwiseGeneric(ttir::GenericOp op, const Lowering &lowering,
                 ConversionPatternRewriter &rewriter)
      : op(op), lowering(lowering), dispatch(rewriter, op, lowering) {}

  LogicalResult lower();

private:
  LogicalResult analyze();
  LogicalResult addSource(Value input, AffineMap map);
  bool isReferenceForm(const EltwiseKernels &kernels);
  LogicalResult lowerReferenceForm();
  FailureOr<EltwiseProgram> getProgram(bool masks);

  ttir::GenericOp op;
  const Lowering &lowering;
  DispatchBuilder dispatch;
  SmallVector<EltwiseSource> sources;
  Tensor output;
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
  EltwiseSource source(dispatch.input(input), output);
  const TileGrid own = source.grid, out = output.getTileGrid();
  if ((own.height != out.height && own.height != 1) ||
      (own.width != out.width && own.width != 1))
    return op.emitOpError("expected inputs that broadcast to the output's ")
           << op.getOutputs()[0].getType() << ", found " << input.getType();
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
  for (auto [input, map] : llvm::zip(op.getInputs(), maps))
    if (failed(addSource(input, map)))
      return failure();
  output = dispatch.output(output.value);
  for (Value operand : op->getOperands())
    if (Tensor tensor{operand}; !tensor.isTiled() && !tensor.isPaged())
      return op.emitOpError("expected operands in tiles, or rows in pages, "
                            "found ")
             << operand.getType() << "; run --ttir-layout first";
  return success();
}

FailureOr<EltwiseProgram> EltwiseGeneric::getProgram(bool masks) {
  SmallVector<EltwiseInput> inputs;
  for (const EltwiseSource &source : sources)
    inputs.push_back({source.tensor.getDataType(), source.broadcast});
  return EltwiseProgram::get(op.getRegion().front(), inputs,
                             output.getDataType(), masks);
}

//===----------------------------------------------------------------------===//
// The form with one arithmetic op on shards
//===----------------------------------------------------------------------===//

/// A lone arith.addf or arith.mulf of the two inputs.
bool EltwiseGeneric::isReferenceForm(const EltwiseKernels &kernels) {
  Block &body = op.getRegion().front();
  if (sources.size() != 2 || !llvm::hasNItems(body, 2) ||
      !kernels.whyNotAlias().empty())
    return false;
  Operation &arithOp = body.front();
  return isa<arith::AddFOp, arith::MulFOp>(arithOp) &&
         arithOp.getOperand(0) == body.getArgument(0) &&
         arithOp.getOperand(1) == body.getArgument(1) &&
         body.getTerminator()->getOperand(0) == arithOp.getResult(0) &&
         llvm::all_of(sources, [&](const EltwiseSource &source) {
           return source.isPlain &&
                  source.tensor.getDataType() == output.getDataType();
         });
}

/// Loops over the dimensions of a shard with the number of the tile as an
/// iteration argument.
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
  // A row ends where the next one starts; the step between them is part of the
  // form all the same, and folds away in C++.
  if (shape.size() > 1)
    next = arith::AddIOp::create(builder, loc, next, constant(0));
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
  dispatch.compute([&](KernelBuilder &kernel) {
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

LogicalResult EltwiseGeneric::lower() {
  if (failed(analyze()))
    return failure();
  EltwiseKernels kernels(op, dispatch, lowering, sources, output);
  if (isReferenceForm(kernels)) {
    if (auto remark = kKernelRemarks.passed(op, "OnShards"))
      remark << reason("every core computes on its shards in l1, and moves "
                       "nothing")
             << rejected("other instructions: the matrix engine has one for "
                         "tiles of one float format");
    return lowerReferenceForm();
  }
  FailureOr<EltwiseProgram> program = getProgram(kernels.needsMask());
  if (failed(program))
    return failure();
  return kernels.lower(*program);
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

/// The op of `ttir` for a kernel that is called by name; empty if there is
/// none.
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
