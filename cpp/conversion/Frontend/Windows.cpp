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

static NamedAttribute list(GraphBuilder &graph, StringRef name, Shape values) {
  return graph.attr(name, graph.getBuilder().getDenseI64ArrayAttr(values));
}

Tensor convolution(GraphBuilder &graph, Value input, Value weight,
                   RankedTensorType type, const Slides &slides,
                   int64_t groups) {
  int64_t count = slides.stride.size();
  SmallVector<int64_t> ones(count, 1), none(2 * count, 0), places;
  SmallVector<int64_t> weightPlaces = range(count + 2);
  places = {0, count + 1};
  for (int64_t dim = 1; dim <= count; ++dim)
    places.push_back(dim);
  OpBuilder &builder = graph.getBuilder();
  return graph.op("convolution", {input, weight}, type,
                  {list(graph, "stride", slides.stride),
                   list(graph, "padding", none),
                   list(graph, "input_dilation", ones),
                   list(graph, "weight_dilation", slides.dilation),
                   list(graph, "input_dims", places),
                   list(graph, "weight_dims", weightPlaces),
                   list(graph, "output_dims", places),
                   graph.attr("groups", builder.getI64IntegerAttr(groups)),
                   graph.attr("batch_groups", builder.getI64IntegerAttr(1))});
}

Tensor reduceWindow(GraphBuilder &graph, StringRef kind, Value input,
                    RankedTensorType type, const Slides &slides) {
  // Windows of one element along N and C.
  auto whole = [](Shape inner) {
    SmallVector<int64_t> all{1};
    llvm::append_range(all, inner);
    all.push_back(1);
    return all;
  };
  int64_t rank = type.getRank();
  SmallVector<int64_t> ones(rank, 1), none(2 * rank, 0);
  return graph.op("reduce_window", input, type,
                  {graph.attr("kind", graph.getBuilder().getStringAttr(kind)),
                   list(graph, "window", whole(slides.kernel)),
                   list(graph, "stride", whole(slides.stride)),
                   list(graph, "base_dilation", ones),
                   list(graph, "window_dilation", whole(slides.dilation)),
                   list(graph, "padding", none)});
}

} // namespace mlir::tt::frontend
