//===- DispatchBuilder.cpp - makes the dispatch of an op -----------------===//

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"

#include "conversion/TTIRToTTMetal/EltwiseProgram.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

Tensor DispatchBuilder::input(Value tensor) {
  inputs.push_back(tensor);
  return withAddress(tensor, /*isOutput=*/false, inputs.size() - 1);
}

Tensor DispatchBuilder::output(Value tensor) {
  outputs.push_back(tensor);
  return withAddress(tensor, /*isOutput=*/true, outputs.size() - 1);
}

Tensor DispatchBuilder::withAddress(Value tensor, bool isOutput, size_t index) {
  if (!isPlacedByRuntime(tensor))
    return {tensor, *lookupAddress(tensor)};
  addressArguments.push_back({isOutput, index});
  return {tensor, /*address=*/0,
          static_cast<unsigned>(addressArguments.size() - 1)};
}

//===----------------------------------------------------------------------===//
// Circular buffers and semaphores
//===----------------------------------------------------------------------===//

static MemRefType getL1MemRef(ArrayRef<int64_t> shape, Type elementType) {
  return MemRefType::get(
      shape, elementType, MemRefLayoutAttrInterface(),
      MemorySpaceAttr::get(elementType.getContext(), MemorySpace::DeviceL1));
}

uint64_t DispatchBuilder::getBufferBase() const {
  return llvm::alignTo(
      lowering.freeL1.lookup(op->getParentOfType<func::FuncOp>()),
      lowering.systemDesc.getAddressAlignBytes());
}

int64_t DispatchBuilder::getFreeL1() const {
  return static_cast<int64_t>(lowering.systemDesc.getChipDesc().getL1Size()) -
         static_cast<int64_t>(getBufferBase() + bufferBytes);
}

Buffer DispatchBuilder::addBuffer(ttkernel::CBPort port, MemRefType memref,
                                  int64_t pageBytes, int64_t blockPages,
                                  int64_t numBuffers) {
  Buffer buffer{static_cast<unsigned>(buffers.size()),
                ttkernel::CBType::get(op->getContext(), port,
                                      getBufferBase() + bufferBytes, memref,
                                      pageBytes, numBuffers),
                blockPages};
  bufferBytes += llvm::alignTo(blockPages * pageBytes * numBuffers,
                               lowering.systemDesc.getAddressAlignBytes());
  buffers.push_back(buffer);
  return buffer;
}

Buffer DispatchBuilder::addTiles(ttkernel::CBPort port, TileType type,
                                 int64_t blockTiles, int64_t numBuffers) {
  return addBuffer(port, getL1MemRef({1, blockTiles}, type),
                   type.getStorageSizeBytes(), blockTiles, numBuffers);
}

Buffer DispatchBuilder::addScalars(ttkernel::CBPort port, Type elementType,
                                   ArrayRef<int64_t> blockShape,
                                   int64_t pageBytes, int64_t numBuffers) {
  int64_t bytes = tt::volume(blockShape) *
                  llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  return addBuffer(port, getL1MemRef(blockShape, elementType), pageBytes,
                   bytes / pageBytes, numBuffers);
}

Buffer DispatchBuilder::addAlias(ttkernel::CBPort port, const Tensor &tensor) {
  LayoutAttr layout = tensor.getLayout();
  MLIRContext *context = op->getContext();
  uint64_t pageBytes =
      tensor.isTiled()
          ? layout.getElementStorageSizeBytes()
          : TileType::get(context, tensor.getDataType()).getStorageSizeBytes();
  Buffer buffer{static_cast<unsigned>(buffers.size()),
                ttkernel::CBType::get(context, port, tensor.address,
                                      layout.getMemref(), pageBytes,
                                      /*num_buffers=*/1),
                std::max<int64_t>(tt::volume(layout.getMemref().getShape()) *
                                      layout.getElementStorageSizeBytes() /
                                      pageBytes,
                                  1)};
  buffers.push_back(buffer);
  return buffer;
}

int64_t DispatchBuilder::addSemaphore(int32_t initial) {
  semaphores.push_back(initial);
  return static_cast<int64_t>(semaphores.size()) - 1;
}

//===----------------------------------------------------------------------===//
// Cores and kernels
//===----------------------------------------------------------------------===//

CoreRectangle DispatchBuilder::allCores() const {
  ArrayRef<int64_t> grid = lowering.device.getWorkerGrid().getShape();
  return {0, 0, grid[grid.size() - 2], grid[grid.size() - 1]};
}

CoreRectangle DispatchBuilder::coresFor(int64_t units) const {
  CoreRectangle all = allCores();
  all.units = units = std::max<int64_t>(units, 1);
  all.columns = std::min(all.columns, units);
  all.rows = std::min<int64_t>(all.rows, llvm::divideCeil(units, all.columns));
  return all;
}

CoreRectangle DispatchBuilder::coresOf(const Tensor &tensor) const {
  ArrayRef<int64_t> grid = tensor.getLayout().getGrid().getShape();
  if (grid.size() == 1)
    return {0, 0, 1, grid[0]};
  return {0, 0, grid[grid.size() - 2], grid[grid.size() - 1]};
}

void DispatchBuilder::reader(Kernel kernel) {
  addKernel(
      ttkernel::NocConfigAttr::get(op->getContext(), ttkernel::NocIndex::Noc0),
      std::move(kernel));
}

void DispatchBuilder::writer(Kernel kernel) {
  addKernel(
      ttkernel::NocConfigAttr::get(op->getContext(), ttkernel::NocIndex::Noc1),
      std::move(kernel));
}

static_assert(static_cast<int>(MathFidelity::HiFi2) ==
                  static_cast<int>(ttkernel::MathFidelity::HiFi2) &&
              static_cast<int>(MathFidelity::HiFi4) ==
                  static_cast<int>(ttkernel::MathFidelity::HiFi4));

/// Whether the op or one inside computes with integers, for which destination
/// registers need 32 bits.
static bool hasIntegers(Operation *op) {
  auto isInteger = [](Type type) {
    return isa<IntegerType>(getElementTypeOrSelf(type));
  };
  return op
      ->walk([&](Operation *nested) {
        return llvm::any_of(nested->getOperandTypes(), isInteger) ||
                       llvm::any_of(nested->getResultTypes(), isInteger)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void DispatchBuilder::compute(Kernel kernel) {
  // What only moves keeps all bits.
  ComputeConfig config;
  if (!isa<ttir::ToLayoutOp, ttir::TransposeOp>(op))
    config = lowering.computeConfigs.forOp(op).orElse(
        lowering.computeConfigs.forAll());
  addKernel(ttkernel::TensixConfigAttr::get(
                op->getContext(),
                static_cast<ttkernel::MathFidelity>(
                    config.mathFidelity.value_or(MathFidelity::HiFi4)),
                /*fp32_dest_acc_en=*/config.fp32DestAccEn.value_or(true) ||
                    hasIntegers(op),
                /*preserve_fp32_precision=*/false,
                /*math_approx_mode=*/config.mathApproxMode.value_or(false)),
            std::move(kernel));
}

void DispatchBuilder::addKernel(Attribute config, Kernel kernel) {
  kernels.push_back({config, cores, std::move(kernel)});
}

/// An error if kernels ask for pages of a tensor that has none.
static LogicalResult checkPages(Operation *op, ttmetal::DispatchOp dispatch,
                                SystemDescAttr systemDesc) {
  WalkResult result = dispatch.walk([](ttkernel::TensorAccessorOp accessor) {
    return accessor.getArgsAttr() ? WalkResult::advance()
                                  : WalkResult::interrupt();
  });
  if (!result.wasInterrupted())
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError(
      "has kernels for tensors with pages: interleaved ones, or shards in L1 "
      "on a grid of rank 2");
  for (Value operand : dispatch->getOperands())
    if (!Tensor{operand}.getAccessorArgs(systemDesc))
      diagnostic << "; found " << operand.getType();
  return diagnostic;
}

/// What the kernels of an op compute, as reports call it.
static std::string getProgramName(Operation *op) {
  auto generic = dyn_cast<ttir::GenericOp>(op);
  return generic ? describeEltwise(generic.getRegion().front())
                 : op->getName().stripDialect().str();
}

/// What reports and messages call a kernel: data movement by its direction.
static StringRef getKernelName(Attribute config, StringRef programName) {
  auto noc = dyn_cast<ttkernel::NocConfigAttr>(config);
  if (!noc)
    return programName;
  return noc.getNocIndex() == ttkernel::NocIndex::Noc0 ? "reader" : "writer";
}

/// `cb_in0 2x8 pages of 2048, cb_out0 shard`.
static std::string describeBuffers(ArrayRef<Buffer> buffers, uint64_t base) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(buffers, os, [&](const Buffer &buffer) {
    os << stringifyEnum(buffer.type.getPort()) << ' ';
    if (buffer.type.getAddress() < base)
      os << "shard";
    else
      os << buffer.type.getNumBuffers() << 'x' << buffer.blockPages
         << " pages of " << buffer.getPageBytes();
  });
  return text;
}

void DispatchBuilder::report() const {
  auto remark = kKernelRemarks.passed(op, "Dispatch");
  if (!remark)
    return;
  // Kernels may be on cores of their own, in one form all the same.
  llvm::SetVector<Attribute> configs;
  int64_t rows = 0, columns = 0;
  for (const KernelSpec &kernel : kernels) {
    configs.insert(kernel.config);
    rows = std::max(rows, kernel.cores.row + kernel.cores.rows);
    columns = std::max(columns, kernel.cores.column + kernel.cores.columns);
  }
  std::string threads;
  llvm::raw_string_ostream os(threads);
  llvm::interleaveComma(configs, os, [&](Attribute config) {
    if (auto noc = dyn_cast<ttkernel::NocConfigAttr>(config))
      os << stringifyEnum(noc.getNocIndex());
    else if (auto math = dyn_cast<ttkernel::TensixConfigAttr>(config))
      os << "compute in " << stringifyEnum(math.getMathFidelity())
         << (math.getFp32DestAccEn() ? " into f32" : "");
  });
  CoreRectangle all = allCores();
  remark << reason("runs on {0}x{1} of {2}x{3} cores: {4}; circular buffers "
                   "take {5} bytes, {6} are free",
                   rows, columns, all.rows, all.columns, threads, bufferBytes,
                   getFreeL1() + bufferBytes);
  if (rows * columns == all.volume())
    remark << rejected("fewer cores: there is work for all");
  else if (cores.units)
    remark << rejected("more cores: {0} units of work", cores.units);
  else
    remark << rejected("other cores: data or blocks are on these");
  remark << remark::metric("Buffers",
                           describeBuffers(buffers, getBufferBase()));
}

FailureOr<ttmetal::DispatchOp> DispatchBuilder::create() {
  int64_t free = getFreeL1();
  if (bufferBytes != 0 && free < 0)
    return op->emitOpError("needs ")
           << bufferBytes << " bytes of circular buffers in L1, found "
           << std::max<int64_t>(free + static_cast<int64_t>(bufferBytes), 0)
           << " bytes behind the tensors in L1";

  std::string name = getProgramName(op);
  SmallVector<Attribute> ranges, configs;
  SmallVector<StringRef> names;
  SmallVector<Type> types;
  for (const KernelSpec &kernel : kernels) {
    const CoreRectangle &cores = kernel.cores;
    ranges.push_back(ttmetal::CoreRangeAttr::get(op->getContext(),
                                                 {cores.row, cores.column},
                                                 {cores.rows, cores.columns}));
    configs.push_back(kernel.config);
    names.push_back(getKernelName(kernel.config, name));
  }
  for (const Buffer &buffer : buffers)
    types.push_back(buffer.type);
  Location loc = op->getLoc();
  auto dispatch = ttmetal::DispatchOp::create(
      rewriter, loc, ValueRange(outputs).getTypes(), inputs, outputs,
      rewriter.getArrayAttr(ranges), rewriter.getArrayAttr(configs),
      kernels.size());
  dispatch.setKernelNamesAttr(rewriter.getStrArrayAttr(names));
  dispatch.setProgramName(name);
  if (!semaphores.empty())
    dispatch.setSemaphores(semaphores);
  SmallVector<Attribute> addresses;
  for (auto [isOutput, index] : addressArguments)
    addresses.push_back(ttmetal::TensorAddressAttr::get(
        op->getContext(),
        static_cast<uint32_t>(isOutput ? inputs.size() + index : index)));
  if (!addresses.empty())
    dispatch.setRuntimeArgsAttr(rewriter.getArrayAttr(SmallVector<Attribute>(
        kernels.size(), rewriter.getArrayAttr(addresses))));

  SmallVector<Location> locations(types.size(), loc);
  for (auto [kernel, region] : llvm::zip(kernels, dispatch.getRegions())) {
    OpBuilder::InsertionGuard guard(rewriter);
    Block *entry =
        rewriter.createBlock(&region, region.end(), types, locations);
    KernelBuilder body(rewriter, loc, entry, lowering.systemDesc);
    kernel.write(body);
    ttkernel::ReturnOp::create(rewriter, loc, TypeRange(), ValueRange(), {});
  }
  if (failed(checkPages(op, dispatch, lowering.systemDesc))) {
    rewriter.eraseOp(dispatch);
    return failure();
  }
  report();
  return dispatch;
}

LogicalResult DispatchBuilder::build() {
  FailureOr<ttmetal::DispatchOp> dispatch = create();
  if (failed(dispatch))
    return failure();
  rewriter.replaceOp(op, dispatch->getResults());
  return success();
}
