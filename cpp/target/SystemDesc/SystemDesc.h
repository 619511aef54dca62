#ifndef TARGET_SYSTEMDESC_SYSTEMDESC_H
#define TARGET_SYSTEMDESC_SYSTEMDESC_H

#include "dialects/TT/TT.h"

#include "ttmlir/Target/Common/system_desc_generated.h"

namespace mlir::tt {

/// Enumerations of the IR as those of the flatbuffer schemas; the values are
/// equal and checked to be so.
::tt::target::Arch toFlatbuffer(Arch arch);
::tt::target::DataType toFlatbuffer(DataType dataType);
::tt::target::OOBVal toFlatbuffer(OOBVal oobVal);
::tt::target::MemorySpace toFlatbuffer(MemorySpace memorySpace);
::tt::target::TensorMemoryLayout toFlatbuffer(TensorMemoryLayout memLayout);

/// Writes the description into a flatbuffer that is being built.
::flatbuffers::Offset<::tt::target::SystemDesc>
toFlatbuffer(::flatbuffers::FlatBufferBuilder &builder,
             SystemDescAttr systemDesc);

/// The description in a table that has passed the verifier. Emits an error and
/// fails if a field is missing or has a value that the IR does not know.
FailureOr<SystemDescAttr>
fromFlatbuffer(function_ref<InFlightDiagnostic()> emitError,
               MLIRContext *context,
               const ::tt::target::SystemDesc *systemDesc);

/// Reads a size-prefixed `.ttsys` buffer. `source` names it in messages. Emits
/// an error and fails if the buffer is truncated, is not a system description,
/// or was written by another version.
FailureOr<SystemDescAttr>
parseSystemDesc(function_ref<InFlightDiagnostic()> emitError,
                MLIRContext *context, StringRef buffer, StringRef source);

/// The same for a file.
FailureOr<SystemDescAttr>
loadSystemDesc(function_ref<InFlightDiagnostic()> emitError,
               MLIRContext *context, StringRef path);

/// Writes the size-prefixed `.ttsys` buffer. `productIdentifier` is a free
/// text that names the system.
void writeSystemDesc(SystemDescAttr systemDesc, StringRef productIdentifier,
                     raw_ostream &os);

/// `ttmlir-translate --system-desc-to-flatbuffer` (the `tt.system_desc` of a
/// module, or the system that `--system` names when it has none, to `.ttsys`)
/// and `--flatbuffer-to-system-desc` (the reverse).
void registerSystemDescTranslations();

} // namespace mlir::tt

#endif
