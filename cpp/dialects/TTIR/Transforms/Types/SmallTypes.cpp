//===- SmallTypes.cpp - floats of up to 8 bits, integers of 2 and 4 bits --===//

#include "dialects/TTIR/Transforms/Types/SmallTypes.h"

#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace mlir::tt::ttir {

using llvm::APFloat;

bool isSmallFloat(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 8;
}

static bool isSmallInteger(Type element) {
  return element.isInteger(2) || element.isInteger(4);
}

bool isSmall(Type element) {
  return isSmallFloat(element) || isSmallInteger(element);
}

/// Whether all elements of the results are elements of the operands or
/// constants of the program.
static bool givesWhatItHas(Operation *op) {
  if (!isa<TTIRDialect>(op->getDialect()))
    return true;
  return llvm::StringSwitch<bool>(op->getName().stripDialect())
      .Cases({"typecast", "constant", "fill", "full", "zeros", "ones"}, true)
      .Cases({"transpose", "permute", "reshape", "squeeze", "unsqueeze",
              "broadcast", "repeat", "repeat_interleave", "concat", "slice",
              "slice_dynamic", "pad", "reverse"},
             true)
      .Cases({"gather", "gather_dim", "embedding", "index", "index_select",
              "dynamic_slice", "dynamic_update_slice", "update_slice",
              "to_layout", "rearrange", "where", "sort", "topk"},
             true)
      .Cases({"max", "min", "maximum", "minimum", "max_pool2d"}, true)
      .Cases({"all_gather", "all_to_all", "mesh_shard", "mesh_partition",
              "collective_permute", "collective_broadcast", "variable",
              "load_variable", "store_variable", "update_cache", "fill_cache"},
             true)
      .Default(op->getNumRegions() != 0);
}

LogicalResult checkSmall(Operation *op) {
  if (givesWhatItHas(op))
    return success();
  for (Type type : op->getResultTypes())
    if (isSmall(getElementTypeOrSelf(type)))
      return op->emitOpError("computes ")
             << type
             << ", whose elements can only be stored; expected a result with "
                "wider elements and a typecast";
  return success();
}

DenseElementsAttr widenElements(DenseElementsAttr dense,
                                RankedTensorType type) {
  SmallVector<Attribute> numbers;
  auto element = dyn_cast<FloatType>(type.getElementType());
  auto add = [&](Attribute number) {
    if (auto real = dyn_cast<FloatAttr>(number)) {
      APFloat value = real.getValue();
      bool isInexact = false;
      value.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &isInexact);
      numbers.push_back(FloatAttr::get(element, value));
      return;
    }
    auto integer = cast<IntegerAttr>(number);
    bool isSigned = type.getElementType().isSignedInteger();
    const llvm::APInt &value = integer.getValue();
    numbers.push_back(IntegerAttr::get(
        type.getElementType(), isSigned ? value.sext(8) : value.zext(8)));
  };
  if (dense.isSplat())
    add(dense.getSplatValue<Attribute>());
  else
    for (Attribute number : dense.getValues<Attribute>())
      add(number);
  return DenseElementsAttr::get(type, numbers);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

namespace {

constexpr uint32_t kSignBit = 1u << 31, kExponentBits = 0x7F800000;

/// Rounds f32 numbers to a smaller format.
class Rounding {
public:
  Rounding(graph::GraphBuilder &b, FloatType type, Value input)
      : b(b), format(type.getFloatSemantics()),
        f32(b.getBuilder().getF32Type()),
        word(b.getBuilder().getIntegerType(32, /*isSigned=*/false)),
        input(b.cast(input, f32)) {}

  Value run() {
    Value whole = bits(input, word);
    Value magnitude = b.eltwise("bitwise_and", {whole, integer(~kSignBit)});
    Value size = bits(magnitude, f32);
    Value found = APFloat::semanticsHasZero(format) ? rounded(magnitude, size)
                                                    : power(magnitude);
    if (!APFloat::semanticsHasSignedRepr(format)) {
      // The format has NaN in place of negative numbers, including minus zero.
      Value isNegative = b.predicate(
          "ne",
          {b.eltwise("bitwise_and", {whole, integer(kSignBit)}), integer(0)});
      return b.select(isNegative, nan(), found);
    }
    Value sign = b.eltwise("bitwise_and", {whole, integer(kSignBit)});
    Value isNegative = b.predicate("ne", {sign, integer(0)});
    if (hasNoMinusZero())
      isNegative = b.eltwise(
          "logical_and", {isNegative, b.predicate("ne", {found, number(0)})});
    // A negation keeps the bits of NaN and of 0.
    Value negative = bits(
        b.eltwise("bitwise_or", {bits(found, word), integer(kSignBit)}), f32);
    return b.select(isNegative, negative, found);
  }

private:
  Value bits(Value x, Type to) {
    return b.op("bitcast_convert", x,
                RankedTensorType::get(graph::shapeOf(x), to));
  }
  Value integer(uint32_t value) { return b.scalar(value, word); }
  Value number(double value) { return b.scalar(value, f32); }
  Value nan() {
    return b.constant(
        DenseElementsAttr::get(RankedTensorType::get({1}, f32),
                               APFloat::getNaN(APFloat::IEEEsingle())));
  }
  Value infinity() {
    return b.constant(
        DenseElementsAttr::get(RankedTensorType::get({1}, f32),
                               APFloat::getInf(APFloat::IEEEsingle())));
  }
  static double toDouble(APFloat value) {
    bool isInexact = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &isInexact);
    return value.convertToDouble();
  }
  /// Whether the bits of minus zero are NaN.
  bool hasNoMinusZero() const {
    return APFloat::getZero(format, /*Negative=*/true).isPosZero();
  }

  /// Adding and subtracting 1.5 * 2^23 units in the last place rounds to the
  /// nearest multiple of the unit. Denormals have the unit of the least normal
  /// number.
  Value rounded(Value magnitude, Value size) {
    int precision = static_cast<int>(APFloat::semanticsPrecision(format));
    double least = std::ldexp(1.0, APFloat::semanticsMinExponent(format));
    Value exponent = bits(
        b.eltwise("bitwise_and", {magnitude, integer(kExponentBits)}), f32);
    Value unit = b.eltwise("maximum", {exponent, number(least)});
    // The exponent of infinity is large enough that sums stay in range.
    double large = std::ldexp(1.0, 64);
    unit = b.eltwise("minimum", {unit, number(large)});
    Value offset = b.eltwise(
        "multiply", {unit, number(std::ldexp(1.5, 23 - (precision - 1)))});
    Value found =
        b.eltwise("subtract", {b.eltwise("add", {size, offset}), offset});
    double greatest = toDouble(APFloat::getLargest(format));
    Value isBeyond = b.predicate("gt", {found, number(greatest)});
    Value beyond = APFloat::semanticsHasInf(format)   ? infinity()
                   : APFloat::semanticsHasNaN(format) ? nan()
                                                      : number(greatest);
    found = b.select(isBeyond, beyond, found);
    if (!APFloat::semanticsHasNaN(format))
      return found;
    Value isNaN = b.predicate("gt", {magnitude, integer(kExponentBits)});
    return b.select(isNaN, nan(), found);
  }

  /// The nearest power of two, with ties to the greater one; there is no 0.
  Value power(Value magnitude) {
    Value half = integer(1u << 22);
    Value up = b.eltwise("add", {magnitude, half});
    Value masked = b.eltwise("bitwise_and", {up, integer(kExponentBits)});
    // The least power, 2^-127, is denormal in f32; the next one is 2^-126.
    Value isLeast = b.predicate("lt", {magnitude, integer((1u << 22) + 1)});
    Value found = bits(b.select(isLeast, integer(1u << 22), masked), f32);
    Value isBeyond =
        b.predicate("ge", {magnitude, integer(kExponentBits - (1u << 22))});
    Value isZero = b.predicate("eq", {magnitude, integer(0)});
    return b.select(b.eltwise("logical_or", {isBeyond, isZero}), nan(), found);
  }

  graph::GraphBuilder &b;
  const llvm::fltSemantics &format;
  Type f32, word;
  Value input;
};

/// The lower bits, sign-extended if the type is signed.
Value wrapped(graph::GraphBuilder &b, Value input, IntegerType type,
              Type stored) {
  Type i32 = b.getBuilder().getIntegerType(32, /*isSigned=*/true);
  int64_t sign = int64_t(1) << (type.getWidth() - 1);
  Value low = b.eltwise("bitwise_and",
                        {b.cast(input, i32), b.scalar(2 * sign - 1, i32)});
  if (type.isSigned())
    low = b.eltwise("subtract",
                    {b.eltwise("bitwise_xor", {low, b.scalar(sign, i32)}),
                     b.scalar(sign, i32)});
  return b.cast(low, stored);
}

} // namespace

Value expandSmallCast(OpBuilder &builder, Operation *op,
                      llvm::function_ref<RankedTensorType(Value)> sourceOf) {
  auto cast = dyn_cast<TypecastOp>(op);
  if (!cast)
    return {};
  Value input = op->getOperand(0), result = op->getResult(0);
  Type from = sourceOf(input).getElementType(),
       to = sourceOf(result).getElementType();
  if (!isSmall(to) || from == to || from.isInteger(1))
    return {};
  graph::GraphBuilder b(builder, op->getLoc());
  Type stored = getElementTypeOrSelf(result);
  if (auto integer = dyn_cast<IntegerType>(to))
    return wrapped(b, input, integer, stored);
  // The format cannot represent all integers of 4 bits and more.
  return b.cast(Rounding(b, llvm::cast<FloatType>(to), input).run(), stored);
}

} // namespace mlir::tt::ttir
