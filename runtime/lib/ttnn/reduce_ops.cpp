// Operations along dimensions: reductions and softmax.
#include "kernels/reduce.h"
#include "kernels/softmax.h"
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
  auto data = scratch(type, layoutOf(step.out).volume());
  kernels::reduce(step.op, type, source.data, in.shape, step.dims, data.get());
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
