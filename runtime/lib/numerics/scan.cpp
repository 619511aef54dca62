#include "numerics/scan.h"

#include "numerics/check.h"
#include "numerics/extents.h"
#include "numerics/integers.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>

namespace tt::runtime::numerics {
namespace {

constexpr int64_t kColumns = 1024;
constexpr int64_t kGrainElements = 1 << 15;

float combine(ScanOp op, float total, float x) {
  if (op == ScanOp::Prod)
    return total * x;
  if (total != total || x != x)
    return total != total ? total : x;
  return (op == ScanOp::Max) == (x > total) ? x : total;
}

template <typename T> T combine(ScanOp op, T total, T x) {
  if (op == ScanOp::Prod)
    return T(uint64_t(total) * uint64_t(x));
  return op == ScanOp::Max ? std::max(total, x) : std::min(total, x);
}

/// What combines many at once, if there is a function.
void (*rowsOf(ScanOp op))(float *, const float *, int64_t) {
  const KernelTable &table = kernelTable();
  switch (op) {
  case ScanOp::Prod:
    return table.mulRows;
  case ScanOp::Max:
    return table.maxRows;
  case ScanOp::Min:
    return table.minRows;
  }
  return nullptr;
}

/// Columns [col, col + width) of n rows, `inner` elements apart.
struct FloatScan {
  const KernelTable &table;
  void (*combineRows)(float *, const float *, int64_t);
  ScanOp op;
  DType type;
  Rounding rounding;

  void columns(const char *from, char *to, int64_t n, int64_t inner,
               int64_t width) const {
    alignas(64) float total[kColumns], line[kColumns];
    const int64_t step = inner * elementSize(type);
    for (int64_t row = 0; row < n; ++row, from += step, to += step) {
      table.toF32[int(type)](from, row ? line : total, width);
      if (row && combineRows)
        combineRows(total, line, width);
      else if (row)
        for (int64_t c = 0; c < width; ++c)
          total[c] = combine(op, total[c], line[c]);
      table.fromF32[int(type)](total, to, width, rounding);
    }
  }

  /// One contiguous line.
  void line(const char *from, char *to, int64_t n) const {
    alignas(64) float part[kColumns];
    float total = 0;
    const int64_t size = elementSize(type);
    for (int64_t first = 0; first < n; first += kColumns) {
      const int64_t count = std::min(kColumns, n - first);
      table.toF32[int(type)](from + first * size, part, count);
      for (int64_t i = 0; i < count; ++i)
        part[i] = total = first + i ? combine(op, total, part[i]) : part[i];
      table.fromF32[int(type)](part, to + first * size, count, rounding);
    }
  }
};

template <typename T>
void integerColumns(ScanOp op, const T *from, T *to, int64_t n, int64_t inner,
                    int64_t width) {
  for (int64_t row = 0; row < n; ++row, from += inner, to += inner)
    for (int64_t c = 0; c < width; ++c)
      to[c] = row ? combine(op, to[c - inner], from[c]) : from[c];
}

} // namespace

void scan(ScanOp op, DType type, const void *input,
          std::span<const int64_t> shape, int64_t dim, void *output,
          Rounding rounding) {
  requirePlain("scan", type);
  const Extents extents = extentsAround("scan", shape, dim);
  const int64_t n = extents.reduced, inner = extents.inner;
  if (extents.outer * n * inner == 0)
    return;
  const FloatScan floats{kernelTable(), rowsOf(op), op, type, rounding};
  const int64_t size = elementSize(type);
  const int64_t columns = std::min(inner, kColumns);
  const int64_t pieces = (inner + kColumns - 1) / kColumns;
  parallelFor(0, extents.outer * pieces,
              std::max<int64_t>(1, kGrainElements / (n * columns)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  const int64_t col = i % pieces * kColumns;
                  const int64_t width = std::min(kColumns, inner - col);
                  const int64_t at = (i / pieces * n * inner + col) * size;
                  const char *from = static_cast<const char *>(input) + at;
                  char *to = static_cast<char *>(output) + at;
                  if (isInteger(type))
                    withInteger(type, [&](auto zero) {
                      using T = decltype(zero);
                      integerColumns(op, reinterpret_cast<const T *>(from),
                                     reinterpret_cast<T *>(to), n, inner,
                                     width);
                    });
                  else if (inner == 1)
                    floats.line(from, to, n);
                  else
                    floats.columns(from, to, n, inner, width);
                }
              });
}

} // namespace tt::runtime::numerics
