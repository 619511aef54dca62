#include "dialects/TTIR/GraphBuilder.h"

#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Traits.h"
#include "llvm/ADT/SmallBitVector.h"

#include <cstring>
#include <numeric>
#include <vector>

namespace mlir::tt::graph {

void takeOverConstraint(Operation *replaced, Value value) {
  constexpr StringLiteral kName = "operand_constraints";
  Operation *op = value.getDefiningOp();
  auto given = replaced->getAttrOfType<ArrayAttr>(kName);
  auto made = op ? op->getAttrOfType<ArrayAttr>(kName) : nullptr;
  if (!given || given.empty() || !made || made.size() != op->getNumOperands())
    return;
  SmallVector<Attribute> constraints(made.getValue());
  constraints.back() = given.getValue().back();
  op->setAttr(kName, ArrayAttr::get(op->getContext(), constraints));
}

SmallVector<int64_t> range(int64_t count) {
  SmallVector<int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

Type GraphBuilder::getIndexType() { return builder.getIntegerType(32, true); }

Tensor GraphBuilder::op(StringRef name, ValueRange inputs,
                        RankedTensorType type,
                        ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, ("ttir." + name).str());
  state.addOperands(inputs);
  state.addOperands(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                            type.getElementType())
                        .getResult());
  state.addTypes(type);
  state.addAttributes(attributes);
  Attribute anywhere = OperandConstraintAttr::get(
      builder.getContext(), OperandConstraint::AnyDeviceTile);
  SmallVector<Attribute> constraints(inputs.size() + 1, anywhere);
  state.addAttribute("operand_constraints", builder.getArrayAttr(constraints));
  return mlir::cast<Tensor>(builder.create(state)->getResult(0));
}

Tensor GraphBuilder::eltwise(StringRef name, ValueRange inputs, Type element,
                             ArrayRef<NamedAttribute> attributes) {
  SmallVector<int64_t> shape(shapeOf(inputs.front()));
  for (Value input : inputs.drop_front()) {
    SmallVector<int64_t> joined;
    if (OpTrait::util::getBroadcastedShape(shape, shapeOf(input), joined))
      shape = joined;
  }
  SmallVector<NamedAttribute> all(attributes);
  all.push_back(attr(
      "operandSegmentSizes",
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(inputs.size()), 1})));
  if (!element)
    element = elementOf(inputs.front());
  return op(name, inputs, RankedTensorType::get(shape, element), all);
}

Tensor GraphBuilder::select(Value condition, Value yes, Value no) {
  return eltwise("where", {condition, yes, no}, elementOf(yes));
}

Tensor GraphBuilder::cast(Value input, Type element) {
  if (elementOf(input) == element)
    return mlir::cast<Tensor>(input);
  return eltwise("typecast", input, element);
}

Tensor GraphBuilder::constant(DenseElementsAttr value) {
  auto type = mlir::cast<RankedTensorType>(value.getType());
  return mlir::cast<Tensor>(
      ttir::ConstantOp::create(builder, loc, type, value).getResult());
}

Tensor GraphBuilder::splat(double value, RankedTensorType type) {
  Type element = type.getElementType();
  if (auto floating = dyn_cast<FloatType>(element))
    return constant(
        DenseElementsAttr::get(type, builder.getFloatAttr(floating, value)));
  APInt integer(element.getIntOrFloatBitWidth(), static_cast<int64_t>(value),
                /*isSigned=*/true, /*implicitTrunc=*/true);
  return constant(DenseElementsAttr::get(type, ArrayRef<APInt>(integer)));
}

Tensor GraphBuilder::scalar(double value, Type element) {
  return splat(value, RankedTensorType::get({1}, element));
}

DenseElementsAttr elementsOf(Value value) {
  auto constant = value.getDefiningOp<ttir::ConstantOp>();
  return constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
}

Tensor GraphBuilder::reshape(Value input, Shape shape) {
  if (shapeOf(input) == shape)
    return mlir::cast<Tensor>(input);
  if (DenseElementsAttr elements = elementsOf(input))
    return constant(
        elements.reshape(RankedTensorType::get(shape, elementOf(input))));
  return op("reshape", input, RankedTensorType::get(shape, elementOf(input)),
            attr("shape", builder.getI32ArrayAttr(SmallVector<int32_t>(
                              shape.begin(), shape.end()))));
}

/// The elements of a constant in another order of dimensions.
static DenseElementsAttr transposed(DenseElementsAttr elements,
                                    Shape permutation, RankedTensorType type) {
  if (elements.isSplat())
    return elements.reshape(type);
  Shape from = elements.getType().getShape();
  int64_t rank = from.size();
  SmallVector<int64_t> strides(rank, 1), walk;
  for (int64_t dim = rank - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * from[dim + 1];
  for (int64_t source : permutation)
    walk.push_back(strides[source]);
  SmallVector<int64_t> index(rank, 0);
  int64_t source = 0;
  auto step = [&] {
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      source += walk[dim];
      if (++index[dim] < type.getShape()[dim])
        break;
      source -= index[dim] * walk[dim];
      index[dim] = 0;
    }
  };
  int64_t count = elements.getNumElements();
  // Eight elements of i1 may share a byte.
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> from(elements.getValues<bool>()), moved;
    for (int64_t i = 0; i < count; ++i, step())
      moved.push_back(from[source]);
    return DenseElementsAttr::get(type, moved);
  }
  ArrayRef<char> raw = elements.getRawData();
  int64_t size = raw.size() / count;
  std::vector<char> moved(raw.size());
  for (int64_t i = 0; i < count; ++i, step())
    std::memcpy(&moved[i * size], &raw[source * size], size);
  return DenseElementsAttr::getFromRawBuffer(type, moved);
}

Tensor GraphBuilder::permute(Value input, Shape permutation) {
  SmallVector<int64_t> shape, moved, extents;
  for (auto [position, source] : llvm::enumerate(permutation)) {
    shape.push_back(shapeOf(input)[source]);
    if (static_cast<int64_t>(position) != source)
      moved.push_back(position);
    if (shape.back() != 1)
      extents.push_back(source);
  }
  // Dimensions of extent 1 may go anywhere without a move of data.
  if (llvm::is_sorted(extents))
    return reshape(input, shape);
  auto type = RankedTensorType::get(shape, elementOf(input));
  if (DenseElementsAttr elements = elementsOf(input))
    return constant(transposed(elements, permutation, type));
  if (moved.size() == 2)
    return op("transpose", input, type,
              {si32("dim0", moved[0]), si32("dim1", moved[1])});
  return op("permute", input, type,
            attr("permutation", builder.getDenseI64ArrayAttr(permutation)));
}

Tensor GraphBuilder::broadcast(Value input, Shape shape) {
  if (shapeOf(input) == shape)
    return mlir::cast<Tensor>(input);
  SmallVector<int64_t> padded(shape.size() - typeOf(input).getRank(), 1);
  llvm::append_range(padded, shapeOf(input));
  auto type = RankedTensorType::get(shape, elementOf(input));
  if (DenseElementsAttr elements = elementsOf(input);
      elements && elements.isSplat())
    return constant(elements.resizeSplat(type));
  Value full = reshape(input, padded);
  return op("broadcast", full, type,
            attr("dimension", builder.getI64ArrayAttr(range(shape.size()))));
}

Tensor GraphBuilder::reduce(StringRef name, Value input, Shape dims,
                            bool keepDim) {
  SmallVector<int64_t> shape;
  SmallVector<int32_t> dimArg(dims.begin(), dims.end());
  for (auto [dim, extent] : llvm::enumerate(shapeOf(input))) {
    bool reduced = llvm::is_contained(dims, static_cast<int64_t>(dim));
    if (!reduced)
      shape.push_back(extent);
    else if (keepDim)
      shape.push_back(1);
  }
  // A tensor has at least one dimension.
  if (shape.empty())
    shape.push_back(1);
  return op(name, input, RankedTensorType::get(shape, elementOf(input)),
            {attr("keep_dim", builder.getBoolAttr(keepDim)),
             attr("dim_arg", builder.getI32ArrayAttr(dimArg))});
}

static DenseI32ArrayAttr toI32(OpBuilder &builder, Shape values) {
  return builder.getDenseI32ArrayAttr(
      SmallVector<int32_t>(values.begin(), values.end()));
}

static ArrayAttr toI32List(OpBuilder &builder, Shape values) {
  return builder.getI32ArrayAttr(
      SmallVector<int32_t>(values.begin(), values.end()));
}

Tensor GraphBuilder::slice(Value input, Shape begins, Shape ends, Shape steps) {
  SmallVector<int64_t> shape;
  for (auto [begin, end, step] : llvm::zip_equal(begins, ends, steps))
    shape.push_back((end - begin + step - 1) / step);
  if (shapeOf(input) == Shape(shape))
    return mlir::cast<Tensor>(input);
  return op("slice", input, RankedTensorType::get(shape, elementOf(input)),
            {attr("begins", toI32List(builder, begins)),
             attr("ends", toI32List(builder, ends)),
             attr("step", toI32List(builder, steps))});
}

Tensor GraphBuilder::pad(Value input, Shape low, Shape high, double value) {
  SmallVector<int64_t> shape, padding;
  for (auto [extent, before, after] :
       llvm::zip_equal(shapeOf(input), low, high)) {
    shape.push_back(before + extent + after);
    padding.append({before, after});
  }
  if (shapeOf(input) == Shape(shape))
    return mlir::cast<Tensor>(input);
  return op("pad", input, RankedTensorType::get(shape, elementOf(input)),
            {attr("padding", toI32(builder, padding)),
             attr("value", builder.getF32FloatAttr(value))});
}

Tensor GraphBuilder::concat(ValueRange inputs, int64_t dim) {
  if (inputs.size() == 1)
    return mlir::cast<Tensor>(inputs.front());
  SmallVector<int64_t> shape(shapeOf(inputs.front()));
  shape[dim] = 0;
  for (Value input : inputs)
    shape[dim] += shapeOf(input)[dim];
  return op("concat", inputs,
            RankedTensorType::get(shape, elementOf(inputs.front())),
            si32("dim", dim));
}

Tensor GraphBuilder::matmul(Value a, Value b, Type element, bool transposeA,
                            bool transposeB) {
  SmallVector<int64_t> shape(shapeOf(a).drop_back(2));
  shape.push_back(transposeA ? shapeOf(a).back() : shapeOf(a).end()[-2]);
  shape.push_back(transposeB ? shapeOf(b).end()[-2] : shapeOf(b).back());
  SmallVector<NamedAttribute> attributes;
  if (transposeA)
    attributes.push_back(attr("transpose_a", builder.getBoolAttr(true)));
  if (transposeB)
    attributes.push_back(attr("transpose_b", builder.getBoolAttr(true)));
  return op("matmul", {a, b}, RankedTensorType::get(shape, element),
            attributes);
}

Tensor GraphBuilder::take(Value input, int64_t dim, Value indices) {
  SmallVector<int64_t> shape(shapeOf(input)), sizes(shapeOf(input)), offsets;
  shape[dim] = shapeOf(indices).front();
  sizes[dim] = 1;
  for (int64_t other : range(shape.size()))
    if (other != dim)
      offsets.push_back(other);
  auto array = [&](Shape values) {
    return builder.getDenseI64ArrayAttr(values);
  };
  auto si64 = builder.getIntegerType(64, true);
  return op("gather", {input, indices},
            RankedTensorType::get(shape, elementOf(input)),
            {attr("offset_dims", array(offsets)),
             attr("collapsed_slice_dims", array(dim)),
             attr("operand_batching_dims", array({})),
             attr("start_indices_batching_dims", array({})),
             attr("start_index_map", array(dim)),
             attr("index_vector_dim", builder.getIntegerAttr(si64, 1)),
             attr("slice_sizes", array(sizes))});
}

Tensor GraphBuilder::iota(int64_t count) {
  OperationState state(loc, "ttir.arange");
  state.addTypes(RankedTensorType::get(count, getIndexType()));
  auto si64 = builder.getIntegerType(64, true);
  state.addAttribute("start", builder.getIntegerAttr(si64, 0));
  state.addAttribute("end", builder.getIntegerAttr(si64, count));
  state.addAttribute("step", builder.getIntegerAttr(si64, 1));
  state.addAttribute("arange_dimension", builder.getI64IntegerAttr(0));
  return mlir::cast<Tensor>(builder.create(state)->getResult(0));
}

Tensor GraphBuilder::ignoringNaN(StringRef name, Value a, Value b) {
  Value both = eltwise(name, {a, b});
  return select(isNaN(a), b, select(isNaN(b), a, both));
}

} // namespace mlir::tt::graph
