// The matrix engine bit by bit, against a model of one lane in 64-bit integers.
#include "kernels/matrix_unit.h"
#include "support.h"

using namespace tt::runtime::tensix;
using namespace tt::runtime::tensix::test;
using kernels::Accumulator;

namespace {

using Int = std::int64_t;

/// A product or sum: value = sign * man * 2^(exp - 127 - 23).
struct Number {
  bool negative = false;
  Int exp = 0, man = 0;
};

struct Source {
  bool negative;
  Int exp, man; // 11 bits
};

Source sourceOf(float value) {
  const std::uint32_t bits = bitsOf(value);
  const Int exp = bits >> 23 & 255;
  return {bits >> 31 != 0, exp, exp ? Int(bits >> 13 & 1023) | 1024 : 0};
}

Int shifted(Int man, Int by, Int correction) {
  if (by >= 31)
    return 0;
  return by == 0 ? man : (man + (Int(1) << (by - 1)) - correction) >> by;
}

struct Model {
  Accumulator kind;

  Int least() const { return kind == Accumulator::F16 ? 112 : 0; }

  Number dst(float value) const {
    const std::uint32_t bits = bitsOf(value);
    const Int exp = bits >> 23 & 255;
    return {bits >> 31 != 0, exp, exp ? Int(bits & 0x7fffff) | 0x800000 : 0};
  }

  float sum(std::vector<Number> groups, const Number &old) const {
    Int exp = old.exp;
    for (Number &group : groups) {
      if (group.exp <= least())
        group.man = 0;
      exp = std::max(exp, group.exp);
    }
    Int total = 0;
    const auto drop = [&](Int man, Int correction) {
      return kind == Accumulator::F32 ? man
                                      : (man + 4096 - correction) >> 13 << 13;
    };
    for (const Number &group : groups) {
      const Int man = drop(shifted(group.man, exp - group.exp, group.negative),
                           group.negative);
      total += group.negative ? -man : man;
    }
    const Int man = drop(shifted(old.man, exp - old.exp, 0), 0);
    total += old.negative ? -man : man;
    return encode(total, exp);
  }

  float encode(Int total, Int exp) const {
    if (total == 0 || exp <= least())
      return 0;
    const bool negative = total < 0;
    Int man = negative ? -total : total;
    while (man >= 1 << 24)
      man >>= 1, ++exp;
    while (man < 1 << 23)
      man <<= 1, --exp;
    if (kind != Accumulator::F32) {
      const Int dropped = kind == Accumulator::F16 ? 13 : 16;
      man = (man + (Int(1) << (dropped - 1))) >> dropped << dropped;
      if (man >= 1 << 24)
        man >>= 1, ++exp;
    }
    if (exp <= least())
      return 0;
    const float sign = negative ? -1.0f : 1.0f;
    if (kind == Accumulator::F16 && exp > 143)
      return sign * 131008.0f;
    if (exp >= 255)
      return sign * kInf;
    return sign * std::ldexp(float(man), int(exp - 150));
  }

  static Number product(const Source &a, const Source &b, int phase) {
    const Int left = phase & 1 ? a.man >> 1 & 31 : a.man >> 6;
    const Int right = phase & 2 ? (b.man & 15) << 3 : b.man >> 4;
    const Int exp =
        a.exp + b.exp - 127 - (phase & 1 ? 5 : 0) - (phase & 2 ? 7 : 0);
    return {a.negative != b.negative, left * right ? exp : 0, left * right};
  }

  Number group(const std::vector<Number> &products) const {
    Number result;
    for (const Number &p : products)
      result.exp = std::max(result.exp, p.exp);
    Int total = 0;
    for (const Number &p : products) {
      const Int d = std::min<Int>(result.exp - p.exp, 30);
      const Int man = ((p.man << 1) + (Int(1) << d)) >> (d + 1);
      total += p.negative ? -man : man;
    }
    result.negative = total < 0;
    result.man = (total < 0 ? -total : total) << 13;
    return result;
  }
};

/// Numbers that meet: magnitudes of a narrow and of the whole range.
Tile operands(std::uint32_t seed) {
  if (seed % 3 == 0)
    return randomTile(seed, -2, 2);
  if (seed % 3 == 1)
    return inFormat(DType::BF16, randomTile(seed, -100, 100));
  Tile values = wildFloats(1024, seed);
  for (float &value : values)
    if (!std::isfinite(value))
      value = 1;
  return values;
}

class MatrixUnit : public EachIsa {};
TT_EACH_ISA(MatrixUnit);

constexpr Accumulator kKinds[] = {Accumulator::F32, Accumulator::BF16,
                                  Accumulator::F16};

TEST_P(MatrixUnit, ElementwiseBitForBit) {
  for (Accumulator kind : kKinds)
    for (std::uint32_t seed = 1; seed < 90; ++seed) {
      const Model model{kind};
      const Tile a = operands(seed), b = operands(seed + 300 / (seed % 2 + 1));
      Tile found(1024);
      const int phases = int(seed % 4) + 1;
      kernels::matrixUnitMultiply(a.data(), b.data(), found.data(), 1024,
                                  phases, kind);
      for (size_t i = 0; i < 1024; ++i) {
        float want = 0;
        for (int phase = 0; phase < phases; ++phase) {
          Number p = Model::product(sourceOf(a[i]), sourceOf(b[i]), phase);
          p.exp = std::max<Int>(p.exp, 0);
          p.man <<= 13;
          want = model.sum({p}, model.dst(want));
        }
        ASSERT_EQ(bitsOf(found[i]), bitsOf(want))
            << a[i] << " * " << b[i] << " kind " << int(kind);
      }
      const bool subtract = seed % 2;
      kernels::matrixUnitAdd(a.data(), b.data(), found.data(), 1024, subtract,
                             kind);
      for (size_t i = 0; i < 1024; ++i) {
        Source x = sourceOf(a[i]), y = sourceOf(b[i]);
        y.negative = y.negative != subtract;
        const Int exp = std::max(x.exp, y.exp);
        const auto term = [&](const Source &s) {
          const Int man =
              exp - s.exp >= 12 ? 0 : shifted(s.man, exp - s.exp, 0);
          return s.negative ? -man : man;
        };
        const Int total = term(x) + term(y);
        const float want = model.sum(
            {{total < 0, exp, (total < 0 ? -total : total) << 13}}, {});
        ASSERT_EQ(bitsOf(found[i]), bitsOf(want))
            << a[i] << (subtract ? " - " : " + ") << b[i];
      }
    }
}

TEST_P(MatrixUnit, ProductsOfTilesBitForBit) {
  const auto face = [](Int row, Int col) {
    return size_t(((row >> 4) * 2 + (col >> 4)) * 256 + (row & 15) * 16 +
                  (col & 15));
  };
  for (Accumulator kind : kKinds)
    for (std::uint32_t seed = 1; seed < 13; ++seed) {
      const Model model{kind};
      const Tile b = operands(seed), a = operands(seed + 50);
      const int phases = int(seed % 4) + 1;
      Tile found(1024, 0.0f), want(1024, 0.0f);
      for (bool add : {false, true}) {
        kernels::matrixUnitMultiplyTiles(b.data(), a.data(), found.data(), add,
                                         phases, kind);
        for (Int row = 0; row < 32; ++row)
          for (Int col = 0; col < 32; ++col) {
            float &sum = want[face(row, col)];
            for (int phase = 0; phase < phases; ++phase)
              for (Int half = 0; half < 2; ++half) {
                std::vector<Number> groups;
                for (Int first = half * 16; first < half * 16 + 16;
                     first += 8) {
                  std::vector<Number> products;
                  for (Int k = first; k < first + 8; ++k)
                    products.push_back(Model::product(sourceOf(a[face(k, col)]),
                                                      sourceOf(b[face(row, k)]),
                                                      phase));
                  groups.push_back(model.group(products));
                }
                sum = model.sum(groups, model.dst(sum));
              }
            ASSERT_EQ(bitsOf(found[face(row, col)]), bitsOf(sum))
                << row << ' ' << col << " seed " << seed << " kind "
                << int(kind);
          }
      }
    }
}

/// More phases come closer to the product.
TEST(MatrixUnitOnce, PhasesConverge) {
  const Tile b = inFormat(DType::BF16, randomTile(1)),
             a = inFormat(DType::BF16, randomTile(2));
  double last = 1e9;
  for (int phases = 1; phases <= 4; ++phases) {
    Tile found(1024);
    kernels::matrixUnitMultiply(a.data(), b.data(), found.data(), 1024, phases,
                                Accumulator::F32);
    double error = 0;
    for (size_t i = 0; i < 1024; ++i)
      error += std::fabs(double(found[i]) - double(a[i]) * double(b[i]));
    EXPECT_LE(error, last);
    last = error;
  }
  EXPECT_LT(last, 1e-3); // HiFi4 sees all of bf16
}

} // namespace
