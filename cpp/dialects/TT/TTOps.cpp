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

LogicalResult VariableOp::verify() {
  if (ElementsAttr initial = getInitialAttr();
      initial && initial.getShapedType() != getType())
    return emitOpError("expected an initial value of type ")
           << getType() << ", found " << initial.getShapedType();
  return success();
}

bool tt::isOnHost(Operation *op) {
  auto function = isa<FunctionOpInterface>(op)
                      ? cast<FunctionOpInterface>(op)
                      : op->getParentOfType<FunctionOpInterface>();
  return function && function->hasAttr(kHostAttr);
}

bool tt::isVariable(BlockArgument argument) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function &&
         function.getArgAttr(argument.getArgNumber(), kVariableAttr);
}

unsigned tt::getNumWrittenVariables(FunctionOpInterface function) {
  unsigned count = 0;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    count += function.getResultAttr(i, kVariableAttr) != nullptr;
  return count;
}

SmallVector<FlatSymbolRefAttr> tt::getParts(Operation *op) {
  if (auto call = dyn_cast<CallOp>(op))
    return {call.getCalleeAttr()};
  if (auto branch = dyn_cast<IfOp>(op))
    return {branch.getThenPartAttr(), branch.getElsePartAttr()};
  if (auto loop = dyn_cast<ForOp>(op))
    return {loop.getBodyAttr()};
  auto loop = cast<WhileOp>(op);
  return {loop.getBeforeAttr(), loop.getAfterAttr()};
}

OperandRange tt::getPartOperands(Operation *op) {
  OperandRange operands = op->getOperands();
  return isa<IfOp>(op) ? operands.drop_front() : operands;
}

/// The part of that name, which takes and returns these types; an error at the
/// op if there is none.
static FunctionOpInterface findPart(Operation *op, FlatSymbolRefAttr name,
                                    SymbolTableCollection &symbols,
                                    TypeRange inputs, TypeRange results) {
  auto part = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, name);
  if (!part || !part->hasAttr(kPartAttr)) {
    op->emitOpError("expected a function with the attribute '")
        << kPartAttr << "', found " << name;
    return nullptr;
  }
  if (llvm::equal(part.getArgumentTypes(), inputs) &&
      llvm::equal(part.getResultTypes(), results))
    return part;
  op->emitOpError("expected ")
      << name << " to be "
      << FunctionType::get(op->getContext(), inputs, results) << ", found "
      << part.getFunctionType();
  return nullptr;
}

static LogicalResult checkCondition(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape() && tensor.getNumElements() == 1)
    return success();
  return op->emitOpError("expected a condition of one element, found ") << type;
}

static SmallVector<Type> join(TypeRange first, TypeRange second) {
  SmallVector<Type> all(first);
  llvm::append_range(all, second);
  return all;
}

/// The function gets its layouts before its callers do.
LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getCalleeAttr());
  if (!callee || !callee->hasAttr(kPartAttr) || !callee->hasAttr(kHostAttr))
    return emitOpError("expected a function with the attributes '")
           << kPartAttr << "' and '" << kHostAttr << "', found "
           << getCalleeAttr();
  auto isSame = [](Type a, Type b) {
    auto first = dyn_cast<RankedTensorType>(a);
    auto second = dyn_cast<RankedTensorType>(b);
    return first && second && first.getShape() == second.getShape() &&
           first.getElementType() == second.getElementType();
  };
  if (llvm::equal(callee.getArgumentTypes(), getOperandTypes(), isSame) &&
      llvm::equal(callee.getResultTypes(), getResultTypes(), isSame))
    return success();
  return emitOpError("expected the types of ")
         << getCalleeAttr() << ", "
         << FunctionType::get(getContext(), callee.getArgumentTypes(),
                              callee.getResultTypes());
}

LogicalResult IfOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (FlatSymbolRefAttr part : getParts(*this))
    if (!findPart(*this, part, symbols, getCaptured().getTypes(),
                  getResultTypes()))
      return failure();
  return checkCondition(*this, getCondition().getType());
}

LogicalResult ForOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!llvm::equal(getCarried().getTypes(), getResultTypes()))
    return emitOpError("expected results of the types that it carries");
  return success(bool(findPart(*this, getBodyAttr(), symbols, getOperandTypes(),
                               getResultTypes())));
}

LogicalResult WhileOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto before = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getBeforeAttr());
  TypeRange returned = before ? before.getResultTypes() : TypeRange();
  Type condition = returned.empty() ? Type() : returned.front();
  if (before && !condition)
    return emitOpError("expected ")
           << getBeforeAttr() << " to return a condition";
  TypeRange captured = getCaptured().getTypes();
  if (!findPart(*this, getBeforeAttr(), symbols, getOperandTypes(),
                join(condition ? TypeRange(condition) : TypeRange(),
                     getResultTypes())) ||
      !findPart(*this, getAfterAttr(), symbols,
                join(getResultTypes(), captured), getCarried().getTypes()))
    return failure();
  return checkCondition(*this, condition);
}
