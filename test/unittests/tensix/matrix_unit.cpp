// The matrix engine bit by bit, against a model of one lane in 64-bit integers.
#include "numerics/matrix_unit.h"
#include "support.h"

using namespace tt::runtime::tensix;
using namespace tt::runtime::tensix::test;
using numerics::Accumulator;
using numerics::MatrixUnitMode;

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
  MatrixUnitMode mode;

  bool wide() const {
    return mode.accumulator == Accumulator::F32 ||
           mode.accumulator == Accumulator::F32OfF16;
  }
  Int least() const { return mode.accumulator == Accumulator::F16 ? 112 : 0; }
  Int most() const { return mode.accumulator == Accumulator::F16 ? 143 : 254; }

  Number dst(float value) const {
    const std::uint32_t bits = bitsOf(value);
    const Int exp = bits >> 23 & 255;
    return {bits >> 31 != 0, exp, exp ? Int(bits & 0x7fffff) | 0x800000 : 0};
  }

  float sum(std::vector<Number> groups, const Number &old,
            bool *overflow = nullptr) const {
    Int exp = old.exp;
    for (Number &group : groups) {
      if (group.exp <= least())
        group.man = 0;
      exp = std::max(exp, group.exp);
    }
    Int total = 0;
    const auto drop = [&](Int man, Int correction) {
      return wide() ? man : (man + 4096 - correction) >> 13 << 13;
    };
    for (const Number &group : groups) {
      const Int man = drop(shifted(group.man, exp - group.exp, group.negative),
                           group.negative);
      total += group.negative ? -man : man;
    }
    const Int man = drop(shifted(old.man, exp - old.exp, 0), 0);
    total += old.negative ? -man : man;
    return encode(total, exp, overflow);
  }

  float encode(Int total, Int exp, bool *overflow) const {
    if (total == 0 || exp <= least())
      return 0;
    const bool negative = total < 0;
    Int man = negative ? -total : total;
    Int shift = 0;
    while (man >> shift >= 1 << 24)
      ++shift;
    man = shifted(man, shift, 0);
    exp += shift;
    while (man < 1 << 23)
      man <<= 1, --exp;
    if (wide() && mode.wormhole && total == -1)
      exp += 27;
    if (!wide()) {
      const Int dropped = mode.accumulator == Accumulator::F16 ? 13 : 16;
      man = (man + (Int(1) << (dropped - 1))) >> dropped << dropped;
    }
    if (man >= 1 << 24)
      man >>= 1, ++exp;
    if (exp <= least())
      return 0;
    const float sign = negative ? -1.0f : 1.0f;
    if (exp > most()) {
      if (overflow)
        *overflow = true;
      return sign * (mode.accumulator == Accumulator::F16 ? 131008.0f : kInf);
    }
    return sign * std::ldexp(float(man), int(exp - 150));
  }

  Number product(const Source &a, const Source &b, int phase) const {
    const Int left = phase & 1 ? a.man >> 1 & 31 : a.man >> 6;
    const Int right = phase & 2 ? (b.man & 15) << 3 : b.man >> 4;
    const Int later = (phase & 1 ? 5 : 0) + (phase & 2 ? 7 : 0);
    const bool zero = a.man == 0 || b.man == 0;
    const Int exp = !zero ? a.exp + b.exp - 127 - later
                    : mode.accumulator == Accumulator::F32OfF16 ? 97 - later
                                                                : 0;
    return {a.negative != b.negative, exp, left * right};
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

  /// sum + the products of 16 pairs.
  float dot(float sum, const std::vector<std::pair<float, float>> &pairs,
            int phase) const {
    std::vector<Number> groups;
    for (size_t first : {0, 8}) {
      std::vector<Number> products;
      for (size_t k = first; k < first + 8; ++k)
        products.push_back(product(sourceOf(pairs[k].first),
                                   sourceOf(pairs[k].second), phase));
      groups.push_back(group(products));
    }
    return this->sum(groups, dst(sum));
  }

  float multiply(float sum, float a, float b) const {
    bool overflow = false;
    for (int phase = 0; phase < mode.phases && !overflow; ++phase) {
      Number p = product(sourceOf(a), sourceOf(b), phase);
      p.exp = std::max<Int>(p.exp, 0);
      p.man <<= 13;
      sum = this->sum({p}, dst(sum), &overflow);
    }
    return sum;
  }

  float add(float sum, float a, float b, bool subtract) const {
    Source x = sourceOf(a), y = sourceOf(b);
    y.negative = y.negative != subtract;
    const Int exp = std::max(x.exp, y.exp);
    const auto term = [&](const Source &s) {
      const Int man = exp - s.exp >= 12 ? 0 : shifted(s.man, exp - s.exp, 0);
      return s.negative ? -man : man;
    };
    const Int total = term(x) + term(y);
    return this->sum({{total < 0, exp, (total < 0 ? -total : total) << 13}},
                     dst(sum));
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
                                  Accumulator::F16, Accumulator::F32OfF16};

MatrixUnitMode modeOf(Accumulator kind, std::uint32_t seed) {
  return {kind, int(seed % 4) + 1, seed / 4 % 2 == 1};
}

TEST_P(MatrixUnit, ElementwiseBitForBit) {
  for (Accumulator kind : kKinds)
    for (std::uint32_t seed = 1; seed < 90; ++seed) {
      const Model model{modeOf(kind, seed)};
      const Tile a = operands(seed), b = operands(seed + 300 / (seed % 2 + 1));
      const bool subtract = seed % 2;
      Tile products(1024), sums(1024), before(1024, 0.0f);
      for (bool add : {false, true}) {
        const Tile oldSums = add ? sums : before;
        const Tile oldProducts = add ? products : before;
        numerics::matrixUnitMultiply(a.data(), b.data(), products.data(), 1024,
                                     add, model.mode);
        numerics::matrixUnitAdd(a.data(), b.data(), sums.data(), 1024, subtract,
                                add, model.mode);
        for (size_t i = 0; i < 1024; ++i) {
          ASSERT_EQ(bitsOf(products[i]),
                    bitsOf(model.multiply(oldProducts[i], a[i], b[i])))
              << a[i] << " * " << b[i] << " kind " << int(kind);
          ASSERT_EQ(bitsOf(sums[i]),
                    bitsOf(model.add(oldSums[i], a[i], b[i], subtract)))
              << a[i] << (subtract ? " - " : " + ") << b[i];
        }
      }
    }
}

size_t inFaces(Int row, Int col) {
  return size_t(((row >> 4) * 2 + (col >> 4)) * 256 + (row & 15) * 16 +
                (col & 15));
}

TEST_P(MatrixUnit, ProductsOfTilesBitForBit) {
  for (Accumulator kind : kKinds)
    for (std::uint32_t seed = 1; seed < 13; ++seed) {
      const Model model{modeOf(kind, seed)};
      const Tile b = operands(seed), a = operands(seed + 50);
      Tile found(1024, 0.0f), want(1024, 0.0f);
      for (bool add : {false, true}) {
        numerics::matrixUnitMultiplyTiles(b.data(), a.data(), found.data(), add,
                                          model.mode);
        for (Int row = 0; row < 32; ++row)
          for (Int col = 0; col < 32; ++col) {
            float &sum = want[inFaces(row, col)];
            for (int phase = 0; phase < model.mode.phases; ++phase)
              for (Int first : {0, 16}) {
                std::vector<std::pair<float, float>> pairs;
                for (Int k = first; k < first + 16; ++k)
                  pairs.emplace_back(a[inFaces(k, col)], b[inFaces(row, k)]);
                sum = model.dot(sum, pairs, phase);
              }
            ASSERT_EQ(bitsOf(found[inFaces(row, col)]), bitsOf(sum))
                << row << ' ' << col << " seed " << seed << " kind "
                << int(kind);
          }
      }
    }
}

TEST_P(MatrixUnit, PoolsFacesBitForBit) {
  for (Accumulator kind : kKinds)
    for (std::uint32_t seed = 1; seed < 40; ++seed) {
      const Model model{modeOf(kind, seed)};
      const Tile faces = operands(seed), weights = operands(seed + 50);
      Tile found(16, 0.0f), want(16, 0.0f);
      for (size_t face = 0; face < 4; ++face) {
        numerics::matrixUnitPoolFace(faces.data() + face * 256, weights.data(),
                                     found.data(), model.mode);
        for (size_t col = 0; col < 16; ++col) {
          std::vector<std::pair<float, float>> pairs;
          for (size_t k = 0; k < 16; ++k)
            pairs.emplace_back(faces[face * 256 + k * 16 + col], weights[k]);
          for (int phase = 0; phase < model.mode.phases; ++phase)
            want[col] = model.dot(want[col], pairs, phase);
          ASSERT_EQ(bitsOf(found[col]), bitsOf(want[col]))
              << face << ' ' << col << " seed " << seed << " kind "
              << int(kind);
        }
      }
    }
}

/// Single sums that one rule decides.
TEST_P(MatrixUnit, KnownSums) {
  const auto dot = [](std::initializer_list<std::pair<Int, float>> first,
                      std::initializer_list<std::pair<Int, float>> second,
                      const MatrixUnitMode &mode) {
    Tile b(1024, 0.0f), a(1024, 0.0f), sum(1024);
    for (auto [k, value] : first)
      b[inFaces(0, k)] = value;
    for (auto [k, value] : second)
      a[inFaces(k, 0)] = value;
    numerics::matrixUnitMultiplyTiles(b.data(), a.data(), sum.data(), false,
                                      mode);
    return sum[0];
  };
  // A slice of 0 keeps its exponent.
  EXPECT_EQ(dot({{0, 4096}, {1, 1 + 0x1p-7f}}, {{0, 1}, {1, 1 + 0x1p-6f}},
                {Accumulator::F32, 2, true}),
            4096.0f);
  // The shift that normalizes rounds.
  EXPECT_EQ(dot({{0, 1}, {8, 0x1p-23f}, {16, 1}}, {{0, 1}, {8, 1}, {16, 1}},
                {Accumulator::F32, 1, true}),
            2 + 0x1p-22f);
  // -1 on Wormhole.
  for (bool wormhole : {false, true})
    EXPECT_EQ(dot({{0, 1}, {1, 1}, {8, -0x1p-23f}}, {{0, 1}, {1, -1}, {8, 1}},
                  {Accumulator::F32, 1, wormhole}),
              wormhole ? -16.0f : -0x1p-23f);
}

/// More phases come closer to the product.
TEST(MatrixUnitOnce, PhasesConverge) {
  const Tile b = inFormat(DType::BF16, randomTile(1)),
             a = inFormat(DType::BF16, randomTile(2));
  double last = 1e9;
  for (int phases = 1; phases <= 4; ++phases) {
    Tile found(1024);
    numerics::matrixUnitMultiply(a.data(), b.data(), found.data(), 1024, false,
                                 {Accumulator::F32, phases});
    double error = 0;
    for (size_t i = 0; i < 1024; ++i)
      error += std::fabs(double(found[i]) - double(a[i]) * double(b[i]));
    EXPECT_LE(error, last);
    last = error;
  }
  EXPECT_LT(last, 1e-3); // HiFi4 sees all of bf16
}

} // namespace
