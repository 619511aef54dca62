#include "target/Common/Module.h"

#include "dialects/TT/Cancellation.h"
#include "dialects/TT/TensorLayout.h"
#include "target/Common/Goldens.h"

#include "ttmlir/Version.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::serialization;

/// Rejects a module that was not lowered.
static LogicalResult expectLowered(ModuleOp module, StringRef dialect) {
  WalkResult result = module.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() != "ttir")
      return WalkResult::advance();
    op->emitOpError("cannot be serialized: expected ")
        << dialect << " ops, which --ttir-to-" << dialect
        << "-backend-pipeline makes";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The attribute of the module, or an error that names the pass that adds it.
template <typename AttrT>
static AttrT getModuleAttr(ModuleOp module, StringRef pass) {
  auto attr = module->getAttrOfType<AttrT>(AttrT::name);
  if (!attr)
    module->emitError("cannot be serialized: expected the attribute ")
        << AttrT::name << " on the module, which --" << pass << " sets";
  return attr;
}

/// An error at the constant that is too much, before gigabytes of text are
/// made: the text of a constant has two digits for each byte, a splat has none.
static LogicalResult expectConstantsToFit(ModuleOp module) {
  size_t bytes = 0;
  WalkResult result = module.walk([&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs())
      if (auto dense = dyn_cast<DenseElementsAttr>(attr.getValue()))
        bytes += dense.isSplat() ? 0 : 3 * dense.getRawData().size();
    if (bytes <= kMaxBytes)
      return WalkResult::advance();
    op->emitOpError(kTooLarge);
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

uint64_t serialization::getFingerprint(func::FuncOp function) {
  OwningOpRef<func::FuncOp> copy = function.clone();
  copy->setSymName("function");
  // Functions of the host, by what they are.
  AttrTypeReplacer callees;
  callees.addReplacement([&](FlatSymbolRefAttr name) {
    auto callee =
        SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(function, name);
    return callee ? FlatSymbolRefAttr::get(function.getContext(),
                                           Twine(getFingerprint(callee)).str())
                  : name;
  });
  callees.recursivelyReplaceElementsIn(copy.get());
  std::string text;
  llvm::raw_string_ostream os(text);
  copy->print(os, OpPrintingFlags().useLocalScope());
  return llvm::xxh3_64bits(text);
}

FailureOr<ModuleSource>
serialization::getModuleSource(Operation *op, StringRef dialect,
                               const Attachments &attachments) {
  ModuleSource source;
  source.module = dyn_cast<ModuleOp>(op);
  if (!source.module)
    return op->emitError("expected a module, found '") << op->getName() << "'";
  // A verifier that reports an error has failed, whatever it returns.
  bool reported = false;
  ScopedDiagnosticHandler watch(op->getContext(), [&](Diagnostic &diagnostic) {
    reported |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return failure();
  });
  if (failed(verify(op)) || failed(expectLowered(source.module, dialect)) ||
      failed(verifyPlacedTensors(source.module)) ||
      failed(expectConstantsToFit(source.module)) || reported ||
      isCancelled(op->getContext()))
    return failure();
  source.systemDesc =
      getModuleAttr<SystemDescAttr>(source.module, "ttir-load-system-desc");
  if (!source.systemDesc)
    return failure();
  source.device =
      getModuleAttr<DeviceAttr>(source.module, "ttir-implicit-device");
  if (!source.device ||
      failed(verifyGoldens(source.module, attachments.goldens)))
    return failure();

  if (attachments.withTexts) {
    llvm::raw_string_ostream os(source.text);
    op->print(os, OpPrintingFlags().assumeVerified());
  }
  for (const Golden &golden : attachments.goldens)
    source.goldenBytes += golden.data.size();
  return source;
}

LogicalResult serialization::expectToFit(const ModuleSource &source,
                                         size_t more) {
  if (source.text.size() + source.goldenBytes + more > kMaxBytes)
    return ModuleOp(source.module)->emitError(kTooLarge);
  return failure(isCancelled(ModuleOp(source.module)->getContext()));
}

Block *serialization::getBody(FlatbufferObjectCache &cache, func::FuncOp func) {
  if (func.getBody().hasOneBlock())
    return &func.getBody().front();
  cache.emitError() << "cannot be serialized: expected a body of one block, "
                       "found "
                    << func.getBody().getBlocks().size() << " blocks";
  return nullptr;
}

Offset<Vector<Offset<fbs::TensorRef>>>
serialization::resultRefs(FlatbufferObjectCache &cache, Block &body) {
  cache.currentOp = body.getTerminator();
  if (isa<func::ReturnOp>(cache.currentOp))
    return tensorRefs(cache, cache.currentOp->getOperands());
  cache.emitError() << "cannot be serialized: expected func.return";
  return 0;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

Offset<Vector<Offset<fbs::VariableRef>>>
serialization::variableRefs(FlatbufferObjectCache &cache,
                            func::FuncOp function) {
  SmallVector<Offset<fbs::VariableRef>> refs;
  auto findOutput = [&](Attribute name) -> std::optional<uint32_t> {
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (function.getResultAttr(i, kVariableAttr) == name)
        return i;
    return std::nullopt;
  };
  for (BlockArgument argument : function.getArguments()) {
    auto name = function.getArgAttrOfType<FlatSymbolRefAttr>(
        argument.getArgNumber(), kVariableAttr);
    if (!name)
      continue;
    auto variable =
        SymbolTable::lookupNearestSymbolFrom<VariableOp>(function, name);
    if (!variable) {
      cache.emitError() << "cannot be serialized: expected a tt.variable of "
                           "this module, found "
                        << name;
      return 0;
    }
    auto [known, isNew] = cache.variableIndices.try_emplace(
        name.getValue(), cache.variables.size());
    if (isNew) {
      // The function's type says what the device makes of it.
      auto desc =
          hostTensorDesc(cache, cast<RankedTensorType>(argument.getType()),
                         variable.getInitialAttr());
      if (desc.IsNull())
        return 0;
      auto text = cache.fbb->CreateString(name.getValue().data(),
                                          name.getValue().size());
      cache.variables.push_back(fbs::CreateVariable(*cache.fbb, text, desc));
    }
    std::optional<uint32_t> output = findOutput(name);
    refs.push_back(fbs::CreateVariableRef(
        *cache.fbb, known->second, argument.getArgNumber(),
        output ? ::flatbuffers::Optional<uint32_t>(*output)
               : ::flatbuffers::nullopt));
  }
  return refs.empty() ? Offset<Vector<Offset<fbs::VariableRef>>>()
                      : cache.fbb->CreateVector(refs.data(), refs.size());
}

Offset<::flatbuffers::String>
serialization::opText(FlatbufferObjectCache &cache, OpTextPrinter &printer,
                      Operation *op, size_t more) {
  if (isCancelled(op->getContext()))
    return 0;
  StringRef text = printer.print(op);
  if (!cache.hasRoom(text.size() + more))
    return 0;
  return cache.fbb->CreateString(text.data(), text.size());
}

::tt::target::Version serialization::getVersion() {
  return {TTMLIR_VERSION_MAJOR, TTMLIR_VERSION_MINOR, TTMLIR_VERSION_PATCH};
}

const char *serialization::getGitHash() { return TTMLIR_GIT_HASH; }

::flatbuffers::Verifier
serialization::makeVerifier(::flatbuffers::FlatBufferBuilder &fbb) {
  // Shared tables are visited once for each use, so the number of visits is not
  // bounded by the number of tables; the buffer was built here.
  ::flatbuffers::Verifier::Options options;
  options.max_tables = std::numeric_limits<uint32_t>::max();
  return ::flatbuffers::Verifier(fbb.GetBufferPointer(), fbb.GetSize(),
                                 options);
}

FlatbufferBytes serialization::release(::flatbuffers::FlatBufferBuilder &fbb) {
  size_t size = fbb.GetSize();
  auto owner = std::make_shared<::flatbuffers::DetachedBuffer>(fbb.Release());
  return FlatbufferBytes{std::shared_ptr<void>(owner, owner->data()), size};
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
