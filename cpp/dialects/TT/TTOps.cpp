#include "dialects/TT/TTOps.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tt;

#define GET_OP_CLASSES
#include "dialects/TT/TTOps.cpp.inc"

void TTDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/TT/TTOps.cpp.inc"
      >();
}

LogicalResult LoadCachedOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getCalleeAttr());
  if (!function || !function->hasAttr(kFunctionAttr))
    return emitOpError("expected a function with the attribute '")
           << kFunctionAttr << "', found " << getCalleeAttr();
  if (!llvm::equal(function.getArgumentTypes(), getInputs().getTypes()) ||
      !llvm::equal(function.getResultTypes(), getResultTypes()))
    return emitOpError("expected the types of ")
           << getCalleeAttr() << ", " << function.getFunctionType();
  for (Value input : getInputs())
    if (auto argument = dyn_cast<BlockArgument>(input);
        !argument || argument.getOwner() != (*this)->getBlock() ||
        !isa<FunctionOpInterface>((*this)->getParentOp()))
      return emitOpError("expected operands that are arguments of the function "
                         "it is in");
  return success();
}
