#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <numeric>

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRTRANSPOSEWEIGHTS
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kTransposeRemarks("ttir-transpose-weights");

/// Products with more rows are not bound by reading their weights.
constexpr int64_t kMostRows = 256;

class TTIRTransposeWeights
    : public impl::TTIRTransposeWeightsBase<TTIRTransposeWeights> {
public:
  using Base::Base;

  void runOnOperation() final {
    // Products that share a weight share the transposed weight.
    llvm::DenseMap<std::pair<Block *, Value>, Value> known;
    getOperation().walk([&](Operation *op) {
      if (auto matmul = dyn_cast<MatmulOp>(op))
        transpose(matmul, known);
      else if (auto linear = dyn_cast<LinearOp>(op))
        transpose(linear, known);
    });
  }

private:
  template <typename OpT>
  void transpose(OpT op,
                 llvm::DenseMap<std::pair<Block *, Value>, Value> &known) {
    Value weight = op.getB();
    RankedTensorType type = graph::typeOf(weight);
    int64_t rows = volume(graph::shapeOf(op.getResult()).drop_back());
    if (weightRows != 0)
      rows = std::min<int64_t>(rows, weightRows);
    // Block floats would be rounded again: other elements share an exponent.
    if (!op.getTransposeB() || type.getRank() < 2 ||
        volume(type.getShape().drop_back(2)) != 1 || type.getEncoding() ||
        !isa<FloatType>(type.getElementType()) || rows > kMostRows ||
        dependences.of(weight) == Dependence::Inputs)
      return;
    Value &turned = known[{op->getBlock(), weight}];
    if (!turned) {
      OpBuilder builder(op);
      graph::GraphBuilder graph(builder, weight.getLoc());
      SmallVector<int64_t> order(type.getRank());
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[order.size() - 1], order[order.size() - 2]);
      turned = graph.permute(weight, order);
    }
    op.getBMutable().set(turned);
    op.removeTransposeBAttr();
    ++numTransposed;
    if (auto remark = kTransposeRemarks.passed(op, "Transposed"))
      remark << reason("the weight is transposed once")
             << rejected("in the product, which would wait for strided columns "
                         "because it has few rows");
  }

  Dependences dependences;
};

} // namespace
} // namespace mlir::tt::ttir
