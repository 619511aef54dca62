// The vector engine against the functions of the C library in double.
#include "support.h"

using namespace tt::runtime::tensix;
using namespace tt::runtime::tensix::test;

namespace {

struct Unary {
  Opcode opcode;
  double (*apply)(double);
  float low = -3, high = 3;
};
const Unary kUnary[] = {
    {Opcode::abs_tile, [](double x) { return std::fabs(x); }},
    {Opcode::cbrt_tile, [](double x) { return std::cbrt(x); }},
    {Opcode::ceil_tile, [](double x) { return std::ceil(x); }},
    {Opcode::cos_tile, [](double x) { return std::cos(x); }},
    {Opcode::erf_tile, [](double x) { return std::erf(x); }},
    {Opcode::exp_tile, [](double x) { return std::exp(x); }},
    {Opcode::expm1_tile, [](double x) { return std::expm1(x); }},
    {Opcode::floor_tile, [](double x) { return std::floor(x); }},
    {Opcode::gelu_tile,
     [](double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); }},
    {Opcode::isfinite_tile, [](double) { return 1.0; }},
    {Opcode::log_tile, [](double x) { return std::log(x); }, 0.1f, 9},
    {Opcode::log1p_tile, [](double x) { return std::log1p(x); }, 0, 9},
    {Opcode::logical_not_unary_tile, [](double x) { return double(x == 0); }},
    {Opcode::negative_tile, [](double x) { return -x; }},
    {Opcode::recip_tile, [](double x) { return 1 / x; }, 0.1f, 9},
    {Opcode::relu_tile, [](double x) { return std::max(x, 0.0); }},
    {Opcode::rsqrt_tile, [](double x) { return 1 / std::sqrt(x); }, 0.1f, 9},
    {Opcode::sigmoid_tile, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {Opcode::sign_tile, [](double x) { return double((x > 0) - (x < 0)); }},
    {Opcode::silu_tile, [](double x) { return x / (1 + std::exp(-x)); }},
    {Opcode::sin_tile, [](double x) { return std::sin(x); }},
    {Opcode::sqrt_tile, [](double x) { return std::sqrt(x); }, 0, 9},
    {Opcode::square_tile, [](double x) { return x * x; }},
    {Opcode::tan_tile, [](double x) { return std::tan(x); }, -1, 1},
    {Opcode::tanh_tile, [](double x) { return std::tanh(x); }},
    {Opcode::asin_tile, [](double x) { return std::asin(x); }, -1, 1},
    {Opcode::acos_tile, [](double x) { return std::acos(x); }, -1, 1},
    {Opcode::atan_tile, [](double x) { return std::atan(x); }},
    {Opcode::sinh_tile, [](double x) { return std::sinh(x); }},
    {Opcode::cosh_tile, [](double x) { return std::cosh(x); }},
    {Opcode::asinh_tile, [](double x) { return std::asinh(x); }},
    {Opcode::acosh_tile, [](double x) { return std::acosh(x); }, 1, 9},
    {Opcode::atanh_tile, [](double x) { return std::atanh(x); }, -0.9f, 0.9f},
    {Opcode::erfc_tile, [](double x) { return std::erfc(x); }},
    {Opcode::lgamma_tile, [](double x) { return std::lgamma(x); }, 0.1f, 9},
    {Opcode::exp2_tile, [](double x) { return std::exp2(x); }},
    {Opcode::round_tile, [](double x) { return std::round(x); }},
    {Opcode::roundeven_tile, [](double x) { return std::nearbyint(x); }},
    {Opcode::trunc_tile, [](double x) { return std::trunc(x); }},
    {Opcode::frac_tile, [](double x) { return x - std::trunc(x); }},
    {Opcode::signbit_tile, [](double x) { return double(std::signbit(x)); }},
    {Opcode::softsign_tile, [](double x) { return x / (1 + std::fabs(x)); }},
    {Opcode::relu6_tile,
     [](double x) { return std::min(std::max(x, 0.0), 6.0); }},
};

TEST(Vector, Unary) {
  for (const Unary &op : kUnary) {
    Core core({.fp32DestAcc = true});
    const Tile values = randomTile(1, op.low, op.high);
    core.bind(0, DType::F32, {values});
    core.bind(16, DType::F32, 1);
    core.run(Opcode::copy_tile, {0, 0, 1});
    core.run(op.opcode, {1, 0});
    const Tile found = core.result(16, 1);
    for (size_t i = 0; i < found.size(); ++i) {
      const double want = op.apply(values[i]);
      ASSERT_NEAR(found[i], want, std::max(1e-6, std::fabs(want) * 2e-6))
          << tt::target::metal::EnumNameOpcode(op.opcode) << ' ' << values[i];
    }
  }
}

TEST(Vector, Parameters) {
  const Tile values = randomTile(2);
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::F32, {values});
  core.bind(16, DType::F32, 1);
  const auto run = [&](Opcode opcode, std::uint64_t a, std::uint64_t b) {
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(opcode, {0, a, b});
    return core.result(16);
  };
  Tile found = run(Opcode::clamp_tile, floatBits(-1), floatBits(0.5f));
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], std::clamp(values[i], -1.0f, 0.5f));
  found = run(Opcode::leaky_relu_tile, floatBits(0.25f), 0);
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], values[i] < 0 ? values[i] * 0.25f : values[i]);
  found = run(Opcode::power_tile, floatBits(3), 0);
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], std::pow(values[i], 3), 1e-3);
  core.run(Opcode::fill_tile, {2, floatBits(1.5f)});
  EXPECT_EQ(core.result(16, 2), Tile(1024, 1.5f));
}

struct Binary {
  Opcode opcode;
  double (*apply)(double, double);
};
const Binary kBinary[] = {
    {Opcode::add_binary_tile, [](double a, double b) { return a + b; }},
    {Opcode::sub_binary_tile, [](double a, double b) { return a - b; }},
    {Opcode::mul_binary_tile, [](double a, double b) { return a * b; }},
    {Opcode::div_binary_tile, [](double a, double b) { return a / b; }},
    {Opcode::power_binary_tile,
     [](double a, double b) { return std::pow(a, b); }},
    {Opcode::binary_max_tile,
     [](double a, double b) { return std::max(a, b); }},
    {Opcode::binary_min_tile,
     [](double a, double b) { return std::min(a, b); }},
    {Opcode::remainder_binary_tile,
     [](double a, double b) { return std::fmod(a, b); }},
    {Opcode::eq_binary_tile, [](double a, double b) { return double(a == b); }},
    {Opcode::ne_binary_tile, [](double a, double b) { return double(a != b); }},
    {Opcode::lt_binary_tile, [](double a, double b) { return double(a < b); }},
    {Opcode::gt_binary_tile, [](double a, double b) { return double(a > b); }},
    {Opcode::le_binary_tile, [](double a, double b) { return double(a <= b); }},
    {Opcode::ge_binary_tile, [](double a, double b) { return double(a >= b); }},
    {Opcode::logical_and_binary_tile,
     [](double a, double b) { return double(a != 0 && b != 0); }},
    {Opcode::logical_or_binary_tile,
     [](double a, double b) { return double(a != 0 || b != 0); }},
    {Opcode::logical_xor_binary_tile,
     [](double a, double b) { return double((a != 0) != (b != 0)); }},
};

TEST(Vector, Binary) {
  for (const Binary &op : kBinary) {
    Tile a = randomTile(3, 0.5f, 6), b = randomTile(4, 0.5f, 6);
    for (size_t i = 0; i < 1024; i += 5)
      b[i] = a[i];
    for (size_t i = 2; i < 1024; i += 7)
      a[i] = 0;
    Core core({.fp32DestAcc = true});
    core.bind(0, DType::F32, {a, b});
    core.bind(16, DType::F32, 1);
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(Opcode::copy_tile, {0, 1, 1});
    core.run(op.opcode, {0, 1, 2});
    const Tile found = core.result(16, 2);
    for (size_t i = 0; i < found.size(); ++i) {
      const double want = op.apply(a[i], b[i]);
      ASSERT_NEAR(found[i], want, std::max(1e-6, std::fabs(want) * 1e-5))
          << tt::target::metal::EnumNameOpcode(op.opcode) << ' ' << a[i] << ' '
          << b[i];
    }
  }
}

TEST(Vector, MaximumInPlaceAndWhere) {
  const Tile a = randomTile(5), b = randomTile(6);
  Tile condition = randomTile(7, -1, 1);
  for (size_t i = 0; i < 1024; i += 3)
    condition[i] = i % 2 ? 0.0f : -0.0f;
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::F32, {a, b, condition});
  core.bind(16, DType::F32, 1);
  for (std::uint64_t i = 0; i < 3; ++i)
    core.run(Opcode::copy_tile, {0, i, i});
  core.run(Opcode::where_tile, {2, 0, 1, 3});
  const Tile chosen = core.result(16, 3);
  core.run(Opcode::max_tile, {0, 1});
  const Tile greater = core.result(16, 0);
  for (size_t i = 0; i < 1024; ++i) {
    ASSERT_EQ(chosen[i], condition[i] != 0 ? a[i] : b[i]);
    ASSERT_EQ(greater[i], std::max(a[i], b[i]));
  }
}

TEST(Vector, Integers) {
  const Tile a = inFormat(DType::I32, randomTile(8, -99, 99));
  const Tile b = inFormat(DType::I32, randomTile(9, 1, 99));
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::I32, {a, b});
  core.bind(16, DType::I32, 1);
  const auto run = [&](Opcode opcode) {
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(Opcode::copy_tile, {0, 1, 1});
    core.run(opcode, {0, 1, 0});
    return core.result(16);
  };
  Tile found = run(Opcode::bitwise_xor_binary_tile);
  for (size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(found[i], int(a[i]) ^ int(b[i]));
  found = run(Opcode::div_binary_tile);
  for (size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(found[i], int(a[i]) / int(b[i]));
  found = run(Opcode::lt_binary_tile);
  for (size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(found[i], a[i] < b[i]);
  found = run(Opcode::right_shift_binary_tile);
  for (size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(found[i], int(a[i]) >> std::min(int(b[i]), 31));
  found = run(Opcode::bitwise_not_tile);
  for (size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(found[i], ~int(a[i]));
  core.run(Opcode::fill_tile_int, {1, std::uint32_t(-7)});
  EXPECT_EQ(core.result(16, 1), Tile(1024, -7.0f));
  core.run(Opcode::copy_tile, {0, 0, 0});
  core.run(Opcode::fill_tile, {1, 0});
  EXPECT_FAULT(core.run(Opcode::add_binary_tile, {0, 1, 0}),
               ComputeFault::Format);
}

/// Functions of one tile have integers, or refuse them.
TEST(Vector, FunctionsOfIntegers) {
  struct {
    Opcode opcode;
    int (*apply)(int);
  } const integers[] = {
      {Opcode::abs_tile, [](int x) { return std::abs(x); }},
      {Opcode::clamp_tile, [](int x) { return std::clamp(x, -20, 30); }},
      {Opcode::bitwise_not_tile, [](int x) { return ~x; }},
      {Opcode::logical_not_unary_tile, [](int x) { return int(x == 0); }},
      {Opcode::negative_tile, [](int x) { return -x; }},
      {Opcode::relu_tile, [](int x) { return std::max(x, 0); }},
      {Opcode::sign_tile, [](int x) { return (x > 0) - (x < 0); }},
      {Opcode::square_tile, [](int x) { return x * x; }},
      {Opcode::signbit_tile, [](int x) { return int(x < 0); }},
      {Opcode::relu6_tile, [](int x) { return std::clamp(x, 0, 6); }},
      {Opcode::popcount_tile, [](int x) { return std::popcount(unsigned(x)); }},
      {Opcode::clz_tile, [](int x) { return std::countl_zero(unsigned(x)); }},
  };
  std::vector<Opcode> floats = {Opcode::leaky_relu_tile, Opcode::power_tile};
  for (const Unary &op : kUnary)
    if (std::none_of(std::begin(integers), std::end(integers),
                     [&](const auto &i) { return i.opcode == op.opcode; }))
      floats.push_back(op.opcode);
  EXPECT_EQ(floats.size(), std::size(kUnary) - 8 + 2);
  const Tile values = inFormat(DType::I32, randomTile(12, -99, 99));
  for (DType type :
       {DType::I32, DType::U32, DType::U16, DType::U8, DType::I16, DType::I8}) {
    Core core({.fp32DestAcc = true});
    core.bind(0, type, {values});
    core.bind(16, type, 1);
    for (Opcode opcode : floats) {
      core.run(Opcode::copy_tile, {0, 0, 0});
      EXPECT_FAULT(core.run(opcode, {0, floatBits(2)}), ComputeFault::Format);
    }
  }
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::I32, {values});
  core.bind(16, DType::I32, 1);
  for (const auto &op : integers) {
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(op.opcode, {0, floatBits(-20), floatBits(30)});
    const Tile found = core.result(16);
    for (size_t i = 0; i < 1024; ++i)
      ASSERT_EQ(found[i], op.apply(int(values[i])));
  }
}

TEST(Vector, Typecast) {
  const Tile values = randomTile(10, -300, 300);
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::F32, {values});
  const auto run = [&](DType target, DType out) {
    core.bind(16, out, 1);
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(Opcode::typecast_tile,
             {0, std::uint64_t(DType::F32), std::uint64_t(target)});
    return core.result(16);
  };
  for (size_t i = 0; i < 1024; ++i) {
    ASSERT_EQ(run(DType::I32, DType::I32)[i], std::trunc(values[i]));
    if (i > 4)
      break;
  }
  EXPECT_EQ(run(DType::U8, DType::U8)[0],
            std::clamp(std::trunc(values[0]), 0.0f, 255.0f));
  const Tile narrow = run(DType::BF16, DType::F32);
  for (size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(narrow[i], toBf16(values[i]));
  // Back to floats.
  core.run(Opcode::copy_tile, {0, 0, 0});
  core.run(Opcode::typecast_tile,
           {0, std::uint64_t(DType::F32), std::uint64_t(DType::I32)});
  core.run(Opcode::typecast_tile,
           {0, std::uint64_t(DType::I32), std::uint64_t(DType::F32)});
  core.bind(16, DType::F32, 1);
  const Tile back = core.result(16);
  for (size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(back[i], std::trunc(values[i]));
  EXPECT_FAULT(
      core.run(Opcode::typecast_tile, {0, std::uint64_t(DType::I32), 0}),
      ComputeFault::Format);
}

TEST(Vector, SixteenBitRegistersRoundEachResult) {
  const Tile values = inFormat(DType::BF16, randomTile(11));
  for (bool exact : {false, true}) {
    Core core({.exact = exact});
    core.bind(0, DType::BF16, {values});
    core.bind(16, DType::F32, 1);
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(Opcode::square_tile, {0});
    const Tile found = core.result(16);
    for (size_t i = 0; i < 1024; ++i) {
      const double square = double(values[i]) * values[i];
      ASSERT_EQ(found[i], exact ? leadingBits(square, 8) : toBf16(square));
    }
  }
}

} // namespace
