#include "dialects/TT/HostType.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/Sharding/FunctionPartition.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRMICROBATCHES
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

class TTIRMicroBatches : public impl::TTIRMicroBatchesBase<TTIRMicroBatches> {
public:
  using Base::Base;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (count < 1) {
      module.emitError("ttir-micro-batches: expected a positive number of "
                       "micro-batches, found ")
          << count.getValue();
      return signalPassFailure();
    }
    if (count == 1)
      return;
    OpPassManager expansion(ModuleOp::getOperationName());
    addExpansionForSharding(expansion);
    if (failed(runPipeline(expansion, module)))
      return signalPassFailure();
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isExternal() && func.isPublic() && !func->hasAttr(kPartAttr) &&
          !isOnHost(func) && failed(divide(func)))
        return signalPassFailure();
  }

private:
  /// Each micro-batch is what a chip would get of the batch. The chips of a
  /// mesh send nothing to each other exactly if micro-batches are independent.
  LogicalResult divide(func::FuncOp func) {
    if (failed(checkBatch(func)))
      return failure();
    const int64_t mesh[] = {count, 1};
    const ParallelKind kinds[] = {ParallelKind::Data, ParallelKind::None};
    FunctionPartition partition(func, mesh, kinds,
                                {/*inputs=*/true, /*results=*/true});
    if (failed(partition.chooseArguments()))
      return failure();
    partition.run();
    if (failed(checkIndependent(func)))
      return failure();
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      if (DictionaryAttr attributes = func.getArgAttrDict(i))
        func.setArgAttrs(i, describe(attributes, type));
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      if (DictionaryAttr attributes = func.getResultAttrDict(i))
        func.setResultAttrs(i, describe(attributes, type));
    return success();
  }

  /// The batch is the first dimension of the first input.
  LogicalResult checkBatch(func::FuncOp func) {
    Dependences dependences;
    for (BlockArgument argument : func.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || type.getRank() == 0 || isVariable(argument) ||
          dependences.isFixed(argument))
        continue;
      if (type.getDimSize(0) % count == 0)
        return success();
      return emitError(argument.getLoc())
             << "ttir-micro-batches: " << count.getValue()
             << " micro-batches do not divide the batch, dimension 0 of the "
                "input "
             << type;
    }
    return success(); // Choosing the arguments reports it.
  }

  /// Fails at the first op that combines samples of different micro-batches, or
  /// that would give each micro-batch another part of a constant.
  LogicalResult checkIndependent(func::FuncOp func) {
    WalkResult found = func.walk([&](Operation *op) {
      if (isa<MeshShardOp, MeshPartitionOp>(op)) {
        Operation *user = op->use_empty() ? op : *op->user_begin();
        user->emitError("ttir-micro-batches: '")
            << user->getName()
            << "' reads a constant or parameter with another part for each "
               "micro-batch, "
            << op->getOperand(0).getType()
            << "; expected the same one for all samples, or micro_batches=1";
        return WalkResult::interrupt();
      }
      if (!isa<CollectiveOpInterface>(op))
        return WalkResult::advance();
      // A reduction has partial results; a gathered tensor has a user that
      // needs all of it.
      Operation *by = op->getOperand(0).getDefiningOp();
      if (isa<AllGatherOp, AllToAllOp>(op) && !op->use_empty())
        by = *op->user_begin();
      by = by ? by : op;
      by->emitError("ttir-micro-batches: '")
          << by->getName()
          << "' combines samples of the whole batch, so micro-batches are not "
             "independent; expected an op that computes each sample on its "
             "own, or micro_batches=1 ("
          << op->getName().stripDialect() << ")";
      return WalkResult::interrupt();
    });
    return failure(found.wasInterrupted());
  }

  /// The attributes of an argument or result with the dimension that
  /// micro-batches divide instead of its sharding, and with the host's type of
  /// a micro-batch, if it differs from `type`, the program's.
  DictionaryAttr describe(DictionaryAttr attributes, Type type) {
    NamedAttrList found(attributes);
    auto dims = cast_or_null<DenseI64ArrayAttr>(found.erase(kPreshardedAttr));
    if (!dims)
      return attributes;
    Builder builder(&getContext());
    found.set(kMicroBatchDimAttr, builder.getI64IntegerAttr(dims[0]));
    auto host = cast_or_null<TypeAttr>(found.erase(kHostTypeAttr));
    auto whole =
        host ? dyn_cast<RankedTensorType>(host.getValue()) : RankedTensorType();
    if (whole) {
      // Complex numbers have their parts in a first dimension.
      int64_t rank = cast<RankedTensorType>(type).getRank();
      int64_t own = dims[0] - (rank - whole.getRank());
      SmallVector<int64_t> shape(whole.getShape());
      if (own >= 0 && own < whole.getRank())
        shape[own] /= count;
      RankedTensorType part = whole.clone(shape);
      if (part != type)
        found.set(kHostTypeAttr, TypeAttr::get(part));
    }
    return found.getDictionary(&getContext());
  }
};

} // namespace
} // namespace mlir::tt::ttir
