#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/InliningUtils.h"

#include "dialects/TTIR/TTIRDialect.cpp.inc"
#include "dialects/TTIR/TTIRInterfaces.cpp.inc"

using namespace mlir;
using namespace mlir::tt::ttir;

namespace {
/// Ops on tensors have no hidden state, so they move between functions freely.
struct TTIRInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void TTIRDialect::initialize() {
  registerOps();
  addInterfaces<TTIRInlinerInterface>();
}

Operation *TTIRDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elements || !tensor ||
      elements.getShapedType().getShape() != tensor.getShape() ||
      elements.getElementType() != tensor.getElementType())
    return nullptr;
  return ConstantOp::create(builder, loc, tensor, elements);
}

LogicalResult mlir::tt::ttir::verifyOperandConstraints(Operation *op) {
  ArrayAttr constraints = cast<TTIROp>(op).getOperandConstraints();
  if (!constraints || constraints.size() == op->getNumOperands())
    return success();
  return op->emitOpError("operand_constraints must have one entry for each "
                         "operand: expected ")
         << op->getNumOperands() << ", found " << constraints.size();
}
