#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tt::ttir {

/// Whether a fill makes the op's result, or it is anything: cheaper to make
/// again than to keep.
static bool isFill(Operation *op) {
  if (isa<ConstantOp, FullOp>(op))
    return getFill(getElements(op)).has_value();
  return isCreation(op) && !isa<ArangeOp>(op);
}

Dependence getDependence(BlockArgument argument) {
  auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!func)
    return Dependence::Inputs;
  auto type = func.getArgAttrOfType<ArgumentTypeAttr>(argument.getArgNumber(),
                                                      ArgumentTypeAttr::name);
  return type && (type.getValue() == ArgumentType::Parameter ||
                  type.getValue() == ArgumentType::Constant)
             ? Dependence::Fixed
             : Dependence::Inputs;
}

Dependence getDependence(Operation *op,
                         llvm::function_ref<Dependence(Value)> getOf) {
  if (isCreation(op))
    return isFill(op) ? Dependence::Nothing : Dependence::Fixed;
  // What a region sees of the function is among the operands.
  if (!isa_and_nonnull<TTIRDialect>(op->getDialect()) ||
      !isMemoryEffectFree(op) || op->getNumResults() == 0)
    return Dependence::Inputs;
  Dependence dependence = Dependence::Nothing;
  for (Value operand : op->getOperands())
    dependence = std::max(dependence, getOf(operand));
  return dependence;
}

Dependence Dependences::of(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  auto argument = dyn_cast<BlockArgument>(value);
  Dependence dependence =
      argument ? getDependence(argument)
               : getDependence(value.getDefiningOp(),
                               [&](Value operand) { return of(operand); });
  known[value] = dependence;
  return dependence;
}

} // namespace mlir::tt::ttir
