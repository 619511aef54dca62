#include "numerics/pool.h"

#include "numerics/check.h"
#include "numerics/eltwise_span.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace tt::runtime::numerics {
namespace {

/// Taps [first, last) of a window whose positions lie in [0, extent).
struct Taps {
  int64_t first, last;

  Taps(int64_t start, int64_t kernel, int64_t dilation, int64_t extent)
      : first(start < 0 ? (-start + dilation - 1) / dilation : 0),
        last(start < extent
                 ? std::min(kernel, (extent - 1 - start) / dilation + 1)
                 : 0) {}

  int64_t count() const { return std::max<int64_t>(0, last - first); }
};

/// Calls body(output pixel, vertical taps, horizontal taps, input element of
/// tap (0, 0)) for all output pixels.
template <typename Body>
void forWindows(const Image &image, const Window2d &w, const Extent2d &out,
                const Body &body) {
  parallelFor(0, image.batch * out.height * out.width,
              std::max<int64_t>(1, 4096 / std::max<int64_t>(1, image.channels)),
              [&](int64_t begin, int64_t end) {
                auto state = body.makeState();
                for (int64_t pixel = begin; pixel < end; ++pixel) {
                  const int64_t x = pixel % out.width * w.strideW - w.padLeft;
                  const int64_t y =
                      pixel / out.width % out.height * w.strideH - w.padTop;
                  const int64_t n = pixel / (out.width * out.height);
                  body(state, pixel,
                       Taps(y, w.kernelH, w.dilationH, image.height),
                       Taps(x, w.kernelW, w.dilationW, image.width), y, x,
                       (n * image.height + y) * image.width + x);
                }
              });
}

struct MaxBody {
  const Image &image;
  const Window2d &window;
  SpanContext context;
  const char *from;
  char *to;
  const char *least; // element for a window that lies in the padding alone

  struct State {};
  State makeState() const { return {}; }
  void operator()(State &, int64_t pixel, const Taps &rows, const Taps &cols,
                  int64_t, int64_t, int64_t origin) const {
    const int64_t size = elementSize(context.type), c = image.channels;
    char *target = to + pixel * c * size;
    bool empty = true;
    for (int64_t i = rows.first; i < rows.last; ++i)
      for (int64_t j = cols.first; j < cols.last; ++j) {
        const int64_t at =
            origin + i * window.dilationH * image.width + j * window.dilationW;
        const char *line = from + at * c * size;
        if (empty)
          std::memcpy(target, line, size_t(c * size));
        else
          binarySpan(context, BinaryOp::Maximum, Spread::None, target, line,
                     target, c);
        empty = false;
      }
    if (empty)
      for (int64_t k = 0; k < c; ++k)
        std::memcpy(target + k * size, least, size_t(size));
  }
};

struct AvgBody {
  const Image &image;
  const Window2d &window;
  SpanContext context;
  const char *from;
  char *to;
  bool countPadding;

  struct State {
    std::vector<float> total, line;
  };
  State makeState() const {
    return {std::vector<float>(size_t(image.channels)),
            std::vector<float>(size_t(image.channels))};
  }
  void operator()(State &state, int64_t pixel, const Taps &rows,
                  const Taps &cols, int64_t y, int64_t x,
                  int64_t origin) const {
    const int64_t size = elementSize(context.type), c = image.channels;
    const ToF32Fn read = context.table.toF32[int(context.type)];
    std::fill(state.total.begin(), state.total.end(), 0.0f);
    for (int64_t i = rows.first; i < rows.last; ++i)
      for (int64_t j = cols.first; j < cols.last; ++j) {
        const int64_t at =
            origin + i * window.dilationH * image.width + j * window.dilationW;
        const char *line = from + at * c * size;
        if (context.type == DType::F32) {
          context.table.addRows(state.total.data(),
                                reinterpret_cast<const float *>(line), c);
        } else {
          read(line, state.line.data(), c);
          context.table.addRows(state.total.data(), state.line.data(), c);
        }
      }
    context.table.divideRow(state.total.data(),
                            float(countTaps(image, window, y, x, countPadding)),
                            c);
    context.table.fromF32[int(context.type)](
        state.total.data(), to + pixel * c * size, c, context.rounding);
  }
};

} // namespace

int64_t countTaps(const Image &image, const Window2d &w, int64_t y, int64_t x,
                  bool countPadding) {
  const auto count = [&](int64_t start, int64_t kernel, int64_t dilation,
                         int64_t extent, int64_t before, int64_t after) {
    return countPadding
               ? Taps(start + before, kernel, dilation, before + extent + after)
                     .count()
               : Taps(start, kernel, dilation, extent).count();
  };
  return count(y, w.kernelH, w.dilationH, image.height, w.padTop, w.padBottom) *
         count(x, w.kernelW, w.dilationW, image.width, w.padLeft, w.padRight);
}

void maxPool2d(DType type, const void *input, const Image &image,
               const Window2d &window, void *output) {
  requirePlain("max_pool2d", type);
  const Extent2d out =
      outputExtent("max_pool2d", window, image.height, image.width);
  const SpanContext context{kernelTable(), type, Rounding::Fast};
  const float least = -std::numeric_limits<float>::infinity();
  char element[4];
  context.table.fromF32[int(type)](&least, element, 1, Rounding::Host);
  forWindows(image, window, out,
             MaxBody{image, window, context, static_cast<const char *>(input),
                     static_cast<char *>(output), element});
}

void avgPool2d(DType type, const void *input, const Image &image,
               const Window2d &window, bool countPadding, void *output,
               Rounding rounding) {
  if (type != DType::F32 && type != DType::F16 && type != DType::BF16)
    fail(std::string("avg_pool2d: expected f32, f16 or bf16, found ") +
         dtypeName(type));
  const Extent2d out =
      outputExtent("avg_pool2d", window, image.height, image.width);
  forWindows(image, window, out,
             AvgBody{image, window, SpanContext{kernelTable(), type, rounding},
                     static_cast<const char *>(input),
                     static_cast<char *>(output), countPadding});
}

} // namespace tt::runtime::numerics
