#ifndef REGISTER_ALL_H
#define REGISTER_ALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::tt {

/// Adds the project's dialects and the upstream dialects that its programs use
/// (arith, func, ml_program, tensor, linalg, scf, cf, tosa, vector, emitc).
void registerAllDialects(DialectRegistry &registry);

/// Registers the project's passes and pipelines, and upstream's general
/// transformations (canonicalize, cse, inline, remove-dead-values ...), for the
/// command line and for textual pipelines. May be called more than once.
void registerAllPasses();

/// Defaults of a command-line tool, before it parses its arguments: a
/// diagnostic shows the line of the source only.
/// `--mlir-print-op-on-diagnostic` adds the IR of the op, which for a module is
/// all of it.
void setToolDefaults();

} // namespace mlir::tt

#endif
