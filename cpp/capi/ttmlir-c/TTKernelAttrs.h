#ifndef TTMLIR_C_TTKERNEL_ATTRS_H
#define TTMLIR_C_TTKERNEL_ATTRS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// The conventions are those of TTAttrs.h.

#define TTMLIR_DECLARE_ATTR(Name)                                              \
  MLIR_CAPI_EXPORTED bool ttmlirAttributeIsATTKernel##Name(                    \
      MlirAttribute attr);                                                     \
  MLIR_CAPI_EXPORTED MlirTypeID ttmlirTTKernel##Name##AttrGetTypeID(void)

#define TTMLIR_DECLARE_ENUM_ATTR(Name)                                         \
  TTMLIR_DECLARE_ATTR(Name);                                                   \
  MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTKernel##Name##AttrGet(              \
      MlirContext context, uint32_t value);                                    \
  MLIR_CAPI_EXPORTED uint32_t ttmlirTTKernel##Name##AttrGetValue(              \
      MlirAttribute attr)

TTMLIR_DECLARE_ENUM_ATTR(ThreadType);
TTMLIR_DECLARE_ENUM_ATTR(EltwiseBinaryType);
TTMLIR_DECLARE_ENUM_ATTR(BroadcastType);
TTMLIR_DECLARE_ENUM_ATTR(PoolType);
TTMLIR_DECLARE_ENUM_ATTR(ReduceDim);
/// The network on chip of a data movement kernel.
TTMLIR_DECLARE_ENUM_ATTR(NocConfig);

/// Takes a value of the enumeration MathFidelity.
TTMLIR_DECLARE_ATTR(TensixConfig);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTKernelTensixConfigAttrGet(
    MlirContext context, uint32_t mathFidelity, bool fp32DestAccEn,
    bool preserveFp32Precision, bool mathApproxMode);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTKernelTensixConfigAttrGetMathFidelity(MlirAttribute attr);
MLIR_CAPI_EXPORTED bool
ttmlirTTKernelTensixConfigAttrGetFp32DestAccEn(MlirAttribute attr);
MLIR_CAPI_EXPORTED bool
ttmlirTTKernelTensixConfigAttrGetPreserveFp32Precision(MlirAttribute attr);
MLIR_CAPI_EXPORTED bool
ttmlirTTKernelTensixConfigAttrGetMathApproxMode(MlirAttribute attr);

/// Takes values of the enumerations EthType and NocIndex.
TTMLIR_DECLARE_ATTR(EthernetConfig);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTKernelEthernetConfigAttrGet(
    MlirContext context, uint32_t ethType, uint32_t nocIndex);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTKernelEthernetConfigAttrGetEthType(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTKernelEthernetConfigAttrGetNocIndex(MlirAttribute attr);

/// Where the pages of a tensor are in memory: takes values of the tt
/// enumerations MemorySpace and TensorMemoryLayout, bytes, rows and columns of
/// pages, and for a sharded layout those of a shard and four numbers for each
/// rectangle of cores (y, x, rows, columns).
TTMLIR_DECLARE_ATTR(TensorAccessorArgs);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTKernelTensorAccessorArgsAttrGet(
    MlirContext context, uint32_t memorySpace, uint32_t memoryLayout,
    uint64_t pageSize, uint64_t alignedPageSize, const int64_t *tensorPages,
    size_t tensorPagesRank, const int64_t *shardPages, size_t shardPagesRank,
    const int64_t *cores, size_t coresSize);
/// Those of a tensor with a layout, on a chip of the system (a
/// `#tt.system_desc`). Null and a diagnostic if it has no pages.
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTKernelTensorAccessorArgsAttrGetForTensor(MlirType tensorType,
                                                 MlirAttribute systemDesc);
MLIR_CAPI_EXPORTED uint64_t
ttmlirTTKernelTensorAccessorArgsAttrGetPageSize(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint64_t
ttmlirTTKernelTensorAccessorArgsAttrGetAlignedPageSize(MlirAttribute attr);
MLIR_CAPI_EXPORTED size_t ttmlirTTKernelTensorAccessorArgsAttrGetTensorPages(
    MlirAttribute attr, const int64_t **pages);
/// None if it is not sharded.
MLIR_CAPI_EXPORTED size_t ttmlirTTKernelTensorAccessorArgsAttrGetShardPages(
    MlirAttribute attr, const int64_t **pages);
/// Bytes in the fullest bank of DRAM, or in the L1 of a core that has a shard.
MLIR_CAPI_EXPORTED uint64_t ttmlirTTKernelTensorAccessorArgsAttrGetBytesPerBank(
    MlirAttribute attr, MlirAttribute systemDesc);

#undef TTMLIR_DECLARE_ENUM_ATTR
#undef TTMLIR_DECLARE_ATTR

#ifdef __cplusplus
}
#endif

#endif
