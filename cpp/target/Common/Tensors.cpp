#include "target/Common/Tensors.h"

#include "dialects/TT/Bounds.h"
#include "dialects/TT/CoreRanges.h"
#include "dialects/TT/HostType.h"
#include "dialects/TT/TTOps.h"
#include "target/SystemDesc/SystemDesc.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::serialization;

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

Offset<fbs::MemoryDesc> serialization::memoryDesc(FlatbufferObjectCache &cache,
                                                  MemRefType memref,
                                                  MemorySpace memorySpace,
                                                  TensorMemoryLayout memLayout,
                                                  uint64_t size) {
  auto &desc =
      cache.memoryDescs[{memref, static_cast<unsigned>(memLayout), size}];
  if (!desc.IsNull())
    return desc;

  Type element = memref.getElementType();
  std::optional<DataType> dataType = elementTypeToDataType(element);
  if (!dataType) {
    cache.emitError() << "has a tensor of an element type that the machine "
                         "does not have: "
                      << element;
    return 0;
  }
  fbs::Dim2d tileShape(1, 1);
  if (auto tile = dyn_cast<TileType>(element)) {
    if (tile.getHeight() != TileType::kExtent ||
        tile.getWidth() != TileType::kExtent) {
      cache.emitError() << "cannot be serialized: expected tiles of 32x32, "
                           "which every runtime loads, found "
                        << tile;
      return 0;
    }
    tileShape = fbs::Dim2d(TileType::kExtent, TileType::kExtent);
  }
  auto shape = narrowVector(cache, memref.getShape(), "extent of a shard");
  return desc = fbs::CreateMemoryDesc(*cache.fbb, shape, &tileShape,
                                      mlir::tt::toFlatbuffer(*dataType),
                                      mlir::tt::toFlatbuffer(memorySpace),
                                      mlir::tt::toFlatbuffer(memLayout), size);
}

static Offset<fbs::MemoryDesc> memoryDesc(FlatbufferObjectCache &cache,
                                          LayoutAttr layout) {
  MemRefType memref = layout.getMemref();
  uint64_t size = layout.getElementSizeBytes() *
                  static_cast<uint64_t>(volume(memref.getShape()));
  return memoryDesc(cache, memref, layout.getMemorySpace(),
                    layout.getMemLayout(), size);
}

/// What every runtime loads: dimensions that follow each other in memory, rows
/// that are whole.
static LogicalResult expectLoadable(FlatbufferObjectCache &cache,
                                    LayoutAttr layout,
                                    ArrayRef<int64_t> shape) {
  constexpr size_t kMaxRank = 16;
  constexpr int64_t kMaxVolume = int64_t(1) << 40;
  if (shape.size() > kMaxRank || !isAddressable(shape, kMaxVolume))
    return cache.emitError()
           << "cannot be serialized: expected tensors of rank at most "
           << kMaxRank << " and at most 2^40 elements, found " << layout;
  if (shape.empty())
    return success();
  SmallVector<int64_t> stride = layout.getStride(shape);
  bool isRowMajor = stride.back() == 1;
  int64_t columns = shape.back(), least = columns;
  for (size_t d = shape.size() - 1; d-- > 0;) {
    if (shape[d] == 1)
      continue;
    isRowMajor &= stride[d] >= least && stride[d] % columns == 0;
    least = saturatedVolume({stride[d], shape[d]});
  }
  if (isRowMajor)
    return success();
  return cache.emitError() << "cannot be serialized: expected a layout whose "
                              "dimensions follow each other in memory, the "
                              "last one without gaps, found "
                           << layout;
}

static Offset<fbs::LayoutDesc> layoutDesc(FlatbufferObjectCache &cache,
                                          LayoutAttr layout,
                                          ArrayRef<int64_t> logicalShape) {
  Attribute shape = DenseI64ArrayAttr::get(layout.getContext(), logicalShape);
  auto &desc = cache.layoutDescs[{layout, shape}];
  if (!desc.IsNull())
    return desc;

  if (failed(expectLoadable(cache, layout, logicalShape)))
    return 0;
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

/// `elements` are those of a constant, or null.
static Offset<fbs::TensorDesc> tensorDesc(FlatbufferObjectCache &cache,
                                          RankedTensorType type,
                                          ElementsAttr elements) {
  Offset<fbs::TensorDesc> known = cache.tensorDescs.lookup(type);
  if (!known.IsNull() && !elements)
    return known;

  auto layout = dyn_cast_or_null<LayoutAttr>(type.getEncoding());
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
  if (elements) {
    auto data = toElements(cache, elements);
    return fbs::CreateTensorDesc(*cache.fbb, shape, layoutOffset, data);
  }
  return cache.tensorDescs[type] =
             fbs::CreateTensorDesc(*cache.fbb, shape, layoutOffset);
}

Offset<fbs::TensorDesc>
serialization::hostTensorDesc(FlatbufferObjectCache &cache,
                              RankedTensorType type, ElementsAttr elements) {
  auto host = RankedTensorType::get(
      type.getShape(), type.getElementType(),
      LayoutAttr::get(
          RankedTensorType::get(type.getShape(), type.getElementType()),
          MemorySpace::System, GridAttr::get(type.getContext(), /*rank=*/2)));
  auto dense = dyn_cast_or_null<DenseElementsAttr>(elements);
  if (!dense || !dense.isSplat())
    return tensorDesc(cache, host, elements);
  // One element is enough.
  auto shape = narrowVector(cache, type.getShape(), "extent of a tensor");
  Offset<fbs::LayoutDesc> layout =
      layoutDesc(cache, cast<LayoutAttr>(host.getEncoding()), type.getShape());
  auto bytes = cache.fbb->CreateVector(
      reinterpret_cast<const uint8_t *>(dense.getRawData().data()),
      dense.getRawData().size());
  return fbs::CreateTensorDesc(*cache.fbb, shape, layout, bytes);
}

bool FlatbufferObjectCache::hasRoom(size_t bytes) {
  if (bytes <= kMaxBytes && fbb->GetSize() + bytes + reserved <= kMaxBytes)
    return true;
  emitError() << kTooLarge;
  return false;
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

/// Where the value is made: of a destination, the op that writes it.
static Location getMakerLoc(Value value) {
  for (OpOperand &use : value.getUses())
    if (auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
        op && op.isDpsInit(&use))
      return op.getLoc();
  return value.getLoc();
}

static Offset<::flatbuffers::String> locationText(FlatbufferObjectCache &cache,
                                                  Location loc) {
  auto [known, isNew] = cache.locations.try_emplace(loc);
  if (isNew) {
    std::string text;
    llvm::raw_string_ostream os(text);
    Attribute(loc).print(os);
    if (cache.hasRoom(text.size()))
      known->second = cache.fbb->CreateString(text);
  }
  return known->second;
}

Offset<fbs::TensorRef> serialization::tensorRef(FlatbufferObjectCache &cache,
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
  Offset<fbs::TensorDesc> desc =
      tensorDesc(cache, type, cache.constants.lookup(identity));
  if (desc.IsNull())
    return 0;
  Place place = cache.places.lookup(identity);
  auto location = locationText(cache, getMakerLoc(identity));
  Offset<fbs::TensorRef> ref =
      fbs::CreateTensorRef(*cache.fbb, cache.nextGlobalId++, place.address,
                           place.size, desc, location);
  cache.tensorRefs[identity] = ref;
  return ref;
}

Offset<Vector<Offset<fbs::TensorRef>>>
serialization::tensorRefs(FlatbufferObjectCache &cache, ValueRange values) {
  SmallVector<Offset<fbs::TensorRef>> refs;
  for (Value value : values) {
    refs.push_back(tensorRef(cache, value));
    if (refs.back().IsNull())
      return 0;
  }
  return cache.fbb->CreateVector(refs.data(), refs.size());
}

//===----------------------------------------------------------------------===//
// Types of the source
//===----------------------------------------------------------------------===//

/// Floats and integers of fewer than 8 bits, and 8-bit floats.
static std::optional<fbs::HostType> toSmallHostType(Type element) {
  using Found = std::optional<fbs::HostType>;
  return TypeSwitch<Type, Found>(element)
      .Case([](Float8E4M3FNType) { return fbs::HostType::Float8_E4M3FN; })
      .Case([](Float8E5M2Type) { return fbs::HostType::Float8_E5M2; })
      .Case([](Float8E4M3FNUZType) { return fbs::HostType::Float8_E4M3FNUZ; })
      .Case([](Float8E5M2FNUZType) { return fbs::HostType::Float8_E5M2FNUZ; })
      .Case([](Float8E4M3B11FNUZType) {
        return fbs::HostType::Float8_E4M3B11FNUZ;
      })
      .Case([](Float8E4M3Type) { return fbs::HostType::Float8_E4M3; })
      .Case([](Float8E3M4Type) { return fbs::HostType::Float8_E3M4; })
      .Case([](Float8E8M0FNUType) { return fbs::HostType::Float8_E8M0FNU; })
      .Case([](Float6E3M2FNType) { return fbs::HostType::Float6_E3M2FN; })
      .Case([](Float6E2M3FNType) { return fbs::HostType::Float6_E2M3FN; })
      .Case([](Float4E2M1FNType) { return fbs::HostType::Float4_E2M1FN; })
      .Case([](IntegerType type) -> Found {
        if (type.getWidth() == 4)
          return type.isSigned() ? fbs::HostType::Int4 : fbs::HostType::UInt4;
        if (type.getWidth() == 2)
          return type.isSigned() ? fbs::HostType::Int2 : fbs::HostType::UInt2;
        return std::nullopt;
      })
      .Default(Found());
}

static std::optional<fbs::HostType> toHostType(Type element) {
  if (auto small = toSmallHostType(element))
    return small;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    if (complex.getElementType().isF32())
      return fbs::HostType::Complex64;
    if (complex.getElementType().isF64())
      return fbs::HostType::Complex128;
    return std::nullopt;
  }
  if (isa<Float64Type>(element))
    return fbs::HostType::Float64;
  if (element.isInteger(1))
    return fbs::HostType::Bool;
  if (element.isSignedInteger(64))
    return fbs::HostType::Int64;
  if (element.isInteger(64))
    return fbs::HostType::UInt64;
  switch (elementTypeToDataType(element).value_or(DataType::BFP_Float8)) {
  case DataType::Float32:
    return fbs::HostType::Float32;
  case DataType::Float16:
    return fbs::HostType::Float16;
  case DataType::BFloat16:
    return fbs::HostType::BFloat16;
  case DataType::UInt32:
    return fbs::HostType::UInt32;
  case DataType::UInt16:
    return fbs::HostType::UInt16;
  case DataType::UInt8:
    return fbs::HostType::UInt8;
  case DataType::Int32:
    return fbs::HostType::Int32;
  case DataType::Int16:
    return fbs::HostType::Int16;
  case DataType::Int8:
    return fbs::HostType::Int8;
  default:
    return std::nullopt;
  }
}

Offset<Vector<Offset<fbs::HostDesc>>>
serialization::hostDescs(FlatbufferObjectCache &cache,
                         FunctionOpInterface function, bool ofResults) {
  SmallVector<Offset<fbs::HostDesc>> descs;
  bool isAny = false;
  unsigned count =
      ofResults ? function.getNumResults() : function.getNumArguments();
  for (unsigned i = 0; i < count; ++i) {
    auto find = [&](StringRef name) {
      return ofResults ? function.getResultAttr(i, name)
                       : function.getArgAttr(i, name);
    };
    auto source = dyn_cast_or_null<TypeAttr>(find(kHostTypeAttr));
    auto type = source ? dyn_cast<RankedTensorType>(source.getValue())
                       : RankedTensorType();
    std::optional<fbs::HostType> element =
        type ? toHostType(type.getElementType()) : std::nullopt;
    if (!element) {
      // Without a shape, the host type is that of the program.
      descs.push_back(fbs::CreateHostDesc(*cache.fbb));
      continue;
    }
    isAny = true;
    auto shape =
        cache.fbb->CreateVector(type.getShape().data(), type.getShape().size());
    Offset<Vector<int64_t>> shardDims;
    if (auto dims = dyn_cast_or_null<DenseI64ArrayAttr>(find(kPreshardedAttr)))
      shardDims = cache.fbb->CreateVector(dims.asArrayRef().data(),
                                          dims.asArrayRef().size());
    descs.push_back(
        fbs::CreateHostDesc(*cache.fbb, *element, shape, shardDims));
  }
  return isAny ? cache.fbb->CreateVector(descs.data(), descs.size())
               : Offset<Vector<Offset<fbs::HostDesc>>>();
}

/// What the source calls an argument: the name of its location.
static StringRef getName(BlockArgument argument) {
  auto name = dyn_cast<NameLoc>(argument.getLoc());
  return name ? name.getName().getValue() : StringRef();
}

static_assert(static_cast<int>(ArgumentType::Parameter) ==
                  static_cast<int>(fbs::ArgumentType::Parameter) &&
              static_cast<int>(ArgumentType::Default) ==
                  static_cast<int>(fbs::ArgumentType::MAX));

Offset<Vector<Offset<fbs::ArgumentDesc>>>
serialization::argumentDescs(FlatbufferObjectCache &cache,
                             FunctionOpInterface function) {
  SmallVector<Offset<fbs::ArgumentDesc>> descs;
  bool isAny = false;
  for (BlockArgument argument : function.getArguments()) {
    auto type = function.getArgAttrOfType<ArgumentTypeAttr>(
        argument.getArgNumber(), ArgumentTypeAttr::name);
    StringRef name = getName(argument);
    auto output = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), kAliasedOutputAttr);
    isAny |= type || output || !name.empty();
    descs.push_back(fbs::CreateArgumentDesc(
        *cache.fbb, cache.fbb->CreateString(name.data(), name.size()),
        type ? static_cast<fbs::ArgumentType>(type.getValue())
             : fbs::ArgumentType::Input,
        output ? static_cast<int32_t>(output.getInt()) : -1));
  }
  return isAny ? cache.fbb->CreateVector(descs.data(), descs.size())
               : Offset<Vector<Offset<fbs::ArgumentDesc>>>();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

fbs::DataType serialization::toElementType(FlatbufferObjectCache &cache,
                                           ElementsAttr attr) {
  if (std::optional<DataType> type =
          elementTypeToDataType(attr.getElementType()))
    return mlir::tt::toFlatbuffer(*type);
  cache.emitError() << "expected elements of f32, f16, bf16 or integers of 8, "
                       "16 or 32 bits, found "
                    << attr.getElementType();
  return fbs::DataType();
}

Offset<Vector<uint8_t>> serialization::toElements(FlatbufferObjectCache &cache,
                                                  ElementsAttr attr) {
  ArrayRef<char> bytes;
  size_t elementBytes = attr.getElementType().getIntOrFloatBitWidth() / 8;
  size_t count = attr.getNumElements();
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    bytes = dense.getRawData();
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob) {
      cache.emitError() << "expected the resource '"
                        << resource.getRawHandle().getKey()
                        << "' in the file, found none";
      return 0;
    }
    bytes = blob->getData();
  } else {
    cache.emitError() << "expected dense elements, found " << attr;
    return 0;
  }
  if (!cache.hasRoom(count * elementBytes))
    return 0;
  uint8_t *data;
  auto vector =
      cache.fbb->CreateUninitializedVector(count * elementBytes, &data);
  if (bytes.size() == count * elementBytes) {
    std::copy(bytes.begin(), bytes.end(), data);
  } else if (bytes.size() == elementBytes) {
    for (size_t i = 0; i < count; ++i)
      std::copy(bytes.begin(), bytes.end(), data + i * elementBytes);
  } else {
    cache.emitError() << "expected " << count * elementBytes
                      << " bytes of elements, found " << bytes.size();
  }
  return vector;
}
