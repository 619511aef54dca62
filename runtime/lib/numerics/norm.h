// Layer norm and RMS norm over the inner dimensions.
#ifndef TT_RUNTIME_NUMERICS_NORM_H
#define TT_RUNTIME_NUMERICS_NORM_H

#include "numerics/formats.h"

#include <cstdint>

namespace tt::runtime::numerics {

/// `rows` rows of `n` elements of F32, F16 or BF16, and the n f32 factors and
/// summands that follow the normalization, or null.
struct NormArgs {
  DType type = DType::F32;
  const void *input = nullptr;
  int64_t rows = 0, n = 0;
  const float *weight = nullptr;
  const float *bias = nullptr;
  float epsilon = 0;
  void *output = nullptr; // may be `input`
  Rounding rounding = Rounding::Fast;
};

/// (x - mean) / sqrt(variance + epsilon) * weight + bias, the variance being
/// the mean of (x - mean)^2. Two passes in f32, on a row brought to a middle
/// magnitude by a power of two where its squares would leave the range; rounded
/// once. A row with NaN or infinity is NaN.
void layerNorm(const NormArgs &args);

/// x / sqrt(mean of x^2 + epsilon) * weight + bias, likewise. Next to an
/// infinity, which becomes NaN, finite elements become 0.
void rmsNorm(const NormArgs &args);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_NORM_H
