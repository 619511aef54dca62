// argmax, cumsum and the norms against the loops of their definition.
#include "numerics/argmax.h"
#include "numerics/cumsum.h"
#include "numerics/norm.h"
#include "support.h"

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

class Lines : public EachIsa {};
TT_EACH_ISA(Lines);

using Shape = std::vector<int64_t>;

/// Calls body(outer, inner, offset of the line, distance of its elements) for
/// all lines along `dim`.
template <typename Body>
void forLines(const Shape &shape, int64_t dim, const Body &body) {
  int64_t outer = 1, inner = 1, n = shape[size_t(dim)];
  for (int64_t d = 0; d < int64_t(shape.size()); ++d)
    if (d != dim)
      (d < dim ? outer : inner) *= shape[size_t(d)];
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i)
      body(o * inner + i, o * n * inner + i, inner, n);
}

const std::pair<Shape, int64_t> kLines[] = {
    {{1}, 0},          {{7}, 0},
    {{200}, 0},        {{10007}, 0},
    {{3, 130}, 1},     {{3, 130}, 0},
    {{70, 65}, 1},     {{2, 9, 1500}, 1},
    {{5, 4, 3, 2}, 2}, {{1, 128, 2, 33}, 1},
    {{150, 4100}, 1}};

TEST_P(Lines, ArgmaxTakesTheFirst) {
  for (auto const &[shape, dim] : kLines)
    for (DType type :
         {DType::F32, DType::BF16, DType::U8, DType::U32, DType::I32}) {
      int64_t count = 1;
      for (int64_t extent : shape)
        count *= extent;
      // Few different values, so that there are ties.
      std::vector<float> values = randomFloats(count, 5, 0, 20);
      for (float &value : values)
        value = std::floor(value);
      std::vector<char> input = elementsOf(type, values);
      std::vector<uint32_t> found(static_cast<size_t>(count));
      argmax(type, input.data(), shape, dim, found.data());
      forLines(shape, dim,
               [&](int64_t line, int64_t at, int64_t step, int64_t n) {
                 uint32_t best = 0;
                 for (int64_t i = 1; i < n; ++i)
                   if (values[size_t(at + i * step)] >
                       values[size_t(at + best * step)])
                     best = uint32_t(i);
                 ASSERT_EQ(found[size_t(line)], best);
               });
    }
}

TEST_P(Lines, ArgmaxOfIntegersThatF32DoesNotHold) {
  const uint32_t big[] = {0x80000000u, 0x80000001u, 0x7fffffffu};
  uint32_t index;
  argmax(DType::U32, big, Shape{3}, 0, &index);
  EXPECT_EQ(index, 1u);
  argmax(DType::I32, big, Shape{3}, 0, &index);
  EXPECT_EQ(index, 2u);
}

TEST_P(Lines, ArgmaxFindsTheFirstNan) {
  for (int64_t n : {2, 63, 64, 65, 300, 5000})
    for (int64_t inner : {1, 20}) {
      std::vector<float> x = randomFloats(n * inner, 6);
      const int64_t first = n / 2;
      for (int64_t i = 0; i < inner; ++i) {
        x[size_t(first * inner + i)] = kNan;
        x[size_t((n - 1) * inner + i)] = i % 2 ? kNan : kInf;
      }
      std::vector<uint32_t> found(static_cast<size_t>(inner));
      argmax(DType::F32, x.data(), Shape{n, inner}, 0, found.data());
      for (uint32_t index : found)
        ASSERT_EQ(int64_t(index), first);
    }
  EXPECT_THROW(argmax(DType::F32, nullptr, Shape{2, 0}, 1, nullptr),
               std::invalid_argument);
  EXPECT_THROW(argmax(DType::F32, nullptr, Shape{2}, 1, nullptr),
               std::invalid_argument);
}

TEST_P(Lines, CumsumOfFloats) {
  for (auto const &[shape, dim] : kLines)
    for (DType type : {DType::F32, DType::BF16, DType::F16}) {
      int64_t count = 1;
      for (int64_t extent : shape)
        count *= extent;
      std::vector<char> input = elementsOf(type, randomFloats(count, 7, -1, 1));
      std::vector<float> x = floatsOf(type, input.data(), count);
      std::vector<char> output(input.size());
      cumsum(type, input.data(), shape, dim, output.data());
      std::vector<float> found = floatsOf(type, output.data(), count);
      forLines(shape, dim, [&](int64_t, int64_t at, int64_t step, int64_t n) {
        float total = 0;
        for (int64_t i = 0; i < n; ++i) {
          total = i ? x[size_t(at + i * step)] + total : x[size_t(at)];
          float expected = total;
          if (type == DType::BF16)
            expected = bf16ToF32(f32ToBf16(total, Rounding::Fast));
          if (type == DType::F16)
            expected = f16ToF32(f32ToF16(total, Rounding::Fast));
          ASSERT_EQ(bitsOf(found[size_t(at + i * step)]), bitsOf(expected));
        }
      });
    }
}

TEST_P(Lines, CumsumOfIntegersWraps) {
  const uint8_t bytes[] = {200, 100, 1, 2, 3, 4};
  uint8_t found[6];
  cumsum(DType::U8, bytes, Shape{6}, 0, found);
  EXPECT_EQ(std::vector<int>(found, found + 6),
            (std::vector<int>{200, 44, 45, 47, 50, 54}));
  cumsum(DType::U8, bytes, Shape{3, 2}, 0, found);
  EXPECT_EQ(std::vector<int>(found, found + 6),
            (std::vector<int>{200, 100, 201, 102, 204, 106}));
  const int32_t ints[] = {INT32_MAX, 1, -5};
  int32_t sums[3];
  cumsum(DType::I32, ints, Shape{3}, 0, sums);
  EXPECT_EQ(sums[1], INT32_MIN);
  EXPECT_EQ(sums[2], INT32_MAX - 4);
}

TEST_P(Lines, CumsumCarriesInfinityAndNan) {
  const float x[] = {1, kInf, 2, -kInf, 3};
  float found[5];
  cumsum(DType::F32, x, Shape{5}, 0, found);
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[2], kInf);
  EXPECT_TRUE(std::isnan(found[3]) && std::isnan(found[4]));
}

struct NormCase {
  int64_t rows, n;
  float low, high, epsilon;
};
const NormCase kNorms[] = {{1, 1, -1, 1, 1e-5f},
                           {5, 7, -4, 4, 1e-5f},
                           {9, 64, 1000, 1001, 1e-5f},
                           {3, 5000, -4, 4, 1e-6f},
                           {4, 130, -1.5e38f, 1.5e38f, 1e-5f},
                           {4, 130, -1e-30f, 1e-30f, 0},
                           {2, 100, 1e5f, 1.1e5f, 0},
                           {2, 33, -1e-20f, 1e-20f, 1e-12f}};

TEST_P(Lines, Norms) {
  for (const NormCase &c : kNorms)
    for (bool rms : {false, true})
      for (int affine = 0; affine < 4; ++affine)
        for (DType type : {DType::F32, DType::BF16}) {
          const int64_t count = c.rows * c.n;
          std::vector<char> input =
              elementsOf(type, randomFloats(count, 8, c.low, c.high));
          std::vector<float> x = floatsOf(type, input.data(), count);
          std::vector<float> weight = randomFloats(c.n, 9);
          std::vector<float> bias = randomFloats(c.n, 10);
          std::vector<char> output(input.size());
          NormArgs args;
          args.type = type;
          args.input = input.data();
          args.rows = c.rows;
          args.n = c.n;
          args.weight = affine & 1 ? weight.data() : nullptr;
          args.bias = affine & 2 ? bias.data() : nullptr;
          args.epsilon = c.epsilon;
          args.output = output.data();
          (rms ? rmsNorm : layerNorm)(args);
          std::vector<float> found = floatsOf(type, output.data(), count);
          for (int64_t r = 0; r < c.rows; ++r) {
            double mean = 0, square = 0, most = 0;
            for (int64_t i = 0; i < c.n; ++i)
              mean += double(x[size_t(r * c.n + i)]) / double(c.n);
            if (rms)
              mean = 0;
            for (int64_t i = 0; i < c.n; ++i) {
              const double d = double(x[size_t(r * c.n + i)]) - mean;
              square += d * d / double(c.n);
              most = std::max(most, std::fabs(double(x[size_t(r * c.n + i)])));
            }
            const double factor = 1 / std::sqrt(square + double(c.epsilon));
            for (int64_t i = 0; i < c.n; ++i) {
              const auto at = size_t(r * c.n + i);
              const double w = affine & 1 ? weight[size_t(i)] : 1;
              const double b = affine & 2 ? bias[size_t(i)] : 0;
              const double exact = (double(x[at]) - mean) * factor * w + b;
              // The mean is off by an ulp of the largest element.
              double bound = 4e-7 * most * factor * std::fabs(w) +
                             1e-6 * (std::fabs(exact) + std::fabs(b)) + 1e-30;
              if (c.n == 1 && !rms)
                bound += 1e-6;
              if (type == DType::BF16)
                bound += std::fabs(exact) * 0x1p-8;
              ASSERT_NEAR(found[at], exact, bound)
                  << c.n << " " << c.low << " rms " << rms;
            }
          }
        }
}

TEST_P(Lines, NormsPropagateNan) {
  for (float special : {kNan, kInf}) {
    std::vector<float> x = randomFloats(2 * 70, 11), found(x.size());
    x[75] = special;
    NormArgs args;
    args.input = x.data();
    args.rows = 2;
    args.n = 70;
    args.epsilon = 1e-5f;
    args.output = found.data();
    layerNorm(args);
    for (size_t i = 0; i < 70; ++i)
      ASSERT_TRUE(std::isfinite(found[i]));
    for (size_t i = 70; i < 140; ++i)
      ASSERT_TRUE(std::isnan(found[i]));
    rmsNorm(args);
    ASSERT_TRUE(std::isnan(found[75]));
    ASSERT_EQ(std::isnan(found[76]), std::isnan(special));
  }
}

} // namespace
