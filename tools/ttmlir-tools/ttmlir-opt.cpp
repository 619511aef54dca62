#include "RegisterAll.h"
#include "TextLimits.h"
#include "Tools.h"
#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "target/Clock/Clock.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstdlib>

#ifdef TTMLIR_HAS_CLOCK
#include "tt/runtime/clock.h"

/// Lets the optimizer compare layouts by the emulator's clock.
static void attachRuntimeClock(mlir::MLIRContext *context,
                               mlir::tt::ttir::TTIRDialect *) {
  mlir::tt::attachClock(*context, tt::runtime::modelledCycles);
}
#endif

/// Whether an error has been reported in a context with the tt dialect.
static std::atomic<bool> reportedError;

/// Sees all errors before the handler that prints them.
static void watchErrors(mlir::MLIRContext *context, mlir::tt::TTDialect *) {
  context->getDiagEngine().registerHandler([](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      reportedError = true;
    return mlir::failure();
  });
}

/// Emits an error if the text of a file exceeds what the parser stands. Files
/// that cannot be read have an error of their own later.
static mlir::LogicalResult checkLimits(llvm::StringRef path) {
  if (!llvm::sys::fs::is_regular_file(path))
    return mlir::success();
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return mlir::success();
  auto limit = mlir::tt::findExceededLimit((*file)->getBuffer());
  if (!limit)
    return mlir::success();
  llvm::errs() << path << ':' << limit->line << ":1: error: " << limit->message
               << '\n';
  return mlir::failure();
}

int mlir::tt::optMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::tt::registerAllDialects(registry);
  mlir::tt::registerAllPasses();
  mlir::tt::registerUpstreamPasses();
  mlir::tt::setToolDefaults();
  // Short for one of the options that MlirOptMain registers, whose values are
  // not checked.
  llvm::cl::opt<std::string> remarks(
      "remarks", llvm::cl::ValueOptional, llvm::cl::value_desc("regex"),
      llvm::cl::desc("Show what passes decided and why: all, or those whose "
                     "names the regular expression finds"),
      llvm::cl::callback([](const std::string &given) {
        std::string passes = given.empty() ? "." : given, problem;
        if (!llvm::Regex(passes).isValid(problem)) {
          llvm::errs() << "--remarks: expected a regular expression, found '"
                       << passes << "': " << problem << '\n';
          std::exit(1);
        }
        // The engine's filter matches whole names.
        llvm::cl::getRegisteredOptions()["remarks-filter"]->addOccurrence(
            0, "remarks-filter", ".*(" + passes + ").*");
      }));
  registry.addExtension(watchErrors);
#ifdef TTMLIR_HAS_CLOCK
  registry.addExtension(attachRuntimeClock);
#endif
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "ttmlir optimizer driver\n", registry);
  if (failed(checkLimits(input)))
    return mlir::asMainReturnCode(mlir::failure());
  // The options are gone when MlirOptMain is over.
  bool isExpected =
      mlir::MlirOptMainConfig::createFromCLOptions().shouldVerifyDiagnostics();
  mlir::LogicalResult result =
      mlir::MlirOptMain(argc, argv, input, output, registry);
  // A run that reports an error has failed, unless it was to report it.
  if (reportedError && !isExpected)
    result = mlir::failure();
  return mlir::asMainReturnCode(result);
}
