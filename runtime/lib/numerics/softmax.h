// Numerically stable softmax along one dimension.
#ifndef TT_RUNTIME_NUMERICS_SOFTMAX_H
#define TT_RUNTIME_NUMERICS_SOFTMAX_H

#include "numerics/formats.h"

#include <cstdint>
#include <span>

namespace tt::runtime::numerics {

/// exp(x - max) / sum(exp(x - max)) along `dim` (in [0, rank)) of a contiguous
/// row-major tensor of F32, F16 or BF16; computed in f32, rounded once.
/// `output` may be `input`. A line with NaN or +infinity is NaN.
void softmax(DType type, const void *input, std::span<const int64_t> shape,
             int64_t dim, void *output, Rounding rounding = Rounding::Fast);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_SOFTMAX_H
