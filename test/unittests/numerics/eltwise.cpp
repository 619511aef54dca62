// Elementwise operations against libm in double, special values included.
#include "numerics/eltwise.h"
#include "numerics/parallel.h"
#include "support.h"

#include <functional>

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

class Eltwise : public EachIsa {};
TT_EACH_ISA(Eltwise);

struct UnaryCase {
  UnaryOp op;
  double ulp; // allowed distance from the exact value
  double (*exact)(double);
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double mish(double x) {
  double e = std::exp(std::min(x, 50.0)), n = e * (e + 2);
  return x * (n / (n + 2));
}

const UnaryCase kUnary[] = {
    {UnaryOp::Relu, 0, [](double x) { return x > 0 || x != x ? x : 0.0; }},
    {UnaryOp::Sqrt, 0.5, [](double x) { return std::sqrt(x); }},
    {UnaryOp::Sigmoid, 1.5, sigmoid},
    {UnaryOp::Reciprocal, 0.5, [](double x) { return 1 / x; }},
    {UnaryOp::Exp, 1, [](double x) { return std::exp(x); }},
    {UnaryOp::Abs, 0, [](double x) { return std::fabs(x); }},
    {UnaryOp::Neg, 0, [](double x) { return -x; }},
    {UnaryOp::Rsqrt, 1.5, [](double x) { return 1 / std::sqrt(x); }},
    {UnaryOp::Log, 1, [](double x) { return std::log(x); }},
    {UnaryOp::Log1p, 0.6, [](double x) { return std::log1p(x); }},
    {UnaryOp::Expm1, 0.6, [](double x) { return std::expm1(x); }},
    {UnaryOp::Sin, 0.6, [](double x) { return std::sin(x); }},
    {UnaryOp::Cos, 0.6, [](double x) { return std::cos(x); }},
    {UnaryOp::Tan, 0.6, [](double x) { return std::tan(x); }},
    {UnaryOp::Tanh, 2, [](double x) { return std::tanh(x); }},
    {UnaryOp::Erf, 0.6, [](double x) { return std::erf(x); }},
    {UnaryOp::Gelu, 0.6,
     [](double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }},
    {UnaryOp::Silu, 2, [](double x) { return x * sigmoid(x); }},
    {UnaryOp::Ceil, 0, [](double x) { return std::ceil(x); }},
    {UnaryOp::Floor, 0, [](double x) { return std::floor(x); }},
    {UnaryOp::Sign, 0,
     [](double x) { return x != x ? x : double((x > 0) - (x < 0)); }},
    {UnaryOp::Cbrt, 0.6, [](double x) { return std::cbrt(x); }},
    {UnaryOp::IsFinite, 0, [](double x) { return double(std::isfinite(x)); }},
    {UnaryOp::LogicalNot, 0, [](double x) { return double(x == 0); }},
    {UnaryOp::LeakyRelu, 0.5, [](double x) { return x < 0 ? 0.25 * x : x; }},
    {UnaryOp::Clamp, 0,
     [](double x) { return x < 0.25  ? 0.25
                           : x > 1.5 ? 1.5
                                     : x; }},
    {UnaryOp::Asin, 0.6, [](double x) { return std::asin(x); }},
    {UnaryOp::Acos, 0.6, [](double x) { return std::acos(x); }},
    {UnaryOp::Atan, 0.6, [](double x) { return std::atan(x); }},
    {UnaryOp::Sinh, 0.6, [](double x) { return std::sinh(x); }},
    {UnaryOp::Cosh, 0.6, [](double x) { return std::cosh(x); }},
    {UnaryOp::Asinh, 0.6, [](double x) { return std::asinh(x); }},
    {UnaryOp::Acosh, 0.6, [](double x) { return std::acosh(x); }},
    {UnaryOp::Atanh, 0.6, [](double x) { return std::atanh(x); }},
    {UnaryOp::Erfc, 0.6, [](double x) { return std::erfc(x); }},
    {UnaryOp::Lgamma, 0.6, [](double x) { return std::lgamma(x); }},
    {UnaryOp::Exp2, 0.6, [](double x) { return std::exp2(x); }},
    {UnaryOp::Round, 0, [](double x) { return std::round(x); }},
    {UnaryOp::RoundEven, 0, [](double x) { return std::nearbyint(x); }},
    {UnaryOp::Trunc, 0, [](double x) { return std::trunc(x); }},
    {UnaryOp::Frac, 0, [](double x) { return x - std::trunc(x); }},
    {UnaryOp::SignBit, 0, [](double x) { return double(std::signbit(x)); }},
    {UnaryOp::Square, 0.5, [](double x) { return x * x; }},
    {UnaryOp::HardSigmoid, 0.6,
     [](double x) {
       return x != x ? x : std::min(std::max(x + 3, 0.0), 6.0) / 6;
     }},
    {UnaryOp::Relu6, 0,
     [](double x) { return x != x ? x : std::min(std::max(x, 0.0), 6.0); }},
    {UnaryOp::SoftSign, 0.6, [](double x) { return x / (1 + std::fabs(x)); }},
    {UnaryOp::Selu, 0.6,
     [](double x) { return 0.25 * (x < 0 ? 1.5 * std::expm1(x) : x); }},
    {UnaryOp::Mish, 0.6, mish},
    {UnaryOp::Copy, 0, [](double x) { return x; }},
};
constexpr UnaryParams kClamp{0.25f, 1.5f};

/// Arguments that reach every branch of the polynomials.
std::vector<float> arguments() {
  std::vector<float> values = wildFloats(60000, 1);
  for (float span : {1e-3f, 1.0f, 12.0f, 110.0f, 1e5f, 1e12f})
    for (float value : randomFloats(20011, 2, -span, span))
      values.push_back(value);
  for (int i = 1; i < 2000; ++i) // near multiples of pi/2
    values.push_back(float(i * 1.5707963267948966));
  return values;
}

TEST_P(Eltwise, UnaryF32WithinUlp) {
  std::vector<float> values = arguments(), found(values.size());
  for (const UnaryCase &test : kUnary) {
    unary(test.op, DType::F32, values.data(), found.data(),
          int64_t(values.size()), Rounding::Fast, kClamp);
    for (size_t i = 0; i < values.size(); ++i) {
      double error = ulps(found[i], test.exact(values[i]));
      ASSERT_LE(error, test.ulp)
          << functionOf(test.op).name << " of " << values[i] << " gave "
          << found[i] << ", expected " << test.exact(values[i]);
    }
  }
}

/// Inverses, of which the C library has none in double.
TEST_P(Eltwise, InverseErrorFunction) {
  std::vector<float> values = randomFloats(60000, 21, -1, 1);
  for (int i = 0; i < 126; ++i)
    for (float sign : {-1.0f, 1.0f})
      values.push_back(sign * std::ldexp(1.0f, -i));
  for (int i = 1; i < 3000; ++i)
    values.push_back(1 - float(i) * 0x1p-24f);
  std::vector<float> found(values.size());
  unary(UnaryOp::Erfinv, DType::F32, values.data(), found.data(),
        int64_t(values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::fabs(values[i]) == 1) {
      ASSERT_EQ(found[i], std::copysign(kInf, values[i]));
      continue;
    }
    // The error of the result from what is left of its function.
    const double y = found[i], size = std::fabs(values[i]);
    const double miss = size < 0.5 ? std::erf(y) - values[i]
                                   : std::copysign(1.0, y) *
                                         (1 - size - std::erfc(std::fabs(y)));
    const double exact = y - miss * std::exp(y * y) * 0.88622692545275801;
    ASSERT_LE(ulps(found[i], exact), 0.6) << values[i];
  }
}

TEST_P(Eltwise, Digamma) {
  // By its recurrence and the formula of its reflection, in more digits.
  const auto exact = [](double number) {
    long double x = number, shift = 0;
    const long double pi = 3.141592653589793238462643383279502884L;
    if (x < 0) {
      shift = -pi / std::tan(pi * (x - std::nearbyint(x)));
      x = 1 - x;
    }
    for (; x < 30; ++x)
      shift -= 1 / x;
    const long double s = 1 / (x * x);
    return double(
        std::log(x) - 1 / (2 * x) -
        s * (1 / 12.0L -
             s * (1 / 120.0L - s * (1 / 252.0L - s * (1 / 240.0L - s / 132)))) +
        shift);
  };
  std::vector<float> values;
  for (float span : {1e-3f, 1.0f, 20.0f, 1e4f})
    for (float value : randomFloats(20011, 22, -span, span))
      if (value != std::nearbyint(value))
        values.push_back(value);
  for (int i = -3000; i < 3000; ++i)
    values.push_back(1.4616321f + float(i) * 0x1p-23f);
  std::vector<float> found(values.size());
  unary(UnaryOp::Digamma, DType::F32, values.data(), found.data(),
        int64_t(values.size()));
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_LE(ulps(found[i], exact(values[i])), 0.6)
        << values[i] << ' ' << found[i];
  const float in[] = {0.0f, -0.0f, -1.0f, -7.0f, kInf, -kInf, kNan};
  float out[7];
  unary(UnaryOp::Digamma, DType::F32, in, out, 7);
  EXPECT_EQ(out[0], -kInf);
  EXPECT_EQ(out[1], kInf);
  EXPECT_EQ(out[4], kInf);
  for (int i : {2, 3, 5, 6})
    EXPECT_TRUE(std::isnan(out[i])) << in[i];
}

TEST_P(Eltwise, SignedZeros) {
  float in[] = {-0.0f, 0.0f}, out[2];
  for (UnaryOp op :
       {UnaryOp::Sin,   UnaryOp::Tan,      UnaryOp::Tanh,  UnaryOp::Erf,
        UnaryOp::Expm1, UnaryOp::Log1p,    UnaryOp::Cbrt,  UnaryOp::Sqrt,
        UnaryOp::Ceil,  UnaryOp::Floor,    UnaryOp::Gelu,  UnaryOp::Silu,
        UnaryOp::Asin,  UnaryOp::Atan,     UnaryOp::Sinh,  UnaryOp::Asinh,
        UnaryOp::Atanh, UnaryOp::Erfinv,   UnaryOp::Round, UnaryOp::RoundEven,
        UnaryOp::Trunc, UnaryOp::SoftSign, UnaryOp::Mish}) {
    unary(op, DType::F32, in, out, 2);
    EXPECT_EQ(bitsOf(out[0]), 0x80000000u) << functionOf(op).name;
    EXPECT_EQ(bitsOf(out[1]), 0u) << functionOf(op).name;
  }
}

TEST_P(Eltwise, LongSpansOfBf16AreLikeShortOnes) {
  std::vector<uint16_t> every(1 << 16);
  for (size_t i = 0; i < every.size(); ++i)
    every[i] = uint16_t(i * 40503); // in no order
  for (int op = 0; op <= int(UnaryOp::Copy); ++op) {
    if (functionOf(UnaryOp(op)).integersOnly)
      continue;
    std::vector<uint16_t> whole(every.size()), parts(every.size());
    unary(UnaryOp(op), DType::BF16, every.data(), whole.data(), 1 << 16);
    for (int64_t i = 0; i < 1 << 16; i += 1024)
      unary(UnaryOp(op), DType::BF16, every.data() + i, parts.data() + i, 1024);
    ASSERT_EQ(whole, parts) << functionOf(UnaryOp(op)).name;
  }
}

TEST_P(Eltwise, NarrowTypesAreF32RoundedOnce) {
  std::vector<float> wide = randomFloats(3001, 3);
  wide[7] = kNan;
  wide[8] = kInf;
  for (DType type : {DType::BF16, DType::F16}) {
    std::vector<char> in = elementsOf(type, wide), out(in.size()),
                      expected(in.size());
    std::vector<float> values = floatsOf(type, in.data(), 3001), result(3001);
    for (Rounding rounding : {Rounding::Fast, Rounding::Host, Rounding::Packer})
      for (const UnaryCase &test : kUnary) {
        unary(test.op, type, in.data(), out.data(), 3001, rounding, kClamp);
        unary(test.op, DType::F32, values.data(), result.data(), 3001, rounding,
              kClamp);
        fromF32(type, result.data(), expected.data(), 3001, rounding);
        ASSERT_EQ(out, expected) << functionOf(test.op).name << dtypeName(type);
      }
  }
  float a = 1.0f, b = 0x1p-8f; // exactly half a unit
  uint16_t x = f32ToBf16(a), y = f32ToBf16(b), z;
  binary(BinaryOp::Add, DType::BF16, &x, &y, &z, 1);
  EXPECT_EQ(z, 0x3f81);
  binary(BinaryOp::Add, DType::BF16, &x, &y, &z, 1, Rounding::Host);
  EXPECT_EQ(z, 0x3f80);
}

double nanMax(double x, double y) { return x > y || x != x ? x : y; }
double nanMin(double x, double y) { return x < y || x != x ? x : y; }

struct BinaryCase {
  BinaryOp op;
  double ulp;
  double (*exact)(double, double);
};
const BinaryCase kBinary[] = {
    {BinaryOp::Add, 0.5, [](double x, double y) { return x + y; }},
    {BinaryOp::Subtract, 0.5, [](double x, double y) { return x - y; }},
    {BinaryOp::Multiply, 0.5, [](double x, double y) { return x * y; }},
    {BinaryOp::Div, 0.5, [](double x, double y) { return x / y; }},
    {BinaryOp::Maximum, 0, nanMax},
    {BinaryOp::Minimum, 0, nanMin},
    {BinaryOp::GreaterEqual, 0,
     [](double x, double y) { return double(x >= y); }},
    {BinaryOp::GreaterThan, 0,
     [](double x, double y) { return double(x > y); }},
    {BinaryOp::LessEqual, 0, [](double x, double y) { return double(x <= y); }},
    {BinaryOp::LessThan, 0, [](double x, double y) { return double(x < y); }},
    {BinaryOp::Equal, 0, [](double x, double y) { return double(x == y); }},
    {BinaryOp::NotEqual, 0, [](double x, double y) { return double(x != y); }},
    {BinaryOp::LogicalAnd, 0,
     [](double x, double y) { return double(x && y); }},
    {BinaryOp::LogicalOr, 0, [](double x, double y) { return double(x || y); }},
    {BinaryOp::LogicalXor, 0,
     [](double x, double y) { return double(!x != !y); }},
    {BinaryOp::Remainder, 0,
     [](double x, double y) { return std::fmod(x, y); }},
    {BinaryOp::Power, 0.6, [](double x, double y) { return std::pow(x, y); }},
    {BinaryOp::Atan2, 0.6, [](double x, double y) { return std::atan2(x, y); }},
};

TEST_P(Eltwise, BinaryF32) {
  std::vector<float> a = wildFloats(20000, 4), b = wildFloats(20000, 5);
  for (float value : randomFloats(20000, 6, -9, 9)) {
    a.push_back(value);
    b.push_back(std::floor(value * 3.7f) / 2);
  }
  for (size_t i = 0; i < 15; ++i) // all pairs of special values
    for (size_t j = 0; j < 15; ++j) {
      a.push_back(a[i]);
      b.push_back(b[j]);
    }
  std::vector<float> out(a.size());
  for (const BinaryCase &test : kBinary) {
    binary(test.op, DType::F32, a.data(), b.data(), out.data(),
           int64_t(a.size()));
    for (size_t i = 0; i < a.size(); ++i) {
      double exact = test.exact(a[i], b[i]);
      ASSERT_LE(ulps(out[i], exact), test.ulp)
          << functionOf(test.op).name << " of " << a[i] << " and " << b[i]
          << " gave " << out[i] << ", expected " << exact;
    }
  }
}

TEST_P(Eltwise, ScalarOperandOnEitherSide) {
  std::vector<float> wide = randomFloats(1000, 7);
  for (DType type :
       {DType::F32, DType::BF16, DType::F16, DType::I32, DType::U8}) {
    std::vector<char> a = elementsOf(type, wide), b = a, out(a.size()),
                      expected(a.size());
    size_t size = size_t(elementSize(type));
    for (size_t i = 0; i < 1000; ++i)
      std::memcpy(b.data() + i * size, a.data() + 5 * size, size);
    for (BinaryOp op :
         {BinaryOp::Subtract, BinaryOp::Div, BinaryOp::GreaterThan}) {
      binary(op, type, a.data(), b.data(), expected.data(), 1000);
      binaryScalar(op, type, a.data(), b.data(), false, out.data(), 1000);
      ASSERT_EQ(out, expected) << functionOf(op).name << dtypeName(type);
      binary(op, type, b.data(), a.data(), expected.data(), 1000);
      binaryScalar(op, type, a.data(), b.data(), true, out.data(), 1000);
      ASSERT_EQ(out, expected) << functionOf(op).name << dtypeName(type);
    }
  }
}

TEST_P(Eltwise, Integers) {
  int32_t a[] = {7, -7, INT32_MIN, INT32_MAX, 5}, b[] = {2, 2, -1, 1, 0};
  int32_t out[5];
  auto result = [&](BinaryOp op) {
    binary(op, DType::I32, a, b, out, 5);
    return std::vector<int32_t>(out, out + 5);
  };
  using V = std::vector<int32_t>;
  EXPECT_EQ(result(BinaryOp::Div), (V{3, -3, INT32_MIN, INT32_MAX, 0}));
  EXPECT_EQ(result(BinaryOp::Remainder), (V{1, -1, 0, 0, 0}));
  EXPECT_EQ(result(BinaryOp::Add), (V{9, -5, INT32_MAX, INT32_MIN, 5}));
  EXPECT_EQ(result(BinaryOp::Multiply), (V{14, -14, INT32_MIN, INT32_MAX, 0}));
  EXPECT_EQ(result(BinaryOp::BitwiseXor), (V{5, -5, INT32_MAX, 2147483646, 5}));
  unary(UnaryOp::Abs, DType::I32, a, out, 5);
  EXPECT_EQ(V(out, out + 5), (V{7, 7, INT32_MIN, INT32_MAX, 5}));
  unary(UnaryOp::Clamp, DType::I32, a, out, 5, Rounding::Fast, {-1, 6});
  EXPECT_EQ(V(out, out + 5), (V{6, -1, -1, 6, 5}));
  uint16_t x[] = {3, 65535, 0}, y[] = {5, 1, 2}, z[3];
  binary(BinaryOp::Subtract, DType::U16, x, y, z, 3);
  EXPECT_EQ(std::vector<int>(z, z + 3),
            (std::vector<int>{65534, 65534, 65534}));
  unary(UnaryOp::Sqrt, DType::U16, x, z, 3);
  EXPECT_EQ(std::vector<int>(z, z + 3), (std::vector<int>{1, 255, 0}));
}

TEST_P(Eltwise, BlockFloatsComputeOnTiles) {
  std::vector<float> a = randomFloats(2048, 8), b = randomFloats(2048, 9);
  std::vector<char> x(2 * 1088), y(2 * 1088), z(2 * 1088), expected(2 * 1088);
  quantizeTiles(DType::BFP8_B, a.data(), x.data(), 2);
  quantizeTiles(DType::BFP8_B, b.data(), y.data(), 2);
  dequantizeTiles(DType::BFP8_B, x.data(), a.data(), 2);
  dequantizeTiles(DType::BFP8_B, y.data(), b.data(), 2);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] *= b[i];
  quantizeTiles(DType::BFP8_B, a.data(), expected.data(), 2, Rounding::Fast);
  binary(BinaryOp::Multiply, DType::BFP8_B, x.data(), y.data(), z.data(), 2048);
  EXPECT_EQ(z, expected);
  EXPECT_THROW(unary(UnaryOp::Relu, DType::BFP8_B, x.data(), z.data(), 1000),
               std::invalid_argument);
}

TEST_P(Eltwise, StridedAgreesWithElements) {
  struct Case {
    std::vector<int64_t> shape, a, b;
  };
  const Case cases[] = {{{}, {}, {}},
                        {{5}, {1}, {0}},
                        {{4, 7}, {7, 1}, {0, 1}},
                        {{4, 7}, {0, 1}, {1, 0}},
                        {{3, 4, 5}, {20, 5, 1}, {0, 5, 1}},
                        {{3, 1, 2500}, {2500, 99, 1}, {0, 0, 2}},
                        {{40, 50}, {1, 40}, {50, 1}},
                        {{2, 3}, {0, 0}, {0, 0}},
                        {{4, 0}, {1, 1}, {1, 1}}};
  std::vector<float> source = randomFloats(9000, 10, 1, 50);
  for (DType type : {DType::F32, DType::BF16, DType::U32}) {
    std::vector<char> data = elementsOf(type, source);
    size_t size = size_t(elementSize(type));
    for (const Case &c : cases) {
      int64_t count = 1;
      for (int64_t extent : c.shape)
        count *= extent;
      std::vector<char> found(size_t(count) * size), expected(found.size()),
          x(found.size()), y(found.size());
      for (int64_t i = 0; i < count; ++i) {
        int64_t rest = i, aAt = 0, bAt = 0;
        for (size_t d = c.shape.size(); d-- > 0; rest /= c.shape[d]) {
          aAt += rest % c.shape[d] * c.a[d];
          bAt += rest % c.shape[d] * c.b[d];
        }
        std::memcpy(&x[size_t(i) * size], &data[size_t(aAt) * size], size);
        std::memcpy(&y[size_t(i) * size], &data[size_t(bAt) * size], size);
      }
      binary(BinaryOp::Div, type, x.data(), y.data(), expected.data(), count);
      binaryStrided(BinaryOp::Div, type, c.shape, {data.data(), c.a},
                    {data.data(), c.b}, found.data());
      ASSERT_EQ(found, expected) << c.shape.size() << dtypeName(type);
      unary(UnaryOp::Neg, type, y.data(), expected.data(), count);
      unaryStrided(UnaryOp::Neg, type, c.shape, {data.data(), c.b},
                   found.data());
      ASSERT_EQ(found, expected);
      where(type, y.data(), x.data(), y.data(), expected.data(), count);
      whereStrided(type, c.shape, {data.data(), c.b}, {data.data(), c.a},
                   {data.data(), c.b}, found.data());
      ASSERT_EQ(found, expected);
    }
  }
}

TEST_P(Eltwise, WhereFillArange) {
  float c[] = {0.0f, -0.0f, kNan, 2.0f}, a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
  float out[4];
  where(DType::F32, c, a, b, out, 4);
  EXPECT_EQ(std::vector<float>(out, out + 4), (std::vector<float>{5, 6, 3, 4}));
  std::vector<uint16_t> filled(1003);
  fill(DType::BF16, 1.5f, filled.data(), 1003);
  EXPECT_EQ(filled, std::vector<uint16_t>(1003, 0x3fc0));
  std::vector<int32_t> range(5);
  arange(DType::I32, -2, 3, range.data(), 5);
  EXPECT_EQ(range, (std::vector<int32_t>{-2, 1, 4, 7, 10}));
}

TEST_P(Eltwise, BigResultsStreamTheSameBits) {
  int64_t count = (int64_t(3) << 20) + 13;
  std::vector<float> a = randomFloats(count, 11), big(size_t(count) + 3),
                     small(static_cast<size_t>(count));
  for (int threads : {1, 2}) {
    setNumThreads(threads);
    binary(BinaryOp::Multiply, DType::F32, a.data(), a.data(), big.data() + 3,
           count);
    for (int64_t i = 0; i < count; i += 1000)
      binary(BinaryOp::Multiply, DType::F32, a.data() + i, a.data() + i,
             small.data() + i, std::min<int64_t>(1000, count - i));
    ASSERT_EQ(0, std::memcmp(big.data() + 3, small.data(), size_t(count) * 4));
  }
  setNumThreads(0);
}

/// One hash over all results, equal on every instruction set.
TEST(EltwiseBits, SameOnEveryIsa) {
  std::vector<float> values = arguments(), out(values.size()), first;
  for (int isa = 0; isa < kIsas; ++isa) {
    if (!hasIsa(Isa(isa)))
      continue;
    setIsa(Isa(isa));
    std::vector<float> all;
    for (const UnaryCase &test : kUnary) {
      unary(test.op, DType::F32, values.data(), out.data(),
            int64_t(values.size()), Rounding::Fast, kClamp);
      all.insert(all.end(), out.begin(), out.end());
    }
    for (float &value : all)
      if (std::isnan(value)) // which NaN is not defined
        value = kNan;
    if (isa == 0)
      first = all;
    ASSERT_EQ(0, std::memcmp(first.data(), all.data(), all.size() * 4))
        << isaName(Isa(isa));
  }
  setIsa(bestIsa());
}

TEST(EltwiseErrors, WrongTypes) {
  float x = 1;
  EXPECT_THROW(unary(UnaryOp::BitwiseNot, DType::F32, &x, &x, 1),
               std::invalid_argument);
  EXPECT_THROW(binary(BinaryOp::BitwiseOr, DType::BF16, &x, &x, &x, 1),
               std::invalid_argument);
  EXPECT_THROW(unary(UnaryOp::Relu, DType::F32, &x, &x, -1),
               std::invalid_argument);
}

} // namespace
