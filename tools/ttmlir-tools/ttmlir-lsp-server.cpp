#include "RegisterAll.h"
#include "Tools.h"

#include "mlir/IR/Dialect.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int mlir::tt::lspServerMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::tt::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
