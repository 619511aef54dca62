#include "ttmlir-c/TTMetalAttrs.h"

#include "Conversions.h"
#include "dialects/TTMetal/TTMetal.h"

using namespace mlir;
using namespace mlir::tt::capi;
using mlir::tt::ttmetal::CoreRangeAttr;

TTMLIR_DEFINE_ATTR_OF(TTMetal, CoreRangeAttr, CoreRange)
MlirAttribute ttmlirTTMetalCoreRangeAttrGet(MlirContext context,
                                            const int64_t *offset,
                                            size_t offsetRank,
                                            const int64_t *size,
                                            size_t sizeRank) {
  return wrap(CoreRangeAttr::getChecked(errorEmitter(context), unwrap(context),
                                        ArrayRef(offset, offsetRank),
                                        ArrayRef(size, sizeRank)));
}
size_t ttmlirTTMetalCoreRangeAttrGetOffset(MlirAttribute attr,
                                           const int64_t **offset) {
  return show(as<CoreRangeAttr>(attr).getOffset(), offset);
}
size_t ttmlirTTMetalCoreRangeAttrGetSize(MlirAttribute attr,
                                         const int64_t **size) {
  return show(as<CoreRangeAttr>(attr).getSize(), size);
}
