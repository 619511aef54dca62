#include "dialects/Shapes/ShapeRules.h"

#include "dialects/TT/Bounds.h"
#include "ttmlir/Windows.h"

namespace mlir::tt::shapes {

std::pair<int64_t, int64_t> getWindowExtents(const Window &window,
                                             int64_t height, int64_t width) {
  return {::ttmlir::getWindowExtent(height, window.kernelHeight,
                                    window.strideHeight, window.dilationHeight,
                                    window.paddingTop, window.paddingBottom,
                                    window.ceilMode),
          ::ttmlir::getWindowExtent(width, window.kernelWidth,
                                    window.strideWidth, window.dilationWidth,
                                    window.paddingLeft, window.paddingRight,
                                    window.ceilMode)};
}

static LogicalResult expectAtLeast(Operation *op, StringRef name,
                                   int64_t minimum, ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (value < minimum)
      return op->emitOpError(name)
             << (minimum ? " must be positive" : " must not be negative")
             << ": found " << value;
  return success();
}

LogicalResult verifyWindow(Operation *op, const Window &window) {
  return success(
      succeeded(expectAtLeast(op, "kernel", 1,
                              {window.kernelHeight, window.kernelWidth})) &&
      succeeded(expectAtLeast(op, "stride", 1,
                              {window.strideHeight, window.strideWidth})) &&
      succeeded(expectAtLeast(op, "dilation", 1,
                              {window.dilationHeight, window.dilationWidth})) &&
      succeeded(expectAtLeast(op, "padding", 0,
                              {window.paddingTop, window.paddingLeft,
                               window.paddingBottom, window.paddingRight})));
}

FailureOr<Shape> inferUnfold(Operation *op, RankedTensorType input,
                             int64_t channels, ArrayRef<int32_t> kernel,
                             ArrayRef<int32_t> stride,
                             ArrayRef<int32_t> dilation) {
  if (input.getRank() != 3)
    return op->emitOpError("Input must be a 3D tensor (N, H, W * C)")
           << ": found rank " << input.getRank();
  for (auto [name, values] :
       {std::pair<StringRef, ArrayRef<int32_t>>{"kernel", kernel},
        {"stride", stride},
        {"dilation", dilation}})
    if (values.size() != 2)
      return op->emitOpError(name)
             << " must have 2 entries: found " << values.size();
  Window window{kernel[0],   kernel[1], stride[0], stride[1], dilation[0],
                dilation[1], 0,         0,         0,         0};
  if (failed(verifyWindow(op, window)) ||
      failed(expectAtLeast(op, "channels", 1, {channels})))
    return failure();
  ArrayRef<int64_t> shape = input.getShape();
  if (shape[2] % channels != 0)
    return op->emitOpError("channels must divide the rows of the images: found "
                           "rows of ")
           << shape[2] << " and " << channels << " channels";
  auto [height, width] =
      getWindowExtents(window, shape[1], shape[2] / channels);
  if (height <= 0 || width <= 0)
    return op->emitOpError("the window does not fit into the input ")
           << toString(shape) << ": expected a positive output, found "
           << height << "x" << width;
  return Shape{saturatedVolume({shape[0], height, width}),
               saturatedVolume({kernel[0], kernel[1], channels})};
}

FailureOr<Shape> inferPrepareConv2dWeights(Operation *op,
                                           RankedTensorType weight) {
  if (weight.getRank() != 4)
    return op->emitOpError("Weight must be a 4D tensor")
           << ": found rank " << weight.getRank();
  ArrayRef<int64_t> shape = weight.getShape();
  return Shape{1, 1, saturatedVolume(shape.drop_front()), shape.front()};
}

RankedTensorType getPlainWeight(RankedTensorType prepared, int64_t channels,
                                ArrayRef<int64_t> kernel) {
  if (prepared.getRank() != 4)
    return {};
  int64_t filters = prepared.getDimSize(3);
  if (prepared.getShape() !=
      ArrayRef<int64_t>{1, 1, saturatedVolume({kernel[0], kernel[1], channels}),
                        filters})
    return {};
  return RankedTensorType::get({filters, channels, kernel[0], kernel[1]},
                               prepared.getElementType());
}

/// Ranks of a convolution's tensors, and its channels: the weight of a
/// transposed one has those of the input first. Returns those of the output,
/// which the weight decides on where `output` is null.
static FailureOr<int64_t>
inferConvChannels(Operation *op, RankedTensorType output,
                  RankedTensorType input, RankedTensorType weight,
                  RankedTensorType bias, int64_t groups, bool transposed) {
  if (input.getRank() < 3)
    return op->emitOpError("Input must be at least a 3D tensor")
           << ": found rank " << input.getRank();
  if (weight.getRank() != 4)
    return op->emitOpError("Weight must be a 4D tensor")
           << ": found rank " << weight.getRank();
  if (bias && bias.getRank() != 4)
    return op->emitOpError("Bias must be a 4D tensor")
           << ": found rank " << bias.getRank();
  if (output && output.getRank() != input.getRank())
    return op->emitOpError("Input and output must both be (N, H, W, C) or (H, "
                           "W, C): found ")
           << toString(input.getShape()) << " and "
           << toString(output.getShape());
  if (input.getRank() > 4)
    return op->emitOpError("Input must be (N, H, W, C) or (H, W, C): found ")
           << toString(input.getShape());
  if (failed(expectAtLeast(op, "groups", 1, {groups})))
    return failure();
  int64_t in = input.getShape().back();
  int64_t out = output       ? output.getShape().back()
                : transposed ? saturatedVolume({weight.getDimSize(1), groups})
                             : weight.getDimSize(0);
  if (in % groups || out % groups)
    return op->emitOpError("groups must divide the channels of input and "
                           "output: found ")
           << groups << " groups, " << in << " and " << out << " channels";
  std::pair<int64_t, int64_t> expected =
      transposed ? std::pair(in, out / groups) : std::pair(out, in / groups);
  if (weight.getDimSize(0) != expected.first ||
      weight.getDimSize(1) != expected.second)
    return op->emitOpError("Weight must have the channels of input and output: "
                           "expected ")
           << expected.first << "x" << expected.second << "xKHxKW, found "
           << toString(weight.getShape());
  if (bias && bias.getShape() != ArrayRef<int64_t>{1, 1, 1, out})
    return op->emitOpError("Bias must only have data on the final dimenstion")
           << ": expected 1x1x1x" << out << ", found "
           << toString(bias.getShape());
  return out;
}

/// The shape (.., H, W, C) of an image of `height` x `width`.
static FailureOr<Shape> inferImage(Operation *op, RankedTensorType input,
                                   std::pair<int64_t, int64_t> extents,
                                   int64_t channels) {
  auto [height, width] = extents;
  if (height <= 0 || width <= 0)
    return op->emitOpError("the window does not fit into the input ")
           << toString(input.getShape()) << ": expected a positive output, "
           << "found " << height << "x" << width;
  Shape shape(input.getShape().drop_back(3));
  shape.append({height, width, channels});
  return shape;
}

/// `output` may be null.
static FailureOr<Shape> inferConv2d(Operation *op, RankedTensorType output,
                                    RankedTensorType input,
                                    RankedTensorType weight,
                                    RankedTensorType bias, const Window &window,
                                    int64_t groups) {
  FailureOr<int64_t> channels =
      inferConvChannels(op, output, input, weight, bias, groups,
                        /*transposed=*/false);
  if (failed(channels) || failed(verifyWindow(op, window)))
    return failure();
  ArrayRef<int64_t> image = input.getShape().take_back(3);
  return inferImage(op, input, getWindowExtents(window, image[0], image[1]),
                    *channels);
}

FailureOr<Shape> inferConv2d(Operation *op, RankedTensorType input,
                             RankedTensorType weight, RankedTensorType bias,
                             const Window &window, int64_t groups) {
  return inferConv2d(op, {}, input, weight, bias, window, groups);
}

LogicalResult verifyConv2d(Operation *op, RankedTensorType output,
                           RankedTensorType input, RankedTensorType weight,
                           RankedTensorType bias, const Window &window,
                           int64_t groups) {
  if (failed(expectShape(
          op, inferConv2d(op, output, input, weight, bias, window, groups),
          output)))
    return failure();
  return verifyOneKind(op, {input, weight, bias}, output);
}

/// `output` may be null.
static FailureOr<Shape>
inferConvTranspose2d(Operation *op, RankedTensorType output,
                     RankedTensorType input, RankedTensorType weight,
                     RankedTensorType bias, const TransposedWindow &transposed,
                     int64_t groups) {
  const auto &[stride, padding, outputPadding, dilation] = transposed;
  for (auto [name, values, expected] :
       {std::tuple<StringRef, ArrayRef<int32_t>, size_t>{"stride", stride, 2},
        {"padding", padding, 4},
        {"output_padding", outputPadding, 2},
        {"dilation", dilation, 2}})
    if (values.size() != expected)
      return op->emitOpError(name) << " must have " << expected
                                   << " entries: found " << values.size();
  if (input.getRank() != 4)
    return op->emitOpError("Input must be a 4D tensor")
           << ": found rank " << input.getRank();
  FailureOr<int64_t> channels =
      inferConvChannels(op, output, input, weight, bias, groups,
                        /*transposed=*/true);
  if (failed(channels))
    return failure();
  Window window{weight.getDimSize(2),
                weight.getDimSize(3),
                stride[0],
                stride[1],
                dilation[0],
                dilation[1],
                padding[0],
                padding[1],
                padding[2],
                padding[3]};
  if (failed(verifyWindow(op, window)) ||
      failed(expectAtLeast(op, "output_padding", 0,
                           {outputPadding[0], outputPadding[1]})))
    return failure();
  int64_t height = ::ttmlir::getTransposedExtent(
      input.getDimSize(1), window.kernelHeight, stride[0], dilation[0],
      padding[0], padding[2], outputPadding[0]);
  int64_t width = ::ttmlir::getTransposedExtent(
      input.getDimSize(2), window.kernelWidth, stride[1], dilation[1],
      padding[1], padding[3], outputPadding[1]);
  return inferImage(op, input, {height, width}, *channels);
}

FailureOr<Shape> inferConvTranspose2d(Operation *op, RankedTensorType input,
                                      RankedTensorType weight,
                                      RankedTensorType bias,
                                      const TransposedWindow &window,
                                      int64_t groups) {
  return inferConvTranspose2d(op, {}, input, weight, bias, window, groups);
}

LogicalResult verifyConvTranspose2d(Operation *op, RankedTensorType output,
                                    RankedTensorType input,
                                    RankedTensorType weight,
                                    RankedTensorType bias,
                                    const TransposedWindow &window,
                                    int64_t groups) {
  if (failed(expectShape(
          op,
          inferConvTranspose2d(op, output, input, weight, bias, window, groups),
          output)))
    return failure();
  return verifyOneKind(op, {input, weight, bias}, output);
}

LogicalResult verifyPoolInputRank(Operation *op, RankedTensorType input) {
  if (input.getRank() == 4)
    return success();
  // The spelling is that of the documents' checks.
  InFlightDiagnostic error =
      op->emitOpError("Input tensor rank must be 4. Recieved input with rank ")
      << input.getRank() << ". Shape: (";
  llvm::interleaveComma(input.getShape(), error);
  return error << ").";
}

/// The kernel with its dilation is no longer than the input with its padding.
static LogicalResult expectKernelFits(Operation *op, StringRef side,
                                      int64_t kernel, int64_t dilation,
                                      int64_t extent, int64_t low,
                                      int64_t high) {
  if (dilation * (kernel - 1) + 1 <= extent + low + high)
    return success();
  StringRef name =
      op->getName().stripDialect() == "max_pool2d" ? "MaxPool2d" : "AvgPool2d";
  InFlightDiagnostic error = op->emitOpError("Kernel ")
                             << side << " " << kernel;
  if (dilation > 1)
    error << " with dilation " << dilation;
  error << " is greater than input " << side << " " << extent;
  if (low + high > 0)
    error << " with padding " << low << " and " << high;
  return error << ". This " << name << " configuration is invalid.";
}

LogicalResult verifyPoolWindow(Operation *op, const Window &window,
                               int64_t height, int64_t width) {
  if (failed(verifyWindow(op, window)) ||
      failed(expectKernelFits(op, "height", window.kernelHeight,
                              window.dilationHeight, height, window.paddingTop,
                              window.paddingBottom)))
    return failure();
  return expectKernelFits(op, "width", window.kernelWidth, window.dilationWidth,
                          width, window.paddingLeft, window.paddingRight);
}

FailureOr<Shape> inferUpsample(Operation *op, RankedTensorType input,
                               ArrayRef<int32_t> scaleFactor, StringRef mode) {
  if (input.getRank() != 4)
    return op->emitOpError("Input must be a 4D tensor")
           << ": found rank " << input.getRank();
  if (scaleFactor.size() != 2)
    return op->emitOpError("scale_factor must be one number or two: found ")
           << scaleFactor.size();
  if (failed(expectAtLeast(op, "scale_factor", 1,
                           {scaleFactor[0], scaleFactor[1]})))
    return failure();
  if (mode != "nearest" && mode != "bilinear")
    return op->emitOpError("mode must be \"nearest\" or \"bilinear\": found \"")
           << mode << "\"";
  Shape shape(input.getShape());
  shape[1] *= scaleFactor[0];
  shape[2] *= scaleFactor[1];
  return shape;
}

} // namespace mlir::tt::shapes
