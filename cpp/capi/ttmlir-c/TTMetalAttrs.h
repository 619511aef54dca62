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

#ifdef __cplusplus
}
#endif

#endif
