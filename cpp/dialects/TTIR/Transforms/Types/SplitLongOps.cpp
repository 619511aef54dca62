//===- SplitLongOps.cpp - ops on integers of 64 bits as ops on words ------===//

#include "dialects/TTIR/Transforms/Types/SplitLongOps.h"

#include "dialects/TT/Elements.h"
#include "dialects/TTIR/Transforms/Types/LegalTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::tt::ttir {

using namespace graph;

const char kSplitOps[] =
    "add, subtract, multiply, square, neg, abs, sign, relu, div, remainder, "
    "maximum, minimum, clamp, comparisons, logic, bits, shifts, where, "
    "typecast, bitcast_convert, ops that move elements, sum, prod, max, min, "
    "cumsum, cumprod, cummax, cummin, "
    "argmax, argsort, sort, topk, matmul, or scatter";

OpSplitter::OpSplitter(OpBuilder &builder, Operation *op,
                       const IntegerRanges &ranges, Reader read)
    : op(op), ranges(ranges), read(read), inputs(getReadOperands(op)),
      b(builder, op->getLoc(), builder.getI1Type()), w(b),
      half(builder.getIntegerType(32, false)) {}

OpSplitter::Method OpSplitter::getMethod(Operation *op) {
  if (!isa<TTIRDialect>(op->getDialect()))
    return nullptr;
  if (isMove(op))
    return &OpSplitter::splitMove;
  StringRef name = op->getName().stripDialect();
  bool isElementwise =
      llvm::StringSwitch<bool>(name)
          .Cases({"add", "subtract", "multiply", "square", "neg", "abs"}, true)
          .Cases({"sign", "relu", "div", "remainder", "maximum", "minimum"},
                 true)
          .Cases({"eq", "ne", "lt", "le", "gt", "ge", "clamp", "where"}, true)
          .Cases({"logical_and", "logical_or", "logical_xor", "logical_not"},
                 true)
          .Cases({"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not"},
                 true)
          .Cases({"logical_left_shift", "logical_right_shift", "right_shift"},
                 true)
          .Cases({"popcount", "clz", "signbit", "clamp_tensor"}, true)
          .Default(false);
  if (isElementwise)
    return &OpSplitter::splitElementwise;
  if (std::optional<ReduceType> type = getScatterType(op)) {
    if (type == ReduceType::Sum || type == ReduceType::Invalid)
      return &OpSplitter::splitScatter;
    // The others are made of it.
    return isa<ScatterRowsOp>(op) ? &OpSplitter::splitScatterRows : nullptr;
  }
  return llvm::StringSwitch<Method>(name)
      .Case("typecast", &OpSplitter::splitTypecast)
      .Case("bitcast_convert", &OpSplitter::splitBitcast)
      .Cases({"constant", "fill", "full", "arange"}, &OpSplitter::splitConstant)
      .Cases({"sum", "cumsum"}, &OpSplitter::splitSum)
      .Case("prod", &OpSplitter::splitProduct)
      .Cases({"cumprod", "cummax", "cummin"}, &OpSplitter::splitScan)
      .Cases({"max", "min"}, &OpSplitter::splitExtremum)
      .Case("argmax", &OpSplitter::splitArgMax)
      .Cases({"sort", "argsort", "topk"}, &OpSplitter::splitSort)
      .Cases({"matmul", "linear"}, &OpSplitter::splitMatmul)
      .Default(nullptr);
}

bool OpSplitter::supports(Operation *op) { return getMethod(op); }

Results OpSplitter::split() { return (this->*getMethod(op))(); }

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Words OpSplitter::wholeWords(unsigned i) {
  return w.whole(words(i), shapeOf(input(i)));
}

bool OpSplitter::isSigned(Value value) const {
  return cast<IntegerType>(graph::elementOf(value)).isSigned();
}

/// As many bits as magnitudes need.
unsigned OpSplitter::bitsOf(Value value) const {
  Interval interval = ranges.get(value);
  llvm::DynamicAPInt most = abs(interval.low), other = abs(interval.high),
                     power(1);
  if (most < other)
    most = other;
  unsigned bits = 0;
  for (; power <= most && bits < 64; ++bits)
    power *= 2;
  return bits;
}

Operation *OpSplitter::cloneOn(ValueRange newInputs, Type element) {
  OpBuilder &builder = b.getBuilder();
  SmallVector<Value> operands(newInputs);
  SmallVector<Type> types;
  for (Type type : op->getResultTypes()) {
    auto made =
        RankedTensorType::get(cast<RankedTensorType>(type).getShape(), element);
    types.push_back(made);
    operands.push_back(tensor::EmptyOp::create(
        builder, b.getLoc(), made.getShape(), made.getElementType()));
  }
  return builder.create(OperationState(b.getLoc(), op->getName().getStringRef(),
                                       operands, types, op->getAttrs()));
}

LogicalResult OpSplitter::checkCount(int64_t count) {
  constexpr int64_t kMost = int64_t(1) << 24;
  if (count <= kMost)
    return success();
  return op->emitOpError("adds integers that may need more than 32 bits; "
                         "expected up to ")
         << kMost << " for an element of the result, found " << count;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// Whether a comparison holds for all integers of two ranges, or for none.
static std::optional<bool> getKnown(StringRef name, const Interval &x,
                                    const Interval &y) {
  bool isLess = x.high<y.low, isMore = x.low> y.high;
  bool isAtMost = x.high <= y.low, isAtLeast = x.low >= y.high;
  auto decided = [](bool isTrue, bool isFalse) -> std::optional<bool> {
    return isTrue    ? std::optional(true)
           : isFalse ? std::optional(false)
                     : std::nullopt;
  };
  return llvm::StringSwitch<std::optional<bool>>(name)
      .Case("eq", decided(false, isLess || isMore))
      .Case("ne", decided(isLess || isMore, false))
      .Case("lt", decided(isLess, isAtLeast))
      .Case("le", decided(isAtMost, isMore))
      .Case("gt", decided(isMore, isAtMost))
      .Case("ge", decided(isAtLeast, isLess))
      .Default(std::nullopt);
}

Results OpSplitter::splitElementwise() {
  StringRef name = op->getName().stripDialect();
  Value result = op->getResult(0);
  auto truth = [&](Value value) {
    return SmallVector<Words>{
        isLong(result.getType())
            ? w.extend(b.cast(value, half), false)
            : valueOf(b.cast(value, graph::elementOf(result)))};
  };
  auto negated = [&](Value value) -> Value {
    return b.predicate("logical_not", {value});
  };
  auto many = [](const Words &x) { return SmallVector<Words>{x}; };
  auto truthOf = [&](unsigned i) -> Value {
    if (isLong(input(i).getType()))
      return w.isNotZero(words(i));
    return graph::elementOf(input(i)).isInteger(1)
               ? input(i)
               : Value(b.cast(input(i), b.getBoolType()));
  };
  if (name == "where")
    return many(w.select(truthOf(0), words(1), words(2)));
  if (name == "logical_not")
    return truth(negated(truthOf(0)));
  if (name.starts_with("logical_") && !name.ends_with("shift"))
    return truth(b.predicate(name, {truthOf(0), truthOf(1)}));

  bool sign = isSigned(input(0));
  Words x = words(0);
  if (name == "neg")
    return many(w.negate(x));
  if (name == "abs")
    return many(sign ? w.absolute(x) : x);
  if (name == "bitwise_not")
    return many(w.complement(x));
  if (name == "square")
    return many(w.multiply(x, x));
  if (name == "relu")
    return many(sign ? w.select(w.isNegative(x), w.number(0), x) : x);
  if (name == "signbit")
    return truth(sign ? w.isNegative(x) : w.isNegative(w.number(0)));
  if (name == "sign") {
    Words one = w.select(w.isNotZero(x), w.number(1), w.number(0));
    return many(sign ? w.select(w.isNegative(x), w.number(-1), one) : one);
  }
  auto count = [&](Value value) -> Value {
    return b.eltwise(name, {value}, half);
  };
  if (name == "popcount")
    return many({w.half("add", count(x.low), count(x.high)), w.half(0)});
  if (name == "clz") {
    Value isSmall = b.predicate("eq", {x.high, w.half(0)});
    return many(w.select(isSmall,
                         {w.half("add", count(x.low), w.half(32)), w.half(0)},
                         {count(x.high), w.half(0)}));
  }
  auto limited = [&](Words value, const Words &least, const Words &most) {
    value = w.select(w.isLess(value, least, sign), least, value);
    return w.select(w.isLess(most, value, sign), most, value);
  };
  if (auto clamp = dyn_cast<ClampOp>(op)) {
    auto number = [&](const APFloat &limit, bool isLeast) {
      APSInt integer(64, /*isUnsigned=*/!sign);
      bool isExact;
      limit.convertToInteger(integer,
                             isLeast ? APFloat::rmTowardPositive
                                     : APFloat::rmTowardNegative,
                             &isExact);
      return w.number(static_cast<int64_t>(integer.getRawData()[0]));
    };
    return many(limited(x, number(clamp.getMin(), true),
                        number(clamp.getMax(), false)));
  }
  if (name == "clamp_tensor")
    return many(limited(x, words(1), words(2)));

  Words y = words(1);
  if (name == "add")
    return many(w.add(x, y));
  if (name == "subtract")
    return many(w.subtract(x, y));
  if (name == "multiply")
    return many(w.multiply(x, y));
  if (name.starts_with("bitwise_"))
    return many(w.bitwise(name, x, y));
  if (name == "logical_left_shift")
    return many(w.shiftLeft(x, y));
  if (name == "right_shift")
    return many(w.shiftRight(x, y, sign));
  if (name == "logical_right_shift")
    return many(w.shiftRight(x, y, /*isSigned=*/false));
  if (name == "div" && sign && ranges.fits(input(0)) && ranges.fits(input(1))) {
    // The only quotient that 32 bits do not hold is 2^31.
    Words found = w.extend(b.eltwise("div", {input(0), input(1)}), true);
    Value isGreatest =
        b.predicate("logical_and", {w.isEqual(x, w.number(INT32_MIN)),
                                    w.isEqual(y, w.number(-1))});
    return many(w.select(isGreatest, w.number(int64_t(1) << 31), found));
  }
  if (name == "div" || name == "remainder") {
    // A division by numbers that have no sign here takes none.
    bool mayBeNegative =
        sign && (ranges.get(input(0)).low < 0 || ranges.get(input(1)).low < 0);
    auto [quotient, rest] =
        w.divide(x, y, mayBeNegative, bitsOf(input(0)), bitsOf(input(1)));
    return many(name == "div" ? quotient : rest);
  }
  // What ranges decide needs no comparison: limits of the type are used as if
  // they were infinite.
  Interval first = ranges.get(input(0)), second = ranges.get(input(1));
  bool isBelow = first.high <= second.low, isAbove = first.low >= second.high;
  if (name == "maximum" || name == "minimum") {
    if (isBelow || isAbove)
      return many((name == "maximum") == isAbove ? x : y);
    bool isMaximum = name == "maximum";
    return many(
        w.select(w.isLess(x, y, sign), isMaximum ? y : x, isMaximum ? x : y));
  }
  if (std::optional<bool> known = getKnown(name, first, second))
    return truth(b.splat(*known, RankedTensorType::get({}, b.getBoolType())));
  if (name == "eq")
    return truth(w.isEqual(x, y));
  if (name == "ne")
    return truth(negated(w.isEqual(x, y)));
  if (name == "lt")
    return truth(w.isLess(x, y, sign));
  if (name == "gt")
    return truth(w.isLess(y, x, sign));
  if (name == "le")
    return truth(negated(w.isLess(y, x, sign)));
  assert(name == "ge" && "getMethod has all names");
  return truth(negated(w.isLess(x, y, sign)));
}

Results OpSplitter::splitTypecast() {
  Value result = op->getResult(0);
  Type from = graph::elementOf(input(0)), to = graph::elementOf(result);
  SmallVector<Words> found(1);
  if (isLong(input(0).getType())) {
    Words x = words(0);
    if (isLong(result.getType()))
      found[0] = x;
    else if (to.isInteger(1))
      found[0] = valueOf(w.isNotZero(x));
    else if (isa<FloatType>(to))
      found[0] = valueOf(w.toFloat(x, to, isSigned(input(0))));
    else
      found[0] = valueOf(w.truncate(x, to, shapeOf(result)));
    return found;
  }
  if (isa<FloatType>(from)) {
    found[0] = w.fromFloat(input(0), isSigned(result));
    return found;
  }
  found[0] = w.extend(input(0), ranges.get(input(0)).low < 0);
  return found;
}

/// A word is half of the bits, the lower one in front along a last dimension.
Results OpSplitter::splitBitcast() {
  Value result = op->getResult(0);
  RankedTensorType from = graph::typeOf(input(0)), to = graph::typeOf(result);
  Words x;
  if (isLong(from))
    x = words(0);
  else if (from.getElementType().isF64())
    x = w.bitsOfFloat(input(0));
  else if (from.getElementTypeBitWidth() == 32)
    x = w.unpair(input(0), to.getShape());
  else
    return op->emitOpError("expected elements of 32 or 64 bits that become ")
           << to << ", found " << from;
  if (isLong(to))
    return SmallVector<Words>{x};
  if (to.getElementType().isF64())
    return SmallVector<Words>{valueOf(w.floatOfBits(x))};
  if (to.getElementTypeBitWidth() == 32)
    return SmallVector<Words>{
        valueOf(w.pair(x, from.getShape(), to.getElementType()))};
  return op->emitOpError("expected elements of 32 or 64 bits, found ") << to;
}

Results OpSplitter::splitConstant() {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Words> found(1);
  if (auto full = dyn_cast<FullOp>(op)) {
    auto number = dyn_cast<IntegerAttr>(full.getFillValue());
    if (!number)
      return op->emitOpError("expected an integer of 32 bits for ")
             << type << ", found " << full.getFillValue();
    found[0] = w.number(number.getInt());
    return found;
  }
  if (auto arange = dyn_cast<ArangeOp>(op)) {
    int64_t dim = arange.getArangeDimension();
    SmallVector<APInt> numbers;
    for (int64_t i = 0, e = type.getDimSize(dim); i < e; ++i)
      numbers.emplace_back(64, arange.getStart() + i * arange.getStep(),
                           /*isSigned=*/true);
    SmallVector<int64_t> shape(type.getRank(), 1);
    shape[dim] = type.getDimSize(dim);
    found[0] = w.constant(DenseElementsAttr::get(
        RankedTensorType::get(shape, type.getElementType()),
        ArrayRef<APInt>(numbers)));
    return found;
  }
  DenseElementsAttr elements =
      getDenseElements(op->getAttrOfType<ElementsAttr>("value"), type);
  if (!elements)
    return op->emitOpError(
               "expected dense elements that are in the file, found ")
           << type;
  found[0] = w.constant(elements);
  return found;
}

} // namespace mlir::tt::ttir
