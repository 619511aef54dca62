#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/Canonicalize.h"
#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Movement/PermutedOps.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"
#include "dialects/TTIR/Transforms/UnusedOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/InterleavedRange.h"

#include <set>

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRERASEINVERSEOPS
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kInverseRemarks("ttir-erase-inverse-ops");

/// The permutation that is equivalent to a reshape that only moves extents of
/// 1, such as those of pooled images with channels last or first. Extents of 1
/// keep their order.
std::optional<SmallVector<int64_t>> getOrderOfUnits(Operation *op) {
  auto reshape = dyn_cast_or_null<ReshapeOp>(op);
  if (!reshape)
    return std::nullopt;
  ArrayRef<int64_t> from = reshape.getInput().getType().getShape(),
                    to = reshape.getType().getShape();
  if (from.size() != to.size() || from.empty() || from.back() == to.back())
    return std::nullopt;
  SmallVector<int64_t> units, others, order;
  for (auto [dim, extent] : llvm::enumerate(from))
    (extent == 1 ? units : others).push_back(dim);
  auto unit = units.begin(), other = others.begin();
  for (int64_t extent : to) {
    auto &next = extent == 1 ? unit : other;
    if (next == (extent == 1 ? units.end() : others.end()) ||
        from[*next] != extent)
      return std::nullopt;
    order.push_back(*next++);
  }
  return order;
}

/// The order of a permutation that does nothing else; nothing for other ops.
std::optional<Order> getOrder(Operation *op) {
  std::optional<SmallVector<int64_t>> order = getPermutation(op);
  if (!order)
    order = getOrderOfUnits(op);
  if (!order)
    return std::nullopt;
  RankedTensorType from = graph::typeOf(op->getOperand(0)),
                   to = graph::typeOf(op->getResult(0));
  if (from.getEncoding() || to.getEncoding() ||
      from.getElementType() != to.getElementType())
    return std::nullopt;
  return Order(*order);
}

/// Ops that read one another's results and would all have the same order of
/// dimensions.
class Cluster {
public:
  Cluster(ArrayRef<Operation *> ops, Dependences &dependences)
      : ops(ops), members(ops.begin(), ops.end()), dependences(dependences) {
    rank = graph::typeOf(ops.front()->getResult(0)).getRank();
    for (Operation *op : ops) {
      for (OpOperand &input : getPermutedInputs(op))
        if (!contains(input.get().getDefiningOp()))
          inputs.insert(input.get());
      if (llvm::any_of(op->getUsers(),
                       [&](Operation *user) { return !reads(user, op); }))
        outputs.push_back(op->getResult(0));
    }
  }

  /// The order of dimensions that saves most elements from being moved, and how
  /// many; nothing if none saves any.
  std::optional<std::pair<Order, int64_t>> findOrder() const {
    llvm::SetVector<Order, SmallVector<Order>, std::set<Order>> candidates;
    for (Value input : inputs)
      if (auto order = getOrder(input.getDefiningOp());
          order && order->size() == rank)
        candidates.insert(invert(*order));
    for (Value output : outputs)
      for (Operation *user : output.getUsers())
        if (auto order = getOrder(user))
          candidates.insert(*order);
    std::optional<std::pair<Order, int64_t>> best;
    for (const Order &order : candidates)
      if (int64_t saved = getSaving(order);
          saved > 0 && (!best || saved > best->second))
        best = {order, saved};
    return best;
  }

  /// Writes the ops in the order of dimensions and erases those that are there.
  void permute(ArrayRef<int64_t> order) {
    for (Value input : inputs)
      moved[input] = permuteInput(input, order);
    for (Operation *op : ops) {
      OpBuilder builder(op);
      auto values =
          llvm::map_to_vector(getPermutedInputs(op), [&](OpOperand &input) {
            return moved.at(input.get());
          });
      moved[op->getResult(0)] =
          permuteOp(builder, op, values, order)->getResult(0);
    }
    for (Value output : outputs)
      replaceOutside(output, order);
    llvm::SetVector<Operation *> makers;
    for (Value input : inputs)
      if (Operation *maker = input.getDefiningOp();
          maker && !unused.contains(maker) &&
          (getOrder(maker) || isCreation(maker)))
        makers.insert(maker);
    // Readers before what they read.
    for (Operation *op : unused)
      eraseUnused(op);
    for (Operation *op : llvm::reverse(ops))
      eraseUnused(op);
    for (Operation *op : makers)
      eraseUnused(op);
  }

private:
  bool contains(Operation *op) const { return op && members.contains(op); }

  /// Whether the user reads the result of `op` as the cluster does.
  bool reads(Operation *user, Operation *op) const {
    return contains(user) &&
           llvm::all_of(user->getOpOperands(), [&](OpOperand &operand) {
             return operand.get() != op->getResult(0) ||
                    operand.getOperandNumber() < getPermutedInputs(user).size();
           });
  }

  /// The shape with leading extents of 1.
  SmallVector<int64_t> wholeShape(Value value) const {
    ArrayRef<int64_t> shape = graph::shapeOf(value);
    SmallVector<int64_t> whole(rank - shape.size(), 1);
    llvm::append_range(whole, shape);
    return whole;
  }

  static int64_t sizeOf(Value value) {
    return graph::typeOf(value).getNumElements();
  }

  int64_t getSaving(ArrayRef<int64_t> order) const {
    int64_t saved = 0;
    for (Value input : inputs)
      saved += getInputSaving(input, order);
    for (Value output : outputs)
      saved += getOutputSaving(output, order);
    return saved;
  }

  int64_t getInputSaving(Value input, ArrayRef<int64_t> order) const {
    if (auto inner = getOrder(input.getDefiningOp());
        inner && inner->size() == rank) {
      // Does the permutation go away?
      bool isGone = llvm::all_of(input.getUsers(), [&](Operation *user) {
        return contains(user) || getOrder(user);
      });
      if (isIdentity(compose(*inner, order)))
        return isGone ? sizeOf(input) : 0;
      return isGone ? 0 : -sizeOf(input);
    }
    // What depends on parameters alone is computed once.
    if (movesUnitsOnly(wholeShape(input), order) ||
        dependences.of(input) != Dependence::Inputs)
      return 0;
    return -sizeOf(input);
  }

  int64_t getOutputSaving(Value output, ArrayRef<int64_t> order) const {
    if (movesUnitsOnly(graph::shapeOf(output), order))
      return 0;
    int64_t saved = 0;
    bool comesBack = false;
    for (Operation *user : output.getUsers()) {
      if (contains(user))
        continue;
      if (auto outer = getOrder(user))
        saved += llvm::equal(*outer, order) ? sizeOf(output) : 0;
      else
        comesBack |= !absorbs(user, order);
    }
    return saved - (comesBack ? sizeOf(output) : 0);
  }

  Value permuteInput(Value input, ArrayRef<int64_t> order) {
    OpBuilder builder(input.getContext());
    Operation *maker = input.getDefiningOp();
    if (maker)
      builder.setInsertionPointAfter(maker);
    else
      builder.setInsertionPointToStart(cast<BlockArgument>(input).getOwner());
    graph::GraphBuilder graph(builder,
                              maker ? maker->getLoc() : ops.front()->getLoc());
    SmallVector<int64_t> whole = wholeShape(input);
    RankedTensorType type = graph::typeOf(input);
    SmallVector<int64_t> shape = permuted(whole, order);
    if (isa_and_nonnull<ConstantOp, FullOp>(maker)) {
      ElementsAttr elements = getElements(maker);
      if (auto dense = dyn_cast_if_present<DenseElementsAttr>(elements);
          dense && dense.isSplat())
        return graph.constant(dense.resizeSplat(type.clone(shape)));
    }
    if (auto inner = getOrder(maker); inner && inner->size() == rank) {
      Order joined = compose(*inner, order);
      Value source = maker->getOperand(0);
      return isIdentity(joined) ? source : graph.permute(source, joined);
    }
    if (movesUnitsOnly(whole, order))
      return type.getShape() == ArrayRef(shape) ? input
                                                : graph.reshape(input, shape);
    if (type.getRank() != static_cast<int64_t>(rank))
      input = graph.reshape(input, whole);
    return graph.permute(input, order);
  }

  void replaceOutside(Value output, ArrayRef<int64_t> order) {
    Value found = moved.at(output);
    Order back = invert(order);
    OpBuilder builder(found.getContext());
    builder.setInsertionPointAfter(found.getDefiningOp());
    graph::GraphBuilder graph(builder, found.getLoc());
    Value restored;
    // Users may go away, or use the value several times.
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : output.getUses())
      if (!reads(use.getOwner(), output.getDefiningOp()))
        uses.push_back(&use);
    for (OpOperand *use : uses) {
      Operation *user = use->getOwner();
      if (auto outer = getOrder(user)) {
        Order joined = compose(back, *outer);
        Value replacement =
            isIdentity(joined) ? found : graph.permute(found, joined);
        user->getResult(0).replaceAllUsesWith(replacement);
        unused.insert(user);
        continue;
      }
      if (absorbs(user, order)) {
        absorb(user, found, order);
        continue;
      }
      if (!restored)
        restored = movesUnitsOnly(graph::shapeOf(output), order)
                       ? graph.reshape(found, graph::shapeOf(output))
                       : graph.permute(found, back);
      use->set(restored);
    }
  }

  ArrayRef<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 8> members;
  Dependences &dependences;
  size_t rank;
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs;
  DenseMap<Value, Value> moved;
  /// Permutations behind the cluster that nothing reads any more.
  llvm::SetVector<Operation *> unused;
};

/// A reshape that is moved before a permutation.
struct Swapped {
  SmallVector<int64_t> shape;
  Order order;
};

/// For a reshape that splits dimensions other than the last one of x. A
/// sequence of pixels becomes an image with channels last, which moves no data.
std::optional<Swapped> swapSplit(ReshapeOp op, const Order &order) {
  RankedTensorType type = op.getType();
  if (!op.getInput().getDefiningOp()->hasOneUse() ||
      type.getElementType() != graph::elementOf(op.getInput()) ||
      type.getRank() <= static_cast<int64_t>(order.size()))
    return std::nullopt;
  std::optional<SmallVector<ReassociationIndices>> groups =
      getReassociationIndicesForReshape(op.getInput().getType(), type);
  if (!groups || groups->size() != order.size())
    return std::nullopt;
  // The groups in the order of the dimensions of x.
  Order back = invert(order);
  if ((*groups)[back.back()].size() != 1)
    return std::nullopt;
  Swapped swapped;
  swapped.order.resize(type.getRank());
  for (int64_t place : back)
    for (int64_t dim : (*groups)[place]) {
      swapped.order[dim] = swapped.shape.size();
      swapped.shape.push_back(type.getDimSize(dim));
    }
  return swapped;
}

/// For a reshape before another permutation that only merges dimensions that
/// are also adjacent in x. When pixels become a sequence, the channels of an
/// image are last again.
std::optional<Swapped> swapMerge(ReshapeOp op, const Order &order) {
  RankedTensorType type = op.getType();
  if (!op.getResult().hasOneUse() || !getOrder(*op->user_begin()))
    return std::nullopt;
  std::optional<SmallVector<ReassociationIndices>> groups =
      getReassociationIndicesForReshape(op.getInput().getType(), type);
  if (!groups || groups->size() != static_cast<size_t>(type.getRank()) ||
      order.size() <= groups->size())
    return std::nullopt;
  // The dimension of x that each group begins with.
  SmallVector<int64_t> begins;
  for (const ReassociationIndices &group : *groups) {
    begins.push_back(order[group.front()]);
    for (size_t i = 1; i < group.size(); ++i)
      if (order[group[i]] != order[group[i - 1]] + 1)
        return std::nullopt;
  }
  SmallVector<int64_t> sorted(begins);
  llvm::sort(sorted);
  Swapped swapped;
  swapped.shape.resize(begins.size());
  for (auto [i, begin] : llvm::enumerate(begins)) {
    swapped.order.push_back(llvm::find(sorted, begin) - sorted.begin());
    swapped.shape[swapped.order.back()] = type.getDimSize(i);
  }
  return swapped;
}

class TTIREraseInverseOps
    : public impl::TTIREraseInverseOpsBase<TTIREraseInverseOps> {
public:
  using Base::Base;

  void runOnOperation() final {
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<GenericOp>(op))
        return WalkResult::skip();
      if (isPermutable(op))
        ops.push_back(op);
      return WalkResult::advance();
    });
    swapReshapes(swapSplit);
    for (const SmallVector<Operation *> &cluster : gather(ops))
      permute(cluster);
    swapReshapes(swapMerge);
    joinPairs();
  }

private:
  /// The ops by clusters, all in program order.
  static SmallVector<SmallVector<Operation *>>
  gather(ArrayRef<Operation *> ops) {
    llvm::EquivalenceClasses<Operation *> classes;
    for (Operation *op : ops) {
      classes.insert(op);
      int64_t rank = graph::typeOf(op->getResult(0)).getRank();
      for (OpOperand &input : getPermutedInputs(op)) {
        Operation *maker = input.get().getDefiningOp();
        if (maker && maker->getBlock() == op->getBlock() &&
            isPermutable(maker) && graph::typeOf(input.get()).getRank() == rank)
          classes.unionSets(maker, op);
      }
    }
    llvm::MapVector<Operation *, SmallVector<Operation *>> clusters;
    for (Operation *op : ops)
      clusters[classes.getLeaderValue(op)].push_back(op);
    return llvm::map_to_vector(clusters,
                               [](auto &entry) { return entry.second; });
  }

  void permute(ArrayRef<Operation *> ops) {
    // Values come and go: what is known of one cluster's is not kept.
    Dependences dependences;
    Cluster cluster(ops, dependences);
    auto found = cluster.findOrder();
    if (!found)
      return;
    const auto &[order, saved] = *found;
    if (auto remark = kInverseRemarks.passed(ops.front(), "Moved"))
      remark << reason("{0} ops compute with dimensions in the order {1}: {2} "
                       "elements less are moved",
                       ops.size(), llvm::interleaved_array(order), saved)
             << rejected("the order as it is: permutations before and behind "
                         "them undo one another");
    numMoved += ops.size();
    cluster.permute(order);
  }

  /// reshape(permute(x)) -> permute(reshape(x)), for reshapes that `swap`
  /// supports.
  void swapReshapes(std::optional<Swapped> (*swap)(ReshapeOp, const Order &)) {
    SmallVector<ReshapeOp> reshapes;
    getOperation().walk([&](ReshapeOp op) { reshapes.push_back(op); });
    for (ReshapeOp op : reshapes) {
      Operation *inner = op.getInput().getDefiningOp();
      std::optional<Order> order = getOrder(inner);
      if (!order || op.getType().getEncoding())
        continue;
      std::optional<Swapped> swapped = swap(op, *order);
      if (!swapped)
        continue;
      OpBuilder builder(op);
      graph::GraphBuilder graph(builder, op.getLoc());
      op.getResult().replaceAllUsesWith(graph.permute(
          graph.reshape(inner->getOperand(0), swapped->shape), swapped->order));
      ++numMoved;
      eraseUnused(op);
      eraseUnused(inner);
    }
  }

  /// permute(permute(x)) -> permute(x), or x.
  void joinPairs() {
    SmallVector<Operation *> permutations;
    getOperation().walk([&](Operation *op) {
      if (getOrder(op))
        permutations.push_back(op);
    });
    for (Operation *op : permutations) {
      Operation *inner = op->getOperand(0).getDefiningOp();
      std::optional<Order> innerOrder = getOrder(inner);
      if (!innerOrder)
        continue;
      Order order = compose(*innerOrder, *getOrder(op));
      OpBuilder builder(op);
      graph::GraphBuilder graph(builder, op->getLoc());
      Value source = inner->getOperand(0);
      op->getResult(0).replaceAllUsesWith(
          isIdentity(order) ? source : Value(graph.permute(source, order)));
      ++numErased;
    }
    for (Operation *op : llvm::reverse(permutations))
      eraseUnused(op);
  }
};

} // namespace
} // namespace mlir::tt::ttir
