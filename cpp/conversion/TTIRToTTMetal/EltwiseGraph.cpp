//===- EltwiseGraph.cpp - regions as graphs of instructions --------------===//

#include "conversion/TTIRToTTMetal/EltwiseGraph.h"

#include "dialects/TTIR/TTIR.h"
#include "ttmlir/Target/Common/functions.inc"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::eltwise;

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
#define TTMLIR_ROW(name, instruction, matrix, integers)                        \
  {"ttir." name, instruction, matrix},
    TTMLIR_ELTWISE_OPS(TTMLIR_ROW)
#undef TTMLIR_ROW
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

} // namespace

/// Functions of one tile that the vector engine has for integers; some it has
/// for them alone.
static bool takesIntegers(StringRef mnemonic) {
#define TTMLIR_CASE(name, instruction, matrix, integers)                       \
  .Case(instruction, integers)
  return llvm::StringSwitch<bool>(mnemonic) TTMLIR_ELTWISE_OPS(TTMLIR_CASE)
      .Default(false);
#undef TTMLIR_CASE
}

bool eltwise::isInTable(StringRef op) { return findRow(op); }

/// The elementwise op of 'ttir' that has the op's instruction, without its
/// dialect.
static StringRef getFunction(Operation *op) {
  if (auto kernel = dyn_cast<ttir::KernelOp>(op))
    return kernel.getOp();
  StringRef name = op->getName().stripDialect();
  const Row *row = findRow(op->getName().getStringRef());
  if (!row || isa<ttir::TTIROp>(op))
    return name;
  auto same = llvm::find_if(
      kRows, [&](const Row &other) { return other.mnemonic == row->mnemonic; });
  return same->op.starts_with("ttir.") ? same->op.drop_front(5) : name;
}

std::string tt::describeEltwise(Block &body) {
  SmallVector<StringRef> functions;
  for (Operation &op : body.without_terminator())
    if (!isa<tensor::EmptyOp, arith::ConstantOp, ttir::ConstantOp>(op))
      functions.push_back(getFunction(&op));
  return functions.empty() ? "copy" : "eltwise." + llvm::join(functions, "+");
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

Kind eltwise::kindOf(DataType type) {
  switch (type) {
  case DataType::Int32:
  case DataType::Int16:
  case DataType::Int8:
    return Kind::Signed;
  case DataType::UInt32:
  case DataType::UInt16:
  case DataType::UInt8:
    return Kind::Unsigned;
  default:
    return Kind::Float;
  }
}

DataType eltwise::wide(DataType type) {
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

SmallVector<NamedAttribute, 2>
eltwise::getTypecastAttributes(MLIRContext *context, DataType from,
                               DataType to) {
  Builder builder(context);
  auto format = [&](StringRef name, DataType type) {
    return builder.getNamedAttr(
        name, builder.getI32IntegerAttr(static_cast<int32_t>(type)));
  };
  return {format("in_dtype", from), format("out_dtype", to)};
}

static int64_t bitsOf(const APFloat &number) {
  APFloat single = number;
  bool losesInfo;
  single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return single.bitcastToAPInt().getZExtValue();
}

//===----------------------------------------------------------------------===//
// The graph of a region
//===----------------------------------------------------------------------===//

namespace {

/// The values of a region as nodes, operands before what they are used for.
class GraphBuilder {
public:
  GraphBuilder(Block &body, ArrayRef<EltwiseInput> inputs)
      : body(body), builder(body.getParentOp()->getContext()) {
    for (auto [i, input] : llvm::enumerate(inputs)) {
      Node node{Node::Form::Input, input.type};
      node.input = i;
      values[body.getArgument(i)] = add(node);
    }
  }

  SmallVector<Node> takeNodes() { return std::move(nodes); }

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
      APInt number = splat.getSplatValue<APInt>();
      node.numbers = {splat.getElementType().isSignedInteger()
                          ? number.getSExtValue()
                          : static_cast<int32_t>(number.getZExtValue())};
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
      // Integers are whole already.
      bool keeps = rounds(row->mnemonic) &&
                   kindOf(nodes[operands[0]].type) != Kind::Float;
      unsigned bits = narrowBits(operands, row->op, *type);
      maskBits(row->op, bits, operands);
      unsigned computed = keeps ? operands[0] : addVector(op, *row, operands);
      // The register has zeros above the element that are not counted.
      if (row->op == "ttir.clz" && bits < 32)
        computed = addBinary("sub_binary_tile", computed, 32 - bits);
      result = convert(
          computed, kindOf(*type) == Kind::Float ? DataType::Float32 : *type);
    }
    values[op->getResult(0)] = result;
    return success();
  }

  static bool rounds(StringRef mnemonic) {
    return llvm::is_contained({"ceil_tile", "floor_tile", "round_tile",
                               "roundeven_tile", "trunc_tile"},
                              mnemonic);
  }

  /// The bits of the elements that an op on bits sees: 32 but for operands of
  /// one narrower format, which of a shift is that of its result, too.
  unsigned narrowBits(ArrayRef<unsigned> operands, StringRef op,
                      DataType result) {
    DataType type = nodes[operands[0]].type;
    bool alike = llvm::all_of(operands, [&](unsigned operand) {
      return nodes[operand].type == type;
    });
    if (kindOf(type) == Kind::Float || !alike ||
        (op == "ttir.logical_right_shift" && result != type))
      return 32;
    return std::min(getDataTypeBits(type), 32u);
  }

  /// Clears the copies of the sign above narrow elements in registers of 32
  /// bits, for the ops that would see them.
  void maskBits(StringRef op, unsigned bits,
                SmallVectorImpl<unsigned> &operands) {
    if (bits < 32 && kindOf(nodes[operands[0]].type) == Kind::Signed &&
        llvm::is_contained(
            {"ttir.clz", "ttir.popcount", "ttir.logical_right_shift"}, op))
      operands[0] = addBinary("bitwise_and_binary_tile", operands[0],
                              (int64_t(1) << bits) - 1);
  }

  /// An instruction on a node of integers and a number.
  unsigned addBinary(StringRef mnemonic, unsigned value, int64_t number) {
    Node fill{Node::Form::Fill, DataType::Int32};
    fill.mnemonic = "fill_tile_int";
    fill.numbers = {number};
    Node node{Node::Form::Vector, DataType::Float32};
    node.mnemonic = mnemonic;
    node.operands = {value, add(fill)};
    node.type = unify(node.operands);
    return add(node);
  }

  unsigned addVector(Operation *op, const Row &row,
                     SmallVector<unsigned, 3> operands) {
    Node node{Node::Form::Vector, DataType::Float32};
    node.mnemonic = row.mnemonic;
    node.matrix = row.matrix;
    if (operands.size() == 1 && !takesIntegers(row.mnemonic))
      operands[0] = convert(operands[0], DataType::Float32);
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
    if (auto selu = dyn_cast<ttir::SeluOp>(op))
      node.numbers = {bitsOf(selu.getScale()), bitsOf(selu.getAlpha())};
    return add(node);
  }

  /// Converts operands to one kind, and returns the type that an instruction on
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

} // namespace

FailureOr<Graph> eltwise::buildGraph(Block &body, ArrayRef<EltwiseInput> inputs,
                                     DataType outputType, bool masks) {
  GraphBuilder builder(body, inputs);
  FailureOr<unsigned> root = builder.build(outputType, masks);
  if (failed(root))
    return failure();
  return Graph{builder.takeNodes(), *root};
}
