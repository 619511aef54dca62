// Products against sums in double, and bit-identity over thread counts.
#include "numerics/matmul.h"
#include "numerics/parallel.h"
#include "support.h"

#include <array>

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

class Matmul : public EachIsa {};
TT_EACH_ISA(Matmul);

struct Problem {
  int64_t batch, m, n, k;
  bool transA, transB, bias;
};

/// Operands as stored, with a gap between rows and between batches.
struct Stored {
  std::vector<char> data;
  std::vector<float> values;
  int64_t rowStride, batchStride;

  Stored(DType type, int64_t batch, int64_t rows, int64_t cols, uint32_t seed)
      : rowStride(cols + 3), batchStride((cols + 3) * rows + 5) {
    std::vector<float> wide =
        randomFloats(batch * batchStride + rowStride, seed, -1, 1);
    data = elementsOf(type, wide);
    values = floatsOf(type, data.data(), int64_t(wide.size()));
  }
  MatmulOperand operand(DType type, bool transposed) const {
    return {data.data(), type, rowStride, batchStride, transposed, {}};
  }
  double at(int64_t b, int64_t row, int64_t col, bool transposed) const {
    if (transposed)
      std::swap(row, col);
    return values[size_t(b * batchStride + row * rowStride + col)];
  }
};

void check(const Problem &p, DType aType, DType bType, DType cType) {
  Stored a(aType, p.batch, p.transA ? p.k : p.m, p.transA ? p.m : p.k, 1);
  Stored b(bType, p.batch, p.transB ? p.n : p.k, p.transB ? p.k : p.n, 2);
  std::vector<float> bias = randomFloats(p.n, 3);
  int64_t cStride = p.n + 2;
  auto run = [&] {
    std::vector<char> c(
        size_t(p.batch * p.m * cStride * elementSize(cType) + 64), char(0x11));
    MatmulArgs args;
    args.batch = p.batch;
    args.m = p.m;
    args.n = p.n;
    args.k = p.k;
    args.a = a.operand(aType, p.transA);
    args.b = b.operand(bType, p.transB);
    args.c = c.data();
    args.cType = cType;
    args.cRowStride = cStride;
    args.cBatchStride = p.m * cStride;
    args.bias = p.bias ? bias.data() : nullptr;
    matmul(args);
    return c;
  };
  std::vector<char> first = run();
  for (int threads : {1, 3}) {
    setNumThreads(threads);
    ASSERT_EQ(run(), first) << "threads " << threads;
  }
  setNumThreads(0);
  std::vector<float> found =
      floatsOf(cType, first.data(), p.batch * p.m * cStride);
  double step = cType == DType::F32    ? 0x1p-23
                : cType == DType::BF16 ? 0x1p-8
                                       : 0x1p-11;
  for (int64_t i = 0; i < p.batch; ++i)
    for (int64_t row = 0; row < p.m; ++row)
      for (int64_t col = 0; col < p.n; ++col) {
        double exact = p.bias ? bias[size_t(col)] : 0, sum = std::fabs(exact);
        for (int64_t q = 0; q < p.k; ++q) {
          double term = a.at(i, row, q, p.transA) * b.at(i, q, col, p.transB);
          exact += term;
          sum += std::fabs(term);
        }
        double bound =
            sum * double(p.k + 2) * 0x1p-24 + step * std::fabs(exact) + 1e-7;
        ASSERT_NEAR(found[size_t((i * p.m + row) * cStride + col)], exact,
                    bound)
            << p.m << "x" << p.n << "x" << p.k << " at " << i << "," << row
            << "," << col;
      }
  // The gap behind each row is not touched.
  int64_t size = elementSize(cType);
  for (int64_t row = 0; row < p.batch * p.m; ++row)
    for (int64_t byte = p.n * size; byte < cStride * size; ++byte)
      ASSERT_EQ(first[size_t(row * cStride * size + byte)], char(0x11));
}

const Problem kProblems[] = {
    {1, 1, 1, 1, false, false, false},    {1, 1, 70, 300, false, false, true},
    {1, 4, 33, 17, true, false, false},   {2, 3, 100, 64, false, true, true},
    {1, 5, 40, 31, false, false, false},  {1, 13, 33, 520, true, true, true},
    {3, 32, 32, 32, false, false, false}, {1, 64, 48, 600, false, true, false},
    {1, 200, 70, 65, false, false, true}, {1, 193, 257, 530, true, true, true},
    {2, 197, 40, 33, true, false, false}, {9, 2, 5, 7, false, false, true},
};

TEST_P(Matmul, EveryPath) {
  for (const Problem &p : kProblems) {
    check(p, DType::F32, DType::F32, DType::F32);
    check(p, DType::BF16, DType::BF16, DType::BF16);
    check(p, DType::BF16, DType::BF16, DType::F32);
  }
}

TEST_P(Matmul, MixedTypes) {
  for (const Problem &p : {kProblems[1], kProblems[5], kProblems[9]}) {
    check(p, DType::F16, DType::F16, DType::F16);
    check(p, DType::F32, DType::BF16, DType::F32);
    check(p, DType::BF16, DType::F32, DType::BF16);
  }
}

TEST_P(Matmul, BroadcastBatch) {
  std::vector<float> a = randomFloats(2 * 8 * 8, 1), b = randomFloats(64, 2);
  std::vector<float> both(128), one(64);
  MatmulArgs args;
  args.batch = 2;
  args.m = args.n = args.k = 8;
  args.a = {a.data(), DType::F32, 8, 64, false, {}};
  args.b = {b.data(), DType::F32, 8, 0, false, {}};
  args.c = both.data();
  args.cRowStride = 8;
  args.cBatchStride = 64;
  matmul(args);
  args.batch = 1;
  args.a.data = a.data() + 64;
  args.c = one.data();
  matmul(args);
  EXPECT_EQ(0, std::memcmp(both.data() + 64, one.data(), 256));
}

struct Rows {
  const std::vector<float> &values;
  int64_t stride;
  static void read(void *context, int64_t, int64_t row0, int64_t rows,
                   int64_t col0, int64_t cols, void *target, int64_t stride) {
    const Rows &self = *static_cast<Rows *>(context);
    EXPECT_EQ(row0 % 32, 0);
    EXPECT_EQ(col0 % 32, 0);
    for (int64_t r = 0; r < rows; ++r)
      std::memcpy(static_cast<float *>(target) + r * stride,
                  self.values.data() + (row0 + r) * self.stride + col0,
                  size_t(cols) * 4);
  }
};

TEST_P(Matmul, ReadersDeliverTheSameBits) {
  for (int64_t m : {3, 50, 300})
    for (bool transposed : {false, true}) {
      int64_t n = 130, k = 290;
      std::vector<float> a = randomFloats(m * k, 1), b = randomFloats(k * n, 2);
      std::vector<float> direct(size_t(m * n)), read(size_t(m * n));
      MatmulArgs args;
      args.m = m;
      args.n = n;
      args.k = k;
      args.a = {a.data(), DType::F32, transposed ? m : k, 0, transposed, {}};
      args.b = {b.data(), DType::F32, transposed ? k : n, 0, transposed, {}};
      args.c = direct.data();
      args.cRowStride = n;
      matmul(args);
      Rows aRows{a, args.a.rowStride}, bRows{b, args.b.rowStride};
      args.a.reader = {Rows::read, &aRows};
      args.b.reader = {Rows::read, &bRows};
      args.a.data = args.b.data = nullptr;
      args.c = read.data();
      matmul(args);
      EXPECT_EQ(direct, read) << m;
    }
}

TEST_P(Matmul, EmptyAndErrors) {
  float bias[3] = {1, 2, 3}, c[6] = {};
  MatmulArgs args;
  args.m = 2;
  args.n = 3;
  args.k = 0;
  args.a.rowStride = args.b.rowStride = 3;
  args.c = c;
  args.cRowStride = 3;
  args.bias = bias;
  matmul(args);
  EXPECT_EQ(c[4], 2.0f);
  args.k = -1;
  EXPECT_THROW(matmul(args), std::invalid_argument);
  args.k = 1;
  args.cRowStride = 2;
  EXPECT_THROW(matmul(args), std::invalid_argument);
  args.cRowStride = 3;
  args.a.type = DType::BFP8_B;
  EXPECT_THROW(matmul(args), std::invalid_argument);
}

TEST_P(Matmul, NanAndInfinityTravel) {
  std::vector<float> a(40 * 40, 1.0f), b(40 * 40, 1.0f), c(40 * 40);
  a[3 * 40 + 5] = kNan;
  b[7 * 40 + 9] = kInf;
  MatmulArgs args;
  args.m = args.n = args.k = 40;
  args.a = {a.data(), DType::F32, 40, 0, false, {}};
  args.b = {b.data(), DType::F32, 40, 0, false, {}};
  args.c = c.data();
  args.cRowStride = 40;
  matmul(args);
  for (int r = 0; r < 40; ++r)
    for (int col = 0; col < 40; ++col) {
      float value = c[size_t(r * 40 + col)];
      if (r == 3)
        EXPECT_TRUE(std::isnan(value));
      else
        EXPECT_EQ(value, col == 9 ? kInf : 40.0f);
    }
}

TEST_P(Matmul, IntegersWrap) {
  std::mt19937 random(9);
  for (auto [m, k, n] : {std::array<int64_t, 3>{1, 1, 1},
                         {3, 5, 7},
                         {9, 70, 33},
                         {5, 2, 1500}}) {
    std::vector<uint32_t> a(size_t(2 * m * k)), b(size_t(k * n));
    for (std::vector<uint32_t> *values : {&a, &b})
      for (uint32_t &value : *values)
        value = uint32_t(random());
    std::vector<uint32_t> c(size_t(2 * m * n), 77);
    IntegerMatmulArgs args;
    args.batch = 2;
    args.m = m;
    args.n = n;
    args.k = k;
    args.a = a.data();
    args.aBatchStride = m * k;
    args.b = b.data();
    args.c = c.data();
    matmulIntegers(args);
    for (int64_t i = 0; i < 2 * m * n; ++i) {
      uint32_t exact = 0;
      for (int64_t p = 0; p < k; ++p)
        exact += a[size_t(i / n * k + p)] * b[size_t(p * n + i % n)];
      ASSERT_EQ(c[size_t(i)], exact);
    }
  }
}

float flushed(float x) { return std::fabs(x) < 0x1p-126f ? x * 0 : x; }

/// A sum as the tiles of AMX make it: of 32 products, those of even and those
/// of odd k apart.
float tileSum(const float *a, const std::vector<float> &b, int64_t n,
              int64_t col, int64_t k) {
  float sum = 0;
  for (int64_t first = 0; first < k; first += 32) {
    float parts[2] = {};
    for (int64_t p = first; p < std::min(first + 32, k); ++p)
      parts[p % 2] = flushed(std::fma(
          flushed(a[p]), flushed(b[size_t(p * n + col)]), parts[p % 2]));
    sum = flushed(sum + flushed(parts[0] + parts[1]));
  }
  return sum;
}

TEST(MatmulTiles, BitsOfTheInstruction) {
  const int64_t m = 45, n = 50, k = 1100; // two blocks and a part of a group
  std::vector<float> a = randomFloats(m * k, 1, -1, 1);
  std::vector<float> b = randomFloats(k * n, 2, -1, 1);
  // Denormal operands, and products and sums below the normal numbers.
  for (int64_t i = 0; i < m * k; i += 7)
    a[size_t(i)] *= 0x1p-126f;
  for (int64_t i = 0; i < m * k; ++i)
    a[size_t(i)] *= i / k % 3 == 0 ? 0x1p-120f : 1;
  const std::vector<char> left = elementsOf(DType::BF16, a);
  const std::vector<char> right = elementsOf(DType::BF16, b);
  a = floatsOf(DType::BF16, left.data(), m * k);
  b = floatsOf(DType::BF16, right.data(), k * n);
  for (Isa isa : {Isa::V4Amx, Isa::V4EmulatedAmx}) {
    if (!hasIsa(isa))
      continue;
    setIsa(isa);
    std::vector<float> c(size_t(m * n));
    MatmulArgs args;
    args.m = m;
    args.n = n;
    args.k = k;
    args.a = {left.data(), DType::BF16, k, 0, false, {}};
    args.b = {right.data(), DType::BF16, n, 0, false, {}};
    args.c = c.data();
    args.cRowStride = n;
    matmul(args);
    for (int64_t row = 0; row < m; ++row)
      for (int64_t col = 0; col < n; ++col)
        ASSERT_EQ(bitsOf(c[size_t(row * n + col)]),
                  bitsOf(tileSum(a.data() + row * k, b, n, col, k)))
            << isaName(isa) << " at " << row << "," << col;
  }
  setIsa(bestIsa());
}

} // namespace
