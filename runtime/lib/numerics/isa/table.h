// The entry points that exist once per instruction set. Single-threaded loops
// on contiguous memory; arguments have been checked by the callers.
//
// Files in isa/ include only this header, simd.h, math.h and <cstdint>, keep
// everything but their fill function in an unnamed namespace, and use no inline
// function of the standard library: the linker would otherwise be free to let a
// baseline caller share code that was compiled for a newer machine.
#ifndef TT_RUNTIME_NUMERICS_ISA_TABLE_H
#define TT_RUNTIME_NUMERICS_ISA_TABLE_H

#include "numerics/eltwise.h"
#include "numerics/formats.h"
#include "numerics/vector_engine.h"

#include <cstdint>

namespace tt::runtime::numerics {

/// Number of plain types that a table holds integer kernels for: U32, U16, U8,
/// I32, I8, I16, indexed by integerIndex().
inline constexpr int kIntegerTypes = 6;
constexpr int integerIndex(DType type) { return int(type) - int(DType::U32); }

/// Which operands of a binary kernel repeat their first element.
enum class Spread : uint8_t { None = 0, Second = 1, First = 2 };
inline constexpr int kSpreads = 3;

using ToF32Fn = void (*)(const void *, float *, int64_t);
using FromF32Fn = void (*)(const float *, void *, int64_t, Rounding);
using UnaryFn = void (*)(const void *in, void *out, int64_t n,
                         UnaryParams params, bool stream);
using BinaryFn = void (*)(const void *a, const void *b, void *out, int64_t n,
                          bool stream);
/// Programs of the vector engine; n is a multiple of 128.
using VectorUnaryFn = void (*)(VectorMode mode, const float *in, float *out,
                               int64_t n, UnaryParams params);
using VectorBinaryFn = void (*)(VectorMode mode, const float *a,
                                const float *b, float *out, int64_t n);

/// Micro-kernels and packing for one pair of operand types; see matmul.cpp for
/// how the pieces fit.
struct GemmTable {
  int mr = 0;           // rows of a register block
  int nr = 0;           // columns of a register block, divides 32
  int kGroup = 1;       // consecutive k that one packed B element group holds
  int64_t kBlock = 0;   // K extent of a packed block, a multiple of 32
  int64_t aStride = 0;  // elements from row to row of a packed A panel
  int64_t operandBytes; // bytes of a packed element
  /// Packs rows x k (row-major, both in packed element type, k <= kBlock) into
  /// the A layout: rows of aStride elements as they are, k padded with zeros to
  /// a multiple of kGroup. Any number of rows.
  void (*packA)(const void *source, int64_t sourceStride, int64_t rows,
                int64_t k, void *target);
  /// The same from a source stored k x rows.
  void (*packATransposed)(const void *source, int64_t sourceStride,
                          int64_t rows, int64_t k, void *target);
  /// Packs k x cols into one B panel of nr columns (cols <= nr, zero padded).
  void (*packB)(const void *source, int64_t sourceStride, int64_t k,
                int64_t cols, void *target);
  /// The same from bf16 where the packed type is f32; else null.
  void (*packBFromBf16)(const void *source, int64_t sourceStride, int64_t k,
                        int64_t cols, void *target) = nullptr;
  /// The same from a source stored cols x k.
  void (*packBTransposed)(const void *source, int64_t sourceStride, int64_t k,
                          int64_t cols, void *target);
  /// c[rows][nr] (row stride cStride) = or += A rows x B panel over k, which is
  /// a multiple of kGroup. 1 <= rows <= mr; all nr columns are written.
  void (*kernel)(const void *a, const void *b, float *c, int64_t cStride,
                 int64_t rows, int64_t k, bool accumulate);
};

/// The functions of matrix_unit.h for one kind of accumulator.
struct MatrixUnitTable {
  void (*multiplyTiles)(const float *b, const float *a, float *dst,
                        bool accumulate, int phases, bool wormhole);
  void (*poolFace)(const float *face, const float *weights, float *line,
                   int phases, bool wormhole);
  void (*multiply)(const float *a, const float *b, float *dst, int64_t count,
                   bool accumulate, int phases, bool wormhole);
  void (*add)(const float *a, const float *b, float *dst, int64_t count,
              bool subtract, bool accumulate, bool wormhole);
};

struct KernelTable {
  // formats
  ToF32Fn toF32[kNumFormats];     // by DType, null for block floats
  FromF32Fn fromF32[kNumFormats]; // by DType, null for block floats
  void (*roundTf32)(const float *, float *, int64_t, Rounding);
  void (*quantize)(DType, const float *, void *, int64_t tiles, Rounding);
  void (*dequantize)(DType, const void *, float *, int64_t tiles, Rounding);
  // eltwise
  UnaryFn unaryF32[kUnaryOps];
  UnaryFn unaryBf16[kUnaryOps];               // rounds as Rounding::Fast
  UnaryFn unaryInt[kUnaryOps][kIntegerTypes]; // null: through f32
  BinaryFn binaryF32[kBinaryOps][kSpreads];
  BinaryFn binaryBf16[kBinaryOps][kSpreads];
  BinaryFn binaryInt[kBinaryOps][kIntegerTypes][kSpreads];
  VectorUnaryFn vectorUnary[kUnaryOps]; // null: no program
  VectorBinaryFn vectorBinary[kBinaryOps];
  /// Rounds as programs do for destinations of 16 bits.
  void (*round16)(float *values, int64_t n);
  /// out[i] = (condition[i] & mask) ? a[i] : b[i], by the bytes of an element:
  /// 1, 2 and 4.
  void (*select[3])(uint32_t mask, const void *condition, const void *a,
                    const void *b, void *out, int64_t n);
  // reductions
  float (*sumRow)(const float *, int64_t n);
  float (*maxRow)(const float *, int64_t n);
  float (*minRow)(const float *, int64_t n);
  float (*prodRow)(const float *, int64_t n);
  /// target[i] = op(target[i], source[i])
  void (*addRows)(float *target, const float *source, int64_t n);
  void (*maxRows)(float *target, const float *source, int64_t n);
  void (*minRows)(float *target, const float *source, int64_t n);
  void (*mulRows)(float *target, const float *source, int64_t n);
  void (*scaleRow)(float *target, float factor, int64_t n);
  /// Combines the 32 rows of a tile in face order, one after the other, to one
  /// row of 32 elements.
  void (*sumTileRows)(const float *tile, float *row);
  void (*maxTileRows)(const float *tile, float *row);
  void (*minTileRows)(const float *tile, float *row);
  /// row[i] = exp(row[i] - shift); returns the sum.
  float (*expShiftSum)(float *row, float shift, int64_t n);
  /// target[i] = exp(target[i] - shift[i])
  void (*expRows)(float *target, const float *shift, int64_t n);
  void (*divideRows)(float *target, const float *divisor, int64_t n);
  void (*divideRow)(float *target, float divisor, int64_t n);
  /// Index of the first greatest element, or of the first NaN; n > 0.
  int64_t (*argmaxRow)(const float *row, int64_t n);
  /// best[i], index[i] = the greater of best[i] and row[i], where the first of
  /// equals and the first NaN stay; `position` is the index of the row.
  void (*argmaxRows)(float *best, uint32_t *index, const float *row,
                     uint32_t position, int64_t n);
  /// Sum of (row[i] - shift)^2; `shift` is finite unless the sum is not.
  float (*squaredDistance)(const float *row, float shift, int64_t n);
  /// row[i] = (row[i] - shift) * factor * weight[i] + bias[i]; null is 1 and 0.
  void (*normalizeRow)(float *row, float shift, float factor,
                       const float *weight, const float *bias, int64_t n);
  /// target[i] = a[i] * (1 - share) + b[i] * share
  void (*mixRows)(float *target, const float *a, const float *b, float share,
                  int64_t n);
  // shuffles: target[c * targetStride + r] = source[r * sourceStride + c]
  void (*transpose2)(const void *, int64_t sourceStride, int64_t rows,
                     int64_t cols, void *, int64_t targetStride);
  void (*transpose4)(const void *, int64_t sourceStride, int64_t rows,
                     int64_t cols, void *, int64_t targetStride);
  // matmul
  /// c[r][j] += a[r * aStride] * b[j] for 1 to 4 rows, wrapping.
  void (*addScaledRows)(uint32_t *c, int64_t cStride, const uint32_t *a,
                        int64_t aStride, int64_t rows, const uint32_t *b,
                        int64_t n);
  GemmTable gemmF32;
  GemmTable gemmBf16; // same as gemmF32 (operandBytes 4) without a unit for it
  // Tiles of four 16x16 faces: c = or += a x b with k in ascending order.
  void (*multiplyTilesF32)(const float *a, const float *b, float *c,
                           bool accumulate);
  /// Null without vdpbf16ps. The right operand is packed, its bits under `mask`
  /// kept.
  void (*packTileBf16)(const uint16_t *tile, uint16_t mask, uint16_t *packed);
  void (*multiplyTilesBf16)(const uint16_t *a, const uint16_t *packedB,
                            float *c, bool accumulate);
  MatrixUnitTable matrixUnit[4]; // by Accumulator
  /// target[i] += a[i] * b[i], rounded as the products of matrices are.
  void (*multiplyAddRows)(float *target, const float *a, const float *b,
                          int64_t n);
  /// c[m][n] += a[m][k] * b[k][n] without packing, for m <= 4.
  void (*gemvF32)(const float *a, int64_t aStride, const float *b,
                  int64_t bStride, float *c, int64_t cStride, int64_t m,
                  int64_t n, int64_t k);
  void (*gemvBf16)(const float *a, int64_t aStride, const uint16_t *b,
                   int64_t bStride, float *c, int64_t cStride, int64_t m,
                   int64_t n, int64_t k);
};

/// The table of the instruction set in use.
const KernelTable &kernelTable();

#define TTK_DECLARE_ISA(ISA)                                                   \
  namespace ISA {                                                              \
  void fillConvert(KernelTable &);                                             \
  void fillBfp(KernelTable &);                                                 \
  void fillUnary(KernelTable &);                                               \
  void fillBinary(KernelTable &);                                              \
  void fillInteger(KernelTable &);                                             \
  void fillReduce(KernelTable &);                                              \
  void fillRows(KernelTable &);                                                \
  void fillShuffle(KernelTable &);                                             \
  void fillGemm(KernelTable &);                                                \
  void fillTileGemm(KernelTable &);                                            \
  void fillMatrixUnit(KernelTable &);                                          \
  void fillVectorEngine(KernelTable &);                                        \
  inline void fillKernelTable(KernelTable &table) {                            \
    fillConvert(table);                                                        \
    fillBfp(table);                                                            \
    fillUnary(table);                                                          \
    fillBinary(table);                                                         \
    fillInteger(table);                                                        \
    fillReduce(table);                                                         \
    fillRows(table);                                                           \
    fillShuffle(table);                                                        \
    fillGemm(table);                                                           \
    fillTileGemm(table);                                                       \
    fillMatrixUnit(table);                                                     \
    fillVectorEngine(table);                                                   \
  }                                                                            \
  }
TTK_DECLARE_ISA(baseline)
TTK_DECLARE_ISA(v3)
TTK_DECLARE_ISA(v4)
#undef TTK_DECLARE_ISA

namespace v4bf16 {
void fillBf16Gemm(KernelTable &);
void fillBf16TileGemm(KernelTable &);
} // namespace v4bf16

namespace v4amx {
void fillAmxGemm(KernelTable &);
/// The same with the tile instructions in C++, for tests.
void fillEmulatedAmxGemm(KernelTable &);
} // namespace v4amx

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_ISA_TABLE_H
