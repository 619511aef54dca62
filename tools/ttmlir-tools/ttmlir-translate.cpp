#include "RegisterAll.h"
#include "Tools.h"
#include "target/SystemDesc/SystemDesc.h"
#include "target/TTMetal/TTMetalToFlatbuffer.h"
#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

namespace mlir {
// Upstream's `--mlir-to-cpp`; it has no header.
void registerToCppTranslation();
} // namespace mlir

int mlir::tt::translateMain(int argc, char **argv) {
  mlir::tt::setToolDefaults();
  mlir::registerToCppTranslation();
  mlir::tt::registerSystemDescTranslations();
  mlir::tt::ttmetal::registerTTMetalToFlatbuffer();
  mlir::tt::ttnn::registerTTNNToFlatbuffer();
  return failed(
      mlir::mlirTranslateMain(argc, argv, "MLIR Translation Testing Tool"));
}
