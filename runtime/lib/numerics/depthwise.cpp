#include "numerics/depthwise.h"

#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tt::runtime::numerics {
namespace {

/// Elements that a thread converts or pixels' elements that it computes at a
/// time, at least.
constexpr int64_t kGrain = 1 << 14;

/// The weights in f32, a row of all channels for each tap.
std::vector<float> tapsOf(const Conv2dArgs &args, const KernelTable &table) {
  const int64_t channels = args.inChannels,
                taps = args.window.kernelH * args.window.kernelW,
                size = elementSize(args.type);
  const ToF32Fn read = table.toF32[int(args.type)];
  std::vector<float> rows(size_t(taps * channels));
  if (args.prepared) {
    const auto *data = static_cast<const char *>(args.prepared->data);
    for (int64_t tap = 0; tap < taps; ++tap)
      read(data + tap * args.prepared->rowStride * size,
           rows.data() + tap * channels, channels);
    return rows;
  }
  std::vector<float> filters(rows.size());
  read(args.weight, filters.data(), taps * channels);
  for (int64_t channel = 0; channel < channels; ++channel)
    for (int64_t tap = 0; tap < taps; ++tap)
      rows[size_t(tap * channels + channel)] =
          filters[size_t(channel * taps + tap)];
  return rows;
}

} // namespace

bool isDepthwise(const Conv2dArgs &args) {
  return args.groups > 1 && args.groups == args.inChannels &&
         args.groups == args.outChannels && isFloat(args.type) &&
         !(args.prepared && args.prepared->reader.read);
}

bool depthwiseConv2d(const Conv2dArgs &args, const Extent2d &out) {
  const KernelTable &table = kernelTable();
  const Window2d &w = args.window;
  const int64_t channels = args.inChannels, size = elementSize(args.type);
  const std::vector<float> taps = tapsOf(args, table);
  if (!std::all_of(taps.begin(), taps.end(),
                   [](float weight) { return std::isfinite(weight); }))
    return false;

  const auto *image = static_cast<const float *>(args.input);
  std::vector<float> converted;
  if (args.type != DType::F32) {
    const int64_t count = args.batch * args.inH * args.inW * channels;
    converted.resize(size_t(count));
    parallelFor(0, count, kGrain, [&](int64_t begin, int64_t end) {
      table.toF32[int(args.type)](static_cast<const char *>(args.input) +
                                      begin * size,
                                  converted.data() + begin, end - begin);
    });
    image = converted.data();
  }

  auto *target = static_cast<char *>(args.output);
  parallelFor(
      0, args.batch * out.height * out.width,
      std::max<int64_t>(1, kGrain / (channels * w.kernelH * w.kernelW)),
      [&](int64_t begin, int64_t end) {
        std::vector<float> sum(static_cast<size_t>(channels));
        for (int64_t pixel = begin; pixel < end; ++pixel) {
          const int64_t x = pixel % out.width * w.strideW - w.padLeft,
                        y = pixel / out.width % out.height * w.strideH -
                            w.padTop,
                        n = pixel / (out.width * out.height);
          std::fill(sum.begin(), sum.end(), 0.0f);
          const float *weight = taps.data();
          for (int64_t i = 0; i < w.kernelH; ++i)
            for (int64_t j = 0; j < w.kernelW; ++j, weight += channels) {
              const int64_t row = y + i * w.dilationH,
                            column = x + j * w.dilationW;
              if (row >= 0 && row < args.inH && column >= 0 &&
                  column < args.inW)
                table.multiplyAddRows(
                    sum.data(),
                    image +
                        ((n * args.inH + row) * args.inW + column) * channels,
                    weight, channels);
            }
          if (args.bias)
            table.addRows(sum.data(), args.bias, channels);
          table.fromF32[int(args.type)](sum.data(),
                                        target + pixel * channels * size,
                                        channels, args.rounding);
        }
      });
  return true;
}

} // namespace tt::runtime::numerics
