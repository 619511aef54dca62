#include "dialects/TTIR/Transforms/Decomposition/PrepareWeights.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tt::ttir {

void prepareWeight(Conv2dOp op) {
  if (op.getKernelSize())
    return;
  OpBuilder builder(op);
  RankedTensorType plain = op.getWeight().getType();
  ArrayRef<int64_t> shape = plain.getShape();
  auto type =
      RankedTensorType::get({1, 1, plain.getNumElements() / shape[0], shape[0]},
                            plain.getElementType());
  auto constraint = [&](OperandConstraint where) {
    return OperandConstraintAttr::get(op.getContext(), where);
  };
  Value destination = tensor::EmptyOp::create(
      builder, op.getLoc(), type.getShape(), type.getElementType());
  auto weight = PrepareConv2dWeightsOp::create(
      builder, op.getLoc(), type, op.getWeight(), destination,
      builder.getArrayAttr(
          {constraint(OperandConstraint::System | OperandConstraint::Scalar |
                      OperandConstraint::None),
           constraint(OperandConstraint::DRAM | OperandConstraint::Tile |
                      OperandConstraint::Interleaved)}));
  op.setKernelSize(SmallVector<int32_t>{static_cast<int32_t>(shape[2]),
                                        static_cast<int32_t>(shape[3])});
  op.getWeightMutable().assign(weight.getResult());
}

} // namespace mlir::tt::ttir
