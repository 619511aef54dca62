// Convolution and pooling against the loops of their definition.
#include "numerics/pool.h"
#include "support.h"
#include "ttmlir/Windows.h"

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
