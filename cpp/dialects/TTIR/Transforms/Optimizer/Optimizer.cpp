#include "dialects/TT/Mesh.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Optimizer/ClockSearch.h"
#include "dialects/TTIR/Transforms/Optimizer/LegalLayouts.h"
#include "dialects/TTIR/Transforms/Optimizer/ShardingPolicy.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIROPTIMIZER
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

/// Changes the type of a result and, in destination-passing style, of the
/// destination that it is tied to.
void setResultType(Operation *op, RankedTensorType type, unsigned result = 0) {
  op->getResult(result).setType(type);
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (dps && dps.getNumDpsInits() > result)
    retypeDestination(*dps.getDpsInitOperand(result), type);
}

class TTIROptimizer : public impl::TTIROptimizerBase<TTIROptimizer> {
public:
  using impl::TTIROptimizerBase<TTIROptimizer>::TTIROptimizerBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    auto device = module->getAttrOfType<DeviceAttr>("tt.device");
    if (!device) {
      module.emitError("ttir-optimizer needs a device: expected the attribute "
                       "'tt.device' on the module, found none; run "
                       "--ttir-implicit-device first");
      return signalPassFailure();
    }
    for (const auto &entry : overrideOutputLayout.entries)
      if (overrideGridSizes.entries.contains(entry.getKey())) {
        module.emitError("expected the name '")
            << entry.getKey()
            << "' in one of override-grid-sizes and override-output-layout, "
               "found it in both";
        return signalPassFailure();
      }

    LegalLayoutAnalysis legal(getChipView(device), overrideGridSizes,
                              overrideOutputLayout, shardingPassEnabled);
    SmallVector<Operation *> ops;
    if (failed(analyze(legal, ops)))
      return signalPassFailure();
    numOverrides += legal.getNumOverrides();
    for (StringRef name : legal.getUnusedNames())
      module.emitWarning("no op has the location name '")
          << name
          << (overrideGridSizes.entries.contains(name)
                  ? "' of override-grid-sizes"
                  : "' of override-output-layout");

    SmallVector<ShardChain> chains;
    if (shardingPassEnabled && failed(shard(legal, device, chains)))
      return signalPassFailure();
    applyLayouts(legal, ops, chains);
    if (reshardingEnabled)
      for (const ShardChain &chain : chains)
        for (OpOperand *operand : chain.resharded)
          reshard(*operand);
    module.walk([&](CollectiveOpInterface op) {
      if (isa<TTIROp>(*op) && !isa<MeshShardOp>(*op))
        carryFormats(op, legal.isOverridden(op));
    });
    module.walk([](UpdateSliceOp op) {
      RankedTensorType type = op.getInput().getType();
      if (type == op.getType() || getLayoutOf(type).isSystemMemorySpace())
        return;
      retypeDestination(op.getOutputMutable(), type);
      op.getResult().setType(type);
    });
    module.walk([](func::FuncOp func) { updateResultTypes(func); });
  }

private:
  /// Finds the legal layouts of every op, and the ops that have some.
  LogicalResult analyze(LegalLayoutAnalysis &legal,
                        SmallVectorImpl<Operation *> &ops) {
    WalkResult result =
        getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
          // The region of a generic op works on shards that the op has chosen.
          if (isa<GenericOp>(op))
            return WalkResult::skip();
          if (failed(legal.analyze(op)))
            return WalkResult::interrupt();
          if (legal.lookup(op))
            ops.push_back(op);
          return WalkResult::advance();
        });
    return failure(result.wasInterrupted());
  }

  LogicalResult shard(const LegalLayoutAnalysis &legal, DeviceAttr device,
                      SmallVectorImpl<ShardChain> &chains) {
    ModuleOp module = getOperation();
    auto systemDesc = module->getAttrOfType<SystemDescAttr>("tt.system_desc");
    if (!systemDesc)
      return module.emitError(
          "sharding needs the size of L1: expected the attribute "
          "'tt.system_desc' on the module, found none; run "
          "--ttir-load-system-desc first");
    uint64_t usable = std::numeric_limits<uint64_t>::max();
    for (unsigned chip : device.getChipIds())
      usable = std::min<uint64_t>(
          usable, systemDesc.getChipDesc(chip).getUsableL1Size());
    for (func::FuncOp func : module.getOps<func::FuncOp>())
      for (Block &block : func.getBody()) {
        Scheduler scheduler(block);
        llvm::append_range(chains, findShardChains(scheduler, legal, device,
                                                   L1Budget(usable)));
        scheduler.apply();
      }
    auto *clock = getContext()
                      .getLoadedDialect<TTDialect>()
                      ->getRegisteredInterface<ProgramClock>();
    if (clock && clockSearchLimit != 0) {
      ComputeConfigDemands demands(mathFidelity, fp32DestAccEn, mathApproxMode,
                                   packerL1Acc, overrideComputeConfig);
      ClockSearch search(OpTimer(*clock, module, demands, clockSearchLimit),
                         legal, device, L1Budget(usable), reshardingEnabled);
      for (ShardChain &chain : chains)
        search.improve(chain);
    }
    for (const ShardChain &chain : chains)
      numSharded += llvm::count_if(chain.layouts, isShardedInL1);
    return success();
  }

  void applyLayouts(LegalLayoutAnalysis &legal, ArrayRef<Operation *> ops,
                    ArrayRef<ShardChain> chains) {
    DenseMap<Operation *, LayoutAttr> sharded;
    for (const ShardChain &chain : chains)
      for (auto [op, layout] : llvm::zip_equal(chain.ops, chain.layouts))
        sharded[op] = layout;

    for (Operation *op : ops) {
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      const LegalLayouts *layouts = legal.lookup(op);
      LayoutAttr layout = sharded.lookup(op);
      if (!layout)
        layout = layouts->layouts.front();
      auto chosen =
          RankedTensorType::get(type.getShape(), layouts->elementType, layout);
      // Ops without a choice are not changed, above all destinations of others.
      bool isChoice =
          (hasChoice(op) && !hasPlacedResult(op)) || legal.isOverridden(op);
      if (chosen == type && !isChoice)
        continue;
      setResultType(op, chosen);
      ++numLayouts;
      if (hasChoice(op) && !hasPlacedResult(op))
        for (unsigned i = 1, e = op->getNumResults(); i < e; ++i)
          if (LayoutAttr layout = legal.getDefault(op, i)) {
            auto type = cast<RankedTensorType>(op->getResult(i).getType());
            setResultType(op,
                          RankedTensorType::get(type.getShape(),
                                                type.getElementType(), layout),
                          i);
          }
      if (sharded.contains(op) || legal.isOverridden(op) || !hasChoice(op))
        continue;
      if (auto remark = kOptimizerRemarks.passed(op, "Chosen"))
        remark << reason("the result goes to {0}, which every op can write",
                         describe(layout))
               << rejected("shards in l1: {0}",
                           shardingPassEnabled
                               ? "the op is in no chain"
                               : "sharding-pass-enabled is off");
    }
    for (const ShardChain &chain : chains)
      report(chain, legal);
  }

  static void report(const ShardChain &chain,
                     const LegalLayoutAnalysis &legal) {
    for (auto [index, op] : llvm::enumerate(chain.ops)) {
      LayoutAttr layout = chain.layouts[index];
      const LegalLayouts &layouts = *legal.lookup(op);
      auto *place = llvm::find(layouts.sharded, layout);
      if (place == layouts.sharded.end()) {
        if (auto remark = kOptimizerRemarks.passed(op, "Chosen"))
          remark << reason("the result goes to {0}, with which its chain takes "
                           "the least time",
                           describe(layout))
                 << rejected("shards in l1: the chain takes longer");
        continue;
      }
      auto remark = kOptimizerRemarks.passed(op, "Sharded");
      if (!remark)
        continue;
      remark << reason("the result stays in l1, in {0}: op {1} of {2} of a "
                       "chain in which each reads the one before",
                       describe(layout), index + 1, chain.ops.size());
      if (chain.isTimed)
        remark << rejected("others do not fit l1 or take longer");
      else
        remark << rejected(
            "{0} layouts on more cores do not fit l1 beside their "
            "neighbours', {1} others are on fewer or come later",
            place - layouts.sharded.begin(), layouts.sharded.end() - place - 1);
      remark << remark::metric(
          "Bytes", layouts.shardedBytes[place - layouts.sharded.begin()]);
    }
  }

  /// Collectives send in one number format, that of the input: if the layout of
  /// a result was overridden, the input is converted.
  void carryFormats(Operation *op, bool isOverridden) {
    auto dps = cast<DestinationStyleOpInterface>(op);
    for (unsigned i = 0, e = op->getNumResults(); i < e; ++i) {
      OpOperand &input = op->getOpOperand(i);
      auto from = cast<RankedTensorType>(input.get().getType());
      auto to = cast<RankedTensorType>(op->getResult(i).getType());
      LayoutAttr fromLayout = getLayoutOf(from), toLayout = getLayoutOf(to);
      if (!fromLayout || !toLayout ||
          (from.getElementType() == to.getElementType() &&
           fromLayout.getElementType() == toLayout.getElementType()))
        continue;
      if (isOverridden) {
        input.set(
            moveTo(op, input.get(),
                   RankedTensorType::get(
                       from.getShape(), to.getElementType(),
                       fromLayout.withElementType(toLayout.getElementType()))));
        continue;
      }
      auto type = RankedTensorType::get(
          to.getShape(), from.getElementType(),
          toLayout.withElementType(fromLayout.getElementType()));
      if (auto remark = kOptimizerRemarks.passed(op, "Format"))
        remark << reason("result {0} has the number format of its input: a "
                         "collective sends in one",
                         i);
      op->getResult(i).setType(type);
      retypeDestination(*dps.getDpsInitOperand(i), type);
    }
  }

  /// The value in the form of `type`, in front of `op`.
  static Value moveTo(Operation *op, Value value, RankedTensorType type) {
    OpBuilder builder(op);
    return createToLayout(builder, op->getLoc(), value, type).getResult();
  }

  /// Brings the value of an operand into shards on the cores that have those of
  /// the op's result. A layout change that made only this value makes it so.
  void reshard(OpOperand &operand) {
    Operation *consumer = operand.getOwner();
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    auto result = dyn_cast<RankedTensorType>(consumer->getResult(0).getType());
    if (!type || !isa_and_present<LayoutAttr>(type.getEncoding()))
      return;
    RankedTensorType shards = withLayout(
        type, shardLike(type, cast<LayoutAttr>(result.getEncoding())));
    if (shards == type)
      return;
    ++numReshards;
    if (auto remark = kOptimizerRemarks.passed(consumer, "Resharded"))
      remark << reason(
                    "operand {0} is brought to {1}, the shards of the result",
                    operand.getOperandNumber(), describe(getLayoutOf(shards)))
             << rejected("read from {0}: cores would fetch it from elsewhere",
                         describe(getLayoutOf(type)));
    if (ToLayoutOp own = getOwnConversion(value))
      return setResultType(own, shards);
    operand.set(moveTo(consumer, value, shards));
  }
};

} // namespace
} // namespace mlir::tt::ttir
