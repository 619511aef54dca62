// Matrix product of integers. Rows of B are added up, so that the inner loop
// runs along memory; four rows of A share each load.
#include "numerics/check.h"
#include "numerics/isa/table.h"
#include "numerics/matmul.h"
#include "numerics/parallel.h"

#include <algorithm>

namespace tt::runtime::numerics {
namespace {

constexpr int64_t kRows = 4;
constexpr int64_t kCols = 1024;
/// Multiply-adds that are worth a thread's while.
constexpr int64_t kGrainWork = int64_t(1) << 16;

} // namespace

void matmulIntegers(const IntegerMatmulArgs &args) {
  if (args.batch < 0 || args.m < 0 || args.n < 0 || args.k < 0)
    fail("matmul: expected extents of at least 0, found batch " +
         std::to_string(args.batch) + ", m " + std::to_string(args.m) + ", n " +
         std::to_string(args.n) + ", k " + std::to_string(args.k));
  const auto addRows = kernelTable().addScaledRows;
  const int64_t bands = (args.m + kRows - 1) / kRows;
  const int64_t strips = (args.n + kCols - 1) / kCols;
  const int64_t work = kRows * std::min(args.n, kCols) * args.k;
  parallelFor(
      0, args.batch * bands * strips,
      std::max<int64_t>(1, kGrainWork / std::max<int64_t>(1, work)),
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const int64_t batch = i / (bands * strips);
          const int64_t row = i / strips % bands * kRows;
          const int64_t col = i % strips * kCols;
          const int64_t rows = std::min(kRows, args.m - row);
          const int64_t cols = std::min(kCols, args.n - col);
          const uint32_t *a = args.a + batch * args.aBatchStride + row * args.k;
          const uint32_t *b = args.b + batch * args.bBatchStride + col;
          uint32_t *c = args.c + (batch * args.m + row) * args.n + col;
          for (int64_t r = 0; r < rows; ++r)
            std::fill_n(c + r * args.n, cols, 0u);
          for (int64_t k = 0; k < args.k; ++k)
            addRows(c, args.n, a + k, args.k, rows, b + k * args.n, cols);
        }
      });
}

} // namespace tt::runtime::numerics
