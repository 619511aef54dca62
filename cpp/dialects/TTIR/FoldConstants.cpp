//===- FoldConstants.cpp - ops on constants -------------------------------===//
//
// Only results that are the same on every backend are folded: elements that
// move, and arithmetic that rounds at most as IEEE f32 does.

#include "dialects/TTIR/Canonicalize.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

namespace mlir::tt::ttir {

/// The most elements of a constant that is made, unless all are equal.
static constexpr int64_t kMaxElements = 4096;

/// Replaces `op` by a constant, unless its elements would be rounded in memory.
static LogicalResult replaceByConstant(PatternRewriter &rewriter, Operation *op,
                                       DenseElementsAttr elements) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (getStorageType(op->getResult(0)) !=
      elementTypeToDataType(type.getElementType()))
    return rewriter.notifyMatchFailure(op, "stored in another format");
  rewriter.replaceOpWithNewOp<ConstantOp>(op, type, elements);
  return success();
}

static RankedTensorType getPlainType(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

//===----------------------------------------------------------------------===//
// Elements that move
//===----------------------------------------------------------------------===//

/// Row-major distances of neighbours in each dimension.
static SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

/// The elements of `from` at `offset` plus the walk over `type`'s indices with
/// these strides.
static DenseElementsAttr gatherElements(DenseElementsAttr from,
                                        RankedTensorType type, int64_t offset,
                                        ArrayRef<int64_t> strides) {
  SmallVector<Attribute> source(from.getValues<Attribute>());
  SmallVector<Attribute> elements;
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    elements.push_back(source[offset]);
    for (size_t d = index.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < type.getDimSize(d))
        break;
      offset -= strides[d] * index[d];
      index[d] = 0;
    }
  }
  return DenseElementsAttr::get(type, elements);
}

/// From where an op copies the elements of its result.
struct Walk {
  int64_t offset = 0;
  SmallVector<int64_t> strides;
};

static Walk getWalk(BroadcastOp op) {
  ArrayRef<int64_t> from = op.getInput().getType().getShape();
  Walk walk{0, SmallVector<int64_t>(op.getType().getRank(), 0)};
  for (auto [extent, stride, dim] : llvm::zip_equal(
           from, getStrides(from), op.getDimension().getAsRange<IntegerAttr>()))
    walk.strides[dim.getInt()] = extent == 1 ? 0 : stride;
  return walk;
}

/// Of a transpose or a permute.
static Walk getWalk(Operation *op) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  SmallVector<int64_t> strides = getStrides(input.getShape());
  SmallVector<int64_t> permutation = *getPermutation(op);
  Walk walk;
  for (int64_t dim : permutation)
    walk.strides.push_back(strides[dim]);
  return walk;
}

static Walk getWalk(SliceOp op) {
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  Walk walk{0, getStrides(shape)};
  for (auto [d, begin, step] :
       llvm::enumerate(op.getBegins().getAsValueRange<IntegerAttr>(),
                       op.getStep().getAsValueRange<IntegerAttr>())) {
    int64_t first = begin.getSExtValue();
    walk.offset += (first < 0 ? first + shape[d] : first) * walk.strides[d];
    walk.strides[d] *= step.getSExtValue();
  }
  return walk;
}

/// op(constant) -> constant for ops that only move elements
template <typename OpT>
static LogicalResult foldMove(OpT op, PatternRewriter &rewriter) {
  DenseElementsAttr input = getConstant(op.getInput());
  RankedTensorType type = getPlainType(op);
  if (!input || input.getElementType() != type.getElementType())
    return rewriter.notifyMatchFailure(op, "not of a constant");
  if (input.isSplat())
    return replaceByConstant(rewriter, op, input.resizeSplat(type));
  if (type.getNumElements() > kMaxElements ||
      input.getNumElements() > kMaxElements)
    return rewriter.notifyMatchFailure(op, "of too many elements");
  if constexpr (llvm::is_one_of<OpT, ReshapeOp, SqueezeOp,
                                UnsqueezeOp>::value) {
    return replaceByConstant(rewriter, op, input.reshape(type));
  } else {
    Walk walk = getWalk(op);
    return replaceByConstant(
        rewriter, op, gatherElements(input, type, walk.offset, walk.strides));
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {

/// An element: a float that f32 holds, or an integer.
struct Number {
  bool isFloat;
  float real = 0;
  int64_t integer = 0;
};

} // namespace

static bool isUnsigned(Type type) { return !type.isSignedInteger(); }

static std::optional<Number> readNumber(Type type, Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    APFloat value = number.getValue();
    bool losesInfo = false;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    if (losesInfo || value.isNaN() || value.isDenormal())
      return std::nullopt;
    return Number{true, value.convertToFloat()};
  }
  auto number = dyn_cast<IntegerAttr>(attribute);
  if (!number || number.getValue().getBitWidth() > 32)
    return std::nullopt;
  APInt value = number.getValue();
  return Number{false, 0,
                isUnsigned(type) ? static_cast<int64_t>(value.getZExtValue())
                                 : value.getSExtValue()};
}

/// The element of a tensor; null where it would have to be rounded or wrapped.
static Attribute writeNumber(Type type, Number number) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    if (!number.isFloat) {
      number.real = static_cast<float>(number.integer);
      if (static_cast<int64_t>(number.real) != number.integer)
        return {};
    }
    APFloat value(number.real);
    if (value.isNaN() || value.isDenormal())
      return {};
    bool losesInfo = false;
    value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    if (losesInfo || value.isDenormal())
      return {};
    return FloatAttr::get(type, value);
  }
  auto integerType = dyn_cast<IntegerType>(type);
  if (!integerType || integerType.getWidth() > 32)
    return {};
  if (number.isFloat) {
    if (!(std::abs(number.real) < 0x1p31f) ||
        std::trunc(number.real) != number.real)
      return {};
    number.integer = static_cast<int64_t>(number.real);
  }
  unsigned width = integerType.getWidth();
  bool fits = isUnsigned(type)
                  ? llvm::isUIntN(width, number.integer) && number.integer >= 0
                  : llvm::isIntN(width, number.integer);
  if (!fits)
    return {};
  return IntegerAttr::get(type, APInt(width, number.integer,
                                      /*isSigned=*/!isUnsigned(type)));
}

/// typecast(constant) -> constant where no element is rounded
static LogicalResult foldTypecast(TypecastOp op, PatternRewriter &rewriter) {
  DenseElementsAttr input = getConstant(op->getOperand(0));
  RankedTensorType type = getPlainType(op);
  if (!input || input.getType().getShape() != type.getShape() ||
      (!input.isSplat() && input.getNumElements() > kMaxElements))
    return rewriter.notifyMatchFailure(op, "of no small constant");
  SmallVector<Attribute> elements;
  auto convert = [&](Attribute element) {
    std::optional<Number> number = readNumber(input.getElementType(), element);
    elements.push_back(number ? writeNumber(type.getElementType(), *number)
                              : Attribute());
    return static_cast<bool>(elements.back());
  };
  bool isExact = input.isSplat()
                     ? convert(input.getSplatValue<Attribute>())
                     : llvm::all_of(input.getValues<Attribute>(), convert);
  if (!isExact)
    return rewriter.notifyMatchFailure(op, "some elements are rounded");
  return replaceByConstant(rewriter, op,
                           DenseElementsAttr::get(type, elements));
}

static std::optional<Number> compute(Operation *op, Number x) {
  if (!x.isFloat)
    return std::nullopt;
  return TypeSwitch<Operation *, std::optional<Number>>(op)
      .Case([&](NegOp) {
        return Number{true, -x.real};
      })
      .Case([&](AbsOp) {
        return Number{true, std::fabs(x.real)};
      })
      .Case([&](ReluOp) {
        return Number{true, x.real > 0 ? x.real : 0};
      })
      .Case([&](CeilOp) {
        return Number{true, std::ceil(x.real)};
      })
      .Case([&](FloorOp) {
        return Number{true, std::floor(x.real)};
      })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<Number> compute(Operation *op, Number x, Number y) {
  if (x.isFloat != y.isFloat)
    return std::nullopt;
  // Backends may differ in which of two zeros is the greater one.
  if (isa<MaximumOp, MinimumOp>(op) && x.isFloat && x.real == y.real &&
      std::signbit(x.real) != std::signbit(y.real))
    return std::nullopt;
  auto either = [&](auto function) {
    return x.isFloat ? Number{true, function(x.real, y.real)}
                     : Number{false, 0, function(x.integer, y.integer)};
  };
  auto test = [&](auto function) {
    bool holds =
        x.isFloat ? function(x.real, y.real) : function(x.integer, y.integer);
    return Number{false, 0, holds};
  };
  return TypeSwitch<Operation *, std::optional<Number>>(op)
      .Case([&](AddOp) { return either(std::plus<>()); })
      .Case([&](SubtractOp) { return either(std::minus<>()); })
      .Case([&](MultiplyOp) -> std::optional<Number> {
        // Products of 32-bit integers fit 64 bits, unless both are unsigned
        // and large.
        if (!x.isFloat && (x.integer >> 31 > 0 || y.integer >> 31 > 0))
          return std::nullopt;
        return either(std::multiplies<>());
      })
      .Case([&](MaximumOp) {
        return either([](auto a, auto b) { return a < b ? b : a; });
      })
      .Case([&](MinimumOp) {
        return either([](auto a, auto b) { return b < a ? b : a; });
      })
      .Case([&](EqualOp) { return test(std::equal_to<>()); })
      .Case([&](NotEqualOp) { return test(std::not_equal_to<>()); })
      .Case([&](GreaterEqualOp) { return test(std::greater_equal<>()); })
      .Case([&](GreaterThanOp) { return test(std::greater<>()); })
      .Case([&](LessEqualOp) { return test(std::less_equal<>()); })
      .Case([&](LessThanOp) { return test(std::less<>()); })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {

/// op(splat, splat) -> splat
struct FoldSplats : OpInterfaceRewritePattern<TTIR_ElementwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(TTIR_ElementwiseOpInterface op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Number> numbers;
    for (Value input : getInputs(op)) {
      DenseElementsAttr elements = getConstant(input);
      std::optional<Number> number;
      if (elements && elements.isSplat())
        number = readNumber(elements.getElementType(),
                            elements.getSplatValue<Attribute>());
      if (!number)
        return rewriter.notifyMatchFailure(op, "not of splats");
      numbers.push_back(*number);
    }
    std::optional<Number> result;
    if (numbers.size() == 1)
      result = compute(op, numbers[0]);
    else if (numbers.size() == 2)
      result = compute(op, numbers[0], numbers[1]);
    RankedTensorType type = getPlainType(op);
    Attribute element =
        result ? writeNumber(type.getElementType(), *result) : Attribute();
    if (!element)
      return rewriter.notifyMatchFailure(op, "depends on how it is computed");
    return replaceByConstant(rewriter, op,
                             DenseElementsAttr::get(type, element));
  }
};

} // namespace

void populateConstantFoldingPatterns(RewritePatternSet &patterns) {
  patterns.add(foldMove<ReshapeOp>);
  patterns.add(foldMove<SqueezeOp>);
  patterns.add(foldMove<UnsqueezeOp>);
  patterns.add(foldMove<TransposeOp>);
  patterns.add(foldMove<PermuteOp>);
  patterns.add(foldMove<BroadcastOp>);
  patterns.add(foldMove<SliceOp>);
  patterns.add(foldTypecast);
  patterns.add<FoldSplats>(patterns.getContext());
}

} // namespace mlir::tt::ttir
