#include "ttmlir-c/Translation.h"

#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace mlir::tt;

MlirLogicalResult ttmlirTTNNToFlatbuffer(MlirOperation module,
                                         MlirStringCallback callback,
                                         void *userData) {
  FailureOr<FlatbufferBytes> bytes =
      ttnn::serializeToFlatbuffer(unwrap(module));
  if (failed(bytes))
    return wrap(failure());
  StringRef text = bytes->str();
  callback(wrap(text), userData);
  return wrap(success());
}

void *ttmlirTTNNToSharedBuffer(MlirOperation module) {
  std::shared_ptr<void> buffer = ttnn::ttnnToFlatbuffer(unwrap(module));
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
