#ifndef TARGET_TTNN_CPP_H
#define TARGET_TTNN_CPP_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::tt::ttnn {

/// The C++ of a module of the ttnn dialect; empty, without a diagnostic, if it
/// has none.
std::string emitCpp(ModuleOp module);

} // namespace mlir::tt::ttnn

#endif
