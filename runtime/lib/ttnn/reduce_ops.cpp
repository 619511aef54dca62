// Operations along dimensions: reductions and softmax.
#include "kernels/reduce.h"
#include "kernels/softmax.h"
#include "kernels/transform.h"
#include "ttnn/executor.h"

namespace tt::runtime::ttnn {

using kernels::DType;

void Executor::execute(const ReduceStep &step) {
  const Layout &in = operand(step.in)->layout;
  // The result is computed in the wider of both types.
  const DType type = computeType(step.in) == computeType(step.out)
                         ? computeType(step.in)
                         : DType::F32;
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

void Executor::execute(const SoftmaxStep &step) {
  const Layout &in = operand(step.in)->layout;
  DType type = computeType(step.in);
  if (kernels::isInteger(type))
    type = DType::F32;
  const RowMajor source = read(step.in, type);
  auto data = scratch(type, in.volume());
  kernels::softmax(type, source.data, in.shape, step.dim, data.get());
  write(step.out, {}, type, data);
}

} // namespace tt::runtime::ttnn
