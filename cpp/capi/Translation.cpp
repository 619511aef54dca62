#include "ttmlir-c/Translation.h"

#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace mlir::tt;

/// Nothing and a diagnostic for a data type that does not exist.
static std::optional<SmallVector<Golden>>
asGoldens(Operation *module, const TTMLIRGolden *goldens, size_t numGoldens) {
  SmallVector<Golden> result;
  for (const TTMLIRGolden &golden : ArrayRef(goldens, numGoldens)) {
    std::optional<DataType> dataType = symbolizeDataType(golden.dataType);
    if (!dataType) {
      module->emitError("golden '")
          << unwrap(golden.key) << "': unknown data type " << golden.dataType;
      return std::nullopt;
    }
    result.push_back({unwrap(golden.program), unwrap(golden.key),
                      ArrayRef(golden.shape, golden.rank), *dataType,
                      unwrap(golden.data)});
  }
  return result;
}

MlirLogicalResult ttmlirTTNNToFlatbuffer(MlirOperation module,
                                         const TTMLIRGolden *goldens,
                                         size_t numGoldens,
                                         MlirStringCallback callback,
                                         void *userData) {
  auto own = asGoldens(unwrap(module), goldens, numGoldens);
  if (!own)
    return wrap(failure());
  FailureOr<FlatbufferBytes> bytes =
      ttnn::serializeToFlatbuffer(unwrap(module), *own);
  if (failed(bytes))
    return wrap(failure());
  StringRef text = bytes->str();
  callback(wrap(text), userData);
  return wrap(success());
}

void *ttmlirTTNNToSharedBuffer(MlirOperation module,
                               const TTMLIRGolden *goldens, size_t numGoldens) {
  auto own = asGoldens(unwrap(module), goldens, numGoldens);
  if (!own)
    return nullptr;
  std::shared_ptr<void> buffer = ttnn::ttnnToFlatbuffer(unwrap(module), *own);
  return buffer ? new std::shared_ptr<void>(std::move(buffer)) : nullptr;
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
