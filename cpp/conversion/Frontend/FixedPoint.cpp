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
