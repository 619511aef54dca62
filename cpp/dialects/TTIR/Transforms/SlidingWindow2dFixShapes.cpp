#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRSLIDINGWINDOW2DFIXSHAPES
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

/// (N, H, W, C) as (1, 1, N*H*W, C).
RankedTensorType flatten(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  return RankedTensorType::get({1, 1, shape[0] * shape[1] * shape[2], shape[3]},
                               type.getElementType());
}

bool isFlat(RankedTensorType type) {
  return type.getDimSize(0) == 1 && type.getDimSize(1) == 1;
}

class TTIRSlidingWindow2dFixShapes
    : public impl::TTIRSlidingWindow2dFixShapesBase<
          TTIRSlidingWindow2dFixShapes> {
public:
  using impl::TTIRSlidingWindow2dFixShapesBase<
      TTIRSlidingWindow2dFixShapes>::TTIRSlidingWindow2dFixShapesBase;

  void runOnOperation() final {
    SmallVector<MaxPool2dOp> pools;
    getOperation().walk([&](MaxPool2dOp op) {
      RankedTensorType input = op.getInput().getType();
      if (input.getRank() == 4 && !isFlat(input))
        pools.push_back(op);
    });
    for (MaxPool2dOp op : pools)
      fixShapes(op);
    numFixed += pools.size();
  }

private:
  static Value makeEmpty(OpBuilder &builder, Location loc,
                         RankedTensorType type) {
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType(), type.getEncoding());
  }

  static Value reshape(OpBuilder &builder, Location loc, Value value,
                       RankedTensorType type, ArrayAttr constraints) {
    SmallVector<int32_t> shape(type.getShape().begin(), type.getShape().end());
    return ReshapeOp::create(builder, loc, type, value,
                             makeEmpty(builder, loc, type),
                             builder.getI32ArrayAttr(shape), constraints);
  }

  static void fixShapes(MaxPool2dOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    RankedTensorType inputType = op.getInput().getType();
    RankedTensorType resultType = op.getResult().getType();
    ArrayAttr constraints = op.getOperandConstraints();

    Value flatInput =
        reshape(builder, loc, op.getInput(), flatten(inputType), constraints);
    auto pool = cast<MaxPool2dOp>(builder.clone(*op));
    pool.getInputMutable().assign(flatInput);
    builder.setInsertionPoint(pool);
    pool.getOutputMutable().assign(
        makeEmpty(builder, loc, flatten(resultType)));
    pool.getResult().setType(flatten(resultType));
    auto extent = [&](unsigned dim) {
      return builder.getIntegerAttr(builder.getIntegerType(32, true),
                                    inputType.getDimSize(dim));
    };
    pool.setOriginalHeightAttr(extent(1));
    pool.setOriginalWidthAttr(extent(2));

    builder.setInsertionPointAfter(pool);
    Value result =
        reshape(builder, loc, pool.getResult(), resultType, constraints);
    Operation *destination = op.getOutput().getDefiningOp();
    op.getResult().replaceAllUsesWith(result);
    op.erase();
    if (isa_and_nonnull<tensor::EmptyOp>(destination) &&
        destination->use_empty())
      destination->erase();
  }
};

} // namespace
} // namespace mlir::tt::ttir
