#include "numerics/softmax.h"

#include "numerics/check.h"
#include "numerics/extents.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <vector>

namespace tt::runtime::numerics {
namespace {

constexpr int64_t kGrainElements = 1 << 13;
/// Columns that are worked on side by side.
constexpr int64_t kColumns = 64;

} // namespace

void softmax(DType type, const void *input, std::span<const int64_t> shape,
             int64_t dim, void *output, Rounding rounding) {
  if (type != DType::F32 && type != DType::F16 && type != DType::BF16)
    fail(std::string("softmax: expected f32, f16 or bf16, found ") +
         dtypeName(type));
  const Extents extents = extentsAround("softmax", shape, dim);
  int64_t outer = extents.outer, n = extents.reduced, inner = extents.inner;
  if (outer * n * inner == 0)
    return;
  int64_t size = elementSize(type);
  const KernelTable &table = kernelTable();
  ToF32Fn read = table.toF32[int(type)];
  FromF32Fn write = table.fromF32[int(type)];
  const char *from = static_cast<const char *>(input);
  char *to = static_cast<char *>(output);

  if (inner == 1) {
    parallelFor(0, outer, std::max<int64_t>(1, kGrainElements / n),
                [&](int64_t begin, int64_t end) {
                  std::vector<float> row(static_cast<size_t>(n));
                  for (int64_t i = begin; i < end; ++i) {
                    read(from + i * n * size, row.data(), n);
                    float max = table.maxRow(row.data(), n);
                    float sum = table.expShiftSum(row.data(), max, n);
                    table.divideRow(row.data(), sum, n);
                    write(row.data(), to + i * n * size, n, rounding);
                  }
                });
    return;
  }
  int64_t pieces = (inner + kColumns - 1) / kColumns;
  parallelFor(
      0, outer * pieces,
      std::max<int64_t>(1, kGrainElements / (n * std::min(inner, kColumns))),
      [&](int64_t begin, int64_t end) {
        std::vector<float> block(size_t(n * kColumns));
        float max[kColumns], sum[kColumns];
        for (int64_t i = begin; i < end; ++i) {
          int64_t col = i % pieces * kColumns;
          int64_t width = std::min(kColumns, inner - col);
          int64_t base = i / pieces * n * inner + col;
          for (int64_t row = 0; row < n; ++row) {
            float *line = block.data() + row * kColumns;
            read(from + (base + row * inner) * size, line, width);
            if (row == 0)
              std::copy(line, line + width, max);
            else
              table.maxRows(max, line, width);
          }
          for (int64_t row = 0; row < n; ++row) {
            float *line = block.data() + row * kColumns;
            table.expRows(line, max, width);
            if (row == 0)
              std::copy(line, line + width, sum);
            else
              table.addRows(sum, line, width);
          }
          for (int64_t row = 0; row < n; ++row) {
            float *line = block.data() + row * kColumns;
            table.divideRows(line, sum, width);
            write(line, to + (base + row * inner) * size, width, rounding);
          }
        }
      });
}

} // namespace tt::runtime::numerics
