// Matrix products, with and without a bias. Operands that do not lie row-major
// are read block by block by the kernel itself; a result in another layout goes
// through one row-major copy.
#include "numerics/matmul.h"
#include "common/shapes.h"
#include "numerics/eltwise.h"
#include "numerics/transform.h"
#include "ttnn/executor.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tt::runtime::ttnn {

using emulator::View;
using numerics::DType;
using numerics::MatmulOperand;
using Shape = std::vector<std::int64_t>;

namespace {

/// A type that the kernel takes and that holds every value of `type`.
DType matmulType(DType type) {
  switch (type) {
  case DType::BFP8_B:
  case DType::BFP4_B:
  case DType::BFP2_B:
    return DType::BF16;
  case DType::F16:
  case DType::BF16:
    return type;
  default:
    return DType::F32;
  }
}

std::int64_t volume(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t(1),
                         std::multiplies<>());
}

Shape batchShape(const Shape &shape) {
  return Shape(shape.begin(),
               shape.size() < 2 ? shape.begin() : shape.end() - 2);
}

/// An operand as a stack of rows x cols matrices, one for all batches if there
/// is only one.
struct Stack {
  View view;
  std::int64_t rows = 0, cols = 0, count = 1;

  static void readBlock(void *context, std::int64_t batch, std::int64_t row,
                        std::int64_t rows, std::int64_t col, std::int64_t cols,
                        void *target, std::int64_t stride) {
    const Stack &self = *static_cast<const Stack *>(context);
    const std::int64_t first = self.count == 1 ? 0 : batch * self.rows;
    emulator::readBlock(self.view, first + row, rows, col, cols,
                        matmulType(self.view.layout->type), target, stride);
  }
};

/// Rows of batches follow each other, and blocks of 32 begin at a tile.
bool canReadBlocks(const Stack &stack) {
  const Layout &l = *stack.view.layout;
  return l.dense && l.rank() >= 2 &&
         (!l.tiled || stack.count == 1 || stack.rows % numerics::kTileDim == 0);
}

/// product += bias, which broadcasts.
void addBias(DType type, const Shape &biasShape, const void *bias,
             const Shape &shape, void *product) {
  const Layout layout = hostLayout(shape, type);
  Shape strides(shape.size());
  numerics::broadcastStrides(biasShape, shape, strides);
  numerics::binaryStrided(numerics::BinaryOp::Add, type, shape,
                          {product, layout.stride}, {bias, strides}, product);
}

} // namespace

/// Products of integers wrap; see commonType.
template <typename Step>
void Executor::multiplyIntegers(const Step &step, OptionalValue bias) {
  const DType type = commonType(
      {operand(step.in0)->layout.type, operand(step.in1)->layout.type},
      DType::U32);
  const Shape &out = layoutOf(step.out).shape;
  numerics::IntegerMatmulArgs args;
  std::vector<std::shared_ptr<void>> keep;
  // Row-major, turned as the step says, and repeated for all batches unless
  // there is one.
  const Shape batch =
      broadcastShapes(batchShape(operand(step.in0)->layout.shape),
                      batchShape(operand(step.in1)->layout.shape));
  args.batch = volume(batch);
  const auto prepare = [&](ValueIndex value, bool turned, bool left,
                           std::int64_t &rows, std::int64_t &cols,
                           std::int64_t &stride) {
    const RowMajor source = read(value, type);
    keep.push_back(source.memory);
    const void *data = source.data;
    Shape shape = operand(value)->layout.shape;
    if (shape.size() == 1)
      shape = left ? Shape{1, shape[0]} : Shape{shape[0], 1};
    const auto rank = std::int64_t(shape.size());
    if (turned) {
      keep.push_back(scratch(type, volume(shape)));
      numerics::transpose(data, shape, rank - 2, rank - 1, 4,
                          keep.back().get());
      data = keep.back().get();
      std::swap(shape[std::size_t(rank - 1)], shape[std::size_t(rank - 2)]);
    }
    rows = shape[std::size_t(rank - 2)];
    cols = shape[std::size_t(rank - 1)];
    stride = 0;
    if (volume(shape) == rows * cols)
      return static_cast<const std::uint32_t *>(data);
    Shape all = batch;
    all.insert(all.end(), {rows, cols});
    stride = rows * cols;
    keep.push_back(scratch(type, volume(all)));
    numerics::broadcastTo(data, shape, all, 4, keep.back().get());
    return static_cast<const std::uint32_t *>(keep.back().get());
  };
  args.a = prepare(step.in0, step.transposeA, true, args.m, args.k,
                   args.aBatchStride);
  args.b = prepare(step.in1, step.transposeB, false, args.k, args.n,
                   args.bBatchStride);
  auto data = scratch(type, volume(out));
  args.c = static_cast<std::uint32_t *>(data.get());
  numerics::matmulIntegers(args);
  if (bias) {
    const RowMajor added = read(*bias, type);
    addBias(type, operand(*bias)->layout.shape, added.data, out, data.get());
  }
  write(step.out, {}, type, data);
}

template <typename Step>
void Executor::multiply(const Step &step, OptionalValue bias) {
  if (numerics::isInteger(layoutOf(step.out).type))
    return multiplyIntegers(step, bias);
  const Layout &la = operand(step.in0)->layout, &lb = operand(step.in1)->layout;
  const Shape batchA = batchShape(la.shape), batchB = batchShape(lb.shape);
  const Shape batch = broadcastShapes(batchA, batchB);
  numerics::MatmulArgs args;
  args.batch = volume(batch);
  // As stored: a vector on the left is a row, on the right a column.
  Stack a{operand(step.in0)->view(),
          la.rank() == 1 ? 1 : la.shape[la.shape.size() - 2], la.cols,
          volume(batchA)};
  Stack b{operand(step.in1)->view(),
          lb.rank() == 1 ? lb.cols : lb.shape[lb.shape.size() - 2],
          lb.rank() == 1 ? 1 : lb.cols, volume(batchB)};
  args.m = step.transposeA ? a.cols : a.rows;
  args.k = step.transposeA ? a.rows : a.cols;
  args.n = step.transposeB ? b.rows : b.cols;
  // One matrix on the right for all batches on the left is one tall product.
  if (b.count == 1 && a.count == args.batch && !step.transposeA) {
    args.m = a.rows = args.m * args.batch;
    args.batch = a.count = 1;
  }

  std::vector<std::shared_ptr<void>> keep;
  const auto prepare = [&](Stack &stack, ValueIndex value,
                           const Shape &ownBatch) {
    const Layout &l = *stack.view.layout;
    MatmulOperand operand;
    operand.transposed = &stack == &a ? step.transposeA : step.transposeB;
    operand.type = matmulType(l.type);
    operand.rowStride = stack.cols;
    std::int64_t stride;
    const bool regular = stack.count == 1 || stack.count == args.batch;
    if (regular && l.dense && l.rank() >= 2 && l.type == operand.type &&
        stack.view.strided(&stride)) {
      operand.data = stack.view.element(0, 0);
      operand.rowStride = stride;
    } else if (regular && canReadBlocks(stack)) {
      operand.reader = {&Stack::readBlock, &stack};
    } else {
      RowMajor copy = read(value, operand.type);
      operand.data = copy.data;
      keep.push_back(copy.memory);
    }
    if (!regular) {
      // Several batches on both sides broadcast against each other.
      Shape from = ownBatch, to = batch;
      from.insert(from.end(), {stack.rows, stack.cols});
      to.insert(to.end(), {stack.rows, stack.cols});
      auto repeated = scratch(operand.type, volume(to));
      numerics::broadcastTo(operand.data, from, to,
                            numerics::elementSize(operand.type),
                            repeated.get());
      operand.data = repeated.get();
      keep.push_back(repeated);
      stack.count = args.batch;
    }
    operand.batchStride = stack.count == 1 ? 0 : stack.rows * operand.rowStride;
    return operand;
  };
  args.a = prepare(a, step.in0, batchA);
  args.b = prepare(b, step.in1, batchB);

  // A row that is added to all others is added before the rounding; any other
  // bias is added to the product in f32.
  const bool rowBias = bias && operand(*bias)->layout.cols == args.n &&
                       operand(*bias)->layout.volume() == args.n;
  const RowMajor added = readOptional(bias);
  if (rowBias)
    args.bias = static_cast<const float *>(added.data);
  const bool separate = bias && !rowBias;

  TensorPtr target = bias ? result(step.out, {step.in0, step.in1, *bias})
                          : result(step.out, {step.in0, step.in1});
  const Layout &out = target->layout;
  const View to = target->view();
  args.cType = matmulType(out.type);
  const bool inPlace = !separate && out.dense && out.cols == args.n &&
                       args.cType == out.type && to.strided(&args.cRowStride);
  std::shared_ptr<void> data;
  if (inPlace) {
    args.c = to.element(0, 0);
  } else {
    args.cType = separate ? DType::F32 : emulator::plainType(out.type);
    data = scratch(args.cType, out.volume());
    args.c = data.get();
    args.cRowStride = args.n;
  }
  args.cBatchStride = args.m * args.cRowStride;
  multiply(args);
  if (inPlace) {
    bind(step.out, std::move(target));
    return;
  }
  if (separate)
    addBias(DType::F32, operand(*bias)->layout.shape, added.data, out.shape,
            data.get());
  store(step.out, std::move(target), args.cType, data);
}

void Executor::execute(const MatmulStep &step) { multiply(step, std::nullopt); }

void Executor::execute(const LinearStep &step) { multiply(step, step.bias); }

} // namespace tt::runtime::ttnn
