// How many windows there are along one axis: what the fields of a convolution
// or of pooling mean, for the compiler, for the verifier of files and for
// kernels. All units are elements.
#ifndef TTMLIR_WINDOWS_H
#define TTMLIR_WINDOWS_H

#include <cstdint>

namespace ttmlir {

/// The output extent of a convolution or of pooling; 0 when the window does not
/// fit. In ceil mode a last window that would begin in the far padding is
/// dropped.
inline std::int64_t getWindowExtent(std::int64_t input, std::int64_t kernel,
                                    std::int64_t stride, std::int64_t dilation,
                                    std::int64_t padLow, std::int64_t padHigh,
                                    bool ceilMode) {
  std::int64_t room = input + padLow + padHigh - dilation * (kernel - 1) - 1;
  if (room < 0)
    return 0;
  std::int64_t extent = (room + (ceilMode ? stride - 1 : 0)) / stride + 1;
  if (ceilMode && (extent - 1) * stride >= input + padLow)
    --extent;
  return extent;
}

/// The output extent of a transposed convolution, whose padding is cut off the
/// output; below 1 when the padding cuts off everything.
constexpr std::int64_t
getTransposedExtent(std::int64_t input, std::int64_t kernel,
                    std::int64_t stride, std::int64_t dilation,
                    std::int64_t padLow, std::int64_t padHigh,
                    std::int64_t outputPadding) {
  return (input - 1) * stride + dilation * (kernel - 1) + 1 - padLow - padHigh +
         outputPadding;
}

} // namespace ttmlir

#endif // TTMLIR_WINDOWS_H
