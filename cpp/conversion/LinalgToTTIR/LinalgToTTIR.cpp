#include "conversion/LinalgToTTIR/LinalgToTTIR.h"

#include "conversion/LinalgToTTIR/Structured.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::tt {

#define GEN_PASS_DEF_CONVERTLINALGTOTTIR
#include "conversion/LinalgToTTIR/Passes.h.inc"

using namespace frontend;

namespace {

LogicalResult convertStructured(Operation *op, Translator &translator) {
  if (op->getNumResults() == 0)
    return op->emitOpError("cannot be expressed in TTIR: expected a result, "
                           "found none");
  return Structured(cast<linalg::LinalgOp>(op), translator).convert();
}

LogicalResult convertFill(linalg::FillOp op, Translator &translator) {
  return fillWith(op, op.getInputs().front(), translator);
}

LogicalResult convertSoftmax(linalg::SoftmaxOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Value result = op->getResult(0);
  return translator.set(
      result, graph.op("softmax", translator.get(op.getInput()),
                       translator.resultType(result),
                       graph.si32("dimension",
                                  static_cast<int64_t>(op.getDimension()))));
}

/// Structured ops that are converted by their loops and bodies alone.
template <typename... OpTs> void addStructured(Rules &rules) {
  rules.add<OpTs...>(convertStructured);
}

} // namespace

void addLinalgRules(Rules &rules) {
  using namespace linalg;
  // Elementwise.
  addStructured<AbsOp, AddOp, CeilOp, CopyOp, DivOp, ElementwiseOp, ErfOp,
                ExpOp, FloorOp, LogOp, MapOp, MaxOp, MinOp, MulOp, NegFOp,
                PowFOp, ReciprocalOp, RoundOp, RsqrtOp, SelectOp, SqrtOp,
                SquareOp, SubOp, TanhOp>(rules);
  // Moves of data, reductions and anything else.
  addStructured<BroadcastOp, GenericOp, ReduceOp, linalg::TransposeOp>(rules);
  // Matrix products.
  addStructured<BatchMatmulOp, BatchMatvecOp, BatchMmt4DOp, BatchReduceMatmulOp,
                BatchVecmatOp, ContractOp, DotOp, MatmulOp, MatvecOp, Mmt4DOp,
                VecmatOp>(rules);
  // Convolutions.
  addStructured<
      Conv1DNcwFcwOp, Conv1DNwcWcfOp, Conv1DOp, Conv2DNchwFchwOp,
      Conv2DNgchwFgchwOp, Conv2DNgchwGfchwOp, Conv2DNhwcFhwcOp,
      Conv2DNhwcHwcfOp, Conv2DNhwgcGfhwcOp, Conv2DOp, DepthwiseConv1DNcwCwOp,
      DepthwiseConv1DNwcWcOp, DepthwiseConv1DNwcWcmOp, DepthwiseConv2DNchwChwOp,
      DepthwiseConv2DNhwcHwcOp, DepthwiseConv2DNhwcHwcmOp, Conv3DOp,
      Conv3DNdhwcDhwcfOp, Conv3DNcdhwFcdhwOp, DepthwiseConv3DNdhwcDhwcOp,
      DepthwiseConv3DNcdhwCdhwOp, DepthwiseConv3DNdhwcDhwcmOp>(rules);
  // Of numbers less their zero points.
  addStructured<QuantizedMatmulOp, QuantizedBatchMatmulOp, Conv2DNhwcHwcfQOp,
                Conv2DNhwcFhwcQOp, Conv2DNchwFchwQOp, Conv2DNhwgcGfhwcQOp,
                Conv2DNgchwGfchwQOp, DepthwiseConv2DNhwcHwcQOp,
                DepthwiseConv2DNhwcHwcmQOp>(rules);
  // Pooling.
  addStructured<PoolingNchwMaxOp, PoolingNchwSumOp, PoolingNcwMaxOp,
                PoolingNcwSumOp, PoolingNhwcMaxOp, PoolingNhwcMinOp,
                PoolingNhwcSumOp, PoolingNwcMaxOp, PoolingNwcMinOp,
                PoolingNwcSumOp, PoolingNdhwcSumOp, PoolingNdhwcMaxOp,
                PoolingNdhwcMinOp>(rules);
  rules.add<FillOp>(typed<FillOp, convertFill>);
  addPackingRules(rules);
  rules.add<SoftmaxOp>(typed<SoftmaxOp, convertSoftmax>);

  rules
      .reject<DivUnsignedOp, PoolingNhwcMaxUnsignedOp, PoolingNhwcMinUnsignedOp,
              PoolingNwcMaxUnsignedOp, PoolingNwcMinUnsignedOp>(
          "i32 is signed in TTIR, expected the signed op");
  rules.reject<WinogradFilterTransformOp, WinogradInputTransformOp,
               WinogradOutputTransformOp>(
      "expected the convolution itself, such as conv_2d_nhwc_fhwc");
}

namespace {

constexpr Remarks kLinalgRemarks("convert-linalg-to-ttir");

class ConvertLinalgToTTIR
    : public impl::ConvertLinalgToTTIRBase<ConvertLinalgToTTIR> {
public:
  void runOnOperation() final {
    Rules rules;
    addLinalgRules(rules);
    addTensorRules(rules);
    addScalarRules(rules);
    if (failed(Translator(getOperation(), rules, kLinalgRemarks).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tt
