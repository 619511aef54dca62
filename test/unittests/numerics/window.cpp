// Convolution and pooling against the loops of their definition.
#include "numerics/isa/table.h"
#include "numerics/pool.h"
#include "support.h"
#include "ttmlir/Windows.h"

#include <cstring>
#include <numeric>

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

class Window : public EachIsa {};
TT_EACH_ISA(Window);

struct Case {
  int64_t batch, height, width, channels, filters, groups;
  Window2d window;
};
const Case kCases[] = {
    {1, 5, 5, 3, 4, 1, {}},
    {2, 9, 8, 4, 6, 1, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
    {1, 12, 11, 6, 4, 2, {3, 2, 2, 1, 1, 2, 0, 2, 1, 0}},
    {1, 7, 7, 5, 5, 5, {3, 3, 2, 2, 1, 1, 1, 1, 1, 1}},
    {3, 40, 30, 8, 16, 1, {5, 5, 1, 2, 2, 1, 4, 0, 4, 2}},
};

TEST_P(Window, Conv2d) {
  for (const Case &c : kCases)
    for (DType type : {DType::F32, DType::BF16}) {
      const Window2d &w = c.window;
      int64_t inner = c.channels / c.groups, size = elementSize(type);
      std::vector<char> input = elementsOf(
          type, randomFloats(c.batch * c.height * c.width * c.channels, 1));
      std::vector<char> weight = elementsOf(
          type, randomFloats(c.filters * inner * w.kernelH * w.kernelW, 2));
      std::vector<float> bias = randomFloats(c.filters, 3);
      int64_t outH =
          ::ttmlir::getWindowExtent(c.height, w.kernelH, w.strideH, w.dilationH,
                                    w.padTop, w.padBottom, false);
      int64_t outW =
          ::ttmlir::getWindowExtent(c.width, w.kernelW, w.strideW, w.dilationW,
                                    w.padLeft, w.padRight, false);
      int64_t total = c.batch * outH * outW * c.filters;
      std::vector<char> output(static_cast<size_t>(total * size));
      Conv2dArgs args;
      args.batch = c.batch;
      args.inH = c.height;
      args.inW = c.width;
      args.inChannels = c.channels;
      args.outChannels = c.filters;
      args.groups = c.groups;
      args.window = w;
      args.type = type;
      args.input = input.data();
      args.weight = weight.data();
      args.bias = bias.data();
      args.output = output.data();
      conv2d(args);
      std::vector<float> found = floatsOf(type, output.data(), total);
      std::vector<float> x =
          floatsOf(type, input.data(), int64_t(input.size()) / size);
      std::vector<float> f =
          floatsOf(type, weight.data(), int64_t(weight.size()) / size);
      for (int64_t i = 0; i < total; ++i) {
        int64_t o = i % c.filters, ox = i / c.filters % outW;
        int64_t oy = i / (c.filters * outW) % outH;
        int64_t n = i / (c.filters * outW * outH);
        double exact = bias[size_t(o)];
        for (int64_t p = 0; p < w.kernelH; ++p)
          for (int64_t q = 0; q < w.kernelW; ++q)
            for (int64_t ch = 0; ch < inner; ++ch) {
              int64_t y = oy * w.strideH - w.padTop + p * w.dilationH;
              int64_t z = ox * w.strideW - w.padLeft + q * w.dilationW;
              if (y < 0 || y >= c.height || z < 0 || z >= c.width)
                continue;
              int64_t group = o / (c.filters / c.groups);
              exact +=
                  double(
                      x[size_t(((n * c.height + y) * c.width + z) * c.channels +
                               group * inner + ch)]) *
                  f[size_t(((o * inner + ch) * w.kernelH + p) * w.kernelW + q)];
            }
        ASSERT_NEAR(found[size_t(i)], exact,
                    type == DType::F32 ? 2e-4
                                       : std::fabs(exact) * 0x1p-8 + 2e-4);
      }
    }
}

/// (filters, channels, taps) to (taps, channels, filters of all groups).
std::vector<char> prepare(const std::vector<char> &weight, const Case &c,
                          int64_t size) {
  const int64_t taps = c.window.kernelH * c.window.kernelW,
                inner = c.channels / c.groups;
  std::vector<char> rows(weight.size());
  for (int64_t filter = 0; filter < c.filters; ++filter)
    for (int64_t channel = 0; channel < inner; ++channel)
      for (int64_t tap = 0; tap < taps; ++tap)
        std::memcpy(
            rows.data() + ((tap * inner + channel) * c.filters + filter) * size,
            weight.data() + ((filter * inner + channel) * taps + tap) * size,
            size_t(size));
  return rows;
}

TEST_P(Window, DepthwiseGivesTheBitsOfProducts) {
  const Case cases[] = {
      {1, 7, 7, 5, 5, 5, {3, 3, 2, 2, 1, 1, 1, 1, 1, 1}},
      {2, 12, 9, 67, 67, 67, {5, 3, 1, 2, 1, 2, 2, 0, 1, 3}},
      {1, 1, 40, 96, 96, 96, {1, 5, 1, 1, 1, 3, 0, 6, 0, 6}},
  };
  for (const Case &c : cases)
    for (DType type : {DType::F32, DType::BF16, DType::F16})
      for (bool isPrepared : {false, true}) {
        // Products of bf16 may add in pairs.
        if (type == DType::BF16 && kernelTable().gemmBf16.operandBytes != 4)
          continue;
        const int64_t size = elementSize(type);
        const Extent2d out = outputExtent("test", c.window, c.height, c.width);
        const std::vector<char> input = elementsOf(
            type, randomFloats(c.batch * c.height * c.width * c.channels, 1));
        std::vector<float> factors =
            randomFloats(c.filters * c.window.kernelH * c.window.kernelW, 2);
        const std::vector<float> bias = randomFloats(c.filters, 3);
        // The padding times infinity is NaN.
        for (float special : {0.5f, INFINITY}) {
          factors[3] = special;
          const std::vector<char> weight = elementsOf(type, factors);
          const std::vector<char> rows = prepare(weight, c, size);
          Conv2dArgs args{c.batch,   c.height, c.width, c.channels,
                          c.filters, c.groups, c.window};
          args.type = type;
          args.input = input.data();
          args.bias = bias.data();
          args.weight = weight.data();
          if (isPrepared) {
            args.prepared.emplace();
            args.prepared->type = type;
            args.prepared->data = rows.data();
            args.prepared->rowStride = c.filters;
          }
          const auto run = [&] {
            std::vector<char> output(
                size_t(c.batch * out.height * out.width * c.filters * size));
            args.output = output.data();
            conv2d(args);
            return floatsOf(type, output.data(), int64_t(output.size()) / size);
          };
          const std::vector<float> found = run();
          args.multiply = matmul;
          const std::vector<float> expected = run();
          for (size_t i = 0; i < found.size(); ++i)
            ASSERT_TRUE(found[i] == expected[i] ||
                        (std::isnan(found[i]) && std::isnan(expected[i])))
                << found[i] << " instead of " << expected[i];
        }
      }
}

TEST_P(Window, PreparedWeightsGiveTheSameBits) {
  for (const Case &c : kCases)
    for (DType type : {DType::F32, DType::BF16}) {
      const int64_t size = elementSize(type);
      const Extent2d out = outputExtent("test", c.window, c.height, c.width);
      const std::vector<char> input = elementsOf(
          type, randomFloats(c.batch * c.height * c.width * c.channels, 1));
      const std::vector<char> weight =
          elementsOf(type, randomFloats(c.filters * (c.channels / c.groups) *
                                            c.window.kernelH * c.window.kernelW,
                                        2));
      std::vector<char> rows = prepare(weight, c, size);
      Conv2dArgs args{c.batch,   c.height, c.width, c.channels,
                      c.filters, c.groups, c.window};
      args.type = type;
      args.input = input.data();
      const auto run = [&] {
        std::vector<char> output(
            size_t(c.batch * out.height * out.width * c.filters * size));
        args.output = output.data();
        conv2d(args);
        return output;
      };
      args.weight = weight.data();
      const std::vector<char> expected = run();
      args.weight = nullptr;
      args.prepared.emplace();
      args.prepared->type = type;
      args.prepared->data = rows.data();
      args.prepared->rowStride = c.filters;
      ASSERT_EQ(run(), expected);
      if (c.groups > 1)
        continue;
      struct Rows {
        const char *data;
        int64_t cols, size;
      } stored{rows.data(), c.filters, size};
      args.prepared->data = nullptr;
      args.prepared->reader = {
          [](void *context, int64_t, int64_t row, int64_t rows, int64_t col,
             int64_t cols, void *target, int64_t stride) {
            const Rows &from = *static_cast<const Rows *>(context);
            for (int64_t i = 0; i < rows; ++i)
              std::memcpy(static_cast<char *>(target) + i * stride * from.size,
                          from.data + ((row + i) * from.cols + col) * from.size,
                          size_t(cols * from.size));
          },
          &stored};
      ASSERT_EQ(run(), expected);
    }
}

TEST_P(Window, RowsOfWindows) {
  for (const Case &c : kCases) {
    const Window2d &w = c.window;
    const Extent2d out = outputExtent("test", w, c.height, c.width);
    const int64_t inner = c.channels / c.groups;
    std::vector<int16_t> input(
        size_t(c.batch * c.height * c.width * c.channels));
    std::iota(input.begin(), input.end(), int16_t(0));
    const int16_t outside = -1;
    for (int64_t group = 0; group < c.groups; ++group) {
      const WindowRows windows(2, input.data(),
                               {c.batch, c.height, c.width, c.channels}, w, out,
                               {group * inner, inner}, &outside);
      const int64_t depth = w.kernelH * w.kernelW * inner;
      ASSERT_EQ(windows.depth(), depth);
      const int64_t first = 3, count = c.batch * out.height * out.width - first;
      std::vector<int16_t> rows(size_t(count * depth));
      unfold(windows, first, first + count, rows.data());
      for (int64_t i = 0; i < count; ++i)
        for (int64_t k = 0; k < depth; ++k) {
          const int64_t pixel = first + i, tap = k / inner;
          const int64_t y = pixel / out.width % out.height * w.strideH -
                            w.padTop + tap / w.kernelW * w.dilationH;
          const int64_t x = pixel % out.width * w.strideW - w.padLeft +
                            tap % w.kernelW * w.dilationW;
          const int64_t n = pixel / (out.width * out.height);
          const bool inside = y >= 0 && y < c.height && x >= 0 && x < c.width;
          const int64_t at = ((n * c.height + y) * c.width + x) * c.channels +
                             group * inner + k % inner;
          ASSERT_EQ(rows[size_t(i * depth + k)],
                    inside ? input[size_t(at)] : outside);
        }
    }
  }
}

TEST_P(Window, MaxPool2d) {
  for (const Case &c : kCases)
    for (bool ceilMode : {false, true})
      for (DType type : {DType::F32, DType::BF16, DType::U8}) {
        Window2d w = c.window;
        w.ceilMode = ceilMode;
        int64_t n = c.batch * c.height * c.width * c.channels;
        std::vector<char> input = elementsOf(type, randomFloats(n, 4, 0, 200));
        std::vector<float> x = floatsOf(type, input.data(), n);
        int64_t outH = ::ttmlir::getWindowExtent(c.height, w.kernelH, w.strideH,
                                                 w.dilationH, w.padTop,
                                                 w.padBottom, ceilMode);
        int64_t outW = ::ttmlir::getWindowExtent(c.width, w.kernelW, w.strideW,
                                                 w.dilationW, w.padLeft,
                                                 w.padRight, ceilMode);
        int64_t total = c.batch * outH * outW * c.channels;
        std::vector<char> output(
            static_cast<size_t>(total * elementSize(type)));
        maxPool2d(type, input.data(), {c.batch, c.height, c.width, c.channels},
                  w, output.data());
        std::vector<float> found = floatsOf(type, output.data(), total);
        for (int64_t i = 0; i < total; ++i) {
          int64_t ch = i % c.channels, ox = i / c.channels % outW;
          int64_t oy = i / (c.channels * outW) % outH;
          int64_t image = i / (c.channels * outW * outH);
          float best = type == DType::U8 ? 0 : -kInf;
          for (int64_t p = 0; p < w.kernelH; ++p)
            for (int64_t q = 0; q < w.kernelW; ++q) {
              int64_t y = oy * w.strideH - w.padTop + p * w.dilationH;
              int64_t z = ox * w.strideW - w.padLeft + q * w.dilationW;
              if (y >= 0 && y < c.height && z >= 0 && z < c.width)
                best = std::max(
                    best, x[size_t(((image * c.height + y) * c.width + z) *
                                       c.channels +
                                   ch)]);
            }
          ASSERT_EQ(found[size_t(i)], best);
        }
      }
}

TEST(WindowExtent, CeilModeDropsWindowsInThePadding) {
  EXPECT_EQ(::ttmlir::getWindowExtent(5, 2, 2, 1, 0, 0, false), 2);
  EXPECT_EQ(::ttmlir::getWindowExtent(5, 2, 2, 1, 0, 0, true), 3);
  EXPECT_EQ(::ttmlir::getWindowExtent(4, 2, 3, 1, 1, 1, true), 2);
  EXPECT_EQ(::ttmlir::getWindowExtent(2, 3, 1, 2, 0, 0, false), 0);
}

TEST(WindowErrors, OneClearMessage) {
  Conv2dArgs args;
  args.inChannels = 3;
  args.outChannels = 4;
  args.groups = 2;
  EXPECT_THROW(conv2d(args), std::invalid_argument);
  float x[4];
  Window2d big;
  big.kernelH = 9;
  EXPECT_THROW(maxPool2d(DType::F32, x, {1, 2, 2, 1}, big, x),
               std::invalid_argument);
}

} // namespace
