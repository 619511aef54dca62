#include "ttmlir-c/TTAttrs.h"

#include "Conversions.h"
#include "dialects/TT/TT.h"
#include "target/SystemDesc/SystemDesc.h"

#include "mlir/CAPI/AffineMap.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::capi;

#define TTMLIR_DEFINE_ATTR(Name) TTMLIR_DEFINE_ATTR_OF(TT, Name##Attr, Name)

//===----------------------------------------------------------------------===//
// Coordinates and cores
//===----------------------------------------------------------------------===//

TTMLIR_DEFINE_ATTR(CoreCoord)
MlirAttribute ttmlirTTCoreCoordAttrGet(MlirContext context, int64_t y,
                                       int64_t x) {
  return wrap(CoreCoordAttr::get(unwrap(context), y, x));
}
int64_t ttmlirTTCoreCoordAttrGetY(MlirAttribute attr) {
  return as<CoreCoordAttr>(attr).getY();
}
int64_t ttmlirTTCoreCoordAttrGetX(MlirAttribute attr) {
  return as<CoreCoordAttr>(attr).getX();
}

TTMLIR_DEFINE_ATTR(TileSize)
MlirAttribute ttmlirTTTileSizeAttrGet(MlirContext context, int64_t y,
                                      int64_t x) {
  return wrap(
      TileSizeAttr::getChecked(errorEmitter(context), unwrap(context), y, x));
}
int64_t ttmlirTTTileSizeAttrGetY(MlirAttribute attr) {
  return as<TileSizeAttr>(attr).getY();
}
int64_t ttmlirTTTileSizeAttrGetX(MlirAttribute attr) {
  return as<TileSizeAttr>(attr).getX();
}

TTMLIR_DEFINE_ATTR(ChipCoord)
MlirAttribute ttmlirTTChipCoordAttrGet(MlirContext context, unsigned rack,
                                       unsigned shelf, unsigned y, unsigned x) {
  return wrap(ChipCoordAttr::get(unwrap(context), rack, shelf, y, x));
}
void ttmlirTTChipCoordAttrGetCoord(MlirAttribute attr, unsigned coord[4]) {
  ChipCoordAttr chip = as<ChipCoordAttr>(attr);
  coord[0] = chip.getRack();
  coord[1] = chip.getShelf();
  coord[2] = chip.getY();
  coord[3] = chip.getX();
}

TTMLIR_DEFINE_ATTR(ChipPhysicalCores)
MlirAttribute ttmlirTTChipPhysicalCoresAttrGet(
    MlirContext context, const MlirAttribute *worker, size_t numWorker,
    const MlirAttribute *dram, size_t numDram, const MlirAttribute *eth,
    size_t numEth, const MlirAttribute *ethInactive, size_t numEthInactive) {
  return wrap(ChipPhysicalCoresAttr::get(
      unwrap(context), asArray<CoreCoordAttr>(worker, numWorker),
      asArray<CoreCoordAttr>(dram, numDram),
      asArray<CoreCoordAttr>(eth, numEth),
      asArray<CoreCoordAttr>(ethInactive, numEthInactive)));
}
size_t ttmlirTTChipPhysicalCoresAttrGetCores(MlirAttribute attr,
                                             TTMLIRCoreKind kind,
                                             const MlirAttribute **cores) {
  ChipPhysicalCoresAttr chip = as<ChipPhysicalCoresAttr>(attr);
  switch (kind) {
  case TTMLIR_CORE_WORKER:
    return show(chip.getWorker(), cores);
  case TTMLIR_CORE_DRAM:
    return show(chip.getDram(), cores);
  case TTMLIR_CORE_ETH:
    return show(chip.getEth(), cores);
  case TTMLIR_CORE_ETH_INACTIVE:
    return show(chip.getEthInactive(), cores);
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Chips
//===----------------------------------------------------------------------===//

TTMLIR_DEFINE_ATTR(ChipDesc)
MlirAttribute
ttmlirTTChipDescAttrGet(MlirContext context, MlirAttribute arch,
                        const int64_t *grid, size_t gridRank,
                        TTMLIRChipSizes sizes, MlirAttribute physicalCores,
                        const MlirAttribute *dataTypes, size_t numDataTypes,
                        const MlirAttribute *tileSizes, size_t numTileSizes) {
  auto types = asArray<DataTypeAttr>(dataTypes, numDataTypes);
  auto tiles = asArray<TileSizeAttr>(tileSizes, numTileSizes);
  return wrap(ChipDescAttr::getChecked(
      errorEmitter(context), unwrap(context), as<ArchAttr>(arch),
      ArrayRef(grid, gridRank), sizes.l1Size, sizes.numDramChannels,
      sizes.dramChannelSize, sizes.nocL1AddressAlignBytes,
      sizes.pcieAddressAlignBytes, sizes.nocDRAMAddressAlignBytes,
      sizes.l1UnreservedBase, sizes.eriscL1UnreservedBase,
      sizes.dramUnreservedBase, sizes.dramUnreservedEnd,
      as<ChipPhysicalCoresAttr>(physicalCores), ArrayRef<DataTypeAttr>(types),
      ArrayRef<TileSizeAttr>(tiles)));
}
MlirAttribute ttmlirTTChipDescAttrGetArch(MlirAttribute attr) {
  return wrap(as<ChipDescAttr>(attr).getArch());
}
size_t ttmlirTTChipDescAttrGetGrid(MlirAttribute attr, const int64_t **grid) {
  return show(as<ChipDescAttr>(attr).getGrid(), grid);
}
TTMLIRChipSizes ttmlirTTChipDescAttrGetSizes(MlirAttribute attr) {
  ChipDescAttr chip = as<ChipDescAttr>(attr);
  return TTMLIRChipSizes{chip.getL1Size(),
                         chip.getNumDramChannels(),
                         chip.getDramChannelSize(),
                         chip.getNocL1AddressAlignBytes(),
                         chip.getPcieAddressAlignBytes(),
                         chip.getNocDRAMAddressAlignBytes(),
                         chip.getL1UnreservedBase(),
                         chip.getEriscL1UnreservedBase(),
                         chip.getDramUnreservedBase(),
                         chip.getDramUnreservedEnd()};
}
MlirAttribute ttmlirTTChipDescAttrGetPhysicalCores(MlirAttribute attr) {
  return wrap(as<ChipDescAttr>(attr).getChipPhysicalCores());
}
size_t ttmlirTTChipDescAttrGetDataTypes(MlirAttribute attr,
                                        const MlirAttribute **dataTypes) {
  return show(as<ChipDescAttr>(attr).getSupportedDataTypes(), dataTypes);
}
size_t ttmlirTTChipDescAttrGetTileSizes(MlirAttribute attr,
                                        const MlirAttribute **tileSizes) {
  return show(as<ChipDescAttr>(attr).getSupportedTileSizes(), tileSizes);
}

TTMLIR_DEFINE_ATTR(ChipChannel)
MlirAttribute ttmlirTTChipChannelAttrGet(MlirContext context,
                                         unsigned deviceId0,
                                         const int64_t *coord0, size_t rank0,
                                         unsigned deviceId1,
                                         const int64_t *coord1, size_t rank1) {
  return wrap(ChipChannelAttr::getChecked(
      errorEmitter(context), unwrap(context), deviceId0,
      ArrayRef(coord0, rank0), deviceId1, ArrayRef(coord1, rank1)));
}
unsigned ttmlirTTChipChannelAttrGetDeviceId(MlirAttribute attr, int end) {
  ChipChannelAttr channel = as<ChipChannelAttr>(attr);
  return end == 0 ? channel.getDeviceId0() : channel.getDeviceId1();
}
size_t ttmlirTTChipChannelAttrGetEthernetCoreCoord(MlirAttribute attr, int end,
                                                   const int64_t **coord) {
  ChipChannelAttr channel = as<ChipChannelAttr>(attr);
  return show(end == 0 ? channel.getEthernetCoreCoord0()
                       : channel.getEthernetCoreCoord1(),
              coord);
}

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

TTMLIR_DEFINE_ATTR(SystemDesc)
MlirAttribute ttmlirTTSystemDescAttrGetNamed(MlirContext context,
                                             MlirStringRef name) {
  return wrap(SystemDescAttr::getNamed(unwrap(context), unwrap(name)));
}
MlirAttribute ttmlirTTSystemDescAttrGetDefault(MlirContext context) {
  return wrap(SystemDescAttr::getDefault(unwrap(context)));
}
MlirAttribute ttmlirTTSystemDescAttrParse(MlirContext context,
                                          MlirStringRef buffer,
                                          MlirStringRef source) {
  FailureOr<SystemDescAttr> desc = parseSystemDesc(
      errorEmitter(context), unwrap(context), unwrap(buffer), unwrap(source));
  return wrap(succeeded(desc) ? Attribute(*desc) : Attribute());
}
size_t ttmlirTTSystemDescAttrGetNumNames() {
  return SystemDescAttr::getNames().size();
}
MlirStringRef ttmlirTTSystemDescAttrGetName(size_t index) {
  return wrap(SystemDescAttr::getNames()[index]);
}
MlirAttribute ttmlirTTSystemDescAttrGet(
    MlirContext context, const MlirAttribute *chipDescs, size_t numChipDescs,
    const unsigned *chipDescIndices, size_t numChips,
    const MlirAttribute *chipCapabilities, size_t numCapabilities,
    const MlirAttribute *chipCoords, size_t numCoords,
    const MlirAttribute *chipChannels, size_t numChannels) {
  auto descs = asArray<ChipDescAttr>(chipDescs, numChipDescs);
  auto bits = asArray<ChipCapabilityAttr>(chipCapabilities, numCapabilities);
  auto coords = asArray<ChipCoordAttr>(chipCoords, numCoords);
  auto channels = asArray<ChipChannelAttr>(chipChannels, numChannels);
  return wrap(SystemDescAttr::getChecked(
      errorEmitter(context), unwrap(context), ArrayRef<ChipDescAttr>(descs),
      ArrayRef(chipDescIndices, numChips), ArrayRef<ChipCapabilityAttr>(bits),
      ArrayRef<ChipCoordAttr>(coords), ArrayRef<ChipChannelAttr>(channels)));
}
size_t ttmlirTTSystemDescAttrGetChipDescs(MlirAttribute attr,
                                          const MlirAttribute **chipDescs) {
  return show(as<SystemDescAttr>(attr).getChipDescs(), chipDescs);
}
size_t ttmlirTTSystemDescAttrGetChipDescIndices(MlirAttribute attr,
                                                const unsigned **indices) {
  return show(as<SystemDescAttr>(attr).getChipDescIndices(), indices);
}
size_t
ttmlirTTSystemDescAttrGetChipCapabilities(MlirAttribute attr,
                                          const MlirAttribute **capabilities) {
  return show(as<SystemDescAttr>(attr).getChipCapabilities(), capabilities);
}
size_t ttmlirTTSystemDescAttrGetChipCoords(MlirAttribute attr,
                                           const MlirAttribute **coords) {
  return show(as<SystemDescAttr>(attr).getChipCoords(), coords);
}
size_t ttmlirTTSystemDescAttrGetChipChannels(MlirAttribute attr,
                                             const MlirAttribute **channels) {
  return show(as<SystemDescAttr>(attr).getChipChannels(), channels);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

TTMLIR_DEFINE_ATTR(Device)
MlirAttribute ttmlirTTDeviceAttrGet(MlirContext context,
                                    MlirAttribute workerGrid,
                                    MlirAffineMap l1Map, MlirAffineMap dramMap,
                                    const int64_t *meshShape, size_t meshRank,
                                    const unsigned *chipIds,
                                    size_t numChipIds) {
  auto grid = as<GridAttr>(workerGrid);
  return wrap(DeviceAttr::getChecked(
      errorEmitter(context), unwrap(context), grid,
      mlirAffineMapIsNull(l1Map) ? DeviceAttr::getDefaultL1Map(grid)
                                 : unwrap(l1Map),
      mlirAffineMapIsNull(dramMap) ? DeviceAttr::getDefaultDramMap(grid)
                                   : unwrap(dramMap),
      ArrayRef(meshShape, meshRank), ArrayRef(chipIds, numChipIds)));
}
MlirAttribute ttmlirTTDeviceAttrGetFromSystemDesc(MlirAttribute systemDesc,
                                                  const int64_t *meshShape,
                                                  size_t meshRank) {
  SystemDescAttr system = as<SystemDescAttr>(systemDesc);
  return wrap(DeviceAttr::getChecked(errorEmitter(wrap(system.getContext())),
                                     system, ArrayRef(meshShape, meshRank)));
}
MlirAttribute ttmlirTTDeviceAttrGetWorkerGrid(MlirAttribute attr) {
  return wrap(as<DeviceAttr>(attr).getWorkerGrid());
}
MlirAffineMap ttmlirTTDeviceAttrGetL1Map(MlirAttribute attr) {
  return wrap(as<DeviceAttr>(attr).getL1Map());
}
MlirAffineMap ttmlirTTDeviceAttrGetDramMap(MlirAttribute attr) {
  return wrap(as<DeviceAttr>(attr).getDramMap());
}
size_t ttmlirTTDeviceAttrGetMeshShape(MlirAttribute attr,
                                      const int64_t **shape) {
  return show(as<DeviceAttr>(attr).getMeshShape(), shape);
}
size_t ttmlirTTDeviceAttrGetChipIds(MlirAttribute attr,
                                    const unsigned **chipIds) {
  return show(as<DeviceAttr>(attr).getChipIds(), chipIds);
}
