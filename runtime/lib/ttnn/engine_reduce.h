// Reductions, running sums and pooling on the engines of a core.
#ifndef TT_RUNTIME_TTNN_ENGINE_REDUCE_H
#define TT_RUNTIME_TTNN_ENGINE_REDUCE_H

#include "numerics/reduce.h"
#include "numerics/window.h"
#include "ttnn/tile_engine.h"

#include <span>

namespace tt::runtime::ttnn {

/// numerics::reduce. The pooling unit reduces over the last two dimensions, and
/// over others with them, tile by tile into one destination. Over others alone,
/// and for products, the vector engine joins one tile after the other. It also
/// divides a sum to a mean.
void engineReduce(const EngineArgs &args, numerics::ReduceOp op,
                  std::span<const std::int64_t> shape,
                  std::span<const std::int64_t> dims);

/// numerics::cumsum: the vector engine adds, and what it has so far is packed
/// to L1.
void engineCumSum(const EngineArgs &args, std::span<const std::int64_t> shape,
                  std::int64_t dim);

/// numerics::maxPool2d, avgPool2d: the pixels of a window are rows of tiles,
/// which the pooling unit reduces.
void engineMaxPool2d(const EngineArgs &args, const numerics::Image &image,
                     const numerics::Window2d &window);
void engineAvgPool2d(const EngineArgs &args, const numerics::Image &image,
                     const numerics::Window2d &window, bool countPadding);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_ENGINE_REDUCE_H
