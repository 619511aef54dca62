// Enlarging images by whole factors.
#ifndef TT_RUNTIME_NUMERICS_UPSAMPLE_H
#define TT_RUNTIME_NUMERICS_UPSAMPLE_H

#include "numerics/pool.h"

namespace tt::runtime::numerics {

/// Each pixel `scaleH` x `scaleW` times; elements of 1, 2 or 4 bytes.
void upsampleNearest(const void *input, const Image &image, int64_t scaleH,
                     int64_t scaleW, int64_t elementBytes, void *output);

/// Linear in both directions between pixel centres at (i + 1/2) * scale; beyond
/// the outer centres the edge continues. F32, F16 or BF16; computed in f32,
/// rows before columns, rounded once.
void upsampleBilinear(DType type, const void *input, const Image &image,
                      int64_t scaleH, int64_t scaleW, void *output,
                      Rounding rounding = Rounding::Fast);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_UPSAMPLE_H
