#include "target/TTMetal/TTMetalToFlatbuffer.h"

#include "dialects/TT/TensorLayout.h"
#include "target/Common/SerializeModule.h"
#include "target/TTMetal/Dispatch.h"
#include "target/TTMetal/MeshCommands.h"
#include "target/TTNN/HostFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttmetal;
using namespace mlir::tt::serialization;

namespace {
/// A member of the union of all commands.
struct Payload {
  fbs::metal::CommandType type = fbs::metal::CommandType::NONE;
  Offset<void> table;
};
} // namespace

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

static Payload createBuffer(FlatbufferObjectCache &cache, Value tensor,
                            Place place) {
  cache.places[tensor] = place;
  auto ref = tensorRef(cache, tensor);
  return {fbs::metal::CommandType::CreateBufferCommand,
          fbs::metal::CreateCreateBufferCommand(*cache.fbb, ref).Union()};
}

/// The command of an op. Of an op that is none, `NONE`.
static Payload serializeCommand(FlatbufferObjectCache &cache, Operation *op,
                                std::string &cpp) {
  using fbs::metal::CommandType;
  return llvm::TypeSwitch<Operation *, Payload>(op)
      .Case([&](AllocOp alloc) {
        return createBuffer(cache, alloc.getResult(),
                            {alloc.getAddress(), alloc.getSize()});
      })
      .Case([&](DeallocOp dealloc) {
        auto ref = tensorRef(cache, dealloc.getInput());
        return Payload{
            CommandType::DeallocateBufferCommand,
            fbs::metal::CreateDeallocateBufferCommand(*cache.fbb, ref).Union()};
      })
      .Case([&](HostReadOp read) {
        auto source = tensorRef(cache, read.getInput());
        auto target = tensorRef(cache, read.getOutput());
        return Payload{CommandType::EnqueueReadBufferCommand,
                       fbs::metal::CreateEnqueueReadBufferCommand(
                           *cache.fbb, source, target)
                           .Union()};
      })
      .Case([&](HostWriteOp write) {
        auto source = tensorRef(cache, write.getInput());
        auto target = tensorRef(cache, write.getOutput());
        return Payload{CommandType::EnqueueWriteBufferCommand,
                       fbs::metal::CreateEnqueueWriteBufferCommand(
                           *cache.fbb, source, target)
                           .Union()};
      })
      .Case([&](DispatchOp dispatch) {
        auto command = serializeDispatch(cache, dispatch, cpp);
        return Payload{CommandType::EnqueueProgramCommand, command.Union()};
      })
      .Case([&](CollectiveOp collective) {
        return Payload{CommandType::CollectiveOp,
                       serializeCollective(cache, collective).Union()};
      })
      .Case([&](MeshShardOp shard) {
        return Payload{CommandType::MeshShardOp,
                       serializeMeshShard(cache, shard).Union()};
      })
      .Default([](Operation *) { return Payload(); });
}

/// Memory of the host that a read fills, which the compiler need not allocate.
static bool isHostMemory(Operation *op) {
  auto empty = dyn_cast<tensor::EmptyOp>(op);
  LayoutAttr layout = empty ? getLayoutOf(empty.getType()) : LayoutAttr();
  return layout && layout.isSystemMemorySpace();
}

static Offset<fbs::metal::Program>
serializeProgram(FlatbufferObjectCache &cache, func::FuncOp func,
                 Describe describe);

/// The program of a function that another one uses, without information for
/// debugging.
static Offset<fbs::metal::Program> serializeCallee(FlatbufferObjectCache &cache,
                                                   func::FuncOp func) {
  return serializeProgram(cache, func,
                          [](StringRef) { return Offset<fbs::DebugInfo>(); });
}

namespace {
/// What a program's control flow runs.
struct CalledPrograms {
  std::vector<Offset<fbs::metal::Program>> device;
  std::vector<Offset<fbs::ttnn::Program>> host;
};
} // namespace

static Offset<fbs::ControlFlowOp>
serializeControlFlow(FlatbufferObjectCache &cache, Operation *op,
                     CalledPrograms &called) {
  if (isa<CallOp>(op))
    return controlFlow<fbs::ttnn::Program>(
        cache, op, called.host, [&](func::FuncOp function) {
          return ttnn::serializeHostFunction(cache, function);
        });
  return controlFlow<fbs::metal::Program>(
      cache, op, called.device,
      [&](func::FuncOp part) { return serializeCallee(cache, part); });
}

static Offset<fbs::metal::CommandQueue>
serializeQueue(FlatbufferObjectCache &cache, func::FuncOp func,
               std::string &cpp, CalledPrograms &called) {
  OpTextPrinter printer(func);
  SmallVector<Offset<fbs::metal::Command>> commands;
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (isa<LoadCachedOp>(op))
      continue;
    cache.currentOp = &op;
    if (auto constant = dyn_cast<HostConstantOp>(op)) {
      cache.constants[constant.getResult()] = constant.getValue();
      continue;
    }
    // A constant that a kernel uses is in the kernel.
    if (isHostMemory(&op) || isa<arith::ConstantOp>(op))
      continue;
    Payload payload;
    if (isControlFlow(&op))
      payload = {fbs::metal::CommandType::ControlFlowOp,
                 serializeControlFlow(cache, &op, called).Union()};
    else
      payload = serializeCommand(cache, &op, cpp);
    if (isControlFlow(&op) && payload.table.IsNull())
      return 0;
    if (payload.type == fbs::metal::CommandType::NONE)
      cache.emitError() << "is no command and cannot be serialized: expected "
                           "ttmetal ops";
    if (cache.failed)
      return 0;
    auto debugInfo = opText(cache, printer, &op, cpp.size());
    if (debugInfo.IsNull())
      return 0;
    commands.push_back(fbs::metal::CreateCommand(*cache.fbb, payload.type,
                                                 payload.table, debugInfo));
  }
  StringRef symbol = func.getSymName();
  auto name = cache.fbb->CreateString(symbol.data(), symbol.size());
  return fbs::metal::CreateCommandQueue(
      *cache.fbb, name,
      cache.fbb->CreateVector(commands.data(), commands.size()));
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Sets the addresses of arguments on the device from `tt.arg_alloc`.
static LogicalResult placeArguments(FlatbufferObjectCache &cache,
                                    func::FuncOp func) {
  auto places = func->getAttrOfType<ArrayAttr>(ArgumentAllocationAttr::name);
  for (BlockArgument argument : func.getArguments()) {
    LayoutAttr layout = getLayoutOf(argument.getType());
    if (!layout || !layout.isDeviceMemorySpace())
      continue;
    if (!places) {
      cache.emitError() << "cannot be serialized: expected the attribute "
                        << ArgumentAllocationAttr::name
                        << " with the addresses of its arguments, which "
                           "--ttir-allocate sets";
      return failure();
    }
    auto place = cast<ArgumentAllocationAttr>(places[argument.getArgNumber()]);
    if (place.getMemorySpace() != layout.getMemorySpace()) {
      cache.emitError() << "cannot be serialized: argument "
                        << argument.getArgNumber() << " is in "
                        << stringifyMemorySpace(layout.getMemorySpace())
                        << ", but its address in "
                        << stringifyMemorySpace(place.getMemorySpace());
      return failure();
    }
    cache.places[argument] = {place.getAddress(), place.getSize()};
  }
  return success();
}

/// The program of a function; null on failure. `describe` makes the information
/// for debugging from the C++ of its kernels.
static Offset<fbs::metal::Program>
serializeProgram(FlatbufferObjectCache &cache, func::FuncOp func,
                 Describe describe) {
  auto &fbb = *cache.fbb;
  cache.currentOp = func;
  Block *body = getBody(cache, func);
  if (!body || failed(placeArguments(cache, func)))
    return 0;
  auto inputs = tensorRefs(cache, body->getArguments());
  if (inputs.IsNull())
    return 0;
  auto cached = cachedResults<fbs::metal::CachedResults, fbs::metal::Program>(
      cache, *body,
      [&](func::FuncOp callee) { return serializeCallee(cache, callee); },
      fbs::metal::CreateCachedResults);
  if (cached.IsNull())
    return 0;
  std::string cpp;
  CalledPrograms called;
  auto queue = serializeQueue(cache, func, cpp, called);
  if (queue.IsNull())
    return 0;
  auto outputs = resultRefs(cache, *body);
  if (outputs.IsNull())
    return 0;

  StringRef symbol = func.getSymName();
  Offset<Vector<uint32_t>> meshShape, chipIds;
  if (ArrayRef<unsigned> ids = cache.device.getChipIds();
      ids != ArrayRef<unsigned>(0u)) {
    SmallVector<uint32_t> extents(
        llvm::map_range(cache.device.getMeshShape(),
                        [](int64_t e) { return static_cast<uint32_t>(e); }));
    if (extents.empty())
      extents.push_back(1);
    meshShape = fbb.CreateVector(extents.data(), extents.size());
    chipIds = fbb.CreateVector<uint32_t>(ids.data(), ids.size());
  }
  auto device = fbs::metal::CreateDeviceProgram(
      fbb, inputs, outputs, fbb.CreateVector(&queue, 1), meshShape, chipIds);
  auto name = fbb.CreateString(symbol.data(), symbol.size());
  auto devices = fbb.CreateVector(&device, 1);
  auto debugInfo = describe(cpp);
  auto variables = variableRefs(cache, func);
  if (cache.failed)
    return 0;
  auto inputHosts = hostDescs(cache, func, /*ofResults=*/false);
  auto outputHosts = hostDescs(cache, func, /*ofResults=*/true);
  return fbs::metal::CreateProgram(
      fbb, name, inputs, outputs, devices, debugInfo, inputHosts, outputHosts,
      cached, argumentDescs(cache, func), fbb.CreateVector(called.device),
      variables, fbb.CreateVector(called.host));
}

FailureOr<FlatbufferBytes>
ttmetal::serializeToFlatbuffer(Operation *op, const Attachments &attachments) {
  FailureOr<ModuleSource> source = getModuleSource(op, "ttmetal", attachments);
  if (failed(source))
    return failure();
  return serializeModule<fbs::metal::TTMetalBinary, fbs::metal::Program>(
      *source, "ttmetal", attachments, std::nullopt, serializeProgram,
      fbs::metal::CreateTTMetalBinary, fbs::metal::TTMetalBinaryIdentifier());
}

LogicalResult ttmetal::translateTTMetalToFlatbuffer(Operation *module,
                                                    llvm::raw_ostream &os) {
  return serialization::write(serializeToFlatbuffer(module), os);
}
