#include "target/TTNN/TTNNToFlatbuffer.h"

#include "target/Common/Goldens.h"
#include "target/Common/Module.h"
#include "target/Common/OpText.h"
#include "target/SystemDesc/SystemDesc.h"
#include "target/TTNN/Cpp.h"
#include "target/TTNN/Support.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;
using namespace mlir::tt::serialization;

/// The operations of a function; null on failure.
static Offset<Vector<Offset<fbs::ttnn::Operation>>>
serializeOperations(FlatbufferObjectCache &cache, Block &block,
                    OpTextPrinter &printer) {
  SmallVector<Offset<fbs::ttnn::Operation>> operations;
  for (Operation &op : block.without_terminator()) {
    cache.currentOp = &op;
    std::optional<Payload> payload = serializePayload(cache, &op);
    cache.fbb->ForceDefaults(false);
    if (isa<func::CallOp>(op))
      cache.emitError() << "cannot be serialized: programs do not call each "
                           "other; --inline puts the callee's body here";
    else if (!payload)
      cache.emitError() << "has no flatbuffer table and cannot be serialized";
    if (cache.failed)
      return 0;
    StringRef text = printer.print(&op);
    if (cache.fbb->GetSize() + text.size() > kMaxBytes) {
      cache.emitError() << "does not fit into the 2 GB of a flatbuffer";
      return 0;
    }
    auto debugInfo = cache.fbb->CreateString(text.data(), text.size());
    operations.push_back(fbs::ttnn::CreateOperation(*cache.fbb, payload->type,
                                                    payload->table, debugInfo));
  }
  return cache.fbb->CreateVector(operations.data(), operations.size());
}

/// The program of a function; null on failure.
static Offset<fbs::ttnn::Program>
serializeProgram(FlatbufferObjectCache &cache, func::FuncOp func,
                 Offset<fbs::DebugInfo> debugInfo) {
  cache.currentOp = func;
  if (!func.getBody().hasOneBlock()) {
    cache.emitError() << "cannot be serialized: expected a body of one block, "
                         "found "
                      << func.getBody().getBlocks().size() << " blocks";
    return 0;
  }
  Block &block = func.getBody().front();
  auto inputs = tensorRefs(cache, block.getArguments());
  if (inputs.IsNull())
    return 0;

  OpTextPrinter printer(func);
  auto operations = serializeOperations(cache, block, printer);
  if (operations.IsNull())
    return 0;

  Operation *terminator = block.getTerminator();
  cache.currentOp = terminator;
  if (!isa<func::ReturnOp>(terminator)) {
    cache.emitError() << "cannot be serialized: expected func.return";
    return 0;
  }
  auto outputs = tensorRefs(cache, terminator->getOperands());
  if (outputs.IsNull())
    return 0;
  StringRef symbol = func.getSymName();
  auto name = cache.fbb->CreateString(symbol.data(), symbol.size());
  return fbs::ttnn::CreateProgram(*cache.fbb, name, inputs, outputs, operations,
                                  debugInfo);
}

/// The module of somebody who forgot to lower it says so.
static LogicalResult expectLowered(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (op->getName().getDialectNamespace() != "ttir")
      return WalkResult::advance();
    op->emitOpError("cannot be serialized: expected ttnn ops, which "
                    "--ttir-to-ttnn-backend-pipeline makes");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

FailureOr<FlatbufferBytes>
ttnn::serializeToFlatbuffer(Operation *op, ArrayRef<Golden> goldens) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return op->emitError("expected a module, found '") << op->getName() << "'";
  if (failed(verify(op)) || failed(expectLowered(module)))
    return failure();
  auto systemDesc =
      getModuleAttr<SystemDescAttr>(module, "ttir-load-system-desc");
  if (!systemDesc)
    return failure();
  auto device = getModuleAttr<DeviceAttr>(module, "ttir-implicit-device");
  if (!device)
    return failure();

  if (failed(verifyGoldens(module, goldens)))
    return failure();

  std::string text = printModule(module);
  std::string cppText = emitCpp(module);
  size_t bytes = text.size() + cppText.size();
  for (const Golden &golden : goldens)
    bytes += golden.data.size();
  if (bytes > kMaxBytes)
    return module->emitError("does not fit into the 2 GB of a flatbuffer");

  ::flatbuffers::FlatBufferBuilder fbb(1 << 16);
  FlatbufferObjectCache cache(fbb, device);
  auto mlir =
      fbs::CreateMLIR(fbb, fbb.CreateString("ttnn"), fbb.CreateString(text));
  auto cpp = fbb.CreateString(cppText);
  // One table for all programs but those with goldens.
  auto shared = fbs::CreateDebugInfo(fbb, mlir, cpp);

  std::vector<Offset<fbs::ttnn::Program>> programs;
  WalkResult walk = module.walk<WalkOrder::PreOrder>([&](func::FuncOp func) {
    auto goldenInfo = createGoldenInfo(fbb, func.getSymName(), goldens);
    auto debugInfo = goldenInfo.IsNull()
                         ? shared
                         : fbs::CreateDebugInfo(fbb, mlir, cpp, goldenInfo);
    auto program = serializeProgram(cache, func, debugInfo);
    if (program.IsNull())
      return WalkResult::interrupt();
    programs.push_back(program);
    return WalkResult::skip();
  });
  if (walk.wasInterrupted())
    return failure();

  fbs::Version version = getVersion();
  auto gitHash = fbb.CreateString(getGitHash());
  auto systemOffset = mlir::tt::toFlatbuffer(fbb, systemDesc);
  auto programsOffset = fbb.CreateVector(programs);
  fbs::ttnn::FinishSizePrefixedTTNNBinaryBuffer(
      fbb, fbs::ttnn::CreateTTNNBinary(fbb, &version, gitHash, systemOffset,
                                       programsOffset));

  ::flatbuffers::Verifier verifier = makeVerifier(fbb);
  if (!fbs::ttnn::VerifySizePrefixedTTNNBinaryBuffer(verifier))
    return module->emitError(
        "was serialized to a flatbuffer that does not pass its verifier");

  return release(fbb);
}

std::shared_ptr<void> ttnn::ttnnToFlatbuffer(Operation *module,
                                             ArrayRef<Golden> goldens) {
  FailureOr<FlatbufferBytes> bytes = serializeToFlatbuffer(module, goldens);
  return succeeded(bytes) ? bytes->data : nullptr;
}

LogicalResult ttnn::translateTTNNToFlatbuffer(Operation *module,
                                              llvm::raw_ostream &os) {
  FailureOr<FlatbufferBytes> bytes = serializeToFlatbuffer(module);
  if (failed(bytes))
    return failure();
  os << bytes->str();
  return success();
}
