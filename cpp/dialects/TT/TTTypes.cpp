//===- TTTypes.cpp - types of the tt dialect and their number formats -----===//

#include "dialects/TT/Extents.h"
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
  // One exponent byte for every 16 elements of a face row.
  uint64_t exponents =
      isBlockFloat(getDataType()) ? getHeight() * getWidth() / 16 : 0;
  return getSizeBytes() + exponents;
}

Type TileType::getElementType() const {
  return dataTypeToElementType(getContext(), getDataType());
}

bool tt::isBlockFloat(DataType dataType) {
  switch (dataType) {
  case DataType::BFP_Float8:
  case DataType::BFP_BFloat8:
  case DataType::BFP_Float4:
  case DataType::BFP_BFloat4:
  case DataType::BFP_Float2:
  case DataType::BFP_BFloat2:
    return true;
  default:
    return false;
  }
}

unsigned tt::getDataTypeBits(DataType dataType) {
  switch (dataType) {
  case DataType::Float32:
  case DataType::UInt32:
  case DataType::Int32:
    return 32;
  case DataType::Float16:
  case DataType::BFloat16:
  case DataType::UInt16:
    return 16;
  case DataType::BFP_Float8:
  case DataType::BFP_BFloat8:
  case DataType::UInt8:
    return 8;
  case DataType::BFP_Float4:
  case DataType::BFP_BFloat4:
    return 4;
  case DataType::BFP_Float2:
  case DataType::BFP_BFloat2:
    return 2;
  }
  llvm_unreachable("all data types are handled");
}

Type tt::dataTypeToElementType(MLIRContext *context, DataType dataType) {
  Builder builder(context);
  switch (dataType) {
  case DataType::Float32:
    return builder.getF32Type();
  case DataType::Float16:
  case DataType::BFP_Float8:
  case DataType::BFP_Float4:
  case DataType::BFP_Float2:
    return builder.getF16Type();
  case DataType::BFloat16:
  case DataType::BFP_BFloat8:
  case DataType::BFP_BFloat4:
  case DataType::BFP_BFloat2:
    return builder.getBF16Type();
  case DataType::UInt32:
    return builder.getI32Type();
  case DataType::UInt16:
    return builder.getIntegerType(16);
  case DataType::UInt8:
    return builder.getIntegerType(8);
  case DataType::Int32:
    return builder.getIntegerType(32, /*isSigned=*/true);
  }
  llvm_unreachable("all data types are handled");
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
  // The sign of an integer type is not looked at but here: i32 is unsigned.
  if (type.isSignedInteger(32))
    return DataType::Int32;
  if (type.isInteger(32))
    return DataType::UInt32;
  if (type.isInteger(16))
    return DataType::UInt16;
  if (type.isInteger(8))
    return DataType::UInt8;
  return std::nullopt;
}
