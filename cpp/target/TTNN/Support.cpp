#include "target/TTNN/Support.h"

#include "dialects/TT/CoreRanges.h"
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

  FailureOr<SmallVector<CoreRange>> cores =
      getCoreRanges([&] { return cache.emitError(); }, layout, cache.device);
  Offset<fbs::MemoryDesc> memory = memoryDesc(cache, layout);
  if (failed(cores) || memory.IsNull())
    return 0;
  SmallVector<fbs::Dim2dRange> ranges =
      llvm::map_to_vector(*cores, [](const CoreRange &range) {
        return fbs::Dim2dRange(fbs::Dim2d(range.y, range.x),
                               fbs::Dim2d(range.height, range.width));
      });
  auto stride = narrowVector(cache, layout.getStride(logicalShape), "stride");
  auto coreRangeSet =
      cache.fbb->CreateVectorOfStructs(ranges.data(), ranges.size());
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
