// Operations along dimensions: reductions, running sums, norms.
#include "common/shapes.h"
#include "numerics/argmax.h"
#include "numerics/cumsum.h"
#include "numerics/norm.h"
#include "numerics/softmax.h"
#include "numerics/transform.h"
#include "ttnn/engine_reduce.h"
#include "ttnn/engine_rows.h"
#include "ttnn/executor.h"
#include "ttnn/reductions.h"

namespace tt::runtime::ttnn {

using numerics::DType;

numerics::ReduceOp reduceOf(::tt::target::ttnn::ReductionOpType type) {
  using Type = ::tt::target::ttnn::ReductionOpType;
  using numerics::ReduceOp;
  switch (type) {
  case Type::Sum:
    return ReduceOp::Sum;
  case Type::Mean:
    return ReduceOp::Mean;
  case Type::Max:
    return ReduceOp::Max;
  case Type::Min:
    return ReduceOp::Min;
  case Type::Prod:
    return ReduceOp::Prod;
  }
  __builtin_unreachable();
}

std::vector<std::int64_t> reducedShape(const ReductionStep &s, const Layout &in,
                                       const Layout &out) {
  // As in the dialects any shape of that number of elements will do, and one
  // that keeps whole tiles whatever keep_dim says.
  const auto kept = runtime::reducedShape(in.shape, s.dimArg, true);
  if (hostLayout(kept, out.type).volume() == out.volume())
    return out.shape;
  return out.shape.size() == kept.size()
             ? kept
             : runtime::reducedShape(in.shape, s.dimArg, s.keepDim);
}

void Executor::execute(const ReductionStep &step) {
  const Layout &in = operand(step.in)->layout;
  const Layout &out = layoutOf(step.out);
  const numerics::ReduceOp op = reduceOf(step.type);
  const auto onEngine = [&](const EngineArgs &args) {
    engineReduce(args, op, in.shape, step.dimArg);
  };
  auto data = onEngines(step.in, step.out, onEngine);
  const DType type =
      data ? computeType(step.out) : commonType({in.type}, out.type);
  if (!data) {
    const RowMajor source = read(step.in, type);
    data = scratch(type, out.volume());
    numerics::reduce(op, type, source.data, in.shape, step.dimArg, data.get());
  }
  const std::vector<std::int64_t> reduced = reducedShape(step, in, out);
  if (out.shape != reduced) {
    std::vector<std::int64_t> low(reduced.size(), 0), high(out.shape);
    for (std::size_t d = 0; d < reduced.size(); ++d)
      high[d] -= reduced[d];
    const std::uint64_t zero = 0;
    auto padded = scratch(type, out.volume());
    numerics::pad(data.get(), reduced, low, high, &zero,
                  numerics::elementSize(type), padded.get());
    data = std::move(padded);
  }
  write(step.out, {}, type, data);
}

void Executor::execute(const ArgMaxStep &step) {
  const Layout &in = operand(step.in)->layout;
  const DType type = computeType(step.in);
  const RowMajor source = read(step.in, type);
  auto data = scratch(DType::U32, layoutOf(step.out).volume());
  const std::vector<std::int64_t> flat = {in.volume()};
  numerics::argmax(type, source.data, step.dim ? in.shape : flat,
                   step.dim.value_or(0),
                   static_cast<std::uint32_t *>(data.get()));
  write(step.out, {}, DType::U32, data);
}

void Executor::execute(const CumSumStep &step) {
  const Layout &in = operand(step.in)->layout;
  const auto onEngine = [&](const EngineArgs &args) {
    engineCumSum(args, in.shape, step.dim);
  };
  if (const auto data = onEngines(step.in, step.out, onEngine))
    return write(step.out, {}, computeType(step.out), data);
  const DType type = commonType({in.type}, layoutOf(step.out).type);
  const RowMajor source = read(step.in, type);
  auto data = scratch(type, in.volume());
  numerics::cumsum(type, source.data, in.shape, step.dim, data.get());
  write(step.out, {}, type, data);
}

void Executor::execute(const SoftmaxStep &step) {
  const Layout &in = operand(step.in)->layout;
  const auto onEngine = [&](const EngineArgs &args) {
    engineSoftmax(args, in.shape, step.dimension);
  };
  if (const auto data = onEngines(step.in, step.out, onEngine))
    return write(step.out, {}, computeType(step.out), data);
  const DType type = floatType(step.in, step.out);
  const RowMajor source = read(step.in, type);
  auto data = scratch(type, in.volume());
  numerics::softmax(type, source.data, in.shape, step.dimension, data.get());
  write(step.out, {}, type, data);
}

template <typename Step>
void Executor::normalize(const Step &step, bool centered) {
  const Layout &in = operand(step.input)->layout;
  std::int64_t n = 1;
  for (std::int64_t extent : step.normalizedShape)
    n *= extent;
  const std::int64_t rows = in.volume() / n;
  const auto onEngine = [&](const EngineArgs &args) {
    const auto readOwn = [&](OptionalValue value) {
      return value ? read(*value, computeType(*value)) : RowMajor();
    };
    const RowMajor weight = readOwn(step.weight), bias = readOwn(step.bias);
    engineNorm(args, {rows,
                      n,
                      centered,
                      step.epsilon,
                      {weight.type, weight.data},
                      {bias.type, bias.data}});
  };
  if (const auto data = onEngines(step.input, step.out, onEngine))
    return write(step.out, {}, computeType(step.out), data);
  const RowMajor source = read(step.input, floatType(step.input, step.out));
  const RowMajor weight = readOptional(step.weight);
  const RowMajor bias = readOptional(step.bias);
  auto data = scratch(source.type, in.volume());
  numerics::NormArgs args;
  args.type = source.type;
  args.input = source.data;
  args.n = n;
  args.rows = rows;
  args.weight = static_cast<const float *>(weight.data);
  args.bias = static_cast<const float *>(bias.data);
  args.epsilon = step.epsilon;
  args.output = data.get();
  (centered ? numerics::layerNorm : numerics::rmsNorm)(args);
  write(step.out, {}, source.type, data);
}

void Executor::execute(const LayerNormStep &step) { normalize(step, true); }

void Executor::execute(const RMSNormStep &step) { normalize(step, false); }

} // namespace tt::runtime::ttnn
