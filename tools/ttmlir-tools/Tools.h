/// The tools that are in the one program: each is the `main` of its name.
#ifndef TTMLIR_TOOLS_H
#define TTMLIR_TOOLS_H

#include "target/Clock/Clock.h"

namespace mlir::tt {

/// The optimizer compares layouts by `clock`, unless it is null.
int optMain(int argc, char **argv, BinaryClock clock);
int translateMain(int argc, char **argv);
int lspServerMain(int argc, char **argv);

/// Upstream's passes on the dialects that ttmlir-opt reads, and its conversions
/// between them. The passes that know no dialect are among the project's own.
void registerUpstreamPasses();

} // namespace mlir::tt

#endif // TTMLIR_TOOLS_H
