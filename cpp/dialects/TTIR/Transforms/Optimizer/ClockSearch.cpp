#include "dialects/TTIR/Transforms/Optimizer/ClockSearch.h"

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace mlir::tt::ttir {

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static bool isInDram(LayoutAttr layout) {
  return layout.getMemorySpace() == MemorySpace::DeviceDRAM;
}

/// The layouts of an op that are compared: of each kind of shards those on the
/// most cores, in the order of the rules, and the default in DRAM.
static SmallVector<LayoutAttr> selectLayouts(const LegalLayouts &legal) {
  constexpr size_t kPerKind = 2;
  SmallVector<LayoutAttr> layouts;
  llvm::SmallDenseMap<TensorMemoryLayout, size_t> perKind;
  for (LayoutAttr layout : legal.sharded)
    if (perKind[layout.getMemLayout()]++ < kPerKind)
      layouts.push_back(layout);
  // An override may have left none but sharded ones.
  if (isInDram(legal.layouts.front()))
    layouts.push_back(legal.layouts.front());
  return layouts;
}

ClockSearch::Candidate ClockSearch::getCandidate(Operation *op,
                                                 LayoutAttr layout) const {
  auto current = cast<RankedTensorType>(op->getResult(0).getType());
  auto type = RankedTensorType::get(current.getShape(),
                                    legal.lookup(op)->elementType, layout);
  bool inL1 = layout.getMemorySpace() == MemorySpace::DeviceL1;
  return {type,
          inL1 ? device.getTensorSizeBytes(type, MemorySpace::DeviceL1) : 0};
}

Type ClockSearch::getTypeOf(Value value) const {
  auto result = dyn_cast<OpResult>(value);
  const LegalLayouts *layouts = result && result.getResultNumber() == 0
                                    ? legal.lookup(result.getOwner())
                                    : nullptr;
  if (!layouts)
    return value.getType();
  LayoutAttr layout = chosen.lookup(result.getOwner());
  return getCandidate(result.getOwner(),
                      layout ? layout : layouts->layouts.front())
      .type;
}

SmallVector<ClockSearch::Step> ClockSearch::getSteps(const ShardChain &chain) {
  SmallVector<Step> steps;
  auto add = [&](Operation *op, Value open, ArrayRef<LayoutAttr> layouts) {
    auto operands = llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return getTypeOf(operand); });
    Step &step = steps.emplace_back();
    step.op = timer.get(op, open, operands);
    for (LayoutAttr layout : layouts)
      step.candidates.push_back(getCandidate(op, layout));
  };

  Value open;
  for (OpOperand *operand : chain.resharded)
    if (reshards && operand->getOwner() == chain.ops.front() &&
        getLayoutOf(operand->get().getType()))
      open = operand->get();
  for (Operation *op : chain.ops) {
    add(op, open, selectLayouts(*legal.lookup(op)));
    open = op->getResult(0);
  }
  Operation *reader = *open.user_begin();
  const LegalLayouts *layouts = legal.lookup(reader);
  if (layouts && isa<TTIROp>(reader) && !isa<CollectiveOpInterface>(reader) &&
      reader->getNumResults() == 1)
    add(reader, open, layouts->layouts.front());
  return steps;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

double ClockSearch::timeFirst(const Step &step, const Candidate &result) {
  if (!step.op.open)
    return timer.time(step.op, {}, result.type);
  auto input = cast<RankedTensorType>(getTypeOf(step.op.open));
  RankedTensorType read = input;
  auto layout = cast<LayoutAttr>(result.type.getEncoding());
  if (isShardedInL1(layout)) {
    read = withLayout(input, shardLike(input, layout));
    if (!budget.fits(device.getTensorSizeBytes(read, MemorySpace::DeviceL1),
                     result.bytes))
      return kUnknownTime;
  }
  ToLayoutOp own = getOwnConversion(step.op.open);
  auto from = own ? cast<RankedTensorType>(getTypeOf(own.getInput())) : input;
  double cycles = timer.time(step.op, read, result.type);
  return from == read ? cycles : cycles + timer.timeConversion(from, read);
}

double ClockSearch::time(const Step &step, const Candidate *before,
                         const Candidate &result) {
  if (!before)
    return timeFirst(step, result);
  return budget.fits(before->bytes, result.bytes)
             ? timer.time(step.op, before->type, result.type)
             : kUnknownTime;
}

double ClockSearch::timeChain(ArrayRef<Step> steps,
                              ArrayRef<LayoutAttr> layouts) {
  double cycles = 0;
  std::optional<Candidate> before;
  for (auto [index, step] : llvm::enumerate(steps)) {
    Candidate result = index < layouts.size()
                           ? getCandidate(step.op.op, layouts[index])
                           : step.candidates.front();
    cycles += time(step, before ? &*before : nullptr, result);
    before = result;
  }
  return cycles;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

bool ClockSearch::isRedundantMove(const Step &step, const Candidate &before,
                                  const Candidate &result) {
  if (!isa<TTIR_ElementwiseOpInterface>(step.op.op) ||
      before.type.getShape() != result.type.getShape())
    return false;
  auto layoutOf = [](const Candidate &candidate) {
    return cast<LayoutAttr>(candidate.type.getEncoding());
  };
  LayoutAttr shards = layoutOf(before);
  auto isInPlace = [&](const Candidate &candidate) {
    return layoutOf(candidate).getGrid() == shards.getGrid() &&
           layoutOf(candidate).getMemLayout() == shards.getMemLayout();
  };
  return isShardedInL1(shards) && isShardedInL1(layoutOf(result)) &&
         !isInPlace(result) && llvm::any_of(step.candidates, isInPlace);
}

ClockSearch::Choice ClockSearch::findBest(ArrayRef<Step> steps, size_t length) {
  Choice best;
  std::vector<SmallVector<Path, 0>> paths;
  // Keeps the shorter of two paths.
  auto reach = [&](Path &path, double cycles, size_t previous) {
    best.compared += std::isfinite(cycles);
    if (cycles < path.cycles)
      path = {cycles, previous};
  };
  for (auto [index, step] : llvm::enumerate(steps)) {
    auto &own = paths.emplace_back(step.candidates.size());
    for (auto [path, result] : llvm::zip_equal(own, step.candidates)) {
      if (index == 0) {
        reach(path, time(step, nullptr, result), 0);
        continue;
      }
      for (auto [from, before] : llvm::enumerate(steps[index - 1].candidates))
        if (double start = paths[index - 1][from].cycles;
            std::isfinite(start) && !isRedundantMove(step, before, result))
          reach(path, start + time(step, &before, result), from);
    }
  }

  size_t at = 0;
  for (auto [index, path] : llvm::enumerate(paths.back()))
    if (path.cycles < best.cycles) {
      best.cycles = path.cycles;
      at = index;
    }
  for (size_t index = steps.size(); index-- > 0;) {
    if (index < length)
      best.layouts.push_back(
          cast<LayoutAttr>(steps[index].candidates[at].type.getEncoding()));
    at = paths[index][at].previous;
  }
  std::reverse(best.layouts.begin(), best.layouts.end());
  return best;
}

void ClockSearch::improve(ShardChain &chain) {
  SmallVector<Step> steps = getSteps(chain);
  // First what must be known: the limit then ends the search of others.
  double byRules = timeChain(steps, chain.layouts), inDram = kUnknownTime;
  Choice best;
  if (std::isfinite(byRules)) {
    auto defaults = llvm::map_to_vector(chain.ops, [&](Operation *op) {
      return legal.lookup(op)->layouts.front();
    });
    if (llvm::all_of(defaults, isInDram))
      inDram = timeChain(steps, defaults);
    best = findBest(steps, chain.ops.size());
  }
  report(chain, best, byRules, inDram);
  if (best.cycles < byRules) {
    chain.layouts = best.layouts;
    chain.isTimed = true;
    // Neighbours fit together now: what is left is the input of the chain.
    Operation *first = chain.ops.front();
    llvm::erase_if(chain.resharded, [&](OpOperand *operand) {
      return operand->getOwner() != first ||
             !isShardedInL1(chain.layouts.front());
    });
  }
  for (auto [op, layout] : llvm::zip_equal(chain.ops, chain.layouts))
    chosen[op] = layout;
}

void ClockSearch::report(const ShardChain &chain, const Choice &best,
                         double byRules, double inDram) const {
  Operation *first = chain.ops.front();
  if (!std::isfinite(byRules)) {
    if (auto remark = kOptimizerRemarks.missed(first, "Timed"))
      remark << reason(
          "a chain of {0} ops has layouts by rules: {1}", chain.ops.size(),
          timer.reachedLimit() ? "clock-search-limit is reached"
                               : "the clock cannot time each of its ops");
    return;
  }
  auto remark = kOptimizerRemarks.passed(first, "Timed");
  if (!remark)
    return;
  bool changes = best.cycles < byRules;
  remark << reason("a chain of {0} ops, with its reader, takes {1:F0} cycles "
                   "in the layouts {2}; {3} pairs of layouts of neighbours "
                   "were compared{4}",
                   chain.ops.size(), std::min(best.cycles, byRules),
                   changes ? "that the clock found" : "by rules", best.compared,
                   timer.reachedLimit() ? ", up to clock-search-limit" : "");
  SmallVector<std::string, 2> others;
  if (changes)
    others.push_back(llvm::formatv("by rules: {0:F0} cycles", byRules));
  if (std::isfinite(inDram))
    others.push_back(llvm::formatv("all in dram: {0:F0} cycles", inDram));
  if (!others.empty())
    remark << rejected("{0}", llvm::join(others, "; "));
}

} // namespace mlir::tt::ttir
