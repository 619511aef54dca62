#ifndef TARGET_COMMON_GOLDENS_H
#define TARGET_COMMON_GOLDENS_H

#include "target/Common/Flatbuffer.h"

#include "ttmlir/Target/Common/debug_info_generated.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tt::serialization {

/// Every golden names a function of the module, no key is there twice, and
/// shape and number of bytes are those of the input or output; else an error.
LogicalResult verifyGoldens(ModuleOp module, ArrayRef<Golden> goldens);

/// The goldens of one program; null if it has none.
::flatbuffers::Offset<::tt::target::GoldenInfo>
createGoldenInfo(::flatbuffers::FlatBufferBuilder &fbb, StringRef program,
                 ArrayRef<Golden> goldens);

} // namespace mlir::tt::serialization

#endif
