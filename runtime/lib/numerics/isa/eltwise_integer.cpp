// Integer operations on integers: mostly plain loops that the compiler
// vectorizes.
#include "numerics/isa/simd.h"
#include "numerics/isa/table.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

template <typename T> struct Unsigned { using type = T; };
template <> struct Unsigned<int32_t> { using type = uint32_t; };

/// Arithmetic wraps, so it is done on the unsigned type.
template <typename T> using Wrap = typename Unsigned<T>::type;

template <typename T> TTK_INLINE T divide(T x, T y) {
  if (y == 0)
    return 0;
  if (y == T(-1) && T(-1) < T(0))
    return T(0u - Wrap<T>(x));
  return T(x / y);
}
template <typename T> TTK_INLINE T modulo(T x, T y) {
  if (y == 0 || (y == T(-1) && T(-1) < T(0)))
    return 0;
  return T(x % y);
}

/// Wraps; a negative power is the truncated fraction, 0 for a base of 0.
template <typename T> TTK_INLINE T power(T x, T y) {
  if (y < 0)
    return x == 1 ? T(1) : x == T(-1) ? (y & 1 ? T(-1) : T(1)) : T(0);
  uint32_t base = uint32_t(x), result = 1;
  for (uint32_t rest = uint32_t(y); rest; rest >>= 1, base *= base)
    result *= rest & 1 ? base : 1;
  return T(result);
}

/// Bound of a clamp in the integer type; NaN leaves the side open.
template <typename T>
TTK_INLINE T bound(float value, T least, T greatest, T open) {
  if (value != value)
    return open;
  if (value <= float(least))
    return least;
  return value >= float(greatest) ? greatest : T(value);
}

template <typename T> constexpr uint32_t kBits = 8 * sizeof(T);

/// The bits of a number, with zeros above.
template <typename T> TTK_INLINE uint32_t bitsOf(T x) {
  return uint32_t(x) & (~0u >> (32 - kBits<T>));
}

/// A count below 0 is a great one.
template <typename T> TTK_INLINE T shiftLeft(T x, T count) {
  uint32_t n = uint32_t(count);
  return n < kBits<T> ? T(uint32_t(x) << n) : T(0);
}
template <typename T> TTK_INLINE T shiftRight(T x, T count) {
  uint32_t n = uint32_t(count);
  T sign = x < 0 ? T(-1) : T(0);
  return n < kBits<T> ? T(x >> n) : sign;
}
template <typename T> TTK_INLINE T shiftRightLogical(T x, T count) {
  uint32_t n = uint32_t(count);
  return n < kBits<T> ? T(bitsOf(x) >> n) : T(0);
}

/// By halves, so that it is done on vectors.
template <typename T> TTK_INLINE T populationCount(T x) {
  uint32_t n = bitsOf(x);
  n -= (n >> 1) & 0x55555555u;
  n = (n & 0x33333333u) + ((n >> 2) & 0x33333333u);
  n = (n + (n >> 4)) & 0x0f0f0f0fu;
  return T((n * 0x01010101u) >> 24);
}
template <typename T> TTK_INLINE T leadingZeros(T x) {
  uint32_t n = bitsOf(x);
  return n ? T(uint32_t(__builtin_clz(n)) - (32 - kBits<T>)) : T(kBits<T>);
}

#define TTK_INTEGER_UNARY(OP)                                                  \
  OP(Relu, x > 0 ? x : T(0))                                                   \
  OP(Abs, x < 0 ? T(0u - Wrap<T>(x)) : x)                                      \
  OP(Neg, T(0u - Wrap<T>(x)))                                                  \
  OP(Ceil, x)                                                                  \
  OP(Floor, x)                                                                 \
  OP(Sign, T((x > 0) - (x < 0)))                                               \
  OP(IsFinite, T(1))                                                           \
  OP(LogicalNot, T(x == 0))                                                    \
  OP(BitwiseNot, T(~x))                                                        \
  OP(Round, x)                                                                 \
  OP(RoundEven, x)                                                             \
  OP(Trunc, x)                                                                 \
  OP(Frac, T(0))                                                               \
  OP(SignBit, T(x < 0))                                                        \
  OP(Square, T(uint32_t(x) * uint32_t(x)))                                     \
  OP(Relu6, x<0 ? T(0) : x> 6 ? T(6) : x)                                      \
  OP(PopCount, populationCount(x))                                             \
  OP(Clz, leadingZeros(x))                                                     \
  OP(Copy, x)

#define TTK_INTEGER_BINARY(OP)                                                 \
  OP(Add, T(Wrap<T>(x) + Wrap<T>(y)))                                          \
  OP(Subtract, T(Wrap<T>(x) - Wrap<T>(y)))                                     \
  OP(Multiply, T(uint32_t(x) * uint32_t(y)))                                   \
  OP(Div, divide(x, y))                                                        \
  OP(Maximum, x > y ? x : y)                                                   \
  OP(Minimum, x < y ? x : y)                                                   \
  OP(GreaterEqual, T(x >= y))                                                  \
  OP(GreaterThan, T(x > y))                                                    \
  OP(LessEqual, T(x <= y))                                                     \
  OP(LessThan, T(x < y))                                                       \
  OP(Equal, T(x == y))                                                         \
  OP(NotEqual, T(x != y))                                                      \
  OP(LogicalAnd, T((x != 0) & (y != 0)))                                       \
  OP(LogicalOr, T((x != 0) | (y != 0)))                                        \
  OP(LogicalXor, T((x != 0) ^ (y != 0)))                                       \
  OP(Remainder, modulo(x, y))                                                  \
  OP(Power, power(x, y))                                                       \
  OP(BitwiseAnd, T(x &y))                                                      \
  OP(BitwiseOr, T(x | y))                                                      \
  OP(BitwiseXor, T(x ^ y))                                                     \
  OP(LogicalLeftShift, shiftLeft(x, y))                                        \
  OP(RightShift, shiftRight(x, y))                                             \
  OP(LogicalRightShift, shiftRightLogical(x, y))

#define TTK_DEFINE_UNARY(NAME, EXPRESSION)                                     \
  struct NAME##Unary {                                                         \
    template <typename T> static TTK_INLINE T apply([[maybe_unused]] T x) {    \
      return EXPRESSION;                                                       \
    }                                                                          \
  };
#define TTK_DEFINE_BINARY(NAME, EXPRESSION)                                    \
  struct NAME##Binary {                                                        \
    template <typename T> static TTK_INLINE T apply(T x, T y) {                \
      return EXPRESSION;                                                       \
    }                                                                          \
  };
TTK_INTEGER_UNARY(TTK_DEFINE_UNARY)
TTK_INTEGER_BINARY(TTK_DEFINE_BINARY)

/// Every function of integers alone has an expression above; others may be
/// computed in f32.
#define TTK_HAS_UNARY(NAME, ...) unary[int(UnaryOp::NAME)] = true;
#define TTK_HAS_BINARY(NAME, ...) binary[int(BinaryOp::NAME)] = true;
constexpr bool hasAllIntegerFunctions() {
  bool unary[kUnaryOps] = {}, binary[kBinaryOps] = {};
  TTK_INTEGER_UNARY(TTK_HAS_UNARY)
  TTK_INTEGER_BINARY(TTK_HAS_BINARY)
  for (int i = 0; i < kUnaryOps; ++i)
    if (kUnaryFunctions[i].integersOnly && !unary[i])
      return false;
  for (int i = 0; i < kBinaryOps; ++i)
    if (kBinaryFunctions[i].integersOnly && !binary[i])
      return false;
  return true;
}
static_assert(hasAllIntegerFunctions(), "a function of integers alone lacks "
                                        "its expression");

template <typename Op, typename T>
void unaryLoop(const void *in, void *out, int64_t n, UnaryParams, bool) {
  const T *from = static_cast<const T *>(in);
  T *to = static_cast<T *>(out);
  for (int64_t i = 0; i < n; ++i)
    to[i] = Op::template apply<T>(from[i]);
}

template <typename T>
void clampLoop(const void *in, void *out, int64_t n, UnaryParams params, bool) {
  constexpr T kLeast =
      T(-1) < T(0) ? T(uint32_t(1) << (8 * sizeof(T) - 1)) : T(0);
  constexpr T kGreatest = T(~kLeast);
  T low = bound<T>(params.a, kLeast, kGreatest, kLeast);
  T high = bound<T>(params.b, kLeast, kGreatest, kGreatest);
  const T *from = static_cast<const T *>(in);
  T *to = static_cast<T *>(out);
  for (int64_t i = 0; i < n; ++i) {
    T value = from[i] < low ? low : from[i];
    to[i] = value > high ? high : value;
  }
}

template <typename Op, typename T, Spread Repeat>
void binaryLoop(const void *a, const void *b, void *out, int64_t n, bool) {
  const T *first = static_cast<const T *>(a);
  const T *second = static_cast<const T *>(b);
  T *to = static_cast<T *>(out);
  if constexpr (Repeat == Spread::First) {
    const T fixed = first[0];
    for (int64_t i = 0; i < n; ++i)
      to[i] = Op::template apply<T>(fixed, second[i]);
  } else if constexpr (Repeat == Spread::Second) {
    const T fixed = second[0];
    for (int64_t i = 0; i < n; ++i)
      to[i] = Op::template apply<T>(first[i], fixed);
  } else {
    for (int64_t i = 0; i < n; ++i)
      to[i] = Op::template apply<T>(first[i], second[i]);
  }
}

template <typename Op, typename T>
void fillBinaryType(KernelTable &table, BinaryOp op, DType type) {
  BinaryFn *slots = table.binaryInt[int(op)][integerIndex(type)];
  slots[int(Spread::None)] = binaryLoop<Op, T, Spread::None>;
  slots[int(Spread::Second)] = binaryLoop<Op, T, Spread::Second>;
  slots[int(Spread::First)] = binaryLoop<Op, T, Spread::First>;
}

template <typename T> void fillType(KernelTable &table, DType type) {
#define TTK_FILL_UNARY(NAME, EXPRESSION)                                       \
  table.unaryInt[int(UnaryOp::NAME)][integerIndex(type)] =                     \
      unaryLoop<NAME##Unary, T>;
#define TTK_FILL_BINARY(NAME, ...)                                             \
  fillBinaryType<NAME##Binary, T>(table, BinaryOp::NAME, type);
  TTK_INTEGER_UNARY(TTK_FILL_UNARY)
  TTK_INTEGER_BINARY(TTK_FILL_BINARY)
  table.unaryInt[int(UnaryOp::Clamp)][integerIndex(type)] = clampLoop<T>;
}

template <int Rows>
void addScaled(uint32_t *c, int64_t cStride, const uint32_t *a, int64_t aStride,
               const uint32_t *b, int64_t n) {
  int64_t j = 0;
  for (; j + VF <= n; j += VF) {
    const vu x = load<vu>(b + j);
    for (int r = 0; r < Rows; ++r) {
      uint32_t *to = c + r * cStride + j;
      store(to, load<vu>(to) + x * a[r * aStride]);
    }
  }
  for (; j < n; ++j)
    for (int r = 0; r < Rows; ++r)
      c[r * cStride + j] += a[r * aStride] * b[j];
}

void addScaledRows(uint32_t *c, int64_t cStride, const uint32_t *a,
                   int64_t aStride, int64_t rows, const uint32_t *b,
                   int64_t n) {
  switch (rows) {
  case 1:
    return addScaled<1>(c, cStride, a, aStride, b, n);
  case 2:
    return addScaled<2>(c, cStride, a, aStride, b, n);
  case 3:
    return addScaled<3>(c, cStride, a, aStride, b, n);
  default:
    return addScaled<4>(c, cStride, a, aStride, b, n);
  }
}

} // namespace

void fillInteger(KernelTable &table) {
  table.addScaledRows = addScaledRows;
  for (auto &slots : table.unaryInt)
    for (UnaryFn &slot : slots)
      slot = nullptr;
  for (auto &types : table.binaryInt)
    for (auto &slots : types)
      for (BinaryFn &slot : slots)
        slot = nullptr;
  fillType<uint32_t>(table, DType::U32);
  fillType<uint16_t>(table, DType::U16);
  fillType<uint8_t>(table, DType::U8);
  fillType<int32_t>(table, DType::I32);
  fillType<int8_t>(table, DType::I8);
  fillType<int16_t>(table, DType::I16);
}

} // namespace tt::runtime::numerics::TTK_ISA
