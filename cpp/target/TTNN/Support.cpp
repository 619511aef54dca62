#include "target/TTNN/Support.h"

#include "target/SystemDesc/SystemDesc.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The schema has 32-bit shapes and strides.
static int32_t narrow(FlatbufferObjectCache &cache, int64_t value,
                      StringRef what) {
  if (value < std::numeric_limits<int32_t>::min() ||
      value > std::numeric_limits<int32_t>::max()) {
    if (!cache.failed)
      cache.emitError() << what << " does not fit into 32 bits: " << value;
    return 0;
  }
  return static_cast<int32_t>(value);
}

static Offset<Vector<int32_t>> narrowVector(FlatbufferObjectCache &cache,
                                            ArrayRef<int64_t> values,
                                            StringRef what) {
  SmallVector<int32_t> narrowed = llvm::map_to_vector(
      values, [&](int64_t value) { return narrow(cache, value, what); });
  return cache.fbb->CreateVector(narrowed.data(), narrowed.size());
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The physical cores of a tensor's grid as few rectangles: each rectangle is
/// extended to the right while the next core is its neighbour, and joined to
/// the one above when it continues that downwards.
static std::optional<SmallVector<fbs::Dim2dRange>>
getCoreRangeSet(FlatbufferObjectCache &cache, mlir::tt::LayoutAttr layout) {
  GridAttr grid = layout.getGrid(), workerGrid = cache.device.getWorkerGrid();
  ArrayRef<int64_t> shape = grid.getShape();
  if (!fitsDevice(cache.device, grid, layout.getMemLayout())) {
    cache.emitError() << "has a tensor on the grid " << grid
                      << ", which is not inside the device's grid "
                      << GridAttr::get(grid.getContext(),
                                       workerGrid.getShape());
    return std::nullopt;
  }

  SmallVector<fbs::Dim2dRange> ranges;
  SmallVector<int64_t> point(shape.size(), 0);
  for (int64_t i = 0, e = grid.getVolume(); i < e; ++i) {
    SmallVector<int64_t> worker = getWorkerPoint(cache.device, grid, point);
    SmallVector<int64_t> core = evaluate(workerGrid.getMapping(), worker)
                                    .value_or(SmallVector<int64_t>(3, -1));
    if (core[0] != 0) {
      cache.emitError() << "has a tensor on chip " << core[0]
                        << " of the device; a program runs on one chip";
      return std::nullopt;
    }
    int32_t y = static_cast<int32_t>(core[1]);
    int32_t x = static_cast<int32_t>(core[2]);
    fbs::Dim2dRange *last = ranges.empty() ? nullptr : &ranges.back();
    if (last && last->loc().y() == y && last->size().y() == 1 &&
        last->loc().x() + last->size().x() == x) {
      *last = fbs::Dim2dRange(last->loc(), fbs::Dim2d(1, last->size().x() + 1));
    } else {
      ranges.emplace_back(fbs::Dim2d(y, x), fbs::Dim2d(1, 1));
    }
    // Join it to the rectangle above that has the same columns.
    if (ranges.size() >= 2) {
      const fbs::Dim2dRange &above = ranges[ranges.size() - 2];
      const fbs::Dim2dRange &row = ranges.back();
      if (above.loc().x() == row.loc().x() &&
          above.size().x() == row.size().x() &&
          above.loc().y() + above.size().y() == row.loc().y()) {
        fbs::Dim2dRange joined(
            above.loc(),
            fbs::Dim2d(above.size().y() + row.size().y(), row.size().x()));
        ranges.pop_back();
        ranges.back() = joined;
      }
    }
    for (size_t d = point.size(); d-- > 0;) {
      if (++point[d] < shape[d])
        break;
      point[d] = 0;
    }
  }
  return ranges;
}

static Offset<fbs::MemoryDesc> memoryDesc(FlatbufferObjectCache &cache,
                                          mlir::tt::LayoutAttr layout) {
  MemRefType memref = layout.getMemref();
  auto &desc =
      cache.memoryDescs[{memref, static_cast<unsigned>(layout.getMemLayout())}];
  if (!desc.IsNull())
    return desc;

  std::optional<DataType> dataType =
      elementTypeToDataType(layout.getElementType());
  if (!dataType) {
    cache.emitError() << "has a tensor of an element type that the machine "
                         "does not have: "
                      << layout.getElementType();
    return 0;
  }
  fbs::Dim2d tileShape(1, 1);
  if (auto tile = dyn_cast<TileType>(layout.getElementType()))
    tileShape = fbs::Dim2d(tile.getHeight(), tile.getWidth());
  auto shape = narrowVector(cache, memref.getShape(), "extent of a shard");
  uint64_t size = layout.getElementSizeBytes() *
                  static_cast<uint64_t>(mlir::tt::volume(memref.getShape()));
  return desc = fbs::CreateMemoryDesc(
             *cache.fbb, shape, &tileShape, mlir::tt::toFlatbuffer(*dataType),
             mlir::tt::toFlatbuffer(layout.getMemorySpace()),
             mlir::tt::toFlatbuffer(layout.getMemLayout()), size);
}

static Offset<fbs::LayoutDesc> layoutDesc(FlatbufferObjectCache &cache,
                                          mlir::tt::LayoutAttr layout,
                                          ArrayRef<int64_t> logicalShape) {
  Attribute shape = DenseI64ArrayAttr::get(layout.getContext(), logicalShape);
  auto &desc = cache.layoutDescs[{layout, shape}];
  if (!desc.IsNull())
    return desc;

  std::optional<SmallVector<fbs::Dim2dRange>> cores =
      getCoreRangeSet(cache, layout);
  Offset<fbs::MemoryDesc> memory = memoryDesc(cache, layout);
  if (!cores || memory.IsNull())
    return 0;
  auto stride = narrowVector(cache, layout.getStride(logicalShape), "stride");
  auto coreRangeSet =
      cache.fbb->CreateVectorOfStructs(cores->data(), cores->size());
  return desc = fbs::CreateLayoutDesc(
             *cache.fbb, stride, mlir::tt::toFlatbuffer(layout.getOobVal()),
             coreRangeSet, memory);
}

static Offset<fbs::TensorDesc> tensorDesc(FlatbufferObjectCache &cache,
                                          RankedTensorType type) {
  auto &desc = cache.tensorDescs[type];
  if (!desc.IsNull())
    return desc;

  auto layout = dyn_cast_or_null<mlir::tt::LayoutAttr>(type.getEncoding());
  if (!layout || !type.hasStaticShape()) {
    cache.emitError() << "expected tensors of static shape with a tt.layout, "
                         "found "
                      << type;
    return 0;
  }
  auto shape = narrowVector(cache, type.getShape(), "extent of a tensor");
  Offset<fbs::LayoutDesc> layoutOffset =
      layoutDesc(cache, layout, type.getShape());
  if (layoutOffset.IsNull())
    return 0;
  return desc = fbs::CreateTensorDesc(*cache.fbb, shape, layoutOffset);
}

Value FlatbufferObjectCache::getIdentity(Value value) {
  SmallVector<Value> passed;
  while (true) {
    if (Value known = identities.lookup(value)) {
      value = known;
      break;
    }
    auto result = dyn_cast<OpResult>(value);
    auto op = result ? dyn_cast<DestinationStyleOpInterface>(result.getOwner())
                     : DestinationStyleOpInterface();
    if (!op)
      break;
    passed.push_back(value);
    value = op.getTiedOpOperand(result)->get();
  }
  // Remembering keeps long in-place chains linear.
  for (Value other : passed)
    identities[other] = value;
  return value;
}

Offset<fbs::TensorRef> ttnn::tensorRef(FlatbufferObjectCache &cache,
                                       Value value) {
  if (!value)
    return 0;
  Value identity = cache.getIdentity(value);
  auto known = cache.tensorRefs.find(identity);
  if (known != cache.tensorRefs.end())
    return known->second;

  auto type = dyn_cast<RankedTensorType>(identity.getType());
  if (!type) {
    cache.emitError() << "expected a ranked tensor, found a value of type "
                      << identity.getType();
    return 0;
  }
  Offset<fbs::TensorDesc> desc = tensorDesc(cache, type);
  if (desc.IsNull())
    return 0;
  Offset<fbs::TensorRef> ref = fbs::CreateTensorRef(
      *cache.fbb, cache.nextGlobalId++, /*address=*/0, /*size=*/0, desc);
  cache.tensorRefs[identity] = ref;
  return ref;
}

Offset<Vector<Offset<fbs::TensorRef>>>
ttnn::tensorRefs(FlatbufferObjectCache &cache, ValueRange values) {
  SmallVector<Offset<fbs::TensorRef>> refs;
  for (Value value : values) {
    refs.push_back(tensorRef(cache, value));
    if (refs.back().IsNull())
      return 0;
  }
  return cache.fbb->CreateVector(refs.data(), refs.size());
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The one chip of a device; emits an error if there are several.
static std::optional<unsigned> getOnlyChip(FlatbufferObjectCache &cache,
                                           DeviceAttr device) {
  ArrayRef<unsigned> chipIds = device.getChipIds();
  if (chipIds.size() == 1)
    return chipIds.front();
  cache.emitError() << "uses a device of " << chipIds.size()
                    << " chips; expected exactly one";
  return std::nullopt;
}

Offset<fbs::DeviceRef> ttnn::deviceRef(FlatbufferObjectCache &cache,
                                       Value value) {
  if (!value)
    return 0;
  auto known = cache.deviceRefs.find(value);
  if (known != cache.deviceRefs.end())
    return known->second;

  auto type = dyn_cast<DeviceType>(value.getType());
  if (!type) {
    cache.emitError() << "expected a device, found a value of type "
                      << value.getType();
    return 0;
  }
  std::optional<unsigned> chip = getOnlyChip(cache, type.getDesc());
  if (!chip)
    return 0;
  Offset<fbs::DeviceRef> ref = fbs::CreateDeviceRef(*cache.fbb, *chip);
  cache.deviceRefs[value] = ref;
  return ref;
}

Offset<fbs::ttnn::GetDeviceOp> ttnn::createOp(FlatbufferObjectCache &cache,
                                              GetDeviceOp op) {
  auto type = cast<DeviceType>(op->getResult(0).getType());
  DeviceAttr device = type.getDesc();
  Offset<fbs::DeviceRef> ref = deviceRef(cache, op->getResult(0));
  if (ref.IsNull())
    return 0;
  fbs::Dim2d mesh(
      1, static_cast<int32_t>(mlir::tt::volume(device.getMeshShape())));
  ArrayRef<unsigned> ids = device.getChipIds();
  SmallVector<uint32_t> chipIds(ids.begin(), ids.end());
  auto chipIdsOffset = cache.fbb->CreateVector(chipIds.data(), chipIds.size());
  return fbs::ttnn::CreateGetDeviceOp(*cache.fbb, &mesh, chipIdsOffset, ref);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace mlir::tt::ttnn {
#include "target/TTNN/TTNNToFlatbuffer.inc"
} // namespace mlir::tt::ttnn
