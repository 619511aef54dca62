#include "conversion/Frontend/Limits.h"
#include "conversion/Frontend/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::tt::frontend {

namespace {

LogicalResult convertConstant(arith::ConstantOp op, Translator &translator) {
  DenseElementsAttr value =
      translator.convert(cast<ElementsAttr>(op.getValue()));
  if (!value)
    return op.emitOpError("cannot be expressed in TTIR: expected dense "
                          "elements, found ")
           << op.getValue();
  return translator.set(op.getResult(), translator.graph().constant(value));
}

/// A cast between static types changes nothing.
LogicalResult convertCast(tensor::CastOp op, Translator &translator) {
  return translator.set(op.getResult(), translator.get(op.getSource()));
}

LogicalResult convertReshape(Operation *op, Translator &translator) {
  Value result = op->getResult(0);
  return translator.set(result, translator.graph().reshape(
                                    translator.get(op->getOperand(0)),
                                    translator.resultType(result).getShape()));
}

LogicalResult convertConcat(tensor::ConcatOp op, Translator &translator) {
  return translator.set(
      op.getResult(),
      translator.graph().concat(translator.get(op.getInputs()), op.getDim()));
}

LogicalResult convertSplat(tensor::SplatOp op, Translator &translator) {
  return fillWith(op, op.getInput(), translator);
}

/// A number that whole tensors are computed with.
LogicalResult convertExtract(tensor::ExtractOp op, Translator &translator) {
  if (op.getTensor().getType().getNumElements() != 1)
    return op.emitOpError("cannot be expressed in TTIR: expected a tensor of "
                          "one element, found ")
           << op.getTensor().getType();
  Value source = translator.get(op.getTensor());
  translator.setNumber(op.getResult(), translator.graph().reshape(source, {1}));
  return success();
}

LogicalResult convertFromElements(tensor::FromElementsOp op,
                                  Translator &translator) {
  SmallVector<Attribute> elements;
  for (Value element : op.getElements()) {
    Attribute value;
    if (!matchPattern(element, m_Constant(&value)))
      return op.emitOpError("cannot be expressed in TTIR: expected constants "
                            "as its elements");
    elements.push_back(value);
  }
  DenseElementsAttr value =
      translator.convert(DenseElementsAttr::get(op.getType(), elements));
  return translator.set(op.getResult(), translator.graph().constant(value));
}

LogicalResult convertPad(tensor::PadOp op, Translator &translator) {
  Value padding = op.getConstantPaddingValue();
  std::optional<double> value = padding ? constantSplat(padding) : std::nullopt;
  auto low = constantList(op.getStaticLow(), op.getLow());
  auto high = constantList(op.getStaticHigh(), op.getHigh());
  if (!value || !low || !high ||
      llvm::any_of(*low, [](int64_t n) { return n < 0; }) ||
      llvm::any_of(*high, [](int64_t n) { return n < 0; }))
    return op.emitOpError("cannot be expressed in TTIR: expected a constant "
                          "value and constant paddings of at least 0");
  Value source = translator.get(op.getSource());
  if (!canPadWith(*value, elementOf(source)))
    return op.emitOpError("cannot be expressed in TTIR: expected a border that "
                          "an f32 holds, found ")
           << static_cast<int64_t>(*value);
  if (low->empty())
    return translator.set(op.getResult(), source);
  return translator.set(op.getResult(),
                        translator.graph().pad(source, *low, *high, *value));
}

/// Offsets, sizes and strides of a slice, all constant.
struct Region {
  SmallVector<int64_t> offsets, sizes, strides;
};

template <typename OpT> FailureOr<Region> readRegion(OpT op) {
  auto offsets = constantList(op.getStaticOffsets(), op.getOffsets());
  auto sizes = constantList(op.getStaticSizes(), op.getSizes());
  auto strides = constantList(op.getStaticStrides(), op.getStrides());
  if (!offsets || !sizes || !strides)
    return op.emitOpError("cannot be expressed in TTIR: expected constant "
                          "offsets, sizes and strides");
  if (llvm::any_of(*strides, [](int64_t stride) { return stride < 1; }))
    return op.emitOpError("cannot be expressed in TTIR: expected strides of at "
                          "least 1");
  return Region{*offsets, *sizes, *strides};
}

LogicalResult convertExtractSlice(tensor::ExtractSliceOp op,
                                  Translator &translator) {
  FailureOr<Region> region = readRegion(op);
  if (failed(region))
    return failure();
  GraphBuilder &graph = translator.graph();
  Value source = translator.get(op.getSource());
  if (!region->offsets.empty()) {
    SmallVector<int64_t> ends;
    for (auto [offset, size, stride] :
         llvm::zip_equal(region->offsets, region->sizes, region->strides))
      ends.push_back(offset + (size - 1) * stride + 1);
    source = graph.slice(source, region->offsets, ends, region->strides);
  }
  return translator.set(
      op.getResult(),
      graph.reshape(source, translator.resultType(op.getResult()).getShape()));
}

/// The destination with a block replaced: what is around the block is
/// concatenated with it, one dimension after the other, the innermost first.
LogicalResult convertInsertSlice(tensor::InsertSliceOp op,
                                 Translator &translator) {
  FailureOr<Region> region = readRegion(op);
  if (failed(region))
    return failure();
  if (llvm::any_of(region->strides, [](int64_t n) { return n != 1; }))
    return op.emitOpError("cannot be expressed in TTIR: expected strides of "
                          "1");
  GraphBuilder &graph = translator.graph();
  Value destination = translator.get(op.getDest());
  Value block = translator.get(op.getSource());
  if (region->sizes.empty())
    return translator.set(op.getResult(), block);
  block = graph.reshape(block, region->sizes);
  SmallVector<int64_t> begins = region->offsets, ends;
  for (auto [offset, size] : llvm::zip_equal(region->offsets, region->sizes))
    ends.push_back(offset + size);
  SmallVector<int64_t> steps(begins.size(), 1);
  for (int64_t dim = begins.size() - 1; dim >= 0; --dim) {
    int64_t begin = begins[dim], end = ends[dim];
    int64_t extent = shapeOf(destination)[dim];
    SmallVector<Value> parts;
    if (begin > 0) {
      begins[dim] = 0, ends[dim] = begin;
      parts.push_back(graph.slice(destination, begins, ends, steps));
    }
    parts.push_back(block);
    if (end < extent) {
      begins[dim] = end, ends[dim] = extent;
      parts.push_back(graph.slice(destination, begins, ends, steps));
    }
    block = graph.concat(parts, dim);
    begins[dim] = 0, ends[dim] = extent;
  }
  return translator.set(op.getResult(), block);
}

} // namespace

LogicalResult fillWith(Operation *op, Value number, Translator &translator) {
  Value result = op->getResult(0);
  RankedTensorType type = translator.resultType(result);
  GraphBuilder &graph = translator.graph();
  if (std::optional<double> value = constantSplat(number))
    return translator.set(result, graph.splat(*value, type));
  if (Value known = translator.lookup(number))
    return translator.set(result, graph.broadcast(known, type.getShape()));
  return op->emitOpError("cannot be expressed in TTIR: expected a constant as "
                         "its input");
}

void addTensorRules(Rules &rules) {
  rules.add<arith::ConstantOp>(typed<arith::ConstantOp, convertConstant>);
  rules.add<tensor::CastOp>(typed<tensor::CastOp, convertCast>);
  rules.add<tensor::ReshapeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
      convertReshape, /*parametersFrom=*/1);
  rules.add<tensor::ConcatOp>(typed<tensor::ConcatOp, convertConcat>);
  rules.add<tensor::SplatOp>(typed<tensor::SplatOp, convertSplat>);
  rules.add<tensor::FromElementsOp>(
      typed<tensor::FromElementsOp, convertFromElements>);
  rules.add<tensor::PadOp>(typed<tensor::PadOp, convertPad>);
  rules.add<tensor::ExtractSliceOp>(
      typed<tensor::ExtractSliceOp, convertExtractSlice>);
  rules.add<tensor::InsertSliceOp>(
      typed<tensor::InsertSliceOp, convertInsertSlice>);
  rules.reject<tensor::DimOp, tensor::RankOp>(
      "a size is a number, expected tensors");
  rules.add<tensor::ExtractOp>(typed<tensor::ExtractOp, convertExtract>);
  rules.reject<tensor::InsertOp>(
      "it changes a single element, expected ops on whole tensors");
}

} // namespace mlir::tt::frontend
