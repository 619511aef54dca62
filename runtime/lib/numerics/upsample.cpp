#include "numerics/upsample.h"

#include "numerics/check.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tt::runtime::numerics {
namespace {

void checkScale(int64_t scaleH, int64_t scaleW) {
  if (scaleH < 1 || scaleW < 1)
    fail("upsample: expected scale factors of at least 1, found " +
         std::to_string(scaleH) + " and " + std::to_string(scaleW));
}

/// Where an output position lies between two input positions.
struct Source {
  int64_t low, high;
  float share; // of high
};

std::vector<Source> sources(int64_t extent, int64_t scale) {
  std::vector<Source> result;
  for (int64_t i = 0; i < extent * scale; ++i) {
    // Exact in double: the numerator is an odd integer over 2 * scale.
    const double at = (double(2 * i + 1) - double(scale)) / double(2 * scale);
    const auto low = int64_t(at < 0 ? -1 : at);
    const bool edge = low < 0 || low + 1 >= extent;
    const int64_t inside = std::clamp<int64_t>(low, 0, extent - 1);
    result.push_back({inside, edge ? inside : inside + 1,
                      edge ? 0.0f : float(at - double(low))});
  }
  return result;
}

/// target = a, or between a and b.
void mix(const KernelTable &table, const float *a, const float *b,
         const Source &source, float *target, int64_t n) {
  if (source.share == 0)
    std::copy_n(a, n, target);
  else
    table.mixRows(target, a, b, source.share, n);
}

} // namespace

void upsampleNearest(const void *input, const Image &image, int64_t scaleH,
                     int64_t scaleW, int64_t elementBytes, void *output) {
  checkScale(scaleH, scaleW);
  const int64_t pixel = image.channels * elementBytes;
  const int64_t row = image.width * pixel;
  const auto *from = static_cast<const char *>(input);
  auto *to = static_cast<char *>(output);
  parallelFor(0, image.batch * image.height,
              std::max<int64_t>(
                  1, (1 << 16) / std::max<int64_t>(1, row * scaleH * scaleW)),
              [&](int64_t begin, int64_t end) {
                for (int64_t y = begin; y < end; ++y) {
                  char *first = to + y * scaleH * scaleW * row, *target = first;
                  for (int64_t x = 0; x < image.width; ++x)
                    for (int64_t k = 0; k < scaleW; ++k, target += pixel)
                      std::memcpy(target, from + y * row + x * pixel,
                                  size_t(pixel));
                  for (int64_t k = 1; k < scaleH; ++k, target += scaleW * row)
                    std::memcpy(target, first, size_t(scaleW * row));
                }
              });
}

void upsampleBilinear(DType type, const void *input, const Image &image,
                      int64_t scaleH, int64_t scaleW, void *output,
                      Rounding rounding) {
  if (type != DType::F32 && type != DType::F16 && type != DType::BF16)
    fail(std::string("upsample: expected f32, f16 or bf16, found ") +
         dtypeName(type));
  checkScale(scaleH, scaleW);
  const KernelTable &table = kernelTable();
  const ToF32Fn read = table.toF32[int(type)];
  const FromF32Fn write = table.fromF32[int(type)];
  const int64_t size = elementSize(type), channels = image.channels;
  const int64_t inRow = image.width * channels, outRow = inRow * scaleW;
  const int64_t outH = image.height * scaleH;
  const std::vector<Source> ys = sources(image.height, scaleH);
  const std::vector<Source> xs = sources(image.width, scaleW);
  const auto *from = static_cast<const char *>(input);
  auto *to = static_cast<char *>(output);
  parallelFor(
      0, image.batch * outH,
      std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(1, outRow)),
      [&](int64_t begin, int64_t end) {
        std::vector<float> low(size_t(inRow), 0.0f), high(low), row(low);
        std::vector<float> wide(size_t(outRow), 0.0f);
        for (int64_t i = begin; i < end; ++i) {
          const Source &y = ys[size_t(i % outH)];
          const int64_t top = i / outH * image.height;
          read(from + (top + y.low) * inRow * size, low.data(), inRow);
          read(from + (top + y.high) * inRow * size, high.data(), inRow);
          mix(table, low.data(), high.data(), y, row.data(), inRow);
          for (size_t x = 0; x < xs.size(); ++x)
            mix(table, row.data() + xs[x].low * channels,
                row.data() + xs[x].high * channels, xs[x],
                wide.data() + int64_t(x) * channels, channels);
          write(wide.data(), to + i * outRow * size, outRow, rounding);
        }
      });
}

} // namespace tt::runtime::numerics
