#include "numerics/sort.h"

#include "numerics/check.h"
#include "numerics/extents.h"
#include "numerics/integers.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace tt::runtime::numerics {
namespace {

constexpr int64_t kChunk = 4096;
constexpr int64_t kGrainElements = 1 << 13;

/// Numbers that compare as the floats do.
uint32_t keyOf(float x) {
  if (x != x)
    return UINT32_MAX;
  const uint32_t bits = std::bit_cast<uint32_t>(x == 0 ? 0.0f : x);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/// The keys of all elements.
std::vector<uint32_t> keysOf(DType type, const char *input, int64_t count) {
  std::vector<uint32_t> keys(static_cast<size_t>(count));
  const int64_t size = elementSize(type);
  parallelFor(0, count, kGrainElements, [&](int64_t begin, int64_t end) {
    if (isInteger(type)) {
      withInteger(type, [&](auto zero) {
        using T = decltype(zero);
        const T *from = reinterpret_cast<const T *>(input);
        for (int64_t i = begin; i < end; ++i)
          keys[size_t(i)] =
              uint32_t(int64_t(from[i])) ^ (T(-1) < T(0) ? 0x80000000u : 0);
      });
      return;
    }
    alignas(64) float buffer[kChunk];
    for (int64_t first = begin; first < end; first += kChunk) {
      const int64_t n = std::min(kChunk, end - first);
      kernelTable().toF32[int(type)](input + first * size, buffer, n);
      for (int64_t i = 0; i < n; ++i)
        keys[size_t(first + i)] = keyOf(buffer[i]);
    }
  });
  return keys;
}

} // namespace

void argsort(DType type, const void *input, std::span<const int64_t> shape,
             int64_t dim, bool descending, uint32_t *output) {
  requirePlain("argsort", type);
  const Extents extents = extentsAround("argsort", shape, dim);
  const int64_t n = extents.reduced, inner = extents.inner;
  const int64_t lines = extents.outer * inner;
  if (lines * n == 0)
    return;
  if (n > int64_t(UINT32_MAX))
    fail("argsort: expected at most 4294967295 elements along dimension " +
         std::to_string(dim) + ", found " + std::to_string(n));
  const std::vector<uint32_t> keys =
      keysOf(type, static_cast<const char *>(input), lines * n);
  const uint32_t turn = descending ? UINT32_MAX : 0;
  parallelFor(0, lines, std::max<int64_t>(1, kGrainElements / n),
              [&](int64_t begin, int64_t end) {
                // A key and its place behind it: no two are equal.
                std::vector<uint64_t> line(static_cast<size_t>(n));
                for (int64_t i = begin; i < end; ++i) {
                  const int64_t first = i / inner * n * inner + i % inner;
                  for (int64_t k = 0; k < n; ++k)
                    line[size_t(k)] =
                        uint64_t(keys[size_t(first + k * inner)] ^ turn) << 32 |
                        uint64_t(k);
                  std::sort(line.begin(), line.end());
                  for (int64_t k = 0; k < n; ++k)
                    output[first + k * inner] = uint32_t(line[size_t(k)]);
                }
              });
}

} // namespace tt::runtime::numerics
