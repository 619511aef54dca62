// Average pooling, upsampling and the transposed convolution against the loops
// of their definition.
#include "numerics/pool.h"
#include "numerics/upsample.h"
#include "support.h"
#include "ttmlir/Windows.h"

#include <algorithm>
#include <stdexcept>

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

class Pool : public EachIsa {};
TT_EACH_ISA(Pool);

double tolerance(DType type, double exact) {
  return 2e-5 + (type == DType::BF16 ? std::fabs(exact) * 0x1p-8 : 0);
}

TEST_P(Pool, Average) {
  const std::pair<Image, Window2d> cases[] = {
      {{1, 5, 5, 3}, {}},
      {{2, 9, 8, 4}, {3, 3, 2, 2, 1, 1, 1, 1, 1, 1}},
      {{1, 12, 11, 70}, {3, 2, 2, 3, 1, 2, 0, 1, 2, 0}},
      {{1, 7, 7, 5}, {2, 2, 3, 3, 1, 1, 0, 0, 0, 0}},
      {{1, 4, 4, 2}, {2, 2, 2, 2, 1, 1, 3, 0, 0, 3}},
  };
  for (auto const &[image, shape] : cases)
    for (bool ceilMode : {false, true})
      for (bool countPadding : {false, true})
        for (DType type : {DType::F32, DType::BF16}) {
          Window2d w = shape;
          w.ceilMode = ceilMode;
          const auto &[batch, height, width, channels] = image;
          const int64_t count = batch * height * width * channels;
          std::vector<char> input = elementsOf(type, randomFloats(count, 1));
          std::vector<float> x = floatsOf(type, input.data(), count);
          const Extent2d out = outputExtent("test", w, height, width);
          const int64_t total = batch * out.height * out.width * channels;
          std::vector<char> output(size_t(total * elementSize(type)));
          avgPool2d(type, input.data(), image, w, countPadding, output.data());
          std::vector<float> found = floatsOf(type, output.data(), total);
          for (int64_t i = 0; i < total; ++i) {
            const int64_t c = i % channels, ox = i / channels % out.width;
            const int64_t oy = i / channels / out.width % out.height;
            const int64_t n = i / channels / out.width / out.height;
            double sum = 0;
            int64_t taps = 0;
            for (int64_t p = 0; p < w.kernelH; ++p)
              for (int64_t q = 0; q < w.kernelW; ++q) {
                const int64_t y = oy * w.strideH - w.padTop + p * w.dilationH;
                const int64_t z = ox * w.strideW - w.padLeft + q * w.dilationW;
                const bool inside = y >= 0 && y < height && z >= 0 && z < width;
                const bool padded =
                    y < height + w.padBottom && z < width + w.padRight;
                taps += countPadding ? padded : inside;
                if (inside)
                  sum +=
                      x[size_t(((n * height + y) * width + z) * channels + c)];
              }
            if (taps == 0)
              ASSERT_TRUE(std::isnan(found[size_t(i)]));
            else
              ASSERT_NEAR(found[size_t(i)], sum / double(taps),
                          tolerance(type, sum / double(taps)));
          }
        }
  EXPECT_THROW(avgPool2d(DType::U8, nullptr, {1, 1, 1, 1}, {}, true, nullptr),
               std::invalid_argument);
}

TEST_P(Pool, UpsampleNearest) {
  const Image image{2, 3, 4, 5};
  for (int64_t bytes : {1, 2, 4}) {
    std::vector<char> input(size_t(120 * bytes)), found(input.size() * 6);
    for (size_t i = 0; i < input.size(); ++i)
      input[i] = char(i * 7);
    upsampleNearest(input.data(), image, 2, 3, bytes, found.data());
    for (int64_t i = 0; i < 720; ++i) {
      const int64_t c = i % 5, x = i / 5 % 12, y = i / 60 % 6, n = i / 360;
      const int64_t from = ((n * 3 + y / 2) * 4 + x / 3) * 5 + c;
      ASSERT_EQ(std::memcmp(found.data() + i * bytes,
                            input.data() + from * bytes, size_t(bytes)),
                0);
    }
  }
  EXPECT_THROW(upsampleNearest(nullptr, image, 0, 1, 4, nullptr),
               std::invalid_argument);
}

TEST_P(Pool, UpsampleBilinear) {
  const Image image{2, 3, 4, 5};
  for (auto [scaleH, scaleW] :
       {std::pair<int64_t, int64_t>{1, 1}, {2, 2}, {3, 2}, {4, 5}})
    for (DType type : {DType::F32, DType::BF16}) {
      std::vector<char> input = elementsOf(type, randomFloats(120, 2));
      std::vector<float> x = floatsOf(type, input.data(), 120);
      const int64_t total = 120 * scaleH * scaleW;
      std::vector<char> output(size_t(total * elementSize(type)));
      upsampleBilinear(type, input.data(), image, scaleH, scaleW,
                       output.data());
      std::vector<float> found = floatsOf(type, output.data(), total);
      const auto locate = [](int64_t i, int64_t scale, int64_t extent) {
        return std::clamp((double(i) + 0.5) / double(scale) - 0.5, 0.0,
                          double(extent - 1));
      };
      for (int64_t i = 0; i < total; ++i) {
        const int64_t c = i % 5;
        const double px = locate(i / 5 % (4 * scaleW), scaleW, 4);
        const double py =
            locate(i / 5 / (4 * scaleW) % (3 * scaleH), scaleH, 3);
        const int64_t n = i / (60 * scaleH * scaleW);
        const auto y = int64_t(py), z = int64_t(px);
        const auto value = [&](int64_t row, int64_t col) {
          return double(x[size_t(((n * 3 + std::min<int64_t>(row, 2)) * 4 +
                                  std::min<int64_t>(col, 3)) *
                                     5 +
                                 c)]);
        };
        const double u = py - double(y), v = px - double(z);
        const double exact =
            (value(y, z) * (1 - v) + value(y, z + 1) * v) * (1 - u) +
            (value(y + 1, z) * (1 - v) + value(y + 1, z + 1) * v) * u;
        ASSERT_NEAR(found[size_t(i)], exact, tolerance(type, exact));
      }
    }
}

TEST_P(Pool, ConvTranspose) {
  struct Case {
    int64_t batch, height, width, channels, filters, groups;
    Window2d window;
    int64_t moreH, moreW;
  };
  const Case cases[] = {
      {1, 4, 4, 3, 5, 1, {}, 0, 0},
      {2, 5, 4, 4, 6, 1, {3, 3, 2, 2, 1, 1, 1, 1, 1, 1}, 1, 1},
      {1, 6, 7, 6, 4, 2, {3, 2, 2, 3, 2, 1, 0, 1, 2, 0}, 0, 2},
      {1, 5, 5, 4, 4, 4, {4, 4, 3, 3, 1, 1, 2, 1, 0, 1}, 2, 0},
      {1, 3, 3, 2, 2, 1, {1, 1, 4, 4, 1, 1, 0, 0, 0, 0}, 3, 3},
      {1, 40, 30, 16, 24, 1, {3, 3, 2, 2, 1, 1, 1, 1, 1, 1}, 1, 1},
      {1, 300, 100, 8, 32, 1, {4, 4, 2, 2, 1, 1, 1, 1, 1, 1}, 0, 0},
  };
  for (const Case &c : cases)
    for (DType type : {DType::F32, DType::BF16}) {
      const Window2d &w = c.window;
      const int64_t per = c.filters / c.groups, inner = c.channels / c.groups;
      const int64_t inputs = c.batch * c.height * c.width * c.channels;
      const int64_t weights = c.channels * per * w.kernelH * w.kernelW;
      std::vector<char> input = elementsOf(type, randomFloats(inputs, 3));
      std::vector<char> weight = elementsOf(type, randomFloats(weights, 4));
      std::vector<float> bias = randomFloats(c.filters, 5);
      std::vector<float> x = floatsOf(type, input.data(), inputs);
      std::vector<float> f = floatsOf(type, weight.data(), weights);
      const int64_t outH = ::ttmlir::getTransposedExtent(
          c.height, w.kernelH, w.strideH, w.dilationH, w.padTop, w.padBottom,
          c.moreH);
      const int64_t outW = ::ttmlir::getTransposedExtent(
          c.width, w.kernelW, w.strideW, w.dilationW, w.padLeft, w.padRight,
          c.moreW);
      const int64_t total = c.batch * outH * outW * c.filters;
      // Every input pixel adds to the window around it.
      std::vector<double> exact(static_cast<size_t>(total));
      for (int64_t i = 0; i < total; ++i)
        exact[size_t(i)] = bias[size_t(i % c.filters)];
      for (int64_t i = 0; i < inputs; ++i) {
        const int64_t ch = i % c.channels, ix = i / c.channels % c.width;
        const int64_t iy = i / c.channels / c.width % c.height;
        const int64_t n = i / c.channels / c.width / c.height;
        for (int64_t p = 0; p < w.kernelH; ++p)
          for (int64_t q = 0; q < w.kernelW; ++q) {
            const int64_t y = iy * w.strideH - w.padTop + p * w.dilationH;
            const int64_t z = ix * w.strideW - w.padLeft + q * w.dilationW;
            if (y < 0 || y >= outH || z < 0 || z >= outW)
              continue;
            for (int64_t o = 0; o < per; ++o)
              exact[size_t(((n * outH + y) * outW + z) * c.filters +
                           ch / inner * per + o)] +=
                  double(x[size_t(i)]) *
                  f[size_t(((ch * per + o) * w.kernelH + p) * w.kernelW + q)];
          }
      }
      std::vector<char> output(size_t(total * elementSize(type)));
      ConvTranspose2dArgs args;
      args.batch = c.batch;
      args.inH = c.height;
      args.inW = c.width;
      args.inChannels = c.channels;
      args.outChannels = c.filters;
      args.groups = c.groups;
      args.window = w;
      args.outputPaddingH = c.moreH;
      args.outputPaddingW = c.moreW;
      args.type = type;
      args.input = input.data();
      args.weight = weight.data();
      args.bias = bias.data();
      args.output = output.data();
      for (bool asConv2d : {false, true}) {
        std::fill(output.begin(), output.end(), 1);
        if (asConv2d)
          convTranspose2dAsConv2d(args, matmul);
        else
          convTranspose2d(args);
        std::vector<float> found = floatsOf(type, output.data(), total);
        for (int64_t i = 0; i < total; ++i)
          ASSERT_NEAR(found[size_t(i)], exact[size_t(i)],
                      5 * tolerance(DType::F32, 1) +
                          tolerance(type, exact[size_t(i)]));
      }
    }
  ConvTranspose2dArgs bad;
  bad.inH = bad.inW = 1;
  bad.inChannels = bad.outChannels = 1;
  bad.window.padTop = 1;
  EXPECT_THROW(convTranspose2d(bad), std::invalid_argument);
  EXPECT_THROW(convTranspose2dAsConv2d(bad, matmul), std::invalid_argument);
}

} // namespace
