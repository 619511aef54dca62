//===- ElementwiseRules.cpp - functions of elements and constants --------===//

#include "conversion/TodayToTTIR/Call.h"
#include "conversion/TodayToTTIR/Rules.h"

#include "dialects/TTIR/TTIR.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::today;
using graph::elementOf;
using graph::shapeOf;
using graph::Tensor;
using graph::typeOf;

/// One number that broadcasts to the shape of a tensor.
static Tensor numberFor(Call &call, double value, Value like) {
  SmallVector<int64_t> shape(typeOf(like).getRank() == 0 ? 0 : 1, 1);
  return call.builder.splat(value,
                            RankedTensorType::get(shape, elementOf(like)));
}

/// The same of an integer, which may be too long for a double.
static Tensor integerFor(Call &call, int64_t value, RankedTensorType type) {
  APInt bits(type.getElementType().getIntOrFloatBitWidth(), value,
             /*isSigned=*/true, /*implicitTrunc=*/true);
  return call.builder.constant(
      DenseElementsAttr::get(type, ArrayRef<APInt>(bits)));
}

static bool isExactInF32(double value) {
  return static_cast<double>(static_cast<float>(value)) == value;
}

LogicalResult rules::clampScalar(Call &call) {
  Tensor input = call.in("input");
  Builder builder(call.import.getContext());
  SmallVector<NamedAttribute> limits;
  bool isExact = true;
  auto valueOf = [&](StringRef name) {
    Attribute limit = call.attribute(name);
    double value = isa<FloatAttr>(limit)
                       ? cast<FloatAttr>(limit).getValueAsDouble()
                       : static_cast<double>(call.integer(name));
    isExact &= isExactInF32(value) || std::isnan(value);
    limits.push_back(builder.getNamedAttr(
        name, builder.getF32FloatAttr(static_cast<float>(value))));
    return value;
  };
  double max = valueOf("max"), min = valueOf("min");
  if (isExact || !isa<IntegerType>(elementOf(input)))
    return call.carry(limits, "clamp");
  auto limit = [&](StringRef name, double value) {
    if (isa<FloatAttr>(call.attribute(name)))
      return numberFor(call, value, input);
    SmallVector<int64_t> shape(typeOf(input).getRank() == 0 ? 0 : 1, 1);
    return integerFor(call, call.integer(name),
                      RankedTensorType::get(shape, elementOf(input)));
  };
  Tensor low = call.builder.eltwise("maximum", {input, limit("min", min)});
  return call.give(call.builder.eltwise("minimum", {low, limit("max", max)}));
}

/// `full`, or a constant where `full` has no value for the elements.
static LogicalResult fill(Call &call, double value,
                          std::optional<int64_t> whole = std::nullopt) {
  RankedTensorType type = call.types.front();
  OpBuilder &ops = call.builder.getBuilder();
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  if (!integer && !isa<FloatType>(type.getElementType()))
    return call.refuse("expected floats or integers");
  SmallVector<int64_t> shape = call.integers("shape");
  if (call.attribute("shape"))
    if (ArrayRef(shape) != type.getShape())
      return call.refuse("shape: expected the extents of its result");
  if (type.getRank() == 0 || type.getNumElements() == 0 ||
      (integer && (integer.getWidth() == 1 || !isExactInF32(value))) ||
      (type.getElementType().isF64() && !isExactInF32(value))) {
    call.results.assign(1, whole && integer ? integerFor(call, *whole, type)
                                            : call.builder.splat(value, type));
    return success();
  }
  SmallVector<int32_t> narrow(type.getShape().begin(), type.getShape().end());
  auto made = ttir::FullOp::create(ops, call.builder.getLoc(), type,
                                   ops.getDenseI32ArrayAttr(narrow),
                                   ops.getF32FloatAttr(value));
  call.results.assign(1, made.getResult());
  return success();
}

LogicalResult rules::full(Call &call) {
  Attribute value = call.attribute("fill_value");
  if (auto number = dyn_cast<FloatAttr>(value))
    return fill(call, number.getValueAsDouble());
  int64_t whole = call.integer("fill_value");
  return fill(call, static_cast<double>(whole), whole);
}

LogicalResult rules::ones(Call &call) { return fill(call, 1); }
LogicalResult rules::zeros(Call &call) { return fill(call, 0); }
LogicalResult rules::constant(Call &call) {
  auto value = dyn_cast<DenseElementsAttr>(call.attribute("value"));
  if (!value || value.getType() != call.types.front())
    return call.refuse("value: expected elements of its result");
  call.results.assign(1, call.builder.constant(value));
  return success();
}

LogicalResult rules::empty(Call &call) {
  return call.refuse("expected it without operands");
}

LogicalResult rules::toLayout(Call &call) {
  if (call.types.empty())
    return call.refuse("expected tensors");
  return call.give(call.in("input"));
}
