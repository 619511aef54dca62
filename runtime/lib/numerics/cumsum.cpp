#include "numerics/cumsum.h"

#include "numerics/check.h"
#include "numerics/extents.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tt::runtime::numerics {
namespace {

constexpr int64_t kColumns = 1024;
constexpr int64_t kGrainElements = 1 << 15;
/// Contiguous lines that are turned and summed side by side, and how many of
/// their elements at a time.
constexpr int64_t kLines = 64;
constexpr int64_t kDepth = 64;
/// Fewer lines are not worth turning.
constexpr int64_t kTurned = 4;

struct Scan {
  const KernelTable &table;
  DType type;
  Rounding rounding;
  const char *from;
  char *to;
  int64_t n, inner;

  void read(int64_t at, float *target, int64_t count) const {
    table.toF32[int(type)](from + at * elementSize(type), target, count);
  }
  void write(const float *source, int64_t at, int64_t count) const {
    table.fromF32[int(type)](source, to + at * elementSize(type), count,
                             rounding);
  }

  /// Columns side by side.
  void columns(int64_t outer, int64_t col, int64_t width) const {
    alignas(64) float total[kColumns], line[kColumns];
    for (int64_t row = 0; row < n; ++row) {
      int64_t at = (outer * n + row) * inner + col;
      read(at, row ? line : total, width);
      if (row)
        table.addRows(total, line, width);
      write(total, at, width);
    }
  }

  /// Contiguous lines [first, first + count): a block of them is transposed so
  /// that the sums of all lines grow side by side.
  void lines(int64_t first, int64_t count) const {
    alignas(64) float rows[kLines * kDepth], turned[kDepth * kLines];
    float total[kLines] = {};
    for (int64_t k = 0; k < n; k += kDepth) {
      int64_t depth = std::min(kDepth, n - k);
      for (int64_t r = 0; r < count; ++r)
        read((first + r) * n + k, rows + r * kDepth, depth);
      if (count < kTurned) {
        for (int64_t r = 0; r < count; ++r) {
          float *row = rows + r * kDepth;
          for (int64_t i = 0; i < depth; ++i)
            row[i] = total[r] = k + i > 0 ? row[i] + total[r] : row[i];
          write(row, (first + r) * n + k, depth);
        }
        continue;
      }
      table.transpose4(rows, kDepth, count, depth, turned, kLines);
      for (int64_t i = 0; i < depth; ++i) {
        // The first element is copied: 0 + -0 would lose the sign.
        if (k + i > 0)
          table.addRows(turned + i * kLines, total, count);
        std::copy_n(turned + i * kLines, count, total);
      }
      table.transpose4(turned, kLines, depth, count, rows, kDepth);
      for (int64_t r = 0; r < count; ++r)
        write(rows + r * kDepth, (first + r) * n + k, depth);
    }
  }
};

template <typename T>
void integerScan(const Extents &extents, const void *input, void *output) {
  const T *from = static_cast<const T *>(input);
  T *to = static_cast<T *>(output);
  int64_t n = extents.reduced, inner = extents.inner;
  int64_t columns = std::min(inner, kColumns);
  int64_t pieces = (inner + kColumns - 1) / kColumns;
  parallelFor(0, extents.outer * pieces,
              std::max<int64_t>(1, kGrainElements / (n * columns)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  int64_t col = i % pieces * kColumns;
                  int64_t width = std::min(kColumns, inner - col);
                  int64_t start = i / pieces * n * inner + col;
                  T total[kColumns] = {};
                  for (int64_t row = 0; row < n; ++row, start += inner)
                    for (int64_t c = 0; c < width; ++c)
                      to[start + c] = total[c] = T(total[c] + from[start + c]);
                }
              });
}

} // namespace

void cumsum(DType type, const void *input, std::span<const int64_t> shape,
            int64_t dim, void *output, Rounding rounding) {
  requirePlain("cumsum", type);
  Extents extents = extentsAround("cumsum", shape, dim);
  int64_t n = extents.reduced, inner = extents.inner;
  if (extents.outer * n * inner == 0)
    return;
  // Unsigned sums wrap without a signed overflow.
  if (type == DType::U32 || type == DType::I32)
    return integerScan<uint32_t>(extents, input, output);
  if (type == DType::U16 || type == DType::I16)
    return integerScan<uint16_t>(extents, input, output);
  if (type == DType::U8 || type == DType::I8)
    return integerScan<uint8_t>(extents, input, output);
  const Scan scan{kernelTable(),
                  type,
                  rounding,
                  static_cast<const char *>(input),
                  static_cast<char *>(output),
                  n,
                  inner};
  if (inner == 1) {
    // A few lines a thread at least; a grain of lines is one block.
    parallelFor(0, (extents.outer + kLines - 1) / kLines,
                std::max<int64_t>(1, kGrainElements / (n * kLines)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i)
                    scan.lines(i * kLines,
                               std::min(kLines, extents.outer - i * kLines));
                });
    return;
  }
  int64_t columns = std::min(inner, kColumns);
  int64_t pieces = (inner + kColumns - 1) / kColumns;
  parallelFor(0, extents.outer * pieces,
              std::max<int64_t>(1, kGrainElements / (n * columns)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  int64_t col = i % pieces * kColumns;
                  scan.columns(i / pieces, col,
                               std::min(kColumns, inner - col));
                }
              });
}

} // namespace tt::runtime::numerics
