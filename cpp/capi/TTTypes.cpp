#include "ttmlir-c/TTTypes.h"

#include "Conversions.h"
#include "dialects/TT/TT.h"

using namespace mlir;
using namespace mlir::tt;

static TileType asTile(MlirType type) { return cast<TileType>(unwrap(type)); }

MlirType ttmlirTTTileTypeGet(MlirContext context, int64_t height, int64_t width,
                             uint32_t dataType) {
  auto emitter = capi::errorEmitter(context);
  std::optional<DataType> symbol = symbolizeDataType(dataType);
  if (!symbol) {
    emitter() << "unknown data type " << dataType;
    return MlirType{nullptr};
  }
  return wrap(TileType::getChecked(emitter, unwrap(context),
                                   ArrayRef<int64_t>{height, width}, *symbol));
}
bool ttmlirTypeIsATTTile(MlirType type) { return isa<TileType>(unwrap(type)); }
MlirTypeID ttmlirTTTileTypeGetTypeID() { return wrap(TileType::getTypeID()); }
int64_t ttmlirTTTileTypeGetHeight(MlirType type) {
  return asTile(type).getHeight();
}
int64_t ttmlirTTTileTypeGetWidth(MlirType type) {
  return asTile(type).getWidth();
}
uint32_t ttmlirTTTileTypeGetDataType(MlirType type) {
  return static_cast<uint32_t>(asTile(type).getDataType());
}
uint64_t ttmlirTTTileTypeGetSizeBytes(MlirType type) {
  return asTile(type).getSizeBytes();
}
uint64_t ttmlirTTTileTypeGetStorageSizeBytes(MlirType type) {
  return asTile(type).getStorageSizeBytes();
}
MlirType ttmlirTTTileTypeGetElementType(MlirType type) {
  return wrap(asTile(type).getElementType());
}

MlirType ttmlirTTDeviceTypeGet(MlirContext context, MlirAttribute desc) {
  return wrap(DeviceType::get(unwrap(context), capi::as<DeviceAttr>(desc)));
}
bool ttmlirTypeIsATTDevice(MlirType type) {
  return isa<DeviceType>(unwrap(type));
}
MlirTypeID ttmlirTTDeviceTypeGetTypeID() {
  return wrap(DeviceType::getTypeID());
}
MlirAttribute ttmlirTTDeviceTypeGetDesc(MlirType type) {
  return wrap(cast<DeviceType>(unwrap(type)).getDesc());
}
