#ifndef TTMLIR_C_TRANSLATION_H
#define TTMLIR_C_TRANSLATION_H

#include "ttmlir-c/Remarks.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The line, from 1 on, where a text of MLIR exceeds a limit beyond which
/// MLIR's parser ends the process; 0 if none. `callback` receives the error.
MLIR_CAPI_EXPORTED unsigned ttmlirFindExceededLimit(MlirStringRef text,
                                                    MlirStringCallback callback,
                                                    void *userData);

/// Whether it names a form of TTIR: `auto`, `today` or `2024`.
MLIR_CAPI_EXPORTED bool ttmlirIsTextForm(MlirStringRef form);

/// A module of a text or of bytecode, which locations call `name`; null, and a
/// diagnostic, if it does not parse. A text in the form of TTIR that front ends
/// write since 2025 becomes TTIR of this project; `auto` finds out.
MLIR_CAPI_EXPORTED MlirModule ttmlirParseModule(MlirContext context,
                                                MlirStringRef text,
                                                MlirStringRef name,
                                                MlirStringRef form);

/// Whether a text such as `4x4:l1:block_sharded` is a layout for the op `name`,
/// as in the option override-output-layout; if not, `callback` receives the
/// reason.
MLIR_CAPI_EXPORTED bool ttmlirCheckLayoutOverride(MlirStringRef name,
                                                  MlirStringRef text,
                                                  MlirStringCallback callback,
                                                  void *userData);

/// The same for a text such as `hifi4:fp32_dest_acc_en` of the option
/// override-compute-config.
MLIR_CAPI_EXPORTED bool
ttmlirCheckComputeConfigOverride(MlirStringRef name, MlirStringRef text,
                                 MlirStringCallback callback, void *userData);

/// What an input or an output of a program is expected to hold: `key` is
/// `input_<i>` or `output_<i>`, `dataType` a value of the tt DataType
/// enumeration, `data` the elements, row-major.
typedef struct TTMLIRGolden {
  MlirStringRef program;
  MlirStringRef key;
  const int64_t *shape;
  size_t rank;
  uint32_t dataType;
  MlirStringRef data;
} TTMLIRGolden;

/// What a file has beside its programs.
typedef struct TTMLIRAttachments {
  const TTMLIRGolden *goldens;
  size_t numGoldens;
  TTMLIRRemarkList remarks;
} TTMLIRAttachments;

/// Serializes a module of the ttnn or ttmetal dialect, with goldens and remarks
/// of its programs; null for neither. Passes the bytes of the size-prefixed
/// flatbuffer to `callback` in one piece. On failure there is a diagnostic and
/// the callback is not called.
MLIR_CAPI_EXPORTED MlirLogicalResult ttmlirTTNNToFlatbuffer(
    MlirOperation module, const TTMLIRAttachments *attachments,
    MlirStringCallback callback, void *userData);
MLIR_CAPI_EXPORTED MlirLogicalResult ttmlirTTMetalToFlatbuffer(
    MlirOperation module, const TTMLIRAttachments *attachments,
    MlirStringCallback callback, void *userData);

/// The same as a heap-allocated `std::shared_ptr<void>` to the bytes; null on
/// failure. Release it with ttmlirSharedBufferDestroy.
MLIR_CAPI_EXPORTED void *
ttmlirTTNNToSharedBuffer(MlirOperation module,
                         const TTMLIRAttachments *attachments);
MLIR_CAPI_EXPORTED void *
ttmlirTTMetalToSharedBuffer(MlirOperation module,
                            const TTMLIRAttachments *attachments);
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
