#include "dialects/TT/TensorLayout.h"

using namespace mlir;
using namespace mlir::tt;

LayoutAttr mlir::tt::getLayoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding())
                : LayoutAttr();
}

std::optional<DataType> mlir::tt::getStoredFormat(RankedTensorType type) {
  LayoutAttr layout = getLayoutOf(type);
  return elementTypeToDataType(layout ? layout.getElementType()
                                      : type.getElementType());
}
