#ifndef TTMLIR_C_TTMETAL_ATTRS_H
#define TTMLIR_C_TTMETAL_ATTRS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// The conventions are those of TTAttrs.h.

/// `#ttmetal.core_range`: the first core and the extents, rows before columns.
MLIR_CAPI_EXPORTED bool ttmlirAttributeIsATTMetalCoreRange(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirTypeID ttmlirTTMetalCoreRangeAttrGetTypeID(void);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTMetalCoreRangeAttrGet(
    MlirContext context, const int64_t *offset, size_t offsetRank,
    const int64_t *size, size_t sizeRank);
MLIR_CAPI_EXPORTED size_t
ttmlirTTMetalCoreRangeAttrGetOffset(MlirAttribute attr, const int64_t **offset);
MLIR_CAPI_EXPORTED size_t
ttmlirTTMetalCoreRangeAttrGetSize(MlirAttribute attr, const int64_t **size);

/// Arguments of kernels: the address of an operand of the dispatch, the address
/// of one of its semaphores, and numbers, one for all cores or one for each.
#define TTMLIR_DECLARE_ATTR(Name)                                              \
  MLIR_CAPI_EXPORTED bool ttmlirAttributeIsATTMetal##Name(MlirAttribute attr); \
  MLIR_CAPI_EXPORTED MlirTypeID ttmlirTTMetal##Name##AttrGetTypeID(void)

TTMLIR_DECLARE_ATTR(TensorAddress);
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTMetalTensorAddressAttrGet(MlirContext context, uint32_t operandIndex);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTMetalTensorAddressAttrGetValue(MlirAttribute attr);

TTMLIR_DECLARE_ATTR(SemaphoreAddress);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTMetalSemaphoreAddressAttrGet(
    MlirContext context, uint32_t initialValue);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTMetalSemaphoreAddressAttrGetValue(MlirAttribute attr);

TTMLIR_DECLARE_ATTR(ScalarArgs);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTMetalScalarArgsAttrGet(
    MlirContext context, const uint32_t *values, size_t size);
MLIR_CAPI_EXPORTED size_t ttmlirTTMetalScalarArgsAttrGetValues(
    MlirAttribute attr, const uint32_t **values);

#undef TTMLIR_DECLARE_ATTR

#ifdef __cplusplus
}
#endif

#endif
