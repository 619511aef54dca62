#ifndef TTMLIR_C_TT_TYPES_H
#define TTMLIR_C_TT_TYPES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// `!tt.tile`; dataType is a value of the tt DataType enumeration. Null and a
/// diagnostic if the arguments do not fit together.
MLIR_CAPI_EXPORTED MlirType ttmlirTTTileTypeGet(MlirContext context,
                                                int64_t height, int64_t width,
                                                uint32_t dataType);
MLIR_CAPI_EXPORTED bool ttmlirTypeIsATTTile(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID ttmlirTTTileTypeGetTypeID(void);
MLIR_CAPI_EXPORTED int64_t ttmlirTTTileTypeGetHeight(MlirType type);
MLIR_CAPI_EXPORTED int64_t ttmlirTTTileTypeGetWidth(MlirType type);
MLIR_CAPI_EXPORTED uint32_t ttmlirTTTileTypeGetDataType(MlirType type);
/// Bytes without, and with, the exponents of block formats.
MLIR_CAPI_EXPORTED uint64_t ttmlirTTTileTypeGetSizeBytes(MlirType type);
MLIR_CAPI_EXPORTED uint64_t ttmlirTTTileTypeGetStorageSizeBytes(MlirType type);
MLIR_CAPI_EXPORTED MlirType ttmlirTTTileTypeGetElementType(MlirType type);

/// `!tt.device`; `desc` must be a `#tt.device`.
MLIR_CAPI_EXPORTED MlirType ttmlirTTDeviceTypeGet(MlirContext context,
                                                  MlirAttribute desc);
MLIR_CAPI_EXPORTED bool ttmlirTypeIsATTDevice(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID ttmlirTTDeviceTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTDeviceTypeGetDesc(MlirType type);

#ifdef __cplusplus
}
#endif

#endif
