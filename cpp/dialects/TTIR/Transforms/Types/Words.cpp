//===- Words.cpp - arithmetic of 64 bits on words of 32 -------------------===//

#include "dialects/TTIR/Transforms/Types/Words.h"

#include "dialects/TTIR/TTIR.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::tt::ttir {

using namespace graph;

static constexpr int64_t kWord = 32;

static std::optional<uint32_t> splatOf(Value x) {
  DenseElementsAttr elements = elementsOf(x);
  if (!elements || !elements.isSplat())
    return std::nullopt;
  return static_cast<uint32_t>(elements.getSplatValue<APInt>().getZExtValue());
}

static bool isZero(Value x) { return splatOf(x) == 0u; }

WordBuilder::WordBuilder(GraphBuilder &b)
    : b(b), element(b.getBuilder().getIntegerType(kWord, false)),
      signedElement(b.getBuilder().getIntegerType(kWord, true)) {}

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

Value WordBuilder::half(uint32_t number) {
  // It broadcasts to everything.
  return b.splat(number, RankedTensorType::get({}, element));
}

Value WordBuilder::half(StringRef name, Value x, Value y) {
  if (name == "add" || name.starts_with("bitwise_") || name == "multiply")
    if (splatOf(x) && !splatOf(y))
      std::swap(x, y);
  bool isProduct = name == "multiply" || name == "bitwise_and";
  if (isZero(y))
    return isProduct ? half(0) : x;
  if (isZero(x) && (isProduct || name.ends_with("shift")))
    return half(0);
  if ((name == "multiply" && splatOf(y) == 1u) ||
      (name == "bitwise_and" && splatOf(y) == ~0u))
    return x;
  if (name == "add" && isZero(x))
    return y;
  return b.eltwise(name, {x, y}, element);
}

Value WordBuilder::bits(Value x, Type to) {
  if (graph::elementOf(x) == to)
    return x;
  if (DenseElementsAttr elements = elementsOf(x))
    return b.constant(elements.bitcast(to));
  return b.op("bitcast_convert", x, RankedTensorType::get(shapeOf(x), to));
}

Value WordBuilder::ordered(Value x, bool isSigned) {
  return bits(isSigned ? x : half("bitwise_xor", x, half(1u << 31)),
              signedElement);
}

Value WordBuilder::unordered(Value x, bool isSigned) {
  Value found = bits(x, element);
  return isSigned ? found : half("bitwise_xor", found, half(1u << 31));
}

Value WordBuilder::carry(Value x, Value y) {
  if (isZero(y))
    return half(0);
  return b.cast(b.predicate("lt", {x, y}), element);
}

Value WordBuilder::whole(Value x, ArrayRef<int64_t> shape) {
  if (shapeOf(x) == shape)
    return x;
  if (std::optional<uint32_t> number = splatOf(x))
    return b.splat(*number, RankedTensorType::get(shape, graph::elementOf(x)));
  if (ShapedType::getNumElements(shape) ==
      ShapedType::getNumElements(shapeOf(x)))
    return b.reshape(x, shape);
  return b.broadcast(x, shape);
}

Words WordBuilder::whole(const Words &x, ArrayRef<int64_t> shape) {
  return {whole(x.low, shape), whole(x.high, shape)};
}

//===----------------------------------------------------------------------===//
// To words and back
//===----------------------------------------------------------------------===//

Words WordBuilder::number(int64_t value) {
  return {half(static_cast<uint32_t>(value)),
          half(static_cast<uint32_t>(static_cast<uint64_t>(value) >> kWord))};
}

Words WordBuilder::constant(DenseElementsAttr elements) {
  SmallVector<APInt> low, high;
  for (const APInt &number : elements.getValues<APInt>()) {
    low.push_back(number.extractBits(kWord, 0));
    high.push_back(number.extractBits(kWord, kWord));
    if (elements.isSplat())
      break;
  }
  if (elements.isSplat())
    return {half(low.front().getZExtValue()),
            half(high.front().getZExtValue())};
  auto type = RankedTensorType::get(elements.getType().getShape(), element);
  return {b.constant(DenseElementsAttr::get(type, ArrayRef<APInt>(low))),
          b.constant(DenseElementsAttr::get(type, ArrayRef<APInt>(high)))};
}

Words WordBuilder::extend(Value narrow, bool isNegative) {
  auto integer = cast<IntegerType>(graph::elementOf(narrow));
  if (!integer.isSigned())
    return {b.cast(narrow, element), half(0)};
  Value x = b.cast(narrow, signedElement);
  if (!isNegative)
    return {bits(x, element), half(0)};
  Value places = bits(half(kWord - 1), signedElement);
  Value sign = b.eltwise("right_shift", {x, places}, signedElement);
  return {bits(x, element), bits(sign, element)};
}

Value WordBuilder::truncate(const Words &x, Type to, ArrayRef<int64_t> shape) {
  Value low = whole(x.low, shape);
  if (cast<IntegerType>(to).isSigned())
    low = bits(low, signedElement);
  return b.cast(low, to);
}

static SmallVector<int64_t> behindOne(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> all{1};
  llvm::append_range(all, shape);
  if (shape.empty())
    all.push_back(1);
  return all;
}

Value WordBuilder::stack(const Words &x, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> row = behindOne(shape);
  return b.concat({b.reshape(whole(x.low, shape), row),
                   b.reshape(whole(x.high, shape), row)},
                  0);
}

Words WordBuilder::unstack(Value stacked, ArrayRef<int64_t> shape) {
  auto part = [&](int64_t i) -> Value {
    SmallVector<int64_t> begins(shapeOf(stacked).size(), 0),
        ends(shapeOf(stacked)), steps(begins.size(), 1);
    begins[0] = i;
    ends[0] = i + 1;
    return b.reshape(b.slice(stacked, begins, ends, steps), shape);
  };
  Value low = part(0);
  return {bits(low, element), bits(part(1), element)};
}

Value WordBuilder::pair(const Words &x, ArrayRef<int64_t> shape, Type to) {
  SmallVector<int64_t> row(shape);
  row.push_back(1);
  Value found = b.concat({b.reshape(whole(x.low, shape), row),
                          b.reshape(whole(x.high, shape), row)},
                         static_cast<int64_t>(shape.size()));
  return bits(found, to);
}

Words WordBuilder::unpair(Value paired, ArrayRef<int64_t> shape) {
  auto part = [&](int64_t i) -> Value {
    SmallVector<int64_t> begins(shape.size() + 1, 0),
        ends(graph::shapeOf(paired)), steps(begins.size(), 1);
    begins.back() = i;
    ends.back() = i + 1;
    return bits(b.reshape(b.slice(paired, begins, ends, steps), shape),
                element);
  };
  Value low = part(0);
  return {low, part(1)};
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Words WordBuilder::add(const Words &x, const Words &y) {
  Value low = half("add", x.low, y.low);
  Value carried = isZero(x.low) || isZero(y.low) ? half(0) : carry(low, x.low);
  return {low, half("add", half("add", x.high, y.high), carried)};
}

Words WordBuilder::subtract(const Words &x, const Words &y) {
  Value high = half("subtract", x.high, y.high);
  return {half("subtract", x.low, y.low),
          half("subtract", high, carry(x.low, y.low))};
}

/// The upper word of products of 32 bits, from products of 16.
Value WordBuilder::upperProduct(Value x, Value y) {
  Value places = half(16), mask = half(0xFFFF);
  auto low = [&](Value z) { return half("bitwise_and", z, mask); };
  auto high = [&](Value z) { return half("logical_right_shift", z, places); };
  Value first = half("add", half("multiply", high(x), low(y)),
                     high(half("multiply", low(x), low(y))));
  Value second = half("add", half("multiply", low(x), high(y)), low(first));
  return half("add", half("multiply", high(x), high(y)),
              half("add", high(first), high(second)));
}

Words WordBuilder::multiply(const Words &x, const Words &y) {
  Value high = half(0);
  std::optional<uint32_t> known =
      splatOf(y.low) ? splatOf(y.low) : splatOf(x.low);
  if (known && llvm::isPowerOf2_32(*known)) {
    Value other = splatOf(y.low) ? x.low : y.low;
    if (unsigned places = llvm::Log2_32(*known))
      high = half("logical_right_shift", other, half(kWord - places));
  } else if (!isZero(x.low) && !isZero(y.low)) {
    high = upperProduct(x.low, y.low);
  }
  high = half("add", half("multiply", x.low, y.high), high);
  high = half("add", half("multiply", x.high, y.low), high);
  return {half("multiply", x.low, y.low), high};
}

Words WordBuilder::bitwise(StringRef name, const Words &x, const Words &y) {
  return {half(name, x.low, y.low), half(name, x.high, y.high)};
}

Words WordBuilder::complement(const Words &x) {
  return bitwise("bitwise_xor", x, number(-1));
}

Words WordBuilder::absolute(const Words &x) {
  return select(isNegative(x), negate(x), x);
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

Words WordBuilder::shiftLeft(const Words &x, int64_t count) {
  if (count >= 2 * kWord)
    return number(0);
  auto left = [&](Value z, int64_t places) {
    return half("logical_left_shift", z, half(places));
  };
  if (count >= kWord)
    return {half(0), left(x.low, count - kWord)};
  if (count == 0)
    return x;
  Value carried = half("logical_right_shift", x.low, half(kWord - count));
  return {left(x.low, count), half("bitwise_or", left(x.high, count), carried)};
}

Words WordBuilder::shiftRight(const Words &x, int64_t count, bool isSigned) {
  auto shift = [&](Value z, int64_t places) -> Value {
    if (!isSigned)
      return half("logical_right_shift", z, half(places));
    return bits(
        b.eltwise("right_shift",
                  {bits(z, signedElement), bits(half(places), signedElement)},
                  signedElement),
        element);
  };
  if (count == 0)
    return x;
  if (count >= 2 * kWord && !isSigned)
    return number(0);
  count = std::min(count, 2 * kWord - 1);
  Value above = isSigned ? shift(x.high, kWord - 1) : half(0);
  if (count >= kWord)
    return {count == kWord ? x.high : shift(x.high, count - kWord), above};
  Value low = half("logical_right_shift", x.low, half(count));
  Value carried = half("logical_left_shift", x.high, half(kWord - count));
  return {half("bitwise_or", low, carried), shift(x.high, count)};
}

Words WordBuilder::shiftLeft(const Words &x, const Words &count) {
  std::optional<uint32_t> low = splatOf(count.low), high = splatOf(count.high);
  if (low && high)
    return shiftLeft(x, *high || *low > 2 * kWord ? 2 * kWord : *low);
  // Shifts of halves by 32 and more, and by less than 0, give 0.
  auto left = [&](Value z, Value places) {
    return half("logical_left_shift", z, places);
  };
  Value n = count.low, word = half(kWord);
  Value carried = half("logical_right_shift", x.low, half("subtract", word, n));
  Value high64 = half("bitwise_or", left(x.high, n), carried);
  high64 = half("bitwise_or", high64, left(x.low, half("subtract", n, word)));
  Words found{left(x.low, n), high64};
  Value isFew = isLess(count, number(2 * kWord), /*isSigned=*/false);
  return select(isFew, found, number(0));
}

Words WordBuilder::shiftRight(const Words &x, const Words &count,
                              bool isSigned) {
  std::optional<uint32_t> low = splatOf(count.low), high = splatOf(count.high);
  if (low && high)
    return shiftRight(x, *high || *low > 2 * kWord ? 2 * kWord : *low,
                      isSigned);
  auto right = [&](Value z, Value places) {
    return half("logical_right_shift", z, places);
  };
  Value n = count.low, word = half(kWord), beyond = half("subtract", n, word);
  Words inside{
      half("bitwise_or", right(x.low, n),
           half("logical_left_shift", x.high, half("subtract", word, n))),
      right(x.high, n)};
  Words outside{right(x.high, beyond), half(0)};
  Words signs = number(0);
  if (isSigned) {
    auto arithmetic = [&](Value z, Value places) {
      return bits(
          b.eltwise("right_shift",
                    {bits(z, signedElement), bits(places, signedElement)},
                    signedElement),
          element);
    };
    inside.high = arithmetic(x.high, n);
    Value sign = arithmetic(x.high, half(kWord - 1));
    outside = {arithmetic(x.high, beyond), sign};
    signs = {sign, sign};
  }
  Words found = select(isLess(count, number(kWord), false), inside, outside);
  return select(isLess(count, number(2 * kWord), false), found, signs);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

Value WordBuilder::isNotZero(const Words &x) {
  return b.predicate("ne", {half("bitwise_or", x.low, x.high), half(0)});
}

Value WordBuilder::isNegative(const Words &x) {
  Value zero = bits(half(0), signedElement);
  return b.predicate("lt", {bits(x.high, signedElement), zero});
}

Value WordBuilder::isEqual(const Words &x, const Words &y) {
  return b.predicate("logical_and", {b.predicate("eq", {x.low, y.low}),
                                     b.predicate("eq", {x.high, y.high})});
}

Value WordBuilder::isLess(const Words &x, const Words &y, bool isSigned) {
  Value low = b.predicate("lt", {x.low, y.low});
  if (isZero(x.high) && isZero(y.high))
    return low;
  Value first = isSigned ? bits(x.high, signedElement) : x.high;
  Value second = isSigned ? bits(y.high, signedElement) : y.high;
  Value same =
      b.predicate("logical_and", {b.predicate("eq", {first, second}), low});
  return b.predicate("logical_or", {b.predicate("lt", {first, second}), same});
}

Words WordBuilder::select(Value condition, const Words &yes, const Words &no) {
  auto choose = [&](Value x, Value y) -> Value {
    if (x == y || (splatOf(x) && splatOf(x) == splatOf(y)))
      return x;
    return b.select(condition, x, y);
  };
  return {choose(yes.low, no.low), choose(yes.high, no.high)};
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// Long division: as many bits of the dividend at a time as a remainder and
/// they have room for in a word.
std::pair<Words, Words> WordBuilder::divideUnsigned(const Words &x,
                                                    const Words &y,
                                                    unsigned bits,
                                                    unsigned divisorBits) {
  Words quotient = number(0);
  if (divisorBits < kWord) {
    int64_t step = kWord - divisorBits;
    Value rest = half(0);
    for (int64_t end = llvm::alignTo(std::max(bits, 1u), step); end > 0;
         end -= step) {
      Value digit = shiftRight(x, end - step, /*isSigned=*/false).low;
      digit = half("bitwise_and", digit,
                   half(static_cast<uint32_t>((uint64_t(1) << step) - 1)));
      Value taken = half("bitwise_or",
                         half("logical_left_shift", rest, half(step)), digit);
      rest = b.eltwise("remainder", {taken, y.low}, element);
      Value part =
          b.eltwise("div", {half("subtract", taken, rest), y.low}, element);
      quotient =
          bitwise("bitwise_or", shiftLeft(quotient, step), {part, half(0)});
    }
    return {quotient, {rest, half(0)}};
  }
  Words rest = number(0);
  for (int64_t i = bits; i-- > 0;) {
    Value digit = half("bitwise_and", shiftRight(x, i, false).low, half(1));
    Words taken = bitwise("bitwise_or", shiftLeft(rest, 1), {digit, half(0)});
    // What left the upper word is more than any divisor.
    Value isLost = isNegative(rest);
    Value isMore = b.predicate(
        "logical_or",
        {isLost, b.predicate("logical_not", {isLess(taken, y, false)})});
    rest = select(isMore, subtract(taken, y), taken);
    quotient = bitwise("bitwise_or", shiftLeft(quotient, 1),
                       {b.cast(isMore, element), half(0)});
  }
  return {quotient, rest};
}

std::pair<Words, Words> WordBuilder::divide(const Words &x, const Words &y,
                                            bool isSigned, unsigned bits,
                                            unsigned divisorBits) {
  if (!isSigned)
    return divideUnsigned(x, y, bits, divisorBits);
  auto [quotient, rest] =
      divideUnsigned(absolute(x), absolute(y), bits, divisorBits);
  Value negative = isNegative(x);
  Value differ = b.predicate("ne", {negative, isNegative(y)});
  return {select(differ, negate(quotient), quotient),
          select(negative, negate(rest), rest)};
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

Words WordBuilder::fromFloat(Value x, bool isSigned) {
  Type f32 = b.getBuilder().getF32Type();
  constexpr double kTwo32 = 4294967296.0;
  auto number = [&](double value) {
    return b.splat(value, RankedTensorType::get({}, f32));
  };
  Value wide = b.cast(x, f32);
  Value whole = b.eltwise("trunc", {b.eltwise("abs", {wide})});
  Value upper =
      b.eltwise("floor", {b.eltwise("multiply", {whole, number(1 / kTwo32)})});
  Value lower = b.eltwise(
      "subtract", {whole, b.eltwise("multiply", {upper, number(kTwo32)})});
  Words found{b.cast(lower, element), b.cast(upper, element)};
  Value isNegative = b.predicate("lt", {wide, number(0)});
  Words most = this->number(isSigned ? INT64_MAX : -1);
  Words least = this->number(isSigned ? INT64_MIN : 0);
  Value isBeyond =
      b.predicate("ge", {whole, number(isSigned ? 0x1p63 : 0x1p64)});
  Words negative = isSigned ? select(isBeyond, least, negate(found)) : least;
  return select(isNegative, negative, select(isBeyond, most, found));
}

Value WordBuilder::toFloat(const Words &x, Type to, bool isSigned) {
  Type f32 = b.getBuilder().getF32Type();
  // Rounded once more than needed, unless the magnitude has only zeros behind
  // what f32 holds.
  Words size = isSigned ? absolute(x) : x;
  Value scale = b.splat(4294967296.0, RankedTensorType::get({}, f32));
  Value found =
      b.eltwise("add", {b.eltwise("multiply", {b.cast(size.high, f32), scale}),
                        b.cast(size.low, f32)});
  if (isSigned)
    found = b.select(isNegative(x), b.eltwise("neg", {found}), found);
  return b.cast(found, to);
}

/// A mantissa has 23 bits in f32 and 52 in f64; exponents are biased by 127 and
/// by 1023, and the greatest one is that of infinity and of NaN.
static constexpr uint32_t kMantissa = 0x7FFFFF, kMantissa64 = 0xFFFFF,
                          kLast = 0xFF, kLast64 = 0x7FF, kBias = 1023 - 127,
                          kSign = 1u << 31;

Words WordBuilder::bitsOfFloat(Value x) {
  Value own = bits(b.cast(x, b.getBuilder().getF32Type()), element);
  auto right = [&](Value z, int64_t places) {
    return half("logical_right_shift", z, half(places));
  };
  auto left = [&](Value z, int64_t places) {
    return half("logical_left_shift", z, half(places));
  };
  Value exponent = half("bitwise_and", right(own, 23), half(kLast));
  Value isZero = b.predicate("eq", {exponent, half(0)});
  Value isLast = b.predicate("eq", {exponent, half(kLast)});
  Value biased =
      b.select(isLast, half(kLast64), half("add", exponent, half(kBias)));
  biased = b.select(isZero, half(0), biased);
  Value mantissa = half("bitwise_and", own, half(kMantissa));
  Value high = half("bitwise_or", left(biased, 20), right(mantissa, 3));
  return {left(mantissa, 29),
          half("bitwise_or", high, half("bitwise_and", own, half(kSign)))};
}

Value WordBuilder::floatOfBits(const Words &x) {
  auto right = [&](Value z, int64_t places) {
    return half("logical_right_shift", z, half(places));
  };
  auto left = [&](Value z, int64_t places) {
    return half("logical_left_shift", z, half(places));
  };
  Value mantissa = half("bitwise_or",
                        left(half("bitwise_and", x.high, half(kMantissa64)), 3),
                        right(x.low, 29));
  Value dropped = half("bitwise_and", x.low, half((1u << 29) - 1));
  Value isDropped = b.predicate("ne", {dropped, half(0)});
  mantissa = half("bitwise_or", mantissa, b.cast(isDropped, element));
  Value exponent = half("bitwise_and", right(x.high, 20), half(kLast64));
  Value inside =
      half("bitwise_or", left(half("subtract", exponent, half(kBias)), 23),
           mantissa);
  Value infinity = half(kLast << 23);
  Value beyond = b.select(b.predicate("eq", {exponent, half(kLast64)}),
                          half("bitwise_or", mantissa, infinity), infinity);
  Value isGreat = b.predicate("ge", {exponent, half(kBias + kLast)});
  Value isSmall = b.predicate("le", {exponent, half(kBias)});
  Value found = b.select(isGreat, beyond, inside);
  found = b.select(isSmall, half(0), found);
  Value sign = half("bitwise_and", x.high, half(kSign));
  Value number =
      bits(half("bitwise_or", found, sign), b.getBuilder().getF32Type());
  return b.cast(number, b.getBuilder().getF64Type());
}

} // namespace mlir::tt::ttir
