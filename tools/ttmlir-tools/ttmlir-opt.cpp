#include "RegisterAll.h"
#include "TextLimits.h"
#include "Tools.h"
#include "conversion/TodayToTTIR/TodayToTTIR.h"
#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstdlib>

/// The clock of the process: an extension of a registry is a plain function.
static mlir::tt::BinaryClock toolClock;

/// Passes of either dialect ask the clock.
template <typename DialectT>
static void attachToolClock(mlir::MLIRContext *context, DialectT *) {
  mlir::tt::attachClock(*context, toolClock);
}

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

using mlir::tt::today::TextForm;

/// Emits an error if a text exceeds what the parser stands.
static mlir::LogicalResult checkLimits(const llvm::MemoryBuffer &text) {
  auto limit = mlir::tt::findExceededLimit(text.getBuffer());
  if (!limit)
    return mlir::success();
  llvm::errs() << text.getBufferIdentifier() << ':' << limit->line
               << ":1: error: " << limit->message << '\n';
  return mlir::failure();
}

/// Reads TTIR of today. What it becomes is text among other texts, or bytecode.
/// Null after errors, or with what --verify-diagnostics expects.
static std::unique_ptr<llvm::MemoryBuffer>
readToday(llvm::StringRef text, llvm::StringRef name, bool asText,
          mlir::DialectRegistry &registry,
          const mlir::MlirOptMainConfig &config, bool &failed) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, name,
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (config.shouldVerifyDiagnostics()) {
    mlir::SourceMgrDiagnosticVerifierHandler handler(
        sources, &context, config.verifyDiagnosticsLevel());
    module = mlir::tt::today::read(text, name, &context);
    failed = mlir::failed(handler.verify());
  } else {
    mlir::SourceMgrDiagnosticHandler handler(sources, &context);
    module = mlir::tt::today::read(text, name, &context);
    failed = !module;
  }
  if (!module)
    return nullptr;
  std::string result;
  llvm::raw_string_ostream os(result);
  if (asText)
    module->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  else if (mlir::failed(mlir::writeBytecodeToFile(*module, os)))
    return nullptr;
  // Not by its own name: messages show the lines of the file of that name.
  return llvm::MemoryBuffer::getMemBufferCopy(result, "TTIR of today");
}

/// The input as MLIR of this project. Null after errors, or with what
/// --verify-diagnostics expects.
static std::unique_ptr<llvm::MemoryBuffer>
readInput(std::unique_ptr<llvm::MemoryBuffer> input, TextForm form,
          mlir::DialectRegistry &registry,
          const mlir::MlirOptMainConfig &config, bool &failed) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto isToday = [&](llvm::StringRef text) {
    return form == TextForm::Today ||
           (form == TextForm::Auto && mlir::tt::today::isToday(text, context));
  };
  llvm::StringRef text = input->getBuffer(), marker = config.inputSplitMarker();
  llvm::StringRef name = input->getBufferIdentifier();
  if (!isToday(text))
    return input;
  if (marker.empty())
    return readToday(text, name, /*asText=*/false, registry, config, failed);
  // Each part is in a form of its own.
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, marker);
  std::string whole;
  for (llvm::StringRef part : parts) {
    if (!whole.empty())
      (whole += '\n').append(marker.str()) += '\n';
    if (!isToday(part)) {
      whole += part;
      continue;
    }
    bool partFailed = false;
    auto made =
        readToday(part, name, /*asText=*/true, registry, config, partFailed);
    failed |= partFailed;
    if (made)
      whole += made->getBuffer();
  }
  return llvm::MemoryBuffer::getMemBufferCopy(whole, "TTIR of today");
}

/// MlirOptMain of files, of either form of TTIR.
static mlir::LogicalResult runOnFile(int argc, char **argv,
                                     const std::string &input,
                                     const std::string &output, TextForm form,
                                     mlir::DialectRegistry &registry) {
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::MlirOptMain(argc, argv, input, output, registry);
  if (input == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
                    "interrupt)\n";
  std::string problem;
  auto text = mlir::openInputFile(input, &problem);
  if (!text) {
    llvm::errs() << problem << '\n';
    return mlir::failure();
  }
  if (failed(checkLimits(*text)))
    return mlir::failure();
  bool hasFailed = false;
  text = readInput(std::move(text), form, registry, config, hasFailed);
  if (!text)
    return mlir::failure(hasFailed);
  auto file = mlir::openOutputFile(output, &problem);
  if (!file) {
    llvm::errs() << problem << '\n';
    return mlir::failure();
  }
  if (failed(mlir::MlirOptMain(file->os(), std::move(text), registry, config)))
    return mlir::failure();
  if (!hasFailed)
    file->keep();
  return mlir::failure(hasFailed);
}

int mlir::tt::optMain(int argc, char **argv, BinaryClock clock) {
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
  llvm::cl::opt<TextForm> form(
      "ttir-form", llvm::cl::init(TextForm::Auto),
      llvm::cl::desc("The form of TTIR that a text is in"),
      llvm::cl::values(
          clEnumValN(TextForm::Auto, "auto", "found out from the text"),
          clEnumValN(TextForm::Today, "today",
                     "what front ends write since "
                     "2025"),
          clEnumValN(TextForm::Own, "2024", "this project's own")));
  registry.addExtension(watchErrors);
  toolClock = clock;
  if (clock)
    registry.addExtension(attachToolClock<mlir::tt::ttir::TTIRDialect>);
  registry.addExtension(attachToolClock<mlir::tt::ttnn::TTNNDialect>);
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "ttmlir optimizer driver\n", registry);
  // The options are gone when MlirOptMain is over.
  bool isExpected =
      mlir::MlirOptMainConfig::createFromCLOptions().shouldVerifyDiagnostics();
  mlir::LogicalResult result =
      runOnFile(argc, argv, input, output, form, registry);
  // A run that reports an error has failed, unless it was to report it.
  if (reportedError && !isExpected)
    result = mlir::failure();
  return mlir::asMainReturnCode(result);
}
