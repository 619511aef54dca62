#include "DispatchRules.h"

#include "dialects/TT/Mesh.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttmetal;

/// Semaphores of a program on a core.
static constexpr size_t kMaxSemaphores = 16;

static CoreRangeAttr getRange(DispatchOp op, size_t region) {
  return cast<CoreRangeAttr>(op.getCoreRanges()[region]);
}

static int64_t getNumCores(CoreRangeAttr range) {
  return range.getSize()[0] * range.getSize()[1];
}

static bool shareCores(CoreRangeAttr a, CoreRangeAttr b) {
  for (int i : {0, 1})
    // Offsets are not negative: their difference does not overflow.
    if (a.getOffset()[i] - b.getOffset()[i] >= b.getSize()[i] ||
        b.getOffset()[i] - a.getOffset()[i] >= a.getSize()[i])
      return false;
  return true;
}

/// (C2)
static LogicalResult verifyCounts(DispatchOp op) {
  size_t count = op.getRegions().size();
  if (op.getCoreRanges().size() != count ||
      op.getKernelConfigs().size() != count)
    return op.emitOpError("core_ranges and kernelConfigs must have one entry "
                          "for each region: expected ")
           << count << ", found " << op.getCoreRanges().size() << " and "
           << op.getKernelConfigs().size();
  auto verifyArgs = [&](StringRef name,
                        std::optional<ArrayAttr> args) -> LogicalResult {
    if (!args || args->size() == count)
      return success();
    return op.emitOpError() << "(C2) " << name
                            << " must have one entry for each region: expected "
                            << count << ", found " << args->size();
  };
  if (failed(verifyArgs("runtime_args", op.getRuntimeArgs())))
    return failure();
  if (failed(verifyArgs("compile_args", op.getCompileArgs())))
    return failure();
  if (failed(verifyArgs("kernel_names", op.getKernelNames())))
    return failure();
  return verifyArgs("cpp_kernels", op.getCppKernels());
}

/// (C11)
static LogicalResult verifyCppKernels(DispatchOp op) {
  if (auto kernels = op.getCppKernels())
    for (Attribute kernel : *kernels)
      if (!isa<CppKernelAttr, UnitAttr>(kernel))
        return op.emitOpError("(C11) expected #ttmetal.cpp_kernel or unit in "
                              "cpp_kernels, found ")
               << kernel;
  return success();
}

/// The bytes of a buffer: those of its shard, times the number of buffers.
static uint64_t getSizeBytes(ttkernel::CBType buffer) {
  MemRefType shard = buffer.getMemref();
  auto tile = dyn_cast<TileType>(shard.getElementType());
  uint64_t element = tile ? tile.getStorageSizeBytes()
                          : llvm::divideCeil(shard.getElementTypeBitWidth(), 8);
  return llvm::SaturatingMultiply<uint64_t>(shard.getNumElements() * element,
                                            buffer.getNumBuffers());
}

/// (C10)
static LogicalResult verifyPages(DispatchOp op, ttkernel::CBType buffer) {
  constexpr uint64_t kMaxShards = 1024;
  uint64_t shards = buffer.getNumBuffers(), page = buffer.getPageSize();
  if (shards < 1 || shards > kMaxShards)
    return op.emitOpError("(C10) expected circular buffers of 1 to ")
           << kMaxShards << " shards, found " << buffer;
  if (page == 0 || getSizeBytes(buffer) % page)
    return op.emitOpError("(C10) expected pages that fill the ")
           << getSizeBytes(buffer) << " bytes of a circular buffer, found "
           << buffer;
  return success();
}

/// (C3), (C10), and the first half of (C5).
static LogicalResult verifyRegion(DispatchOp op, Region &region) {
  if (region.empty())
    return op.emitOpError("expected a kernel in region ")
           << region.getRegionNumber() << ", found an empty region";
  llvm::SmallDenseSet<uint32_t> ports;
  for (BlockArgument argument : region.getArguments()) {
    auto type = dyn_cast<ttkernel::CBType>(argument.getType());
    if (!type)
      return op.emitOpError("Block inputs must be CBType: found ")
             << argument.getType();
    if (!ports.insert(static_cast<uint32_t>(type.getPort())).second)
      return op.emitOpError("(C5) circular buffers of region ")
             << region.getRegionNumber()
             << " must have ports of their own: found "
             << stringifyCBPort(type.getPort()) << " twice";
    if (failed(verifyPages(op, type)))
      return failure();
  }
  return success();
}

/// (C6)
static LogicalResult verifyInGrid(DispatchOp op) {
  DeviceAttr device = getScopeDevice(op);
  if (!device)
    return success();
  SmallVector<int64_t> grid = getChipGrid(device);
  if (grid.size() != 2)
    return success();
  for (auto range : op.getCoreRanges().getAsRange<CoreRangeAttr>())
    for (int i : {0, 1})
      if (range.getOffset()[i] < 0 ||
          range.getOffset()[i] > grid[i] - range.getSize()[i])
        return op.emitOpError("(C6) core ranges must lie in the ")
               << grid[0] << "x" << grid[1] << " grid of the device: found "
               << range;
  return success();
}

/// (C9)
static LogicalResult verifyInL1(DispatchOp op) {
  SystemDescAttr system = getScopeSystemDesc(op);
  if (!system)
    return success();
  uint64_t size = system.getChipDesc().getL1Size();
  for (Region &region : op.getRegions())
    for (Type type : region.getArgumentTypes()) {
      auto buffer = cast<ttkernel::CBType>(type);
      uint64_t bytes = getSizeBytes(buffer);
      if (buffer.getAddress() > size || bytes > size - buffer.getAddress())
        return op.emitOpError("(C9) circular buffers must end within the ")
               << size << " bytes of L1: found "
               << stringifyCBPort(buffer.getPort()) << " with " << bytes
               << " bytes at " << buffer.getAddress();
    }
  return success();
}

/// Number of the thread that a kernel runs on.
static std::pair<ttkernel::ThreadType, uint32_t> getThread(Attribute config) {
  auto kernel = cast<ttkernel::KernelConfigInterface>(config);
  uint32_t noc = 0;
  if (auto nocConfig = dyn_cast<ttkernel::NocConfigAttr>(config))
    noc = static_cast<uint32_t>(nocConfig.getNocIndex());
  return {kernel.getThreadType(), noc};
}

/// (C7) and the second half of (C5) for two regions on some core.
static LogicalResult verifyTogether(DispatchOp op, unsigned a, unsigned b) {
  if (getThread(op.getKernelConfigs()[a]) ==
      getThread(op.getKernelConfigs()[b]))
    return op.emitOpError("(C7) regions ")
           << a << " and " << b
           << " share cores and must run on different threads: found "
           << op.getKernelConfigs()[a] << " for both";
  llvm::SmallDenseMap<uint32_t, ttkernel::CBType> types;
  for (Type type : op.getRegion(a).getArgumentTypes()) {
    auto buffer = cast<ttkernel::CBType>(type);
    types[static_cast<uint32_t>(buffer.getPort())] = buffer;
  }
  for (Type type : op.getRegion(b).getArgumentTypes()) {
    auto buffer = cast<ttkernel::CBType>(type);
    auto other = types.find(static_cast<uint32_t>(buffer.getPort()));
    if (other != types.end() && other->second != buffer)
      return op.emitOpError("(C5) a circular buffer must have one type in "
                            "regions that share cores: found ")
             << other->second << " in region " << a << " and " << buffer
             << " in region " << b;
  }
  return success();
}

/// (C8) for the run-time arguments of a region.
static LogicalResult verifyRuntimeArg(DispatchOp op, unsigned region,
                                      Attribute arg) {
  if (auto tensor = dyn_cast<TensorAddressAttr>(arg)) {
    size_t operands = op.getNumOperands();
    if (tensor.getOperandIndex() < operands)
      return success();
    return op.emitOpError("(C8) expected the index of one of ")
           << operands << " operands, found " << arg;
  }
  if (auto scalars = dyn_cast<ScalarArgsAttr>(arg)) {
    size_t count = scalars.getValues().size();
    int64_t cores = getNumCores(getRange(op, region));
    if (count == 1 || static_cast<int64_t>(count) == cores)
      return success();
    return op.emitOpError("(C8) expected one number or one for each of ")
           << cores << " cores of region " << region << ", found " << count;
  }
  if (isa<SemaphoreAddressAttr>(arg))
    return success();
  return op.emitOpError("(C8) expected #ttmetal.tensor_address, "
                        "#ttmetal.semaphore_address or #ttmetal.scalar_args, "
                        "found ")
         << arg;
}

static LogicalResult verifyArgs(DispatchOp op) {
  if (std::optional<ArrayAttr> args = op.getRuntimeArgs())
    for (auto [region, array] : llvm::enumerate(args->getAsRange<ArrayAttr>()))
      for (Attribute arg : array)
        if (failed(verifyRuntimeArg(op, region, arg)))
          return failure();
  if (std::optional<ArrayAttr> args = op.getCompileArgs())
    for (auto array : args->getAsRange<ArrayAttr>())
      for (Attribute arg : array) {
        auto number = dyn_cast<IntegerAttr>(arg);
        if (!number || !number.getType().isInteger(32))
          return op.emitOpError("(C8) expected compile arguments of type i32, "
                                "found ")
                 << arg;
      }
  return success();
}

LogicalResult mlir::tt::ttmetal::verifyKernels(DispatchOp op) {
  if (failed(verifyCounts(op)) || failed(verifyCppKernels(op)))
    return failure();
  for (Region &region : op.getRegions())
    if (failed(verifyRegion(op, region)))
      return failure();
  if (auto semaphores = op.getSemaphores())
    if (semaphores->size() > kMaxSemaphores)
      return op.emitOpError("(C4) expected at most ")
             << kMaxSemaphores << " semaphores, found " << semaphores->size();
  if (failed(verifyInGrid(op)) || failed(verifyInL1(op)))
    return failure();
  unsigned count = op.getRegions().size();
  for (unsigned a = 0; a < count; ++a)
    for (unsigned b = a + 1; b < count; ++b)
      if (shareCores(getRange(op, a), getRange(op, b)) &&
          failed(verifyTogether(op, a, b)))
        return failure();
  return verifyArgs(op);
}
