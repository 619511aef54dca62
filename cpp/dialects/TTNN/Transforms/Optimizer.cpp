#include "dialects/TT/Mesh.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTNN/TTNN.h"
#include "dialects/TTNN/Transforms/Destinations.h"
#include "dialects/TTNN/Transforms/OpCosts.h"
#include "dialects/TTNN/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace mlir::tt::ttnn {

#define GEN_PASS_DEF_TTNNOPTIMIZER
#include "dialects/TTNN/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kPlacementRemarks("ttnn-optimizer");

/// Of the L1 that the system leaves to tensors; the rest is for the circular
/// buffers of the op that runs.
constexpr double kShareOfTensors = 0.7;

/// A layout must save more than this share of the time to be worth it.
constexpr double kLeastGain = 0.01;

/// Shardings on fewer than this part of the cores of another one are not tried.
/// An eighth would leave out one row of the cores of a p150, on which a norm of
/// 32 rows is fastest.
constexpr int64_t kLeastCores = 16;

/// The layouts of a result; all but the first are in L1.
enum class Kind { Dram, Interleaved, Height, Block, Width };

bool isInL1(Type type) {
  tt::LayoutAttr layout = getLayoutOf(type);
  return layout && layout.getMemorySpace() == MemorySpace::DeviceL1;
}

/// Collectives that read and write tensors of any layout on the device, and
/// make their results themselves.
bool isCollective(Operation *op) {
  return isa<AllGatherOp, AllReduceOp, ReduceScatterOp>(op);
}

bool isNorm(Operation *op) { return isa<LayerNormOp, RMSNormOp>(op); }

/// Elementwise ops: the result may take the place of an input.
bool isElementwise(Operation *op) {
  return op->getNumResults() == 1 && !isNorm(op) &&
         op->getName().hasTrait<OpTrait::AttrSizedOperandSegments>() &&
         op->getName().hasTrait<OpTrait::VariadicResults>() &&
         isa<DestinationStyleOpInterface>(op);
}

/// The inputs that the op reads on the cores that have them if these are those
/// of its result: elementwise ops, those that work on rows, and views.
SmallVector<Value> getAlignedInputs(Operation *op) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps)
    return {};
  if (isElementwise(op))
    return llvm::map_to_vector(
        dps.getDpsInputOperands(),
        [](OpOperand *operand) { return operand->get(); });
  if (isNorm(op) || isa<SoftmaxOp, ReshapeOp, RotaryEmbeddingOp>(op))
    return {op->getOperand(0)};
  return {};
}

/// A result that may be placed.
struct Tensor {
  OpResult value;
  EmptyOp destination; // null if the op makes the tensor
  /// Ops of the block, by index: those that allocate it, write it, and read it
  /// last.
  unsigned allocated, begin, end;
  RankedTensorType inDram;
  Kind kind = Kind::Dram;
  /// Inputs that the op reads last, of which the result may take the place.
  SmallVector<unsigned, 2> replaced;
};

/// The tensors of a block and what it costs to have them somewhere.
class Placement {
public:
  Placement(Block &block, OpCosts &costs, DeviceAttr device, uint64_t room,
            ArrayRef<std::string> fixedNames)
      : block(block), costs(costs), device(device), grid(getChipGrid(device)),
        room(room), fixedNames(fixedNames) {
    for (Operation &op : block)
      indices.try_emplace(&op, indices.size());
    usage.resize(indices.size());
    for (BlockArgument argument : block.getArguments())
      if (isInL1(argument.getType()))
        for (uint64_t &bytes : usage)
          bytes += bytesOf(cast<RankedTensorType>(argument.getType()));
    for (Operation &op : block)
      for (OpResult result : op.getResults())
        visit(result);
    alignRows();
    findGroups();
  }

  /// Chooses a layout for each group, then for each remaining tensor. Groups
  /// start sharded, so that each is compared with neighbors in L1. The largest
  /// one, such as the residual stream of a transformer, is compared when its
  /// neighbors have their layouts, and these again with it.
  void choose() {
    for (ArrayRef<unsigned> group : groups)
      begin(group);
    auto largest = llvm::max_element(groups, [](const auto &a, const auto &b) {
      return a.size() < b.size();
    });
    for (auto group = groups.begin(); group != groups.end(); ++group)
      if (group != largest)
        improve(*group, /*isLast=*/false);
    if (largest != groups.end())
      improve(*largest);
    for (auto group = groups.begin(); group != groups.end(); ++group)
      if (group != largest && tensors[group->front()].kind != Kind::Dram)
        improve(*group);
    for (unsigned i = 0; i < tensors.size(); ++i)
      if (tensors[i].kind == Kind::Dram) {
        begin(i);
        improve(i);
      }
  }

  /// Gives results their types; returns how many are in L1 and how many of them
  /// take the place of an input.
  std::pair<unsigned, unsigned> apply();

private:
  void visit(OpResult result);
  void alignRows();
  void findGroups();
  void begin(ArrayRef<unsigned> group);
  /// Unless it is the last time, a remark explains only why the group stays in
  /// DRAM.
  void improve(ArrayRef<unsigned> group, bool isLast = true);
  /// The ops that write and read the tensors of a group.
  SmallVector<Operation *> getNeighbors(ArrayRef<unsigned> group) const;
  /// The possible L1 layouts of the group, those on most cores first.
  SmallVector<Kind> getCandidates(ArrayRef<unsigned> group) const;
  /// Whether a reshape relates the group to a tensor in DRAM.
  bool hasViewInDram(ArrayRef<Operation *> neighbors) const;
  /// Gives all tensors of the group a layout; returns whether there is room.
  bool assign(ArrayRef<unsigned> group, Kind kind);

  RankedTensorType getType(const Tensor &tensor, Kind kind) const;
  RankedTensorType getType(const Tensor &tensor) const {
    return getType(tensor, tensor.kind);
  }
  Type typeOf(Value value) const {
    auto found = numbers.find(value);
    return found == numbers.end() ? value.getType()
                                  : Type(getType(tensors[found->second]));
  }
  /// The input of which the tensor takes the place; nothing if it takes none.
  std::optional<unsigned> getReplaced(const Tensor &tensor) const;

  double timeOf(Operation *op);
  /// The total time, or any value of at least `limit` if it reaches that.
  double timeOf(ArrayRef<Operation *> ops,
                double limit = std::numeric_limits<double>::infinity()) {
    double sum = 0;
    for (Operation *op : ops) {
      sum += timeOf(op);
      if (sum >= limit)
        break;
    }
    return sum;
  }

  /// Adds the bytes of tensors to what is used while they live, or takes them
  /// away.
  void use(ArrayRef<unsigned> group, bool isAdded);
  bool fits(ArrayRef<unsigned> group) const;
  uint64_t bytesOf(RankedTensorType type) const {
    return device.getTensorSizeBytes(type, MemorySpace::DeviceL1);
  }

  void report(ArrayRef<unsigned> group, StringRef problem) const;
  void report(ArrayRef<unsigned> group, double cycles, Kind other,
              double otherCycles) const;

  Block &block;
  OpCosts &costs;
  DeviceAttr device;
  SmallVector<int64_t> grid;
  uint64_t room;
  ArrayRef<std::string> fixedNames;
  llvm::MapVector<Operation *, unsigned> indices;
  /// Bytes of L1 of a core in which tensors are while an op runs.
  SmallVector<uint64_t> usage;
  SmallVector<Tensor> tensors;
  llvm::DenseMap<Value, unsigned> numbers;
  SmallVector<SmallVector<unsigned>> groups;
};

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void Placement::visit(OpResult result) {
  Operation *op = result.getOwner();
  auto type = dyn_cast<RankedTensorType>(result.getType());
  tt::LayoutAttr layout = type ? getLayoutOf(type) : nullptr;
  if (!layout || layout.isSystemMemorySpace())
    return;
  unsigned begin = indices.lookup(op), end = begin;
  bool isKept = false;
  for (OpOperand &operand : result.getUses()) {
    Operation *user = block.findAncestorOpInBlock(*operand.getOwner());
    end = std::max(end, indices.lookup(user));
    auto dps = dyn_cast<DestinationStyleOpInterface>(user);
    // What leaves the function, or is written again, stays where it is.
    isKept |= user != operand.getOwner() ||
              !isa<TTNNDialect>(user->getDialect()) ||
              (isa<CollectiveOpInterface>(user) && !isCollective(user)) ||
              (dps && dps.isDpsInit(&operand));
  }
  // Results are the tensors of destinations, which count up to the op.
  EmptyOp destination = getOwnDestination(result);
  if (isInL1(type))
    for (unsigned i = isa<DestinationStyleOpInterface>(op) ? begin + 1 : begin;
         i <= end; ++i)
      usage[i] += bytesOf(type);
  bool isMovable =
      destination ? !destination->hasAttr("ttnn.zeros") : isCollective(op);
  if (isKept || !isMovable || isNamed(op, fixedNames) ||
      layout.getMemorySpace() != MemorySpace::DeviceDRAM ||
      layout.getMemLayout() != tt::TensorMemoryLayout::Interleaved ||
      !isa<TileType>(layout.getElementType()) || type.getNumElements() == 0)
    return;
  numbers[result] = tensors.size();
  tensors.push_back({result,
                     destination,
                     destination ? indices.lookup(destination) : begin,
                     begin,
                     end,
                     type,
                     Kind::Dram,
                     {}});
}

/// The type with each matrix of the two innermost dimensions in tiles of its
/// own; null if it has them already, or if these would be emptier by more than
/// a fifth.
static RankedTensorType withAlignedRows(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  int64_t rank = shape.size();
  if (rank < 3)
    return {};
  tt::LayoutAttr layout = getLayoutOf(type);
  auto tile = cast<TileType>(layout.getElementType());
  int64_t rows = shape[rank - 2];
  int64_t padded = llvm::alignTo(rows, tile.getHeight());
  bool isOne = llvm::all_of(shape.drop_back(2),
                            [](int64_t extent) { return extent == 1; });
  if (isOne || rows == padded || rows * 5 < padded * 4 ||
      layout.getGrid().getRank() != 2)
    return {};
  return RankedTensorType::get(
      shape, type.getElementType(),
      getTilePaddedLayout(type, layout.getMemorySpace(), layout.getGrid(), tile,
                          layout.getMemLayout(), layout.getOobVal()));
}

/// Sequences whose length no tile divides get tiles of their own if that is
/// faster: then heads are moved tile by tile.
void Placement::alignRows() {
  SmallVector<std::pair<Tensor *, RankedTensorType>> changed;
  llvm::SmallSetVector<Operation *, 16> neighbors;
  for (Tensor &tensor : tensors) {
    RankedTensorType aligned = withAlignedRows(tensor.inDram);
    if (!aligned)
      continue;
    changed.push_back({&tensor, aligned});
    neighbors.insert(tensor.value.getOwner());
    for (Operation *user : tensor.value.getUsers())
      neighbors.insert(user);
  }
  // Other ops process a matrix of all rows, whose tiles have less padding
  // without the change.
  if (llvm::none_of(neighbors, [](Operation *op) {
        return isa<ConcatenateHeadsOp, PermuteOp, RotaryEmbeddingOp,
                   ScaledDotProductAttentionOp,
                   SplitQueryKeyValueAndSplitHeadsOp, TransposeOp>(op);
      }))
    return;
  double before = timeOf(neighbors.getArrayRef());
  for (auto &[tensor, type] : changed)
    std::swap(tensor->inDram, type);
  double after = timeOf(neighbors.getArrayRef());
  if (after < before * (1 - kLeastGain))
    return;
  for (auto &[tensor, type] : changed)
    std::swap(tensor->inDram, type);
}

void Placement::findGroups() {
  llvm::EquivalenceClasses<unsigned> classes;
  auto matrixOf = [](RankedTensorType type) {
    return getLayoutOf(type).getPhysicalShape(type.getShape());
  };
  for (auto [number, tensor] : llvm::enumerate(tensors)) {
    classes.insert(number);
    Operation *op = tensor.value.getOwner();
    for (Value value : getAlignedInputs(op)) {
      auto found = numbers.find(value);
      if (found == numbers.end())
        continue;
      Tensor &input = tensors[found->second];
      if (matrixOf(input.inDram) != matrixOf(tensor.inDram))
        continue;
      classes.unionSets(number, found->second);
      if (isElementwise(op) && input.end == tensor.begin &&
          input.inDram == tensor.inDram)
        tensor.replaced.push_back(found->second);
    }
  }
  llvm::MapVector<unsigned, SmallVector<unsigned>> byLeader;
  for (unsigned number = 0; number < tensors.size(); ++number)
    byLeader[classes.getLeaderValue(number)].push_back(number);
  for (auto &[leader, members] : byLeader)
    groups.push_back(std::move(members));
}

RankedTensorType Placement::getType(const Tensor &tensor, Kind kind) const {
  RankedTensorType type = tensor.inDram;
  if (kind == Kind::Dram)
    return type;
  tt::LayoutAttr layout =
      getLayoutOf(type).withMemorySpace(MemorySpace::DeviceL1);
  if (kind == Kind::Interleaved)
    return RankedTensorType::get(type.getShape(), type.getElementType(),
                                 layout);
  // Tiles, dealt evenly to as many cores as there are.
  constexpr int64_t kTile = 32;
  SmallVector<int64_t> matrix = layout.getPhysicalShape(type.getShape());
  auto shardsOf = [&](int64_t extent, int64_t cores) {
    int64_t tiles = llvm::divideCeil(extent, kTile);
    return llvm::divideCeil(tiles, llvm::divideCeil(tiles, cores));
  };
  int64_t cores = grid[0] * grid[1];
  int64_t shards[] = {1, 1};
  auto memory = tt::TensorMemoryLayout::BlockSharded;
  if (kind == Kind::Height) {
    memory = tt::TensorMemoryLayout::HeightSharded;
    shards[0] = shardsOf(matrix[0], cores);
  } else if (kind == Kind::Width) {
    memory = tt::TensorMemoryLayout::WidthSharded;
    shards[1] = shardsOf(matrix[1], cores);
  } else {
    shards[0] = shardsOf(matrix[0], grid[0]);
    shards[1] = shardsOf(matrix[1], grid[1]);
  }
  layout = layout.withMemoryLayout(memory).withGrid(
      type, GridAttr::get(type.getContext(), shards));
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

std::optional<unsigned> Placement::getReplaced(const Tensor &tensor) const {
  if (tensor.kind == Kind::Dram || !tensor.destination)
    return std::nullopt;
  // Calls write over an input if all lie alike.
  RankedTensorType type = getType(tensor);
  auto dps = cast<DestinationStyleOpInterface>(tensor.value.getOwner());
  for (OpOperand *operand : dps.getDpsInputOperands())
    if (typeOf(operand->get()) != type)
      return std::nullopt;
  return tensor.replaced.empty() ? std::nullopt
                                 : std::optional(tensor.replaced.front());
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

double Placement::timeOf(Operation *op) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps || op->getNumResults() == 0)
    return 0; // the same wherever its operands are
  SmallVector<Type> operands;
  for (OpOperand &operand : op->getOpOperands())
    if (!dps.isDpsInit(&operand))
      operands.push_back(typeOf(operand.get()));
  SmallVector<Type> results;
  for (Value result : op->getResults())
    results.push_back(typeOf(result));
  return costs.get(op, operands, results);
}

void Placement::use(ArrayRef<unsigned> group, bool isAdded) {
  for (unsigned number : group) {
    const Tensor &tensor = tensors[number];
    if (tensor.kind == Kind::Dram)
      continue;
    uint64_t bytes = bytesOf(getType(tensor));
    unsigned begin = getReplaced(tensor) ? tensor.begin + 1 : tensor.allocated;
    for (unsigned i = begin; i <= tensor.end; ++i)
      usage[i] += isAdded ? bytes : -bytes;
  }
}

bool Placement::fits(ArrayRef<unsigned> group) const {
  return llvm::all_of(group, [&](unsigned number) {
    const Tensor &tensor = tensors[number];
    for (unsigned i = tensor.allocated; i <= tensor.end; ++i)
      if (usage[i] > room)
        return false;
    return true;
  });
}

SmallVector<Operation *>
Placement::getNeighbors(ArrayRef<unsigned> group) const {
  llvm::SmallSetVector<Operation *, 16> neighbors;
  for (unsigned number : group) {
    neighbors.insert(tensors[number].value.getOwner());
    for (Operation *user : tensors[number].value.getUsers())
      neighbors.insert(user);
  }
  return neighbors.takeVector();
}

SmallVector<Kind> Placement::getCandidates(ArrayRef<unsigned> group) const {
  bool areMatrices = llvm::all_of(group, [&](unsigned number) {
    return getLayoutOf(tensors[number].inDram).getGrid().getRank() == 2;
  });
  if (!areMatrices)
    return {Kind::Interleaved};
  SmallVector<std::pair<int64_t, Kind>> found;
  int64_t most = 0;
  for (Kind kind : {Kind::Height, Kind::Block, Kind::Width}) {
    int64_t cores = grid[0] * grid[1];
    for (unsigned number : group)
      cores = std::min(
          cores,
          getLayoutOf(getType(tensors[number], kind)).getGrid().getVolume());
    found.push_back({cores, kind});
    most = std::max(most, cores);
  }
  llvm::stable_sort(
      found, [](const auto &a, const auto &b) { return a.first > b.first; });
  SmallVector<Kind> kinds;
  // All shardings on one core are the same.
  for (auto [cores, kind] : found)
    if (kinds.empty() || (most > 1 && cores * kLeastCores >= most))
      kinds.push_back(kind);
  kinds.push_back(Kind::Interleaved);
  return kinds;
}

bool Placement::hasViewInDram(ArrayRef<Operation *> neighbors) const {
  return llvm::any_of(neighbors, [&](Operation *op) {
    return isa<ReshapeOp>(op) && (!isInL1(typeOf(op->getOperand(0))) ||
                                  !isInL1(typeOf(op->getResult(0))));
  });
}

bool Placement::assign(ArrayRef<unsigned> group, Kind kind) {
  // A tensor may take the place of one that is not in the group, and is asked
  // for while that one changes: what follows the group changes with it.
  llvm::SmallSetVector<unsigned, 16> affected(group.begin(), group.end());
  for (unsigned number : group)
    for (Operation *user : tensors[number].value.getUsers())
      for (Value result : user->getResults())
        if (auto found = numbers.find(result); found != numbers.end())
          affected.insert(found->second);
  use(affected.getArrayRef(), /*isAdded=*/false);
  for (unsigned number : group)
    tensors[number].kind = kind;
  use(affected.getArrayRef(), /*isAdded=*/true);
  return fits(affected.getArrayRef());
}

void Placement::begin(ArrayRef<unsigned> group) {
  for (Kind kind : getCandidates(group))
    if (assign(group, kind))
      return;
  assign(group, Kind::Dram);
}

void Placement::improve(ArrayRef<unsigned> group, bool isLast) {
  Kind chosen = tensors[group.front()].kind;
  if (chosen == Kind::Dram)
    return report(group, "it does not fit while it is needed");
  SmallVector<Operation *> neighbors = getNeighbors(group);
  double best = timeOf(neighbors);
  if (!std::isfinite(best)) {
    assign(group, Kind::Dram);
    return report(group, "the clock cannot time the ops that use it");
  }
  Kind second = Kind::Dram;
  double secondBest = std::numeric_limits<double>::infinity();
  Kind first = chosen;
  SmallVector<Kind> kinds = getCandidates(group);
  // Interleaved tensors are never slower in L1 than in DRAM, except that a view
  // of a tensor in DRAM costs nothing there.
  if (hasViewInDram(neighbors))
    kinds.push_back(Kind::Dram);
  // The slowest ops come first, so that few are timed for a slower layout.
  llvm::DenseMap<Operation *, double> times;
  for (Operation *op : neighbors)
    times[op] = timeOf(op);
  llvm::stable_sort(neighbors, [&](Operation *a, Operation *b) {
    return times.lookup(a) > times.lookup(b);
  });
  for (Kind kind : kinds) {
    if (kind == first || !assign(group, kind))
      continue;
    double limit = best * (1 - kLeastGain);
    double cycles = timeOf(neighbors, limit);
    bool isBetter = cycles < limit;
    double other = isBetter ? best : cycles;
    if (other < secondBest) {
      secondBest = other;
      second = isBetter ? chosen : kind;
    }
    if (isBetter) {
      best = cycles;
      chosen = kind;
    }
  }
  assign(group, chosen);
  if (chosen == Kind::Dram)
    return report(group, "it is a view of a tensor there, or has one");
  if (isLast)
    report(group, best, second, secondBest);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void Placement::report(ArrayRef<unsigned> group, StringRef problem) const {
  for (unsigned number : group)
    if (auto remark = kPlacementRemarks.missed(tensors[number].value.getOwner(),
                                               "NotPlaced"))
      remark << reason("the result stays in dram: {0}{1}", problem,
                       costs.reachedLimit() ? "; clock-search-limit is reached"
                                            : "");
}

void Placement::report(ArrayRef<unsigned> group, double cycles, Kind other,
                       double otherCycles) const {
  for (unsigned number : group) {
    const Tensor &tensor = tensors[number];
    auto remark = kPlacementRemarks.passed(tensor.value.getOwner(), "Placed");
    if (!remark)
      continue;
    remark << reason("the result goes to {0}: the ops that write and read "
                     "the {1} tensors of its group take {2:F0} cycles",
                     describe(getLayoutOf(getType(tensor))), group.size(),
                     cycles);
    if (std::isfinite(otherCycles))
      remark << rejected("{0}: at least {1:F0} cycles",
                         describe(getLayoutOf(getType(tensor, other))),
                         otherCycles);
  }
}

std::pair<unsigned, unsigned> Placement::apply() {
  unsigned placed = 0, inPlace = 0;
  SmallVector<std::pair<Tensor *, Value>> replacements;
  for (Tensor &tensor : tensors) {
    RankedTensorType type = getType(tensor);
    if (type == tensor.value.getType())
      continue;
    setResultType(tensor.value, tensor.destination, type);
    if (tensor.kind == Kind::Dram)
      continue;
    ++placed;
    if (std::optional<unsigned> number = getReplaced(tensor))
      replacements.push_back({&tensor, tensors[*number].value});
  }
  for (auto [tensor, value] : replacements) {
    auto dps = cast<DestinationStyleOpInterface>(tensor->value.getOwner());
    dps.getTiedOpOperand(tensor->value)->set(value);
    tensor->destination->erase();
    ++inPlace;
  }
  return {placed, inPlace};
}

class TTNNOptimizer : public impl::TTNNOptimizerBase<TTNNOptimizer> {
public:
  using impl::TTNNOptimizerBase<TTNNOptimizer>::TTNNOptimizerBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    FailureOr<std::unique_ptr<OpCosts>> costs =
        OpCosts::create(module, getArgument(), clockSearchLimit);
    if (failed(costs))
      return signalPassFailure();
    if (!*costs)
      return;
    uint64_t usable = std::numeric_limits<uint64_t>::max();
    DeviceAttr device = (*costs)->getDevice();
    for (unsigned chip : device.getChipIds()) {
      ChipDescAttr desc = (*costs)->getSystem().getChipDesc(chip);
      usable = std::min<uint64_t>(usable, desc.getUsableL1Size());
    }
    for (func::FuncOp func : module.getOps<func::FuncOp>()) {
      // What the parts of control flow and functions that are called once have
      // in L1 would come on top of what their caller has.
      if (func.isDeclaration() || func->hasAttr(kPartAttr) ||
          func->hasAttr(LoadCachedOp::kFunctionAttr))
        continue;
      for (Block &block : func.getBody()) {
        Placement placement(block, **costs, device,
                            uint64_t(kShareOfTensors * double(usable)),
                            fixedNames);
        placement.choose();
        auto [placed, inPlace] = placement.apply();
        numPlaced += placed;
        numInPlace += inPlace;
      }
    }
    numTimed += (*costs)->getNumTimed();
  }
};

} // namespace
} // namespace mlir::tt::ttnn
