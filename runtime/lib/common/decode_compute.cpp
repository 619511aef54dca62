// Tables that compute along dimensions: products, reductions, norms, windows.
#include "common/operations.h"

#include <algorithm>

namespace tt::runtime {

namespace fb = ::tt::target::ttnn;

namespace {

MatmulStep product(Decoder &d, ::tt::target::TensorRef const *in0,
                   ::tt::target::TensorRef const *in1,
                   ::tt::target::TensorRef const *bias,
                   ::tt::target::TensorRef const *out, bool transposeA,
                   bool transposeB) {
  const ValueIndex a = d.use(in0, "in0"), b = d.use(in1, "in1");
  const OptionalValue added = d.useOptional(bias, "bias");
  return {a, b, d.result(out), added, transposeA, transposeB};
}

template <typename Op> NormStep norm(Decoder &d, Op const *op, bool rms) {
  const ValueIndex in = d.use(op->input(), "input");
  const OptionalValue weight = d.useOptional(op->weight(), "weight");
  const OptionalValue bias = d.useOptional(op->bias(), "bias");
  return {rms,
          in,
          d.result(op->out()),
          weight,
          bias,
          readVector(op->normalized_shape(), "normalized_shape"),
          op->epsilon()};
}

/// The window of a table that has a field for each extent. Padding is the same
/// on both sides unless the table says otherwise.
template <typename Op> kernels::Window2d readWindow(Op const *op) {
  kernels::Window2d window;
  window.kernelH = op->kernel_height();
  window.kernelW = op->kernel_width();
  window.strideH = op->stride_height();
  window.strideW = op->stride_width();
  window.dilationH = op->dilation_height();
  window.dilationW = op->dilation_width();
  window.padTop = op->padding_height();
  window.padLeft = op->padding_width();
  window.padBottom = op->padding_bottom().value_or(op->padding_height());
  window.padRight = op->padding_right().value_or(op->padding_width());
  return window;
}

template <typename Op>
Pool2dStep pool(Decoder &d, Op const *op, PoolOp kind, bool countPadding) {
  const ValueIndex in = d.use(op->in(), "in");
  d.device(op->device());
  Pool2dStep step{
      kind,
      in,
      d.result(op->out()),
      {op->batch_size(), op->input_height(), op->input_width(), op->channels()},
      readWindow(op),
      countPadding};
  step.window.ceilMode = op->ceil_mode();
  return step;
}

template <typename Op>
Conv2dStep convolution(Decoder &d, Op const *op,
                       const kernels::Window2d &window) {
  const ValueIndex in = d.use(op->input(), "input");
  const ValueIndex weight = d.use(op->weight(), "weight");
  const OptionalValue bias = d.useOptional(op->bias(), "bias");
  d.device(op->device());
  return {in,
          weight,
          d.result(op->out()),
          bias,
          op->batch_size(),
          op->input_height(),
          op->input_width(),
          op->in_channels(),
          op->out_channels(),
          op->groups(),
          window};
}

/// A vector of `count` extents.
std::vector<std::int64_t>
readExtents(::flatbuffers::Vector<std::int32_t> const *vector,
            const char *field, std::size_t count) {
  auto values = readVector(vector, field);
  if (values.size() != count)
    malformed("expected ", count, " elements in field ", field, ", found ",
              values.size());
  return values;
}

} // namespace

Step decode(Decoder &d, fb::MatmulOp const *op) {
  return product(d, op->in0(), op->in1(), nullptr, op->out(), op->transpose_a(),
                 op->transpose_b());
}

Step decode(Decoder &d, fb::LinearOp const *op) {
  return product(d, op->in0(), op->in1(), op->bias(), op->out(),
                 op->transpose_a(), op->transpose_b());
}

Step decode(Decoder &d, fb::ReductionOp const *op) {
  struct Kind {
    kernels::ReduceOp op;
    const char *name;
  };
  static constexpr Kind kinds[] = {{kernels::ReduceOp::Sum, "reduction.sum"},
                                   {kernels::ReduceOp::Mean, "reduction.mean"},
                                   {kernels::ReduceOp::Max, "reduction.max"},
                                   {kernels::ReduceOp::Min, "reduction.min"},
                                   {kernels::ReduceOp::Prod, "reduction.prod"}};
  static_assert(std::size(kinds) == unsigned(fb::ReductionOpType::MAX) + 1);
  checkEnumerator("a reduction type", op->type());
  const Kind &kind = kinds[unsigned(op->type())];
  d.name = kind.name;
  const ValueIndex in = d.use(op->in(), "in");
  const ValueIndex out = d.result(op->out());
  const auto &shape = d.shape(in);
  ReduceStep step{kind.op, in, out, readVector(op->dim_arg(), "dim_arg"), {}};
  for (std::int64_t &dim : step.dims)
    dim = normalizeDim(dim, shape.size(), "dim_arg");
  std::sort(step.dims.begin(), step.dims.end());
  if (std::adjacent_find(step.dims.begin(), step.dims.end()) != step.dims.end())
    malformed("expected each dimension once in dim_arg");
  // As in the dialects any shape of that number of elements will do, and one
  // that keeps whole tiles whatever keep_dim says.
  step.shape = reducedShape(shape, step.dims, op->keep_dim());
  const auto kept = reducedShape(shape, step.dims, true);
  const Layout &result = d.layout(out);
  if (hostLayout(kept, result.type).volume() == result.volume())
    step.shape = result.shape;
  else if (result.shape.size() == kept.size())
    step.shape = kept;
  return step;
}

Step decode(Decoder &d, fb::ArgMaxOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  ArgmaxStep step{in, d.result(op->out()), std::nullopt, op->keep_dim()};
  if (op->dim())
    step.dim = normalizeDim(*op->dim(), d.shape(in).size(), "dim");
  return step;
}

Step decode(Decoder &d, fb::CumSumOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  const std::int64_t dim = normalizeDim(op->dim(), d.shape(in).size(), "dim");
  return CumsumStep{in, d.result(op->out()), dim};
}

Step decode(Decoder &d, fb::SoftmaxOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  const std::int64_t dim =
      normalizeDim(op->dimension(), d.shape(in).size(), "dimension");
  return SoftmaxStep{in, d.result(op->out()), dim};
}

Step decode(Decoder &d, fb::LayerNormOp const *op) {
  return norm(d, op, false);
}
Step decode(Decoder &d, fb::RMSNormOp const *op) { return norm(d, op, true); }

Step decode(Decoder &d, fb::Conv2dOp const *op) {
  return convolution(d, op, readWindow(op));
}

Step decode(Decoder &d, fb::ConvTranspose2dOp const *op) {
  const auto kernel = readExtents(op->kernel_size(), "kernel_size", 2);
  const auto stride = readExtents(op->stride(), "stride", 2);
  const auto padding = readExtents(op->padding(), "padding", 4);
  const auto more = readExtents(op->output_padding(), "output_padding", 2);
  const auto dilation = readExtents(op->dilation(), "dilation", 2);
  const kernels::Window2d window{
      kernel[0],  kernel[1],  stride[0],  stride[1],  dilation[0], dilation[1],
      padding[0], padding[1], padding[2], padding[3], false};
  return ConvTranspose2dStep{convolution(d, op, window), more[0], more[1]};
}

Step decode(Decoder &d, fb::MaxPool2dOp const *op) {
  return pool(d, op, PoolOp::Max, false);
}

Step decode(Decoder &d, fb::AvgPool2dOp const *op) {
  return pool(d, op, PoolOp::Average, op->count_include_pad());
}

Step decode(Decoder &d, fb::UpsampleOp const *op) {
  checkEnumerator("an upsample mode", op->mode());
  const auto scale = readExtents(op->scale_factor(), "scale_factor", 2);
  const ValueIndex in = d.use(op->in(), "in");
  return UpsampleStep{in, d.result(op->out()), scale[0], scale[1],
                      op->mode() == fb::UpsampleMode::Bilinear};
}

} // namespace tt::runtime
