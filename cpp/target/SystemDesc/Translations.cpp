#include "target/SystemDesc/SystemDesc.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::tt {

static OwningOpRef<Operation *> readSystemDesc(const llvm::SourceMgr &sources,
                                               MLIRContext *context) {
  context->loadDialect<TTDialect>();
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  Location loc = UnknownLoc::get(context);
  FailureOr<SystemDescAttr> systemDesc =
      parseSystemDesc([&] { return mlir::emitError(loc); }, context,
                      buffer->getBuffer(), buffer->getBufferIdentifier());
  if (failed(systemDesc))
    return {};
  ModuleOp module = ModuleOp::create(loc);
  module->setAttr(SystemDescAttr::name, *systemDesc);
  return OwningOpRef<Operation *>(module);
}

void registerSystemDescTranslations() {
  static llvm::cl::opt<std::string> system(
      "system",
      llvm::cl::desc("Named system to write for a module without "
                     "tt.system_desc: n150, n300, t3000, galaxy, bh_galaxy, p150, "
                     "p150x4, p150x8 or e150"),
      llvm::cl::init("n150"));

  static TranslateFromMLIRRegistration toFlatbuffer(
      "system-desc-to-flatbuffer",
      "write the tt.system_desc of a module as .ttsys",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        auto systemDesc =
            op->getAttrOfType<SystemDescAttr>(SystemDescAttr::name);
        if (!systemDesc)
          systemDesc = SystemDescAttr::getNamed(op->getContext(), system);
        if (!systemDesc) {
          InFlightDiagnostic diagnostic = op->emitError("expected --system ");
          llvm::interleaveComma(SystemDescAttr::getNames(), diagnostic);
          return diagnostic << ", found " << system.getValue();
        }
        writeSystemDesc(systemDesc, system, os);
        return success();
      },
      [](DialectRegistry &registry) { registry.insert<TTDialect>(); });

  static TranslateToMLIRRegistration fromFlatbuffer(
      "flatbuffer-to-system-desc",
      "read a .ttsys as a module with tt.system_desc",
      [](const llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        return readSystemDesc(sources, context);
      },
      [](DialectRegistry &registry) { registry.insert<TTDialect>(); });
}

} // namespace mlir::tt
