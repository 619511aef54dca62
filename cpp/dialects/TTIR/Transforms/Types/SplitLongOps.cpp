//===- SplitLongOps.cpp - ops on integers of 64 bits as ops on words ------===//

#include "dialects/TTIR/Transforms/Types/SplitLongOps.h"

#include "dialects/TT/Elements.h"
#include "dialects/TTIR/Transforms/Types/LegalTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::tt::ttir {

using namespace graph;
using Results = FailureOr<SmallVector<Words>>;

const char kSplitOps[] =
    "add, subtract, multiply, square, neg, abs, sign, relu, div, remainder, "
    "maximum, minimum, clamp, comparisons, logic, bits, shifts, where, "
    "typecast, bitcast_convert, ops that move elements, sum, prod, max, min, "
    "cumsum, cumprod, cummax, cummin, "
    "argmax, argsort, sort, topk, matmul, or scatter";

static Words valueOf(Value value) { return {value, {}}; }

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

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

Results OpSplitter::splitMove() {
  if (auto pad = dyn_cast<PadOp>(op); pad && !pad.getValue().isZero())
    return op->emitOpError("puts ")
           << pad.getValueAttr()
           << " around integers that may need more than 32 bits; expected 0";
  SmallVector<OpOperand *> moved = getMoved(op);
  SmallVector<Value> low(inputs), high(inputs);
  for (OpOperand *operand : moved) {
    unsigned i = operand->getOperandNumber();
    Words own = wholeWords(i);
    low[i] = own.low;
    high[i] = own.high;
  }
  return SmallVector<Words>{
      {cloneOn(low, half)->getResult(0), cloneOn(high, half)->getResult(0)}};
}

/// Updates that are added are summed apart, in a tensor of zeros.
Results OpSplitter::splitScatter() {
  Words x = wholeWords(0), updates = wholeWords(2);
  auto on = [&](Value into, Value from) {
    return cloneOn({into, input(1), from}, half)->getResult(0);
  };
  if (getScatterType(op) == ReduceType::Invalid)
    return SmallVector<Words>{
        {on(x.low, updates.low), on(x.high, updates.high)}};
  int64_t count = graph::typeOf(input(2)).getNumElements();
  if (failed(checkCount(count)))
    return failure();
  Value zeros = w.whole(w.half(0), shapeOf(input(0)));
  auto sum = [&](Value from) -> Value {
    return on(zeros, w.whole(from, shapeOf(input(2))));
  };
  return SmallVector<Words>{w.add(
      x, sumOf(sum, updates,
               ranges.get(input(2)).low < 0 || !ranges.fits(input(2)), count))};
}

/// One update after the other: what a row has by then, combined with it.
Results OpSplitter::splitScatterRows() {
  constexpr int64_t kMost = 256;
  auto rows = cast<ScatterRowsOp>(op);
  int64_t count = shapeOf(input(2))[0];
  if (count > kMost)
    return op->emitOpError("combines integers that may need more than 32 bits; "
                           "expected up to ")
           << kMost << " updates, found " << count;
  SmallVector<int64_t> shape(shapeOf(input(0)));
  auto tableType = RankedTensorType::get(shape, half);
  auto rowType = RankedTensorType::get({1, shape[1]}, half);
  Type number = b.getIndexType();
  Value places = b.cast(input(1), number);
  Value inside = b.eltwise("maximum", {places, b.scalar(0, number)});
  inside = b.eltwise("minimum", {inside, b.scalar(shape[0] - 1, number)});
  NamedAttribute replaces =
      b.attr("reduce_type",
             ReduceTypeAttr::get(op->getContext(), ReduceType::Invalid));
  bool sign = isSigned(input(0));
  Words table = wholeWords(0), updates = wholeWords(2);
  for (int64_t i = 0; i < count; ++i) {
    Value at = b.slice(inside, {i}, {i + 1}, {1});
    Words old{b.op("embedding", {at, table.low}, rowType),
              b.op("embedding", {at, table.high}, rowType)};
    Words own = sliceOf(updates, 0, i, i + 1);
    if (rows.getReduceType() == ReduceType::Prod) {
      own = w.multiply(old, own);
    } else {
      Value isLess = w.isLess(old, own, sign);
      own = rows.getReduceType() == ReduceType::Max
                ? w.select(isLess, own, old)
                : w.select(isLess, old, own);
    }
    own = w.whole(own, rowType.getShape());
    // A row that the table has not is left out here.
    Value row = b.slice(places, {i}, {i + 1}, {1});
    table = {
        b.op("scatter_rows", {table.low, row, own.low}, tableType, replaces),
        b.op("scatter_rows", {table.high, row, own.high}, tableType, replaces)};
  }
  return SmallVector<Words>{table};
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

SmallVector<int64_t> OpSplitter::getReducedDims() const {
  int64_t rank = graph::typeOf(inputs[0]).getRank();
  SmallVector<int64_t> dims;
  if (auto given = op->getAttrOfType<ArrayAttr>("dim_arg"))
    for (auto dim : given.getAsRange<IntegerAttr>())
      dims.push_back(*shapes::normalizeDim(dim.getInt(), rank));
  if (dims.empty())
    dims = graph::range(rank);
  return dims;
}

/// Sums of so few bits of the lower word that a word has room for `count` of
/// them; those of the upper word wrap.
Words OpSplitter::sumOf(function_ref<Value(Value)> sum, const Words &x,
                        bool hasUpper, int64_t count) {
  int64_t step = count <= (int64_t(1) << 16) ? 16 : 8;
  Value mask = w.half((1u << step) - 1);
  Words found = w.number(0);
  for (int64_t begin = 0; begin < 32; begin += step) {
    Value part = w.half("logical_right_shift", x.low, w.half(begin));
    if (begin + step < 32)
      part = w.half("bitwise_and", part, mask);
    found = w.add(found, w.shiftLeft(Words{sum(part), w.half(0)}, begin));
  }
  if (hasUpper)
    found.high = w.half("add", found.high, sum(x.high));
  return found;
}

Results OpSplitter::splitSum() {
  Value x = input(0);
  int64_t count =
      isa<CumSumOp>(op)
          ? graph::typeOf(x).getDimSize(*shapes::normalizeDim(
                cast<CumSumOp>(op).getDim(), graph::typeOf(x).getRank()))
          : graph::typeOf(x).getNumElements() /
                graph::typeOf(op->getResult(0)).getNumElements();
  if (failed(checkCount(count)))
    return failure();
  Words own = wholeWords(0);
  bool hasUpper = ranges.get(x).low < 0 || bitsOf(x) > 32;
  auto sum = [&](Value part) -> Value {
    return cloneOn({w.whole(part, shapeOf(x))}, half)->getResult(0);
  };
  return SmallVector<Words>{sumOf(sum, own, hasUpper, count)};
}

Words OpSplitter::sliceOf(const Words &x, int64_t dim, int64_t begin,
                          int64_t end) {
  auto part = [&](Value value) -> Value {
    SmallVector<int64_t> begins(shapeOf(value).size(), 0), ends(shapeOf(value)),
        steps(begins.size(), 1);
    begins[dim] = begin;
    ends[dim] = end;
    return b.slice(value, begins, ends, steps);
  };
  return {part(x.low), part(x.high)};
}

/// The product along a dimension, which stays with extent 1: of both halves,
/// until there is one element.
Words OpSplitter::multiplyAll(Words x, SmallVector<int64_t> &shape,
                              int64_t dim) {
  while (shape[dim] > 1) {
    int64_t count = shape[dim] / 2;
    Words found = w.multiply(sliceOf(x, dim, 0, count),
                             sliceOf(x, dim, count, 2 * count));
    bool isOdd = shape[dim] % 2;
    SmallVector<int64_t> now(shape);
    now[dim] = count;
    found = w.whole(found, now);
    if (isOdd) {
      Words rest = sliceOf(x, dim, 2 * count, 2 * count + 1);
      found = {b.concat({found.low, rest.low}, dim),
               b.concat({found.high, rest.high}, dim)};
    }
    shape[dim] = count + isOdd;
    x = found;
  }
  return x;
}

Results OpSplitter::splitProduct() {
  Words x = wholeWords(0);
  SmallVector<int64_t> shape(shapeOf(input(0)));
  for (int64_t dim : getReducedDims())
    x = multiplyAll(x, shape, dim);
  return SmallVector<Words>{w.whole(x, shapeOf(op->getResult(0)))};
}

/// Products, or extrema, of as many elements as there are steps behind, each
/// twice as long as the one before.
Results OpSplitter::splitScan() {
  Words x = wholeWords(0);
  SmallVector<int64_t> shape(shapeOf(input(0)));
  int64_t rank = shape.size();
  int64_t dim = *shapes::normalizeDim(
      op->getAttrOfType<IntegerAttr>("dim").getInt(), rank);
  bool sign = isSigned(input(0));
  auto combine = [&](const Words &a, const Words &b) {
    if (isa<CumProdOp>(op))
      return w.multiply(a, b);
    Value isLess = w.isLess(a, b, sign);
    return isa<CumMaxOp>(op) ? w.select(isLess, b, a) : w.select(isLess, a, b);
  };
  int64_t extent = shape[dim];
  for (int64_t step = 1; step < extent; step *= 2) {
    SmallVector<int64_t> rest(shape);
    rest[dim] = extent - step;
    Words first = sliceOf(x, dim, 0, step);
    Words found = w.whole(combine(sliceOf(x, dim, step, extent),
                                  sliceOf(x, dim, 0, extent - step)),
                          rest);
    x = {b.concat({first.low, found.low}, dim),
         b.concat({first.high, found.high}, dim)};
  }
  return SmallVector<Words>{x};
}

/// The greatest or least upper word, and the greatest or least lower one of
/// those that have it.
Words OpSplitter::reduce(const Words &x, ArrayRef<int64_t> dims, bool isMaximum,
                         bool isSigned) {
  StringRef name = isMaximum ? "max" : "min";
  Value high = w.ordered(x.high, isSigned);
  Value found = b.reduce(name, high, dims, /*keepDim=*/true);
  Value low = w.ordered(x.low, /*isSigned=*/false);
  // What is left out.
  Value others = b.splat(isMaximum ? INT32_MIN : INT32_MAX,
                         RankedTensorType::get({}, graph::elementOf(low)));
  low = b.select(b.predicate("eq", {high, found}), low, others);
  Value lower = b.reduce(name, low, dims, /*keepDim=*/true);
  return {w.unordered(lower, false), w.unordered(found, isSigned)};
}

Results OpSplitter::splitExtremum() {
  Words found = reduce(wholeWords(0), getReducedDims(), isa<MaxOp>(op),
                       isSigned(input(0)));
  return SmallVector<Words>{w.whole(found, shapeOf(op->getResult(0)))};
}

Results OpSplitter::splitArgMax() {
  Words x = wholeWords(0);
  Words most =
      reduce(x, getReducedDims(), /*isMaximum=*/true, isSigned(input(0)));
  Type number = b.getIndexType();
  Value isMost = b.cast(w.isEqual(x, most), number);
  Value place = cloneOn({isMost}, number)->getResult(0);
  Value result = op->getResult(0);
  if (isLong(result.getType()))
    return SmallVector<Words>{w.extend(place, false)};
  return SmallVector<Words>{valueOf(b.cast(place, graph::elementOf(result)))};
}

/// By the upper words first, and where they are equal by the lower ones.
Results OpSplitter::splitSort() {
  auto sort = dyn_cast<SortOp>(op);
  int64_t keys = sort ? sort.getNumKeys() : 1;
  ValueRange all = inputs;
  int64_t rank = graph::typeOf(inputs[0]).getRank();
  int64_t dim = -1;
  bool isDescending;
  if (sort) {
    dim = sort.getDim();
    isDescending = sort.getDescending();
  } else if (auto places = dyn_cast<ArgSortOp>(op)) {
    dim = places.getDim();
    isDescending = places.getDescending();
  } else {
    dim = cast<TopKOp>(op).getDim();
    isDescending = cast<TopKOp>(op).getLargest();
  }
  dim = *shapes::normalizeDim(dim, rank);

  SmallVector<Value> sorted;
  int64_t sortedKeys = 0;
  for (auto [i, value] : llvm::enumerate(all)) {
    bool isKey = static_cast<int64_t>(i) < keys;
    if (!isLong(value.getType())) {
      sorted.push_back(value);
      sortedKeys += isKey;
      continue;
    }
    Words own = w.whole(read(value), shapeOf(value));
    sorted.push_back(w.ordered(own.high, isSigned(value)));
    sorted.push_back(w.ordered(own.low, /*isSigned=*/false));
    sortedKeys += 2 * isKey;
  }
  OpBuilder &builder = b.getBuilder();
  SmallVector<Value> operands(sorted);
  SmallVector<Type> types;
  for (Value value : sorted)
    types.push_back(value.getType());
  types.push_back(RankedTensorType::get(shapeOf(inputs[0]), b.getIndexType()));
  for (Type type : types)
    operands.push_back(tensor::EmptyOp::create(
        builder, b.getLoc(), cast<RankedTensorType>(type).getShape(),
        cast<RankedTensorType>(type).getElementType()));
  SmallVector<Attribute> constraints(
      operands.size(),
      OperandConstraintAttr::get(builder.getContext(),
                                 OperandConstraint::AnyDeviceTile));
  NamedAttribute attributes[] = {
      b.si32("dim", dim),
      b.attr("descending", builder.getBoolAttr(isDescending)),
      b.attr("stable", builder.getBoolAttr(true)),
      b.attr("num_keys", builder.getI32IntegerAttr(sortedKeys)),
      b.attr("operandSegmentSizes", builder.getDenseI32ArrayAttr(
                                        {static_cast<int32_t>(sorted.size()),
                                         static_cast<int32_t>(types.size())})),
      b.attr("operand_constraints", builder.getArrayAttr(constraints))};
  Operation *made = builder.create(
      OperationState(b.getLoc(), "ttir.sort", operands, types, attributes));

  auto first = [&](Value value) -> Value {
    int64_t count = graph::typeOf(op->getResult(0)).getDimSize(dim);
    SmallVector<int64_t> begins(rank, 0), ends(shapeOf(value)), steps(rank, 1);
    if (ends[dim] == count)
      return value;
    ends[dim] = count;
    return b.slice(value, begins, ends, steps);
  };
  SmallVector<Words> found;
  unsigned next = 0;
  if (!isa<ArgSortOp>(op))
    for (Value value : all) {
      Value one = first(made->getResult(next++));
      if (!isLong(value.getType())) {
        found.push_back(valueOf(one));
        continue;
      }
      Value low = first(made->getResult(next++));
      found.push_back(
          {w.unordered(low, false), w.unordered(one, isSigned(value))});
    }
  Value places = first(made->getResult(made->getNumResults() - 1));
  Value result = op->getResult(op->getNumResults() - 1);
  found.push_back(isLong(result.getType())
                      ? w.extend(places, false)
                      : valueOf(b.cast(places, graph::elementOf(result))));
  return found;
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// All products of elements, which are summed.
Results OpSplitter::splitMatmul() {
  bool turned[2];
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    turned[0] = matmul.getTransposeA();
    turned[1] = matmul.getTransposeB();
  } else {
    turned[0] = cast<LinearOp>(op).getTransposeA();
    turned[1] = cast<LinearOp>(op).getTransposeB();
  }
  Value result = op->getResult(0);
  SmallVector<int64_t> shapes[2];
  Words factors[2];
  for (unsigned i : {0u, 1u}) {
    shapes[i] = SmallVector<int64_t>(shapeOf(input(i)));
    int64_t rank = shapes[i].size();
    if (rank < 2)
      return op->emitOpError("multiplies integers that may need more than 32 "
                             "bits; expected matrices, found ")
             << input(i).getType();
    factors[i] = wholeWords(i);
    if (turned[i]) {
      SmallVector<int64_t> order = graph::range(rank);
      std::swap(order[rank - 1], order[rank - 2]);
      std::swap(shapes[i][rank - 1], shapes[i][rank - 2]);
      factors[i] = {b.permute(factors[i].low, order),
                    b.permute(factors[i].high, order)};
    }
    // (..., M, K, 1) and (..., 1, K, N).
    shapes[i].insert(i == 0 ? shapes[i].end() : shapes[i].end() - 2, 1);
    factors[i] = w.whole(factors[i], shapes[i]);
  }
  int64_t depth = shapes[1][shapes[1].size() - 2];
  constexpr int64_t kMost = int64_t(1) << 26;
  int64_t count = graph::typeOf(result).getNumElements() * depth;
  if (count > kMost)
    return op->emitOpError("multiplies integers that may need more than 32 "
                           "bits; expected up to ")
           << kMost << " products of elements, found " << count;
  if (failed(checkCount(depth)))
    return failure();
  SmallVector<int64_t> shape(shapeOf(result));
  shape.insert(shape.end() - 1, depth);
  Words products = w.whole(w.multiply(factors[0], factors[1]), shape);
  int64_t dim = static_cast<int64_t>(shape.size()) - 2;
  auto sum = [&](Value part) -> Value {
    return b.reduce("sum", w.whole(part, shape), {dim}, /*keepDim=*/false);
  };
  Words found = sumOf(sum, products, /*hasUpper=*/true, depth);
  if (inputs.size() > 2)
    found = w.add(found, words(2));
  return SmallVector<Words>{found};
}

} // namespace mlir::tt::ttir
