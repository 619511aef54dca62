#include "dialects/TT/Remarks.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTNN/TTNN.h"
#include "dialects/TTNN/Transforms/Destinations.h"
#include "dialects/TTNN/Transforms/Passes.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttnn {

#define GEN_PASS_DEF_TTNNCCLACTIVATIONDTYPELOWERING
#include "dialects/TTNN/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kDtypeRemarks("ttnn-ccl-activation-dtype-lowering");

/// Whether chips send tensors to each other. (`ttnn.mesh_partition` slices the
/// tensor of a chip, `ttnn.mesh_shard` works on the host.)
bool isCollective(Operation *op) {
  return isa<AllGatherOp, AllReduceOp, AllToAllOp, CollectiveBroadcastOp,
             CollectivePermuteOp, ReduceScatterOp>(op);
}

/// Whether an op only moves the elements of its first operand.
bool isView(Operation *op) {
  return isa<MeshPartitionOp, ReshapeOp, SliceOp, ToDeviceOp, ToLayoutOp,
             ToMemoryConfigOp>(op);
}

bool isProduct(Operation *op) { return isa<MatmulOp, LinearOp>(op); }

StringRef nameOf(Operation *op) { return op->getName().getStringRef(); }

/// The format of a tensor's elements in memory.
std::optional<DataType> getFormat(Value value) {
  return getStoredFormat(cast<RankedTensorType>(value.getType()));
}

/// Block floats exist in tiles of 32x32 on the device only.
bool hasTilesOnDevice(Value value) {
  tt::LayoutAttr layout = getLayoutOf(value.getType());
  if (!layout || layout.isSystemMemorySpace())
    return false;
  auto tile = dyn_cast<TileType>(layout.getElementType());
  return tile && tile.getHeight() == 32 && tile.getWidth() == 32;
}

/// A tensor from the op that computes it, through ops that only move it, to the
/// op that computes with it.
struct Chain {
  /// The result of the first op, then of each that moves it.
  SmallVector<OpResult, 4> values;
  unsigned numCollectives = 0;
  bool hasSilu = false;
  /// The only use of the last value; null if `problem` says why there is none.
  OpOperand *end = nullptr;
  std::string problem;
  bool isLowered = false;

  Operation *source() const { return values.front().getOwner(); }
};

/// The chains of a module and which of them become block floats. All of it is
/// decided before the first type changes. Every op is in one chain at most, so
/// the work is linear in the size of the module.
class Chains {
public:
  Chains(ModuleOp module, bool lowerF32) : lowerF32(lowerF32) {
    module.walk([&](Operation *op) {
      if (isProduct(op))
        trace(op->getResult(0), /*throughSilu=*/true);
    });
    // Chains that meet at a product refer to those.
    size_t numProducts = chains.size();
    for (size_t i = 0; i < numProducts; ++i)
      if (chains[i].end && isa<AddOp>(chains[i].end->getOwner()))
        decideProjection(chains[i]);
    for (size_t i = 0; i < numProducts; ++i)
      decideOther(i);
  }

  ArrayRef<Chain> get() const { return chains; }

  /// Null if no chain goes through `op`.
  const Chain *find(Operation *op) const {
    auto it = members.find(op);
    return it == members.end() ? nullptr : &chains[it->second];
  }

  /// Why `value` is not lowered: what is wrong with its chain, or why it is in
  /// none.
  StringRef whyNot(Value value) {
    SmallVector<Operation *> path;
    Operation *op = value.getDefiningOp();
    while (op && !find(op) &&
           (isCollective(op) || isView(op) || isa<SiluOp>(op))) {
      // What is in an unreachable block may use itself.
      if (!strays.try_emplace(op, "the tensor comes from itself").second)
        break;
      path.push_back(op);
      op = op->getOperand(0).getDefiningOp();
    }
    auto [it, isNew] = strays.try_emplace(op);
    if (isNew)
      it->second = describeOrigin(op);
    for (Operation *stray : path)
      strays[stray] = strays[op];
    return strays[op];
  }

private:
  std::string describeOrigin(Operation *op) const {
    if (!op)
      return "the tensor is an argument, expected the result of ttnn.matmul or "
             "ttnn.linear";
    if (const Chain *chain = find(op))
      return chain->problem;
    return ("the tensor comes from " + nameOf(op) +
            ", expected ttnn.matmul or ttnn.linear")
        .str();
  }

  //===--------------------------------------------------------------------===//
  // Where a tensor goes
  //===--------------------------------------------------------------------===//

  size_t trace(OpResult value, bool throughSilu) {
    size_t index = chains.size();
    Chain &chain = chains.emplace_back();
    while (true) {
      chain.values.push_back(value);
      members[value.getOwner()] = index;
      chain.problem = findProblem(value);
      OpOperand *use = chain.problem.empty() ? findUse(chain, value) : nullptr;
      if (!use)
        return index;
      Operation *user = use->getOwner();
      bool isSilu = isa<SiluOp>(user);
      if (use->getOperandNumber() != 0 ||
          !(isCollective(user) || isView(user) || (throughSilu && isSilu))) {
        chain.end = use;
        return index;
      }
      chain.numCollectives += isCollective(user);
      chain.hasSilu |= isSilu;
      value = user->getResult(0);
    }
  }

  /// The only op that reads `value`. What frees it does not.
  static OpOperand *findUse(Chain &chain, OpResult value) {
    OpOperand *found = nullptr;
    unsigned numUses = 0;
    for (OpOperand &use : value.getUses()) {
      if (isa<DeallocOp>(use.getOwner()))
        continue;
      found = &use;
      ++numUses;
    }
    if (numUses == 1)
      return found;
    chain.problem = ("the result of " + nameOf(value.getOwner()) + " has " +
                     Twine(numUses) + " uses, expected 1")
                        .str();
    return nullptr;
  }

  /// Why a tensor cannot become block floats, for any reader; empty if it can.
  std::string findProblem(OpResult value) const {
    StringRef name = nameOf(value.getOwner());
    if (!hasTilesOnDevice(value))
      return ("the result of " + name +
              " is not in tiles of 32x32 on the device")
          .str();
    DataType format = *getFormat(value);
    if (format != DataType::BFloat16 &&
        !(lowerF32 && format == DataType::Float32))
      return ("the result of " + name + " is " + stringifyEnum(format) +
              ", expected bf16" +
              (lowerF32                      ? " or f32"
               : format == DataType::Float32 ? " (f32 only with lower-f32)"
                                             : ""))
          .str();
    if (isa<DestinationStyleOpInterface>(value.getOwner()) &&
        !getOwnDestination(value))
      return ("the destination of " + name + " is not a ttnn.empty of its own")
          .str();
    return "";
  }

  static bool isDestination(OpOperand &use) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return op && op.isDpsInit(&use);
  }

  //===--------------------------------------------------------------------===//
  // Which chains are lowered
  //===--------------------------------------------------------------------===//

  /// matmul -> [view | collective]* -> add, with a collective.
  void decideProjection(Chain &chain) {
    chain.problem = findProjectionProblem(chain);
    chain.isLowered = chain.problem.empty();
  }

  static std::string findProjectionProblem(const Chain &chain) {
    if (!chain.problem.empty())
      return chain.problem;
    StringRef source = nameOf(chain.source());
    auto add = dyn_cast<AddOp>(chain.end->getOwner());
    if (!add)
      return ("the chain ends in " + nameOf(chain.end->getOwner()) +
              ", expected ttnn.add")
          .str();
    if (isDestination(*chain.end))
      return "the tensor is the destination of ttnn.add";
    if (chain.hasSilu)
      return ("ttnn.silu stands between " + source + " and ttnn.add").str();
    if (chain.numCollectives == 0)
      return ("there is no collective between " + source + " and ttnn.add")
          .str();
    for (Value other : add.getInputs()) {
      std::optional<DataType> format = getFormat(other);
      if (format != DataType::BFloat16 && format != DataType::Float32)
        return ("the other operand of ttnn.add is " +
                (format ? stringifyEnum(*format) : StringRef("no number")) +
                ", expected bf16 or f32")
            .str();
    }
    return "";
  }

  void decideOther(size_t index) {
    if (!chains[index].end || !chains[index].problem.empty())
      return;
    Operation *user = chains[index].end->getOwner();
    if (isa<AddOp>(user))
      return;
    if (auto multiply = dyn_cast<MultiplyOp>(user);
        multiply && !isDestination(*chains[index].end)) {
      if (!chains[index].isLowered)
        decideGate(multiply);
      return;
    }
    chains[index].problem =
        ("the chain ends in " + nameOf(user) +
         ", expected ttnn.add, or ttnn.multiply in front of a matmul or linear")
            .str();
  }

  /// Both operands of a multiply and its result, or none of them:
  ///
  ///     matmul -> [view | collective | silu]* -> multiply
  ///            -> [view | collective]* -> activations of a projection
  void decideGate(MultiplyOp multiply) {
    std::optional<size_t> sides[2];
    for (unsigned i = 0; i < 2; ++i) {
      OpOperand &operand = multiply->getOpOperand(i);
      auto it = members.find(operand.get().getDefiningOp());
      if (it != members.end() && chains[it->second].end == &operand)
        sides[i] = it->second;
    }
    size_t tail = trace(multiply->getResult(0), /*throughSilu=*/false);
    std::string tailProblem = findTailProblem(chains[tail]);

    if (sides[0] && sides[1] && tailProblem.empty()) {
      for (size_t chain : {*sides[0], *sides[1], tail})
        chains[chain].isLowered = true;
      return;
    }
    for (unsigned i = 0; i < 2; ++i) {
      if (sides[i])
        continue;
      std::string mismatch = " operand of ttnn.multiply did not match: " +
                             whyNot(multiply->getOperand(i)).str();
      if (sides[1 - i])
        chains[*sides[1 - i]].problem = "the other" + mismatch;
      if (tailProblem.empty())
        tailProblem = "one" + mismatch;
    }
    chains[tail].problem = tailProblem;
    for (std::optional<size_t> side : sides)
      if (side && chains[*side].problem.empty())
        chains[*side].problem = tailProblem;
  }

  /// Why the product after a multiply does not read block floats.
  std::string findTailProblem(const Chain &tail) const {
    if (!tail.problem.empty())
      return tail.problem;
    Operation *user = tail.end->getOwner();
    std::string which = (nameOf(user) + " behind ttnn.multiply").str();
    if (!isProduct(user))
      return "the chain behind ttnn.multiply ends in " + nameOf(user).str() +
             ", expected ttnn.matmul or ttnn.linear";
    if (tail.end->getOperandNumber() != 0)
      return "the tensor is operand " +
             std::to_string(tail.end->getOperandNumber()) + " of the " + which +
             ", expected operand 0, the activations";
    const Chain &next = *find(user);
    if (next.isLowered)
      return "";
    return "the " + which + " did not match: " + findProjectionProblem(next);
  }

  bool lowerF32;
  std::vector<Chain> chains;
  /// The chain by its ops, from the product on, without the op at its end.
  llvm::DenseMap<Operation *, size_t> members;
  /// Why ops that are in no chain are not lowered.
  llvm::DenseMap<Operation *, std::string> strays;
};

class TTNNCCLActivationDtypeLowering
    : public impl::TTNNCCLActivationDtypeLoweringBase<
          TTNNCCLActivationDtypeLowering> {
public:
  using impl::TTNNCCLActivationDtypeLoweringBase<
      TTNNCCLActivationDtypeLowering>::TTNNCCLActivationDtypeLoweringBase;

  void runOnOperation() final {
    Chains chains(getOperation(), lowerF32);
    getOperation().walk([&](Operation *op) {
      if (isCollective(op))
        report(chains, op);
    });
    for (const Chain &chain : chains.get())
      if (chain.isLowered)
        for (OpResult value : chain.values)
          setStoredFormat(value, DataType::BFP_BFloat8);
  }

private:
  void report(Chains &chains, Operation *op) {
    const Chain *chain = chains.find(op);
    if (chain && chain->isLowered) {
      ++numLowered;
      if (auto remark = kDtypeRemarks.passed(op, "Lowered"))
        remark << reason("{0} becomes bfp_bf8",
                         stringifyEnum(*getFormat(op->getResult(0))));
      return;
    }
    ++numNotLowered;
    if (auto remark = kDtypeRemarks.missed(op, "NotLowered"))
      remark << reason("{0}", chains.whyNot(op->getResult(0)));
  }
};

} // namespace
} // namespace mlir::tt::ttnn
