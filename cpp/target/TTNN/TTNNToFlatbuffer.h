#ifndef TARGET_TTNN_TTNNTOFLATBUFFER_H
#define TARGET_TTNN_TTNNTOFLATBUFFER_H

#include "target/Common/Flatbuffer.h"

#include "mlir/IR/Operation.h"

namespace mlir::tt::ttnn {

/// Serializes a module of the ttnn dialect as a size-prefixed TTNN binary:
/// version, system description, and one program for each function, with its
/// goldens and remarks. On failure there is an error at the op that cannot be
/// serialized, or at the function that a golden does not fit, and no bytes.
FailureOr<FlatbufferBytes>
serializeToFlatbuffer(Operation *module, const Attachments &attachments = {});

/// The same into a stream, to which nothing is written on failure.
LogicalResult translateTTNNToFlatbuffer(Operation *module,
                                        llvm::raw_ostream &os);

/// Registers `ttnn-to-flatbuffer` with mlir-translate.
void registerTTNNToFlatbuffer();

} // namespace mlir::tt::ttnn

#endif
