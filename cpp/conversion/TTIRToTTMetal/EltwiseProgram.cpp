//===- EltwiseProgram.cpp - elementwise work on destination registers
//------===//

#include "conversion/TTIRToTTMetal/EltwiseProgram.h"

#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tt;

using Step = EltwiseProgram::Step;
using Phase = EltwiseProgram::Phase;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

/// An op of a region, its instruction on the vector engine and, where there is
/// one, on the matrix engine.
struct Row {
  StringRef op;
  StringRef mnemonic;
  StringRef matrix = "";
};

constexpr Row kRows[] = {
    {"ttir.abs", "abs_tile"},
    {"ttir.cbrt", "cbrt_tile"},
    {"ttir.ceil", "ceil_tile"},
    {"ttir.clamp", "clamp_tile"},
    {"ttir.cos", "cos_tile"},
    {"ttir.erf", "erf_tile"},
    {"ttir.exp", "exp_tile"},
    {"ttir.expm1", "expm1_tile"},
    {"ttir.floor", "floor_tile"},
    {"ttir.gelu", "gelu_tile"},
    {"ttir.isfinite", "isfinite_tile"},
    {"ttir.leaky_relu", "leaky_relu_tile"},
    {"ttir.log", "log_tile"},
    {"ttir.log1p", "log1p_tile"},
    {"ttir.logical_not", "logical_not_unary_tile"},
    {"ttir.bitwise_not", "bitwise_not_tile"},
    {"ttir.neg", "negative_tile"},
    {"ttir.reciprocal", "recip_tile"},
    {"ttir.relu", "relu_tile"},
    {"ttir.rsqrt", "rsqrt_tile"},
    {"ttir.sigmoid", "sigmoid_tile"},
    {"ttir.sign", "sign_tile"},
    {"ttir.silu", "silu_tile"},
    {"ttir.sin", "sin_tile"},
    {"ttir.sqrt", "sqrt_tile"},
    {"ttir.tan", "tan_tile"},
    {"ttir.tanh", "tanh_tile"},
    {"ttir.add", "add_binary_tile", "add_tiles"},
    {"ttir.subtract", "sub_binary_tile", "sub_tiles"},
    {"ttir.multiply", "mul_binary_tile", "mul_tiles"},
    {"ttir.div", "div_binary_tile"},
    {"ttir.power", "power_binary_tile"},
    {"ttir.maximum", "binary_max_tile"},
    {"ttir.minimum", "binary_min_tile"},
    {"ttir.remainder", "remainder_binary_tile"},
    {"ttir.eq", "eq_binary_tile"},
    {"ttir.ne", "ne_binary_tile"},
    {"ttir.lt", "lt_binary_tile"},
    {"ttir.gt", "gt_binary_tile"},
    {"ttir.le", "le_binary_tile"},
    {"ttir.ge", "ge_binary_tile"},
    {"ttir.logical_and", "logical_and_binary_tile"},
    {"ttir.logical_or", "logical_or_binary_tile"},
    {"ttir.logical_xor", "logical_xor_binary_tile"},
    {"ttir.bitwise_and", "bitwise_and_binary_tile"},
    {"ttir.bitwise_or", "bitwise_or_binary_tile"},
    {"ttir.bitwise_xor", "bitwise_xor_binary_tile"},
    {"ttir.where", "where_tile"},
    {"arith.addf", "add_binary_tile", "add_tiles"},
    {"arith.subf", "sub_binary_tile", "sub_tiles"},
    {"arith.mulf", "mul_binary_tile", "mul_tiles"},
    {"arith.divf", "div_binary_tile"},
    {"arith.maximumf", "binary_max_tile"},
    {"arith.minimumf", "binary_min_tile"},
    {"arith.negf", "negative_tile"},
    {"arith.addi", "add_binary_tile"},
    {"arith.subi", "sub_binary_tile"},
    {"arith.muli", "mul_binary_tile"},
    {"math.exp", "exp_tile"},
    {"math.log", "log_tile"},
    {"math.sqrt", "sqrt_tile"},
    {"math.rsqrt", "rsqrt_tile"},
    {"math.tanh", "tanh_tile"},
    {"math.absf", "abs_tile"},
    {"math.erf", "erf_tile"},
};

const Row *findRow(StringRef op) {
  static const llvm::StringMap<const Row *> rows = [] {
    llvm::StringMap<const Row *> map;
    for (const Row &row : kRows)
      map[row.op] = &row;
    return map;
  }();
  return rows.lookup(op);
}

/// How an element lies in a destination register.
enum class Kind { Float, Unsigned, Signed };

Kind kindOf(DataType type) {
  switch (type) {
  case DataType::Int32:
    return Kind::Signed;
  case DataType::UInt32:
  case DataType::UInt16:
  case DataType::UInt8:
    return Kind::Unsigned;
  default:
    return Kind::Float;
  }
}

/// The type of 32 bits of a kind.
DataType wide(DataType type) {
  switch (kindOf(type)) {
  case Kind::Float:
    return DataType::Float32;
  case Kind::Unsigned:
    return DataType::UInt32;
  case Kind::Signed:
    return DataType::Int32;
  }
  llvm_unreachable("all kinds are handled");
}

int64_t bitsOf(const APFloat &number) {
  APFloat single = number;
  bool losesInfo;
  single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return single.bitcastToAPInt().getZExtValue();
}

SmallVector<NamedAttribute, 2>
getTypecastAttributes(MLIRContext *context, DataType from, DataType to) {
  Builder builder(context);
  auto format = [&](StringRef name, DataType type) {
    return builder.getNamedAttr(
        name, builder.getI32IntegerAttr(static_cast<int32_t>(type)));
  };
  return {format("in_dtype", from), format("out_dtype", to)};
}

//===----------------------------------------------------------------------===//
// The graph of a region
//===----------------------------------------------------------------------===//

struct Node {
  enum class Form { Input, Fill, Vector } form;
  DataType type;
  /// The number of the input.
  unsigned input = 0;
  StringRef mnemonic;
  StringRef matrix;
  SmallVector<unsigned, 3> operands;
  SmallVector<int64_t, 2> numbers;
  SmallVector<NamedAttribute, 2> attributes;

  bool isLeaf() const { return form != Form::Vector; }
};

/// The values of a region as nodes, operands before what they are used for.
class Graph {
public:
  Graph(Block &body, ArrayRef<EltwiseInput> inputs)
      : body(body), builder(body.getParentOp()->getContext()) {
    for (auto [i, input] : llvm::enumerate(inputs)) {
      Node node{Node::Form::Input, input.type};
      node.input = i;
      values[body.getArgument(i)] = add(node);
    }
  }

  ArrayRef<Node> getNodes() const { return nodes; }

  /// The node that the region yields, converted to `outputType`.
  FailureOr<unsigned> build(DataType outputType, bool masks) {
    FailureOr<unsigned> root = build(outputType);
    if (failed(root) || !masks)
      return root;
    Node mask{Node::Form::Input, DataType::BFloat16};
    mask.input = body.getNumArguments() - 1;
    Node zero{Node::Form::Fill, DataType::Float32};
    zero.mnemonic = "fill_tile";
    zero.numbers = {0};
    Node choice{Node::Form::Vector, DataType::Float32};
    choice.mnemonic = "where_tile";
    unsigned condition = add(mask);
    choice.operands = {condition, *root, add(zero)};
    return add(choice);
  }

private:
  FailureOr<unsigned> build(DataType outputType) {
    for (Operation &op : body.without_terminator())
      if (!isa<tensor::EmptyOp>(op) && failed(addOp(&op)))
        return failure();
    Operation *yield = body.getTerminator();
    if (yield->getNumOperands() != 1)
      return yield->emitOpError("expected one value for the output, found ")
             << yield->getNumOperands();
    auto it = values.find(yield->getOperand(0));
    if (it == values.end())
      return yield->emitOpError("expected a value that the region computes");
    unsigned root = convert(it->second, kindOf(outputType) == Kind::Float
                                            ? DataType::Float32
                                            : outputType);
    // The packer rounds floats to the output's format itself.
    const Node &last = nodes[root];
    if (last.mnemonic == "typecast_tile" && last.type == outputType &&
        kindOf(outputType) == Kind::Float &&
        kindOf(nodes[last.operands[0]].type) == Kind::Float)
      return last.operands[0];
    return root;
  }

  unsigned add(Node node) {
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
  }

  /// The node with its elements in `type`, if that is another kind, or a narrow
  /// one that rounds.
  unsigned convert(unsigned value, DataType type) {
    DataType from = nodes[value].type;
    if (from == type ||
        (kindOf(from) == Kind::Float && type == DataType::Float32))
      return value;
    Node node{Node::Form::Vector, type};
    node.mnemonic = "typecast_tile";
    node.operands = {value};
    node.attributes = getTypecastAttributes(builder.getContext(), from, type);
    return add(node);
  }

  LogicalResult addConstant(Operation *op, ElementsAttr elements) {
    auto splat = dyn_cast_if_present<SplatElementsAttr>(elements);
    if (!splat)
      return op->emitOpError("expected a constant of one number in the region "
                             "of a ttir.generic");
    std::optional<DataType> type =
        elementTypeToDataType(splat.getElementType());
    if (!type)
      return op->emitOpError("expected elements of a format of the device, "
                             "found ")
             << splat.getElementType();
    Node node{Node::Form::Fill, wide(*type)};
    if (kindOf(*type) == Kind::Float) {
      node.mnemonic = "fill_tile";
      node.numbers = {bitsOf(splat.getSplatValue<APFloat>())};
    } else {
      node.mnemonic = "fill_tile_int";
      node.type = DataType::Int32;
      node.numbers = {splat.getSplatValue<APInt>().getSExtValue()};
    }
    values[op->getResult(0)] = add(node);
    return success();
  }

  /// The operands of an op that are computed with: its inputs.
  static SmallVector<Value> getInputs(Operation *op) {
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
      return llvm::to_vector(
          llvm::map_range(dps.getDpsInputOperands(),
                          [](OpOperand *operand) { return operand->get(); }));
    return op->getOperands();
  }

  static FailureOr<DataType> getResultType(Operation *op) {
    if (op->getNumResults() == 1)
      if (auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType()))
        if (std::optional<DataType> format =
                elementTypeToDataType(type.getElementType()))
          return *format;
    return op->emitOpError("expected one result, a tensor of elements of a "
                           "format of the device, found ")
           << op->getResultTypes();
  }

  LogicalResult addOp(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return addConstant(op, dyn_cast<ElementsAttr>(constant.getValue()));
    if (auto constant = dyn_cast<ttir::ConstantOp>(op))
      return addConstant(op, constant.getValue());
    FailureOr<DataType> type = getResultType(op);
    if (failed(type))
      return failure();
    SmallVector<unsigned, 3> operands;
    for (Value input : getInputs(op)) {
      auto it = values.find(input);
      if (it == values.end())
        return op->emitOpError("expected operands that are inputs or results "
                               "of the region of the ttir.generic");
      operands.push_back(it->second);
    }
    unsigned result;
    if (isa<ttir::TypecastOp>(op)) {
      result = convert(operands[0], *type);
    } else {
      std::string name = op->getName().getStringRef().str();
      if (auto kernel = dyn_cast<ttir::KernelOp>(op))
        name = ("ttir." + kernel.getOp()).str();
      const Row *row = findRow(name);
      if (!row)
        return op->emitOpError("has no instructions on tiles; expected an "
                               "elementwise op of ttir, or of arith or math on "
                               "floats");
      result =
          convert(addVector(op, *row, operands),
                  kindOf(*type) == Kind::Float ? DataType::Float32 : *type);
    }
    values[op->getResult(0)] = result;
    return success();
  }

  unsigned addVector(Operation *op, const Row &row,
                     SmallVector<unsigned, 3> operands) {
    Node node{Node::Form::Vector, DataType::Float32};
    node.mnemonic = row.mnemonic;
    node.matrix = row.matrix;
    // The condition of a choice has a kind of its own.
    auto compared =
        MutableArrayRef(operands).drop_front(isa<ttir::WhereOp>(op) ? 1 : 0);
    node.type = unify(compared);
    node.operands = operands;
    if (row.mnemonic == "mul_binary_tile" && operands[0] == operands[1] &&
        !nodes[operands[0]].isLeaf()) {
      node.mnemonic = "square_tile";
      node.matrix = "";
      node.operands.pop_back();
    }
    if (auto clamp = dyn_cast<ttir::ClampOp>(op))
      node.numbers = {bitsOf(clamp.getMin()), bitsOf(clamp.getMax())};
    if (auto relu = dyn_cast<ttir::LeakyReluOp>(op))
      node.numbers = {bitsOf(relu.getParameter())};
    return add(node);
  }

  /// Converts operands to one kind, and gives the type that an instruction on
  /// them has in a register.
  DataType unify(MutableArrayRef<unsigned> operands) {
    bool anyFloat = llvm::any_of(operands, [&](unsigned operand) {
      return kindOf(nodes[operand].type) == Kind::Float;
    });
    if (anyFloat)
      for (unsigned &operand : operands)
        operand = convert(operand, DataType::Float32);
    if (anyFloat)
      return DataType::Float32;
    bool allSigned = llvm::all_of(operands, [&](unsigned operand) {
      return kindOf(nodes[operand].type) == Kind::Signed;
    });
    return allSigned ? DataType::Int32 : DataType::UInt32;
  }

  Block &body;
  Builder builder;
  SmallVector<Node> nodes;
  DenseMap<Value, unsigned> values;
};

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

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

  unsigned allocate() {
    unsigned slot = 0;
    while (slot < EltwiseProgram::kRegisters && taken[slot])
      ++slot;
    if (slot == EltwiseProgram::kRegisters) {
      overflows = true;
      return 0;
    }
    taken[slot] = true;
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
    if (isForMatrixEngine(node)) {
      unsigned to = allocate();
      addStep(Step::Kind::Matrix, node.matrix, to).from = {
          nodes[node.operands[0]].input, nodes[node.operands[1]].input};
      return slots[index] = to;
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
  std::array<bool, EltwiseProgram::kRegisters> taken{};
  bool overflows = false;
};

} // namespace

bool EltwiseProgram::isSupported(StringRef op) { return findRow(op); }

FailureOr<EltwiseProgram>
EltwiseProgram::get(Block &body, ArrayRef<EltwiseInput> inputsOfBody,
                    DataType outputType, bool masks) {
  SmallVector<EltwiseInput> inputs(inputsOfBody);
  Graph graph(body, inputs);
  FailureOr<unsigned> root = graph.build(outputType, masks);
  if (masks)
    inputs.push_back({DataType::BFloat16});
  if (failed(root))
    return failure();
  ArrayRef<Node> nodes = graph.getNodes();
  Builder builder(body.getParentOp()->getContext());
  EltwiseProgram program;
  DenseMap<unsigned, unsigned> intermediates;
  auto plan = [&](unsigned node) {
    return Planner(nodes, inputs, intermediates, builder).plan(node);
  };
  std::optional<Phase> last = plan(*root);
  // Operands of the first nodes that do not fit are computed before; a node
  // whose operands are all intermediates always fits.
  for (unsigned node = 0; !last && node <= *root; ++node) {
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
    last = plan(*root);
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
  return TileType::get(context, {32, 32}, wide(type));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

EltwiseWriter::EltwiseWriter(KernelBuilder &kernel,
                             const EltwiseProgram &program,
                             ArrayRef<Buffer> inputs,
                             ArrayRef<Buffer> intermediates,
                             const Buffer &output)
    : kernel(kernel), program(program), inputs(inputs),
      intermediates(intermediates), output(output) {
  auto elementOf = [](const Buffer &buffer) {
    return buffer.type.getMemref().getElementType();
  };
  hasMixedInputs = !intermediates.empty();
  for (const Buffer &input : inputs)
    hasMixedInputs |= elementOf(input) != elementOf(inputs.front());
  isLone = program.phases.size() == 1 &&
           program.phases.front().steps.size() == 1 && !hasMixedInputs;
}

void EltwiseWriter::start() {
  if (auto pair = program.getMatrixInputs())
    kernel.call("binary_op_init_common",
                {inputs[pair->first], inputs[pair->second], output});
  else
    kernel.call("init_sfpu", {inputs.front(), output});
  if (isLone)
    initialize(program.phases.front().steps.front());
}

void EltwiseWriter::initialize(const Step &step) {
  auto reconfigure = [&](const Buffer &buffer) {
    if (hasMixedInputs)
      kernel.call("reconfig_data_format_srca", {buffer});
  };
  switch (step.kind) {
  case Step::Kind::Load:
    reconfigure(inputs[step.from[0]]);
    kernel.call("copy_tile_init", {inputs[step.from[0]]});
    break;
  case Step::Kind::Reload:
    reconfigure(intermediates[step.from[0]]);
    kernel.call("copy_tile_init", {intermediates[step.from[0]]});
    break;
  case Step::Kind::Broadcast:
    reconfigure(inputs[step.from[0]]);
    kernel.call("unary_bcast_init", {inputs[step.from[0]], output},
                step.attributes);
    break;
  case Step::Kind::Matrix:
    if (hasMixedInputs)
      kernel.call("reconfig_data_format",
                  {inputs[step.from[0]], inputs[step.from[1]]});
    kernel.call((step.mnemonic + "_init").str(),
                {inputs[step.from[0]], inputs[step.from[1]]});
    break;
  case Step::Kind::Fill:
    kernel.call("fill_tile_init");
    break;
  case Step::Kind::Vector:
    kernel.call((step.mnemonic + "_init").str());
    break;
  }
}

void EltwiseWriter::writeStep(const Step &step, unsigned registers,
                              unsigned count,
                              function_ref<I32(unsigned, unsigned)> tiles) {
  if (!isLone)
    initialize(step);
  for (unsigned i = 0; i < count; ++i) {
    auto slot = [&](unsigned number) -> Operand {
      return int64_t(i * registers + number);
    };
    auto from = [&](unsigned operand) { return step.from[operand]; };
    switch (step.kind) {
    case Step::Kind::Load:
    case Step::Kind::Broadcast:
      kernel.call(step.mnemonic,
                  {inputs[from(0)], tiles(from(0), i), slot(step.to)},
                  step.attributes);
      break;
    case Step::Kind::Reload:
      kernel.call(step.mnemonic, {intermediates[from(0)], 0, slot(step.to)});
      break;
    case Step::Kind::Matrix:
      kernel.call(step.mnemonic,
                  {inputs[from(0)], inputs[from(1)], tiles(from(0), i),
                   tiles(from(1), i), slot(step.to)});
      break;
    case Step::Kind::Fill:
    case Step::Kind::Vector: {
      SmallVector<Operand> operands;
      for (unsigned number : step.from)
        operands.push_back(slot(number));
      // What works on one register does so in place.
      if (step.from.size() != 1)
        operands.push_back(slot(step.to));
      for (int64_t number : step.numbers)
        operands.push_back(number);
      kernel.call(step.mnemonic, operands, step.attributes);
      break;
    }
    }
  }
}

void EltwiseWriter::write(unsigned count,
                          function_ref<I32(unsigned, unsigned)> tiles,
                          I32 first) {
  for (const Phase &phase : program.phases) {
    kernel.acquire();
    for (const Step &step : phase.steps)
      writeStep(step, phase.registers, count, tiles);
    kernel.commit();
    const Buffer &target =
        phase.intermediate ? intermediates[*phase.intermediate] : output;
    if (!intermediates.empty())
      kernel.call("pack_reconfig_data_format", {target});
    if (phase.intermediate)
      kernel.reserve(target);
    for (unsigned i = 0; i < count; ++i)
      kernel.pack(i * phase.registers + phase.result, target,
                  phase.intermediate ? I32(0) : first + i);
    kernel.release();
    if (phase.intermediate) {
      kernel.push(target);
      kernel.wait(target);
    }
  }
  for (const Buffer &buffer : intermediates)
    kernel.pop(buffer);
}
