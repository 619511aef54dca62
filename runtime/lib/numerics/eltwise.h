// Elementwise operations on contiguous and on strided, broadcast memory.
//
// Floats compute in f32 and round once to the storage type; integers compute as
// integers (unary minus and arithmetic wrap, division truncates, a division by
// zero gives 0). NaN, infinity and signed zeros come out as in NumPy; booleans
// are 1 and 0 in the data type. Only the rounding of f16 and bf16 results
// follows the packer (Rounding::Fast keeps IEEE NaN and infinity).
//
// Block floats: operands are tiles, `count` is a multiple of 1024; each tile is
// decoded to f32 and the result quantized again.
//
// Transcendental functions are own polynomials with no call into libm and
// without FMA contraction: the same bits on every machine and instruction set.
// exp, log, sigmoid and tanh are within 2 ulp of f32, add, subtract, multiply,
// div, sqrt and reciprocal correctly rounded, the others within a few ulp
// (see the table in isa/math.h).
//
// Data types: F32, F16, BF16, block floats, and the integers U8, U16, U32,
// I8, I16, I32. An operation
// that has no integer meaning (sqrt, exp, ...) computes integers through f32
// and converts back by truncation.
#ifndef TT_RUNTIME_NUMERICS_ELTWISE_H
#define TT_RUNTIME_NUMERICS_ELTWISE_H

#include "numerics/formats.h"
#include "numerics/functions.h"

#include <cstdint>
#include <span>

namespace tt::runtime::numerics {

/// Of LeakyRelu the slope, of Clamp the limits, of Selu scale and alpha.
struct UnaryParams {
  float a = 0.0f;
  float b = 0.0f;
};

/// out[i] = op(in[i]); `output` may be `input`.
void unary(UnaryOp op, DType type, const void *input, void *output,
           int64_t count, Rounding rounding = Rounding::Fast,
           UnaryParams params = {});

/// out[i] = op(a[i], b[i]); `output` may be `a` or `b`.
void binary(BinaryOp op, DType type, const void *a, const void *b, void *output,
            int64_t count, Rounding rounding = Rounding::Fast);

/// out[i] = op(a[i], b[0]), or op(b[0], a[i]) with `scalarFirst`. `b` points to
/// one element of a plain `type`.
void binaryScalar(BinaryOp op, DType type, const void *a, const void *b,
                  bool scalarFirst, void *output, int64_t count,
                  Rounding rounding = Rounding::Fast);

/// out[i] = condition[i] != 0 ? a[i] : b[i], all of one plain `type`.
void where(DType type, const void *condition, const void *a, const void *b,
           void *output, int64_t count);

/// Strides in elements, one per dimension of the result; 0 repeats a dimension.
struct StridedIn {
  const void *data = nullptr;
  std::span<const int64_t> strides;
};

/// Elementwise over an n-d `shape` with broadcast or strided operands of a
/// plain `type`; the output is contiguous row-major and must not overlap an
/// operand unless that operand is contiguous and of the full shape. Rank 0 is
/// one element.
void unaryStrided(UnaryOp op, DType type, std::span<const int64_t> shape,
                  StridedIn input, void *output,
                  Rounding rounding = Rounding::Fast, UnaryParams params = {});
void binaryStrided(BinaryOp op, DType type, std::span<const int64_t> shape,
                   StridedIn a, StridedIn b, void *output,
                   Rounding rounding = Rounding::Fast);
void whereStrided(DType type, std::span<const int64_t> shape,
                  StridedIn condition, StridedIn a, StridedIn b, void *output);

/// Writes broadcast strides for a contiguous operand of `shape` seen as
/// `resultShape` (NumPy rules, aligned at the right). Returns false if the
/// shapes do not broadcast. `strides` has resultShape.size() entries.
bool broadcastStrides(std::span<const int64_t> shape,
                      std::span<const int64_t> resultShape,
                      std::span<int64_t> strides);

/// `count` elements of a plain `type` set to `value` (integers truncate and
/// saturate).
void fill(DType type, float value, void *output, int64_t count,
          Rounding rounding = Rounding::Host);

/// 0, 1, 2, ... as start + i * step, computed in double (integers in int64).
void arange(DType type, double start, double step, void *output, int64_t count,
            Rounding rounding = Rounding::Host);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_ELTWISE_H
