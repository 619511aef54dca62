#include "ttmlir-c/TTKernelTypes.h"

#include "Conversions.h"
#include "dialects/TTKernel/TTKernel.h"

using namespace mlir;
using namespace mlir::tt::ttkernel;

static CBType asCB(MlirType type) { return cast<CBType>(unwrap(type)); }

static MlirType getCB(MlirContext context, uint64_t address, uint32_t port,
                      MlirType memref, std::optional<uint64_t> pageSize,
                      uint64_t numBuffers) {
  auto emitter = mlir::tt::capi::errorEmitter(context);
  std::optional<CBPort> symbol = symbolizeCBPort(port);
  if (!symbol) {
    emitter() << "unknown port " << port;
    return MlirType{nullptr};
  }
  auto shard = dyn_cast<MemRefType>(unwrap(memref));
  if (!shard) {
    emitter() << "expected a memref, found " << unwrap(memref);
    return MlirType{nullptr};
  }
  // The page of a memref that no buffer can have is not known.
  bool admitted =
      CBType::verify(emitter, *symbol, address, shard, 0, 0).succeeded();
  if (!admitted)
    return MlirType{nullptr};
  return wrap(CBType::getChecked(
      emitter, unwrap(context), *symbol, address, shard,
      pageSize ? *pageSize : CBType::getPageSize(shard), numBuffers));
}

MlirType ttmlirTTKernelCBTypeGet(MlirContext context, uint64_t address,
                                 uint32_t port, MlirType memref) {
  return getCB(context, address, port, memref, std::nullopt, 1);
}
MlirType ttmlirTTKernelCBTypeGetWithPages(MlirContext context, uint64_t address,
                                          uint32_t port, MlirType memref,
                                          uint64_t pageSize,
                                          uint64_t numBuffers) {
  return getCB(context, address, port, memref, pageSize, numBuffers);
}
bool ttmlirTypeIsATTKernelCB(MlirType type) {
  return isa<CBType>(unwrap(type));
}
MlirTypeID ttmlirTTKernelCBTypeGetTypeID() { return wrap(CBType::getTypeID()); }
uint32_t ttmlirTTKernelCBTypeGetPort(MlirType type) {
  return static_cast<uint32_t>(asCB(type).getPort());
}
uint64_t ttmlirTTKernelCBTypeGetAddress(MlirType type) {
  return asCB(type).getAddress();
}
MlirType ttmlirTTKernelCBTypeGetMemref(MlirType type) {
  return wrap(Type(asCB(type).getMemref()));
}
uint64_t ttmlirTTKernelCBTypeGetPageSize(MlirType type) {
  return asCB(type).getPageSize();
}
uint64_t ttmlirTTKernelCBTypeGetNumBuffers(MlirType type) {
  return asCB(type).getNumBuffers();
}

MlirType ttmlirTTKernelNocAddrTypeGet(MlirContext context) {
  return wrap(NocAddrType::get(unwrap(context)));
}
bool ttmlirTypeIsATTKernelNocAddr(MlirType type) {
  return isa<NocAddrType>(unwrap(type));
}
MlirTypeID ttmlirTTKernelNocAddrTypeGetTypeID() {
  return wrap(NocAddrType::getTypeID());
}

MlirType ttmlirTTKernelTensorAccessorTypeGet(MlirContext context) {
  return wrap(TensorAccessorType::get(unwrap(context)));
}
bool ttmlirTypeIsATTKernelTensorAccessor(MlirType type) {
  return isa<TensorAccessorType>(unwrap(type));
}
MlirTypeID ttmlirTTKernelTensorAccessorTypeGetTypeID() {
  return wrap(TensorAccessorType::getTypeID());
}
