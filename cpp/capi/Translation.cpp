#include "ttmlir-c/Translation.h"

#include "TextLimits.h"
#include "dialects/TT/ComputeConfig.h"
#include "dialects/TTIR/Transforms/Optimizer/Overrides.h"
#include "target/TTMetal/TTMetalToFlatbuffer.h"
#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

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

bool ttmlirCheckLayoutOverride(MlirStringRef name, MlirStringRef text,
                               MlirStringCallback callback, void *userData) {
  std::string problem = ttir::checkLayoutOverride(unwrap(name), unwrap(text));
  if (!problem.empty())
    callback(wrap(problem), userData);
  return problem.empty();
}

bool ttmlirCheckComputeConfigOverride(MlirStringRef name, MlirStringRef text,
                                      MlirStringCallback callback,
                                      void *userData) {
  std::string problem = checkComputeConfigOverride(unwrap(name), unwrap(text));
  if (!problem.empty())
    callback(wrap(problem), userData);
  return problem.empty();
}

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

/// Passes the bytes that `serialize` makes of the module to the callback.
template <typename SerializeT>
static MlirLogicalResult
toFlatbuffer(MlirOperation module, const TTMLIRGolden *goldens,
             size_t numGoldens, MlirStringCallback callback, void *userData,
             SerializeT serialize) {
  auto own = asGoldens(unwrap(module), goldens, numGoldens);
  if (!own)
    return wrap(failure());
  FailureOr<FlatbufferBytes> bytes =
      serialize(unwrap(module), ArrayRef<Golden>(*own));
  if (failed(bytes))
    return wrap(failure());
  callback(wrap(bytes->str()), userData);
  return wrap(success());
}

/// What `translate` makes of the module, on the heap; null on failure.
template <typename TranslateT>
static void *toSharedBuffer(MlirOperation module, const TTMLIRGolden *goldens,
                            size_t numGoldens, TranslateT translate) {
  auto own = asGoldens(unwrap(module), goldens, numGoldens);
  if (!own)
    return nullptr;
  std::shared_ptr<void> buffer =
      translate(unwrap(module), ArrayRef<Golden>(*own));
  return buffer ? new std::shared_ptr<void>(std::move(buffer)) : nullptr;
}

MlirLogicalResult ttmlirTTNNToFlatbuffer(MlirOperation module,
                                         const TTMLIRGolden *goldens,
                                         size_t numGoldens,
                                         MlirStringCallback callback,
                                         void *userData) {
  return toFlatbuffer(module, goldens, numGoldens, callback, userData,
                      ttnn::serializeToFlatbuffer);
}

MlirLogicalResult ttmlirTTMetalToFlatbuffer(MlirOperation module,
                                            const TTMLIRGolden *goldens,
                                            size_t numGoldens,
                                            MlirStringCallback callback,
                                            void *userData) {
  return toFlatbuffer(module, goldens, numGoldens, callback, userData,
                      ttmetal::serializeToFlatbuffer);
}

void *ttmlirTTNNToSharedBuffer(MlirOperation module,
                               const TTMLIRGolden *goldens, size_t numGoldens) {
  return toSharedBuffer(module, goldens, numGoldens, ttnn::ttnnToFlatbuffer);
}

void *ttmlirTTMetalToSharedBuffer(MlirOperation module,
                                  const TTMLIRGolden *goldens,
                                  size_t numGoldens) {
  return toSharedBuffer(module, goldens, numGoldens,
                        ttmetal::ttmetalToFlatbuffer);
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
