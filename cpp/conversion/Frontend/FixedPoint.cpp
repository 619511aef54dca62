#include "conversion/Frontend/FixedPoint.h"

namespace mlir::tt::frontend {

namespace {

/// Ops on integers of 32 bits, signed or not.
class Words {
public:
  explicit Words(GraphBuilder &graph)
      : graph(graph), isSigned(graph.getIndexType()),
        isUnsigned(graph.getBuilder().getIntegerType(32, false)) {}

  Value low16(Value x) { return bits(x, number(0xffff, elementOf(x))); }
  /// The upper half; with the sign where the type has one.
  Value high16(Value x) { return right(x, number(16, elementOf(x))); }
  Value right(Value x, Value count) {
    bool hasSign = elementOf(x) == isSigned;
    return graph.eltwise(hasSign ? "right_shift" : "logical_right_shift",
                         {x, count});
  }
  Value left(Value x, Value count) {
    return graph.eltwise("logical_left_shift", {x, count});
  }
  Value add(Value a, Value b) { return graph.eltwise("add", {a, b}); }
  Value times(Value a, Value b) { return graph.eltwise("multiply", {a, b}); }
  Value bits(Value a, Value b) { return graph.eltwise("bitwise_and", {a, b}); }
  Value either(Value a, Value b) { return graph.eltwise("bitwise_or", {a, b}); }
  Value logicalRight(Value x, int64_t count) {
    return asSigned(right(asUnsigned(x), number(count, isUnsigned)));
  }
  /// 1 where `a` is below `b`, both without a sign.
  Value carry(Value a, Value b) {
    return graph.cast(graph.predicate("lt", {asUnsigned(a), asUnsigned(b)}),
                      isSigned);
  }
  Value asSigned(Value x) { return graph.cast(x, isSigned); }
  Value asUnsigned(Value x) { return graph.cast(x, isUnsigned); }
  Value number(int64_t value, Type type) { return graph.scalar(value, type); }
  /// A constant of `shape`, one number for each of `of`.
  template <typename FunctionT>
  Value each(ArrayRef<int64_t> of, Shape shape, Type type, FunctionT function) {
    SmallVector<APInt> values;
    for (int64_t value : of)
      values.push_back(
          APInt(32, static_cast<uint64_t>(function(value)) & 0xffffffffu));
    return graph.constant(
        DenseElementsAttr::get(RankedTensorType::get(shape, type), values));
  }

  GraphBuilder &graph;
  Type isSigned, isUnsigned;
};

/// (`high` * 2^32 + `low` + 2^(shift - 1)) >> `shift`, of a ui32 and an si32.
Value shiftRounded(Words &words, Value low, Value high,
                   ArrayRef<int64_t> shifts, Shape shape) {
  GraphBuilder &graph = words.graph;
  // The rounding, with its carry.
  auto half = [](int64_t shift) {
    return shift == 0 ? uint64_t(0) : uint64_t(1) << (shift - 1);
  };
  Value roundLow = words.each(shifts, shape, words.isUnsigned,
                              [&](int64_t s) { return half(s) & 0xffffffffu; });
  Value roundHigh = words.each(shifts, shape, words.isSigned,
                               [&](int64_t s) { return half(s) >> 32; });
  Value rounded = words.add(low, roundLow);
  Value carry =
      graph.cast(graph.predicate("lt", {rounded, low}), words.isSigned);
  high = words.add(words.add(high, roundHigh), carry);
  // The words that the result is cut from: those above 2^32, or both.
  Value fromHigh = words.right(
      high, words.each(shifts, shape, words.isSigned,
                       [](int64_t s) { return std::max<int64_t>(s - 32, 0); }));
  if (llvm::all_of(shifts, [](int64_t shift) { return shift >= 32; }))
    return fromHigh;
  Value lower = words.right(
      rounded, words.each(shifts, shape, words.isUnsigned,
                          [](int64_t s) { return std::min<int64_t>(s, 31); }));
  // Places above the word of 32 bits are shifted out in two steps, since no
  // shift is by 32.
  Value upper =
      words.left(words.left(words.asUnsigned(high),
                            words.each(shifts, shape, words.isUnsigned,
                                       [](int64_t s) {
                                         return std::max<int64_t>(31 - s, 0);
                                       })),
                 words.number(1, words.isUnsigned));
  Value fromBoth = words.asSigned(words.either(lower, upper));
  if (llvm::all_of(shifts, [](int64_t shift) { return shift < 32; }))
    return fromBoth;
  Value isHigh = words.each(shifts, shape, words.isSigned,
                            [](int64_t s) { return s >= 32; });
  return graph.select(isHigh, fromHigh, fromBoth);
}

} // namespace

Value multiplyShift(GraphBuilder &graph, Value a, Value b,
                    ArrayRef<int64_t> shifts, Shape shape) {
  Words words(graph);
  if (llvm::all_of(shifts, [](int64_t shift) { return shift == 0; }))
    return words.times(a, b);
  // Four products of halves, the lower ones without a sign.
  Value aHigh = words.high16(a), aLow = words.low16(a);
  Value bHigh = words.high16(b), bLow = words.low16(b);
  Value lowest = words.times(words.asUnsigned(aLow), words.asUnsigned(bLow));
  Value middle[] = {words.times(aLow, bHigh), words.times(aHigh, bLow)};
  Value high = words.times(aHigh, bHigh);
  // What stands at 2^16: no sum of halves leaves 32 bits.
  Value sum = words.asSigned(words.high16(lowest));
  for (Value part : middle) {
    sum = words.add(sum, words.low16(part));
    high = words.add(high, words.high16(part));
  }
  high = words.add(high, words.high16(sum));
  Value low = words.either(
      words.left(words.asUnsigned(sum), words.number(16, words.isUnsigned)),
      words.low16(lowest));
  return shiftRounded(words, low, high, shifts, shape);
}

Wide readPair(GraphBuilder &graph, Value pair) {
  Shape shape = shapeOf(pair);
  auto part = [&](int64_t i) -> Value {
    SmallVector<int64_t> begins(shape.size(), 0), ends(shape), steps(ends);
    begins[0] = i, ends[0] = i + 1;
    std::fill(steps.begin(), steps.end(), 1);
    return graph.reshape(graph.slice(pair, begins, ends, steps),
                         shape.drop_front());
  };
  return {part(0), part(1)};
}

Value writePair(GraphBuilder &graph, Wide numbers) {
  SmallVector<Value> parts;
  for (Value part : {numbers.low, numbers.high}) {
    SmallVector<int64_t> shape(shapeOf(part));
    shape.insert(shape.begin(), 1);
    parts.push_back(graph.reshape(part, shape));
  }
  return graph.concat(parts, 0);
}

Wide addWide(GraphBuilder &graph, Wide a, Wide b) {
  Words words(graph);
  Value low = words.add(a.low, b.low);
  Value high = words.add(words.add(a.high, b.high), words.carry(low, a.low));
  return {low, high};
}

std::optional<Wide>
sumProducts(GraphBuilder &graph, Factor a, Factor b, int64_t terms,
            llvm::function_ref<Value(Value, Value)> product) {
  Words words(graph);
  if (a.bound * b.bound <= ((int64_t(1) << 31) - 1) / terms) {
    Value sum = words.asSigned(product(a.value, b.value));
    return Wide{sum, words.right(sum, words.number(31, words.isSigned))};
  }
  bool splitsA = a.bound >= b.bound;
  Factor &wider = splitsA ? a : b;
  if (wider.bound < 16)
    return std::nullopt;
  // Its upper bits, and the lower 8 or 4 without a sign.
  int64_t bits = wider.bound < 256 ? 4 : 8, lowest = (1 << bits) - 1;
  Value word = words.asSigned(wider.value);
  Factor upper{words.right(word, words.number(bits, words.isSigned)),
               (wider.bound >> bits) + 1};
  Factor lower{words.bits(word, words.number(lowest, words.isSigned)), lowest};
  auto sum = [&](Factor part) {
    return splitsA ? sumProducts(graph, part, b, terms, product)
                   : sumProducts(graph, a, part, terms, product);
  };
  std::optional<Wide> high = sum(upper), low = sum(lower);
  if (!high || !low)
    return std::nullopt;
  Value count = words.number(bits, words.isSigned);
  Wide shifted{words.left(high->low, count),
               words.either(words.left(high->high, count),
                            words.logicalRight(high->low, 32 - bits))};
  return addWide(graph, shifted, *low);
}

Value multiplyShiftWide(GraphBuilder &graph, Wide a, Value b,
                        ArrayRef<int64_t> shifts, Shape shape) {
  Words words(graph);
  Value first = words.times(words.low16(a.low), b);
  Value second = words.times(words.logicalRight(a.low, 16), b);
  Value low =
      words.add(first, words.left(second, words.number(16, words.isSigned)));
  Value high = words.add(words.times(a.high, b), words.high16(second));
  high = words.add(high, words.carry(low, first));
  return shiftRounded(words, words.asUnsigned(low), high, shifts, shape);
}

std::pair<int32_t, int64_t> reciprocalScale(int64_t count) {
  // 2^(30 + k) / count with 30 bits, where 2^k is the power of two that is at
  // least `count`.
  int64_t k = 0;
  while ((int64_t(1) << k) < count)
    ++k;
  int64_t numerator = ((int64_t(1) << 30) + 1) << k;
  return {static_cast<int32_t>(numerator / count), 30 + k};
}

} // namespace mlir::tt::frontend
