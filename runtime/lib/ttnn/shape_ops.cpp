// Operations that move elements, with and without indices.
#include "numerics/eltwise.h"
#include "numerics/transform.h"
#include "ttnn/executor.h"
#include "ttnn/gathers.h"
#include "ttnn/windows.h"

#include <span>

namespace tt::runtime::ttnn {

using numerics::DType;

/// The elements of `in` in another order: move(elements, shape, bytes of an
/// element, result) of a kernel.
template <typename Move>
void Executor::rearrange(ValueIndex in, ValueIndex out, const Move &move) {
  const DType type = computeType(in);
  const RowMajor source = read(in, type);
  auto data = scratch(type, layoutOf(out).volume());
  move(source.data, operand(in)->layout.shape, numerics::elementSize(type),
       data.get());
  // The operand was read as a whole, so the result may lie over it.
  write(out, {}, type, data);
}

void Executor::execute(const TransposeStep &step) {
  rearrange(
      step.in, step.out,
      [&](const void *in, const auto &shape, std::int64_t bytes, void *out) {
        numerics::transpose(in, shape, step.dim0, step.dim1, bytes, out);
      });
}

void Executor::execute(const PermuteStep &step) {
  rearrange(
      step.in, step.out,
      [&](const void *in, const auto &shape, std::int64_t bytes, void *out) {
        numerics::permute(in, shape, step.permutation, bytes, out);
      });
}

void Executor::execute(const SplitQueryKeyValueAndSplitHeadsStep &step) {
  const ValueIndex rest = step.kvInputTensor.value_or(step.inputTensor);
  const std::int64_t width = layoutOf(step.value).cols;
  const std::int64_t heads = step.numHeads;
  const std::int64_t kvHeads = step.numKvHeads.value_or(heads);
  const DType types[] = {computeType(step.inputTensor), computeType(rest)};
  const RowMajor query = read(step.inputTensor, types[0]);
  const RowMajor others =
      step.kvInputTensor ? read(rest, types[1]) : RowMajor(query);
  std::shared_ptr<void> made[3];
  const auto split = [&](int part, const RowMajor &source, ValueIndex in,
                         std::int64_t first, std::int64_t count,
                         bool transposed) {
    const auto &shape = operand(in)->layout.shape;
    const std::int64_t bytes = numerics::elementSize(source.type);
    const std::int64_t volume = shape[0] * shape[1] * count * width;
    const auto slice = scratch(source.type, volume);
    const std::int64_t begins[] = {0, 0, first * width};
    const std::int64_t ends[] = {shape[0], shape[1], (first + count) * width};
    const std::int64_t steps[] = {1, 1, 1};
    numerics::slice(source.data, shape, begins, ends, steps, bytes,
                    slice.get());
    made[part] = scratch(source.type, volume);
    const std::int64_t apart[] = {shape[0], shape[1], count, width};
    const std::int64_t order[] = {0, 2, transposed ? 3 : 1, transposed ? 1 : 3};
    numerics::permute(slice.get(), apart, order, bytes, made[part].get());
  };
  const std::int64_t first = step.kvInputTensor ? 0 : heads;
  split(0, query, step.inputTensor, 0, heads, false);
  split(1, others, rest, first, kvHeads, step.transposeKey);
  split(2, others, rest, first + kvHeads, kvHeads, false);
  write(step.query, {}, types[0], made[0]);
  write(step.key, {}, types[1], made[1]);
  write(step.value, {}, types[1], made[2]);
}

void Executor::execute(const ConcatenateHeadsStep &step) {
  rearrange(
      step.in, step.out,
      [&](const void *in, const auto &shape, std::int64_t bytes, void *out) {
        const std::int64_t order[] = {0, 2, 1, 3};
        numerics::permute(in, shape, order, bytes, out);
      });
}

void Executor::execute(const PrepareConv2dWeightsStep &step) {
  rearrange(
      step.in, step.out,
      [&](const void *in, const auto &shape, std::int64_t bytes, void *out) {
        const std::int64_t order[] = {2, 3, 1, 0};
        numerics::permute(in, shape, order, bytes, out);
      });
}

void Executor::execute(const UnfoldStep &step) {
  rearrange(
      step.in, step.out,
      [&](const void *in, const auto &shape, std::int64_t bytes, void *out) {
        const numerics::Image image{shape[0], shape[1],
                                    shape[2] / step.channels, step.channels};
        const numerics::Window2d window = windowOf(step);
        const numerics::WindowRows rows(
            bytes, in, image, window,
            numerics::outputExtent("unfold", window, image.height, image.width),
            {0, image.channels});
        numerics::unfold(rows, 0, layoutOf(step.out).shape[0], out);
      });
}

void Executor::execute(const SliceStep &step) {
  rearrange(
      step.in, step.out,
      [&](const void *in, const auto &shape, std::int64_t bytes, void *out) {
        numerics::slice(in, shape, step.begins, step.ends, step.step, bytes,
                        out);
      });
}

void Executor::execute(const PadStep &step) {
  std::uint32_t value = 0;
  numerics::fill(computeType(step.in), step.value, &value, 1);
  std::vector<std::int64_t> low, high;
  for (std::size_t i = 0; i < step.padding.size(); i += 2) {
    low.push_back(step.padding[i]);
    high.push_back(step.padding[i + 1]);
  }
  rearrange(
      step.in, step.out,
      [&](const void *in, const auto &shape, std::int64_t bytes, void *out) {
        numerics::pad(in, shape, low, high, &value, bytes, out);
      });
}

void Executor::execute(const RepeatStep &step) {
  rearrange(
      step.in, step.out,
      [&](const void *in, const auto &shape, std::int64_t bytes, void *out) {
        numerics::repeat(in, shape, step.repeatDims, bytes, out);
      });
}

void Executor::execute(const GatherStep &step) {
  const DType indexType = computeType(step.startIndices);
  const RowMajor indices = read(step.startIndices, indexType);
  rearrange(
      step.input, step.out,
      [&](const void *in, const auto &shape, std::int64_t bytes, void *out) {
        numerics::gather(in, shape, indexType, indices.data,
                         operand(step.startIndices)->layout.shape,
                         gatherDims(step), bytes, out);
      });
}

void Executor::execute(const ReshapeStep &step) {
  const TensorPtr source = operand(step.in);
  TensorPtr target = result(step.out, {step.in});
  const Layout &out = target->layout;
  const numerics::Rounding rounding = numerics::Rounding::Fast;
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
  for (ValueIndex value : step.inputs)
    if (computeType(value) != type)
      type = DType::F32;
  std::vector<RowMajor> parts;
  std::vector<const void *> inputs;
  std::vector<std::span<const std::int64_t>> shapes;
  for (ValueIndex value : step.inputs) {
    parts.push_back(read(value, type));
    inputs.push_back(parts.back().data);
    shapes.emplace_back(operand(value)->layout.shape);
  }
  auto data = scratch(type, layoutOf(step.out).volume());
  numerics::concat(inputs, shapes, step.dim, numerics::elementSize(type),
                   data.get());
  // The result never lies over an input: it is written after all were read.
  write(step.out, {}, type, data);
}

void Executor::execute(const EmbeddingStep &step) {
  const DType indexType = computeType(step.input);
  const DType type = computeType(step.weight);
  const RowMajor indices = read(step.input, indexType);
  const RowMajor table = read(step.weight, type);
  const Layout &weight = operand(step.weight)->layout;
  const std::int64_t count = operand(step.input)->layout.volume();
  auto data = scratch(type, layoutOf(step.output).volume());
  numerics::gatherRows(table.data, weight.rows,
                       weight.cols * numerics::elementSize(type), indexType,
                       indices.data, count, data.get());
  write(step.output, {}, type, data);
}

void Executor::execute(const EmbeddingBackwardStep &step) {
  const DType indexType = computeType(step.input);
  const Layout &out = layoutOf(step.out);
  const DType type =
      commonType({operand(step.inGradient)->layout.type}, out.type);
  const RowMajor indices = read(step.input, indexType);
  const RowMajor gradient = read(step.inGradient, type);
  auto data = scratch(type, out.volume());
  numerics::scatterAddRows(type, gradient.data, out.cols, indexType,
                           indices.data, operand(step.input)->layout.volume(),
                           out.logicalRows(), data.get());
  write(step.out, {}, type, data);
}

} // namespace tt::runtime::ttnn
