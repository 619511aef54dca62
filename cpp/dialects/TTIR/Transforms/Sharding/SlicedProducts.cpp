#include "dialects/TTIR/Transforms/Sharding/SlicedProducts.h"

#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Sharding/ShardingRules.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

namespace {

/// Indices [begin, end) of a dimension.
struct Range {
  int64_t dim, begin, end;
};

/// The one dimension that the op slices, with a step of 1.
std::optional<Range> getRange(SliceOp op) {
  std::optional<Range> found;
  ArrayRef<int64_t> from = graph::shapeOf(op.getInput());
  ArrayRef<int64_t> to = graph::shapeOf(op.getResult());
  for (auto [dim, extent] : llvm::enumerate(from)) {
    if (to[dim] == extent)
      continue;
    auto at = [&](ArrayAttr values) {
      return cast<IntegerAttr>(values[dim]).getInt();
    };
    int64_t begin = at(op.getBegins());
    if (found || at(op.getStep()) != 1 || begin < 0)
      return std::nullopt;
    found = Range{static_cast<int64_t>(dim), begin, begin + to[dim]};
  }
  return found;
}

class SlicedProducts {
public:
  explicit SlicedProducts(func::FuncOp func)
      : func(func), builder(func.getContext()), graph(builder, func.getLoc()) {}

  int64_t run() {
    SmallVector<Value> sliced;
    for (SliceOp op : func.getBody().front().getOps<SliceOp>())
      if (!llvm::is_contained(sliced, op.getInput()))
        sliced.push_back(op.getInput());
    int64_t count = 0;
    for (Value value : sliced)
      count += split(value);
    return count;
  }

private:
  bool split(Value value) {
    std::optional<int64_t> dim;
    for (Operation *user : value.getUsers()) {
      auto slice = dyn_cast<SliceOp>(user);
      std::optional<Range> range = slice ? getRange(slice) : std::nullopt;
      if (!range || (dim && *dim != range->dim))
        return false;
      dim = range->dim;
    }
    if (!dim || dependences.isFixed(value) || !endsInProduct(value, *dim))
      return false;
    for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
      builder.setInsertionPoint(user);
      user->replaceAllUsesWith(
          ValueRange{slice(value, *getRange(cast<SliceOp>(user)))});
      user->erase();
    }
    return true;
  }

  /// For each operand of the op, the dimension that is sliced with the
  /// dimension `dim` of its result, or -1; empty if there is none to slice.
  SmallVector<int64_t> getSliced(Operation *op, int64_t dim) {
    std::optional<ShardingRule> rule = op ? getShardingRule(op) : std::nullopt;
    int64_t factor = rule ? rule->results.front()[dim] : -1;
    if (factor < 0)
      return {};
    SmallVector<int64_t> dims;
    for (ArrayRef<int64_t> operand : rule->operands)
      dims.push_back(ShardingRule::find(operand, factor));
    return dims;
  }

  /// Whether `value` consists of products with weights that have the dimension
  /// as their columns, and of ops that can be sliced along it.
  bool endsInProduct(Value value, int64_t dim) {
    auto op = value.getDefiningOp<DestinationStyleOpInterface>();
    // Merged and split dimensions have other ranges.
    if (!op || isa<ReshapeOp, SqueezeOp, UnsqueezeOp>(op.getOperation()))
      return false;
    SmallVector<int64_t> dims = getSliced(op, dim);
    if (dims.empty())
      return false;
    bool isProduct = isa<MatmulOp, LinearOp>(op.getOperation());
    if (isProduct)
      return dims[0] < 0 && dependences.isFixed(op->getOperand(1));
    bool hasProduct = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      int64_t own = dims[operand->getOperandNumber()];
      if (own < 0 || dependences.isFixed(operand->get()))
        continue;
      if (!operand->get().hasOneUse() || !endsInProduct(operand->get(), own))
        return false;
      hasProduct = true;
    }
    return hasProduct;
  }

  Value slice(Value value, Range range) {
    if (dependences.isFixed(value)) {
      SmallVector<int64_t> begins(graph::shapeOf(value).size(), 0);
      SmallVector<int64_t> ends(graph::shapeOf(value));
      SmallVector<int64_t> steps(begins.size(), 1);
      begins[range.dim] = range.begin;
      ends[range.dim] = range.end;
      return graph.slice(value, begins, ends, steps);
    }
    auto op = value.getDefiningOp<DestinationStyleOpInterface>();
    SmallVector<int64_t> dims = getSliced(op, range.dim);
    RankedTensorType type = graph::typeOf(value);
    SmallVector<int64_t> shape(type.getShape());
    shape[range.dim] = range.end - range.begin;
    graph.setLoc(op->getLoc());
    IRMapping parts;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (int64_t dim = dims[operand->getOperandNumber()]; dim >= 0)
        parts.map(operand->get(),
                  slice(operand->get(), {dim, range.begin, range.end}));
    for (OpOperand &init : op.getDpsInitsMutable())
      parts.map(init.get(),
                tensor::EmptyOp::create(builder, op->getLoc(), shape,
                                        type.getElementType()));
    Operation *part = builder.clone(*op.getOperation(), parts);
    part->getResult(0).setType(type.clone(shape));
    setLocalExtents(part);
    return part->getResult(0);
  }

  func::FuncOp func;
  OpBuilder builder;
  graph::GraphBuilder graph;
  Dependences dependences;
};

} // namespace

int64_t splitSlicedProducts(func::FuncOp func) {
  return SlicedProducts(func).run();
}

} // namespace mlir::tt::ttir
