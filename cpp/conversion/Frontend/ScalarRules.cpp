#include "conversion/Frontend/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt::frontend {

namespace {

/// An op of arith or math that is one elementwise op of TTIR.
struct Row {
  StringRef op;
  StringRef ttir;
};

constexpr Row rows[] = {
    // clang-format off
    {"arith.addf", "add"},           {"arith.addi", "add"},
    {"arith.subf", "subtract"},      {"arith.subi", "subtract"},
    {"arith.mulf", "multiply"},      {"arith.muli", "multiply"},
    {"arith.divf", "div"},           {"arith.divsi", "div"},
    {"arith.negf", "neg"},           {"arith.maximumf", "maximum"},
    {"arith.minimumf", "minimum"},   {"arith.maxsi", "maximum"},
    {"arith.minsi", "minimum"},      {"arith.remf", "remainder"},
    {"arith.remsi", "remainder"},    {"arith.select", "where"},
    {"math.absf", "abs"},            {"math.absi", "abs"},
    {"math.cbrt", "cbrt"},           {"math.ceil", "ceil"},
    {"math.cos", "cos"},             {"math.erf", "erf"},
    {"math.exp", "exp"},             {"math.expm1", "expm1"},
    {"math.floor", "floor"},         {"math.isfinite", "isfinite"},
    {"math.log", "log"},             {"math.log1p", "log1p"},
    {"math.powf", "power"},          {"math.rsqrt", "rsqrt"},
    {"math.sin", "sin"},             {"math.sqrt", "sqrt"},
    {"math.tan", "tan"},             {"math.tanh", "tanh"},
    {"math.acos", "acos"},           {"math.acosh", "acosh"},
    {"math.asin", "asin"},           {"math.asinh", "asinh"},
    {"math.atan", "atan"},           {"math.atan2", "atan2"},
    {"math.atanh", "atanh"},         {"math.cosh", "cosh"},
    {"math.ctlz", "clz"},            {"math.ctpop", "popcount"},
    {"math.erfc", "erfc"},           {"math.exp2", "exp2"},
    {"math.round", "round"},         {"math.roundeven", "roundeven"},
    {"math.sinh", "sinh"},           {"math.trunc", "trunc"},
    // clang-format on
};

/// Ops that need more than one op of TTIR, or depend on their types.
constexpr StringRef compounds[] = {
    "arith.andi",       "arith.ori",     "arith.xori",   "arith.maxnumf",
    "arith.minnumf",    "arith.maxui",   "arith.minui",  "arith.cmpf",
    "arith.cmpi",       "arith.extf",    "arith.truncf", "arith.sitofp",
    "arith.uitofp",     "arith.fptosi",  "arith.extui",  "arith.extsi",
    "arith.shli",       "arith.shrsi",   "arith.shrui",  "arith.trunci",
    "arith.index_cast", "math.log2",     "math.log10",   "math.fma",
    "math.clampf",      "math.copysign", "math.isnan",   "math.isinf",
};

bool isBool(Value operand) {
  return getElementTypeOrSelf(operand.getType()).isInteger(1);
}

class ScalarTranslation {
public:
  ScalarTranslation(Operation *op, ValueRange operands, Type element,
                    GraphBuilder &graph)
      : op(op), operands(operands), element(element), graph(graph) {}

  /// Null if the op has another form than the supported ones; then `problem`
  /// says what was expected.
  Value run();
  std::string problem;

private:
  Value bitwise(StringRef logical, StringRef bits);
  Value compareFloats(arith::CmpFPredicate predicate);
  Value compareIntegers(arith::CmpIPredicate predicate);
  Value floatPredicate(StringRef name, bool unordered);
  Value convertTo();
  Value compound();
  Value e(StringRef name, ValueRange inputs) {
    return graph.eltwise(name, inputs, element);
  }
  Value number(double value) { return graph.scalar(value, element); }
  Value fail(const Twine &text) {
    problem = text.str();
    return nullptr;
  }

  Operation *op;
  ValueRange operands;
  Type element;
  GraphBuilder &graph;
};

Value ScalarTranslation::run() {
  StringRef name = op->getName().getStringRef();
  if (isa<arith::MaximumFOp>(op))
    for (unsigned zero : {0, 1})
      if (constantSplat(op->getOperand(zero)) == 0.0)
        return e("relu", operands[1 - zero]);
  for (const Row &row : rows)
    if (row.op == name)
      return row.ttir == "where"
                 ? graph.select(operands[0], operands[1], operands[2])
                 : graph.eltwise(row.ttir, operands, element);
  return compound();
}

Value ScalarTranslation::bitwise(StringRef logical, StringRef bits) {
  return e(isBool(op->getOperand(0)) ? logical : bits, operands);
}

/// A comparison whose result with NaN is `unordered`.
Value ScalarTranslation::floatPredicate(StringRef name, bool unordered) {
  if (!unordered)
    return graph.predicate(name, operands);
  // `a ult b` is not `a oge b`.
  StringRef opposite = llvm::StringSwitch<StringRef>(name)
                           .Case("lt", "ge")
                           .Case("le", "gt")
                           .Case("gt", "le")
                           .Case("ge", "lt");
  return graph.predicate("logical_not", graph.predicate(opposite, operands));
}

Value ScalarTranslation::compareFloats(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  auto unordered = [&]() -> Value {
    return graph.predicate(
        "logical_or", {graph.isNaN(operands[0]), graph.isNaN(operands[1])});
  };
  switch (predicate) {
  case P::AlwaysFalse:
    return graph.scalar(0, element);
  case P::AlwaysTrue:
    return graph.scalar(1, element);
  case P::OEQ:
    return graph.predicate("eq", operands);
  case P::UNE:
    return graph.predicate("ne", operands);
  case P::OGT:
  case P::UGT:
    return floatPredicate("gt", predicate == P::UGT);
  case P::OGE:
  case P::UGE:
    return floatPredicate("ge", predicate == P::UGE);
  case P::OLT:
  case P::ULT:
    return floatPredicate("lt", predicate == P::ULT);
  case P::OLE:
  case P::ULE:
    return floatPredicate("le", predicate == P::ULE);
  case P::ONE:
    return graph.predicate("logical_or", {graph.predicate("lt", operands),
                                          graph.predicate("gt", operands)});
  case P::UEQ:
    return graph.predicate("logical_or",
                           {graph.predicate("eq", operands), unordered()});
  case P::UNO:
    return unordered();
  case P::ORD:
    return graph.predicate("logical_not", unordered());
  }
  return fail("unknown predicate");
}

Value ScalarTranslation::compareIntegers(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  StringRef name;
  switch (predicate) {
  case P::eq:
    name = "eq";
    break;
  case P::ne:
    name = "ne";
    break;
  case P::slt:
  case P::ult:
    name = "lt";
    break;
  case P::sle:
  case P::ule:
    name = "le";
    break;
  case P::sgt:
  case P::ugt:
    name = "gt";
    break;
  case P::sge:
  case P::uge:
    name = "ge";
    break;
  }
  bool ordered = predicate != P::eq && predicate != P::ne;
  bool isUnsigned = predicate >= P::ult;
  // Numbers of loops are not negative.
  bool isIndex = op->getOperand(0).getType().isIndex();
  if (ordered && !isIndex && isUnsigned != isBool(op->getOperand(0)))
    return fail("comparison '" + stringifyCmpIPredicate(predicate).str() +
                "': expected a signed comparison of integers or an unsigned "
                "one of i1");
  return graph.predicate(name, operands);
}

Value ScalarTranslation::convertTo() {
  Value input = operands[0];
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  bool fromBool = getElementTypeOrSelf(from).isInteger(1);
  bool toBool = getElementTypeOrSelf(to).isInteger(1);
  if (isa<arith::ExtSIOp, arith::SIToFPOp>(op) && fromBool)
    return e("neg", graph.cast(input, element));
  if (isa<arith::TruncIOp>(op) && toBool)
    return graph.predicate(
        "ne", {graph.eltwise("bitwise_and",
                             {input, graph.scalar(1, elementOf(input))}),
               graph.scalar(0, elementOf(input))});
  if (isa<arith::FPToSIOp>(op)) {
    if (toBool)
      return fail("expected a conversion to i32, found one to i1");
    // A typecast to an integer truncates.
    return graph.cast(input, element);
  }
  if (isa<arith::ExtUIOp, arith::UIToFPOp>(op) && !fromBool)
    return fail("expected an input of type i1: i32 is signed in TTIR");
  return graph.cast(input, element);
}

Value ScalarTranslation::compound() {
  Value a = operands.front(), b = operands.back();
  using namespace arith;
  using namespace math;
  return TypeSwitch<Operation *, Value>(op)
      .Case<AndIOp>([&](auto) { return bitwise("logical_and", "bitwise_and"); })
      .Case<OrIOp>([&](auto) { return bitwise("logical_or", "bitwise_or"); })
      .Case<XOrIOp>([&](auto) { return bitwise("logical_xor", "bitwise_xor"); })
      .Case<MaxNumFOp>([&](auto) { return graph.ignoringNaN("maximum", a, b); })
      .Case<MinNumFOp>([&](auto) { return graph.ignoringNaN("minimum", a, b); })
      .Case<MaxUIOp, MinUIOp>([&](auto) {
        if (!isBool(op->getOperand(0)))
          return fail("expected inputs of type i1: i32 is signed in TTIR");
        return e(isa<MaxUIOp>(op) ? "logical_or" : "logical_and", operands);
      })
      .Case([&](CmpFOp cmp) { return compareFloats(cmp.getPredicate()); })
      .Case([&](CmpIOp cmp) { return compareIntegers(cmp.getPredicate()); })
      .Case<ExtFOp, TruncFOp, SIToFPOp, UIToFPOp, FPToSIOp, ExtUIOp, ExtSIOp,
            TruncIOp, IndexCastOp>([&](auto) { return convertTo(); })
      .Case<Log2Op>([&](auto) {
        return e("multiply", {e("log", a), number(M_LOG2E)});
      })
      .Case<Log10Op>([&](auto) {
        return e("multiply", {e("log", a), number(M_LOG10E)});
      })
      .Case<FmaOp>([&](auto) {
        return e("add", {e("multiply", {a, operands[1]}), b});
      })
      .Case<ClampFOp>([&](auto) {
        return e("minimum", {e("maximum", {a, operands[1]}), b});
      })
      .Case<CopySignOp>([&](auto) {
        Value size = e("abs", a);
        return Value(
            graph.select(graph.predicate("signbit", b), e("neg", size), size));
      })
      .Case<IsNaNOp>([&](auto) { return graph.isNaN(a); })
      .Case<IsInfOp>([&](auto) {
        Value infinity = graph.scalar(INFINITY, elementOf(a));
        return graph.predicate("eq", {graph.eltwise("abs", a), infinity});
      })
      .Case<ShLIOp, ShRSIOp, ShRUIOp>([&](auto) {
        if (isBool(op->getOperand(0)))
          return fail("expected a shift of integers of more than one bit");
        return e(isa<ShLIOp>(op)    ? "logical_left_shift"
                 : isa<ShRSIOp>(op) ? "right_shift"
                                    : "logical_right_shift",
                 operands);
      })
      .Default([&](Operation *) {
        SmallVector<StringRef> known;
        StringRef dialect = op->getName().getDialectNamespace();
        for (const Row &row : rows)
          known.push_back(row.op);
        known.append(std::begin(compounds), std::end(compounds));
        llvm::erase_if(known, [&](StringRef candidate) {
          return candidate.split('.').first != dialect;
        });
        llvm::sort(known);
        if (known.empty())
          return fail("expected ops of arith and math");
        return fail("expected one of " + llvm::join(known, ", "));
      });
}

LogicalResult convertScalarOnTensors(Operation *op, Translator &translator) {
  if (!isa<RankedTensorType>(op->getResult(0).getType()))
    return op->emitOpError("cannot be expressed in TTIR: expected tensors, "
                           "found ")
           << op->getResult(0).getType();
  Value result =
      translateScalar(op, translator.get(op->getOperands()), translator);
  return result ? translator.set(op->getResult(0), result) : failure();
}

} // namespace

Value translateScalar(Operation *op, ValueRange operands, Type element,
                      GraphBuilder &graph) {
  if (op->getNumResults() != 1 || operands.empty()) {
    op->emitOpError("cannot be expressed in TTIR: expected ops of arith and "
                    "math with one result");
    return nullptr;
  }
  ScalarTranslation translation(op, operands, element, graph);
  Value result = translation.run();
  if (!result)
    op->emitOpError("cannot be expressed in TTIR: " + translation.problem);
  return result;
}

Value translateScalar(Operation *op, ValueRange operands,
                      Translator &translator) {
  Type type = op->getNumResults() == 1
                  ? getElementTypeOrSelf(op->getResult(0).getType())
                  : Type();
  // An index is a 32-bit number here; extents of tensors fit.
  Type element = !type            ? Type()
                 : type.isIndex() ? translator.graph().getIndexType()
                                  : translator.element(type);
  if (type && !element) {
    op->emitOpError("cannot be expressed in TTIR: expected elements f32, f16, "
                    "bf16, i32 or i1, found ")
        << type;
    return nullptr;
  }
  return translateScalar(op, operands, element, translator.graph());
}

void addScalarRules(Rules &rules) {
  for (const Row &row : rows)
    rules.add(row.op, convertScalarOnTensors);
  for (StringRef op : compounds)
    rules.add(op, convertScalarOnTensors);
}

} // namespace mlir::tt::frontend
