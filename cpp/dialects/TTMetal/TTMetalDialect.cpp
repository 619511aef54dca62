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

LogicalResult
CppKernelAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr,
                      StringAttr, DictionaryAttr defines, ArrayAttr compileArgs,
                      DictionaryAttr namedCompileArgs, uint32_t,
                      DictionaryAttr headers, ArrayAttr addresses,
                      ArrayAttr tensors) {
  auto isNumber = [](Attribute value) {
    auto number = dyn_cast<IntegerAttr>(value);
    return number && number.getType().isInteger(32);
  };
  auto valueIsNumber = [&](NamedAttribute entry) {
    return isNumber(entry.getValue());
  };
  if (!llvm::all_of(compileArgs, isNumber) ||
      !llvm::all_of(addresses, isNumber) ||
      !llvm::all_of(namedCompileArgs, valueIsNumber))
    return emitError() << "(C1) expected arguments and addresses that are "
                          "32-bit integers";
  if (!llvm::all_of(defines,
                    [](NamedAttribute macro) {
                      return isa<StringAttr, UnitAttr>(macro.getValue());
                    }) ||
      !llvm::all_of(headers, [](NamedAttribute header) {
        return isa<StringAttr>(header.getValue());
      }))
    return emitError() << "(C2) expected macros that are strings or unit, and "
                          "headers that are strings";
  if (tensors.size() != addresses.size() ||
      !llvm::all_of(tensors, llvm::IsaPred<ttkernel::TensorAccessorArgsAttr>))
    return emitError() << "(C3) expected a #ttkernel.tensor_accessor_args for "
                          "each of "
                       << addresses.size() << " addresses, found " << tensors;
  return success();
}
