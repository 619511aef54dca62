//===- ElementwiseRules.cpp - functions of elements and constants --------===//

#include "conversion/TodayToTTIR/Call.h"
#include "conversion/TodayToTTIR/Rules.h"

#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Traits.h"

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

/// Whether tensors broadcast; refuses those that do not.
static bool broadcasts(Call &call, ValueRange inputs) {
  SmallVector<int64_t> shape;
  for (Value input : inputs) {
    SmallVector<int64_t> joined;
    if (!OpTrait::util::getBroadcastedShape(shape, shapeOf(input), joined)) {
      (void)call.refuse("its operands do not broadcast to one shape");
      return false;
    }
    shape = joined;
  }
  return true;
}

LogicalResult rules::clampTensor(Call &call) {
  Tensor input = call.in("input"), min = call.in("min"), max = call.in("max");
  if (!broadcasts(call, {input, min, max}))
    return failure();
  Tensor low = call.builder.eltwise("maximum", {input, min});
  return call.give(call.builder.eltwise("minimum", {low, max}));
}

namespace {

/// Arithmetic on tensors in f32.
class Arithmetic {
public:
  explicit Arithmetic(Call &call)
      : call(call), f32(Float32Type::get(call.import.getContext())) {}

  Tensor widen(Value value) { return call.builder.cast(value, f32); }
  Tensor add(Value a, Value b) { return call.builder.eltwise("add", {a, b}); }
  Tensor add(Value a, double b) { return add(a, numberFor(call, b, a)); }
  Tensor mul(Value a, Value b) {
    return call.builder.eltwise("multiply", {a, b});
  }
  Tensor mul(Value a, double b) { return mul(a, numberFor(call, b, a)); }
  Tensor one(StringRef name, Value a) { return call.builder.eltwise(name, a); }
  Tensor two(StringRef name, Value a, Value b) {
    return call.builder.eltwise(name, {a, b});
  }

private:
  Call &call;
  Type f32;
};

} // namespace

LogicalResult rules::geluBackward(Call &call) {
  StringRef approximate = call.text("approximate");
  if (approximate != "none" && approximate != "tanh")
    return call.refuse("approximate: expected none or tanh, found " +
                       approximate);
  if (!broadcasts(call, {call.in("lhs"), call.in("rhs")}))
    return failure();
  Arithmetic f(call);
  Tensor gradient = f.widen(call.in("lhs")), x = f.widen(call.in("rhs"));
  Tensor slope;
  if (approximate == "none") {
    // The normal distribution, and x times its density.
    Tensor below =
        f.mul(f.add(f.one("erf", f.mul(x, std::sqrt(0.5))), 1.0), 0.5);
    Tensor density =
        f.mul(f.one("exp", f.mul(f.mul(x, x), -0.5)), 1 / std::sqrt(2 * M_PI));
    slope = f.add(below, f.mul(x, density));
  } else {
    double scale = std::sqrt(2 / M_PI), cube = 0.044715;
    Tensor square = f.mul(x, x);
    Tensor t =
        f.one("tanh", f.mul(f.mul(x, f.add(f.mul(square, cube), 1.0)), scale));
    Tensor inner = f.mul(f.add(f.mul(square, 3 * cube), 1.0), 0.5 * scale);
    Tensor rise = f.add(f.mul(f.mul(t, t), -1.0), 1.0);
    slope = f.add(f.mul(f.add(t, 1.0), 0.5), f.mul(f.mul(x, rise), inner));
  }
  return call.give(f.mul(gradient, slope));
}
