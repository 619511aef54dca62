#include "conversion/SCFToTT/Numbers.h"

#include "conversion/Frontend/Translator.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinDialect.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt {

bool Numbers::isTranslated(Operation *op) {
  if (isa<arith::ConstantOp, tensor::ExtractOp, tensor::InsertOp,
          tensor::FromElementsOp, tensor::SplatOp, tensor::DimOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect, BuiltinDialect>(
             op->getDialect()) &&
         (llvm::any_of(op->getOperandTypes(), isNumber) ||
          llvm::any_of(op->getResultTypes(), isNumber));
}

SmallVector<Value> Numbers::get(ValueRange values) const {
  return llvm::map_to_vector(values, [&](Value v) { return get(v); });
}

Type Numbers::convert(Type type) const {
  if (!isNumber(type))
    return type;
  Type element = type;
  if (type.isIndex())
    element = graph.getIndexType();
  else if (type.isSignlessInteger() && !type.isInteger(1))
    element = IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth(),
                               IntegerType::Signed);
  return RankedTensorType::get({1}, element);
}

Value Numbers::withElement(Value tensor, Type element) {
  Type from = graph::elementOf(tensor);
  bool keepsBits =
      from.isInteger() && element.isInteger() && from != element &&
      from.getIntOrFloatBitWidth() <= 32 &&
      from.getIntOrFloatBitWidth() == element.getIntOrFloatBitWidth();
  if (!keepsBits)
    return graph.cast(tensor, element);
  return graph.op("bitcast_convert", tensor,
                  RankedTensorType::get(graph::shapeOf(tensor), element));
}

Value Numbers::constant(Attribute number, Type type) {
  auto tensor = cast<RankedTensorType>(convert(type));
  Type element = tensor.getElementType();
  if (auto integer = dyn_cast<IntegerAttr>(number))
    return graph.constant(DenseElementsAttr::get(
        tensor,
        integer.getValue().sextOrTrunc(element.getIntOrFloatBitWidth())));
  return graph.constant(
      DenseElementsAttr::get(tensor, cast<FloatAttr>(number).getValue()));
}

Value Numbers::flatten(Value tensor) {
  int64_t count = graph::typeOf(tensor).getNumElements();
  if (graph::shapeOf(tensor) == ArrayRef<int64_t>{count})
    return tensor;
  return graph.reshape(tensor, {count});
}

Value Numbers::getPlace(RankedTensorType type, ValueRange indices) {
  Type element = graph.getIndexType();
  Value place;
  int64_t known = 0, stride = 1;
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    if (std::optional<int64_t> index = getConstantIntValue(indices[d])) {
      known += *index * stride;
    } else {
      Value step = graph.cast(get(indices[d]), element);
      if (stride != 1)
        step = graph.eltwise(
            "multiply", {step, constant(graph.getBuilder().getIndexAttr(stride),
                                        graph.getBuilder().getIndexType())});
      place = place ? Value(graph.eltwise("add", {place, step})) : step;
    }
    stride *= type.getDimSize(d);
  }
  if (place && known == 0)
    return place;
  Value offset = constant(graph.getBuilder().getIndexAttr(known),
                          graph.getBuilder().getIndexType());
  return place ? Value(graph.eltwise("add", {place, offset})) : offset;
}

Value Numbers::translateExtract(Operation *op) {
  auto extract = cast<tensor::ExtractOp>(op);
  Value flat = flatten(get(extract.getTensor()));
  RankedTensorType type = extract.getTensor().getType();
  Type element =
      cast<RankedTensorType>(convert(extract.getType())).getElementType();
  if (type.getNumElements() == 1)
    return withElement(flat, element);
  SmallVector<int64_t> indices;
  for (Value index : extract.getIndices())
    if (std::optional<int64_t> known = getConstantIntValue(index))
      indices.push_back(*known);
  if (static_cast<int64_t>(indices.size()) != type.getRank())
    return withElement(
        graph.take(flat, 0, getPlace(type, extract.getIndices())), element);
  int64_t place = 0;
  for (auto [index, extent] : llvm::zip(indices, type.getShape()))
    place = place * extent + index;
  if (place < 0 || place >= type.getNumElements()) {
    op->emitOpError("expected an element of ") << type;
    return nullptr;
  }
  return withElement(graph.slice(flat, {place}, {place + 1}, {1}), element);
}

Value Numbers::translateInsert(Operation *op) {
  auto insert = cast<tensor::InsertOp>(op);
  RankedTensorType type = insert.getDest().getType();
  Value flat = flatten(get(insert.getDest()));
  Value scalar = withElement(get(insert.getScalar()), type.getElementType());
  if (type.getNumElements() > 1) {
    Value isHere = graph.predicate("eq", {graph.iota(type.getNumElements()),
                                          getPlace(type, insert.getIndices())});
    scalar = graph.select(isHere, scalar, flat);
  }
  return type.getRank() == 1 ? scalar
                             : Value(graph.reshape(scalar, type.getShape()));
}

Value Numbers::translateElements(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> parts;
  for (Value operand : op->getOperands())
    parts.push_back(withElement(get(operand), type.getElementType()));
  Value all = parts.front();
  if (isa<tensor::SplatOp>(op) && type.getNumElements() > 1)
    return graph.broadcast(
        graph.reshape(all, SmallVector<int64_t>(type.getRank(), 1)),
        type.getShape());
  if (parts.size() > 1)
    all = graph.concat(parts, 0);
  return type.getRank() == 1 ? all : Value(graph.reshape(all, type.getShape()));
}

LogicalResult Numbers::translate(Operation *op) {
  graph.getBuilder().setInsertionPoint(op);
  graph.setLoc(op->getLoc());
  if (op->getNumResults() != 1)
    return op->emitOpError("takes or gives numbers: expected ops of arith, "
                           "math, scf and tensor with one result");
  Value result = op->getResult(0);
  Value now =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](arith::ConstantOp constant) -> Value {
            if (auto elements =
                    dyn_cast<DenseElementsAttr>(constant.getValue()))
              return graph.constant(elements);
            if (isNumber(constant.getType()))
              return this->constant(constant.getValue(), constant.getType());
            op->emitOpError("expected a number or dense elements");
            return nullptr;
          })
          .Case<tensor::ExtractOp>([&](auto) { return translateExtract(op); })
          .Case<tensor::InsertOp>([&](auto) { return translateInsert(op); })
          .Case<tensor::FromElementsOp, tensor::SplatOp>(
              [&](auto) { return translateElements(op); })
          .Case([&](tensor::DimOp dim) -> Value {
            std::optional<int64_t> index = dim.getConstantIndex();
            auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
            if (!index || !type || type.isDynamicDim(*index)) {
              op->emitOpError("expected a constant dimension of a "
                              "static shape");
              return nullptr;
            }
            return constant(
                graph.getBuilder().getIndexAttr(type.getDimSize(*index)),
                result.getType());
          })
          .Case<UnrealizedConversionCastOp>([&](auto) -> Value {
            auto type = cast<RankedTensorType>(convert(result.getType()));
            return withElement(get(op->getOperand(0)), type.getElementType());
          })
          .Default([&](Operation *) -> Value {
            if (!isa<arith::ArithDialect, math::MathDialect>(
                    op->getDialect()) ||
                !isNumber(result.getType())) {
              op->emitOpError("takes or gives numbers: expected "
                              "tensors, or an op of arith, math or "
                              "tensor on numbers");
              return nullptr;
            }
            Type type = convert(result.getType());
            return frontend::translateScalar(
                op, get(op->getOperands()),
                cast<RankedTensorType>(type).getElementType(), graph);
          });
  if (!now)
    return failure();
  set(result, now);
  if (!isNumber(result.getType()))
    result.replaceAllUsesWith(now);
  return success();
}

} // namespace mlir::tt
