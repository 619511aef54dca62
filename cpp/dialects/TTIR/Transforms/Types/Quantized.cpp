//===- Quantized.cpp - ops on quantized tensors as ops on their integers --===//

#include "dialects/TTIR/Transforms/Types/Quantized.h"

#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace mlir::tt::ttir {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type getStorage(quant::QuantizedType type) {
  if (!isa<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
          type))
    return {};
  unsigned width = type.getStorageTypeIntegralWidth();
  if (width != 8 && width != 16 && width != 32)
    return {};
  return IntegerType::get(type.getContext(), width,
                          type.isSigned() ? IntegerType::Signed
                                          : IntegerType::Unsigned);
}

namespace {

/// Scales and zero points of a type: one, or one for each place along an axis.
struct Parameters {
  SmallVector<float> scales, zeros;
  std::optional<int64_t> axis;
  /// f32 does not hold all of 32 bits.
  double least = 0, greatest = 0;

  static std::optional<Parameters> of(Type element) {
    Parameters result;
    auto type = dyn_cast<quant::QuantizedType>(element);
    if (!type || !getStorage(type))
      return std::nullopt;
    if (auto tensor = dyn_cast<quant::UniformQuantizedType>(type)) {
      result.scales = {static_cast<float>(tensor.getScale())};
      result.zeros = {static_cast<float>(tensor.getZeroPoint())};
    } else {
      auto axis = cast<quant::UniformQuantizedPerAxisType>(type);
      result.scales.assign(axis.getScales().begin(), axis.getScales().end());
      result.zeros.assign(axis.getZeroPoints().begin(),
                          axis.getZeroPoints().end());
      result.axis = axis.getQuantizedDimension();
    }
    result.least = type.getStorageTypeMin();
    result.greatest = type.getStorageTypeMax();
    return result;
  }

  bool isSymmetric() const {
    return llvm::all_of(zeros, [](float zero) { return zero == 0; });
  }
};

Type elementOf(Type type) { return getElementTypeOrSelf(type); }

bool isQuantized(Type type) {
  return isa<quant::QuantizedType>(elementOf(type));
}

/// Ops whose elements are those of their inputs.
bool movesElements(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().stripDialect())
      .Cases({"transpose", "permute", "reshape", "squeeze", "unsqueeze",
              "broadcast", "repeat", "concat", "slice", "pad"},
             true)
      .Cases({"gather", "gather_dim", "embedding", "where", "reverse", "index",
              "index_select", "repeat_interleave", "dynamic_slice",
              "dynamic_update_slice", "slice_dynamic"},
             true)
      .Cases({"max_pool2d", "max", "min", "maximum", "minimum", "constant",
              "fill", "to_layout"},
             true)
      .Cases({"all_gather", "mesh_shard", "collective_permute"}, true)
      .Default(false);
}

bool isProduct(Operation *op) { return isa<MatmulOp, LinearOp, Conv2dOp>(op); }

RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Whether the op leaves the places of dimension `from` of an input where they
/// are, as dimension `to` of the result: each of them has a scale.
bool keepsAxis(Operation *op, RankedTensorType input, int64_t from,
               RankedTensorType result, int64_t to) {
  int64_t rank = input.getRank();
  auto is = [&](int64_t dim) {
    return shapes::normalizeDim(dim, rank) == from;
  };
  auto outer = [](RankedTensorType type, int64_t dim) {
    return ShapedType::getNumElements(type.getShape().take_front(dim));
  };
  if (input.getDimSize(from) != result.getDimSize(to))
    return false;
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](TransposeOp transpose) {
        int64_t dim0 = *shapes::normalizeDim(transpose.getDim0(), rank);
        int64_t dim1 = *shapes::normalizeDim(transpose.getDim1(), rank);
        return to == (from == dim0 ? dim1 : from == dim1 ? dim0 : from);
      })
      .Case([&](PermuteOp permute) {
        return permute.getPermutation()[to] == from;
      })
      .Case<ReshapeOp, SqueezeOp, UnsqueezeOp>(
          [&](auto) { return outer(input, from) == outer(result, to); })
      .Case([&](ReverseOp reverse) {
        return from == to && llvm::none_of(reverse.getDimensions(), is);
      })
      .Case([&](ConcatOp concat) { return from == to && !is(concat.getDim()); })
      .Case([&](AllGatherOp gather) {
        return from == to && !is(gather.getAllGatherDim());
      })
      .Case<MaxOp, MinOp>([&](auto reduction) {
        ArrayAttr dims = reduction.getDimArgAttr();
        if (!dims || dims.empty())
          return false;
        int64_t before = 0;
        for (auto attr : dims.getAsRange<IntegerAttr>()) {
          int64_t dim = *shapes::normalizeDim(attr.getInt(), rank);
          if (dim == from)
            return false;
          before += dim < from;
        }
        return to == from - (result.getRank() == rank ? 0 : before);
      })
      .Case([&](MaxPool2dOp) { return from == to && from == rank - 1; })
      .Case<BroadcastOp, RepeatOp, SliceOp, ToLayoutOp, CollectivePermuteOp>(
          [&](auto) { return from == to && rank == result.getRank(); })
      .Case<MaximumOp, MinimumOp, WhereOp>(
          [&](auto) { return rank - from == result.getRank() - to; })
      .Default(false);
}

/// Scales, zero points and storage; the axis moves with its dimension.
bool haveSameNumbers(Type a, Type b) {
  std::optional<Parameters> first = Parameters::of(elementOf(a)),
                            second = Parameters::of(elementOf(b));
  return first && second && first->scales == second->scales &&
         first->zeros == second->zeros && first->least == second->least &&
         first->greatest == second->greatest &&
         first->axis.has_value() == second->axis.has_value();
}

LogicalResult checkAxes(Operation *op) {
  for (Value result : op->getResults()) {
    if (!isQuantized(result.getType()))
      continue;
    std::optional<int64_t> to =
        Parameters::of(elementOf(result.getType()))->axis;
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!to || !dps)
      continue;
    for (Value input : dps.getDpsInputs())
      if (isQuantized(input.getType()) &&
          !keepsAxis(op, tensorOf(input),
                     *Parameters::of(elementOf(input.getType()))->axis,
                     tensorOf(result), *to))
        return op->emitOpError(
                   "does not leave elements at their places along "
                   "the quantized dimension; expected a tensor that is "
                   "quantized per tensor, or an op that leaves "
                   "that dimension as it is, found ")
               << input.getType() << " and " << result.getType();
  }
  return success();
}

/// The dimension of the second operand that is the columns of a product.
int64_t getColumns(Operation *op) {
  if (isa<Conv2dOp>(op))
    return 0;
  int64_t rank = cast<RankedTensorType>(op->getOperand(1).getType()).getRank();
  bool isTurned = isa<MatmulOp>(op) ? cast<MatmulOp>(op).getTransposeB()
                                    : cast<LinearOp>(op).getTransposeB();
  return rank - (isTurned ? 2 : 1);
}

Value getBiasOperand(Operation *op) {
  if (auto conv = dyn_cast<Conv2dOp>(op))
    return conv.getBias();
  auto linear = dyn_cast<LinearOp>(op);
  return linear ? linear.getBias() : Value();
}

/// Whether the integers of the bias count what those of the products do.
bool fitsSum(Operation *op, Value bias) {
  if (!isQuantized(bias.getType()))
    return elementOf(bias.getType()).isSignedInteger(32);
  auto numbers = [](Value value) {
    return *Parameters::of(elementOf(value.getType()));
  };
  Parameters a = numbers(op->getOperand(0)), b = numbers(op->getOperand(1)),
             sum = numbers(bias);
  if (!sum.isSymmetric() ||
      (sum.axis && *sum.axis != tensorOf(bias).getRank() - 1))
    return false;
  // Scales are rounded where they are written.
  constexpr float kRounding = 1e-6f;
  size_t count = std::max(b.scales.size(), sum.scales.size());
  for (size_t i = 0; i < count; ++i) {
    float product = a.scales.front() * b.scales[b.scales.size() == 1 ? 0 : i];
    float scale = sum.scales[sum.scales.size() == 1 ? 0 : i];
    if (std::abs(scale - product) > kRounding * product)
      return false;
  }
  return true;
}

LogicalResult checkProduct(Operation *op) {
  Type result = elementOf(op->getResult(0).getType());
  for (unsigned i : {0u, 1u}) {
    Type type = op->getOperand(i).getType();
    if (!isQuantized(type))
      return op->emitOpError("multiplies a quantized tensor by another one; "
                             "expected two quantized tensors, found ")
             << type;
    std::optional<int64_t> axis = Parameters::of(elementOf(type))->axis;
    if (axis && (i == 0 || *axis != getColumns(op)))
      return op->emitOpError("expected a first operand that is quantized per "
                             "tensor, and a second one per tensor or along "
                             "dimension ")
             << getColumns(op) << ", found " << type;
  }
  if (Value bias = getBiasOperand(op); bias && !fitsSum(op, bias))
    return op->emitOpError("adds a bias to products; expected si32, or a "
                           "quantized one with the scales of the products and "
                           "zero point 0, found ")
           << bias.getType();
  if (!isQuantized(result) && !result.isSignedInteger(32))
    return op->emitOpError(
               "accumulates in si32; expected a result of si32 or a "
               "quantized one, found ")
           << op->getResult(0).getType();
  return success();
}

} // namespace

bool isQuantization(Operation *op) {
  return isa<QuantizeOp, DequantizeOp, RequantizeOp, QuantizeUnrolledOp,
             DequantizeUnrolledOp, RequantizeUnrolledOp>(op);
}

/// Numbers go through f32, which holds no sum of those of 32 bits with a zero
/// point.
static LogicalResult checkQuantization(Operation *op) {
  for (Type type : {op->getOperand(0).getType(), op->getResult(0).getType()}) {
    auto element = dyn_cast<quant::QuantizedType>(elementOf(type));
    if (element && element.getStorageTypeIntegralWidth() == 32 &&
        !Parameters::of(element)->isSymmetric())
      return op->emitOpError("has numbers of 32 bits with a zero point; "
                             "expected zero point 0, or a storage of 8 or 16 "
                             "bits, found ")
             << type;
  }
  return success();
}

LogicalResult checkQuantized(Operation *op) {
  if (op->getNumResults() == 0)
    return success();
  if (isQuantization(op))
    return checkQuantization(op);
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  Type quantized;
  for (Type type : types)
    if (isQuantized(type))
      quantized = quantized ? quantized : type;
  if (!quantized)
    return success();
  if (isProduct(op))
    return checkProduct(op);
  if (!movesElements(op))
    return op->emitOpError("does not compute with quantized tensors; expected "
                           "quantize, dequantize, requantize, matmul, linear, "
                           "conv2d or an op that moves elements, found ")
           << quantized;
  for (Type type : types)
    if (isQuantized(type) && !haveSameNumbers(type, quantized))
      return op->emitOpError(
                 "moves quantized elements as they are; expected "
                 "one scale and zero point, or a requantize, found ")
             << quantized << " and " << type;
  if (auto pad = dyn_cast<PadOp>(op);
      pad && Parameters::of(elementOf(quantized))->axis)
    return op->emitOpError("expected a tensor that is quantized per tensor, "
                           "found ")
           << quantized;
  return checkAxes(op);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {

/// Numbers of type f32: constants, or operands of unrolled ops.
struct Numbers {
  Value scale;
  /// Null if all are 0.
  Value zero;
};

class QuantizedExpansion {
public:
  QuantizedExpansion(OpBuilder &builder, Operation *op)
      : builder(builder), op(op), loc(op->getLoc()) {}

  Value eltwise(StringRef name, ValueRange inputs, Type element) {
    SmallVector<ArrayRef<int64_t>> shapes;
    for (Value input : inputs)
      shapes.push_back(tensorOf(input).getShape());
    auto type =
        RankedTensorType::get(*shapes::broadcastShapes(shapes), element);
    OperationState state(loc, ("ttir." + name).str());
    state.addOperands(inputs);
    state.addOperands(makeEmpty(type));
    state.addTypes(type);
    state.addAttribute(
        "operandSegmentSizes",
        builder.getDenseI32ArrayAttr({static_cast<int32_t>(inputs.size()), 1}));
    SmallVector<Attribute> constraints(
        inputs.size() + 1,
        OperandConstraintAttr::get(builder.getContext(),
                                   OperandConstraint::AnyDeviceTile));
    state.addAttribute("operand_constraints",
                       builder.getArrayAttr(constraints));
    return builder.create(state)->getResult(0);
  }
  Value cast(Value value, Type element) {
    return tensorOf(value).getElementType() == element
               ? value
               : eltwise("typecast", value, element);
  }
  Value floats(StringRef name, ValueRange inputs) {
    return eltwise(name, inputs, getF32());
  }
  Value truth(StringRef name, ValueRange inputs) {
    return eltwise(name, inputs, builder.getIntegerType(8, /*isSigned=*/false));
  }

  /// One number, or one for each place along dimension `axis` of `rank`.
  Value constant(ArrayRef<float> values, std::optional<int64_t> axis,
                 int64_t rank) {
    SmallVector<int64_t> shape(axis ? rank : 1, 1);
    if (axis)
      shape[*axis] = values.size();
    auto type = RankedTensorType::get(shape, getF32());
    return ConstantOp::create(builder, loc, type,
                              DenseElementsAttr::get(type, values));
  }
  Value integer(double value, Type element) {
    auto type = RankedTensorType::get({1}, element);
    return ConstantOp::create(
        builder, loc, type,
        DenseElementsAttr::get(type, APInt(element.getIntOrFloatBitWidth(),
                                           static_cast<int64_t>(value),
                                           /*isSigned=*/value < 0)));
  }
  Value number(float value) { return constant(value, std::nullopt, 1); }

  /// Null if all are 0.
  Value zeroOf(const Parameters &parameters, int64_t rank) {
    return parameters.isSymmetric()
               ? Value()
               : constant(parameters.zeros, parameters.axis, rank);
  }
  Numbers numbersOf(const Parameters &parameters, int64_t rank) {
    return {constant(parameters.scales, parameters.axis, rank),
            zeroOf(parameters, rank)};
  }

  /// The nearest integers of floats; halves go to the even one.
  Value roundToEven(Value input) {
    Value whole = floats("floor", input);
    Value rest = floats("subtract", {input, whole}), half = number(0.5f);
    Value halved = floats("multiply", {whole, half});
    Value odd = truth("ne", {halved, floats("floor", halved)});
    Value up = truth("logical_or",
                     {truth("gt", {rest, half}),
                      truth("logical_and", {truth("eq", {rest, half}), odd})});
    return floats("where", {up, floats("add", {whole, number(1)}), whole});
  }

  /// Integers of the element type for real numbers that are divided by the
  /// scale already.
  Value store(Value ratio, Value zero, double least, double greatest,
              Type element) {
    const float down = toFloat(least, /*isUp=*/false);
    const float up = toFloat(greatest, /*isUp=*/true);
    Value low = number(down), high = number(up);
    if (zero) {
      // The zero point is an integer: what is clamped before needs no rounding
      // behind.
      low = floats("subtract", {low, zero});
      high = floats("subtract", {high, zero});
    }
    Value clamped = floats("minimum", {floats("maximum", {ratio, low}), high});
    Value rounded = roundToEven(clamped);
    if (zero)
      rounded = floats("add", {rounded, zero});
    Value stored = cast(rounded, element);
    // What f32 does not hold.
    if (up != greatest)
      stored = eltwise("where",
                       {truth("ge", {rounded, number(up)}),
                        integer(greatest, element), stored},
                       element);
    if (down != least)
      stored = eltwise("where",
                       {truth("le", {rounded, number(down)}),
                        integer(least, element), stored},
                       element);
    return stored;
  }

  /// The nearest number of f32 that is not less, or not greater.
  static float toFloat(double number, bool isUp) {
    float near = static_cast<float>(number);
    if (isUp ? near >= number : near <= number)
      return near;
    return std::nextafter(near, isUp ? HUGE_VALF : -HUGE_VALF);
  }

  /// The integers without their zero point, as f32.
  Value load(Value stored, Value zero) {
    Value wide = cast(stored, getF32());
    return zero ? floats("subtract", {wide, zero}) : wide;
  }

  /// The same as integers: those of the tensor if the zero point is 0, else
  /// si32.
  Value loadInteger(Value stored, const Parameters &parameters) {
    if (parameters.isSymmetric())
      return stored;
    Value zero = cast(
        constant(parameters.zeros, parameters.axis, tensorOf(stored).getRank()),
        getI32());
    return eltwise("subtract", {cast(stored, getI32()), zero}, getI32());
  }

  Value quantize(Value input, Numbers numbers, double least, double greatest,
                 Type element) {
    Value ratio = floats("div", {cast(input, getF32()), numbers.scale});
    return store(ratio, numbers.zero, least, greatest, element);
  }
  Value dequantize(Value stored, Numbers numbers) {
    return floats("multiply", {load(stored, numbers.zero), numbers.scale});
  }

  /// The factor from one scale to another, each along an axis of its own. What
  /// is known is divided here: one multiplication rounds once, so that halves
  /// of scales such as 0.1 and 0.2 stay halves.
  Value quotient(ArrayRef<float> scales, std::optional<int64_t> axis,
                 const Parameters &to, int64_t rank) {
    if (axis && to.axis && axis != to.axis)
      return floats("div", {constant(scales, axis, rank),
                            constant(to.scales, to.axis, rank)});
    SmallVector<float> found;
    for (size_t i = 0, e = std::max(scales.size(), to.scales.size()); i < e;
         ++i)
      found.push_back(scales[axis ? i : 0] / to.scales[to.axis ? i : 0]);
    return constant(found, axis ? axis : to.axis, rank);
  }

  Value makeEmpty(RankedTensorType type) {
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  }
  Type getF32() { return builder.getF32Type(); }
  Type getI32() { return builder.getIntegerType(32, /*isSigned=*/true); }

  OpBuilder &builder;
  Operation *op;
  Location loc;
};

/// An operand of an unrolled op as numbers that broadcast along `axis`.
Value spread(QuantizedExpansion &x, Value operand, std::optional<int64_t> axis,
             int64_t rank) {
  Value value = x.cast(operand, x.getF32());
  SmallVector<int64_t> shape(axis ? rank : 1, 1);
  if (axis)
    shape[*axis] = tensorOf(value).getNumElements();
  if (tensorOf(value).getShape() == ArrayRef(shape))
    return value;
  auto type = RankedTensorType::get(shape, x.getF32());
  SmallVector<Attribute> constraints(
      2, OperandConstraintAttr::get(x.builder.getContext(),
                                    OperandConstraint::AnyDeviceTile));
  return ReshapeOp::create(x.builder, x.loc, type, value, x.makeEmpty(type),
                           x.builder.getI32ArrayAttr(SmallVector<int32_t>(
                               shape.begin(), shape.end())),
                           x.builder.getArrayAttr(constraints))
      .getResult();
}

/// Least and greatest number of an integer type.
std::pair<double, double> getLimits(Type element) {
  auto type = cast<IntegerType>(element);
  return type.isSigned()
             ? std::pair(static_cast<double>(llvm::minIntN(type.getWidth())),
                         static_cast<double>(llvm::maxIntN(type.getWidth())))
             : std::pair(0.0,
                         static_cast<double>(llvm::maxUIntN(type.getWidth())));
}

Value expandUnrolled(QuantizedExpansion &x, Type element) {
  Operation *op = x.op;
  Value input = op->getOperand(0);
  int64_t rank = tensorOf(input).getRank();
  std::optional<int64_t> axis;
  if (auto attr = op->getAttrOfType<IntegerAttr>("axis"))
    axis = shapes::normalizeDim(attr.getInt(), rank);
  auto numbers = [&](unsigned first) {
    return Numbers{spread(x, op->getOperand(first), axis, rank),
                   spread(x, op->getOperand(first + 1), axis, rank)};
  };
  if (isa<DequantizeUnrolledOp>(op))
    return x.cast(x.dequantize(input, numbers(1)), element);
  auto [least, greatest] = getLimits(element);
  if (isa<QuantizeUnrolledOp>(op))
    return x.quantize(input, numbers(1), least, greatest, element);
  Numbers before = numbers(1), after = numbers(3);
  Value ratio =
      x.floats("multiply", {x.load(input, before.zero),
                            x.floats("div", {before.scale, after.scale})});
  return x.store(ratio, after.zero, least, greatest, element);
}

/// A product accumulates in si32, and is scaled if its result is.
Value expandProduct(QuantizedExpansion &x, RankedTensorType a,
                    RankedTensorType b, RankedTensorType result,
                    RankedTensorType type) {
  Operation *op = x.op;
  Parameters first = *Parameters::of(a.getElementType()),
             second = *Parameters::of(b.getElementType());
  SmallVector<Value> operands(op->getOperands());
  operands[0] = x.loadInteger(operands[0], first);
  operands[1] = x.loadInteger(operands[1], second);
  auto wide = RankedTensorType::get(type.getShape(), x.getI32());
  auto dps = cast<DestinationStyleOpInterface>(op);
  operands[dps.getDpsInitOperand(0)->getOperandNumber()] = x.makeEmpty(wide);
  Operation *made = x.builder.clone(*op);
  made->setOperands(operands);
  made->getResult(0).setType(wide);
  Value sum = made->getResult(0);
  std::optional<Parameters> out = Parameters::of(result.getElementType());
  if (!out)
    return sum;
  // The columns of the second operand are the last dimension of the result.
  SmallVector<float> scales;
  for (float scale : second.scales)
    scales.push_back(scale * first.scales.front());
  int64_t rank = type.getRank();
  std::optional<int64_t> columns;
  if (second.axis)
    columns = rank - 1;
  Value ratio = x.floats("multiply", {x.cast(sum, x.getF32()),
                                      x.quotient(scales, columns, *out, rank)});
  return x.store(ratio, x.zeroOf(*out, rank), out->least, out->greatest,
                 type.getElementType());
}

} // namespace

Value expandQuantized(OpBuilder &builder, Operation *op,
                      llvm::function_ref<RankedTensorType(Value)> sourceOf,
                      RankedTensorType type) {
  if (op->getNumOperands() == 0)
    return {};
  QuantizedExpansion x(builder, op);
  Type element = type.getElementType();
  RankedTensorType from = sourceOf(op->getOperand(0)),
                   to = sourceOf(op->getResult(0));
  std::optional<Parameters> given = Parameters::of(from.getElementType()),
                            wanted = Parameters::of(to.getElementType());
  int64_t rank = type.getRank();
  auto numbers = [&](const Parameters &parameters) {
    return x.numbersOf(parameters, rank);
  };
  if (isa<QuantizeOp>(op))
    return x.quantize(op->getOperand(0), numbers(*wanted), wanted->least,
                      wanted->greatest, element);
  if (isa<DequantizeOp>(op))
    return x.cast(x.dequantize(op->getOperand(0), numbers(*given)), element);
  if (isa<RequantizeOp>(op)) {
    Value ratio = x.floats(
        "multiply", {x.load(op->getOperand(0), x.zeroOf(*given, rank)),
                     x.quotient(given->scales, given->axis, *wanted, rank)});
    return x.store(ratio, x.zeroOf(*wanted, rank), wanted->least,
                   wanted->greatest, element);
  }
  if (isQuantization(op))
    return expandUnrolled(x, element);
  if (isProduct(op) && given)
    return expandProduct(x, from, sourceOf(op->getOperand(1)), to, type);
  if (auto pad = dyn_cast<PadOp>(op); pad && given) {
    // The padding is a real number, too.
    float ratio = pad.getValue().convertToFloat() / given->scales.front();
    double stored = std::nearbyint(ratio) + given->zeros.front();
    pad.setValue(APFloat(
        static_cast<float>(std::clamp(stored, given->least, given->greatest))));
  }
  return {};
}

} // namespace mlir::tt::ttir
