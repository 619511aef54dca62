#include "conversion/Frontend/Windows.h"

namespace mlir::tt::frontend {

/// What convolution and pooling call the same.
static SmallVector<NamedAttribute> sliding(GraphBuilder &graph,
                                           const Window &window) {
  return {graph.si32("stride_height", window.strideHeight),
          graph.si32("stride_width", window.strideWidth),
          graph.si32("dilation_height", window.dilationHeight),
          graph.si32("dilation_width", window.dilationWidth),
          graph.si32("padding_top", window.top),
          graph.si32("padding_bottom", window.bottom),
          graph.si32("padding_left", window.left),
          graph.si32("padding_right", window.right)};
}

Tensor conv2d(GraphBuilder &graph, Value input, Value weight, Value bias,
              RankedTensorType type, const Window &window) {
  SmallVector<NamedAttribute> attributes = sliding(graph, window);
  attributes.push_back(graph.si32("groups", window.groups));
  SmallVector<Value> inputs{input, weight};
  if (bias)
    inputs.push_back(bias);
  return graph.op("conv2d", inputs, type, attributes);
}

Tensor pool2d(GraphBuilder &graph, StringRef name, Value input,
              RankedTensorType type, const Window &window) {
  SmallVector<NamedAttribute> attributes = sliding(graph, window);
  attributes.push_back(graph.si32("kernel_height", window.kernelHeight));
  attributes.push_back(graph.si32("kernel_width", window.kernelWidth));
  OpBuilder &builder = graph.getBuilder();
  attributes.push_back(graph.attr("ceil_mode", builder.getBoolAttr(false)));
  if (name == "avg_pool2d")
    attributes.push_back(
        graph.attr("count_include_pad", builder.getBoolAttr(false)));
  return graph.op(name, input, type, attributes);
}

} // namespace mlir::tt::frontend
