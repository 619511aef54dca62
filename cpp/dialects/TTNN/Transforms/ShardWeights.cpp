#include "dialects/TT/Mesh.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTNN/TTNN.h"
#include "dialects/TTNN/Transforms/CachedWeights.h"
#include "dialects/TTNN/Transforms/OpCosts.h"
#include "dialects/TTNN/Transforms/Passes.h"

namespace mlir::tt::ttnn {

#define GEN_PASS_DEF_TTNNSHARDWEIGHTS
#include "dialects/TTNN/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kShardRemarks("ttnn-shard-weights");

/// Shards must save at least this fraction of the time.
constexpr double kLeastShardGain = 0.01;

/// Products with more rows are not tried: they would give too much work to few
/// cores.
constexpr int64_t kMostRows = 256;

bool isTransposed(Operation *op) {
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return matmul.getTransposeB();
  return cast<LinearOp>(op).getTransposeB();
}

int64_t countMatrices(Type type) {
  return volume(cast<RankedTensorType>(type).getShape().drop_back(2));
}

/// Whether all products that read the weight have few rows for each of its
/// matrices, with row counts limited to `most` unless that is 0.
bool isOfFewRows(OpResult weight, int64_t most) {
  return llvm::all_of(weight.getUsers(), [&](Operation *op) {
    if (!isa<MatmulOp, LinearOp>(op) || isTransposed(op))
      return false;
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    int64_t rows = volume(shape.drop_back()) / countMatrices(weight.getType());
    return (most ? std::min(rows, most) : rows) <= kMostRows;
  });
}

/// The type of matrices in DRAM with their columns sharded over the banks; null
/// for other tensors.
RankedTensorType inBanks(RankedTensorType type, unsigned numBanks) {
  tt::LayoutAttr layout = getLayoutOf(type);
  if (!layout || !layout.isTiled() ||
      layout.getMemorySpace() != MemorySpace::DeviceDRAM ||
      layout.getMemLayout() != tt::TensorMemoryLayout::Interleaved ||
      type.getRank() < 2)
    return {};
  // The rows of the matrices follow each other.
  if (countMatrices(type) != 1 &&
      type.getDimSize(type.getRank() - 2) % TileType::kExtent != 0)
    return {};
  int64_t columns = llvm::divideCeil(type.getShape().back(), TileType::kExtent);
  int64_t count = std::min<int64_t>(numBanks, columns);
  // Uses fewer banks if the last ones would be empty.
  count = llvm::divideCeil(columns, llvm::divideCeil(columns, count));
  auto grid = GridAttr::get(type.getContext(), {1, count});
  return RankedTensorType::get(
      type.getShape(), type.getElementType(),
      layout.withGrid(type, grid)
          .withMemoryLayout(tt::TensorMemoryLayout::WidthSharded));
}

class TTNNShardWeights : public impl::TTNNShardWeightsBase<TTNNShardWeights> {
public:
  using impl::TTNNShardWeightsBase<TTNNShardWeights>::TTNNShardWeightsBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    FailureOr<std::unique_ptr<OpCosts>> costs =
        OpCosts::create(module, getArgument(), clockSearchLimit);
    if (failed(costs))
      return signalPassFailure();
    if (!*costs)
      return;
    unsigned chip = (*costs)->getDevice().getChipIds().front();
    unsigned numBanks =
        (*costs)->getSystem().getChipDesc(chip).getNumDramChannels();
    for (const CachedWeight &weight : findCachedWeights(module)) {
      if (!isOfFewRows(weight.result, weightRows))
        continue;
      if (ToMemoryConfigOp division = getDivision(weight)) {
        // The layout is fixed by products with fewer rows.
        if (weightRows != 0)
          continue;
        // Layouts of other tensors may have changed.
        if (!isFaster(weight.result, division.getInput().getType(),
                      division.getType(), **costs))
          join(weight, division);
        continue;
      }
      auto type = cast<RankedTensorType>(weight.result.getType());
      RankedTensorType divided = inBanks(type, numBanks);
      if (divided && isFaster(weight.result, type, divided, **costs) &&
          divide(weight, divided))
        ++numSharded;
    }
  }

private:
  /// In L1, where `ttnn-optimizer` will place the few rows of a result.
  static Type expectedType(Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    tt::LayoutAttr layout = tensor ? getLayoutOf(tensor) : nullptr;
    if (!layout || !layout.isTiled() ||
        layout.getMemorySpace() != MemorySpace::DeviceDRAM ||
        !isa_and_nonnull<DestinationStyleOpInterface>(value.getDefiningOp()))
      return value.getType();
    return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                                 layout.withMemorySpace(MemorySpace::DeviceL1));
  }

  /// The type of a tensor in L1, limited to `weightRows` rows for each matrix:
  /// one, unless the op is a batch of products.
  Type withRows(Type type, bool isBatch) const {
    auto tensor = dyn_cast<RankedTensorType>(type);
    tt::LayoutAttr layout = tensor ? getLayoutOf(tensor) : nullptr;
    if (weightRows == 0 || !layout || tensor.getRank() < 2)
      return type;
    SmallVector<int64_t> shape(tensor.getShape());
    if (!isBatch) {
      shape.front() = volume(tensor.getShape().drop_back());
      std::fill(shape.begin() + 1, shape.end() - 1, 1);
    }
    int64_t &rows = isBatch ? shape[shape.size() - 2] : shape.front();
    if (rows <= int64_t(weightRows))
      return type;
    rows = weightRows;
    return RankedTensorType::get(shape, tensor.getElementType(),
                                 layout.withGrid(shape, layout.getGrid()));
  }

  /// Cycles of a product with a weight of a type.
  double timeOf(Operation *op, RankedTensorType type, OpCosts &costs) const {
    auto dps = cast<DestinationStyleOpInterface>(op);
    bool isBatch = countMatrices(type) != 1;
    SmallVector<Type> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      if (&operand == getWeight(op))
        operands.push_back(type);
      else if (!dps.isDpsInit(&operand))
        operands.push_back(operand.getOperandNumber() == 0
                               ? withRows(expectedType(operand.get()), isBatch)
                               : operand.get().getType());
    }
    return costs.get(op, operands,
                     withRows(expectedType(op->getResult(0)), isBatch));
  }

  /// Whether the products are faster with a sharded weight.
  bool isFaster(OpResult weight, RankedTensorType whole,
                RankedTensorType divided, OpCosts &costs) const {
    double before = 0, after = 0;
    for (Operation *op : weight.getUsers()) {
      before += timeOf(op, whole, costs);
      after += timeOf(op, divided, costs);
    }
    bool faster = after < (1 - kLeastShardGain) * before;
    for (Operation *op : weight.getUsers())
      if (auto remark = faster ? kShardRemarks.passed(op, "Sharded")
                               : kShardRemarks.missed(op, "NotSharded"))
        remark << reason("the weight is {0}: {1} cycles in {2} shards, {3} "
                         "interleaved",
                         faster ? "sharded over the DRAM banks" : "interleaved",
                         llvm::formatv("{0:f0}", after).str(),
                         getLayoutOf(divided).getGrid().getVolume(),
                         llvm::formatv("{0:f0}", before).str());
    return faster;
  }

  /// The existing op that shards a weight; null if there is none.
  static ToMemoryConfigOp getDivision(const CachedWeight &weight) {
    tt::LayoutAttr layout = getLayoutOf(weight.result.getType());
    if (layout.getMemorySpace() != MemorySpace::DeviceDRAM ||
        layout.getMemLayout() != tt::TensorMemoryLayout::WidthSharded)
      return {};
    return weight.getReturned().get().getDefiningOp<ToMemoryConfigOp>();
  }

  /// Shards the returned weight. False if the function has no device.
  static bool divide(const CachedWeight &weight, RankedTensorType type) {
    OpOperand &returned = weight.getReturned();
    Operation *terminator = returned.getOwner();
    auto devices = terminator->getBlock()->getOps<GetDeviceOp>();
    if (devices.empty())
      return false;
    OpBuilder builder(terminator);
    returned.set(ToMemoryConfigOp::create(builder, returned.get().getLoc(),
                                          type, returned.get(),
                                          (*devices.begin()).getResult()));
    weight.updateType();
    return true;
  }

  /// Reverts the sharding.
  static void join(const CachedWeight &weight, ToMemoryConfigOp division) {
    weight.getReturned().set(division.getInput());
    weight.updateType();
    if (division->use_empty())
      division->erase();
  }
};

} // namespace
} // namespace mlir::tt::ttnn
