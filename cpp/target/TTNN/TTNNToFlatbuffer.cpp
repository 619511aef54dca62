#include "target/TTNN/TTNNToFlatbuffer.h"

#include "target/SystemDesc/SystemDesc.h"
#include "target/TTNN/Cpp.h"
#include "target/TTNN/Goldens.h"
#include "target/TTNN/OpText.h"
#include "target/TTNN/Support.h"

#include "ttmlir/Version.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;

/// Offsets in a flatbuffer are signed 32-bit numbers; the builder would abort
/// at this size, which only the texts of debugging can reach.
static constexpr size_t kMaxBytes = FLATBUFFERS_MAX_BUFFER_SIZE - (1u << 24);

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().assumeVerified());
  return text;
}

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

/// The attribute of the module, or an error that says where it comes from.
template <typename AttrT>
static AttrT getModuleAttr(ModuleOp module, StringRef pass) {
  auto attr = module->getAttrOfType<AttrT>(AttrT::name);
  if (!attr)
    module->emitError("cannot be serialized: expected the attribute ")
        << AttrT::name << " on the module, which --" << pass << " sets";
  return attr;
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

  fbs::Version version(TTMLIR_VERSION_MAJOR, TTMLIR_VERSION_MINOR,
                       TTMLIR_VERSION_PATCH);
  auto gitHash = fbb.CreateString(TTMLIR_GIT_HASH);
  auto systemOffset = mlir::tt::toFlatbuffer(fbb, systemDesc);
  auto programsOffset = fbb.CreateVector(programs);
  fbs::ttnn::FinishSizePrefixedTTNNBinaryBuffer(
      fbb, fbs::ttnn::CreateTTNNBinary(fbb, &version, gitHash, systemOffset,
                                       programsOffset));

  // Shared tables are visited once for each use, so the number of visits is
  // not bounded by the number of tables; the buffer is our own.
  ::flatbuffers::Verifier::Options options;
  options.max_tables = std::numeric_limits<uint32_t>::max();
  ::flatbuffers::Verifier verifier(fbb.GetBufferPointer(), fbb.GetSize(),
                                   options);
  if (!fbs::ttnn::VerifySizePrefixedTTNNBinaryBuffer(verifier))
    return module->emitError(
        "was serialized to a flatbuffer that does not pass its verifier");

  size_t size = fbb.GetSize();
  auto owner = std::make_shared<::flatbuffers::DetachedBuffer>(fbb.Release());
  return FlatbufferBytes{std::shared_ptr<void>(owner, owner->data()), size};
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

llvm::Error mlir::tt::writeFile(StringRef path, StringRef contents) {
  // A temporary file in the same directory, which the rename makes visible.
  using llvm::sys::fs::TempFile;
  llvm::Expected<TempFile> file = TempFile::create(
      path + ".tmp-%%%%%%", llvm::sys::fs::all_read | llvm::sys::fs::all_write);
  if (!file)
    return llvm::createStringError(
        "Failed to open file: " + path +
        ". Error: " + llvm::toString(file.takeError()));
  std::error_code problem;
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    os << contents;
    os.flush();
    problem = os.error();
    os.clear_error();
  }
  llvm::Error error = llvm::errorCodeToError(problem);
  if (error)
    llvm::consumeError(file->discard());
  else
    error = file->keep(path);
  if (!error)
    return error;
  return llvm::createStringError(
      "Failed to write flatbuffer to file: " + path +
      ". Error: " + llvm::toString(std::move(error)));
}
