// Rules of the operations that compute along dimensions.
#include "common/step_checker.h"

#include <algorithm>
#include <limits>

namespace tt::runtime {

namespace {

using Shape = std::vector<std::int64_t>;

/// Bound of everything that a window says, so that no extent overflows.
constexpr std::int64_t kWindowLimit = 1 << 20;

void expectExtent(const char *what, std::int64_t least, std::int64_t found) {
  if (found < least || found > kWindowLimit)
    malformed("expected ", what, " from ", least, " to ", kWindowLimit,
              ", found ", found);
}

void checkWindow(const kernels::Window2d &w) {
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
kernels::Extent2d windowed(std::int64_t height, std::int64_t width,
                           const kernels::Window2d &w) {
  checkWindow(w);
  const kernels::Extent2d out{
      kernels::windowExtent(height, w.kernelH, w.strideH, w.dilationH, w.padTop,
                            w.padBottom, w.ceilMode),
      kernels::windowExtent(width, w.kernelW, w.strideW, w.dilationW, w.padLeft,
                            w.padRight, w.ceilMode)};
  if (out.height < 1 || out.width < 1)
    malformed("the window ", w.kernelH, "x", w.kernelW, " does not fit into ",
              height, "x", width);
  return out;
}

/// True if the result has whole tiles in the place of reduced inner dimensions.
bool keepsTiles(const Shape &in, const ReduceStep &step, const Shape &found) {
  if (found.size() != in.size() || step.shape.size() != in.size())
    return false;
  for (std::size_t d = 0; d < in.size(); ++d) {
    const bool reduced =
        step.dims.empty() ||
        std::count(step.dims.begin(), step.dims.end(), std::int64_t(d));
    const bool tile = reduced && d + 2 >= in.size() && found[d] == 32;
    if (found[d] != step.shape[d] && !tile)
      return false;
  }
  return true;
}

void checkGroups(const Conv2dStep &s) {
  if (s.groups < 1 || s.inChannels % s.groups || s.outChannels % s.groups)
    malformed("expected groups that divide ", s.inChannels, " and ",
              s.outChannels, " channels, found ", s.groups);
}

} // namespace

void StepChecker::expectImage(const char *field, ValueIndex value,
                              const Shape &nhwc) const {
  if (layout(value).volume() != boundedProduct(nhwc) ||
      layout(value).cols != nhwc.back())
    malformed("expected ", shapeString(nhwc), " (N, H, W, C) in field ", field,
              ", found ", shapeString(shape(value)));
}

void StepChecker::expectChannels(const char *field, OptionalValue value,
                                 std::int64_t channels) const {
  if (value &&
      (layout(*value).volume() != channels || layout(*value).cols != channels))
    malformed("expected ", channels, " elements in one row in field ", field,
              ", found ", shapeString(shape(*value)));
}

void StepChecker::operator()(const MatmulStep &s) const {
  const Shape expected = matmulShape(
      s.transposeA ? transposedShape("in0", shape(s.a)) : shape(s.a),
      s.transposeB ? transposedShape("in1", shape(s.b)) : shape(s.b));
  expectShape("out", expected, shape(s.out));
  // All floats or all integers.
  const auto expectKind = kernels::isInteger(layout(s.out).type)
                              ? &StepChecker::expectIntegers
                              : &StepChecker::expectFloats;
  (this->*expectKind)({s.a, s.b});
  if (!s.bias)
    return;
  (this->*expectKind)({*s.bias});
  if (broadcastShapes(shape(*s.bias), expected) != expected)
    malformed("expected a bias that broadcasts to ", shapeString(expected),
              ", found ", shapeString(shape(*s.bias)));
}

void StepChecker::operator()(const ReduceStep &s) const {
  if (!keepsTiles(shape(s.in), s, shape(s.out)))
    expectShape("out", s.shape, shape(s.out));
}

void StepChecker::operator()(const ArgmaxStep &s) const {
  expectIntegers({s.out});
  Shape dims;
  if (s.dim)
    dims.push_back(*s.dim);
  const Shape expected = reducedShape(shape(s.in), dims, s.keepDim);
  // The index of a whole tensor may be a scalar or keep one dimension.
  if (!expected.empty() || shape(s.out) != Shape{1})
    expectShape("out", expected, shape(s.out));
}

void StepChecker::operator()(const CumsumStep &s) const {
  expectShape("out", shape(s.in), shape(s.out));
}

void StepChecker::operator()(const SoftmaxStep &s) const {
  expectShape("out", shape(s.in), shape(s.out));
}

void StepChecker::operator()(const NormStep &s) const {
  const Shape &in = shape(s.in), &norm = s.normalizedShape;
  if (norm.empty() || norm.size() > in.size() ||
      !std::equal(norm.rbegin(), norm.rend(), in.rbegin()))
    malformed("expected the innermost extents of ", shapeString(in),
              " in field normalized_shape, found ", shapeString(norm));
  const auto expectNormalized = [&](const char *field, OptionalValue value) {
    if (value && withoutLeadingOnes(shape(*value)) != withoutLeadingOnes(norm))
      expectShape(field, norm, shape(*value));
  };
  expectNormalized("weight", s.weight);
  expectNormalized("bias", s.bias);
  expectShape("out", in, shape(s.out));
}

void StepChecker::checkConvolution(const Conv2dStep &s, const Shape &weight,
                                   std::int64_t outHeight,
                                   std::int64_t outWidth) const {
  expectImage("input", s.in, {s.batch, s.inHeight, s.inWidth, s.inChannels});
  expectImage("out", s.out, {s.batch, outHeight, outWidth, s.outChannels});
  expectShape("weight", weight, shape(s.weight));
  expectChannels("bias", s.bias, s.outChannels);
  expectFloats({s.in, s.weight, s.out});
}

void StepChecker::operator()(const Conv2dStep &s) const {
  checkGroups(s);
  const kernels::Extent2d out = windowed(s.inHeight, s.inWidth, s.window);
  checkConvolution(s,
                   {s.outChannels, s.inChannels / s.groups, s.window.kernelH,
                    s.window.kernelW},
                   out.height, out.width);
}

void StepChecker::operator()(const ConvTranspose2dStep &s) const {
  const Conv2dStep &c = s.conv;
  const kernels::Window2d &w = c.window;
  checkGroups(c);
  checkWindow(w);
  expectExtent("an output padding", 0, s.outputPaddingH);
  expectExtent("an output padding", 0, s.outputPaddingW);
  const std::int64_t height = kernels::convTransposeExtent(
      c.inHeight, w.kernelH, w.strideH, w.dilationH, w.padTop, w.padBottom,
      s.outputPaddingH);
  const std::int64_t width =
      kernels::convTransposeExtent(c.inWidth, w.kernelW, w.strideW, w.dilationW,
                                   w.padLeft, w.padRight, s.outputPaddingW);
  if (height < 1 || width < 1)
    malformed("expected a padding that leaves an output, found ", height, "x",
              width);
  checkConvolution(
      c, {c.inChannels, c.outChannels / c.groups, w.kernelH, w.kernelW}, height,
      width);
}

void StepChecker::operator()(const Pool2dStep &s) const {
  const kernels::Image &i = s.image;
  const kernels::Extent2d out = windowed(i.height, i.width, s.window);
  expectImage("in", s.in, {i.batch, i.height, i.width, i.channels});
  expectImage("out", s.out, {i.batch, out.height, out.width, i.channels});
}

void StepChecker::operator()(const UpsampleStep &s) const {
  const Shape &in = shape(s.in);
  if (in.size() != 4)
    malformed("expected (N, H, W, C) in field in, found ", shapeString(in));
  expectExtent("a scale factor", 1, s.scaleH);
  expectExtent("a scale factor", 1, s.scaleW);
  expectShape("out", {in[0], in[1] * s.scaleH, in[2] * s.scaleW, in[3]},
              shape(s.out));
}

} // namespace tt::runtime
