#include "ttmlir-c/TTAttrs.h"

#include "Conversions.h"
#include "dialects/TT/TT.h"

#include "mlir/CAPI/AffineMap.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::capi;

#define TTMLIR_DEFINE_ATTR(Name) TTMLIR_DEFINE_ATTR_OF(TT, Name##Attr, Name)

#define TTMLIR_DEFINE_ENUM_ATTR(Name)                                          \
  TTMLIR_DEFINE_ATTR(Name)                                                     \
  MlirAttribute ttmlirTT##Name##AttrGet(MlirContext context, uint32_t value) { \
    return getEnumAttr<Name, Name##Attr>(context, value, symbolize##Name,      \
                                         #Name);                               \
  }                                                                            \
  uint32_t ttmlirTT##Name##AttrGetValue(MlirAttribute attr) {                  \
    return static_cast<uint32_t>(as<Name##Attr>(attr).getValue());             \
  }

TTMLIR_DEFINE_ENUM_ATTR(DataType)
TTMLIR_DEFINE_ENUM_ATTR(Arch)
TTMLIR_DEFINE_ENUM_ATTR(MemorySpace)
TTMLIR_DEFINE_ENUM_ATTR(TensorMemoryLayout)
TTMLIR_DEFINE_ENUM_ATTR(IteratorType)
TTMLIR_DEFINE_ENUM_ATTR(OOBVal)
TTMLIR_DEFINE_ENUM_ATTR(ReduceType)
TTMLIR_DEFINE_ENUM_ATTR(MeshShardType)
TTMLIR_DEFINE_ENUM_ATTR(MeshShardDirection)
TTMLIR_DEFINE_ENUM_ATTR(ArgumentType)
TTMLIR_DEFINE_ENUM_ATTR(Topology)
TTMLIR_DEFINE_ENUM_ATTR(OperandConstraint)
TTMLIR_DEFINE_ENUM_ATTR(BufferAccess)

MlirAttribute ttmlirTTChipCapabilityAttrGet(MlirContext context,
                                            uint32_t value) {
  return getEnumAttr<ChipCapability, ChipCapabilityAttr>(
      context, value, symbolizeChipCapability, "ChipCapability");
}
bool ttmlirAttributeIsATTChipCapability(MlirAttribute attr) {
  return isa<ChipCapabilityAttr>(unwrap(attr));
}
uint32_t ttmlirTTChipCapabilityAttrGetValue(MlirAttribute attr) {
  return static_cast<uint32_t>(as<ChipCapabilityAttr>(attr).getValue());
}

/// Null if one of the attributes is.
static MlirAttribute getArrayAttr(MlirContext context, const uint32_t *values,
                                  size_t size,
                                  MlirAttribute (*get)(MlirContext, uint32_t)) {
  SmallVector<Attribute> attrs;
  for (uint32_t value : ArrayRef(values, size)) {
    attrs.push_back(unwrap(get(context, value)));
    if (!attrs.back())
      return MlirAttribute{nullptr};
  }
  return wrap(ArrayAttr::get(unwrap(context), attrs));
}
MlirAttribute ttmlirTTIteratorTypeArrayAttrGet(MlirContext context,
                                               const uint32_t *values,
                                               size_t size) {
  return getArrayAttr(context, values, size, ttmlirTTIteratorTypeAttrGet);
}
MlirAttribute ttmlirTTOperandConstraintArrayAttrGet(MlirContext context,
                                                    const uint32_t *values,
                                                    size_t size) {
  return getArrayAttr(context, values, size, ttmlirTTOperandConstraintAttrGet);
}

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

TTMLIR_DEFINE_ATTR(Grid)
MlirAttribute ttmlirTTGridAttrGet(MlirContext context, const int64_t *shape,
                                  size_t rank, MlirAffineMap mapping) {
  AffineMap map =
      mapping.ptr ? unwrap(mapping) : AffineMap::get(unwrap(context));
  return wrap(GridAttr::getChecked(errorEmitter(context), unwrap(context),
                                   ArrayRef(shape, rank), map));
}
size_t ttmlirTTGridAttrGetShape(MlirAttribute attr, const int64_t **shape) {
  return show(as<GridAttr>(attr).getShape(), shape);
}
MlirAffineMap ttmlirTTGridAttrGetMapping(MlirAttribute attr) {
  return wrap(as<GridAttr>(attr).getMapping());
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

TTMLIR_DEFINE_ATTR(Layout)
MlirAttribute ttmlirTTLayoutAttrGet(MlirContext context, MlirAffineMap linear,
                                    uint32_t oobVal, MlirAttribute grid,
                                    MlirType memref, uint32_t memLayout) {
  auto emitter = errorEmitter(context);
  auto memrefType = dyn_cast<MemRefType>(unwrap(memref));
  std::optional<OOBVal> oob = symbolizeOOBVal(oobVal);
  std::optional<TensorMemoryLayout> layout =
      symbolizeTensorMemoryLayout(memLayout);
  if (!memrefType || !oob || !layout) {
    emitter() << "expected a memref type, an out-of-bounds value and a memory "
                 "layout, found "
              << unwrap(memref) << ", " << oobVal << " and " << memLayout;
    return MlirAttribute{nullptr};
  }
  return wrap(LayoutAttr::getChecked(emitter, unwrap(context), unwrap(linear),
                                     *oob, as<GridAttr>(grid), memrefType,
                                     *layout));
}
MlirAttribute ttmlirTTLayoutAttrGetForTensor(
    MlirContext context, MlirType tensorType, MlirType elementType,
    uint32_t memorySpace, MlirAttribute grid, const int64_t *intervals,
    size_t numIntervals, uint32_t oobVal, uint32_t memLayout) {
  auto emitter = errorEmitter(context);
  auto type = dyn_cast<RankedTensorType>(unwrap(tensorType));
  std::optional<MemorySpace> space = symbolizeMemorySpace(memorySpace);
  std::optional<OOBVal> oob = symbolizeOOBVal(oobVal);
  std::optional<TensorMemoryLayout> layout =
      symbolizeTensorMemoryLayout(memLayout);
  if (!type || !space || !oob || !layout) {
    emitter() << "expected a ranked tensor type, a memory space, an "
                 "out-of-bounds value and a memory layout, found "
              << unwrap(tensorType) << ", " << memorySpace << ", " << oobVal
              << " and " << memLayout;
    return MlirAttribute{nullptr};
  }
  Type element = elementType.ptr ? unwrap(elementType) : type.getElementType();
  auto collapsed = asIntervals(intervals, numIntervals);
  return wrap(LayoutAttr::getChecked(
      emitter, unwrap(context), type.getShape(), element, *space,
      grid.ptr ? as<GridAttr>(grid) : GridAttr(),
      LayoutAttr::CollapseIntervals(collapsed), *oob, *layout));
}
MlirAttribute ttmlirTTLayoutAttrWithGrid(MlirAttribute attr,
                                         const int64_t *tensorShape,
                                         size_t rank, MlirAttribute grid,
                                         const int64_t *intervals,
                                         size_t numIntervals) {
  // Through the checked builder: the new shape and grid come from outside.
  LayoutAttr layout = as<LayoutAttr>(attr);
  MLIRContext *context = layout.getContext();
  auto collapsed = asIntervals(intervals, numIntervals);
  return wrap(LayoutAttr::getChecked(
      errorEmitter(wrap(context)), context, ArrayRef(tensorShape, rank),
      layout.getElementType(), layout.getMemorySpace(), as<GridAttr>(grid),
      LayoutAttr::CollapseIntervals(collapsed), layout.getOobVal(),
      layout.getMemLayout()));
}
MlirAttribute ttmlirTTLayoutAttrWithElementType(MlirAttribute attr,
                                                MlirType elementType) {
  LayoutAttr layout = as<LayoutAttr>(attr);
  Type type = unwrap(elementType);
  if (!MemRefType::isValidElementType(type)) {
    errorEmitter(wrap(layout.getContext()))()
        << "not an element type of tensors: " << type;
    return MlirAttribute{nullptr};
  }
  if (isa<TileType>(type) && layout.getMemref().getRank() < 2) {
    errorEmitter(wrap(layout.getContext()))()
        << "tiles need a layout of rank 2 or more, found rank "
        << layout.getMemref().getRank();
    return MlirAttribute{nullptr};
  }
  // Padding to tiles must not make a shard too large.
  SmallVector<int64_t> padded = layout.getShardShape();
  if (auto tile = dyn_cast<TileType>(type)) {
    bool small = isAddressable(tile.getShape(), 1024);
    if (small) {
      int64_t &rows = padded[padded.size() - 2], &columns = padded.back();
      rows = llvm::alignTo(rows, tile.getHeight());
      columns = llvm::alignTo(columns, tile.getWidth());
    }
    if (!small || !isAddressable(padded, kMaxShardElements)) {
      errorEmitter(wrap(layout.getContext()))()
          << "expected a tile of at most 1024 elements and a shard of at most "
             "2^60, found "
          << type << " for a shard of " << layout.getMemref();
      return MlirAttribute{nullptr};
    }
  }
  return wrap(layout.withElementType(type));
}
MlirAttribute ttmlirTTLayoutAttrWithMemorySpace(MlirAttribute attr,
                                                uint32_t memorySpace) {
  LayoutAttr layout = as<LayoutAttr>(attr);
  if (std::optional<MemorySpace> space = symbolizeMemorySpace(memorySpace))
    return wrap(layout.withMemorySpace(*space));
  errorEmitter(wrap(layout.getContext()))()
      << "unknown MemorySpace " << memorySpace;
  return MlirAttribute{nullptr};
}
MlirAttribute ttmlirTTLayoutAttrWithMemoryLayout(MlirAttribute attr,
                                                 uint32_t memLayout) {
  LayoutAttr layout = as<LayoutAttr>(attr);
  if (std::optional<TensorMemoryLayout> value =
          symbolizeTensorMemoryLayout(memLayout))
    return wrap(layout.withMemoryLayout(*value));
  errorEmitter(wrap(layout.getContext()))()
      << "unknown TensorMemoryLayout " << memLayout;
  return MlirAttribute{nullptr};
}
MlirAffineMap ttmlirTTLayoutAttrGetLinear(MlirAttribute attr) {
  return wrap(as<LayoutAttr>(attr).getLinear());
}
uint32_t ttmlirTTLayoutAttrGetOOBVal(MlirAttribute attr) {
  return static_cast<uint32_t>(as<LayoutAttr>(attr).getOobVal());
}
MlirAttribute ttmlirTTLayoutAttrGetGrid(MlirAttribute attr) {
  return wrap(as<LayoutAttr>(attr).getGrid());
}
MlirType ttmlirTTLayoutAttrGetMemref(MlirAttribute attr) {
  return wrap(as<LayoutAttr>(attr).getMemref());
}
uint32_t ttmlirTTLayoutAttrGetMemorySpace(MlirAttribute attr) {
  return static_cast<uint32_t>(as<LayoutAttr>(attr).getMemorySpace());
}
uint32_t ttmlirTTLayoutAttrGetMemoryLayout(MlirAttribute attr) {
  return static_cast<uint32_t>(as<LayoutAttr>(attr).getMemLayout());
}
bool ttmlirTTLayoutAttrIsTiled(MlirAttribute attr) {
  return as<LayoutAttr>(attr).isTiled();
}
void ttmlirTTLayoutAttrGetShardShape(MlirAttribute attr, bool inScalars,
                                     int64_t *shape) {
  llvm::copy(as<LayoutAttr>(attr).getShardShape(inScalars), shape);
}
bool ttmlirTTLayoutAttrGetStride(MlirAttribute attr,
                                 const int64_t *logicalShape, size_t rank,
                                 int64_t *stride) {
  LayoutAttr layout = as<LayoutAttr>(attr);
  if (layout.getLinear().getNumDims() != rank)
    return false;
  llvm::copy(layout.getStride(ArrayRef(logicalShape, rank)), stride);
  return true;
}

//===----------------------------------------------------------------------===//
// Buffers and allocations
//===----------------------------------------------------------------------===//

TTMLIR_DEFINE_ATTR(Buffer)
MlirAttribute ttmlirTTBufferAttrGet(MlirContext context, MlirType memref,
                                    uint32_t bufferAccess) {
  auto type = dyn_cast<MemRefType>(unwrap(memref));
  std::optional<BufferAccess> access = symbolizeBufferAccess(bufferAccess);
  if (type && access)
    return wrap(BufferAttr::get(unwrap(context), type, *access));
  errorEmitter(context)()
      << "expected a memref type and a buffer access, found " << unwrap(memref)
      << " and " << bufferAccess;
  return MlirAttribute{nullptr};
}
MlirType ttmlirTTBufferAttrGetMemref(MlirAttribute attr) {
  return wrap(as<BufferAttr>(attr).getMemref());
}
uint32_t ttmlirTTBufferAttrGetAccess(MlirAttribute attr) {
  return static_cast<uint32_t>(as<BufferAttr>(attr).getBufferAccess());
}

TTMLIR_DEFINE_ATTR(ArgumentAllocation)
MlirAttribute ttmlirTTArgumentAllocationAttrGet(MlirContext context,
                                                uint64_t address, uint64_t size,
                                                uint32_t memorySpace) {
  if (std::optional<MemorySpace> space = symbolizeMemorySpace(memorySpace))
    return wrap(
        ArgumentAllocationAttr::get(unwrap(context), address, size, *space));
  errorEmitter(context)() << "unknown MemorySpace " << memorySpace;
  return MlirAttribute{nullptr};
}
uint64_t ttmlirTTArgumentAllocationAttrGetAddress(MlirAttribute attr) {
  return as<ArgumentAllocationAttr>(attr).getAddress();
}
uint64_t ttmlirTTArgumentAllocationAttrGetSize(MlirAttribute attr) {
  return as<ArgumentAllocationAttr>(attr).getSize();
}
uint32_t ttmlirTTArgumentAllocationAttrGetMemorySpace(MlirAttribute attr) {
  return static_cast<uint32_t>(
      as<ArgumentAllocationAttr>(attr).getMemorySpace());
}
