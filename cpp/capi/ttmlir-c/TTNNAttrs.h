#ifndef TTMLIR_C_TTNN_ATTRS_H
#define TTMLIR_C_TTNN_ATTRS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// The conventions are those of TTAttrs.h.

#define TTMLIR_DECLARE_ATTR(Name)                                              \
  MLIR_CAPI_EXPORTED bool ttmlirAttributeIsATTNN##Name(MlirAttribute attr);    \
  MLIR_CAPI_EXPORTED MlirTypeID ttmlirTTNN##Name##AttrGetTypeID(void)

#define TTMLIR_DECLARE_ENUM_ATTR(Name)                                         \
  TTMLIR_DECLARE_ATTR(Name);                                                   \
  MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTNN##Name##AttrGet(                  \
      MlirContext context, uint32_t value);                                    \
  MLIR_CAPI_EXPORTED uint32_t ttmlirTTNN##Name##AttrGetValue(MlirAttribute attr)

TTMLIR_DECLARE_ENUM_ATTR(Layout);
TTMLIR_DECLARE_ENUM_ATTR(TensorMemoryLayout);
TTMLIR_DECLARE_ENUM_ATTR(BufferType);

/// Takes the values of the two enumerations.
TTMLIR_DECLARE_ATTR(MemoryConfig);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTNNMemoryConfigAttrGet(
    MlirContext context, uint32_t tensorMemoryLayout, uint32_t bufferType);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTNNMemoryConfigAttrGetTensorMemoryLayout(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTNNMemoryConfigAttrGetBufferType(MlirAttribute attr);

/// A value of tt's enumeration MathFidelity, and switches of 0 and 1; each may
/// be -1, which is absent.
TTMLIR_DECLARE_ATTR(DeviceComputeKernelConfig);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTNNDeviceComputeKernelConfigAttrGet(
    MlirContext context, int64_t mathFidelity, int mathApproxMode,
    int fp32DestAccEn, int packerL1Acc);
MLIR_CAPI_EXPORTED int64_t
ttmlirTTNNDeviceComputeKernelConfigAttrGetMathFidelity(MlirAttribute attr);
MLIR_CAPI_EXPORTED int
ttmlirTTNNDeviceComputeKernelConfigAttrGetMathApproxMode(MlirAttribute attr);
MLIR_CAPI_EXPORTED int
ttmlirTTNNDeviceComputeKernelConfigAttrGetFp32DestAccEn(MlirAttribute attr);
MLIR_CAPI_EXPORTED int
ttmlirTTNNDeviceComputeKernelConfigAttrGetPackerL1Acc(MlirAttribute attr);

TTMLIR_DECLARE_ATTR(Shape);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTNNShapeAttrGet(MlirContext context,
                                                        const int64_t *shape,
                                                        size_t rank);
MLIR_CAPI_EXPORTED size_t ttmlirTTNNShapeAttrGetShape(MlirAttribute attr,
                                                      const int64_t **shape);

TTMLIR_DECLARE_ATTR(MeshShape);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTNNMeshShapeAttrGet(MlirContext context,
                                                            int64_t y,
                                                            int64_t x);
MLIR_CAPI_EXPORTED int64_t ttmlirTTNNMeshShapeAttrGetY(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t ttmlirTTNNMeshShapeAttrGetX(MlirAttribute attr);

/// The first core and the extents, rows before columns.
TTMLIR_DECLARE_ATTR(CoreRange);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTNNCoreRangeAttrGet(
    MlirContext context, const int64_t *offset, size_t offsetRank,
    const int64_t *size, size_t sizeRank);
MLIR_CAPI_EXPORTED size_t
ttmlirTTNNCoreRangeAttrGetOffset(MlirAttribute attr, const int64_t **offset);
MLIR_CAPI_EXPORTED size_t ttmlirTTNNCoreRangeAttrGetSize(MlirAttribute attr,
                                                         const int64_t **size);

#undef TTMLIR_DECLARE_ENUM_ATTR
#undef TTMLIR_DECLARE_ATTR

#ifdef __cplusplus
}
#endif

#endif
