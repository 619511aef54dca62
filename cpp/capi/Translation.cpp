#include "ttmlir-c/Translation.h"

#include "TextLimits.h"
#include "conversion/TodayToTTIR/TodayToTTIR.h"
#include "dialects/TT/ComputeConfig.h"
#include "dialects/TTIR/Transforms/Optimizer/Overrides.h"
#include "target/TTMetal/TTMetalToFlatbuffer.h"
#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::tt;

unsigned ttmlirFindExceededLimit(MlirStringRef text,
                                 MlirStringCallback callback, void *userData) {
  auto limit = findExceededLimit(unwrap(text));
  if (!limit)
    return 0;
  callback(wrap(limit->message), userData);
  return limit->line;
}

bool ttmlirIsTextForm(MlirStringRef form) {
  return today::symbolizeTextForm(unwrap(form)).has_value();
}

MlirModule ttmlirParseModule(MlirContext context, MlirStringRef text,
                             MlirStringRef name, MlirStringRef form) {
  auto known = today::symbolizeTextForm(unwrap(form));
  return wrap(today::parse(unwrap(text), unwrap(name), unwrap(context),
                           known.value_or(today::TextForm::Auto))
                  .release());
}

template <typename OverridesT>
static bool checkOverride(MlirStringRef name, MlirStringRef text,
                          MlirStringCallback callback, void *userData) {
  typename OverridesT::Entry entry;
  Problem problem = OverridesT::read(unwrap(name), unwrap(text), entry);
  if (!problem.empty())
    callback(wrap(problem), userData);
  return problem.empty();
}

bool ttmlirCheckLayoutOverride(MlirStringRef name, MlirStringRef text,
                               MlirStringCallback callback, void *userData) {
  return checkOverride<ttir::LayoutOverrides>(name, text, callback, userData);
}

bool ttmlirCheckComputeConfigOverride(MlirStringRef name, MlirStringRef text,
                                      MlirStringCallback callback,
                                      void *userData) {
  return checkOverride<ComputeConfigOverrides>(name, text, callback, userData);
}

namespace {
/// Attachments in the terms of C++; they refer to those of C.
class OwnAttachments {
public:
  /// False, and a diagnostic, for a data type that does not exist.
  bool read(Operation *module, const TTMLIRAttachments *found) {
    TTMLIRAttachments from = found ? *found : TTMLIRAttachments{};
    for (const TTMLIRGolden &golden : ArrayRef(from.goldens, from.numGoldens)) {
      std::optional<DataType> dataType = symbolizeDataType(golden.dataType);
      if (!dataType) {
        module->emitError("golden '")
            << unwrap(golden.key) << "': unknown data type " << golden.dataType;
        return false;
      }
      goldens.push_back({unwrap(golden.program), unwrap(golden.key),
                         ArrayRef(golden.shape, golden.rank), *dataType,
                         unwrap(golden.data)});
    }
    remarks = static_cast<RemarkList *>(from.remarks.ptr);
    return true;
  }

  Attachments get() const { return {goldens, remarks}; }

private:
  SmallVector<Golden> goldens;
  const RemarkList *remarks = nullptr;
};
} // namespace

/// Passes the bytes that `serialize` makes of the module to the callback.
template <typename SerializeT>
static MlirLogicalResult toFlatbuffer(MlirOperation module,
                                      const TTMLIRAttachments *attachments,
                                      MlirStringCallback callback,
                                      void *userData, SerializeT serialize) {
  OwnAttachments own;
  if (!own.read(unwrap(module), attachments))
    return wrap(failure());
  FailureOr<FlatbufferBytes> bytes = serialize(unwrap(module), own.get());
  if (failed(bytes))
    return wrap(failure());
  callback(wrap(bytes->str()), userData);
  return wrap(success());
}

/// A handle of the file on the heap; null on failure.
template <typename SerializeT>
static void *toSharedBuffer(MlirOperation module,
                            const TTMLIRAttachments *attachments,
                            SerializeT serialize) {
  OwnAttachments own;
  if (!own.read(unwrap(module), attachments))
    return nullptr;
  FailureOr<FlatbufferBytes> bytes = serialize(unwrap(module), own.get());
  return succeeded(bytes) ? new std::shared_ptr<void>(std::move(bytes->data))
                          : nullptr;
}

MlirLogicalResult ttmlirTTNNToFlatbuffer(MlirOperation module,
                                         const TTMLIRAttachments *attachments,
                                         MlirStringCallback callback,
                                         void *userData) {
  return toFlatbuffer(module, attachments, callback, userData,
                      ttnn::serializeToFlatbuffer);
}

MlirLogicalResult
ttmlirTTMetalToFlatbuffer(MlirOperation module,
                          const TTMLIRAttachments *attachments,
                          MlirStringCallback callback, void *userData) {
  return toFlatbuffer(module, attachments, callback, userData,
                      ttmetal::serializeToFlatbuffer);
}

void *ttmlirTTNNToSharedBuffer(MlirOperation module,
                               const TTMLIRAttachments *attachments) {
  return toSharedBuffer(module, attachments, ttnn::serializeToFlatbuffer);
}

void *ttmlirTTMetalToSharedBuffer(MlirOperation module,
                                  const TTMLIRAttachments *attachments) {
  return toSharedBuffer(module, attachments, ttmetal::serializeToFlatbuffer);
}

void ttmlirSharedBufferDestroy(void *sharedBuffer) {
  delete static_cast<std::shared_ptr<void> *>(sharedBuffer);
}

MlirLogicalResult ttmlirWriteFile(MlirStringRef path, MlirStringRef contents,
                                  MlirStringCallback callback, void *userData) {
  llvm::Error error = writeFile(unwrap(path), unwrap(contents));
  if (!error)
    return wrap(success());
  std::string message = llvm::toString(std::move(error));
  callback(wrap(StringRef(message)), userData);
  return wrap(failure());
}
