#include "numerics/window.h"

#include "numerics/check.h"
#include "numerics/depthwise.h"
#include "numerics/matmul.h"
#include "numerics/parallel.h"
#include "numerics/transform.h"
#include "ttmlir/Windows.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace tt::runtime::numerics {
namespace {

/// Bytes of unfolded input that are multiplied at a time: every product packs
/// the weights.
constexpr int64_t kUnfoldBytes = int64_t(64) << 20;

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

WindowRows::WindowRows(int64_t elementBytes, const void *input,
                       const Image &image, const Window2d &window,
                       const Extent2d &out, const Channels &channels,
                       const void *outside)
    : input_(static_cast<const char *>(input)), image_(image), window_(window),
      out_(out), channels_(channels), size_(elementBytes) {
  // Pixels side by side are one run of memory if all their channels are read.
  const bool joins = window.dilationW == 1 && channels.count == image.channels;
  taps_ = joins ? 1 : window.kernelW;
  run_ = (joins ? window.kernelW : 1) * channels.count;
  outside_.resize(size_t(run_ * size_));
  if (outside)
    for (int64_t i = 0; i < run_; ++i)
      copy(outside_.data() + i * size_, static_cast<const char *>(outside), 1);
}

void WindowRows::read(int64_t row0, int64_t rows, int64_t col0, int64_t cols,
                      void *target, int64_t stride) const {
  for (int64_t row = row0; row < row0 + rows; ++row)
    readRow(row, col0, cols,
            static_cast<char *>(target) + (row - row0) * stride * size_);
}

void WindowRows::readRow(int64_t pixel, int64_t col, int64_t cols,
                         char *to) const {
  const Window2d &w = window_;
  const int64_t y = pixel / out_.width % out_.height * w.strideH - w.padTop,
                x = pixel % out_.width * w.strideW - w.padLeft,
                n = pixel / (out_.width * out_.height);
  const int64_t width = image_.width * image_.channels;
  for (const int64_t end = col + cols; col < end;) {
    const int64_t number = col / run_, skipped = col % run_;
    const int64_t count = std::min(run_ - skipped, end - col);
    const int64_t i = y + number / taps_ * w.dilationH,
                  j = x + number % taps_ * w.dilationW;
    // The elements of the run in their row of the image, and those of them
    // that the image has.
    const int64_t begin = j * image_.channels + channels_.first + skipped;
    const bool inside = i >= 0 && i < image_.height;
    const int64_t low = inside ? std::clamp<int64_t>(-begin, 0, count) : count;
    const int64_t high = std::clamp(width - begin, low, count);
    copy(to, outside_.data(), low);
    copy(to + low * size_,
         input_ + ((n * image_.height + i) * width + begin + low) * size_,
         high - low);
    copy(to + high * size_, outside_.data(), count - high);
    to += count * size_;
    col += count;
  }
}

void WindowRows::copy(char *to, const char *from, int64_t count) const {
  if (count > 0)
    std::memcpy(to, from, size_t(count * size_));
}

void unfold(const WindowRows &windows, int64_t first, int64_t last,
            void *rows) {
  const int64_t depth = windows.depth();
  parallelFor(first, last, 64, [&](int64_t begin, int64_t end) {
    windows.read(begin, end - begin, 0, depth,
                 static_cast<char *>(rows) +
                     (begin - first) * depth * windows.elementBytes(),
                 depth);
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
  if (!args.multiply && isDepthwise(args) && depthwiseConv2d(args, out))
    return;
  // Weights to filters x (kH, kW, channels), the order of an unfolded row.
  const auto *weight = static_cast<const char *>(args.weight);
  std::unique_ptr<char[]> turned;
  if (!args.prepared && w.kernelH * w.kernelW > 1) {
    turned.reset(new char[size_t(args.outChannels * depth * size)]);
    const int64_t shape[] = {args.outChannels, channels, w.kernelH, w.kernelW};
    const int64_t order[] = {0, 2, 3, 1};
    permute(weight, shape, order, size, turned.get());
    weight = turned.get();
  }

  bool direct = args.groups == 1 && w.kernelH == 1 && w.kernelW == 1 &&
                w.strideH == 1 && w.strideW == 1 && w.padTop == 0 &&
                w.padLeft == 0 && w.padBottom == 0 && w.padRight == 0;
  const auto weightOf = [&](int64_t group) {
    MatmulOperand operand;
    if (args.prepared) {
      operand = *args.prepared;
      if (group > 0)
        operand.data =
            static_cast<const char *>(operand.data) + group * filters * size;
      return operand;
    }
    operand.data = weight + group * filters * depth * size;
    operand.type = args.type;
    operand.rowStride = depth;
    operand.transposed = true;
    return operand;
  };
  const int64_t step =
      std::clamp<int64_t>(kUnfoldBytes / std::max<int64_t>(1, depth * size),
                          192, std::max<int64_t>(192, pixels));
  for (int64_t group = 0; group < args.groups; ++group) {
    WindowRows windows(size, args.input,
                       {args.batch, args.inH, args.inW, args.inChannels}, w,
                       out, {group * channels, channels});
    for (int64_t first = 0; first < pixels; first += step) {
      MatmulArgs product;
      product.m = std::min(step, pixels - first);
      product.n = filters;
      product.k = depth;
      product.a.type = args.type;
      product.a.rowStride = depth;
      if (direct)
        product.a.data =
            static_cast<const char *>(args.input) + first * depth * size;
      else
        product.a.reader = windows.reader(first);
      product.b = weightOf(group);
      product.c = static_cast<char *>(args.output) +
                  (first * args.outChannels + group * filters) * size;
      product.cType = args.type;
      product.cRowStride = args.outChannels;
      product.bias = args.bias ? args.bias + group * filters : nullptr;
      product.rounding = args.rounding;
      args.multiply ? args.multiply(product) : matmul(product);
    }
  }
}

} // namespace tt::runtime::numerics
