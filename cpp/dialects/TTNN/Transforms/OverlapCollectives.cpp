#include "dialects/TT/Remarks.h"
#include "dialects/TTNN/TTNN.h"
#include "dialects/TTNN/Transforms/OpCosts.h"
#include "dialects/TTNN/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace mlir::tt::ttnn {

#define GEN_PASS_DEF_TTNNOVERLAPCOLLECTIVES
#include "dialects/TTNN/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kOverlapRemarks("ttnn-overlap-collectives");

/// An overlap must save at least this fraction of the time.
constexpr double kLeastOverlapGain = 0.01;

/// The numbers of slices that are tried.
constexpr unsigned kSliceCounts[] = {1, 2, 4, 8};

/// Whether an op neither computes nor takes memory of its own.
bool doesNothing(Operation *op) {
  return isa<EmptyOp, GetDeviceOp, DeallocOp>(op);
}

class TTNNOverlapCollectives
    : public impl::TTNNOverlapCollectivesBase<TTNNOverlapCollectives> {
public:
  using impl::TTNNOverlapCollectivesBase<
      TTNNOverlapCollectives>::TTNNOverlapCollectivesBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    SmallVector<Operation *> collectives;
    module.walk([&](Operation *op) {
      if (isa<AllReduceOp, ReduceScatterOp>(op) && getProduct(op))
        collectives.push_back(op);
    });
    if (collectives.empty())
      return;
    FailureOr<std::unique_ptr<OpCosts>> costs =
        OpCosts::create(module, getArgument(), clockSearchLimit);
    if (failed(costs))
      return signalPassFailure();
    if (!*costs)
      return;
    for (Operation *op : collectives)
      overlap(op, **costs);
  }

private:
  /// The product whose result a collective reduces, if nothing else needs the
  /// result or computes between the two.
  static Operation *getProduct(Operation *collective) {
    Value operand = collective->getOperand(0);
    Operation *product = operand.getDefiningOp();
    if (!product || !isProductByOneMatrix(product) ||
        product->getBlock() != collective->getBlock() ||
        llvm::any_of(operand.getUsers(), [&](Operation *user) {
          return user != collective && !isa<DeallocOp>(user);
        }))
      return nullptr;
    for (Operation *op = product->getNextNode(); op != collective;
         op = op->getNextNode())
      if (!doesNothing(op))
        return nullptr;
    return product;
  }

  void overlap(Operation *collective, OpCosts &costs) {
    Operation *product = getProduct(collective);
    auto name = StringAttr::get(collective->getContext(), kOverlapSlices);
    double before = costs.getOfPair(product, collective), best = before;
    unsigned slices = 0;
    for (unsigned count : kSliceCounts) {
      collective->setAttr(name, getSlices(collective, count));
      double cycles = costs.getOfPair(product, collective);
      // With equal times, the fewest slices.
      if (cycles < (1 - kLeastOverlapGain) * best) {
        best = cycles;
        slices = count;
      }
    }
    if (slices == 0) {
      collective->removeAttr(name);
    } else {
      collective->setAttr(name, getSlices(collective, slices));
      collective->moveAfter(product);
      ++numOverlapped;
    }
    std::string alone = llvm::formatv("{0:f0}", before);
    if (slices == 0) {
      if (auto remark = kOverlapRemarks.missed(collective, "NotOverlapped"))
        remark << reason("the product and the collective take {0} cycles one "
                         "after the other, and no less together",
                         alone);
    } else if (auto remark = kOverlapRemarks.passed(collective, "Overlapped")) {
      remark << reason("the product and the collective take {0} cycles in {1} "
                       "slices, {2} one after the other",
                       llvm::formatv("{0:f0}", best).str(), slices, alone);
    }
  }

  static IntegerAttr getSlices(Operation *op, unsigned count) {
    return Builder(op->getContext()).getUI32IntegerAttr(count);
  }
};

} // namespace
} // namespace mlir::tt::ttnn
