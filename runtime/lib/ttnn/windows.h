// The window of a convolution or of pooling as its kernel takes it.
#ifndef TT_RUNTIME_TTNN_WINDOWS_H
#define TT_RUNTIME_TTNN_WINDOWS_H

#include "numerics/pool.h"
#include "numerics/window.h"
#include "ttnn/program.h"

namespace tt::runtime::ttnn {

/// Of a table that has a field for each extent. Padding is the same on both
/// sides unless the table says otherwise.
template <typename Step> numerics::Window2d windowOf(const Step &s) {
  numerics::Window2d window;
  window.kernelH = s.kernelHeight;
  window.kernelW = s.kernelWidth;
  window.strideH = s.strideHeight;
  window.strideW = s.strideWidth;
  window.dilationH = s.dilationHeight;
  window.dilationW = s.dilationWidth;
  window.padTop = s.paddingHeight;
  window.padLeft = s.paddingWidth;
  window.padBottom = s.paddingBottom.value_or(s.paddingHeight);
  window.padRight = s.paddingRight.value_or(s.paddingWidth);
  if constexpr (requires { s.ceilMode; })
    window.ceilMode = s.ceilMode;
  return window;
}

inline numerics::Window2d windowOf(const ConvTranspose2dStep &s) {
  return {s.kernelSize[0], s.kernelSize[1], s.stride[0],  s.stride[1],
          s.dilation[0],   s.dilation[1],   s.padding[0], s.padding[1],
          s.padding[2],    s.padding[3],    false};
}

inline numerics::Window2d windowOf(const UnfoldStep &s) {
  return {s.kernel[0], s.kernel[1],   s.stride[0],
          s.stride[1], s.dilation[0], s.dilation[1]};
}

/// The shapes that the weight of a convolution may have: as it is, and in the
/// order of the product. They are equal where both are one column.
inline std::vector<std::int64_t> plainShape(const Conv2dStep &s) {
  return {s.outChannels, s.inChannels / s.groups, s.kernelHeight,
          s.kernelWidth};
}
inline std::vector<std::int64_t> preparedShape(const Conv2dStep &s) {
  return {1, 1, s.kernelHeight * s.kernelWidth * (s.inChannels / s.groups),
          s.outChannels};
}
inline bool isPrepared(const Conv2dStep &s,
                       const std::vector<std::int64_t> &weight) {
  return weight == preparedShape(s);
}

/// The input of a pooling.
template <typename Step> numerics::Image imageOf(const Step &s) {
  return {s.batchSize, s.inputHeight, s.inputWidth, s.channels};
}

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_WINDOWS_H
