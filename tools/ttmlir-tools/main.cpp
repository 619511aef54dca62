#include "Tools.h"

#include "ttmlir/Version.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

namespace {
struct Tool {
  llvm::StringRef name;
  int (*run)(int argc, char **argv);
};
} // namespace

static constexpr Tool tools[] = {
    {"ttmlir-opt", mlir::tt::optMain},
    {"ttmlir-translate", mlir::tt::translateMain},
    {"ttmlir-lsp-server", mlir::tt::lspServerMain}};

/// Returns the tool that a path or a plain name calls, or null.
static const Tool *findTool(const char *path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  for (const Tool &tool : tools)
    if (tool.name == name)
      return &tool;
  return nullptr;
}

/// What LLVM gives up on, memory that there is not for one, is an error like
/// others. Files that are being written go.
static void exitOnFatalError(void *, const char *reason, bool) {
  llvm::errs() << "error: " << reason << '\n';
  llvm::sys::RunInterruptHandlers();
  llvm::sys::Process::Exit(1, /*NoCleanup=*/true);
}

static void printVersion(llvm::raw_ostream &os) {
  os << "ttmlir " TTMLIR_VERSION " (" TTMLIR_GIT_HASH "), MLIR "
     << LLVM_VERSION_STRING << '\n';
}

/// The name the program is called by says which tool it is; called by its own
/// name, the first argument does.
int main(int argc, char **argv) {
  const Tool *tool = argc > 0 ? findTool(argv[0]) : nullptr;
  if (!tool && argc > 1) {
    tool = findTool(argv[1]);
    --argc;
    ++argv;
  }
  // Python ignores it for its children. A reader that has seen enough, such as
  // head, ends the tool as it does others.
  std::signal(SIGPIPE, SIG_DFL);
  llvm::cl::SetVersionPrinter(printVersion);
  llvm::install_fatal_error_handler(exitOnFatalError);
  llvm::install_bad_alloc_error_handler(exitOnFatalError);
  if (tool)
    return tool->run(argc, argv);
  llvm::errs() << "error: expected the name of a tool, that is ";
  for (const Tool &known : tools)
    llvm::errs() << (&known == tools ? "" : ", ") << known.name;
  llvm::errs() << ", as the name of the program or as its first argument\n";
  return 1;
}
