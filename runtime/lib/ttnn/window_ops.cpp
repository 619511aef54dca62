// Convolution and pooling.
#include "kernels/window.h"
#include "ttnn/executor.h"

namespace tt::runtime::ttnn {

using kernels::DType;

void Executor::execute(const Conv2dStep &step) {
  DType type = computeType(step.in);
  if (computeType(step.weight) != type)
    type = DType::F32;
  const RowMajor input = read(step.in, type);
  const RowMajor weight = read(step.weight, type);
  RowMajor bias;
  if (step.bias >= 0)
    bias = read(ValueIndex(step.bias), DType::F32);
  auto data = scratch(type, layoutOf(step.out).volume());
  kernels::Conv2dArgs args;
  args.batch = step.batch;
  args.inH = step.inHeight;
  args.inW = step.inWidth;
  args.inChannels = step.inChannels;
  args.outChannels = step.outChannels;
  args.groups = step.groups;
  args.window = step.window;
  args.type = type;
  args.input = input.data;
  args.weight = weight.data;
  args.bias = static_cast<const float *>(bias.data);
  args.output = data.get();
  kernels::conv2d(args);
  write(step.out, {}, type, data);
}

void Executor::execute(const MaxPool2dStep &step) {
  const DType type = computeType(step.in);
  const RowMajor input = read(step.in, type);
  auto data = scratch(type, layoutOf(step.out).volume());
  kernels::maxPool2d(type, input.data, step.batch, step.height, step.width,
                     step.channels, step.window, data.get());
  write(step.out, {}, type, data);
}

} // namespace tt::runtime::ttnn
