// Convolutions in which each filter has one channel.
#ifndef TT_RUNTIME_NUMERICS_DEPTHWISE_H
#define TT_RUNTIME_NUMERICS_DEPTHWISE_H

#include "numerics/window.h"

namespace tt::runtime::numerics {

/// Whether depthwiseConv2d can compute it: as many groups as input and output
/// channels, of floats, with the weights in memory.
bool isDepthwise(const Conv2dArgs &args);

/// The same as conv2d's products of `out` pixels, bit for bit where these
/// accumulate in f32 one by one: every tap is multiplied and added for all
/// channels at once. False, with nothing done, if a weight is not finite: its
/// product with the padding is NaN.
bool depthwiseConv2d(const Conv2dArgs &args, const Extent2d &out);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_DEPTHWISE_H
