//===- TTTypes.cpp - types of the tt dialect and their number formats -----===//

#include "dialects/TT/Extents.h"
#include "dialects/TT/Formats.h"
#include "dialects/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;

#define GET_TYPEDEF_CLASSES
#include "dialects/TT/TTTypes.cpp.inc"

void TTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/TT/TTTypes.cpp.inc"
      >();
}

/// More than any tile has, and so few that sizes of shards do not overflow.
static constexpr int64_t kMaxTileElements = int64_t(1) << 20;

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, DataType dataType) {
  if (shape.size() != 2)
    return emitError() << "(C1) expected 2D shape, found rank " << shape.size();
  if (shape[0] <= 0 || shape[1] <= 0)
    return emitError() << "(C1) expected a tile of positive height and width, "
                          "found "
                       << shape[0] << "x" << shape[1];
  if (!isAddressable(shape, kMaxTileElements))
    return emitError()
           << "(C1) expected a tile of at most 2^20 elements, found "
           << shape[0] << "x" << shape[1];
  if (isBlockFloat(dataType) && (shape[0] != 32 || shape[1] != 32))
    return emitError() << "(C2) expected a 32x32 tile of the block format "
                       << stringifyEnum(dataType) << ", found " << shape[0]
                       << "x" << shape[1];
  return success();
}

uint64_t TileType::getSizeBytes() const {
  return getHeight() * getWidth() * getDataTypeBits(getDataType()) / 8;
}

uint64_t TileType::getStorageSizeBytes() const {
  // Block floats have tiles of one size only.
  return isBlockFloat(getDataType()) ? formatOf(getDataType()).tileBytes
                                     : getSizeBytes();
}

Type TileType::getElementType() const {
  return dataTypeToElementType(getContext(), getDataType());
}

bool tt::isBlockFloat(DataType dataType) { return formatOf(dataType).block; }

unsigned tt::getDataTypeBits(DataType dataType) {
  return formatOf(dataType).bits;
}

std::optional<DataType> tt::parseDataType(StringRef name) {
  for (size_t i = 0; i < ::ttmlir::formats::kNumFormats; ++i) {
    const auto &format = ::ttmlir::formats::kFormats[i];
    if (name == format.name || name == format.irName ||
        (!format.block && name == format.numpy))
      return static_cast<DataType>(i);
  }
  return std::nullopt;
}

Type tt::dataTypeToElementType(MLIRContext *context, DataType dataType) {
  Builder builder(context);
  const auto &format = formatOf(dataType);
  switch (static_cast<DataType>(format.holder)) {
  case DataType::Float32:
    return builder.getF32Type();
  case DataType::Float16:
    return builder.getF16Type();
  case DataType::BFloat16:
    return builder.getBF16Type();
  case DataType::Int32:
  case DataType::Int16:
  case DataType::Int8:
    return builder.getIntegerType(format.bits, /*isSigned=*/true);
  default:
    return builder.getIntegerType(format.bits);
  }
}

std::optional<DataType> tt::elementTypeToDataType(Type type) {
  if (auto tile = dyn_cast<TileType>(type))
    return tile.getDataType();
  if (type.isF32())
    return DataType::Float32;
  if (type.isF16())
    return DataType::Float16;
  if (type.isBF16())
    return DataType::BFloat16;
  // A signless integer is unsigned.
  if (type.isSignedInteger(32))
    return DataType::Int32;
  if (type.isSignedInteger(16))
    return DataType::Int16;
  if (type.isSignedInteger(8))
    return DataType::Int8;
  if (type.isInteger(32))
    return DataType::UInt32;
  if (type.isInteger(16))
    return DataType::UInt16;
  if (type.isInteger(8))
    return DataType::UInt8;
  return std::nullopt;
}
