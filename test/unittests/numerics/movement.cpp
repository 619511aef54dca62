// Data movement against element-by-element copies.
#include "indices.h"
#include "numerics/gather.h"
#include "numerics/transform.h"
#include "support.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

class Movement : public EachIsa {};
TT_EACH_ISA(Movement);

/// `n` elements of `bytes` bytes that differ.
std::vector<char> numbered(int64_t n, int64_t bytes) {
  std::vector<char> data(static_cast<size_t>(n * bytes));
  for (int64_t i = 0; i < n; ++i) {
    uint64_t value = uint64_t(i) * 0x9e3779b97f4a7c15u + 1;
    std::memcpy(data.data() + i * bytes, &value, size_t(bytes));
  }
  return data;
}

/// Moves each element of the result from the place that `where` names.
std::vector<char> expected(const std::vector<char> &data, const Shape &shape,
                           int64_t bytes,
                           const std::function<int64_t(const Shape &)> &where) {
  std::vector<char> out(static_cast<size_t>(volumeOf(shape) * bytes));
  for (int64_t i = 0; i < volumeOf(shape); ++i)
    std::memcpy(out.data() + i * bytes,
                data.data() + where(indexOf(shape, i)) * bytes, size_t(bytes));
  return out;
}

TEST_P(Movement, PermuteEveryOrder) {
  for (int64_t bytes : {1, 2, 4, 8})
    for (const Shape &shape :
         {Shape{70, 65}, Shape{3, 40, 33}, Shape{2, 1, 17, 35},
          Shape{5, 4, 3, 2}, Shape{7}, Shape{}}) {
      std::vector<char> data = numbered(volumeOf(shape), bytes);
      Shape order(shape.size());
      std::iota(order.begin(), order.end(), 0);
      do {
        Shape result;
        for (int64_t dim : order)
          result.push_back(shape[size_t(dim)]);
        std::vector<char> found(data.size());
        permute(data.data(), shape, order, bytes, found.data());
        ASSERT_EQ(found, expected(data, result, bytes, [&](const Shape &at) {
                    Shape source(shape.size());
                    for (size_t d = 0; d < order.size(); ++d)
                      source[size_t(order[d])] = at[d];
                    return offsetOf(shape, source);
                  }));
      } while (std::next_permutation(order.begin(), order.end()));
    }
}

TEST_P(Movement, SlicePadBroadcastRepeat) {
  Shape shape = {4, 9, 11};
  for (int64_t bytes : {1, 2, 4, 8}) {
    std::vector<char> data = numbered(volumeOf(shape), bytes);
    Shape begin = {1, 2, 3}, end = {4, 9, 10}, step = {2, 3, 2},
          out = {2, 3, 4};
    std::vector<char> found(size_t(volumeOf(out) * bytes));
    slice(data.data(), shape, begin, end, step, bytes, found.data());
    EXPECT_EQ(
        found, expected(data, out, bytes, [&](const Shape &at) {
          return offsetOf(shape, {1 + 2 * at[0], 2 + 3 * at[1], 3 + 2 * at[2]});
        }));

    Shape low = {1, 0, 2}, high = {0, 3, 1};
    out = {5, 12, 14};
    found.assign(size_t(volumeOf(out) * bytes), 0);
    pad(data.data(), shape, low, high, data.data() + 5 * bytes, bytes,
        found.data());
    EXPECT_EQ(found, expected(data, out, bytes, [&](const Shape &at) {
                Shape in = {at[0] - 1, at[1], at[2] - 2};
                bool inside =
                    in[0] >= 0 && in[1] < 9 && in[2] >= 0 && in[2] < 11;
                return inside ? offsetOf(shape, in) : 5;
              }));

    Shape narrow = {9, 1};
    out = {3, 9, 7};
    found.assign(size_t(volumeOf(out) * bytes), 0);
    broadcastTo(data.data(), narrow, out, bytes, found.data());
    EXPECT_EQ(found, expected(data, out, bytes,
                              [&](const Shape &at) { return at[1]; }));

    Shape repeats = {2, 1, 3};
    out = {8, 9, 33};
    found.assign(size_t(volumeOf(out) * bytes), 0);
    repeat(data.data(), shape, repeats, bytes, found.data());
    EXPECT_EQ(found, expected(data, out, bytes, [&](const Shape &at) {
                return offsetOf(shape, {at[0] % 4, at[1], at[2] % 11});
              }));
  }
}

TEST_P(Movement, ConcatAlongEveryDim) {
  for (int64_t dim = 0; dim < 3; ++dim) {
    std::vector<Shape> shapes(3, Shape{2, 3, 4});
    shapes[1][size_t(dim)] = 5;
    shapes[2][size_t(dim)] = 0;
    Shape out = shapes[0];
    out[size_t(dim)] += 5;
    std::vector<char> data =
        numbered(volumeOf(shapes[0]) + volumeOf(shapes[1]), 4);
    const void *inputs[] = {data.data(), data.data() + volumeOf(shapes[0]) * 4,
                            nullptr};
    std::vector<std::span<const int64_t>> spans(shapes.begin(), shapes.end());
    std::vector<char> found(static_cast<size_t>(volumeOf(out) * 4));
    concat(inputs, spans, dim, 4, found.data());
    EXPECT_EQ(found, expected(data, out, 4, [&](Shape at) {
                int64_t first = shapes[0][size_t(dim)];
                if (at[size_t(dim)] < first)
                  return offsetOf(shapes[0], at);
                at[size_t(dim)] -= first;
                return volumeOf(shapes[0]) + offsetOf(shapes[1], at);
              }));
  }
}

TEST_P(Movement, GatherChecksItsRange) {
  std::vector<float> table = randomFloats(10 * 3, 1);
  uint32_t indices[] = {9, 0, 4, 4};
  float out[12];
  gatherRows(table.data(), 10, 12, DType::U32, indices, 4, out);
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(out[i], table[indices[i / 3] * 3 + size_t(i) % 3]);
  uint16_t half[] = {f32ToBf16(3.0f)};
  gatherRows(table.data(), 10, 12, DType::BF16, half, 1, out);
  EXPECT_EQ(out[0], table[9]);
  int32_t bad[] = {1, -1};
  EXPECT_THROW(gatherRows(table.data(), 10, 12, DType::I32, bad, 2, out),
               std::out_of_range);
  float nan[] = {kNan};
  EXPECT_THROW(gatherRows(table.data(), 10, 12, DType::F32, nan, 1, out),
               std::out_of_range);
}

TEST(MovementErrors, OneClearMessage) {
  char data[64] = {};
  int64_t shape[] = {2, 3}, twice[] = {0, 0}, far[] = {0, 4}, one[] = {1, 1},
          zero[] = {0, 0};
  EXPECT_THROW(permute(data, shape, twice, 4, data), std::invalid_argument);
  EXPECT_THROW(permute(data, shape, zero, 3, data), std::invalid_argument);
  EXPECT_THROW(slice(data, shape, zero, far, one, 4, data),
               std::invalid_argument);
  EXPECT_THROW(broadcastTo(data, shape, far, 4, data), std::invalid_argument);
}

} // namespace
