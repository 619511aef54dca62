#include "ttmlir-c/TTKernelAttrs.h"

#include "Conversions.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTKernel/TensorPages.h"

using namespace mlir;
using namespace mlir::tt::capi;
using namespace mlir::tt::ttkernel;

#define TTMLIR_DEFINE_ATTR(Name)                                               \
  TTMLIR_DEFINE_ATTR_OF(TTKernel, Name##Attr, Name)

#define TTMLIR_DEFINE_ENUM_ATTR(Name)                                          \
  TTMLIR_DEFINE_ATTR(Name)                                                     \
  MlirAttribute ttmlirTTKernel##Name##AttrGet(MlirContext context,             \
                                              uint32_t value) {                \
    return getEnumAttr<Name, Name##Attr>(context, value, symbolize##Name,      \
                                         #Name);                               \
  }                                                                            \
  uint32_t ttmlirTTKernel##Name##AttrGetValue(MlirAttribute attr) {            \
    return static_cast<uint32_t>(as<Name##Attr>(attr).getValue());             \
  }

TTMLIR_DEFINE_ENUM_ATTR(ThreadType)
TTMLIR_DEFINE_ENUM_ATTR(EltwiseBinaryType)
TTMLIR_DEFINE_ENUM_ATTR(BroadcastType)
TTMLIR_DEFINE_ENUM_ATTR(PoolType)
TTMLIR_DEFINE_ENUM_ATTR(ReduceDim)

TTMLIR_DEFINE_ATTR(NocConfig)
MlirAttribute ttmlirTTKernelNocConfigAttrGet(MlirContext context,
                                             uint32_t value) {
  return getEnumAttr<NocIndex, NocConfigAttr>(context, value, symbolizeNocIndex,
                                              "NocIndex");
}
uint32_t ttmlirTTKernelNocConfigAttrGetValue(MlirAttribute attr) {
  return static_cast<uint32_t>(as<NocConfigAttr>(attr).getNocIndex());
}

TTMLIR_DEFINE_ATTR(TensixConfig)
MlirAttribute ttmlirTTKernelTensixConfigAttrGet(MlirContext context,
                                                uint32_t mathFidelity,
                                                bool fp32DestAccEn,
                                                bool preserveFp32Precision,
                                                bool mathApproxMode) {
  auto fidelity = mlir::tt::ttkernel::symbolizeMathFidelity(mathFidelity);
  if (!fidelity) {
    errorEmitter(context)() << "unknown MathFidelity " << mathFidelity;
    return MlirAttribute{nullptr};
  }
  return wrap(TensixConfigAttr::get(unwrap(context), *fidelity, fp32DestAccEn,
                                    preserveFp32Precision, mathApproxMode));
}
uint32_t ttmlirTTKernelTensixConfigAttrGetMathFidelity(MlirAttribute attr) {
  return static_cast<uint32_t>(as<TensixConfigAttr>(attr).getMathFidelity());
}
bool ttmlirTTKernelTensixConfigAttrGetFp32DestAccEn(MlirAttribute attr) {
  return as<TensixConfigAttr>(attr).getFp32DestAccEn();
}
bool ttmlirTTKernelTensixConfigAttrGetPreserveFp32Precision(
    MlirAttribute attr) {
  return as<TensixConfigAttr>(attr).getPreserveFp32Precision();
}
bool ttmlirTTKernelTensixConfigAttrGetMathApproxMode(MlirAttribute attr) {
  return as<TensixConfigAttr>(attr).getMathApproxMode();
}

TTMLIR_DEFINE_ATTR(EthernetConfig)
MlirAttribute ttmlirTTKernelEthernetConfigAttrGet(MlirContext context,
                                                  uint32_t ethType,
                                                  uint32_t nocIndex) {
  std::optional<EthType> end = symbolizeEthType(ethType);
  std::optional<NocIndex> noc = symbolizeNocIndex(nocIndex);
  if (!end || !noc) {
    errorEmitter(context)()
        << "unknown EthType " << ethType << " or NocIndex " << nocIndex;
    return MlirAttribute{nullptr};
  }
  return wrap(EthernetConfigAttr::get(unwrap(context), *end, *noc));
}
uint32_t ttmlirTTKernelEthernetConfigAttrGetEthType(MlirAttribute attr) {
  return static_cast<uint32_t>(as<EthernetConfigAttr>(attr).getEthType());
}
uint32_t ttmlirTTKernelEthernetConfigAttrGetNocIndex(MlirAttribute attr) {
  return static_cast<uint32_t>(as<EthernetConfigAttr>(attr).getNocIndex());
}

TTMLIR_DEFINE_ATTR(TensorAccessorArgs)
MlirAttribute ttmlirTTKernelTensorAccessorArgsAttrGet(
    MlirContext context, uint32_t memorySpace, uint32_t memoryLayout,
    uint64_t pageSize, uint64_t alignedPageSize, const int64_t *tensorPages,
    size_t tensorPagesRank, const int64_t *shardPages, size_t shardPagesRank,
    const int64_t *cores, size_t coresSize) {
  auto space = mlir::tt::symbolizeMemorySpace(memorySpace);
  auto layout = mlir::tt::symbolizeTensorMemoryLayout(memoryLayout);
  if (!space || !layout) {
    errorEmitter(context)() << "unknown MemorySpace " << memorySpace
                            << " or TensorMemoryLayout " << memoryLayout;
    return MlirAttribute{nullptr};
  }
  return wrap(TensorAccessorArgsAttr::getChecked(
      errorEmitter(context), unwrap(context), *space, *layout, pageSize,
      alignedPageSize, ArrayRef(tensorPages, tensorPagesRank),
      ArrayRef(shardPages, shardPagesRank), ArrayRef(cores, coresSize)));
}
MlirAttribute
ttmlirTTKernelTensorAccessorArgsAttrGetForTensor(MlirType tensorType,
                                                 MlirAttribute systemDesc) {
  auto type = dyn_cast<RankedTensorType>(unwrap(tensorType));
  TensorAccessorArgsAttr args;
  if (type && mlir::tt::getLayoutOf(type))
    args = getAccessorArgs(type, as<mlir::tt::SystemDescAttr>(systemDesc));
  if (!args)
    errorEmitter(mlirTypeGetContext(tensorType))()
        << "expected a tensor in pages on the device, found "
        << unwrap(tensorType);
  return wrap(Attribute(args));
}
uint64_t ttmlirTTKernelTensorAccessorArgsAttrGetPageSize(MlirAttribute attr) {
  return as<TensorAccessorArgsAttr>(attr).getPageSize();
}
uint64_t
ttmlirTTKernelTensorAccessorArgsAttrGetAlignedPageSize(MlirAttribute attr) {
  return as<TensorAccessorArgsAttr>(attr).getAlignedPageSize();
}
size_t
ttmlirTTKernelTensorAccessorArgsAttrGetTensorPages(MlirAttribute attr,
                                                   const int64_t **pages) {
  return show(as<TensorAccessorArgsAttr>(attr).getTensorPages(), pages);
}
size_t
ttmlirTTKernelTensorAccessorArgsAttrGetShardPages(MlirAttribute attr,
                                                  const int64_t **pages) {
  return show(as<TensorAccessorArgsAttr>(attr).getShardPages(), pages);
}
uint64_t
ttmlirTTKernelTensorAccessorArgsAttrGetBytesPerBank(MlirAttribute attr,
                                                    MlirAttribute systemDesc) {
  return getBytesPerBank(as<TensorAccessorArgsAttr>(attr),
                         as<mlir::tt::SystemDescAttr>(systemDesc));
}
