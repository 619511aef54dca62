#include "numerics/window.h"

#include "numerics/check.h"
#include "numerics/matmul.h"
#include "numerics/parallel.h"
#include "numerics/transform.h"
#include "ttmlir/Windows.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tt::runtime::numerics {
namespace {

/// Bytes of unfolded input that are multiplied at a time.
constexpr int64_t kUnfoldBytes = int64_t(4) << 20;

} // namespace

void checkWindow(const char *what, const Window2d &w) {
  if (w.kernelH < 1 || w.kernelW < 1 || w.strideH < 1 || w.strideW < 1 ||
      w.dilationH < 1 || w.dilationW < 1 || w.padTop < 0 || w.padLeft < 0 ||
      w.padBottom < 0 || w.padRight < 0)
    fail(std::string(what) +
         ": expected kernel, stride and dilation of at least 1 and padding of "
         "at least 0, found kernel " +
         std::to_string(w.kernelH) + "x" + std::to_string(w.kernelW) +
         ", stride " + std::to_string(w.strideH) + "x" +
         std::to_string(w.strideW) + ", dilation " +
         std::to_string(w.dilationH) + "x" + std::to_string(w.dilationW));
}

void checkChannels(const char *what, DType type, int64_t batch,
                   int64_t inChannels, int64_t outChannels, int64_t groups) {
  if (type != DType::F32 && type != DType::F16 && type != DType::BF16 &&
      type != DType::U32 && type != DType::I32)
    fail(std::string(what) + ": expected f32, f16, bf16, u32 or i32, found " +
         dtypeName(type));
  if (groups < 1 || inChannels % groups || outChannels % groups || batch < 0 ||
      inChannels < 0 || outChannels < 0)
    fail(std::string(what) +
         ": expected groups that divide the channels, found " +
         std::to_string(groups) + " groups, " + std::to_string(inChannels) +
         " input and " + std::to_string(outChannels) + " output channels");
}

Extent2d outputExtent(const char *what, const Window2d &w, int64_t height,
                      int64_t width) {
  checkWindow(what, w);
  Extent2d out{
      ::ttmlir::getWindowExtent(height, w.kernelH, w.strideH, w.dilationH,
                                w.padTop, w.padBottom, w.ceilMode),
      ::ttmlir::getWindowExtent(width, w.kernelW, w.strideW, w.dilationW,
                                w.padLeft, w.padRight, w.ceilMode)};
  if (out.height < 1 || out.width < 1)
    fail(std::string(what) +
         ": expected a window that fits the padded input, "
         "found input " +
         std::to_string(height) + "x" + std::to_string(width) + ", kernel " +
         std::to_string(w.kernelH) + "x" + std::to_string(w.kernelW));
  return out;
}

void unfold(DType type, const void *input, const Image &image,
            const Window2d &w, const Extent2d &out, const Channels &channels,
            int64_t first, int64_t last, void *rows, float outside) {
  int64_t size = elementSize(type);
  int64_t run = channels.count * size;
  std::vector<char> beyond(static_cast<size_t>(run));
  std::vector<float> values(size_t(channels.count), outside);
  fromF32(type, values.data(), beyond.data(), channels.count, Rounding::Host);
  const char *from = static_cast<const char *>(input);
  parallelFor(first, last, 64, [&](int64_t begin, int64_t end) {
    for (int64_t pixel = begin; pixel < end; ++pixel) {
      int64_t x = pixel % out.width, y = pixel / out.width % out.height;
      int64_t n = pixel / (out.width * out.height);
      char *to = static_cast<char *>(rows) +
                 (pixel - first) * w.kernelH * w.kernelW * run;
      for (int64_t i = 0; i < w.kernelH; ++i)
        for (int64_t j = 0; j < w.kernelW; ++j, to += run) {
          int64_t row = y * w.strideH - w.padTop + i * w.dilationH;
          int64_t col = x * w.strideW - w.padLeft + j * w.dilationW;
          bool inside =
              row >= 0 && row < image.height && col >= 0 && col < image.width;
          std::memcpy(
              to,
              inside ? from + (((n * image.height + row) * image.width + col) *
                                   image.channels +
                               channels.first) *
                                  size
                     : beyond.data(),
              size_t(run));
        }
    }
  });
}

void conv2d(const Conv2dArgs &args) {
  checkChannels("conv2d", args.type, args.batch, args.inChannels,
                args.outChannels, args.groups);
  Extent2d out = outputExtent("conv2d", args.window, args.inH, args.inW);
  const Window2d &w = args.window;
  int64_t size = elementSize(args.type);
  int64_t channels = args.inChannels / args.groups;
  int64_t filters = args.outChannels / args.groups;
  int64_t depth = w.kernelH * w.kernelW * channels;
  int64_t pixels = args.batch * out.height * out.width;
  if (pixels == 0 || args.outChannels == 0)
    return;
  // Weights to filters x (kH, kW, channels), the order of an unfolded row.
  std::vector<char> weight(size_t(args.outChannels * depth * size));
  int64_t weightShape[] = {args.outChannels, channels, w.kernelH, w.kernelW};
  int64_t order[] = {0, 2, 3, 1};
  permute(args.weight, weightShape, order, size, weight.data());

  bool direct = args.groups == 1 && w.kernelH == 1 && w.kernelW == 1 &&
                w.strideH == 1 && w.strideW == 1 && w.padTop == 0 &&
                w.padLeft == 0 && w.padBottom == 0 && w.padRight == 0;
  int64_t step = direct ? pixels
                        : std::clamp<int64_t>(
                              kUnfoldBytes / std::max<int64_t>(1, depth * size),
                              192, std::max<int64_t>(192, pixels));
  std::vector<char> rows(
      direct ? 0 : size_t(std::min(step, pixels) * depth * size));
  for (int64_t group = 0; group < args.groups; ++group)
    for (int64_t first = 0; first < pixels; first += step) {
      int64_t count = std::min(step, pixels - first);
      if (!direct)
        unfold(args.type, args.input,
               {args.batch, args.inH, args.inW, args.inChannels}, w, out,
               {group * channels, channels}, first, first + count, rows.data());
      MatmulArgs product;
      product.m = count;
      product.n = filters;
      product.k = depth;
      product.a.data = direct ? args.input : rows.data();
      product.a.type = args.type;
      product.a.rowStride = depth;
      product.b.data = weight.data() + group * filters * depth * size;
      product.b.type = args.type;
      product.b.rowStride = depth;
      product.b.transposed = true;
      product.c = static_cast<char *>(args.output) +
                  (first * args.outChannels + group * filters) * size;
      product.cType = args.type;
      product.cRowStride = args.outChannels;
      product.bias = args.bias ? args.bias + group * filters : nullptr;
      product.rounding = args.rounding;
      args.multiply(product);
    }
}

} // namespace tt::runtime::numerics
