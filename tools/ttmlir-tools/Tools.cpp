#include "Tools.h"

#include "ttmlir-c/Tools.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

static constexpr llvm::StringLiteral tools[] = {
    "ttmlir-opt", "ttmlir-translate", "ttmlir-lsp-server"};

/// Returns the tool that a path or a plain name calls, or an empty name.
static llvm::StringRef findTool(const char *path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  return llvm::is_contained(tools, name) ? name : llvm::StringRef();
}

/// What LLVM gives up on, memory that there is not for one, is an error like
/// others. Files that are being written go.
static void exitOnFatalError(void *, const char *reason, bool) {
  llvm::errs() << "error: " << reason << '\n';
  llvm::sys::RunInterruptHandlers();
  llvm::sys::Process::Exit(1, /*NoCleanup=*/true);
}

int ttmlirRunTool(int argc, char **argv, const char *version,
                  TTMLIRBinaryClock clock) {
  llvm::StringRef tool = argc > 0 ? findTool(argv[0]) : llvm::StringRef();
  if (tool.empty() && argc > 1) {
    tool = findTool(argv[1]);
    --argc;
    ++argv;
  }
  // Python ignores it for its children. A reader that has seen enough, such as
  // head, ends the tool as it does others.
  std::signal(SIGPIPE, SIG_DFL);
  llvm::cl::SetVersionPrinter([version](llvm::raw_ostream &os) {
    os << version << ", MLIR " << LLVM_VERSION_STRING << '\n';
  });
  llvm::install_fatal_error_handler(exitOnFatalError);
  llvm::install_bad_alloc_error_handler(exitOnFatalError);
  if (tool == "ttmlir-opt")
    return mlir::tt::optMain(argc, argv, clock);
  if (tool == "ttmlir-translate")
    return mlir::tt::translateMain(argc, argv);
  if (tool == "ttmlir-lsp-server")
    return mlir::tt::lspServerMain(argc, argv);
  llvm::errs() << "error: expected the name of a tool, that is "
               << llvm::join(llvm::ArrayRef(tools), ", ")
               << ", as the name of the program or as its first argument\n";
  return 1;
}
