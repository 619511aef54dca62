#include "ttmlir-c/TTMetalAttrs.h"

#include "Conversions.h"
#include "dialects/TTMetal/TTMetal.h"

using namespace mlir;
using namespace mlir::tt::capi;
using namespace mlir::tt::ttmetal;

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

TTMLIR_DEFINE_ATTR_OF(TTMetal, TensorAddressAttr, TensorAddress)
MlirAttribute ttmlirTTMetalTensorAddressAttrGet(MlirContext context,
                                                uint32_t operandIndex) {
  return wrap(TensorAddressAttr::get(unwrap(context), operandIndex));
}
uint32_t ttmlirTTMetalTensorAddressAttrGetValue(MlirAttribute attr) {
  return as<TensorAddressAttr>(attr).getOperandIndex();
}

TTMLIR_DEFINE_ATTR_OF(TTMetal, SemaphoreAddressAttr, SemaphoreAddress)
MlirAttribute ttmlirTTMetalSemaphoreAddressAttrGet(MlirContext context,
                                                   uint32_t initialValue) {
  return wrap(SemaphoreAddressAttr::get(unwrap(context), initialValue));
}
uint32_t ttmlirTTMetalSemaphoreAddressAttrGetValue(MlirAttribute attr) {
  return as<SemaphoreAddressAttr>(attr).getInitialValue();
}

TTMLIR_DEFINE_ATTR_OF(TTMetal, ScalarArgsAttr, ScalarArgs)
MlirAttribute ttmlirTTMetalScalarArgsAttrGet(MlirContext context,
                                             const uint32_t *values,
                                             size_t size) {
  return wrap(ScalarArgsAttr::getChecked(errorEmitter(context), unwrap(context),
                                         ArrayRef(values, size)));
}
size_t ttmlirTTMetalScalarArgsAttrGetValues(MlirAttribute attr,
                                            const uint32_t **values) {
  return show(as<ScalarArgsAttr>(attr).getValues(), values);
}
