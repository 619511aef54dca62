//===- EltwiseProgram.cpp - elementwise work on destination registers ----===//

#include "conversion/TTIRToTTMetal/EltwiseGraph.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::eltwise;

using Step = EltwiseProgram::Step;
using Phase = EltwiseProgram::Phase;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

namespace {

/// Plans one phase: the steps that compute a node from inputs and
/// intermediates. Of several operands the one that needs more registers comes
/// first (Sethi and Ullman); a register is free after the last use of its node.
class Planner {
public:
  Planner(ArrayRef<Node> nodes, ArrayRef<EltwiseInput> inputs,
          const DenseMap<unsigned, unsigned> &intermediates, Builder &builder)
      : nodes(nodes), inputs(inputs), intermediates(intermediates),
        builder(builder) {}

  /// Nothing if the registers do not suffice.
  std::optional<Phase> plan(unsigned root) {
    countUses(root);
    uses[root] = 1;
    unsigned result = compute(root);
    if (overflows)
      return std::nullopt;
    phase.result = result;
    return std::move(phase);
  }

private:
  bool isLeaf(unsigned node) const {
    return nodes[node].isLeaf() || intermediates.contains(node);
  }

  void countUses(unsigned root) {
    for (unsigned operand : nodes[root].operands)
      if (!isLeaf(operand) && uses[operand]++ == 0)
        countUses(operand);
  }

  unsigned countNeed(unsigned node) {
    if (isLeaf(node))
      return 1;
    auto it = needs.find(node);
    if (it != needs.end())
      return it->second;
    SmallVector<unsigned> operandNeeds;
    for (unsigned operand : nodes[node].operands)
      operandNeeds.push_back(countNeed(operand));
    llvm::sort(operandNeeds, std::greater<>());
    unsigned need = 1;
    for (auto [i, operandNeed] : llvm::enumerate(operandNeeds))
      need = std::max<unsigned>(need, operandNeed + i);
    return needs[node] = need;
  }

  /// The lowest free register, so that others stay unwritten.
  unsigned allocate() { return take(llvm::find(taken, false)); }

  /// A register that nothing has written in the phase, if there is one: the
  /// matrix engine adds to what is in any other.
  std::optional<unsigned> allocateUnwritten() {
    auto *it = llvm::find(written, false);
    if (it == written.end())
      return std::nullopt;
    return take(taken.begin() + (it - written.begin()));
  }

  unsigned take(bool *it) {
    if (it == taken.end()) {
      overflows = true;
      return 0;
    }
    unsigned slot = it - taken.begin();
    taken[slot] = written[slot] = true;
    phase.registers = std::max(phase.registers, slot + 1);
    return slot;
  }

  Step &addStep(Step::Kind kind, StringRef mnemonic, unsigned to) {
    Step &step = phase.steps.emplace_back();
    step.kind = kind;
    step.mnemonic = mnemonic;
    step.to = to;
    return step;
  }

  unsigned load(unsigned index) {
    const Node &node = nodes[index];
    unsigned to = allocate();
    if (auto it = intermediates.find(index); it != intermediates.end()) {
      addStep(Step::Kind::Reload, "copy_tile", to).from = {it->second};
    } else if (node.form == Node::Form::Fill) {
      addStep(Step::Kind::Fill, node.mnemonic, to).numbers = node.numbers;
    } else if (inputs[node.input].broadcast == ttkernel::BroadcastType::None) {
      addStep(Step::Kind::Load, "copy_tile", to).from = {node.input};
    } else {
      Step &step = addStep(Step::Kind::Broadcast, "unary_bcast", to);
      step.from = {node.input};
      step.attributes = {builder.getNamedAttr(
          "broadcast_type",
          ttkernel::BroadcastTypeAttr::get(builder.getContext(),
                                           inputs[node.input].broadcast))};
    }
    return to;
  }

  /// Sums, differences and products of two tiles of one float format come
  /// straight from the buffers.
  bool isForMatrixEngine(const Node &node) const {
    if (node.matrix.empty())
      return false;
    for (unsigned operand : node.operands)
      if (nodes[operand].form != Node::Form::Input ||
          inputs[nodes[operand].input].broadcast !=
              ttkernel::BroadcastType::None ||
          kindOf(nodes[operand].type) != Kind::Float)
        return false;
    return nodes[node.operands[0]].type == nodes[node.operands[1]].type;
  }

  unsigned compute(unsigned index) {
    if (overflows)
      return 0;
    if (isLeaf(index))
      return load(index);
    auto it = slots.find(index);
    if (it != slots.end())
      return it->second;
    const Node &node = nodes[index];
    if (isForMatrixEngine(node))
      if (std::optional<unsigned> to = allocateUnwritten()) {
        addStep(Step::Kind::Matrix, node.matrix, *to).from = {
            nodes[node.operands[0]].input, nodes[node.operands[1]].input};
        return slots[index] = *to;
      }

    SmallVector<unsigned, 3> order;
    llvm::append_range(order, llvm::seq<unsigned>(0, node.operands.size()));
    llvm::stable_sort(order, [&](unsigned a, unsigned b) {
      return countNeed(node.operands[a]) > countNeed(node.operands[b]);
    });
    SmallVector<unsigned, 3> from(node.operands.size());
    for (unsigned i : order)
      from[i] = compute(node.operands[i]);
    if (overflows)
      return 0;

    // Registers whose value nothing reads afterwards.
    SmallVector<unsigned, 3> freed;
    for (auto [operand, slot] : llvm::zip(node.operands, from)) {
      if (!isLeaf(operand) && --uses[operand] > 0)
        continue;
      slots.erase(operand);
      if (!llvm::is_contained(freed, slot))
        freed.push_back(slot);
    }
    unsigned to = from.size() == 1 ? getPlace(from, freed)
                  : freed.empty()  ? allocate()
                                   : freed.front();
    for (unsigned slot : freed)
      taken[slot] = slot == to;
    Step &step = addStep(Step::Kind::Vector, node.mnemonic, to);
    step.from = from;
    step.numbers = node.numbers;
    step.attributes = node.attributes;
    return slots[index] = to;
  }

  /// Where an instruction on one register in place may work: a copy if the
  /// value is read again.
  unsigned getPlace(SmallVectorImpl<unsigned> &from, ArrayRef<unsigned> freed) {
    if (!freed.empty())
      return from[0];
    unsigned copy = allocate();
    // Nothing copies a register; the maximum of a value and itself is exact.
    addStep(Step::Kind::Vector, "binary_max_tile", copy).from = {from[0],
                                                                 from[0]};
    from[0] = copy;
    return copy;
  }

  ArrayRef<Node> nodes;
  ArrayRef<EltwiseInput> inputs;
  const DenseMap<unsigned, unsigned> &intermediates;
  Builder &builder;
  Phase phase;
  DenseMap<unsigned, unsigned> uses, needs, slots;
  std::array<bool, EltwiseProgram::kRegisters> taken{}, written{};
  bool overflows = false;
};

} // namespace

bool EltwiseProgram::isSupported(StringRef op) { return isInTable(op); }

FailureOr<EltwiseProgram>
EltwiseProgram::get(Block &body, ArrayRef<EltwiseInput> inputsOfBody,
                    DataType outputType, bool masks) {
  SmallVector<EltwiseInput> inputs(inputsOfBody);
  FailureOr<Graph> graph = buildGraph(body, inputs, outputType, masks);
  if (failed(graph))
    return failure();
  if (masks)
    inputs.push_back({DataType::BFloat16});
  ArrayRef<Node> nodes = graph->nodes;
  unsigned root = graph->root;
  Builder builder(body.getParentOp()->getContext());
  EltwiseProgram program;
  DenseMap<unsigned, unsigned> intermediates;
  auto plan = [&](unsigned node) {
    return Planner(nodes, inputs, intermediates, builder).plan(node);
  };
  std::optional<Phase> last = plan(root);
  // Operands of the first nodes that do not fit are computed before; a node
  // whose operands are all intermediates always fits.
  for (unsigned node = 0; !last && node <= root; ++node) {
    if (nodes[node].isLeaf() || plan(node))
      continue;
    for (unsigned operand : nodes[node].operands) {
      if (nodes[operand].isLeaf() || intermediates.contains(operand))
        continue;
      Phase phase = *plan(operand);
      phase.intermediate = program.intermediates.size();
      program.phases.push_back(std::move(phase));
      intermediates[operand] = program.intermediates.size();
      program.intermediates.push_back(wide(nodes[operand].type));
    }
    last = plan(root);
  }
  program.phases.push_back(std::move(*last));
  return program;
}

EltwiseProgram EltwiseProgram::getTypecast(MLIRContext *context, DataType from,
                                           DataType to, bool masks) {
  EltwiseProgram program;
  Phase &phase = program.phases.emplace_back();
  auto addStep = [&](Step::Kind kind, StringRef mnemonic,
                     ArrayRef<unsigned> from, unsigned to) -> Step & {
    Step &step = phase.steps.emplace_back();
    step.kind = kind;
    step.mnemonic = mnemonic;
    step.from.assign(from.begin(), from.end());
    step.to = to;
    return step;
  };
  addStep(Step::Kind::Load, "copy_tile", {0}, 0);
  // The packer rounds floats.
  if (kindOf(from) != Kind::Float || kindOf(to) != Kind::Float)
    addStep(Step::Kind::Vector, "typecast_tile", {0}, 0).attributes =
        getTypecastAttributes(context, from, to);
  if (masks) {
    addStep(Step::Kind::Load, "copy_tile", {1}, 1);
    addStep(Step::Kind::Fill, "fill_tile", {}, 2).numbers = {0};
    addStep(Step::Kind::Vector, "where_tile", {1, 0, 2}, 0);
    phase.registers = 3;
  }
  return program;
}

std::optional<std::pair<unsigned, unsigned>>
EltwiseProgram::getMatrixInputs() const {
  for (const Phase &phase : phases)
    for (const Step &step : phase.steps)
      if (step.kind == Step::Kind::Matrix)
        return std::pair(step.from[0], step.from[1]);
  return std::nullopt;
}

TileType tt::getRegisterTile(MLIRContext *context, DataType type) {
  return TileType::get(context, wide(type));
}
