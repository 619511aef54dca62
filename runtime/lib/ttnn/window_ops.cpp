// Convolutions, pooling and upsampling.
#include "numerics/eltwise.h"
#include "numerics/matmul.h"
#include "numerics/pool.h"
#include "numerics/upsample.h"
#include "ttnn/engine_reduce.h"
#include "ttnn/executor.h"
#include "ttnn/windows.h"

namespace tt::runtime::ttnn {

using numerics::DType;

namespace {

/// The weight of a convolution in the order of its product, which the product
/// reads where it lies.
struct PreparedWeight {
  emulator::View view;
  DType type;

  static void read(void *context, std::int64_t, std::int64_t row,
                   std::int64_t rows, std::int64_t col, std::int64_t cols,
                   void *target, std::int64_t stride) {
    const auto &self = *static_cast<const PreparedWeight *>(context);
    emulator::readBlock(self.view, row, rows, col, cols, self.type, target,
                        stride);
  }

  numerics::MatmulOperand operand() {
    numerics::MatmulOperand operand;
    operand.type = type;
    operand.reader = {&PreparedWeight::read, this};
    return operand;
  }
};

/// A weight of `shape` in memory.
template <typename Step, typename Args>
void setWeight(const Step &step, const std::vector<std::int64_t> &shape,
               const void *data, Args &args) {
  if constexpr (requires { args.prepared; })
    if (isPrepared(step, shape)) {
      numerics::MatmulOperand &operand = args.prepared.emplace();
      operand.data = data;
      operand.type = args.type;
      operand.rowStride = step.outChannels;
      return;
    }
  args.weight = data;
}

} // namespace

/// Sums and products of integers keep the low 32 bits; see commonType.
template <typename Step, typename Args>
void Executor::convolveIntegers(const Step &step, Args args) {
  const DType type = commonType(
      {operand(step.input)->layout.type, operand(step.weight)->layout.type},
      DType::U32);
  const RowMajor input = read(step.input, type);
  const RowMajor weight = read(step.weight, type);
  const auto &shape = layoutOf(step.out).shape;
  auto data = scratch(type, layoutOf(step.out).volume());
  args.type = type;
  args.input = input.data;
  setWeight(step, operand(step.weight)->layout.shape, weight.data, args);
  args.output = data.get();
  const auto multiply = [](const numerics::MatmulArgs &product) {
    numerics::matmulIntegers(product);
  };
  if constexpr (requires { args.multiply; }) {
    args.multiply = multiply;
    numerics::conv2d(args);
  } else {
    numerics::convTranspose2dAsConv2d(args, multiply);
  }
  if (step.bias) {
    const RowMajor added = read(*step.bias, type);
    const std::vector<std::int64_t> line = {step.outChannels};
    std::vector<std::int64_t> strides(shape.size());
    numerics::broadcastStrides(line, shape, strides);
    const Layout layout = hostLayout(shape, type);
    numerics::binaryStrided(numerics::BinaryOp::Add, type, shape,
                            {data.get(), layout.stride}, {added.data, strides},
                            data.get());
  }
  write(step.out, {}, type, data);
}

template <typename Step, typename Args, typename Kernel>
void Executor::convolve(const Step &step, Args args, const Kernel &kernel) {
  args.batch = step.batchSize;
  args.inH = step.inputHeight;
  args.inW = step.inputWidth;
  args.inChannels = step.inChannels;
  args.outChannels = step.outChannels;
  args.groups = step.groups;
  args.window = windowOf(step);
  if (numerics::isInteger(layoutOf(step.out).type))
    return convolveIntegers(step, args);
  // A wider result is rounded to its own format only.
  const DType type = computeType(step.input);
  const bool same =
      type == computeType(step.weight) && type == computeType(step.out);
  args.type = same ? type : DType::F32;
  const RowMajor input = read(step.input, args.type);
  const RowMajor bias = readOptional(step.bias);
  auto data = scratch(args.type, layoutOf(step.out).volume());
  RowMajor weight;
  PreparedWeight prepared{operand(step.weight)->view(), args.type};
  const Layout &stored = *prepared.view.layout;
  bool isRead = true;
  if constexpr (requires { args.prepared; })
    if (isPrepared(step, stored.shape) && stored.dense && step.groups == 1) {
      args.prepared = prepared.operand();
      isRead = false;
    }
  if (isRead) {
    weight = read(step.weight, args.type);
    setWeight(step, stored.shape, weight.data, args);
  }
  args.input = input.data;
  args.bias = static_cast<const float *>(bias.data);
  args.output = data.get();
  kernel(args);
  write(step.out, {}, args.type, data);
}

void Executor::execute(const Conv2dStep &step) {
  numerics::Conv2dArgs args;
  if (isExact({}))
    args.multiply = [this](const numerics::MatmulArgs &product) {
      multiply(product);
    };
  convolve(step, args, numerics::conv2d);
}

void Executor::execute(const ConvTranspose2dStep &step) {
  numerics::ConvTranspose2dArgs args;
  args.outputPaddingH = step.outputPadding[0];
  args.outputPaddingW = step.outputPadding[1];
  if (!isExact({}))
    return convolve(step, args, numerics::convTranspose2d);
  convolve(step, args, [this](const numerics::ConvTranspose2dArgs &args) {
    numerics::convTranspose2dAsConv2d(
        args,
        [this](const numerics::MatmulArgs &product) { multiply(product); });
  });
}

void Executor::execute(const MaxPool2dStep &step) {
  const auto onEngine = [&](const EngineArgs &args) {
    engineMaxPool2d(args, imageOf(step), windowOf(step));
  };
  if (const auto data = onEngines(step.in, step.out, onEngine))
    return write(step.out, {}, computeType(step.out), data);
  const DType type = computeType(step.in);
  const RowMajor input = read(step.in, type);
  auto data = scratch(type, layoutOf(step.out).volume());
  numerics::maxPool2d(type, input.data, imageOf(step), windowOf(step),
                      data.get());
  write(step.out, {}, type, data);
}

void Executor::execute(const AvgPool2dStep &step) {
  const auto onEngine = [&](const EngineArgs &args) {
    engineAvgPool2d(args, imageOf(step), windowOf(step), step.countIncludePad);
  };
  if (const auto data = onEngines(step.in, step.out, onEngine))
    return write(step.out, {}, computeType(step.out), data);
  const DType type = floatType(step.in, step.out);
  const RowMajor input = read(step.in, type);
  auto data = scratch(type, layoutOf(step.out).volume());
  numerics::avgPool2d(type, input.data, imageOf(step), windowOf(step),
                      step.countIncludePad, data.get());
  write(step.out, {}, type, data);
}

void Executor::execute(const UpsampleStep &step) {
  const auto &shape = operand(step.in)->layout.shape;
  const numerics::Image image{shape[0], shape[1], shape[2], shape[3]};
  const std::int64_t scaleH = step.scaleFactor[0], scaleW = step.scaleFactor[1];
  const bool bilinear = step.mode == ::tt::target::ttnn::UpsampleMode::Bilinear;
  const DType type =
      bilinear ? floatType(step.in, step.out) : computeType(step.in);
  const RowMajor input = read(step.in, type);
  auto data = scratch(type, layoutOf(step.out).volume());
  if (bilinear)
    numerics::upsampleBilinear(type, input.data, image, scaleH, scaleW,
                               data.get());
  else
    numerics::upsampleNearest(input.data, image, scaleH, scaleW,
                              numerics::elementSize(type), data.get());
  write(step.out, {}, type, data);
}

} // namespace tt::runtime::ttnn
