#ifndef CONVERSION_FRONTEND_WINDOWS_H
#define CONVERSION_FRONTEND_WINDOWS_H

#include "dialects/TTIR/GraphBuilder.h"

namespace mlir::tt::frontend {

using namespace graph;

/// How a window slides over the height and width of a tensor (N, H, W, C).
struct Window {
  int64_t kernelHeight = 1, kernelWidth = 1;
  int64_t strideHeight = 1, strideWidth = 1;
  int64_t dilationHeight = 1, dilationWidth = 1;
  int64_t top = 0, bottom = 0, left = 0, right = 0;
  int64_t groups = 1;
};

/// `ttir.conv2d` of `input` (N, H, W, C) with `weight` (O, C / groups, KH, KW)
/// and, unless it is null, `bias` (1, 1, 1, O).
Tensor conv2d(GraphBuilder &graph, Value input, Value weight, Value bias,
              RankedTensorType type, const Window &window);

/// `ttir.max_pool2d`, or `ttir.avg_pool2d` that counts no padding.
Tensor pool2d(GraphBuilder &graph, StringRef name, Value input,
              RankedTensorType type, const Window &window);

/// How a window slides over some dimensions, an entry for each.
struct Slides {
  SmallVector<int64_t> kernel, stride, dilation;
};

/// `ttir.convolution` of `input` (N, D..., C) with `weight` (O, C / groups,
/// K...).
Tensor convolution(GraphBuilder &graph, Value input, Value weight,
                   RankedTensorType type, const Slides &slides, int64_t groups);

/// `ttir.reduce_window` of `input` (N, D..., C) by `kind`.
Tensor reduceWindow(GraphBuilder &graph, StringRef kind, Value input,
                    RankedTensorType type, const Slides &slides);

} // namespace mlir::tt::frontend

#endif
