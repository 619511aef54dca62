#include "conversion/TTIRToTTNN/TTIRToTTNN.h"

#include "dialects/Shapes/CollectiveRules.h"
#include "dialects/TT/Utils.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTNN/TTNN.h"

namespace mlir::tt {
namespace {

/// A collective of several tensors becomes a call for each, with the attributes
/// of the op. The calls make their results: destinations are dropped.
struct CollectivePattern : OpInterfaceConversionPattern<CollectiveOpInterface> {
  CollectivePattern(MLIRContext *context, unsigned numLinks)
      : OpInterfaceConversionPattern(context), numLinks(numLinks) {}

  LogicalResult
  matchAndRewrite(CollectiveOpInterface op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    StringRef name = op->getName().stripDialect();
    if (op->getNumResults() > 1)
      if (auto remark = kCallRemarks.passed(op, "Divided"))
        remark << reason("becomes {0} calls, one for each tensor",
                         op->getNumResults())
               << rejected("one call: the library takes one tensor");
    SmallVector<Value> results;
    for (auto [input, result] : llvm::zip(operands, op->getResults())) {
      OperationState state(op.getLoc(), "ttnn." + name.str());
      state.addOperands(input);
      if (isa<ttir::MeshShardOp>(op))
        state.addOperands(getOrInsertDevice(rewriter, op));
      state.addTypes(result.getType());
      for (NamedAttribute attribute : op->getAttrs())
        if (attribute.getName() != "operand_constraints" &&
            attribute.getName() != "operandSegmentSizes")
          state.attributes.push_back(attribute);
      if (isa<ttir::AllGatherOp, ttir::AllReduceOp, ttir::ReduceScatterOp>(op))
        if (unsigned links = getNumLinks(op); links != 1)
          state.addAttribute("num_links", rewriter.getUI32IntegerAttr(links));
      results.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  unsigned getNumLinks(Operation *op) const {
    SystemDescAttr systemDesc = getScopeSystemDesc(op);
    if (numLinks != 0 || !systemDesc)
      return std::max(numLinks, 1u);
    return shapes::countFreeLinks(shapes::getCollective(op),
                                  Mesh(getScopeDevice(op)), systemDesc);
  }

  unsigned numLinks;
};

} // namespace

void populateTTIRToTTNNCollectivePatterns(RewritePatternSet &patterns,
                                          unsigned numLinks) {
  patterns.add<CollectivePattern>(patterns.getContext(), numLinks);
}

} // namespace mlir::tt
