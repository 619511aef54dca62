// Operations that move elements without computing: transpose, reshape, concat,
// embedding.
#include "kernels/transform.h"
#include "ttnn/executor.h"

#include <span>

namespace tt::runtime::ttnn {

using kernels::DType;

void Executor::execute(const TransposeStep &step) {
  const DType type = computeType(step.in);
  const RowMajor in = read(step.in, type);
  const auto &shape = operand(step.in)->layout.shape;
  auto data = scratch(type, layoutOf(step.out).volume());
  kernels::transpose(in.data, shape, step.dim0, step.dim1,
                     kernels::elementSize(type), data.get());
  write(step.out, {step.in}, type, data);
}

void Executor::execute(const ReshapeStep &step) {
  const TensorPtr source = operand(step.in);
  TensorPtr target = result(step.out, {step.in});
  const Layout &out = target->layout;
  const kernels::Rounding rounding = kernels::Rounding::Fast;
  // Only leading dimensions change: rows stay rows.
  if (source->layout.dense && out.dense && source->layout.cols == out.cols) {
    emulator::copyTensor(source->view(), target->view(), rounding);
    bind(step.out, std::move(target));
    return;
  }
  const DType type = computeType(step.in);
  const RowMajor in = read(step.in, type);
  const Layout host = hostLayout(out.shape, type);
  auto *elements =
      const_cast<std::byte *>(static_cast<const std::byte *>(in.data));
  emulator::copyTensor({&host, elements, 0}, target->view(), rounding);
  bind(step.out, std::move(target));
}

void Executor::execute(const ConcatStep &step) {
  // Equal types move as they are; different ones meet in f32.
  DType type = computeType(step.out);
  for (ValueIndex value : step.ins)
    if (computeType(value) != type)
      type = DType::F32;
  std::vector<RowMajor> parts;
  std::vector<const void *> inputs;
  std::vector<std::span<const std::int64_t>> shapes;
  for (ValueIndex value : step.ins) {
    parts.push_back(read(value, type));
    inputs.push_back(parts.back().data);
    shapes.emplace_back(operand(value)->layout.shape);
  }
  auto data = scratch(type, layoutOf(step.out).volume());
  kernels::concat(inputs, shapes, step.dim, kernels::elementSize(type),
                  data.get());
  // The result never lies over an input: it is written after all were read.
  write(step.out, {}, type, data);
}

void Executor::execute(const EmbeddingStep &step) {
  const DType indexType = computeType(step.indices);
  const DType type = computeType(step.weight);
  const RowMajor indices = read(step.indices, indexType);
  const RowMajor table = read(step.weight, type);
  const Layout &weight = operand(step.weight)->layout;
  const std::int64_t count = operand(step.indices)->layout.volume();
  auto data = scratch(type, layoutOf(step.out).volume());
  try {
    kernels::gatherRows(table.data, weight.rows,
                        weight.cols * kernels::elementSize(type), indexType,
                        indices.data, count, data.get());
  } catch (const std::out_of_range &error) {
    raise(ErrorCategory::Argument, error.what());
  }
  write(step.out, {}, type, data);
}

} // namespace tt::runtime::ttnn
