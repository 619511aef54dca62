#include "dialects/TTIR/Transforms/Decomposition/Primitives.h"

#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mlir::tt::ttir {

Type Primitives::getWideType(Type elementType) const {
  return isa<FloatType>(elementType) ? builder.getF32Type() : elementType;
}

Value Primitives::empty(RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}

RankedTensorType Primitives::getBroadcastType(ValueRange values,
                                              Type elementType) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (Value value : values)
    shapes.push_back(getShape(value));
  return RankedTensorType::get(*shapes::broadcastShapes(shapes), elementType);
}

static ArrayAttr getConstraints(OpBuilder &builder, size_t count,
                                OperandConstraint constraint) {
  SmallVector<Attribute> constraints(
      count, OperandConstraintAttr::get(builder.getContext(), constraint));
  return builder.getArrayAttr(constraints);
}

ArrayAttr Primitives::getTiles(size_t count) const {
  return getConstraints(builder, count, OperandConstraint::AnyDeviceTile);
}

ArrayAttr Primitives::getDramTiles(size_t count) const {
  return getConstraints(builder, count,
                        OperandConstraint::DRAM | OperandConstraint::Tile |
                            OperandConstraint::AnyLayout);
}

ArrayAttr Primitives::getRows(size_t count) const {
  return getConstraints(builder, count,
                        OperandConstraint::DRAM | OperandConstraint::Scalar |
                            OperandConstraint::AnyLayout);
}

Value Primitives::cast(Value value, Type elementType) {
  if (getElementType(value) == elementType)
    return value;
  return eltwise<TypecastOp>(value, elementType);
}

Value Primitives::scalar(double value, Type elementType) {
  auto type = RankedTensorType::get({1}, elementType);
  Attribute element = isa<FloatType>(elementType)
                          ? Attribute(builder.getF32FloatAttr(value))
                          : Attribute(builder.getI32IntegerAttr(value));
  return FullOp::create(builder, loc, type, builder.getDenseI32ArrayAttr({1}),
                        element);
}

Value Primitives::constant(ArrayRef<int64_t> shape, ArrayRef<float> values) {
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  return ConstantOp::create(builder, loc, type,
                            DenseElementsAttr::get(type, values));
}

Value Primitives::iota(int64_t rank, int64_t dim, int64_t first, int64_t count,
                       Type elementType) {
  SmallVector<int64_t> shape(rank, 1);
  shape[dim] = count;
  auto type = RankedTensorType::get(shape, elementType);
  auto number = [&](int64_t value) {
    return IntegerAttr::get(builder.getIntegerType(64, /*isSigned=*/true),
                            value);
  };
  return ArangeOp::create(builder, loc, type, number(first),
                          number(first + count), number(1),
                          builder.getI64IntegerAttr(dim));
}

Value Primitives::reshape(Value value, ArrayRef<int64_t> shape) {
  if (getShape(value) == shape)
    return value;
  auto type = RankedTensorType::get(shape, getElementType(value));
  SmallVector<int32_t> narrow(shape);
  return ReshapeOp::create(builder, loc, type, value, empty(type),
                           builder.getI32ArrayAttr(narrow), getRows(2))
      .getResult();
}

Value Primitives::permute(Value value, ArrayRef<int64_t> permutation) {
  int64_t rank = permutation.size();
  auto plain = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  SmallVector<int64_t> shape;
  if (permutation == ArrayRef(plain))
    return value;
  for (int64_t dim : permutation)
    shape.push_back(getShape(value)[dim]);
  auto type = RankedTensorType::get(shape, getElementType(value));
  if (rank >= 2)
    std::swap(plain[rank - 2], plain[rank - 1]);
  // Tiles are transposed as they are.
  if (permutation == ArrayRef(plain)) {
    auto dim = [&](int64_t d) { return builder.getSI32IntegerAttr(d); };
    return TransposeOp::create(builder, loc, type, value, empty(type),
                               dim(rank - 2), dim(rank - 1), getTiles(2))
        .getResult();
  }
  return PermuteOp::create(builder, loc, type, value, empty(type), permutation,
                           getRows(2))
      .getResult();
}

Value Primitives::slice(Value value, ArrayRef<int64_t> begins,
                        ArrayRef<int64_t> ends, ArrayRef<int64_t> steps) {
  SmallVector<int64_t> shape;
  bool isWhole = true;
  for (auto [extent, begin, end, step] :
       llvm::zip_equal(getShape(value), begins, ends, steps)) {
    shape.push_back(llvm::divideCeilSigned(end - begin, step));
    isWhole &= begin == 0 && end == extent && step == 1;
  }
  if (isWhole)
    return value;
  auto type = RankedTensorType::get(shape, getElementType(value));
  auto narrow = [&](ArrayRef<int64_t> values) {
    return builder.getI32ArrayAttr(SmallVector<int32_t>(values));
  };
  return SliceOp::create(builder, loc, type, value, empty(type), narrow(begins),
                         narrow(ends), narrow(steps), getRows(2))
      .getResult();
}

Value Primitives::slice(Value value, int64_t dim, int64_t begin, int64_t end) {
  SmallVector<int64_t> begins(getRank(value), 0), ends(getShape(value)),
      steps(getRank(value), 1);
  begins[dim] = begin;
  ends[dim] = end;
  return slice(value, begins, ends, steps);
}

Value Primitives::pad(Value value, ArrayRef<int64_t> padding, double element) {
  if (llvm::all_of(padding, [](int64_t count) { return count == 0; }))
    return value;
  SmallVector<int64_t> shape(getShape(value));
  for (auto [d, extent] : llvm::enumerate(shape))
    extent += padding[2 * d] + padding[2 * d + 1];
  auto type = RankedTensorType::get(shape, getElementType(value));
  SmallVector<int32_t> narrow(padding);
  return PadOp::create(builder, loc, type, value, empty(type),
                       builder.getDenseI32ArrayAttr(narrow),
                       builder.getF32FloatAttr(element), getRows(2))
      .getResult();
}

Value Primitives::unfold(Value images, int64_t channels,
                         ArrayRef<int32_t> kernel, ArrayRef<int32_t> stride,
                         ArrayRef<int32_t> dilation) {
  // The shape is that of its rule.
  ArrayRef<int64_t> shape = getShape(images);
  shapes::Window window{
      kernel[0],   kernel[1], stride[0], stride[1], dilation[0],
      dilation[1], 0,         0,         0,         0};
  auto [height, width] =
      shapes::getWindowExtents(window, shape[1], shape[2] / channels);
  auto type = RankedTensorType::get(
      {shape[0] * height * width, kernel[0] * kernel[1] * channels},
      getElementType(images));
  return UnfoldOp::create(builder, loc, type, images, empty(type), channels,
                          kernel, stride, dilation, getRows(2))
      .getResult();
}

Value Primitives::concat(ValueRange values, int64_t dim) {
  if (values.size() == 1)
    return values.front();
  SmallVector<int64_t> shape(getShape(values.front()));
  shape[dim] = 0;
  for (Value value : values)
    shape[dim] += getShape(value)[dim];
  auto type = RankedTensorType::get(shape, getElementType(values.front()));
  return ConcatOp::create(builder, loc, type, values, empty(type),
                          builder.getSI32IntegerAttr(dim),
                          getRows(values.size() + 1))
      .getResult();
}

Value Primitives::repeat(Value value, ArrayRef<int64_t> times) {
  if (llvm::all_of(times, [](int64_t count) { return count == 1; }))
    return value;
  SmallVector<int64_t> shape(getShape(value));
  for (auto [extent, count] : llvm::zip_equal(shape, times))
    extent *= count;
  auto type = RankedTensorType::get(shape, getElementType(value));
  return RepeatOp::create(builder, loc, type, value, empty(type),
                          builder.getDenseI64ArrayAttr(times), getRows(2))
      .getResult();
}

Value Primitives::embedding(Value indices, Value table) {
  SmallVector<int64_t> shape(getShape(indices));
  shape.push_back(getShape(table).back());
  auto type = RankedTensorType::get(shape, getElementType(table));
  return EmbeddingOp::create(builder, loc, type, indices, table, empty(type),
                             getRows(3))
      .getResult();
}

/// Integers as floats of 8 bits at most, the least significant first: matrix
/// engines multiply floats.
static SmallVector<Value> getPieces(Primitives &b, Value x) {
  Type f32 = b.builder.getF32Type();
  if (b.getElementType(x).getIntOrFloatBitWidth() == 8)
    return {b.cast(x, f32)};
  Type word = b.builder.getIntegerType(32, /*isSigned=*/false);
  Value bits = b.cast(x, word);
  SmallVector<Value> pieces;
  for (int64_t place = 0; place < 32; place += 8) {
    Value low = place ? b.eltwise<LogicalRightShiftOp>(
                            {bits, b.scalar(place, word)}, word)
                      : bits;
    pieces.push_back(
        b.cast(b.eltwise<BitwiseAndOp>({low, b.scalar(255, word)}, word), f32));
  }
  return pieces;
}

/// Products of pieces, each of so few terms that f32 holds their sum, added up
/// as integers of 32 bits.
static Value multiplyIntegers(Primitives &p, Value a, Value b,
                              Type elementType) {
  constexpr int64_t kTerms = 256;
  Type f32 = p.builder.getF32Type();
  Type word = p.builder.getIntegerType(32, /*isSigned=*/true);
  int64_t rank = p.getRank(a), depth = p.getShape(a).back();
  Value sum;
  SmallVector<Value> as = getPieces(p, a), bs = getPieces(p, b);
  for (auto [i, left] : llvm::enumerate(as))
    for (auto [j, right] : llvm::enumerate(bs)) {
      // What lies beyond 32 bits is lost.
      if (i + j > 3)
        continue;
      Value part;
      for (int64_t begin = 0; begin < depth; begin += kTerms) {
        int64_t end = std::min(depth, begin + kTerms);
        Value product = p.cast(
            p.matmul(p.slice(left, rank - 1, begin, end),
                     p.slice(right, p.getRank(right) - 2, begin, end), f32),
            word);
        part = part ? p.eltwise<AddOp>({part, product}, word) : product;
      }
      if (i + j > 0)
        part = p.eltwise<MultiplyOp>(
            {part,
             p.scalar(static_cast<double>(int64_t(1) << (8 * (i + j))), word)},
            word);
      sum = sum ? p.eltwise<AddOp>({sum, part}, word) : part;
    }
  return p.cast(sum, elementType);
}

Value Primitives::matmul(Value a, Value b, Type elementType) {
  if (isa<IntegerType>(getElementType(a)) &&
      isa<IntegerType>(getElementType(b)) && isa<IntegerType>(elementType))
    return multiplyIntegers(*this, a, b, elementType);
  SmallVector<int64_t> shape = *shapes::broadcastShapes(
      {getShape(a).drop_back(2), getShape(b).drop_back(2)});
  shape.push_back(getShape(a)[getRank(a) - 2]);
  shape.push_back(getShape(b).back());
  auto type = RankedTensorType::get(shape, elementType);
  return MatmulOp::create(builder, loc, type, a, b, empty(type),
                          /*transpose_a=*/nullptr, /*transpose_b=*/nullptr,
                          getTiles(3))
      .getResult();
}

} // namespace mlir::tt::ttir
