// Convolutions, pooling and upsampling.
#include "kernels/upsample.h"
#include "ttnn/executor.h"

namespace tt::runtime::ttnn {

using kernels::DType;

namespace {

/// What both kinds of convolution take from a step.
template <typename Args> void setSizes(Args &args, const Conv2dStep &step) {
  args.batch = step.batch;
  args.inH = step.inHeight;
  args.inW = step.inWidth;
  args.inChannels = step.inChannels;
  args.outChannels = step.outChannels;
  args.groups = step.groups;
  args.window = step.window;
}

} // namespace

template <typename Args>
void Executor::convolve(const Conv2dStep &step, Args args,
                        void (*kernel)(const Args &)) {
  setSizes(args, step);
  // A wider result is rounded to its own format only.
  const DType type = computeType(step.in);
  const bool same =
      type == computeType(step.weight) && type == computeType(step.out);
  args.type = same ? type : DType::F32;
  const RowMajor input = read(step.in, args.type);
  const RowMajor weight = read(step.weight, args.type);
  const RowMajor bias = readOptional(step.bias);
  auto data = scratch(args.type, layoutOf(step.out).volume());
  args.input = input.data;
  args.weight = weight.data;
  args.bias = static_cast<const float *>(bias.data);
  args.output = data.get();
  kernel(args);
  write(step.out, {}, args.type, data);
}

void Executor::execute(const Conv2dStep &step) {
  convolve(step, kernels::Conv2dArgs(), kernels::conv2d);
}

void Executor::execute(const ConvTranspose2dStep &step) {
  kernels::ConvTranspose2dArgs args;
  args.outputPaddingH = step.outputPaddingH;
  args.outputPaddingW = step.outputPaddingW;
  convolve(step.conv, args, kernels::convTranspose2d);
}

void Executor::execute(const Pool2dStep &step) {
  const bool max = step.op == PoolOp::Max;
  const DType type = max ? computeType(step.in) : floatType(step.in, step.out);
  const RowMajor input = read(step.in, type);
  auto data = scratch(type, layoutOf(step.out).volume());
  if (max)
    kernels::maxPool2d(type, input.data, step.image, step.window, data.get());
  else
    kernels::avgPool2d(type, input.data, step.image, step.window,
                       step.countPadding, data.get());
  write(step.out, {}, type, data);
}

void Executor::execute(const UpsampleStep &step) {
  const auto &shape = operand(step.in)->layout.shape;
  const kernels::Image image{shape[0], shape[1], shape[2], shape[3]};
  const DType type =
      step.bilinear ? floatType(step.in, step.out) : computeType(step.in);
  const RowMajor input = read(step.in, type);
  auto data = scratch(type, layoutOf(step.out).volume());
  if (step.bilinear)
    kernels::upsampleBilinear(type, input.data, image, step.scaleH, step.scaleW,
                              data.get());
  else
    kernels::upsampleNearest(input.data, image, step.scaleH, step.scaleW,
                             kernels::elementSize(type), data.get());
  write(step.out, {}, type, data);
}

} // namespace tt::runtime::ttnn
