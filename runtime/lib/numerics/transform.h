// Data movement on row-major tensors; elements are opaque bytes of 1, 2, 4
// or 8.
#ifndef TT_RUNTIME_NUMERICS_TRANSFORM_H
#define TT_RUNTIME_NUMERICS_TRANSFORM_H

#include "numerics/formats.h"

#include <cstdint>
#include <span>

namespace tt::runtime::numerics {

/// output dimension i is input dimension permutation[i], as numpy.transpose.
/// Both are contiguous. Throws unless `permutation` is one of 0..rank-1.
void permute(const void *input, std::span<const int64_t> shape,
             std::span<const int64_t> permutation, int64_t elementBytes,
             void *output);

/// Swaps two dimensions.
void transpose(const void *input, std::span<const int64_t> shape, int64_t dim0,
               int64_t dim1, int64_t elementBytes, void *output);

/// Joins contiguous inputs along `dim`. `shapes[i]` agree in all other
/// dimensions.
void concat(std::span<const void *const> inputs,
            std::span<const std::span<const int64_t>> shapes, int64_t dim,
            int64_t elementBytes, void *output);

/// output[i...] = input[begin + i * step...]; step >= 1, and the ranges
/// [begin, end) lie in the shape. Output extents are ceil((end-begin)/step).
void slice(const void *input, std::span<const int64_t> shape,
           std::span<const int64_t> begin, std::span<const int64_t> end,
           std::span<const int64_t> step, int64_t elementBytes, void *output);

/// Surrounds the input with `low[d]` and `high[d]` (>= 0) elements per
/// dimension, each a copy of the element at `value`.
void pad(const void *input, std::span<const int64_t> shape,
         std::span<const int64_t> low, std::span<const int64_t> high,
         const void *value, int64_t elementBytes, void *output);

/// Contiguous `shape` repeated to the contiguous `resultShape` (NumPy rules).
void broadcastTo(const void *input, std::span<const int64_t> shape,
                 std::span<const int64_t> resultShape, int64_t elementBytes,
                 void *output);

/// output dimension d is input dimension d repeated repeats[d] times, as
/// numpy.tile.
void repeat(const void *input, std::span<const int64_t> shape,
            std::span<const int64_t> repeats, int64_t elementBytes,
            void *output);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_TRANSFORM_H
