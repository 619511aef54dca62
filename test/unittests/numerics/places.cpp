// Orders, scatters of rows and running extremes against their definition.
#include "numerics/parallel.h"
#include "numerics/scan.h"
#include "numerics/scatter.h"
#include "numerics/sort.h"
#include "support.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

/// Whether x stands in front of y: NaN is behind all numbers.
bool before(float x, float y) {
  if (std::isnan(x) || std::isnan(y))
    return !std::isnan(x) && std::isnan(y);
  return x < y;
}

TEST(Sort, IsStableAndPutsNaNLast) {
  const int64_t shape[] = {3, 500, 7};
  const std::vector<float> values = wildFloats(3 * 500 * 7, 1);
  for (const bool descending : {false, true}) {
    std::vector<uint32_t> places(values.size());
    argsort(DType::F32, values.data(), shape, 1, descending, places.data());
    for (int64_t line = 0; line < 3 * 7; ++line) {
      const auto at = [&](int64_t k) {
        return size_t(line / 7 * 500 * 7 + k * 7 + line % 7);
      };
      std::vector<uint32_t> expected(500);
      std::iota(expected.begin(), expected.end(), 0u);
      std::stable_sort(expected.begin(), expected.end(),
                       [&](uint32_t a, uint32_t b) {
                         const float x = values[at(a)], y = values[at(b)];
                         return descending ? before(y, x) : before(x, y);
                       });
      for (int64_t k = 0; k < 500; ++k)
        ASSERT_EQ(places[at(k)], expected[size_t(k)]);
    }
  }
}

TEST(Sort, IntegersBySign) {
  const int64_t shape[] = {4};
  const std::vector<uint32_t> values = {5, 0xFFFFFFFF, 0, 0x80000000};
  std::vector<uint32_t> places(4);
  argsort(DType::U32, values.data(), shape, 0, false, places.data());
  EXPECT_EQ(places, (std::vector<uint32_t>{2, 0, 3, 1}));
  argsort(DType::I32, values.data(), shape, 0, false, places.data());
  EXPECT_EQ(places, (std::vector<uint32_t>{3, 1, 2, 0}));
}

TEST(Scatter, CombinesInOrderOnAnyNumberOfThreads) {
  constexpr int64_t kRows = 50, kCols = 1000, kCount = 300;
  const std::vector<float> table = randomFloats(kRows * kCols, 2);
  const std::vector<float> updates = randomFloats(kCount * kCols, 3);
  std::vector<int32_t> indices(kCount);
  std::mt19937 generator(4);
  for (int32_t &index : indices)
    index = int32_t(generator() % (kRows + 4)) - 2;
  const auto combine = [](ScatterOp op, float x, float y) {
    return op == ScatterOp::Sum    ? x + y
           : op == ScatterOp::Prod ? x * y
           : op == ScatterOp::Max  ? std::max(x, y)
           : op == ScatterOp::Min  ? std::min(x, y)
                                   : y;
  };
  for (const ScatterOp op : {ScatterOp::Sum, ScatterOp::Prod, ScatterOp::Max,
                             ScatterOp::Min, ScatterOp::Set}) {
    std::vector<float> expected = table;
    for (int64_t i = 0; i < kCount; ++i)
      for (int64_t c = 0; c < kCols; ++c)
        if (const int64_t row = indices[size_t(i)]; row >= 0 && row < kRows) {
          float &x = expected[size_t(row * kCols + c)];
          x = combine(op, x, updates[size_t(i * kCols + c)]);
        }
    for (const int threads : {1, 4}) {
      setNumThreads(threads);
      std::vector<float> found(table.size());
      scatterRows(op, DType::F32, table.data(), kRows, kCols, DType::I32,
                  indices.data(), updates.data(), kCount, found.data());
      EXPECT_EQ(found, expected) << int(op) << " with " << threads;
    }
    setNumThreads(0);
  }
}

TEST(Scatter, WantsIntegers) {
  const float number = 0;
  float found = 0;
  EXPECT_THROW(scatterRows(ScatterOp::Set, DType::F32, &number, 1, 1,
                           DType::F32, &number, &number, 1, &found),
               std::invalid_argument);
}

TEST(PreviousEqual, IsItselfWhereThereIsNone) {
  const std::vector<int32_t> numbers = {4, -1, 4, 30000000, 9, 4, -1, 30000000};
  std::vector<uint32_t> found(numbers.size());
  previousEqual(DType::I32, numbers.data(), int64_t(numbers.size()), 40000000,
                found.data());
  EXPECT_EQ(found, (std::vector<uint32_t>{0, 1, 0, 3, 4, 2, 6, 3}));
}

TEST(Scan, NaNStays) {
  const int64_t shape[] = {5};
  const float values[] = {1, 3, kNan, 7, 2};
  for (const ScanOp op : {ScanOp::Prod, ScanOp::Max, ScanOp::Min}) {
    float found[5];
    scan(op, DType::F32, values, shape, 0, found);
    EXPECT_EQ(found[1], op == ScanOp::Min ? 1 : 3);
    for (int i = 2; i < 5; ++i)
      EXPECT_TRUE(std::isnan(found[i]));
  }
}

TEST(Scan, IntegersWrap) {
  const int64_t shape[] = {3, 2};
  const std::vector<uint8_t> values = {200, 3, 2, 5, 3, 7};
  std::vector<uint8_t> found(values.size());
  scan(ScanOp::Prod, DType::U8, values.data(), shape, 0, found.data());
  EXPECT_EQ(found, (std::vector<uint8_t>{200, 3, 144, 15, 176, 105}));
}

} // namespace
