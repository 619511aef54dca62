// Transposed convolution: a matrix product of input pixels and weights gives
// what each pixel adds to the window around it; each output pixel then collects
// its parts. Bands of output rows bound the memory.
#include "numerics/check.h"
#include "numerics/isa/table.h"
#include "numerics/matmul.h"
#include "numerics/parallel.h"
#include "numerics/transform.h"
#include "numerics/window.h"
#include "ttmlir/Windows.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tt::runtime::numerics {
namespace {

/// Bytes of products that are kept at a time.
constexpr int64_t kProductBytes = int64_t(8) << 20;

int64_t ceilDiv(int64_t a, int64_t b) {
  return a > 0 ? (a + b - 1) / b : -(-a / b);
}
int64_t floorDiv(int64_t a, int64_t b) { return -ceilDiv(-a, b); }

/// Input rows [first, last).
struct Rows {
  int64_t first, last;
};

struct Transposed {
  const ConvTranspose2dArgs &args;
  Extent2d out;
  int64_t filters, depth; // per group: output channels, products per pixel

  /// The input rows that reach output rows [y0, y1).
  Rows rowsFor(int64_t y0, int64_t y1) const {
    const Window2d &w = args.window;
    const int64_t reach = w.dilationH * (w.kernelH - 1);
    const int64_t first = ceilDiv(y0 + w.padTop - reach, w.strideH);
    const int64_t last = floorDiv(y1 - 1 + w.padTop, w.strideH) + 1;
    return {std::clamp<int64_t>(first, 0, args.inH),
            std::clamp<int64_t>(last, 0, args.inH)};
  }

  /// products[pixel][kH][kW][filter] of one image and group.
  void multiply(int64_t image, int64_t group, const Rows &rows,
                const char *weight, float *products) const {
    const int64_t size = elementSize(args.type);
    const int64_t channels = args.inChannels / args.groups;
    MatmulArgs product;
    product.m = (rows.last - rows.first) * args.inW;
    product.n = depth;
    product.k = channels;
    product.a.data =
        static_cast<const char *>(args.input) +
        ((image * args.inH + rows.first) * args.inW * args.inChannels +
         group * channels) *
            size;
    product.a.type = args.type;
    product.a.rowStride = args.inChannels;
    product.b.data = weight + group * channels * depth * size;
    product.b.type = args.type;
    product.b.rowStride = depth;
    product.c = products;
    product.cType = DType::F32;
    product.cRowStride = depth;
    matmul(product);
  }

  /// Adds up the parts of output rows [y0, y1).
  void collect(int64_t image, int64_t group, int64_t y0, int64_t y1,
               const Rows &rows, const float *products) const {
    const Window2d &w = args.window;
    const KernelTable &table = kernelTable();
    const int64_t size = elementSize(args.type);
    auto *to = static_cast<char *>(args.output);
    parallelFor(
        y0 * out.width, y1 * out.width, std::max<int64_t>(1, 4096 / depth),
        [&](int64_t begin, int64_t end) {
          std::vector<float> total(static_cast<size_t>(filters));
          for (int64_t pixel = begin; pixel < end; ++pixel) {
            const int64_t y = pixel / out.width, x = pixel % out.width;
            if (args.bias)
              std::copy_n(args.bias + group * filters, filters, total.data());
            else
              std::fill(total.begin(), total.end(), 0.0f);
            for (int64_t i = 0; i < w.kernelH; ++i) {
              const int64_t row = y + w.padTop - i * w.dilationH;
              if (row % w.strideH || row < rows.first * w.strideH ||
                  row >= rows.last * w.strideH)
                continue;
              for (int64_t j = 0; j < w.kernelW; ++j) {
                const int64_t col = x + w.padLeft - j * w.dilationW;
                if (col % w.strideW || col < 0 || col >= args.inW * w.strideW)
                  continue;
                const int64_t source =
                    (row / w.strideH - rows.first) * args.inW + col / w.strideW;
                table.addRows(total.data(),
                              products + source * depth +
                                  (i * w.kernelW + j) * filters,
                              filters);
              }
            }
            const int64_t at =
                (image * out.height * out.width + pixel) * args.outChannels +
                group * filters;
            table.fromF32[int(args.type)](total.data(), to + at * size, filters,
                                          args.rounding);
          }
        });
  }
};

/// The extent of the result; throws unless the arguments fit each other.
Extent2d checkedExtent(const ConvTranspose2dArgs &args) {
  checkChannels("conv_transpose2d", args.type, args.batch, args.inChannels,
                args.outChannels, args.groups);
  const Window2d &w = args.window;
  checkWindow("conv_transpose2d", w);
  const Extent2d out{
      ::ttmlir::getTransposedExtent(args.inH, w.kernelH, w.strideH, w.dilationH,
                                    w.padTop, w.padBottom, args.outputPaddingH),
      ::ttmlir::getTransposedExtent(args.inW, w.kernelW, w.strideW, w.dilationW,
                                    w.padLeft, w.padRight,
                                    args.outputPaddingW)};
  if (out.height < 1 || out.width < 1 || args.outputPaddingH < 0 ||
      args.outputPaddingW < 0)
    fail("conv_transpose2d: expected an output that the padding leaves and an "
         "output padding of at least 0, found an output of " +
         std::to_string(out.height) + "x" + std::to_string(out.width));
  return out;
}

} // namespace

void convTranspose2d(const ConvTranspose2dArgs &args) {
  const Extent2d out = checkedExtent(args);
  if (args.batch == 0 || args.outChannels == 0)
    return;
  const Window2d &w = args.window;
  const int64_t filters = args.outChannels / args.groups;
  const int64_t size = elementSize(args.type);
  Transposed work{args, out, filters, w.kernelH * w.kernelW * filters};
  // Weights to input channel x (kH, kW, filter), the order of the products.
  std::vector<char> weight(size_t(args.inChannels * work.depth * size));
  const int64_t shape[] = {args.inChannels, filters, w.kernelH, w.kernelW};
  const int64_t order[] = {0, 2, 3, 1};
  permute(args.weight, shape, order, size, weight.data());

  const int64_t rowBytes = std::max<int64_t>(1, args.inW * work.depth * 4);
  const int64_t inputRows = std::max<int64_t>(1, kProductBytes / rowBytes);
  const int64_t band = inputRows * w.strideH;
  std::vector<float> products;
  for (int64_t image = 0; image < args.batch; ++image)
    for (int64_t group = 0; group < args.groups; ++group)
      for (int64_t y = 0; y < out.height; y += band) {
        const int64_t stop = std::min(y + band, out.height);
        const Rows rows = work.rowsFor(y, stop);
        const int64_t pixels =
            std::max<int64_t>(0, rows.last - rows.first) * args.inW;
        products.resize(size_t(pixels * work.depth));
        if (pixels > 0)
          work.multiply(image, group, rows, weight.data(), products.data());
        work.collect(image, group, y, stop, rows, products.data());
      }
}

void convTranspose2dAsConv2d(const ConvTranspose2dArgs &args,
                             std::function<void(const MatmulArgs &)> multiply) {
  const Extent2d out = checkedExtent(args);
  const Window2d &w = args.window;
  const int64_t size = elementSize(args.type), pixel = args.inChannels * size;
  // The first pixel is as far from the edge as the kernel reaches, without the
  // padding, which cuts off.
  const int64_t reachH = w.dilationH * (w.kernelH - 1),
                reachW = w.dilationW * (w.kernelW - 1);
  const int64_t height = out.height + reachH, width = out.width + reachW;
  std::vector<char> spread(size_t(args.batch * height * width * pixel));
  for (int64_t n = 0; n < args.batch; ++n)
    for (int64_t i = 0; i < args.inH; ++i)
      for (int64_t j = 0; j < args.inW; ++j) {
        const int64_t y = i * w.strideH + reachH - w.padTop,
                      x = j * w.strideW + reachW - w.padLeft;
        if (y >= 0 && y < height && x >= 0 && x < width)
          std::memcpy(spread.data() + ((n * height + y) * width + x) * pixel,
                      static_cast<const char *>(args.input) +
                          ((n * args.inH + i) * args.inW + j) * pixel,
                      size_t(pixel));
      }
  // (groups, channels, filters, taps) to (groups, filters, channels, taps), the
  // taps from the last to the first.
  const int64_t channels = args.inChannels / args.groups,
                filters = args.outChannels / args.groups,
                taps = w.kernelH * w.kernelW;
  std::vector<char> turned(size_t(args.inChannels * filters * taps * size));
  for (int64_t i = 0; i < args.inChannels; ++i)
    for (int64_t filter = 0; filter < filters; ++filter)
      for (int64_t tap = 0; tap < taps; ++tap) {
        const int64_t to =
            (i / channels * filters + filter) * channels + i % channels;
        std::memcpy(turned.data() + ((to + 1) * taps - 1 - tap) * size,
                    static_cast<const char *>(args.weight) +
                        ((i * filters + filter) * taps + tap) * size,
                    size_t(size));
      }
  Conv2dArgs conv{args.batch,      height,           width,
                  args.inChannels, args.outChannels, args.groups};
  conv.window = {w.kernelH, w.kernelW, 1, 1, w.dilationH, w.dilationW};
  conv.type = args.type;
  conv.input = spread.data();
  conv.weight = turned.data();
  conv.bias = args.bias;
  conv.output = args.output;
  conv.rounding = args.rounding;
  conv.multiply = std::move(multiply);
  conv2d(conv);
}

} // namespace tt::runtime::numerics
