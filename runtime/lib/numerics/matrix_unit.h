// The matrix engine bit by bit: what its multipliers, alignment and accumulator
// do with operands of a sign, 8 exponent bits and 10 mantissa bits.
//
// Each fidelity phase multiplies slices of the significands: the upper 5 or the
// next 5 bits of source A, the upper 7 or the lower 4 of source B. A sum of 16
// products is made in two groups of 8, each aligned to the greatest exponent of
// its group with rounding; a product whose slices are 0 while its operands are
// not takes part with its exponent. Both group sums and the destination are
// then aligned to the greatest of their exponents and added. Without 32-bit
// accumulation the aligned terms lose 13 bits, and the sum is rounded half up
// to 8 significant bits (bf16) or 11 (f16), else to 24. An exponent of 0 is a
// zero; NaN and infinity take part as big numbers; results below the normal
// range are +0.
#ifndef TT_RUNTIME_NUMERICS_MATRIX_UNIT_H
#define TT_RUNTIME_NUMERICS_MATRIX_UNIT_H

#include <cstdint>

namespace tt::runtime::numerics {

/// How the destination keeps sums. F32OfF16 are 32-bit sums of operands with 5
/// exponent bits: there a product with zero has the exponent of 2^-30 (less in
/// later phases), and what is far below it in the same sum is rounded away.
enum class Accumulator : uint8_t { F32, BF16, F16, F32OfF16 };

/// What the engine was configured to.
struct MatrixUnitMode {
  Accumulator accumulator = Accumulator::F32;
  int phases = 1; // of products, 1 to 4
  /// Wormhole scales a 32-bit sum whose aligned terms add up to exactly -1 (of
  /// their last place) by 2^27.
  bool wormhole = false;
};

/// dst = or += B x A for 32x32 tiles in face order: `b` is the first operand of
/// the product, `a` the second. Phases one after the other, and in each of them
/// K 0-15 before K 16-31. Mantissa bits below the tenth of the operands are
/// ignored.
void matrixUnitMultiplyTiles(const float *b, const float *a, float *dst,
                             bool accumulate, const MatrixUnitMode &mode);

/// line[col] += the sum of weights[k] * face[k][col], for a face of 16x16 in
/// source A and 16 weights in source B.
void matrixUnitPoolFace(const float *face, const float *weights, float *line,
                        const MatrixUnitMode &mode);

/// dst[i] = or += a[i] * b[i], summed over the phases; `count` is a multiple of
/// 16. Elements that overflow in one phase stay infinite. The destination may
/// be an operand.
void matrixUnitMultiply(const float *a, const float *b, float *dst,
                        int64_t count, bool accumulate,
                        const MatrixUnitMode &mode);

/// dst[i] = or += a[i] + b[i], or a[i] - b[i]; the same holds.
void matrixUnitAdd(const float *a, const float *b, float *dst, int64_t count,
                   bool subtract, bool accumulate, const MatrixUnitMode &mode);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_MATRIX_UNIT_H
