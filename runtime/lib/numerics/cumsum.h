// Running sums.
#ifndef TT_RUNTIME_NUMERICS_CUMSUM_H
#define TT_RUNTIME_NUMERICS_CUMSUM_H

#include "numerics/formats.h"

#include <cstdint>
#include <span>

namespace tt::runtime::numerics {

/// output[.., i, ..] = input[.., 0, ..] + ... + input[.., i, ..] along `dim`
/// (in [0, rank)) of a contiguous row-major tensor of a plain `type`. Floats
/// add up in f32 in ascending order and round once per element; integers wrap.
/// `output` may be `input`.
void cumsum(DType type, const void *input, std::span<const int64_t> shape,
            int64_t dim, void *output, Rounding rounding = Rounding::Fast);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_CUMSUM_H
