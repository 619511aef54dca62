// Reductions and softmax against sums in double.
#include "numerics/reduce.h"
#include "numerics/parallel.h"
#include "numerics/softmax.h"
#include "support.h"

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

class Reduce : public EachIsa {};
TT_EACH_ISA(Reduce);

struct Case {
  std::vector<int64_t> shape, dims;
};
const Case kCases[] = {{{7}, {}},
                       {{70000}, {0}},
                       {{5, 6}, {1}},
                       {{300, 6}, {0}},
                       {{3, 4, 5}, {1}},
                       {{3, 4, 5}, {0, 2}},
                       {{2, 3, 4, 5}, {1, 3}},
                       {{2, 3, 4, 5}, {0, 2}},
                       {{1, 4, 1, 1100}, {1}},
                       {{4, 5}, {0, 1}},
                       {{40, 4100}, {1}}};

/// Position in the result of element `i` of the input.
int64_t keptIndex(const Case &c, int64_t i) {
  int64_t index = 0, stride = 1;
  for (size_t d = c.shape.size(); d-- > 0; i /= c.shape[d]) {
    bool drops = c.dims.empty();
    for (int64_t dim : c.dims)
      drops |= dim == int64_t(d);
    if (drops)
      continue;
    index += i % c.shape[d] * stride;
    stride *= c.shape[d];
  }
  return index;
}

int64_t count(const std::vector<int64_t> &shape) {
  int64_t total = 1;
  for (int64_t extent : shape)
    total *= extent;
  return total;
}

TEST_P(Reduce, FloatsEveryOpAndDims) {
  for (DType type : {DType::F32, DType::BF16})
    for (const Case &c : kCases) {
      int64_t n = count(c.shape);
      std::vector<char> data = elementsOf(type, randomFloats(n, 1, 0.9f, 1.1f));
      std::vector<float> in = floatsOf(type, data.data(), n);
      int64_t kept = 0;
      for (int64_t i = 0; i < n; ++i)
        kept = std::max(kept, keptIndex(c, i) + 1);
      std::vector<double> sum(size_t(kept), 0), prod(size_t(kept), 1),
          max(size_t(kept), -1e9), min(size_t(kept), 1e9);
      for (int64_t i = 0; i < n; ++i) {
        size_t at = size_t(keptIndex(c, i));
        double value = in[size_t(i)];
        sum[at] += value;
        prod[at] *= value;
        max[at] = std::max(max[at], value);
        min[at] = std::min(min[at], value);
      }
      std::vector<char> out(static_cast<size_t>(kept * elementSize(type)));
      auto check = [&](ReduceOp op, const std::vector<double> &exact,
                       double scale, double tolerance) {
        std::vector<char> first;
        for (int threads : {2, 1, 5}) {
          setNumThreads(threads);
          reduce(op, type, data.data(), c.shape, c.dims, out.data());
          if (first.empty())
            first = out;
          ASSERT_EQ(first, out);
        }
        setNumThreads(0);
        std::vector<float> found = floatsOf(type, out.data(), kept);
        for (size_t i = 0; i < exact.size(); ++i)
          ASSERT_NEAR(found[i], exact[i] * scale,
                      tolerance * std::fabs(exact[i] * scale))
              << int(op) << " " << dtypeName(type);
      };
      double step = type == DType::F32 ? 1e-6 : 0x1p-8;
      check(ReduceOp::Sum, sum, 1, step);
      check(ReduceOp::Mean, sum, double(kept) / double(n), step);
      check(ReduceOp::Max, max, 1, 0);
      check(ReduceOp::Min, min, 1, 0);
      if (n / kept < 400)
        check(ReduceOp::Prod, prod, 1, 20 * step);
    }
}

TEST_P(Reduce, Integers) {
  for (const Case &c : kCases) {
    int64_t n = count(c.shape);
    std::vector<int32_t> in(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i)
      in[size_t(i)] = int32_t(i * 7919 % 1001 - 500);
    std::vector<int64_t> sum(size_t(n), 0), max(size_t(n), INT64_MIN);
    int64_t kept = 0;
    for (int64_t i = 0; i < n; ++i) {
      size_t at = size_t(keptIndex(c, i));
      kept = std::max(kept, int64_t(at) + 1);
      sum[at] += in[size_t(i)];
      max[at] = std::max<int64_t>(max[at], in[size_t(i)]);
    }
    std::vector<int32_t> out(static_cast<size_t>(kept));
    reduce(ReduceOp::Sum, DType::I32, in.data(), c.shape, c.dims, out.data());
    for (size_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], sum[i]);
    reduce(ReduceOp::Max, DType::I32, in.data(), c.shape, c.dims, out.data());
    for (size_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], max[i]);
  }
}

TEST_P(Reduce, NanAndEmpty) {
  std::vector<float> in(200, 1.0f);
  in[150] = kNan;
  float out[3];
  int64_t shape[] = {2, 100}, dims[] = {1};
  for (ReduceOp op : {ReduceOp::Max, ReduceOp::Min, ReduceOp::Sum}) {
    reduce(op, DType::F32, in.data(), shape, dims, out);
    EXPECT_FALSE(std::isnan(out[0]));
    EXPECT_TRUE(std::isnan(out[1]));
  }
  int64_t empty[] = {3, 0};
  reduce(ReduceOp::Sum, DType::F32, in.data(), empty, dims, out);
  EXPECT_EQ(out[2], 0.0f);
  reduce(ReduceOp::Max, DType::F32, in.data(), empty, dims, out);
  EXPECT_EQ(out[2], -kInf);
  int64_t wrong[] = {2};
  EXPECT_THROW(reduce(ReduceOp::Sum, DType::F32, in.data(), shape, wrong, out),
               std::invalid_argument);
}

/// The tree makes few roundings per element: 64 in a lane, 6 to join the lanes,
/// and as many again over the chunks; columns 128 per level.
TEST_P(Reduce, SumOfManySmallValuesIsAccurate) {
  int64_t n = 1 << 22;
  std::vector<float> in(static_cast<size_t>(2 * n), 0.1f);
  double exact = double(0.1f) * double(n);
  int64_t shape[] = {n}, columns[] = {n, 2}, dims[] = {0};
  float out[2];
  reduce(ReduceOp::Sum, DType::F32, in.data(), shape, dims, out);
  EXPECT_NEAR(out[0], exact, exact * 140 * 0x1p-24);
  reduce(ReduceOp::Sum, DType::F32, in.data(), columns, dims, out);
  EXPECT_NEAR(out[0], exact, exact * 3 * 256 * 0x1p-24);
  EXPECT_EQ(out[0], out[1]);
}

TEST_P(Reduce, SoftmaxAlongEveryDim) {
  std::vector<int64_t> shape = {3, 33, 270};
  int64_t n = count(shape);
  for (DType type : {DType::F32, DType::BF16})
    for (int64_t dim = 0; dim < 3; ++dim) {
      std::vector<char> data = elementsOf(type, randomFloats(n, 2, -30, 30)),
                        out(data.size());
      std::vector<float> in = floatsOf(type, data.data(), n);
      softmax(type, data.data(), shape, dim, out.data());
      std::vector<float> found = floatsOf(type, out.data(), n);
      int64_t stride = 1;
      for (size_t d = size_t(dim) + 1; d < 3; ++d)
        stride *= shape[d];
      int64_t length = shape[size_t(dim)];
      // exp to 1 ulp, the division, and the additions of the sum.
      double bound = double(3 + std::min<int64_t>(length, 70)) * 0x1p-24;
      for (int64_t i = 0; i < n; ++i) {
        int64_t base = i / (stride * length) * stride * length + i % stride;
        // The difference to the maximum is taken in f32, the rest is exact.
        float max = -1e9f;
        double sum = 0;
        for (int64_t j = 0; j < length; ++j)
          max = std::max(max, in[size_t(base + j * stride)]);
        for (int64_t j = 0; j < length; ++j)
          sum += std::exp(double(in[size_t(base + j * stride)] - max));
        double exact = std::exp(double(in[size_t(i)] - max)) / sum;
        ASSERT_NEAR(found[size_t(i)], exact,
                    exact * (type == DType::F32 ? bound : 0x1p-8) + 1e-30);
      }
      softmax(type, data.data(), shape, dim, data.data());
      ASSERT_EQ(data, out);
    }
}

TEST_P(Reduce, SoftmaxSpecials) {
  float in[] = {1, kInf, 2, kNan, 0, 0, -kInf, 1, 1}, out[9];
  int64_t shape[] = {3, 3};
  softmax(DType::F32, in, shape, 1, out);
  EXPECT_TRUE(std::isnan(out[1]));
  EXPECT_TRUE(std::isnan(out[4]));
  EXPECT_EQ(out[6], 0.0f);
  EXPECT_EQ(out[7], 0.5f);
  EXPECT_THROW(softmax(DType::F32, in, shape, 2, out), std::invalid_argument);
}

} // namespace
