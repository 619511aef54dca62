#ifndef TTMLIR_C_TT_ATTRS_H
#define TTMLIR_C_TT_ATTRS_H

#include "mlir-c/AffineMap.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// Conventions of this header:
// - A `...Get` that checks its arguments returns a null attribute and emits a
//   diagnostic at an unknown location if they do not fit together.
// - Enumerators are passed as their values.
// - An array is read through a pointer into the attribute, which lives as long
//   as the context; the function returns the number of elements.

#define TTMLIR_DECLARE_ATTR(Name)                                              \
  MLIR_CAPI_EXPORTED bool ttmlirAttributeIsATT##Name(MlirAttribute attr);      \
  MLIR_CAPI_EXPORTED MlirTypeID ttmlirTT##Name##AttrGetTypeID(void)

#define TTMLIR_DECLARE_ENUM_ATTR(Name)                                         \
  TTMLIR_DECLARE_ATTR(Name);                                                   \
  MLIR_CAPI_EXPORTED MlirAttribute ttmlirTT##Name##AttrGet(                    \
      MlirContext context, uint32_t value);                                    \
  MLIR_CAPI_EXPORTED uint32_t ttmlirTT##Name##AttrGetValue(MlirAttribute attr)

TTMLIR_DECLARE_ENUM_ATTR(DataType);
TTMLIR_DECLARE_ENUM_ATTR(Arch);
TTMLIR_DECLARE_ENUM_ATTR(MemorySpace);
TTMLIR_DECLARE_ENUM_ATTR(TensorMemoryLayout);
TTMLIR_DECLARE_ENUM_ATTR(IteratorType);
TTMLIR_DECLARE_ENUM_ATTR(OOBVal);
TTMLIR_DECLARE_ENUM_ATTR(ReduceType);
TTMLIR_DECLARE_ENUM_ATTR(MeshShardType);
TTMLIR_DECLARE_ENUM_ATTR(MeshShardDirection);
TTMLIR_DECLARE_ENUM_ATTR(ArgumentType);
TTMLIR_DECLARE_ENUM_ATTR(Topology);
TTMLIR_DECLARE_ENUM_ATTR(OperandConstraint);
TTMLIR_DECLARE_ENUM_ATTR(BufferAccess);

/// Chip capabilities are 32-bit integer attributes of bits 1 (PCIe) and 2
/// (memory-mapped host access).
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTChipCapabilityAttrGet(MlirContext context, uint32_t value);
MLIR_CAPI_EXPORTED bool ttmlirAttributeIsATTChipCapability(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTChipCapabilityAttrGetValue(MlirAttribute attr);

MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTIteratorTypeArrayAttrGet(
    MlirContext context, const uint32_t *values, size_t size);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTOperandConstraintArrayAttrGet(
    MlirContext context, const uint32_t *values, size_t size);

//===----------------------------------------------------------------------===//
// Grids, tensors and buffers
//===----------------------------------------------------------------------===//

/// `mapping` may be null: then it is the empty map.
TTMLIR_DECLARE_ATTR(Grid);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTGridAttrGet(MlirContext context,
                                                     const int64_t *shape,
                                                     size_t rank,
                                                     MlirAffineMap mapping);
MLIR_CAPI_EXPORTED size_t ttmlirTTGridAttrGetShape(MlirAttribute attr,
                                                   const int64_t **shape);
MLIR_CAPI_EXPORTED MlirAffineMap ttmlirTTGridAttrGetMapping(MlirAttribute attr);

TTMLIR_DECLARE_ATTR(Layout);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTLayoutAttrGet(
    MlirContext context, MlirAffineMap linear, uint32_t oobVal,
    MlirAttribute grid, MlirType memref, uint32_t memLayout);
/// The layout of a tensor type: `intervals` are `numIntervals` pairs of begin
/// and end of logical dimensions that are collapsed; `elementType` may be null:
/// then it is the tensor's.
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTLayoutAttrGetForTensor(
    MlirContext context, MlirType tensorType, MlirType elementType,
    uint32_t memorySpace, MlirAttribute grid, const int64_t *intervals,
    size_t numIntervals, uint32_t oobVal, uint32_t memLayout);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTLayoutAttrWithGrid(
    MlirAttribute attr, const int64_t *tensorShape, size_t rank,
    MlirAttribute grid, const int64_t *intervals, size_t numIntervals);
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTLayoutAttrWithElementType(MlirAttribute attr, MlirType elementType);
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTLayoutAttrWithMemorySpace(MlirAttribute attr, uint32_t memorySpace);
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTLayoutAttrWithMemoryLayout(MlirAttribute attr, uint32_t memLayout);
MLIR_CAPI_EXPORTED MlirAffineMap
ttmlirTTLayoutAttrGetLinear(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint32_t ttmlirTTLayoutAttrGetOOBVal(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTLayoutAttrGetGrid(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirType ttmlirTTLayoutAttrGetMemref(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTLayoutAttrGetMemorySpace(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTLayoutAttrGetMemoryLayout(MlirAttribute attr);
MLIR_CAPI_EXPORTED bool ttmlirTTLayoutAttrIsTiled(MlirAttribute attr);
/// Writes one number for each grid dimension.
MLIR_CAPI_EXPORTED void ttmlirTTLayoutAttrGetShardShape(MlirAttribute attr,
                                                        bool inScalars,
                                                        int64_t *shape);
/// Writes one number for each of the `rank` logical dimensions; false if the
/// rank is not that of the layout's linear map.
MLIR_CAPI_EXPORTED bool ttmlirTTLayoutAttrGetStride(MlirAttribute attr,
                                                    const int64_t *logicalShape,
                                                    size_t rank,
                                                    int64_t *stride);

TTMLIR_DECLARE_ATTR(Buffer);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTBufferAttrGet(MlirContext context,
                                                       MlirType memref,
                                                       uint32_t bufferAccess);
MLIR_CAPI_EXPORTED MlirType ttmlirTTBufferAttrGetMemref(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint32_t ttmlirTTBufferAttrGetAccess(MlirAttribute attr);

TTMLIR_DECLARE_ATTR(ArgumentAllocation);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTArgumentAllocationAttrGet(
    MlirContext context, uint64_t address, uint64_t size, uint32_t memorySpace);
MLIR_CAPI_EXPORTED uint64_t
ttmlirTTArgumentAllocationAttrGetAddress(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint64_t
ttmlirTTArgumentAllocationAttrGetSize(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint32_t
ttmlirTTArgumentAllocationAttrGetMemorySpace(MlirAttribute attr);

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

TTMLIR_DECLARE_ATTR(CoreCoord);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTCoreCoordAttrGet(MlirContext context,
                                                          int64_t y, int64_t x);
MLIR_CAPI_EXPORTED int64_t ttmlirTTCoreCoordAttrGetY(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t ttmlirTTCoreCoordAttrGetX(MlirAttribute attr);

TTMLIR_DECLARE_ATTR(TileSize);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTTileSizeAttrGet(MlirContext context,
                                                         int64_t y, int64_t x);
MLIR_CAPI_EXPORTED int64_t ttmlirTTTileSizeAttrGetY(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t ttmlirTTTileSizeAttrGetX(MlirAttribute attr);

TTMLIR_DECLARE_ATTR(ChipCoord);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTChipCoordAttrGet(
    MlirContext context, unsigned rack, unsigned shelf, unsigned y, unsigned x);
/// Writes rack, shelf, y and x.
MLIR_CAPI_EXPORTED void ttmlirTTChipCoordAttrGetCoord(MlirAttribute attr,
                                                      unsigned coord[4]);

/// Kinds of cores, in the order of the arguments below.
enum TTMLIRCoreKind {
  TTMLIR_CORE_WORKER,
  TTMLIR_CORE_DRAM,
  TTMLIR_CORE_ETH,
  TTMLIR_CORE_ETH_INACTIVE
};
TTMLIR_DECLARE_ATTR(ChipPhysicalCores);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTChipPhysicalCoresAttrGet(
    MlirContext context, const MlirAttribute *worker, size_t numWorker,
    const MlirAttribute *dram, size_t numDram, const MlirAttribute *eth,
    size_t numEth, const MlirAttribute *ethInactive, size_t numEthInactive);
MLIR_CAPI_EXPORTED size_t ttmlirTTChipPhysicalCoresAttrGetCores(
    MlirAttribute attr, enum TTMLIRCoreKind kind, const MlirAttribute **cores);

/// The scalar parameters of a chip description; sizes and addresses in bytes.
typedef struct TTMLIRChipSizes {
  uint32_t l1Size;
  uint32_t numDramChannels;
  uint32_t dramChannelSize;
  uint32_t nocL1AddressAlignBytes;
  uint32_t pcieAddressAlignBytes;
  uint32_t nocDRAMAddressAlignBytes;
  uint32_t l1UnreservedBase;
  uint32_t eriscL1UnreservedBase;
  uint32_t dramUnreservedBase;
  uint32_t dramUnreservedEnd;
} TTMLIRChipSizes;
TTMLIR_DECLARE_ATTR(ChipDesc);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTChipDescAttrGet(
    MlirContext context, MlirAttribute arch, const int64_t *grid,
    size_t gridRank, TTMLIRChipSizes sizes, MlirAttribute physicalCores,
    const MlirAttribute *dataTypes, size_t numDataTypes,
    const MlirAttribute *tileSizes, size_t numTileSizes);
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTChipDescAttrGetArch(MlirAttribute attr);
MLIR_CAPI_EXPORTED size_t ttmlirTTChipDescAttrGetGrid(MlirAttribute attr,
                                                      const int64_t **grid);
MLIR_CAPI_EXPORTED TTMLIRChipSizes
ttmlirTTChipDescAttrGetSizes(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTChipDescAttrGetPhysicalCores(MlirAttribute attr);
MLIR_CAPI_EXPORTED size_t ttmlirTTChipDescAttrGetDataTypes(
    MlirAttribute attr, const MlirAttribute **dataTypes);
MLIR_CAPI_EXPORTED size_t ttmlirTTChipDescAttrGetTileSizes(
    MlirAttribute attr, const MlirAttribute **tileSizes);

TTMLIR_DECLARE_ATTR(ChipChannel);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTChipChannelAttrGet(
    MlirContext context, unsigned deviceId0, const int64_t *coord0,
    size_t rank0, unsigned deviceId1, const int64_t *coord1, size_t rank1);
/// `end` is 0 or 1.
MLIR_CAPI_EXPORTED unsigned
ttmlirTTChipChannelAttrGetDeviceId(MlirAttribute attr, int end);
MLIR_CAPI_EXPORTED size_t ttmlirTTChipChannelAttrGetEthernetCoreCoord(
    MlirAttribute attr, int end, const int64_t **coord);

TTMLIR_DECLARE_ATTR(SystemDesc);
/// `name` is `n150`, `n300` ...; null without a diagnostic if it is unknown.
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTSystemDescAttrGetNamed(MlirContext context, MlirStringRef name);
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTSystemDescAttrGetDefault(MlirContext context);
/// Number of known names; writes one of them.
/// The system in the bytes of a `.ttsys` file, which `source` names in
/// messages. Null and a diagnostic if it is none.
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTSystemDescAttrParse(
    MlirContext context, MlirStringRef buffer, MlirStringRef source);
MLIR_CAPI_EXPORTED size_t ttmlirTTSystemDescAttrGetNumNames(void);
MLIR_CAPI_EXPORTED MlirStringRef ttmlirTTSystemDescAttrGetName(size_t index);
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTSystemDescAttrGet(
    MlirContext context, const MlirAttribute *chipDescs, size_t numChipDescs,
    const unsigned *chipDescIndices, size_t numChips,
    const MlirAttribute *chipCapabilities, size_t numCapabilities,
    const MlirAttribute *chipCoords, size_t numCoords,
    const MlirAttribute *chipChannels, size_t numChannels);
MLIR_CAPI_EXPORTED size_t ttmlirTTSystemDescAttrGetChipDescs(
    MlirAttribute attr, const MlirAttribute **chipDescs);
MLIR_CAPI_EXPORTED size_t ttmlirTTSystemDescAttrGetChipDescIndices(
    MlirAttribute attr, const unsigned **indices);
MLIR_CAPI_EXPORTED size_t ttmlirTTSystemDescAttrGetChipCapabilities(
    MlirAttribute attr, const MlirAttribute **capabilities);
MLIR_CAPI_EXPORTED size_t ttmlirTTSystemDescAttrGetChipCoords(
    MlirAttribute attr, const MlirAttribute **coords);
MLIR_CAPI_EXPORTED size_t ttmlirTTSystemDescAttrGetChipChannels(
    MlirAttribute attr, const MlirAttribute **channels);

TTMLIR_DECLARE_ATTR(Device);
/// A map that is null is computed from the grid.
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTDeviceAttrGet(
    MlirContext context, MlirAttribute workerGrid, MlirAffineMap l1Map,
    MlirAffineMap dramMap, const int64_t *meshShape, size_t meshRank,
    const unsigned *chipIds, size_t numChipIds);
/// The first chips of the system, laid out as `meshShape`.
MLIR_CAPI_EXPORTED MlirAttribute ttmlirTTDeviceAttrGetFromSystemDesc(
    MlirAttribute systemDesc, const int64_t *meshShape, size_t meshRank);
MLIR_CAPI_EXPORTED MlirAttribute
ttmlirTTDeviceAttrGetWorkerGrid(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAffineMap ttmlirTTDeviceAttrGetL1Map(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAffineMap
ttmlirTTDeviceAttrGetDramMap(MlirAttribute attr);
MLIR_CAPI_EXPORTED size_t ttmlirTTDeviceAttrGetMeshShape(MlirAttribute attr,
                                                         const int64_t **shape);
MLIR_CAPI_EXPORTED size_t
ttmlirTTDeviceAttrGetChipIds(MlirAttribute attr, const unsigned **chipIds);

#undef TTMLIR_DECLARE_ENUM_ATTR
#undef TTMLIR_DECLARE_ATTR

#ifdef __cplusplus
}
#endif

#endif
