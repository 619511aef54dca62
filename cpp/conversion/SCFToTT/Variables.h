#ifndef CONVERSION_SCFTOTT_VARIABLES_H
#define CONVERSION_SCFTOTT_VARIABLES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::tt {

/// Makes `tt.variable` of the module's `tosa.variable`, and of what functions
/// read and write an argument and a result behind their own. Emits an error for
/// a name, a type or a place that cannot be.
LogicalResult promoteVariables(ModuleOp module);

} // namespace mlir::tt

#endif
