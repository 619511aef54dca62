// Pooling in NHWC.
#ifndef TT_RUNTIME_NUMERICS_POOL_H
#define TT_RUNTIME_NUMERICS_POOL_H

#include "numerics/window.h"

namespace tt::runtime::numerics {

/// N x H x W x C.
struct Image {
  int64_t batch = 0, height = 0, width = 0, channels = 0;
};

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

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_POOL_H
