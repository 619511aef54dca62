// Pooling in NHWC.
#ifndef TT_RUNTIME_NUMERICS_POOL_H
#define TT_RUNTIME_NUMERICS_POOL_H

#include "numerics/window.h"

namespace tt::runtime::numerics {

/// Maximum over each window; padding never wins, NaN does. `input` is of a
/// plain `type`.
void maxPool2d(DType type, const void *input, const Image &image,
               const Window2d &window, void *output);

/// Mean over each window of F32, F16 or BF16: f32 sums row by row, rounded
/// once. The divisor counts the elements of the window that lie in the input,
/// and with `countPadding` those in the padding too, but never what ceil mode
/// adds beyond. A window that counts nothing gives NaN.
void avgPool2d(DType type, const void *input, const Image &image,
               const Window2d &window, bool countPadding, void *output,
               Rounding rounding = Rounding::Fast);

/// The divisor of the window that begins at row `y` and column `x` of an image.
int64_t countTaps(const Image &image, const Window2d &window, int64_t y,
                  int64_t x, bool countPadding);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_POOL_H
