#ifndef TARGET_TTNN_GOLDENS_H
#define TARGET_TTNN_GOLDENS_H

#include "target/TTNN/Support.h"
#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tt::ttnn {

/// Every golden names a function of the module, no key comes twice, and shape
/// and number of bytes are those of the input or output; else an error.
LogicalResult verifyGoldens(ModuleOp module, ArrayRef<Golden> goldens);

/// The goldens of one program; null if it has none.
Offset<fbs::GoldenInfo> createGoldenInfo(::flatbuffers::FlatBufferBuilder &fbb,
                                         StringRef program,
                                         ArrayRef<Golden> goldens);

} // namespace mlir::tt::ttnn

#endif
