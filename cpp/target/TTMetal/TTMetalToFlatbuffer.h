#ifndef TARGET_TTMETAL_TTMETALTOFLATBUFFER_H
#define TARGET_TTMETAL_TTMETALTOFLATBUFFER_H

#include "target/Common/Flatbuffer.h"

#include "mlir/IR/Operation.h"

namespace mlir::tt::ttmetal {

/// Serializes a module of the ttmetal dialect as a size-prefixed TTMetal
/// binary: version, system description, and one program for each function, with
/// its commands, compiled kernels and goldens and remarks. On failure there is
/// an error at the op that cannot be serialized, or at the function that a
/// golden does not fit, and no bytes.
FailureOr<FlatbufferBytes>
serializeToFlatbuffer(Operation *module, const Attachments &attachments = {});

/// The same into a stream, to which nothing is written on failure.
LogicalResult translateTTMetalToFlatbuffer(Operation *module,
                                           llvm::raw_ostream &os);

/// Registers `ttmetal-to-flatbuffer` with mlir-translate.
void registerTTMetalToFlatbuffer();

} // namespace mlir::tt::ttmetal

#endif
