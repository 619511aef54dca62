// Matrix product of integers. Rows of B are added up, so that the inner loop
// runs along memory; four rows of A share each load.
#include "numerics/check.h"
#include "numerics/isa/table.h"
#include "numerics/matmul.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <vector>

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

void matmulIntegers(const MatmulArgs &args) {
  const auto contiguous = [](const MatmulOperand &operand, int64_t rows,
                             int64_t cols, std::vector<uint32_t> &copy) {
    const auto *data = static_cast<const uint32_t *>(operand.data);
    if (!operand.reader.read && !operand.transposed &&
        operand.rowStride == cols)
      return data;
    copy.resize(size_t(rows * cols));
    if (operand.reader.read) {
      parallelFor(0, rows, 64, [&](int64_t first, int64_t last) {
        operand.reader.read(operand.reader.context, 0, first, last - first, 0,
                            cols, copy.data() + first * cols, cols);
      });
      return data = copy.data();
    }
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t col = 0; col < cols; ++col)
        copy[size_t(row * cols + col)] =
            operand.transposed ? data[col * operand.rowStride + row]
                               : data[row * operand.rowStride + col];
    return data = copy.data();
  };
  if (args.batch != 1 || args.bias ||
      (args.a.reader.read && args.a.transposed) ||
      (args.b.reader.read && args.b.transposed))
    fail("matmul of integers: expected one product, without a bias and without "
         "transposed operands that are read in blocks");
  std::vector<uint32_t> a, b, c(size_t(args.m * args.n));
  IntegerMatmulArgs integers;
  integers.m = args.m;
  integers.n = args.n;
  integers.k = args.k;
  integers.a = contiguous(args.a, args.m, args.k, a);
  integers.b = contiguous(args.b, args.k, args.n, b);
  integers.c = c.data();
  matmulIntegers(integers);
  auto *to = static_cast<uint32_t *>(args.c);
  for (int64_t row = 0; row < args.m; ++row)
    std::copy_n(c.data() + row * args.n, args.n, to + row * args.cRowStride);
}

} // namespace tt::runtime::numerics
