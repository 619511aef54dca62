#include "numerics/argmax.h"

#include "numerics/check.h"
#include "numerics/extents.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>

namespace tt::runtime::numerics {
namespace {

constexpr int64_t kChunk = 4096;
constexpr int64_t kColumns = 1024;
constexpr int64_t kGrainElements = 1 << 15;

bool isNan(float x) { return x != x; }

/// One contiguous line of a type that f32 holds exactly, in chunks that fit
/// the cache.
uint32_t lineArgmax(const KernelTable &table, DType type, const char *line,
                    int64_t n) {
  alignas(64) float buffer[kChunk];
  float best = 0;
  int64_t index = 0;
  for (int64_t first = 0; first < n; first += kChunk) {
    int64_t count = std::min(kChunk, n - first);
    const float *chunk = buffer;
    if (type == DType::F32)
      chunk = reinterpret_cast<const float *>(line) + first;
    else
      table.toF32[int(type)](line + first * elementSize(type), buffer, count);
    int64_t at = table.argmaxRow(chunk, count);
    if (first == 0 || chunk[at] > best || (isNan(chunk[at]) && !isNan(best))) {
      best = chunk[at];
      index = first + at;
    }
    if (isNan(best))
      break;
  }
  return uint32_t(index);
}

/// Lines that lie side by side: columns [col, col + width) of n rows.
void columnsArgmax(const KernelTable &table, DType type, const char *from,
                   int64_t n, int64_t stride, int64_t width, uint32_t *to) {
  alignas(64) float best[kColumns], line[kColumns];
  int64_t size = elementSize(type);
  table.toF32[int(type)](from, best, width);
  std::fill(to, to + width, 0u);
  for (int64_t row = 1; row < n; ++row) {
    table.toF32[int(type)](from + row * stride * size, line, width);
    table.argmaxRows(best, to, line, uint32_t(row), width);
  }
}

/// Integers of 32 bits, which f32 does not hold.
template <typename T>
void integerArgmax(const T *from, int64_t n, int64_t stride, int64_t width,
                   uint32_t *to) {
  T best[kColumns];
  std::copy(from, from + width, best);
  std::fill(to, to + width, 0u);
  for (int64_t row = 1; row < n; ++row) {
    const T *line = from + row * stride;
    for (int64_t c = 0; c < width; ++c) {
      bool wins = line[c] > best[c];
      best[c] = wins ? line[c] : best[c];
      to[c] = wins ? uint32_t(row) : to[c];
    }
  }
}

} // namespace

void argmax(DType type, const void *input, std::span<const int64_t> shape,
            int64_t dim, uint32_t *output) {
  requirePlain("argmax", type);
  Extents extents = extentsAround("argmax", shape, dim);
  int64_t n = extents.reduced, inner = extents.inner;
  if (extents.outer * inner == 0)
    return;
  if (n == 0 || n > int64_t(UINT32_MAX))
    fail("argmax: expected from 1 to 4294967295 elements along dimension " +
         std::to_string(dim) + ", found " + std::to_string(n));
  const KernelTable &table = kernelTable();
  const char *from = static_cast<const char *>(input);
  int64_t size = elementSize(type);
  bool wide = type == DType::U32 || type == DType::I32;
  if (inner == 1 && !wide) {
    parallelFor(0, extents.outer, std::max<int64_t>(1, kGrainElements / n),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i)
                    output[i] = lineArgmax(table, type, from + i * n * size, n);
                });
    return;
  }
  int64_t columns = std::min(inner, kColumns);
  int64_t pieces = (inner + kColumns - 1) / kColumns;
  parallelFor(0, extents.outer * pieces,
              std::max<int64_t>(1, kGrainElements / (n * columns)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  int64_t col = i % pieces * kColumns, outer = i / pieces;
                  int64_t width = std::min(kColumns, inner - col);
                  const char *start = from + (outer * n * inner + col) * size;
                  uint32_t *to = output + outer * inner + col;
                  if (type == DType::U32)
                    integerArgmax(reinterpret_cast<const uint32_t *>(start), n,
                                  inner, width, to);
                  else if (type == DType::I32)
                    integerArgmax(reinterpret_cast<const int32_t *>(start), n,
                                  inner, width, to);
                  else
                    columnsArgmax(table, type, start, n, inner, width, to);
                }
              });
}

} // namespace tt::runtime::numerics
