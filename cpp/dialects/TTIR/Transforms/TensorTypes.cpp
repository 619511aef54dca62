#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tt::ttir {

DeviceAttr getOrCreateDevice(ModuleOp module) {
  if (auto device = module->getAttrOfType<DeviceAttr>("tt.device"))
    return device;
  auto systemDesc = module->getAttrOfType<SystemDescAttr>("tt.system_desc");
  if (!systemDesc) {
    systemDesc = SystemDescAttr::getDefault(module.getContext());
    module->setAttr("tt.system_desc", systemDesc);
  }
  auto device = DeviceAttr::getChecked([&] { return module.emitError(); },
                                       systemDesc, /*meshShape=*/{});
  if (device)
    module->setAttr("tt.device", device);
  return device;
}

bool isCreation(Operation *op) {
  return isa_and_nonnull<tensor::EmptyOp, ConstantOp, FullOp, ArangeOp>(op);
}

/// Whether `operand` is a `tensor.empty` that nothing else uses.
static bool isOwnDestination(OpOperand &operand) {
  return operand.get().getDefiningOp<tensor::EmptyOp>() &&
         operand.get().hasOneUse();
}

void retypeDestination(OpOperand &operand, RankedTensorType type) {
  Operation *op = operand.getOwner();
  Operation *old = operand.get().getDefiningOp();
  if (isOwnDestination(operand)) {
    operand.get().setType(type);
    old->moveBefore(op);
    return;
  }
  OpBuilder builder(op);
  operand.set(tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(),
                                      type.getElementType(),
                                      type.getEncoding()));
  if (isCreation(old) && old->use_empty())
    old->erase();
}

void updateResultTypes(func::FuncOp func) {
  if (func.isExternal())
    return;
  auto returnOp =
      dyn_cast<func::ReturnOp>(func.getBody().back().getTerminator());
  if (!returnOp)
    return;
  func.setType(FunctionType::get(func.getContext(),
                                 func.getFunctionType().getInputs(),
                                 returnOp.getOperandTypes()));
}

} // namespace mlir::tt::ttir
