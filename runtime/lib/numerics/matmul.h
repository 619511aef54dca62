// Batched matrix product C[b] = A[b] x B[b] (+ bias) with f32 accumulation.
//
// Each element is the sum over k = 0, 1, 2, ... in ascending order in f32, in
// blocks of K that depend only on the problem size, so the result is the same
// for any number of threads. Products accumulate with FMA where the machine has
// it; the SSE baseline rounds the product first, so there (and only there) f32
// results may differ in the last bits. With AVX512-BF16 bf16 x bf16 uses
// vdpbf16ps, which adds products in pairs and flushes denormals.
//
// f16 operands are widened to f32; block floats are dequantized by the caller,
// or read straight from tiles through a BlockReader.
#ifndef TT_RUNTIME_NUMERICS_MATMUL_H
#define TT_RUNTIME_NUMERICS_MATMUL_H

#include "numerics/formats.h"

#include <cstdint>

namespace tt::runtime::numerics {

/// Delivers parts of an operand that is not row-major in memory. Called from
/// several threads at once: writes the elements [row0, row0+rows) x
/// [col0, col0+cols) of the operand of batch `batch`, as stored (before a
/// transposition), to `target` row-major with `targetStride` elements a row.
/// Rows and columns start at multiples of 32.
struct BlockReader {
  void (*read)(void *context, int64_t batch, int64_t row0, int64_t rows,
               int64_t col0, int64_t cols, void *target,
               int64_t targetStride) = nullptr;
  void *context = nullptr;
};

/// One operand. `type` is F32, F16 or BF16. Element (i, j) as stored of batch b
/// is at data[b * batchStride + i * rowStride + j] (strides in elements; a
/// batch stride of 0 broadcasts). With `transposed`, the operand is the
/// transpose of what is stored. When `reader.read` is set, `data` and strides
/// are not used.
struct MatmulOperand {
  const void *data = nullptr;
  DType type = DType::F32;
  int64_t rowStride = 0;
  int64_t batchStride = 0;
  bool transposed = false;
  BlockReader reader;
};

struct MatmulArgs {
  int64_t batch = 1;
  int64_t m = 0, n = 0, k = 0;
  MatmulOperand a; // m x k
  MatmulOperand b; // k x n
  void *c = nullptr;
  DType cType = DType::F32; // F32, F16 or BF16
  int64_t cRowStride = 0;
  int64_t cBatchStride = 0;
  /// n f32 values added to every row before the rounding, or null.
  const float *bias = nullptr;
  Rounding rounding = Rounding::Fast;
};

/// Computes C; k = 0 gives zeros (plus the bias). C overlaps no operand. Throws
/// std::invalid_argument for an unsupported type, a negative extent or a row
/// stride that is shorter than its row.
void matmul(const MatmulArgs &args);

/// Contiguous matrices of 32-bit integers, signed or not: sums and products
/// keep the low bits. A batch stride of 0 broadcasts.
struct IntegerMatmulArgs {
  int64_t batch = 1;
  int64_t m = 0, n = 0, k = 0;
  const uint32_t *a = nullptr, *b = nullptr;
  int64_t aBatchStride = 0, bBatchStride = 0;
  uint32_t *c = nullptr;
};

void matmulIntegers(const IntegerMatmulArgs &args);

/// The same for one product of a convolution: its operands are U32 or I32, and
/// it has no bias.
void matmulIntegers(const MatmulArgs &args);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_MATMUL_H
