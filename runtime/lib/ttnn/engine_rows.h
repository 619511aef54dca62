// Kernels of the library that keep a row of tiles in L1: softmax and norms on
// the engines of a core.
#ifndef TT_RUNTIME_TTNN_ENGINE_ROWS_H
#define TT_RUNTIME_TTNN_ENGINE_ROWS_H

#include "ttnn/tile_engine.h"

#include <span>

namespace tt::runtime::ttnn {

/// Softmax along `dim`. The pooling unit finds the maximum of a row and adds up
/// the exponentials, the matrix engine subtracts the one and multiplies with
/// the reciprocal of the other.
void engineSoftmax(const EngineArgs &args, std::span<const std::int64_t> shape,
                   std::int64_t dim);

/// What follows a norm for each column: n plain floats, or null.
struct NormParameter {
  numerics::DType type = numerics::DType::F32;
  const void *data = nullptr;
};
struct EngineNorm {
  std::int64_t rows = 0, n = 0;
  bool centered = false; // layer norm
  float epsilon = 0;
  NormParameter weight, bias;
};

/// Layer norm or RMS norm of rows. The pooling unit adds up, the vector engine
/// divides by n and makes the root, the matrix engine does the rest.
void engineNorm(const EngineArgs &args, const EngineNorm &norm);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_ENGINE_ROWS_H
