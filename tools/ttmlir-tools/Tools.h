/// The tools that are in the one program: each is the `main` of its name.
#ifndef TTMLIR_TOOLS_H
#define TTMLIR_TOOLS_H

namespace mlir::tt {

int optMain(int argc, char **argv);
int translateMain(int argc, char **argv);
int lspServerMain(int argc, char **argv);

/// Upstream's passes on the dialects that ttmlir-opt reads, and its conversions
/// between them. The passes that know no dialect are among the project's own.
void registerUpstreamPasses();

} // namespace mlir::tt

#endif // TTMLIR_TOOLS_H
