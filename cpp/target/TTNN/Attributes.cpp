// What attributes become in the flatbuffer.
#include "target/TTNN/Support.h"

#include "target/SystemDesc/SystemDesc.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;

Offset<Vector<int64_t>> ttnn::toFlatbuffer(FlatbufferObjectCache &cache,
                                           ShapeAttr attr) {
  if (!attr)
    return 0;
  ArrayRef<int64_t> shape = attr.getShape();
  return cache.fbb->CreateVector(shape.data(), shape.size());
}

Offset<Vector<int32_t>> ttnn::toFlatbuffer(FlatbufferObjectCache &cache,
                                           ArrayAttr attr) {
  if (!attr)
    return 0;
  SmallVector<int32_t> values;
  for (Attribute element : attr) {
    auto integer = dyn_cast<IntegerAttr>(element);
    if (!integer) {
      cache.emitError() << "expected an array of integers, found " << attr;
      return 0;
    }
    values.push_back(toFlatbuffer(cache, integer));
  }
  return cache.fbb->CreateVector(values.data(), values.size());
}

/// The schema's enumeration has `None` in front of the dialect's cases.
static fbs::TensorMemoryLayout convert(ttnn::TensorMemoryLayout layout) {
  switch (layout) {
  case ttnn::TensorMemoryLayout::Interleaved:
    return fbs::TensorMemoryLayout::Interleaved;
  case ttnn::TensorMemoryLayout::SingleBank:
    return fbs::TensorMemoryLayout::SingleBank;
  case ttnn::TensorMemoryLayout::HeightSharded:
    return fbs::TensorMemoryLayout::HeightSharded;
  case ttnn::TensorMemoryLayout::WidthSharded:
    return fbs::TensorMemoryLayout::WidthSharded;
  case ttnn::TensorMemoryLayout::BlockSharded:
    return fbs::TensorMemoryLayout::BlockSharded;
  }
  llvm_unreachable("all memory layouts are listed");
}

static_assert(static_cast<int>(ttnn::Layout::RowMajor) ==
                  static_cast<int>(fbs::TensorLayout::RowMajor) &&
              static_cast<int>(ttnn::Layout::Tile) ==
                  static_cast<int>(fbs::TensorLayout::Tile) &&
              static_cast<int>(ttnn::Layout::Invalid) ==
                  static_cast<int>(fbs::TensorLayout::Invalid));
static_assert(static_cast<int>(BufferType::DRAM) ==
                  static_cast<int>(fbs::BufferType::DRAM) &&
              static_cast<int>(BufferType::L1) ==
                  static_cast<int>(fbs::BufferType::L1) &&
              static_cast<int>(BufferType::SystemMemory) ==
                  static_cast<int>(fbs::BufferType::SystemMemory) &&
              static_cast<int>(BufferType::L1Small) ==
                  static_cast<int>(fbs::BufferType::L1Small) &&
              static_cast<int>(BufferType::Trace) ==
                  static_cast<int>(fbs::BufferType::Trace));

Offset<fbs::MemoryConfigDesc> ttnn::toFlatbuffer(FlatbufferObjectCache &cache,
                                                 MemoryConfigAttr attr) {
  if (!attr)
    return 0;
  return fbs::CreateMemoryConfigDesc(
      *cache.fbb, convert(attr.getTensorMemoryLayout().getValue()),
      static_cast<fbs::BufferType>(attr.getBufferType().getValue()));
}

static_assert(static_cast<int>(MathFidelity::LoFi) ==
                  static_cast<int>(fbs::MathFidelity::LoFi) &&
              static_cast<int>(MathFidelity::HiFi2) ==
                  static_cast<int>(fbs::MathFidelity::HiFi2) &&
              static_cast<int>(MathFidelity::HiFi3) ==
                  static_cast<int>(fbs::MathFidelity::HiFi3) &&
              static_cast<int>(MathFidelity::HiFi4) ==
                  static_cast<int>(fbs::MathFidelity::HiFi4));

Offset<fbs::ttnn::DeviceComputeKernelConfig>
ttnn::toFlatbuffer(FlatbufferObjectCache &cache,
                   DeviceComputeKernelConfigAttr attr) {
  if (!attr)
    return 0;
  auto flag = [](BoolAttr value) -> ::flatbuffers::Optional<bool> {
    if (!value)
      return ::flatbuffers::nullopt;
    return value.getValue();
  };
  ::flatbuffers::Optional<fbs::MathFidelity> fidelity = ::flatbuffers::nullopt;
  if (attr.getMathFidelity())
    fidelity = static_cast<fbs::MathFidelity>(*attr.getMathFidelity());
  return fbs::ttnn::CreateDeviceComputeKernelConfig(
      *cache.fbb, fidelity, flag(attr.getMathApproxMode()),
      flag(attr.getFp32DestAccEn()), flag(attr.getPackerL1Acc()));
}

fbs::DataType ttnn::toFlatbuffer(FlatbufferObjectCache &, DataTypeAttr attr) {
  return attr ? mlir::tt::toFlatbuffer(attr.getValue()) : fbs::DataType();
}

fbs::TensorLayout ttnn::toFlatbuffer(FlatbufferObjectCache &,
                                     ttnn::LayoutAttr attr) {
  return attr ? static_cast<fbs::TensorLayout>(attr.getValue())
              : fbs::TensorLayout();
}

int32_t ttnn::toFlatbuffer(FlatbufferObjectCache &cache, IntegerAttr attr) {
  if (!attr)
    return 0;
  const APInt &value = attr.getValue();
  bool isUnsigned = attr.getType().isUnsignedInteger();
  if (isUnsigned ? value.getActiveBits() > 32 : value.getSignificantBits() > 32)
    cache.emitError() << "integer does not fit into 32 bits: " << attr;
  APInt bits = isUnsigned ? value.zextOrTrunc(32) : value.sextOrTrunc(32);
  return static_cast<int32_t>(bits.getSExtValue());
}

bool ttnn::toFlatbuffer(FlatbufferObjectCache &, BoolAttr attr) {
  return attr && attr.getValue();
}

float ttnn::toFlatbuffer(FlatbufferObjectCache &cache, FloatAttr attr) {
  float value = attr ? static_cast<float>(attr.getValueAsDouble()) : 0.0f;
  // A field that equals its default is left out, and -0.0 equals 0.0.
  if (value == 0 && std::signbit(value))
    cache.fbb->ForceDefaults(true);
  return value;
}

Offset<Vector<int64_t>> ttnn::toFlatbuffer(FlatbufferObjectCache &cache,
                                           DenseI64ArrayAttr attr) {
  return attr ? cache.fbb->CreateVector(attr.asArrayRef().data(), attr.size())
              : 0;
}

Offset<Vector<int32_t>> ttnn::toFlatbuffer(FlatbufferObjectCache &cache,
                                           DenseI32ArrayAttr attr) {
  return attr ? cache.fbb->CreateVector(attr.asArrayRef().data(), attr.size())
              : 0;
}

int64_t ttnn::toWide(FlatbufferObjectCache &, IntegerAttr attr) {
  if (!attr)
    return 0;
  return attr.getType().isUnsignedInteger()
             ? static_cast<int64_t>(attr.getValue().getZExtValue())
             : attr.getValue().getSExtValue();
}

Offset<Vector<int64_t>> ttnn::toWide(FlatbufferObjectCache &cache,
                                     ArrayAttr attr) {
  SmallVector<int64_t> values;
  for (IntegerAttr value : attr.getAsRange<IntegerAttr>())
    values.push_back(toWide(cache, value));
  return cache.fbb->CreateVector(values.data(), values.size());
}

int32_t ttnn::toFirst(FlatbufferObjectCache &cache, ArrayAttr attr) {
  return attr ? toFlatbuffer(cache, cast<IntegerAttr>(attr[0])) : 0;
}

Offset<Vector<float>> ttnn::toFloats(FlatbufferObjectCache &cache,
                                     ArrayRef<FloatAttr> attrs) {
  SmallVector<float> values;
  for (FloatAttr attr : attrs)
    values.push_back(toFlatbuffer(cache, attr));
  return cache.fbb->CreateVector(values.data(), values.size());
}

Offset<Vector<int64_t>> ttnn::toBounds(FlatbufferObjectCache &cache,
                                       ArrayAttr attr, RankedTensorType input) {
  SmallVector<int64_t> values;
  for (auto [value, extent] :
       llvm::zip(attr.getAsRange<IntegerAttr>(), input.getShape())) {
    int64_t place = toWide(cache, value);
    values.push_back(place < 0 ? place + extent : place);
  }
  return cache.fbb->CreateVector(values.data(), values.size());
}

fbs::ttnn::UpsampleMode ttnn::toUpsampleMode(FlatbufferObjectCache &,
                                             StringAttr attr) {
  return attr && attr.getValue() == "bilinear"
             ? fbs::ttnn::UpsampleMode::Bilinear
             : fbs::ttnn::UpsampleMode::Nearest;
}

static_assert(static_cast<int>(ReduceType::Sum) ==
                  static_cast<int>(fbs::ReduceType::Sum) &&
              static_cast<int>(ReduceType::Mean) ==
                  static_cast<int>(fbs::ReduceType::Mean) &&
              static_cast<int>(ReduceType::Max) ==
                  static_cast<int>(fbs::ReduceType::Max) &&
              static_cast<int>(ReduceType::Min) ==
                  static_cast<int>(fbs::ReduceType::Min) &&
              static_cast<int>(ReduceType::Prod) ==
                  static_cast<int>(fbs::ReduceType::Prod) &&
              static_cast<int>(ReduceType::Invalid) ==
                  static_cast<int>(fbs::ReduceType::Invalid));
static_assert(static_cast<int>(Topology::Ring) ==
                  static_cast<int>(fbs::Topology::Ring) &&
              static_cast<int>(Topology::Linear) ==
                  static_cast<int>(fbs::Topology::Linear));
static_assert(static_cast<int>(MeshShardType::Replicate) ==
                  static_cast<int>(fbs::MeshShardType::Replicate) &&
              static_cast<int>(MeshShardType::Devices) ==
                  static_cast<int>(fbs::MeshShardType::Devices));
static_assert(static_cast<int>(MeshShardDirection::FullToShard) ==
                  static_cast<int>(fbs::MeshShardDirection::FullToShard) &&
              static_cast<int>(MeshShardDirection::ShardToFull) ==
                  static_cast<int>(fbs::MeshShardDirection::ShardToFull));

fbs::ReduceType ttnn::toFlatbuffer(FlatbufferObjectCache &,
                                   ReduceTypeAttr attr) {
  return attr ? static_cast<fbs::ReduceType>(attr.getValue())
              : fbs::ReduceType();
}

fbs::Topology ttnn::toFlatbuffer(FlatbufferObjectCache &, TopologyAttr attr) {
  return attr ? static_cast<fbs::Topology>(attr.getValue()) : fbs::Topology();
}

fbs::MeshShardType ttnn::toFlatbuffer(FlatbufferObjectCache &,
                                      MeshShardTypeAttr attr) {
  return static_cast<fbs::MeshShardType>(attr.getValue());
}

fbs::MeshShardDirection ttnn::toFlatbuffer(FlatbufferObjectCache &,
                                           MeshShardDirectionAttr attr) {
  return static_cast<fbs::MeshShardDirection>(attr.getValue());
}

Offset<Vector<int64_t>> ttnn::toRows(FlatbufferObjectCache &cache,
                                     DenseIntElementsAttr attr) {
  SmallVector<int64_t> entries(attr.getValues<int64_t>());
  return cache.fbb->CreateVector(entries.data(), entries.size());
}

uint32_t ttnn::toRowSize(FlatbufferObjectCache &, DenseIntElementsAttr attr) {
  return static_cast<uint32_t>(attr.getType().getShape().back());
}
