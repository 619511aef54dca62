#include "dialects/TTNN/TTNN.h"

#include "dialects/TT/Extents.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt::ttnn;

static ParseResult parseExtentPair(AsmParser &parser, int64_t &y, int64_t &x) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> extents;
  if (mlir::tt::parseExtents(parser, extents))
    return failure();
  if (extents.size() != 2)
    return parser.emitError(loc, "expected 2 extents separated by 'x', found ")
           << extents.size();
  y = extents[0];
  x = extents[1];
  return success();
}

static void printExtentPair(AsmPrinter &printer, int64_t y, int64_t x) {
  printer << y << "x" << x;
}

#include "dialects/TTNN/TTNNEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TTNN/TTNNAttrs.cpp.inc"

void TTNNDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/TTNN/TTNNAttrs.cpp.inc"
      >();
}

LogicalResult
CoreRangeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<int64_t> offset, ArrayRef<int64_t> size) {
  return verifyCoreRange(emitError, offset, size);
}

MemoryConfigAttr mlir::tt::ttnn::getMemoryConfig(tt::LayoutAttr layout) {
  auto memLayout = [&] {
    switch (layout.getMemLayout()) {
    case tt::TensorMemoryLayout::None:
    case tt::TensorMemoryLayout::Interleaved:
      return TensorMemoryLayout::Interleaved;
    case tt::TensorMemoryLayout::SingleBank:
      return TensorMemoryLayout::SingleBank;
    case tt::TensorMemoryLayout::HeightSharded:
      return TensorMemoryLayout::HeightSharded;
    case tt::TensorMemoryLayout::WidthSharded:
      return TensorMemoryLayout::WidthSharded;
    case tt::TensorMemoryLayout::BlockSharded:
      return TensorMemoryLayout::BlockSharded;
    }
    llvm_unreachable("every memory layout is named");
  }();
  auto bufferType = [&] {
    switch (layout.getMemorySpace()) {
    case MemorySpace::System:
    case MemorySpace::SystemMMIO:
      return BufferType::SystemMemory;
    case MemorySpace::DeviceDRAM:
      return BufferType::DRAM;
    case MemorySpace::DeviceL1:
      return BufferType::L1;
    }
    llvm_unreachable("every memory space is named");
  }();
  MLIRContext *context = layout.getContext();
  return MemoryConfigAttr::get(context,
                               TensorMemoryLayoutAttr::get(context, memLayout),
                               BufferTypeAttr::get(context, bufferType));
}

LayoutAttr mlir::tt::ttnn::getElementOrder(tt::LayoutAttr layout) {
  return LayoutAttr::get(layout.getContext(),
                         layout.isTiled() ? Layout::Tile : Layout::RowMajor);
}
