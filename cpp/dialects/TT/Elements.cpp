//===- Elements.cpp - dense elements of attributes and resources ----------===//

#include "dialects/TT/Elements.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::tt {

DenseElementsAttr getDenseElements(ElementsAttr elements, ShapedType type) {
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(elements))
    return dense.getType() == type
               ? dense
               : DenseElementsAttr::getFromRawBuffer(type, dense.getRawData());
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || !type.getElementType().isIntOrFloat())
    return {};
  ArrayRef<char> data = blob->getData();
  if (type.getElementType().isInteger(1)) {
    // A byte for each; dense elements may have a bit.
    if (static_cast<int64_t>(data.size()) != type.getNumElements())
      return {};
    SmallVector<bool> bits;
    for (char byte : data)
      bits.push_back(byte != 0);
    return DenseElementsAttr::get(type, ArrayRef<bool>(bits));
  }
  int64_t width = type.getElementType().getIntOrFloatBitWidth() / 8;
  if (static_cast<int64_t>(data.size()) != type.getNumElements() * width)
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, data);
}

} // namespace mlir::tt
