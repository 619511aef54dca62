#include "dialects/TTKernel/TTKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt::ttkernel;

#include "dialects/TTKernel/TTKernelDialect.cpp.inc"

#include "dialects/TTKernel/TTKernelEnums.cpp.inc"

#include "dialects/TTKernel/TTKernelInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TTKernel/TTKernelAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/TTKernel/TTKernelTypes.cpp.inc"

void TTKernelDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
}

void TTKernelDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/TTKernel/TTKernelAttrs.cpp.inc"
      >();
}

void TTKernelDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/TTKernel/TTKernelTypes.cpp.inc"
      >();
}

LogicalResult CBType::verify(function_ref<InFlightDiagnostic()> emitError,
                             CBPort port, uint64_t address, MemRefType memref,
                             uint64_t pageSize, uint64_t numBuffers) {
  if (!memref.hasStaticShape())
    return emitError() << "(C1) expected a memref of static shape, found "
                       << memref;
  Type element = memref.getElementType();
  if (!isa<TileType>(element) && !element.isIntOrFloat())
    return emitError() << "(C1) expected a memref of tiles, integers or "
                          "floats, found "
                       << memref;
  // A negative number is read as a large one.
  for (uint64_t number : {address, pageSize, numBuffers})
    if (!llvm::isUInt<32>(number))
      return emitError() << "(C2) expected numbers of 32 bits, found "
                         << static_cast<int64_t>(number);
  return success();
}

uint64_t CBType::getPageSize(MemRefType memref) {
  if (auto tile = dyn_cast<TileType>(memref.getElementType()))
    return tile.getSizeBytes();
  uint64_t row = memref.getRank() ? memref.getShape().back() : 1;
  return row * llvm::divideCeil(memref.getElementTypeBitWidth(), 8);
}
