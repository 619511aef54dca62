#include "dialects/TTIR/Transforms/Sharding/FunctionPartition.h"

#include "dialects/TT/Mesh.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tt::ttir {

constexpr Remarks kPartitionRemarks("ttir-partition");

/// The fixed cost of a collective, which waits for all its chips: the bytes
/// that a link carries in the time of a short message.
static constexpr int64_t kMessageBytes = 64 * 1024;

/// The fixed cost of gathering shards of `chips` chips in such bytes: 4.5 us
/// and 1.9 us a chip, as measured on Wormhole.
static int64_t countGatherBytes(int64_t chips) {
  return 56 * 1024 + 24 * 1024 * (chips - 1);
}

/// The bytes that a chip reads from its DRAM, and the products of two numbers
/// that it adds up, while a link carries one byte: Wormhole has 258 GB/s of
/// DRAM, some 60 TFLOP/s, and 12.5 GB/s a link.
static constexpr int64_t kReadPerLink = 20, kProductsPerLink = 2400;

static int64_t countBytes(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 32;
  return type.getNumElements() * std::max<int64_t>(bits, 8) / 8;
}

//===----------------------------------------------------------------------===//
// Forms of values
//===----------------------------------------------------------------------===//

Sharding FunctionPartition::getSharding(Value value) {
  if (auto found = stated.find(value); found != stated.end())
    return found->second;
  if (isFree(value))
    return getStated(value).value_or(whole);
  auto found = forms.find(value);
  return found == forms.end() ? whole : found->second.front().sharding;
}

/// The sharding that attributes of arguments give to a weight: an argument, or
/// a value computed from parameters and constants alone. Empty if they give
/// none.
std::optional<Sharding> FunctionPartition::getStated(Value value) {
  if (explicitly.count(value))
    return stated.lookup(value);
  Operation *op = value.getDefiningOp();
  if (!op || !dependences.isFixed(value))
    return std::nullopt;
  if (auto found = derived.find(value); found != derived.end())
    return found->second;
  std::optional<Sharding> sharding = deriveStated(op);
  derived[value] = sharding;
  return sharding;
}

/// The sharding of a result whose dimensions are those of sharded inputs.
std::optional<Sharding> FunctionPartition::deriveStated(Operation *op) {
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule)
    return std::nullopt;
  std::optional<Sharding> sharding;
  for (OpOperand *operand :
       cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
    std::optional<Sharding> own = getStated(operand->get());
    if (!own)
      continue;
    if (!sharding)
      sharding = whole;
    for (auto [axis, dim] : llvm::enumerate(*own)) {
      int64_t factor =
          dim < 0 ? -1 : rule->operands[operand->getOperandNumber()][dim];
      if (factor >= 0)
        (*sharding)[axis] = ShardingRule::find(rule->results.front(), factor);
    }
  }
  return sharding;
}

Value FunctionPartition::get(Value value, ArrayRef<int64_t> sharding) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  if (auto found = forms.find(value); found != forms.end())
    for (const Form &form : found->second)
      if (form.sharding == sharding)
        return form.value;
  Value made = make(value, sharding);
  // Appended, since the first form is the one in which the value is computed.
  forms[value].push_back({Sharding(sharding), made});
  return made;
}

Value FunctionPartition::make(Value value, ArrayRef<int64_t> sharding) {
  if (isFree(value)) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && isKept(argument))
      return makeKept(argument, sharding);
    if (isWhole(sharding))
      return value;
    if (argument)
      return resharding.shard(graph, value, sharding);
    if (Value made = makeFixed(value.getDefiningOp(), sharding))
      return made;
    return resharding.reshard(graph, value, whole, sharding);
  }
  if (Value made = makeRepeated(value, sharding))
    return made;
  auto found = forms.find(value);
  if (found == forms.end())
    return isWhole(sharding)
               ? value
               : resharding.reshard(graph, value, whole, sharding);
  Form source = found->second.front();
  // Taking a part of a whole tensor needs no communication.
  for (const Form &form : found->second)
    if (isWhole(form.sharding))
      source = form;
  return resharding.reshard(graph, source.value, source.sharding, sharding);
}

/// Chooses the sharding in which the chips keep an argument at its first use:
/// the one in an attribute, or else the one that the first user needs, with the
/// axes that the kind of parallelism determines.
Value FunctionPartition::makeKept(BlockArgument argument,
                                  ArrayRef<int64_t> sharding) {
  Sharding at(sharding);
  if (auto found = stated.find(argument); found != stated.end())
    for (auto [chosen, given] : llvm::zip_equal(at, found->second))
      chosen = given >= 0 || explicitly.count(argument) ? given : chosen;
  if (!getLocalType(graph::typeOf(argument), at, mesh))
    at = stated.lookup(argument);
  stated[argument] = at;
  settled.insert(argument);
  Value shard = argument;
  if (!isWhole(at)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(argument.getOwner());
    shard = resharding.shard(graph, argument, at);
    keptShards[argument] = shard;
  }
  if (at == sharding)
    return shard;
  forms[argument].push_back({at, shard});
  return resharding.reshard(graph, shard, at, sharding);
}

/// A part of the result of an op on parameters and constants; null if it must
/// be cut out of the whole result.
Value FunctionPartition::makeFixed(Operation *op, ArrayRef<int64_t> sharding) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  RankedTensorType local =
      type ? getLocalType(type, sharding, mesh) : RankedTensorType();
  if (!local || type.getEncoding())
    return {};
  if (isCreation(op) && isa<ConstantOp, FullOp>(op))
    if (auto elements = dyn_cast<DenseElementsAttr>(getElements(op));
        elements && elements.isSplat())
      return ConstantOp::create(builder, op->getLoc(), local,
                                elements.resizeSplat(local));
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule)
    return {};
  Assignment assignment(mesh.size(), -1);
  for (auto [axis, dim] : llvm::enumerate(sharding)) {
    if (dim < 0)
      continue;
    assignment[axis] = rule->results.front()[dim];
    if (assignment[axis] == ShardingRule::kWhole)
      return {};
  }
  for (int64_t factor : assignment) {
    int64_t parts = 1;
    for (auto [axis, found] : llvm::enumerate(assignment))
      parts *= found == factor ? mesh[axis] : 1;
    if (factor >= 0 && !divides(op, *rule, factor, parts))
      return {};
  }
  return divide(op, *rule, assignment);
}

/// A part of a value that repeats each element of a dimension, such as keys
/// shared by several query heads. If axes divide the result further than the
/// repeated dimension, their chips repeat the same element fewer times. Null
/// for anything else.
Value FunctionPartition::makeRepeated(Value value, ArrayRef<int64_t> sharding) {
  auto joined = value.getDefiningOp<ReshapeOp>();
  auto repeated =
      joined ? joined.getInput().getDefiningOp<BroadcastOp>() : BroadcastOp();
  if (!repeated)
    return {};
  ArrayRef<int64_t> from = graph::shapeOf(repeated.getInput()),
                    to = graph::shapeOf(repeated.getResult()),
                    shape = graph::shapeOf(value);
  if (from.size() != to.size() || to.size() != shape.size() + 1 ||
      !llvm::equal(
          repeated.getDimension().getAsRange<IntegerAttr>(),
          llvm::seq<int64_t>(0, to.size()),
          [](IntegerAttr found, int64_t dim) { return found.getInt() == dim; }))
    return {};
  // The dimension that is merged with the copies after it.
  int64_t dim = 0, end = shape.size();
  while (dim != end && shape[dim] == to[dim])
    ++dim;
  if (dim == end || from[dim] != to[dim] || from[dim + 1] != 1 ||
      shape[dim] != to[dim] * to[dim + 1] ||
      from.drop_front(dim + 2) != to.drop_front(dim + 2) ||
      from.take_front(dim) != to.take_front(dim) ||
      shape.drop_front(dim + 1) != to.drop_front(dim + 2))
    return {};

  Sharding source(whole);
  int64_t parts = 1, fewer = 1;
  for (auto [axis, wanted] : llvm::enumerate(sharding)) {
    if (wanted != dim) {
      source[axis] = wanted > dim ? wanted + 1 : wanted;
    } else if (fewer == 1 && to[dim] % (parts * mesh[axis]) == 0) {
      parts *= mesh[axis];
      source[axis] = dim;
    } else {
      fewer *= mesh[axis];
    }
  }
  if (fewer == 1 || parts != to[dim] || to[dim + 1] % fewer != 0)
    return {};
  RankedTensorType local = getLocalType(graph::typeOf(value), sharding, mesh);
  Value part = get(repeated.getInput(), source);
  SmallVector<int64_t> copies(graph::shapeOf(part));
  copies[dim + 1] = to[dim + 1] / fewer;
  if (copies[dim + 1] != 1)
    part = graph.broadcast(part, copies);
  return graph.reshape(part, local.getShape());
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool FunctionPartition::divides(Operation *op, const ShardingRule &rule,
                                int64_t factor, int64_t parts) const {
  auto divided = [&](ValueRange values, ArrayRef<SmallVector<int64_t>> dims) {
    return llvm::all_of(llvm::zip_equal(values, dims), [&](auto pair) {
      auto [value, factors] = pair;
      int64_t dim = ShardingRule::find(factors, factor);
      return dim < 0 || graph::shapeOf(value)[dim] % parts == 0;
    });
  };
  return divided(op->getOperands(), rule.operands) &&
         divided(op->getResults(), rule.results);
}

/// The bytes that an axis sends if its chips divide `factor`, or no factor for
/// -1. Sets `isAligned` if an input already has the sharding that the op then
/// needs.
int64_t FunctionPartition::getCost(Operation *op, const ShardingRule &rule,
                                   int64_t factor, int64_t axis,
                                   bool &isAligned) {
  int64_t chips = mesh[axis], cost = 0;
  isAligned = false;
  for (OpOperand *operand :
       cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
    Value value = operand->get();
    int64_t has = getSharding(value)[axis];
    if (has < 0)
      continue;
    int64_t wanted =
        factor < 0 ? -1
                   : ShardingRule::find(
                         rule.operands[operand->getOperandNumber()], factor);
    isAligned |= wanted == has;
    // The host can shard an input in any way.
    if (wanted == has || (isFree(value) && wanted >= 0))
      continue;
    int64_t bytes = countBytes(graph::typeOf(value));
    cost += kMessageBytes +
            (wanted < 0 ? bytes * (chips - 1) / chips : bytes / chips);
  }
  if (factor >= 0 && rule.factors[factor])
    cost += kMessageBytes + 2 * countBytes(graph::typeOf(op->getResult(0))) *
                                (chips - 1) / chips;
  return cost;
}

/// The factor to divide in a product with weights: that of the sharding that
/// attributes give to the weights, or else that of the kind of parallelism.
/// Experts are products with stacked weights. In other products, tensor
/// parallelism divides the contraction if the input is sharded there, so that
/// one reduction completes it, and otherwise the columns.
std::optional<int64_t> FunctionPartition::getPreferred(Operation *op,
                                                       const ShardingRule &rule,
                                                       int64_t axis) {
  if (!isa<MatmulOp, LinearOp, Conv2dOp>(op) ||
      !dependences.isFixed(op->getOperand(1)))
    return std::nullopt;
  if (std::optional<Sharding> weights = getStated(op->getOperand(1))) {
    int64_t dim = (*weights)[axis];
    int64_t factor = dim < 0 ? -1 : rule.operands[1][dim];
    return factor < 0 ? std::nullopt : std::optional(factor);
  }
  if (axis >= static_cast<int64_t>(kinds.size()))
    return std::nullopt;
  if (kinds[axis] == ParallelKind::Expert) {
    ArrayRef<int64_t> dims = rule.operands[1];
    bool isStacked = !isa<Conv2dOp>(op) && dims.size() > 2 && dims[0] >= 0;
    return isStacked ? std::optional(dims[0]) : std::nullopt;
  }
  if (kinds[axis] != ParallelKind::Tensor)
    return std::nullopt;
  int64_t columns = rule.results.front().back();
  int64_t has = getSharding(op->getOperand(0))[axis];
  if (has >= 0) {
    int64_t factor = rule.operands[0][has];
    return factor >= 0 && rule.factors[factor] ? std::optional(factor)
                                               : std::nullopt;
  }
  bool isColumn =
      columns >= 0 && ShardingRule::find(rule.operands[1], columns) >= 0;
  return isColumn ? std::optional(columns) : std::nullopt;
}

/// Whether the ops that read a value one after the other, such as reshapes to
/// heads of attention, or a softmax, keep it in `parts` shards of the dimension
/// until something else reads it, too, or adds it up.
static bool staysSharded(Value value, int64_t dim, int64_t parts) {
  constexpr unsigned kMostReaders = 8;
  for (unsigned i = 0; i < kMostReaders && value.hasOneUse(); ++i) {
    OpOperand &use = *value.use_begin();
    if (isa<func::ReturnOp>(use.getOwner()))
      return true; // joined on the host
    std::optional<ShardingRule> rule = getShardingRule(use.getOwner());
    int64_t factor = rule ? rule->operands[use.getOperandNumber()][dim] : -1;
    if (factor < 0)
      return false;
    value = use.getOwner()->getResult(0);
    dim = ShardingRule::find(rule->results.front(), factor);
    if (dim < 0)
      return true;
    if (graph::shapeOf(value)[dim] % parts != 0)
      return false;
  }
  return true;
}

/// Whether it takes longer to gather the columns of a product, of which the
/// chips have `parts` with those of the axis, than to compute them on each chip
/// of the axis.
bool FunctionPartition::isGatherSlower(Operation *op, int64_t axis,
                                       int64_t parts) {
  RankedTensorType result = graph::typeOf(op->getResult(0));
  int64_t chips = mesh[axis], others = parts / chips;
  auto ofOthers = [&](int64_t whole) { // which this chip would not need
    return whole / others * (chips - 1) / chips;
  };
  RankedTensorType weight = graph::typeOf(op->getOperand(1));
  int64_t depth = weight.getNumElements() / result.getShape().back();
  return ofOthers(countBytes(weight)) / kReadPerLink +
             ofOthers(result.getNumElements() * depth) / kProductsPerLink <
         countGatherBytes(chips) + ofOthers(countBytes(result));
}

/// Whether the result of `user` is the sum of its results for addends of the
/// operand, without changes of its other operands.
static bool addsUp(OpOperand &operand) {
  Operation *user = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  if (isa<SumOp, ReshapeOp, SqueezeOp, UnsqueezeOp, PermuteOp, TransposeOp,
          GatherOp>(user))
    return index == 0;
  if (isa<MultiplyOp>(user))
    return cast<DestinationStyleOpInterface>(user).isDpsInput(&operand);
  // A choice between the value and zeros.
  auto dps = dyn_cast<DestinationStyleOpInterface>(user);
  if (!isa<WhereOp>(user) || index == 0 || !dps.isDpsInput(&operand))
    return false;
  auto other = user->getOperand(3 - index).getDefiningOp<ConstantOp>();
  auto elements =
      other ? dyn_cast<DenseElementsAttr>(other.getValue()) : nullptr;
  return elements && elements.isSplat() &&
         isa<FloatType>(elements.getElementType()) &&
         elements.getSplatValue<APFloat>().isPosZero();
}

/// Postpones the reduction of partial sums along axes to the last op behind
/// which fewer bytes are summed, such as the choice of an expert's results.
/// Returns false if there is none.
bool FunctionPartition::postpone(Operation *op, ArrayRef<int64_t> axes) {
  if (dependences.isFixed(op->getResult(0)))
    return false;
  SmallVector<Operation *> chain;
  size_t length = 0;
  int64_t bytes = countBytes(graph::typeOf(op->getResult(0)));
  for (Value value = op->getResult(0);
       value.hasOneUse() && addsUp(*value.use_begin()) &&
       !postponed.count(*value.user_begin());
       value = chain.back()->getResult(0)) {
    chain.push_back(*value.user_begin());
    if (countBytes(graph::typeOf(chain.back()->getResult(0))) < bytes)
      length = chain.size();
  }
  for (Operation *user : ArrayRef(chain).take_front(length))
    postponed[user] = {SmallVector<int64_t, 2>(axes),
                       user == chain[length - 1]};
  return length != 0;
}

FunctionPartition::Assignment
FunctionPartition::choose(Operation *op, const ShardingRule &rule) {
  Assignment assignment(mesh.size(), -1);
  for (int64_t axis = 0, end = mesh.size(); axis != end; ++axis) {
    // The chips have partial sums, of which all parts are needed.
    auto found = postponed.find(op);
    if (mesh[axis] == 1 || (found != postponed.end() &&
                            llvm::is_contained(found->second.axes, axis)))
      continue;
    auto getParts = [&](int64_t factor) {
      int64_t parts = mesh[axis];
      for (auto [other, taken] : llvm::enumerate(assignment))
        parts *= taken == factor ? mesh[other] : 1;
      return parts;
    };
    auto isPossible = [&](int64_t factor) {
      return divides(op, rule, factor, getParts(factor));
    };
    if (std::optional<int64_t> preferred = getPreferred(op, rule, axis);
        preferred && isPossible(*preferred)) {
      int64_t last = rule.results.front().size() - 1;
      bool isColumn = rule.results.front()[last] == *preferred &&
                      !getStated(op->getOperand(1));
      int64_t parts = getParts(*preferred);
      if (!isColumn || staysSharded(op->getResult(0), last, parts) ||
          !isGatherSlower(op, axis, parts))
        assignment[axis] = *preferred;
      continue;
    }
    bool bestAligned = false;
    int64_t best = getCost(op, rule, -1, axis, bestAligned);
    for (int64_t factor = 0, count = rule.factors.size(); factor != count;
         ++factor) {
      bool isAligned = false;
      int64_t cost = getCost(op, rule, factor, axis, isAligned);
      // If no input has this sharding already, dividing gains nothing.
      if (!isAligned || !isPossible(factor))
        continue;
      if (cost < best || (cost == best && !bestAligned)) {
        best = cost;
        bestAligned = true;
        assignment[axis] = factor;
      }
    }
  }
  return assignment;
}

Sharding FunctionPartition::getWanted(ArrayRef<int64_t> dims,
                                      ArrayRef<int64_t> assignment) {
  Sharding wanted(whole);
  for (auto [axis, factor] : llvm::enumerate(assignment))
    if (factor >= 0)
      wanted[axis] = ShardingRule::find(dims, factor);
  return wanted;
}

/// Builds the op on parts of its inputs, and returns the reduced part of its
/// result.
Value FunctionPartition::divide(Operation *op, const ShardingRule &rule,
                                ArrayRef<int64_t> assignment) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Sharding sharding = getWanted(rule.results.front(), assignment);
  RankedTensorType local = getLocalType(type, sharding, mesh);
  auto dps = cast<DestinationStyleOpInterface>(op);
  IRMapping parts;
  SmallVector<Value> inputs;
  for (OpOperand *operand : dps.getDpsInputOperands())
    inputs.push_back(
        get(operand->get(),
            getWanted(rule.operands[operand->getOperandNumber()], assignment)));
  graph.setLoc(op->getLoc());
  Value destination = tensor::EmptyOp::create(
      builder, op->getLoc(), local.getShape(), local.getElementType());

  bool isPartial = llvm::any_of(assignment, [&](int64_t factor) {
    return factor >= 0 && rule.factors[factor];
  });
  auto linear = dyn_cast<LinearOp>(op);
  Value made;
  if (linear && linear.getBias() && isPartial) {
    // Otherwise each chip would add the bias.
    ArrayAttr constraints = linear.getOperandConstraints();
    made = MatmulOp::create(
        builder, op->getLoc(), local, inputs[0], inputs[1], destination,
        linear.getTransposeA(), linear.getTransposeB(),
        builder.getArrayAttr({constraints[0], constraints[1], constraints[3]}));
  } else {
    Operation *clone = builder.clone(*op);
    for (auto [operand, input] :
         llvm::zip_equal(dps.getDpsInputOperands(), inputs))
      clone->setOperand(operand->getOperandNumber(), input);
    for (OpOperand &init : dps.getDpsInitsMutable())
      clone->setOperand(init.getOperandNumber(), destination);
    clone->getResult(0).setType(local);
    setLocalExtents(clone);
    made = clone->getResult(0);
  }
  llvm::MapVector<ReduceType, SmallVector<int64_t>> partial;
  for (auto [axis, factor] : llvm::enumerate(assignment))
    if (factor >= 0 && rule.factors[factor])
      partial[*rule.factors[factor]].push_back(axis);
  bool isSum = partial.size() == 1 && partial.front().first == ReduceType::Sum;
  if (!isSum || (linear && linear.getBias()) ||
      !postpone(op, partial.front().second))
    for (auto &[type, axes] : partial)
      made = resharding.reduce(graph, made, type, axes);
  if (linear && linear.getBias() && isPartial)
    made = graph.eltwise("add", {made, inputs[2]});
  ++numSharded;
  return made;
}

/// Builds the op unchanged: each chip computes the same.
void FunctionPartition::keepWhole(Operation *op) {
  bool wasSharded = false;
  auto useWhole = [&](OpOperand &operand) {
    Value value = operand.get();
    if (value.getParentBlock() != &func.getBody().front())
      return;
    wasSharded |= !isWhole(getSharding(value));
    operand.set(get(value, whole));
  };
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      useWhole(operand);
  });
  if (!wasSharded)
    return;
  if (auto remark = kPartitionRemarks.missed(op, "Whole"))
    remark << reason("each chip computes the whole result: {0}",
                     getShardingRule(op)
                         ? "no sharded dimension of its inputs can stay sharded"
                         : "the op has no sharding rule");
}

void FunctionPartition::visit(Operation *op) {
  builder.setInsertionPoint(op);
  graph.setLoc(op->getLoc());
  std::optional<ShardingRule> rule = getShardingRule(op);
  Assignment assignment =
      rule ? choose(op, *rule) : Assignment(mesh.size(), -1);
  auto later = postponed.find(op);
  bool reduces = later != postponed.end() && later->second.isLast;
  if (isWhole(assignment)) {
    keepWhole(op);
    if (!reduces)
      return;
  }
  Value made =
      isWhole(assignment) ? op->getResult(0) : divide(op, *rule, assignment);
  if (reduces) {
    builder.setInsertionPointAfterValue(made);
    made = resharding.reduce(graph, made, ReduceType::Sum, later->second.axes);
  }
  forms[op->getResult(0)].push_back(
      {rule ? getWanted(rule->results.front(), assignment) : whole, made});
}

void FunctionPartition::run() {
  Block &body = func.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body)
    ops.push_back(&op);
  for (Operation *op : ops) {
    if (auto end = dyn_cast<func::ReturnOp>(op)) {
      joinResults(end);
      continue;
    }
    // Values of only parameters and constants are built at their first use.
    bool isLazy = op->getNumResults() != 0 &&
                  llvm::all_of(op->getResults(), [&](Value result) {
                    return dependences.isFixed(result);
                  });
    if (!isLazy)
      visit(op);
  }
  // Erases forms without users, and the original ops.
  DenseSet<Operation *> places;
  for (auto &[argument, shard] : keptShards)
    places.insert(shard.getDefiningOp());
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op) && !places.contains(&op))
      op.erase();
  keepShards();
  for (unsigned i = 0, end = func.getNumArguments(); i != end; ++i)
    func.removeArgAttr(i, kShardDimsAttr);
}

void FunctionPartition::reportCollective(Operation *made) {
  if (isa<MeshPartitionOp>(made))
    return;
  ++numCollectives;
  if (auto remark = kPartitionRemarks.passed(made, "Sends")) {
    auto type = cast<RankedTensorType>(made->getResult(0).getType());
    remark << reason(
        "{0} makes {1} on each chip: {2}", made->getName().stripDialect(), type,
        isa<AllReduceOp>(made)   ? "the chips have partial results"
        : isa<AllGatherOp>(made) ? "a user needs the whole dimension"
                                 : "a user shards another dimension");
  }
}

} // namespace mlir::tt::ttir
