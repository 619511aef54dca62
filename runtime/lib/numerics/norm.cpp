#include "numerics/norm.h"

#include "numerics/check.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tt::runtime::numerics {
namespace {

constexpr int64_t kGrainElements = 1 << 13;
/// Elements that one partial sum covers.
constexpr int64_t kChunk = 4096;
/// Between these magnitudes squares and their sums stay in the range of f32.
constexpr float kLeast = 0x1p-40f, kGreatest = 0x1p+40f;

/// Partial sums of chunks, added up as another row.
template <typename Part>
float sumOfParts(const KernelTable &table, int64_t n, const Part &part) {
  if (n <= kChunk)
    return part(0, n);
  std::vector<float> parts;
  for (int64_t i = 0; i < n; i += kChunk)
    parts.push_back(part(i, std::min(kChunk, n - i)));
  return table.sumRow(parts.data(), int64_t(parts.size()));
}

/// A power of two that brings the row to a middle magnitude; 1 for most rows.
float scaleFor(const KernelTable &table, const float *row, int64_t n) {
  const float most = std::max(std::fabs(table.maxRow(row, n)),
                              std::fabs(table.minRow(row, n)));
  if (!(most > 0) || std::isinf(most) || (most > kLeast && most < kGreatest))
    return 1; // NaN too
  return std::ldexp(1.0f, std::clamp(-std::ilogb(most), -126, 126));
}

void norm(const char *what, const NormArgs &args, bool centered) {
  if (args.type != DType::F32 && args.type != DType::F16 &&
      args.type != DType::BF16)
    fail(std::string(what) + ": expected f32, f16 or bf16, found " +
         dtypeName(args.type));
  if (args.rows < 0 || args.n < 1)
    fail(std::string(what) + ": expected rows of at least one element, found " +
         std::to_string(args.rows) + " of " + std::to_string(args.n));
  const KernelTable &table = kernelTable();
  const int64_t n = args.n, bytes = n * elementSize(args.type);
  const auto *from = static_cast<const char *>(args.input);
  auto *to = static_cast<char *>(args.output);
  parallelFor(
      0, args.rows, std::max<int64_t>(1, kGrainElements / n),
      [&](int64_t begin, int64_t end) {
        std::vector<float> memory(static_cast<size_t>(n));
        float *row = memory.data();
        for (int64_t r = begin; r < end; ++r) {
          table.toF32[int(args.type)](from + r * bytes, row, n);
          const float scale = scaleFor(table, row, n);
          if (scale != 1)
            table.scaleRow(row, scale, n);
          float mean = 0;
          if (centered)
            mean = sumOfParts(table, n,
                              [&](int64_t i, int64_t count) {
                                return table.sumRow(row + i, count);
                              }) /
                   float(n);
          const float square =
              sumOfParts(table, n,
                         [&](int64_t i, int64_t count) {
                           return table.squaredDistance(row + i, mean, count);
                         }) /
              float(n);
          // epsilon belongs to the row as it came.
          const double epsilon = double(args.epsilon) * scale * scale;
          const auto factor = float(1 / std::sqrt(double(square) + epsilon));
          table.normalizeRow(row, mean, factor, args.weight, args.bias, n);
          table.fromF32[int(args.type)](row, to + r * bytes, n, args.rounding);
        }
      });
}

} // namespace

void layerNorm(const NormArgs &args) { norm("layer_norm", args, true); }

void rmsNorm(const NormArgs &args) { norm("rms_norm", args, false); }

} // namespace tt::runtime::numerics
