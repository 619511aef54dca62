#include "ttmlir-c/TTNNAttrs.h"

#include "Conversions.h"
#include "dialects/TTNN/TTNN.h"

using namespace mlir;
using namespace mlir::tt::capi;
namespace ttnn = mlir::tt::ttnn;

#define TTMLIR_DEFINE_ATTR(Name)                                               \
  TTMLIR_DEFINE_ATTR_OF(TTNN, ttnn::Name##Attr, Name)

#define TTMLIR_DEFINE_ENUM_ATTR(Name)                                          \
  TTMLIR_DEFINE_ATTR(Name)                                                     \
  MlirAttribute ttmlirTTNN##Name##AttrGet(MlirContext context,                 \
                                          uint32_t value) {                    \
    return getEnumAttr<ttnn::Name, ttnn::Name##Attr>(                          \
        context, value, ttnn::symbolize##Name, #Name);                         \
  }                                                                            \
  uint32_t ttmlirTTNN##Name##AttrGetValue(MlirAttribute attr) {                \
    return static_cast<uint32_t>(as<ttnn::Name##Attr>(attr).getValue());       \
  }

TTMLIR_DEFINE_ENUM_ATTR(Layout)
TTMLIR_DEFINE_ENUM_ATTR(TensorMemoryLayout)
TTMLIR_DEFINE_ENUM_ATTR(BufferType)

TTMLIR_DEFINE_ATTR(MemoryConfig)
MlirAttribute ttmlirTTNNMemoryConfigAttrGet(MlirContext context,
                                            uint32_t tensorMemoryLayout,
                                            uint32_t bufferType) {
  MlirAttribute layout =
      ttmlirTTNNTensorMemoryLayoutAttrGet(context, tensorMemoryLayout);
  MlirAttribute buffer = ttmlirTTNNBufferTypeAttrGet(context, bufferType);
  if (!layout.ptr || !buffer.ptr)
    return MlirAttribute{nullptr};
  return wrap(ttnn::MemoryConfigAttr::get(
      unwrap(context), as<ttnn::TensorMemoryLayoutAttr>(layout),
      as<ttnn::BufferTypeAttr>(buffer)));
}
uint32_t ttmlirTTNNMemoryConfigAttrGetTensorMemoryLayout(MlirAttribute attr) {
  return static_cast<uint32_t>(
      as<ttnn::MemoryConfigAttr>(attr).getTensorMemoryLayout().getValue());
}
uint32_t ttmlirTTNNMemoryConfigAttrGetBufferType(MlirAttribute attr) {
  return static_cast<uint32_t>(
      as<ttnn::MemoryConfigAttr>(attr).getBufferType().getValue());
}

TTMLIR_DEFINE_ATTR(DeviceComputeKernelConfig)
MlirAttribute ttmlirTTNNDeviceComputeKernelConfigAttrGet(MlirContext context,
                                                         int64_t mathFidelity,
                                                         int mathApproxMode,
                                                         int fp32DestAccEn,
                                                         int packerL1Acc) {
  std::optional<mlir::tt::MathFidelity> fidelity;
  if (mathFidelity >= 0) {
    fidelity = mlir::tt::symbolizeMathFidelity(mathFidelity);
    if (!fidelity) {
      errorEmitter(context)() << "unknown MathFidelity " << mathFidelity;
      return MlirAttribute{nullptr};
    }
  }
  auto flag = [&](int value) {
    return value < 0 ? BoolAttr() : BoolAttr::get(unwrap(context), value != 0);
  };
  return wrap(ttnn::DeviceComputeKernelConfigAttr::get(
      unwrap(context), fidelity, flag(mathApproxMode), flag(fp32DestAccEn),
      flag(packerL1Acc)));
}
static int valueOf(BoolAttr flag) { return flag ? flag.getValue() : -1; }
int64_t
ttmlirTTNNDeviceComputeKernelConfigAttrGetMathFidelity(MlirAttribute attr) {
  auto fidelity =
      as<ttnn::DeviceComputeKernelConfigAttr>(attr).getMathFidelity();
  return fidelity ? static_cast<int64_t>(*fidelity) : -1;
}
int ttmlirTTNNDeviceComputeKernelConfigAttrGetMathApproxMode(
    MlirAttribute attr) {
  return valueOf(
      as<ttnn::DeviceComputeKernelConfigAttr>(attr).getMathApproxMode());
}
int ttmlirTTNNDeviceComputeKernelConfigAttrGetFp32DestAccEn(
    MlirAttribute attr) {
  return valueOf(
      as<ttnn::DeviceComputeKernelConfigAttr>(attr).getFp32DestAccEn());
}
int ttmlirTTNNDeviceComputeKernelConfigAttrGetPackerL1Acc(MlirAttribute attr) {
  return valueOf(
      as<ttnn::DeviceComputeKernelConfigAttr>(attr).getPackerL1Acc());
}

TTMLIR_DEFINE_ATTR(Shape)
MlirAttribute ttmlirTTNNShapeAttrGet(MlirContext context, const int64_t *shape,
                                     size_t rank) {
  return wrap(ttnn::ShapeAttr::get(unwrap(context), ArrayRef(shape, rank)));
}
size_t ttmlirTTNNShapeAttrGetShape(MlirAttribute attr, const int64_t **shape) {
  return show(as<ttnn::ShapeAttr>(attr).getShape(), shape);
}

TTMLIR_DEFINE_ATTR(MeshShape)
MlirAttribute ttmlirTTNNMeshShapeAttrGet(MlirContext context, int64_t y,
                                         int64_t x) {
  return wrap(ttnn::MeshShapeAttr::get(unwrap(context), y, x));
}
int64_t ttmlirTTNNMeshShapeAttrGetY(MlirAttribute attr) {
  return as<ttnn::MeshShapeAttr>(attr).getY();
}
int64_t ttmlirTTNNMeshShapeAttrGetX(MlirAttribute attr) {
  return as<ttnn::MeshShapeAttr>(attr).getX();
}

TTMLIR_DEFINE_ATTR(CoreRange)
MlirAttribute ttmlirTTNNCoreRangeAttrGet(MlirContext context,
                                         const int64_t *offset,
                                         size_t offsetRank, const int64_t *size,
                                         size_t sizeRank) {
  return wrap(ttnn::CoreRangeAttr::getChecked(
      errorEmitter(context), unwrap(context), ArrayRef(offset, offsetRank),
      ArrayRef(size, sizeRank)));
}
size_t ttmlirTTNNCoreRangeAttrGetOffset(MlirAttribute attr,
                                        const int64_t **offset) {
  return show(as<ttnn::CoreRangeAttr>(attr).getOffset(), offset);
}
size_t ttmlirTTNNCoreRangeAttrGetSize(MlirAttribute attr,
                                      const int64_t **size) {
  return show(as<ttnn::CoreRangeAttr>(attr).getSize(), size);
}
