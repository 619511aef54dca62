// What the kernel tests share: random data, ulps, and a test on each
// instruction set.
#ifndef TT_TEST_UNITTESTS_KERNELS_SUPPORT_H
#define TT_TEST_UNITTESTS_KERNELS_SUPPORT_H

#include "numerics/cpu.h"
#include "numerics/formats.h"

#include "testing/testing.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tt::runtime::numerics::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

/// Runs a test with one instruction set and restores the best one.
class EachIsa : public ::testing::TestWithParam<int> {
protected:
  void SetUp() override {
    if (!hasIsa(Isa(GetParam())))
      GTEST_SKIP() << "this machine lacks it";
    setIsa(Isa(GetParam()));
  }
  void TearDown() override { setIsa(bestIsa()); }
};

inline std::string isaParameterName(const ::testing::TestParamInfo<int> &info) {
  static const char *const names[] = {"Baseline", "V3",    "V4",
                                      "V4Bf16",   "V4Amx", "V4EmulatedAmx"};
  return names[info.param];
}

#define TT_EACH_ISA(SUITE)                                                     \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      Isa, SUITE, ::testing::Range(0, ::tt::runtime::numerics::kIsas),         \
      isaParameterName)

inline std::vector<float> randomFloats(int64_t count, uint32_t seed,
                                       float low = -4, float high = 4) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> draw(low, high);
  std::vector<float> values(static_cast<size_t>(count));
  for (float &value : values)
    value = draw(generator);
  return values;
}

/// Floats of every magnitude: random bits, with the special values in front.
inline std::vector<float> wildFloats(int64_t count, uint32_t seed) {
  std::vector<float> values = {0.0f,    -0.0f,   1.0f,      -1.0f,   kInf,
                               -kInf,   kNan,    1e-40f,    -1e-40f, 65504.0f,
                               65520.f, 3.4e38f, 1.18e-38f, 0.5f,    2.0f};
  std::mt19937 generator(seed);
  while (int64_t(values.size()) < count)
    values.push_back(std::bit_cast<float>(uint32_t(generator())));
  values.resize(size_t(count));
  return values;
}

inline uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

/// Distance from the exact `expected` in units of the last place of f32 there.
inline double ulps(float found, double expected) {
  float rounded = float(expected);
  if (std::isnan(expected) || std::isnan(found))
    return std::isnan(expected) && std::isnan(found) ? 0 : 1e30;
  if (std::isinf(rounded) || std::isinf(found)) {
    if (found == rounded)
      return 0;
    float largest = std::numeric_limits<float>::max();
    float bounded = std::isinf(found) ? std::copysign(largest, found) : found;
    return std::isinf(expected) ? 1e30
                                : 1 + std::fabs((double(bounded) - expected)) /
                                          std::ldexp(1.0, 104);
  }
  int exponent;
  std::frexp(std::fabs(expected), &exponent);
  double unit = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::fabs(double(found) - expected) / unit;
}

inline std::vector<char> elementsOf(DType type,
                                    const std::vector<float> &values) {
  std::vector<char> data(values.size() * size_t(elementSize(type)));
  fromF32(type, values.data(), data.data(), int64_t(values.size()));
  return data;
}

inline std::vector<float> floatsOf(DType type, const void *data,
                                   int64_t count) {
  std::vector<float> values(static_cast<size_t>(count));
  toF32(type, data, values.data(), count);
  return values;
}

} // namespace tt::runtime::numerics::test

#endif // TT_TEST_UNITTESTS_KERNELS_SUPPORT_H
