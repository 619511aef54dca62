// Running products, maxima and minima.
#ifndef TT_RUNTIME_NUMERICS_SCAN_H
#define TT_RUNTIME_NUMERICS_SCAN_H

#include "numerics/formats.h"

#include <cstdint>
#include <span>

namespace tt::runtime::numerics {

enum class ScanOp : uint8_t { Prod, Max, Min };

/// output[.., i, ..] combines input[.., 0, ..] to input[.., i, ..] along `dim`
/// (in [0, rank)) of a contiguous row-major tensor of a plain `type`, in
/// ascending order. Floats are combined in f32 and rounded once per element,
/// and NaN stays; integers wrap. `output` may be `input`.
void scan(ScanOp op, DType type, const void *input,
          std::span<const int64_t> shape, int64_t dim, void *output,
          Rounding rounding = Rounding::Fast);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_SCAN_H
