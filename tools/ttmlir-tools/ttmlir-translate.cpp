#include "RegisterAll.h"
#include "Tools.h"
#include "conversion/TodayToTTIR/TodayToTTIR.h"
#include "target/SystemDesc/SystemDesc.h"
#include "target/TTMetal/TTMetalToFlatbuffer.h"
#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir {
// Upstream's `--mlir-to-cpp`; it has no header.
void registerToCppTranslation();
} // namespace mlir

static void registerTodayToTTIR() {
  static mlir::TranslateToMLIRRegistration registration(
      "today-to-ttir", "TTIR of today to TTIR of this project",
      [](llvm::SourceMgr &sources,
         mlir::MLIRContext *context) -> mlir::OwningOpRef<mlir::Operation *> {
        const llvm::MemoryBuffer *text =
            sources.getMemoryBuffer(sources.getMainFileID());
        return mlir::tt::today::read(text->getBuffer(),
                                     text->getBufferIdentifier(), context)
            .release()
            .getOperation();
      },
      mlir::tt::registerAllDialects);
}

int mlir::tt::translateMain(int argc, char **argv) {
  mlir::tt::setToolDefaults();
  mlir::registerToCppTranslation();
  registerTodayToTTIR();
  mlir::tt::registerSystemDescTranslations();
  mlir::tt::ttmetal::registerTTMetalToFlatbuffer();
  mlir::tt::ttnn::registerTTNNToFlatbuffer();
  return failed(
      mlir::mlirTranslateMain(argc, argv, "MLIR Translation Testing Tool"));
}
