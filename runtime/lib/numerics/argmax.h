// Positions of the greatest elements.
#ifndef TT_RUNTIME_NUMERICS_ARGMAX_H
#define TT_RUNTIME_NUMERICS_ARGMAX_H

#include "numerics/formats.h"

#include <cstdint>
#include <span>

namespace tt::runtime::numerics {

/// Index along `dim` (in [0, rank)) of the greatest element of a contiguous
/// row-major tensor of a plain `type`, for all other dimensions row-major to
/// `output`. The first of equal elements wins, and the first NaN wins over
/// everything, as numpy.argmax. Throws on a dimension without elements.
void argmax(DType type, const void *input, std::span<const int64_t> shape,
            int64_t dim, uint32_t *output);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_ARGMAX_H
