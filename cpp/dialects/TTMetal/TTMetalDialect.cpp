#include "dialects/TTMetal/TTMetal.h"

#include "dialects/TT/Extents.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt::ttmetal;

#include "dialects/TTMetal/TTMetalDialect.cpp.inc"

#include "dialects/TTMetal/TTMetalEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TTMetal/TTMetalAttrs.cpp.inc"

namespace {
/// A kernel is compiled apart from the program, so its constants stay in it.
struct TTMetalFolds : public DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    return isa<DispatchOp>(region->getParentOp());
  }
};
} // namespace

void TTMetalDialect::initialize() {
  registerAttributes();
  registerOps();
  addInterfaces<TTMetalFolds>();
}

void TTMetalDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/TTMetal/TTMetalAttrs.cpp.inc"
      >();
}

LogicalResult
CoreRangeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<int64_t> offset, ArrayRef<int64_t> size) {
  return verifyCoreRange(emitError, offset, size);
}

LogicalResult
ScalarArgsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<uint32_t> values) {
  if (!values.empty())
    return success();
  return emitError() << "(C1) expected at least one number, found none";
}
