// Rules of convolutions, pooling and upsampling.
#include "ttnn/windows.h"
#include "ttmlir/Windows.h"
#include "ttnn/verifier/verifier.h"

#include <limits>

namespace tt::runtime::ttnn {

namespace {

using Shape = std::vector<std::int64_t>;

/// Bound of everything that a window says, so that no extent overflows.
constexpr std::int64_t kWindowLimit = 1 << 20;

void expectExtent(const char *what, std::int64_t least, std::int64_t found) {
  if (found < least || found > kWindowLimit)
    malformed("expected ", what, " from ", least, " to ", kWindowLimit,
              ", found ", found);
}

void checkWindow(const numerics::Window2d &w) {
  for (std::int64_t extent :
       {w.kernelH, w.kernelW, w.strideH, w.strideW, w.dilationH, w.dilationW})
    expectExtent("window extents", 1, extent);
  for (std::int64_t extent : {w.padTop, w.padLeft, w.padBottom, w.padRight})
    expectExtent("a padding", 0, extent);
}

/// Product of extents from the file, which a tensor's volume must equal; never
/// overflows.
std::int64_t boundedProduct(const Shape &factors) {
  std::int64_t product = 1;
  for (std::int64_t factor : factors) {
    if (factor < 1 ||
        factor > std::numeric_limits<std::int64_t>::max() / product)
      malformed("expected positive extents, found ", shapeString(factors));
    product *= factor;
  }
  return product;
}

/// Rows and columns that a window gives.
numerics::Extent2d windowed(std::int64_t height, std::int64_t width,
                            const numerics::Window2d &w) {
  checkWindow(w);
  const numerics::Extent2d out{
      ::ttmlir::getWindowExtent(height, w.kernelH, w.strideH, w.dilationH,
                                w.padTop, w.padBottom, w.ceilMode),
      ::ttmlir::getWindowExtent(width, w.kernelW, w.strideW, w.dilationW,
                                w.padLeft, w.padRight, w.ceilMode)};
  if (out.height < 1 || out.width < 1)
    malformed("the window ", w.kernelH, "x", w.kernelW, " does not fit into ",
              height, "x", width);
  return out;
}

template <typename Step> void checkGroups(const Step &s) {
  if (s.groups < 1 || s.inChannels % s.groups || s.outChannels % s.groups)
    malformed("expected groups that divide ", s.inChannels, " and ",
              s.outChannels, " channels, found ", s.groups);
}

} // namespace

void Verifier::expectImage(const char *field, ValueIndex value,
                           const Shape &nhwc) const {
  if (layout(value).volume() != boundedProduct(nhwc) ||
      layout(value).cols != nhwc.back())
    malformed("expected ", shapeString(nhwc), " (N, H, W, C) in field ", field,
              ", found ", shapeString(shape(value)));
}

void Verifier::expectChannels(const char *field, OptionalValue value,
                              std::int64_t channels) const {
  if (value &&
      (layout(*value).volume() != channels || layout(*value).cols != channels))
    malformed("expected ", channels, " elements in one row in field ", field,
              ", found ", shapeString(shape(*value)));
}

template <typename Step>
void Verifier::checkConvolution(const Step &s, const Shape &weight,
                                std::int64_t outHeight,
                                std::int64_t outWidth) const {
  expectImage("input", s.input,
              {s.batchSize, s.inputHeight, s.inputWidth, s.inChannels});
  expectImage("out", s.out, {s.batchSize, outHeight, outWidth, s.outChannels});
  expectShape("weight", weight, shape(s.weight));
  expectChannels("bias", s.bias, s.outChannels);
  // All floats or all integers.
  const auto expectKind = numerics::isInteger(layout(s.out).type)
                              ? &Verifier::expectIntegers
                              : &Verifier::expectFloats;
  (this->*expectKind)({s.input, s.weight});
  if (s.bias)
    (this->*expectKind)({*s.bias});
}

void Verifier::operator()(Conv2dStep &s) const {
  checkGroups(s);
  const numerics::Extent2d out =
      windowed(s.inputHeight, s.inputWidth, windowOf(s));
  checkConvolution(
      s, isPrepared(s, shape(s.weight)) ? preparedShape(s) : plainShape(s),
      out.height, out.width);
}

void Verifier::operator()(ConvTranspose2dStep &s) const {
  expectCount("kernel_size", 2, s.kernelSize);
  expectCount("stride", 2, s.stride);
  expectCount("padding", 4, s.padding);
  expectCount("output_padding", 2, s.outputPadding);
  expectCount("dilation", 2, s.dilation);
  const numerics::Window2d w = windowOf(s);
  checkGroups(s);
  checkWindow(w);
  for (std::int64_t extent : s.outputPadding)
    expectExtent("an output padding", 0, extent);
  const std::int64_t height = ::ttmlir::getTransposedExtent(
      s.inputHeight, w.kernelH, w.strideH, w.dilationH, w.padTop, w.padBottom,
      s.outputPadding[0]);
  const std::int64_t width = ::ttmlir::getTransposedExtent(
      s.inputWidth, w.kernelW, w.strideW, w.dilationW, w.padLeft, w.padRight,
      s.outputPadding[1]);
  if (height < 1 || width < 1)
    malformed("expected a padding that leaves an output, found ", height, "x",
              width);
  checkConvolution(
      s, {s.inChannels, s.outChannels / s.groups, w.kernelH, w.kernelW}, height,
      width);
}

template <typename Step> void Verifier::checkPool(const Step &s) const {
  const numerics::Extent2d out =
      windowed(s.inputHeight, s.inputWidth, windowOf(s));
  expectImage("in", s.in,
              {s.batchSize, s.inputHeight, s.inputWidth, s.channels});
  expectImage("out", s.out, {s.batchSize, out.height, out.width, s.channels});
}

void Verifier::operator()(MaxPool2dStep &s) const { checkPool(s); }

void Verifier::operator()(AvgPool2dStep &s) const { checkPool(s); }

void Verifier::operator()(PrepareConv2dWeightsStep &s) const {
  const Shape &in = shape(s.in);
  if (in.size() != 4)
    malformed("expected (O, C, KH, KW) in field in, found ", shapeString(in));
  expectShape("out", {1, 1, in[1] * in[2] * in[3], in[0]}, shape(s.out));
}

void Verifier::operator()(UnfoldStep &s) const {
  expectCount("kernel", 2, s.kernel);
  expectCount("stride", 2, s.stride);
  expectCount("dilation", 2, s.dilation);
  const Shape &in = shape(s.in);
  if (in.size() != 3)
    malformed("expected (N, H, W * C) in field in, found ", shapeString(in));
  if (s.channels < 1 || in[2] % s.channels)
    malformed("expected channels that divide rows of ", in[2], ", found ",
              s.channels);
  const numerics::Extent2d out =
      windowed(in[1], in[2] / s.channels, windowOf(s));
  expectShape("out",
              {boundedProduct({in[0], out.height, out.width}),
               boundedProduct({s.kernel[0], s.kernel[1], s.channels})},
              shape(s.out));
}

void Verifier::operator()(UpsampleStep &s) const {
  expectCount("scale_factor", 2, s.scaleFactor);
  for (std::int64_t factor : s.scaleFactor)
    expectExtent("a scale factor", 1, factor);
  const Shape &in = shape(s.in);
  if (in.size() != 4)
    malformed("expected (N, H, W, C) in field in, found ", shapeString(in));
  expectShape(
      "out", {in[0], in[1] * s.scaleFactor[0], in[2] * s.scaleFactor[1], in[3]},
      shape(s.out));
}

} // namespace tt::runtime::ttnn
