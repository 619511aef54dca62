// Operations along dimensions: reductions, running sums, norms.
#include "kernels/argmax.h"
#include "kernels/cumsum.h"
#include "kernels/norm.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"
#include "kernels/transform.h"
#include "ttnn/executor.h"

namespace tt::runtime::ttnn {

using kernels::DType;

void Executor::execute(const ReduceStep &step) {
  const Layout &in = operand(step.in)->layout;
  const DType type = commonType({in.type}, layoutOf(step.out).type);
  const RowMajor source = read(step.in, type);
  const std::vector<std::int64_t> &shape = layoutOf(step.out).shape;
  auto data = scratch(type, layoutOf(step.out).volume());
  kernels::reduce(step.op, type, source.data, in.shape, step.dims, data.get());
  if (shape != step.shape) {
    std::vector<std::int64_t> low(shape.size(), 0), high(shape);
    for (std::size_t d = 0; d < shape.size(); ++d)
      high[d] -= step.shape[d];
    const std::uint64_t zero = 0;
    auto padded = scratch(type, layoutOf(step.out).volume());
    kernels::pad(data.get(), step.shape, low, high, &zero,
                 kernels::elementSize(type), padded.get());
    data = std::move(padded);
  }
  write(step.out, {}, type, data);
}

void Executor::execute(const ArgmaxStep &step) {
  const Layout &in = operand(step.in)->layout;
  const DType type = computeType(step.in);
  const RowMajor source = read(step.in, type);
  auto data = scratch(DType::U32, layoutOf(step.out).volume());
  const std::vector<std::int64_t> flat = {in.volume()};
  kernels::argmax(type, source.data, step.dim ? in.shape : flat,
                  step.dim.value_or(0),
                  static_cast<std::uint32_t *>(data.get()));
  write(step.out, {}, DType::U32, data);
}

void Executor::execute(const CumsumStep &step) {
  const Layout &in = operand(step.in)->layout;
  const DType type = commonType({in.type}, layoutOf(step.out).type);
  const RowMajor source = read(step.in, type);
  auto data = scratch(type, in.volume());
  kernels::cumsum(type, source.data, in.shape, step.dim, data.get());
  write(step.out, {}, type, data);
}

void Executor::execute(const SoftmaxStep &step) {
  const Layout &in = operand(step.in)->layout;
  const DType type = floatType(step.in, step.out);
  const RowMajor source = read(step.in, type);
  auto data = scratch(type, in.volume());
  kernels::softmax(type, source.data, in.shape, step.dim, data.get());
  write(step.out, {}, type, data);
}

void Executor::execute(const NormStep &step) {
  const Layout &in = operand(step.in)->layout;
  const RowMajor source = read(step.in, floatType(step.in, step.out));
  const RowMajor weight = readOptional(step.weight);
  const RowMajor bias = readOptional(step.bias);
  auto data = scratch(source.type, in.volume());
  kernels::NormArgs args;
  args.type = source.type;
  args.input = source.data;
  args.n = 1;
  for (std::int64_t extent : step.normalizedShape)
    args.n *= extent;
  args.rows = in.volume() / args.n;
  args.weight = static_cast<const float *>(weight.data);
  args.bias = static_cast<const float *>(bias.data);
  args.epsilon = step.epsilon;
  args.output = data.get();
  (step.rms ? kernels::rmsNorm : kernels::layerNorm)(args);
  write(step.out, {}, source.type, data);
}

} // namespace tt::runtime::ttnn
