#include "ttmlir-c/TTKernelAttrs.h"

#include "Conversions.h"
#include "dialects/TTKernel/TTKernel.h"

using namespace mlir;
using namespace mlir::tt::capi;
using namespace mlir::tt::ttkernel;

#define TTMLIR_DEFINE_ATTR(Name)                                               \
  TTMLIR_DEFINE_ATTR_OF(TTKernel, Name##Attr, Name)

TTMLIR_DEFINE_ATTR(ThreadType)
MlirAttribute ttmlirTTKernelThreadTypeAttrGet(MlirContext context,
                                              uint32_t value) {
  return getEnumAttr<ThreadType, ThreadTypeAttr>(
      context, value, symbolizeThreadType, "ThreadType");
}
uint32_t ttmlirTTKernelThreadTypeAttrGetValue(MlirAttribute attr) {
  return static_cast<uint32_t>(as<ThreadTypeAttr>(attr).getValue());
}

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
  std::optional<MathFidelity> fidelity = symbolizeMathFidelity(mathFidelity);
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
