#include "ttmlir-c/TTIRShapes.h"

#include "dialects/TTIR/InferShapes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace mlir::tt;

MlirLogicalResult ttmlirTTIRInferShapes(
    MlirStringRef name, MlirLocation location, const MlirValue *inputs,
    size_t numInputs, MlirAttribute attributes, const int64_t *meshShape,
    size_t meshRank, TTMLIRShapeCallback callback, void *userData) {
  SmallVector<Value> values;
  for (MlirValue input : ArrayRef(inputs, numInputs))
    values.push_back(unwrap(input));
  FailureOr<SmallVector<shapes::Shape>> found = ttir::inferOutputShapes(
      unwrap(name), unwrap(location), values,
      cast<DictionaryAttr>(unwrap(attributes)), ArrayRef(meshShape, meshRank));
  if (failed(found))
    return wrap(failure());
  for (const shapes::Shape &shape : *found)
    callback(shape.data(), shape.size(), userData);
  return wrap(success());
}
