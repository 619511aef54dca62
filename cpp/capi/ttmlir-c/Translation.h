#ifndef TTMLIR_C_TRANSLATION_H
#define TTMLIR_C_TRANSLATION_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Serializes a module of the ttnn dialect. Hands the bytes of the
/// size-prefixed flatbuffer to `callback` in one piece. On failure there is a
/// diagnostic and the callback is not called.
MLIR_CAPI_EXPORTED MlirLogicalResult ttmlirTTNNToFlatbuffer(
    MlirOperation module, MlirStringCallback callback, void *userData);

/// The same as a heap-allocated `std::shared_ptr<void>` to the bytes; null on
/// failure. Release it with ttmlirSharedBufferDestroy.
MLIR_CAPI_EXPORTED void *ttmlirTTNNToSharedBuffer(MlirOperation module);
MLIR_CAPI_EXPORTED void ttmlirSharedBufferDestroy(void *sharedBuffer);

/// Writes a file that appears under its name when it is complete. On failure
/// the callback gets the reason, and there is no file.
MLIR_CAPI_EXPORTED MlirLogicalResult
ttmlirWriteFile(MlirStringRef path, MlirStringRef contents,
                MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
