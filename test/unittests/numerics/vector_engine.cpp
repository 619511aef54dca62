// The programs of the vector engine: the same bits on every instruction set.
// Which bits these are is for test/python/numerics/test_vector_engine.py.
#include "numerics/vector_engine.h"
#include "support.h"

#include <random>

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

/// Any bits, and every other number of an ordinary magnitude.
std::vector<float> operands(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(1 << 14);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint32_t bits = random();
    if (i % 2)
      bits = (bits & 0x80ffffffu) | 0x3e000000u;
    std::memcpy(&values[i], &bits, sizeof(bits));
  }
  return values;
}

/// The bits of all programs.
std::vector<float> results() {
  const std::vector<float> a = operands(1), b = operands(2);
  std::vector<float> all, out(a.size());
  for (int bits = 0; bits < 8; ++bits) {
    const VectorMode mode{.wormhole = bool(bits & 1),
                          .wide = bool(bits & 2),
                          .approx = bool(bits & 4)};
    for (int op = 0; op < kUnaryOps; ++op)
      if (hasProgram(UnaryOp(op))) {
        vectorUnary(mode, UnaryOp(op), a.data(), out.data(),
                    std::int64_t(a.size()), {.a = 0.125f});
        all.insert(all.end(), out.begin(), out.end());
      }
    for (int op = 0; op < kBinaryOps; ++op)
      if (hasProgram(BinaryOp(op))) {
        vectorBinary(mode, BinaryOp(op), a.data(), b.data(), out.data(),
                     std::int64_t(a.size()));
        all.insert(all.end(), out.begin(), out.end());
      }
  }
  return all;
}

TEST(VectorEngineBits, SameOnEveryIsa) {
  setIsa(Isa::Baseline);
  const std::vector<float> first = results();
  EXPECT_EQ(first.size(), std::size_t(8 * (23 + 6)) << 14);
  for (int isa = 1; isa < kIsas; ++isa) {
    if (!hasIsa(Isa(isa)))
      continue;
    setIsa(Isa(isa));
    const std::vector<float> found = results();
    EXPECT_EQ(0, std::memcmp(first.data(), found.data(), first.size() * 4))
        << isaName(Isa(isa));
  }
  setIsa(bestIsa());
}

/// Results of many numbers of bf16 are looked up.
TEST(VectorEngineBits, LookedUp) {
  std::vector<float> values(1 << 16), computed(values.size()),
      found(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t bits = std::uint32_t(i) << 16;
    std::memcpy(&values[i], &bits, sizeof(bits));
  }
  for (bool wide : {false, true})
    for (UnaryOp op : {UnaryOp::Exp, UnaryOp::Gelu, UnaryOp::Asinh}) {
      const VectorMode mode{.wide = wide, .approx = true, .half = true};
      const std::int64_t count = std::int64_t(values.size());
      vectorUnary(mode, op, values.data(), computed.data(), count);
      vectorUnary(mode, op, values.data(), found.data(), count);
      EXPECT_EQ(
          0, std::memcmp(computed.data(), found.data(), computed.size() * 4));
    }
}

/// Functions that have none are those of fast numerics, rounded to bf16 where
/// the destination has that.
TEST(VectorEngineBits, WithoutProgram) {
  const std::vector<float> values = randomFloats(1024, 3, 0.1f, 2);
  std::vector<float> plain(values.size()), found(values.size());
  unary(UnaryOp::Asinh, DType::F32, values.data(), plain.data(), 1024);
  vectorUnary({.wide = true}, UnaryOp::Asinh, values.data(), found.data(),
              1024);
  EXPECT_EQ(plain, found);
  vectorUnary({}, UnaryOp::Asinh, values.data(), found.data(), 1024);
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, &plain[i], sizeof(bits));
    bits = (bits + 0x8000u) & 0xffff0000u;
    float rounded;
    std::memcpy(&rounded, &bits, sizeof(bits));
    ASSERT_EQ(found[i], rounded);
  }
}

} // namespace
