#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/Pipeline/StageCuts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRPIPELINESTAGES
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kStageRemarks("ttir-pipeline-stages");

constexpr StringLiteral kInputsAttr = "tt.stage_inputs";
constexpr StringLiteral kOutputsAttr = "tt.stage_outputs";
constexpr StringLiteral kResultsAttr = "tt.stage_results";

int64_t countBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  Type element = tensor.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 32;
  return tensor.getNumElements() * std::max<int64_t>(bits, 8) / 8;
}

/// The ops of a function's block, and which of them use which values.
class Sequence {
public:
  explicit Sequence(func::FuncOp func) : body(func.getBody().front()) {
    for (Operation &op : body.without_terminator()) {
      numbers[&op] = ops.size();
      ops.push_back(&op);
    }
  }

  int64_t size() const { return ops.size(); }
  Operation *operator[](int64_t number) const { return ops[number]; }
  /// Whether each stage that uses the op's results computes them.
  bool isRepeated(Operation *op) {
    return llvm::all_of(op->getResults(), [&](Value result) {
      return dependences.isFixed(result);
    });
  }
  bool isRepeated(int64_t number) { return isRepeated(ops[number]); }
  bool isFixed(Value value) { return dependences.isFixed(value); }

  /// The number of the op that has the operation in it; the number of all ops
  /// for the end of the block.
  int64_t numberOf(Operation *op) const {
    auto found = numbers.find(body.findAncestorOpInBlock(*op));
    return found == numbers.end() ? size() : found->second;
  }

  /// The first and the last op of a call that use the value, through ops that
  /// each stage repeats; the end of the block does not count. Empty (the first
  /// is behind the last) if there is none.
  std::pair<int64_t, int64_t> getUsers(Value value) {
    std::pair<int64_t, int64_t> range(size(), -1);
    for (Operation *user : value.getUsers()) {
      int64_t number = numberOf(user);
      if (number == size())
        continue;
      std::pair<int64_t, int64_t> own(number, number);
      if (isRepeated(number))
        own = getUsersOfResults(number);
      range.first = std::min(range.first, own.first);
      range.second = std::max(range.second, own.second);
    }
    return range;
  }

  /// Values of the block that the op or those in it use.
  static SmallVector<Value> getUsed(Operation *op) {
    llvm::SetVector<Value> used;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getParentBlock() == op->getBlock())
          used.insert(operand);
    });
    return used.takeVector();
  }

private:
  std::pair<int64_t, int64_t> getUsersOfResults(int64_t number) {
    auto [found, isNew] = known.try_emplace(number, size(), -1);
    if (!isNew)
      return found->second;
    std::pair<int64_t, int64_t> range = found->second;
    for (Value result : ops[number]->getResults()) {
      auto [first, last] = getUsers(result);
      range.first = std::min(range.first, first);
      range.second = std::max(range.second, last);
    }
    known[number] = range;
    return range;
  }

  Block &body;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, int64_t> numbers;
  Dependences dependences;
  /// The users of ops that stages repeat.
  DenseMap<int64_t, std::pair<int64_t, int64_t>> known;
};

/// Builds the functions of the stages.
class StageBuilder {
public:
  StageBuilder(func::FuncOp func, Sequence &sequence, ArrayRef<int64_t> cuts)
      : func(func), sequence(sequence), builder(func) {
    begins.push_back(0);
    llvm::append_range(begins, cuts);
    begins.push_back(sequence.size());
    for (BlockArgument argument : func.getArguments())
      ids[argument] = argument.getArgNumber();
    outputs.resize(cuts.size() + 1);
    nextId = func.getNumArguments();
  }

  void run() {
    chooseOutputs();
    for (int64_t stage = 0, end = outputs.size(); stage != end; ++stage)
      build(stage);
    SmallVector<int64_t> results;
    for (Value value : getReturned())
      results.push_back(resultIds.lookup(value));
    func->getParentOfType<ModuleOp>()->setAttr(
        kResultsAttr, builder.getDenseI64ArrayAttr(results));
    func.erase();
  }

private:
  OperandRange getReturned() {
    return func.getBody().front().getTerminator()->getOperands();
  }

  int64_t stageOf(int64_t number) const {
    return llvm::upper_bound(begins, number) - begins.begin() - 1;
  }

  /// The stage that computes a value, or, for one that no call computes, the
  /// first one that uses it.
  int64_t stageOf(Value value) {
    if (Operation *op = value.getDefiningOp(); op && !sequence.isFixed(value))
      return stageOf(sequence.numberOf(op));
    auto [first, last] = sequence.getUsers(value);
    return last < 0 ? 0 : stageOf(first);
  }

  void chooseOutputs() {
    for (int64_t number = 0; number != sequence.size(); ++number) {
      if (sequence.isRepeated(number))
        continue;
      int64_t stage = stageOf(number);
      for (Value result : sequence[number]->getResults())
        if (sequence.getUsers(result).second >= begins[stage + 1]) {
          ids[result] = nextId++;
          outputs[stage].push_back(result);
        }
    }
    for (Value value : getReturned()) {
      if (resultIds.count(value))
        continue;
      auto [found, isNew] = ids.try_emplace(value, nextId);
      // An argument that is returned is another value for the caller.
      bool isArgument = isa<BlockArgument>(value);
      nextId += isNew || isArgument;
      resultIds[value] = isArgument ? nextId - 1 : found->second;
      if (isNew || isArgument)
        outputs[stageOf(value)].push_back(value);
      if (isNew && sequence.isFixed(value))
        ids.erase(value); // Other stages repeat it.
    }
  }

  /// The ops of a stage in order, with those that it repeats, and the values
  /// that it is given.
  void collect(int64_t stage, SmallVector<Operation *> &ops,
               SmallVector<Value> &inputs) {
    DenseSet<Operation *> chosen;
    llvm::SetVector<Value> given;
    SmallVector<Value> work(outputs[stage].begin(), outputs[stage].end());
    for (int64_t i = begins[stage]; i != begins[stage + 1]; ++i)
      if (!sequence.isRepeated(i)) {
        chosen.insert(sequence[i]);
        llvm::append_range(work, Sequence::getUsed(sequence[i]));
      }
    while (!work.empty()) {
      Value value = work.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (op && sequence.isRepeated(op)) {
        if (chosen.insert(op).second)
          llvm::append_range(work, Sequence::getUsed(op));
      } else if (!op || !chosen.contains(op)) {
        given.insert(value);
      }
    }
    inputs = given.takeVector();
    llvm::sort(inputs, [&](Value a, Value b) { return ids.at(a) < ids.at(b); });
    for (int64_t i = 0; i != sequence.size(); ++i)
      if (chosen.contains(sequence[i]))
        ops.push_back(sequence[i]);
  }

  void build(int64_t stage) {
    SmallVector<Operation *> ops;
    SmallVector<Value> inputs;
    collect(stage, ops, inputs);
    ArrayRef<Value> own = outputs[stage];
    SmallVector<int64_t> inputIds, outputIds;
    for (Value value : inputs)
      inputIds.push_back(ids.at(value));
    for (Value value : own)
      outputIds.push_back(resultIds.count(value) ? resultIds.lookup(value)
                                                 : ids.at(value));

    builder.setInsertionPoint(func);
    auto made = func::FuncOp::create(
        builder, func.getLoc(),
        (func.getName() + "_stage" + Twine(stage)).str(),
        builder.getFunctionType(TypeRange(ValueRange(inputs)),
                                TypeRange(ValueRange(own))));
    for (NamedAttribute attribute : func->getDiscardableAttrs())
      made->setAttr(attribute.getName(), attribute.getValue());
    made->setAttr(kInputsAttr, builder.getDenseI64ArrayAttr(inputIds));
    made->setAttr(kOutputsAttr, builder.getDenseI64ArrayAttr(outputIds));
    copyAttributes(made, inputs, own);

    Block *body = made.addEntryBlock();
    IRMapping mapping;
    for (auto [value, argument] :
         llvm::zip_equal(inputs, body->getArguments())) {
      argument.setLoc(isa<BlockArgument>(value)
                          ? value.getLoc()
                          : NameLoc::get(builder.getStringAttr(
                                             "value" + Twine(ids.at(value))),
                                         value.getLoc()));
      mapping.map(value, argument);
    }
    builder.setInsertionPointToStart(body);
    for (Operation *op : ops)
      builder.clone(*op, mapping);
    SmallVector<Value> returned;
    for (Value value : own)
      returned.push_back(mapping.lookup(value));
    func::ReturnOp::create(
        builder, func.getBody().front().getTerminator()->getLoc(), returned);
  }

  void copyAttributes(func::FuncOp made, ArrayRef<Value> inputs,
                      ArrayRef<Value> own) {
    OperandRange all = getReturned();
    for (auto [i, value] : llvm::enumerate(inputs)) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument)
        continue;
      made.setArgAttrs(i, func.getArgAttrDict(argument.getArgNumber()));
      if (auto alias =
              made.getArgAttrOfType<IntegerAttr>(i, kAliasedOutputAttr))
        made.setArgAttr(i, kAliasedOutputAttr,
                        IntegerAttr::get(alias.getType(),
                                         llvm::find(own, all[alias.getInt()]) -
                                             own.begin()));
    }
    for (auto [i, value] : llvm::enumerate(own))
      if (auto at = llvm::find(all, value); at != all.end())
        made.setResultAttrs(i, func.getResultAttrDict(at - all.begin()));
  }

  func::FuncOp func;
  Sequence &sequence;
  OpBuilder builder;
  /// The first op of each stage, and the end.
  SmallVector<int64_t> begins;
  /// The numbers of the values that stages exchange, and of results.
  DenseMap<Value, int64_t> ids, resultIds;
  SmallVector<SmallVector<Value>> outputs;
  int64_t nextId;
};

class TTIRPipelineStages
    : public impl::TTIRPipelineStagesBase<TTIRPipelineStages> {
public:
  using Base::Base;

  void runOnOperation() final {
    func::FuncOp func = findFunction();
    if (!func)
      return signalPassFailure();
    Sequence sequence(func);
    if (!costs.empty() && int64_t(costs.size()) != sequence.size()) {
      func.emitError("ttir-pipeline-stages: expected the costs of ")
          << sequence.size() << " ops, found " << costs.size();
      return signalPassFailure();
    }
    SmallVector<CutPoint> points = findPoints(func, sequence);
    int64_t most = int64_t(points.size()) - 1;
    if (most == 0) {
      func.emitError("ttir-pipeline-stages: expected ops that a call computes, "
                     "to cut into stages, found none");
      return signalPassFailure();
    }
    if (stages < 1 || stages > most) {
      func.emitError("ttir-pipeline-stages: expected from 1 to ")
          << most << " stages, into which the program can be cut, found "
          << stages.getValue();
      return signalPassFailure();
    }
    std::optional<SmallVector<int64_t>> chosen =
        chooseCuts(points, stages, {bytesPerCycle, weightLimit});
    if (!chosen) {
      func.emitError("ttir-pipeline-stages: the parameters do not fit: no cut "
                     "into ")
          << stages.getValue() << " stages has at most "
          << weightLimit.getValue() << " bytes of parameters in each, of "
          << points.back().weights;
      return signalPassFailure();
    }
    SmallVector<int64_t> cuts;
    for (int64_t point : *chosen)
      cuts.push_back(points[point].position);
    report(sequence, points, *chosen);
    StageBuilder(func, sequence, cuts).run();
  }

private:
  /// The only public function that runs on chips.
  func::FuncOp findFunction() {
    ModuleOp module = getOperation();
    func::FuncOp found;
    for (auto func : module.getOps<func::FuncOp>()) {
      if (func.isExternal() || !func.isPublic() || func->hasAttr(kPartAttr) ||
          isOnHost(func))
        continue;
      if (found) {
        func.emitError("ttir-pipeline-stages: expected one program, found '")
            << found.getName() << "' and '" << func.getName() << "'";
        return {};
      }
      found = func;
    }
    if (!found) {
      module.emitError("ttir-pipeline-stages: expected a public function, "
                       "found none");
      return {};
    }
    if (!found.getBody().hasOneBlock()) {
      found.emitError("ttir-pipeline-stages: expected a function of one block");
      return {};
    }
    for (BlockArgument argument : found.getArguments())
      if (isVariable(argument)) {
        emitError(argument.getLoc())
            << "ttir-pipeline-stages: the program has the variable "
            << found.getArgAttr(argument.getArgNumber(), kVariableAttr)
            << "; expected donated inputs for state that stays on the chips";
        return {};
      }
    return found;
  }

  /// Remarks on where each stage ends.
  void report(Sequence &sequence, ArrayRef<CutPoint> points,
              ArrayRef<int64_t> chosen) {
    CutPoint begin = points.front();
    for (int64_t stage = 0; stage != stages; ++stage) {
      const CutPoint &end =
          stage + 1 == stages ? points.back() : points[chosen[stage]];
      Operation *last = sequence[end.position - 1];
      if (auto remark = kStageRemarks.passed(last, "Stage"))
        remark << reason("stage {0} ends after this op: {1:F0} of {2:F0} "
                         "cycles, {3} bytes of parameters, {4} bytes pass on",
                         stage, end.cycles - begin.cycles, points.back().cycles,
                         end.weights - begin.weights, end.bytes);
      begin = end;
    }
  }

  /// The begin, the end, and the places where the function can be cut.
  SmallVector<CutPoint> findPoints(func::FuncOp func, Sequence &sequence) {
    int64_t size = sequence.size();
    DenseSet<int64_t> mayEnd(ends.begin(), ends.end());
    auto isEnd = [&](int64_t number) {
      return ends.empty() || mayEnd.contains(number);
    };
    // By position: the change of the bytes that pass and of the number of
    // reasons not to cut, and the parameters that the op before it uses first.
    SmallVector<int64_t> bytes(size + 2), reasons(size + 2), weights(size + 1);
    auto forbid = [&](int64_t first, int64_t last) {
      if (first < last) {
        ++reasons[first + 1];
        --reasons[last + 1];
      }
    };
    for (int64_t number = 0; number != size; ++number) {
      if (sequence.isRepeated(number))
        continue;
      for (Value result : sequence[number]->getResults()) {
        int64_t last = sequence.getUsers(result).second;
        if (last <= number)
          continue;
        bytes[number + 1] += countBytes(result.getType());
        bytes[last + 1] -= countBytes(result.getType());
        if (!isEnd(number))
          forbid(number, last);
      }
    }
    Operation *end = func.getBody().front().getTerminator();
    for (BlockArgument argument : func.getArguments()) {
      auto [first, last] = sequence.getUsers(argument);
      if (last < 0)
        continue;
      if (sequence.isFixed(argument))
        weights[first + 1] += countBytes(argument.getType());
      auto alias = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                      kAliasedOutputAttr);
      if (!alias)
        continue;
      Operation *result = end->getOperand(alias.getInt()).getDefiningOp();
      int64_t at = result ? sequence.numberOf(result) : first;
      forbid(std::min(first, at), std::max(last, at));
    }

    SmallVector<CutPoint> points = {{0, 0.0, 0, 0}};
    CutPoint at = points.front();
    int64_t against = 0, lastOp = 0;
    for (int64_t position = 1; position <= size; ++position) {
      int64_t number = position - 1;
      at.position = position;
      at.bytes += bytes[position];
      at.weights += weights[position];
      against += reasons[position];
      if (sequence.isRepeated(number))
        continue;
      lastOp = position;
      at.cycles += costs.empty() ? 1.0 : costs[number];
      if (against == 0 && isEnd(number))
        points.push_back(at);
    }
    // The last one is the end, even if the op before it may not end a stage.
    at.bytes = 0;
    if (lastOp && points.back().position == lastOp)
      points.pop_back();
    if (lastOp)
      points.push_back(at);
    return points;
  }
};

} // namespace
} // namespace mlir::tt::ttir
