// Order of elements.
#ifndef TT_RUNTIME_NUMERICS_SORT_H
#define TT_RUNTIME_NUMERICS_SORT_H

#include "numerics/formats.h"

#include <cstdint>
#include <span>

namespace tt::runtime::numerics {

/// For each line along `dim` (in [0, rank)) of a contiguous row-major tensor of
/// a plain `type` the places of its elements in ascending or descending order,
/// row-major in the tensor's shape; equal elements in the order of their
/// places. -0 and 0 are equal; NaNs are equal, and greater than all numbers.
void argsort(DType type, const void *input, std::span<const int64_t> shape,
             int64_t dim, bool descending, uint32_t *output);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_SORT_H
