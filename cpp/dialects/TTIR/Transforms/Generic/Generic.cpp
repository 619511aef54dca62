#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRGENERIC
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kGenericRemarks("ttir-generic");

/// Circular buffers for inputs.
constexpr size_t kMaxInputs = 8;
/// Tiles of f32 that the destination registers hold at a time.
constexpr size_t kMaxTiles = 4;
constexpr size_t kMaxOps = 32;

bool isEltwise(Operation *op) { return isa<TTIR_ElementwiseOpInterface>(op); }

/// Integers have separate instructions for each format. Floats are all computed
/// in f32.
bool isSameClass(Value a, Value b) {
  Type aType = getTensorType(a).getElementType(),
       bType = getTensorType(b).getElementType();
  return aType == bType || (isa<FloatType>(aType) && isa<FloatType>(bType));
}

auto getInputsOf(Operation *op) {
  return cast<DestinationStyleOpInterface>(op).getDpsInputs();
}

/// Elementwise ops that become one generic: a tree, but for inputs, with its
/// last op as the root.
class Group {
public:
  explicit Group(Operation *root) { members.insert(root); }

  Operation *getRoot() const { return members.front(); }
  bool contains(Operation *op) const { return members.contains(op); }
  size_t size() const { return members.size(); }

  /// Adds an op whose result only members read; if a limit does not allow it,
  /// returns that, else nothing.
  StringRef add(Operation *op) {
    members.insert(op);
    StringRef problem;
    if (members.size() > kMaxOps)
      problem = "the generic has as many ops as it may";
    else if (getInputs().size() > kMaxInputs)
      problem = "the generic would have more inputs than circular buffers";
    else if (countTiles(getOrder()) > kMaxTiles)
      problem = "the generic would need more tiles at a time than the "
                "destination registers hold";
    if (!problem.empty())
      members.pop_back();
    return problem;
  }

  /// What members read and do not compute, in the order of the ops.
  SmallVector<Value> getInputs() const {
    llvm::SetVector<Value> inputs;
    for (Operation *op : getOrder())
      for (Value input : getInputsOf(op))
        if (!isComputed(input))
          inputs.insert(input);
    return inputs.takeVector();
  }

  /// The members, operands before users. Of two operands the one that needs
  /// more tiles comes first (Sethi and Ullman).
  SmallVector<Operation *> getOrder() const {
    llvm::DenseMap<Operation *, size_t> needs;
    countNeed(getRoot(), needs);
    llvm::SetVector<Operation *> order;
    schedule(getRoot(), needs, order);
    return order.takeVector();
  }

private:
  bool isComputed(Value value) const {
    return value.getDefiningOp() && contains(value.getDefiningOp());
  }

  /// The members that compute operands of `op`, those that need more first.
  SmallVector<Operation *>
  getProducers(Operation *op,
               const llvm::DenseMap<Operation *, size_t> &needs) const {
    llvm::SetVector<Operation *> producers;
    for (Value input : getInputsOf(op))
      if (isComputed(input))
        producers.insert(input.getDefiningOp());
    SmallVector<Operation *> sorted = producers.takeVector();
    llvm::stable_sort(sorted, [&](Operation *a, Operation *b) {
      return needs.lookup(a) > needs.lookup(b);
    });
    return sorted;
  }

  /// Tiles that it takes to compute `op` as if the members were a tree.
  size_t countNeed(Operation *op,
                   llvm::DenseMap<Operation *, size_t> &needs) const {
    if (auto it = needs.find(op); it != needs.end())
      return it->second;
    size_t need = 0;
    for (Value input : getInputsOf(op)) {
      ++need;
      if (isComputed(input))
        countNeed(input.getDefiningOp(), needs);
    }
    for (auto [index, producer] : llvm::enumerate(getProducers(op, needs)))
      need = std::max(need, needs.lookup(producer) + index);
    return needs[op] = need;
  }

  void schedule(Operation *op, const llvm::DenseMap<Operation *, size_t> &needs,
                llvm::SetVector<Operation *> &order) const {
    for (Operation *producer : getProducers(op, needs))
      if (!order.contains(producer))
        schedule(producer, needs, order);
    order.insert(op);
  }

  /// The most tiles that are needed at a time: what is computed and still to
  /// be read, and the operands of one op.
  size_t countTiles(ArrayRef<Operation *> order) const {
    llvm::DenseMap<Value, size_t> readers;
    for (Operation *op : order)
      for (Value input : getInputsOf(op))
        ++readers[input];
    size_t live = 0, most = 0;
    for (Operation *op : order) {
      llvm::SmallDenseSet<Value> loaded;
      for (Value input : getInputsOf(op))
        if (!isComputed(input))
          loaded.insert(input);
      most = std::max(most, live + std::max<size_t>(loaded.size(), 1));
      for (Value input : getInputsOf(op))
        if (isComputed(input) && --readers[input] == 0)
          --live;
      ++live;
      most = std::max(most, live);
    }
    return most;
  }

  llvm::SetVector<Operation *> members;
};

/// The dimensions of the result that an operand of `shape` has.
AffineMap getOperandMap(MLIRContext *context, ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> result) {
  int64_t lead = result.size() - shape.size();
  SmallVector<AffineExpr> exprs;
  for (auto [d, extent] : llvm::enumerate(shape))
    exprs.push_back(extent == result[lead + d]
                        ? getAffineDimExpr(lead + d, context)
                        : getAffineConstantExpr(0, context));
  return AffineMap::get(result.size(), 0, exprs, context);
}

class TTIRGeneric : public impl::TTIRGenericBase<TTIRGeneric> {
public:
  using impl::TTIRGenericBase<TTIRGeneric>::TTIRGenericBase;

  void runOnOperation() final {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isEltwise(op) && !op->getParentOfType<GenericOp>())
        ops.push_back(op);
    });
    // From the last op on, so that every reader knows its generic before what
    // it reads does.
    llvm::DenseSet<Operation *> done;
    SmallVector<Group> groups;
    for (Operation *op : llvm::reverse(ops)) {
      if (done.contains(op))
        continue;
      Group group = fuse ? grow(op) : Group(op);
      for (Operation *member : group.getOrder())
        done.insert(member);
      groups.push_back(std::move(group));
    }
    for (const Group &group : llvm::reverse(groups))
      build(group);
  }

private:
  /// Takes in operands as long as one fits.
  static Group grow(Operation *root) {
    Group group(root);
    SmallVector<Operation *> front{root};
    llvm::MapVector<Operation *, StringRef> problems;
    while (!front.empty()) {
      Operation *op = front.pop_back_val();
      SmallVector<Value> inputs = getInputsOf(op);
      for (Value input : llvm::reverse(inputs)) {
        Operation *producer = input.getDefiningOp();
        if (!producer || group.contains(producer) || !isEltwise(producer))
          continue;
        StringRef problem = whyNotJoin(producer, group);
        if (problem.empty())
          problem = group.add(producer);
        if (problem.empty())
          front.push_back(producer);
        else
          problems[producer] = problem;
      }
    }
    // What one reader could not take in may have come with another.
    for (auto [producer, problem] : problems)
      if (!group.contains(producer))
        if (auto remark = kGenericRemarks.missed(producer, "NotFused"))
          remark << reason("does not join the generic of '{0}': {1}",
                           root->getName().getStringRef(), problem);
    return group;
  }

  /// Why an elementwise op cannot be in the generic of its reader; empty if it
  /// can.
  static StringRef whyNotJoin(Operation *producer, const Group &group) {
    if (producer->getBlock() != group.getRoot()->getBlock())
      return "it is in another block";
    Value result = producer->getResult(0);
    Value output = group.getRoot()->getResult(0);
    if (getTensorType(result).getShape() != getTensorType(output).getShape())
      return "its result has another shape";
    // Integers and floats go through the destination registers in different
    // forms.
    auto isOtherClass = [&](Value value) {
      return !isSameClass(value, output);
    };
    if (isOtherClass(result) ||
        llvm::any_of(getInputsOf(producer), isOtherClass) ||
        llvm::any_of(getInputsOf(group.getRoot()), isOtherClass))
      return "integers and floats are not computed together";
    bool isReadInside = llvm::all_of(result.getUses(), [&](OpOperand &use) {
      return group.contains(use.getOwner()) &&
             !cast<DestinationStyleOpInterface>(use.getOwner()).isDpsInit(&use);
    });
    return isReadInside ? "" : "other ops read its result too";
  }

  void build(const Group &group) {
    Operation *root = group.getRoot();
    // A lone op that reads one tensor twice keeps both of its operands.
    SmallVector<Value> inputs = group.size() == 1
                                    ? SmallVector<Value>(getInputsOf(root))
                                    : group.getInputs();
    Value destination =
        cast<DestinationStyleOpInterface>(root).getDpsInits().front();
    Value result = root->getResult(0);
    ArrayRef<int64_t> shape = getTensorType(result).getShape();
    OpBuilder builder(root);
    MLIRContext *context = builder.getContext();

    SmallVector<AffineMap> maps;
    for (Value input : inputs)
      maps.push_back(
          getOperandMap(context, getTensorType(input).getShape(), shape));
    maps.push_back(AffineMap::getMultiDimIdentityMap(shape.size(), context));
    SmallVector<Attribute> iterators(
        shape.size(), IteratorTypeAttr::get(context, IteratorType::Parallel));
    SmallVector<Attribute> constraints(
        maps.size(),
        OperandConstraintAttr::get(context, OperandConstraint::AnyDeviceTile));
    SmallVector<Operation *> order = group.getOrder();
    SmallVector<Location> locations;
    for (Operation *op : order)
      locations.push_back(op->getLoc());
    auto generic = GenericOp::create(
        builder, builder.getFusedLoc(locations), result.getType(), inputs,
        destination, GridAttr::get(context, SmallVector<int64_t>{1, 1}),
        builder.getAffineMapArrayAttr(maps), builder.getArrayAttr(iterators),
        builder.getArrayAttr(constraints));
    Block &block = generic.getRegion().emplaceBlock();
    IRMapping mapping;
    for (Value input : inputs)
      mapping.map(input, block.addArgument(input.getType(), input.getLoc()));
    block.addArgument(destination.getType(), root->getLoc());
    builder.setInsertionPointToEnd(&block);
    if (order.size() == 1)
      mapping.map(result, buildLoneBody(builder, root, block));
    else
      for (Operation *op : order) {
        SmallVector<Value> operands;
        for (Value input : getInputsOf(op))
          operands.push_back(mapping.lookup(input));
        mapping.map(op->getResult(0), buildBody(builder, op, operands,
                                                block.getArguments().back()));
      }
    YieldOp::create(builder, root->getLoc(), mapping.lookup(result));

    result.replaceAllUsesWith(generic.getResult(0));
    if (group.size() > 1)
      report(group, order, inputs.size());
    for (Operation *op : llvm::reverse(order))
      eraseWithDestination(op);
    ++numGenerics;
    numFused += group.size() - 1;
  }

  static void report(const Group &group, ArrayRef<Operation *> order,
                     size_t numInputs) {
    if (auto remark = kGenericRemarks.passed(group.getRoot(), "Fused"))
      remark << reason("{0} ops become one generic with {1} inputs: {2}",
                       order.size(), numInputs,
                       llvm::join(llvm::map_range(
                                      order,
                                      [](Operation *op) {
                                        return op->getName().getStringRef();
                                      }),
                                  ", "))
             << rejected("a generic for each: their results would go through "
                         "memory");
  }

  /// An addition or a multiplication of floats is that of 'arith'.
  static Value buildLoneBody(OpBuilder &builder, Operation *op, Block &block) {
    SmallVector<Value> operands(block.getArguments().drop_back());
    BlockArgument output = block.getArguments().back();
    bool isPlain = isa<FloatType>(getTensorType(output).getElementType()) &&
                   llvm::all_of(operands, [&](Value operand) {
                     return operand.getType() == output.getType();
                   });
    if (isPlain && isa<AddOp>(op))
      return arith::AddFOp::create(builder, op->getLoc(), operands[0],
                                   operands[1]);
    if (isPlain && isa<MultiplyOp>(op))
      return arith::MulFOp::create(builder, op->getLoc(), operands[0],
                                   operands[1]);
    return buildBody(builder, op, operands, output);
  }

  /// The op itself on the region's values.
  static Value buildBody(OpBuilder &builder, Operation *op,
                         SmallVector<Value> operands, Value output) {
    RankedTensorType type = getTensorType(op->getResult(0));
    // Of another format than the result: not written anywhere.
    if (type == output.getType())
      operands.push_back(output);
    else
      operands.push_back(
          tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(),
                                  type.getElementType(), type.getEncoding()));
    Operation *clone = builder.clone(*op);
    clone->setOperands(operands);
    SmallVector<Attribute> constraints(
        operands.size(),
        OperandConstraintAttr::get(builder.getContext(),
                                   OperandConstraint::AnyDeviceTile));
    clone->setAttr("operand_constraints", builder.getArrayAttr(constraints));
    return clone->getResult(0);
  }

  static void eraseWithDestination(Operation *op) {
    Value destination =
        cast<DestinationStyleOpInterface>(op).getDpsInits().front();
    op->erase();
    if (auto empty = destination.getDefiningOp<tensor::EmptyOp>();
        empty && empty->use_empty())
      empty->erase();
  }
};

} // namespace
} // namespace mlir::tt::ttir
