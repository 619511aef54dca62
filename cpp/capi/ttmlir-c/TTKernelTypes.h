#ifndef TTMLIR_C_TTKERNEL_TYPES_H
#define TTMLIR_C_TTKERNEL_TYPES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// `!ttkernel.cb`; port is a value of the ttkernel CBPort enumeration. A page
/// is a tile, or a row of scalars, and the shard fits once. Null and a
/// diagnostic if the arguments do not fit together.
MLIR_CAPI_EXPORTED MlirType ttmlirTTKernelCBTypeGet(MlirContext context,
                                                    uint64_t address,
                                                    uint32_t port,
                                                    MlirType memref);
/// The same with the bytes of a page and how many times the shard fits.
MLIR_CAPI_EXPORTED MlirType ttmlirTTKernelCBTypeGetWithPages(
    MlirContext context, uint64_t address, uint32_t port, MlirType memref,
    uint64_t pageSize, uint64_t numBuffers);
MLIR_CAPI_EXPORTED bool ttmlirTypeIsATTKernelCB(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID ttmlirTTKernelCBTypeGetTypeID(void);
MLIR_CAPI_EXPORTED uint32_t ttmlirTTKernelCBTypeGetPort(MlirType type);
MLIR_CAPI_EXPORTED uint64_t ttmlirTTKernelCBTypeGetAddress(MlirType type);
MLIR_CAPI_EXPORTED MlirType ttmlirTTKernelCBTypeGetMemref(MlirType type);
MLIR_CAPI_EXPORTED uint64_t ttmlirTTKernelCBTypeGetPageSize(MlirType type);
MLIR_CAPI_EXPORTED uint64_t ttmlirTTKernelCBTypeGetNumBuffers(MlirType type);

/// `!ttkernel.noc_addr`.
MLIR_CAPI_EXPORTED MlirType ttmlirTTKernelNocAddrTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED bool ttmlirTypeIsATTKernelNocAddr(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID ttmlirTTKernelNocAddrTypeGetTypeID(void);

/// `!ttkernel.tensor_accessor`.
MLIR_CAPI_EXPORTED MlirType
ttmlirTTKernelTensorAccessorTypeGet(MlirContext context);
MLIR_CAPI_EXPORTED bool ttmlirTypeIsATTKernelTensorAccessor(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID ttmlirTTKernelTensorAccessorTypeGetTypeID(void);

#ifdef __cplusplus
}
#endif

#endif
