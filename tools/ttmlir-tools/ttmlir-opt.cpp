#include "RegisterAll.h"
#include "Tools.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

int mlir::tt::optMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::tt::registerAllDialects(registry);
  mlir::tt::registerAllPasses();
  mlir::tt::registerUpstreamPasses();
  mlir::tt::setToolDefaults();
  // Short for one of the options that MlirOptMain registers.
  llvm::cl::opt<bool> remarks(
      "remarks", llvm::cl::desc("Show the remarks of all passes"),
      llvm::cl::callback([](const bool &isOn) {
        llvm::cl::getRegisteredOptions()["remarks-filter"]->addOccurrence(
            0, "remarks-filter", isOn ? ".*" : "");
      }));
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "ttmlir optimizer driver\n", registry));
}
