#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Decomposition/PrepareWeights.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRSLIDINGWINDOW2DFIXSHAPES
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kWindowRemarks("ttir-sliding-window-2d-fix-shapes");

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
    fixAll<MaxPool2dOp>();
    fixAll<AvgPool2dOp>();
    // What depends on parameters alone is computed once.
    Dependences dependences;
    SmallVector<Conv2dOp> convolutions;
    getOperation().walk([&](Conv2dOp op) {
      RankedTensorType weight = op.getWeight().getType();
      if (!op.getKernelSize() && !weight.getEncoding() &&
          isa<FloatType>(weight.getElementType()) &&
          dependences.of(op.getWeight()) == Dependence::Fixed)
        convolutions.push_back(op);
    });
    for (Conv2dOp op : convolutions) {
      RankedTensorType plain = op.getWeight().getType();
      prepareWeight(op);
      if (auto remark = kWindowRemarks.passed(op, "Prepared"))
        remark << reason("its weight is {0} in DRAM: it depends on parameters "
                         "alone",
                         op.getWeight().getType())
               << rejected("{0} of the host: every call would bring it", plain);
    }
    numPrepared += convolutions.size();
  }

private:
  template <typename PoolOp> void fixAll() {
    SmallVector<PoolOp> pools;
    getOperation().walk([&](PoolOp op) {
      RankedTensorType input = op.getInput().getType();
      if (input.getRank() != 4)
        return;
      if (!isFlat(input))
        pools.push_back(op);
      else if (!op.getOriginalHeight())
        setOriginalExtents(op, input);
    });
    for (PoolOp op : pools) {
      if (auto remark = kWindowRemarks.passed(op, "Flattened"))
        remark << reason("works on {0} and {1}, between two ttir.reshape",
                         flatten(op.getInput().getType()),
                         flatten(op.getResult().getType()))
               << rejected("(N, H, W, C): the library call takes one row of "
                           "channels for each pixel");
      fixShapes(op);
    }
    numFixed += pools.size();
  }

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

  template <typename PoolOp>
  static void setOriginalExtents(PoolOp op, RankedTensorType input) {
    Builder builder(op.getContext());
    Type si32 = builder.getIntegerType(32, /*isSigned=*/true);
    op.setOriginalHeightAttr(builder.getIntegerAttr(si32, input.getDimSize(1)));
    op.setOriginalWidthAttr(builder.getIntegerAttr(si32, input.getDimSize(2)));
  }

  template <typename PoolOp> static void fixShapes(PoolOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    RankedTensorType inputType = op.getInput().getType();
    RankedTensorType resultType = op.getResult().getType();
    ArrayAttr constraints = op.getOperandConstraints();

    Value flatInput =
        reshape(builder, loc, op.getInput(), flatten(inputType), constraints);
    auto pool = cast<PoolOp>(builder.clone(*op));
    pool.getInputMutable().assign(flatInput);
    builder.setInsertionPoint(pool);
    pool.getOutputMutable().assign(
        makeEmpty(builder, loc, flatten(resultType)));
    pool.getResult().setType(flatten(resultType));
    setOriginalExtents(pool, inputType);

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
