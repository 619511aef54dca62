#ifndef TARGET_TTNN_HOSTFUNCTIONS_H
#define TARGET_TTNN_HOSTFUNCTIONS_H

#include "target/Common/Tensors.h"

#include "ttmlir/Target/TTNN/program_generated.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tt::ttnn {

/// The program of a function that the host runs, whose ops are library calls;
/// null after an error.
serialization::Offset<::tt::target::ttnn::Program>
serializeHostFunction(serialization::FlatbufferObjectCache &cache,
                      func::FuncOp func);

} // namespace mlir::tt::ttnn

#endif
