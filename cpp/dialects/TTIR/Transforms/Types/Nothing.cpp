//===- Nothing.cpp - ops on tensors without elements ----------------------===//
//
// An op none of whose results has elements computes nothing. One that has
// results of elements for a tensor without them gives what the sum, the product
// or the greatest of no numbers is: one table says which.

#include "dialects/TTIR/TTIRWindows.h"
#include "dialects/TTIR/Transforms/Types/LegalTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt::ttir {

namespace {

enum class Neutral {
  Zeros,
  Ones,
  Least,
  Greatest,
  NotANumber,
  /// Of a product: nothing is added to it.
  Bias,
  /// Nothing is written into the first operand, or all of it is read.
  First,
  Second,
  /// The number of a pad.
  Padding,
  /// The extent that the operand had.
  Extent,
  /// The other operands.
  Others,
  /// The vectors of indices are empty: the window is at the beginning.
  Indices,
  /// The op computes its other results.
  Itself
};

using TypeOf = llvm::function_ref<RankedTensorType(Value)>;

RankedTensorType currentType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

bool hasNothing(Value value, TypeOf typeOf) {
  RankedTensorType type = typeOf(value);
  return type && isEmpty(type);
}

/// The first dimension that is none of `batching`; a scalar becomes one.
std::optional<int64_t> getFreeDim(int64_t rank, ArrayRef<int64_t> batching) {
  for (int64_t dim = 0; dim < std::max<int64_t>(rank, 1); ++dim)
    if (!llvm::is_contained(batching, dim))
      return dim;
  return std::nullopt;
}

std::optional<Neutral> getNeutral(Operation *op, TypeOf typeOf) {
  StringRef name = op->getName().stripDialect();
  auto indicesIf = [](std::optional<int64_t> dim) {
    return dim ? std::optional(Neutral::Indices) : std::nullopt;
  };
  if (auto gather = dyn_cast<GatherOp>(op))
    return hasNothing(gather.getInput(), typeOf)
               ? std::nullopt
               : indicesIf(getFreeDim(typeOf(gather.getInput()).getRank(),
                                      gather.getOperandBatchingDims()));
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return hasNothing(scatter.getUpdates(), typeOf)
               ? Neutral::First
               : indicesIf(getFreeDim(typeOf(scatter.getInput()).getRank(),
                                      scatter.getInputBatchingDims()));
  // A scalar has no starts, and all of it is updated.
  if (auto update = dyn_cast<DynamicUpdateSliceOp>(op))
    return hasNothing(update.getUpdate(), typeOf) ? Neutral::First
                                                  : Neutral::Second;
  // There are no keys. Queries without elements would all be equal.
  if (name.contains("attention"))
    return hasNothing(op->getOperand(0), typeOf)
               ? std::nullopt
               : std::optional(Neutral::Zeros);
  if (auto window = dyn_cast<ReduceWindowOp>(op))
    name = window.getKind();
  return llvm::StringSwitch<std::optional<Neutral>>(name)
      .Cases({"sum", "reduce_or", "matmul", "dot_general", "sparse_matmul"},
             Neutral::Zeros)
      .Cases({"convolution", "embedding_backward", "select_and_scatter"},
             Neutral::Zeros)
      .Cases({"prod", "reduce_and"}, Neutral::Ones)
      .Case("max", Neutral::Least)
      .Case("min", Neutral::Greatest)
      .Cases({"mean", "global_avg_pool2d", "batch_norm_training"},
             Neutral::NotANumber)
      .Cases({"linear", "conv1d", "conv2d", "conv3d", "conv_transpose2d"},
             Neutral::Bias)
      .Cases({"scatter_rows", "scatter_dim", "update_slice", "fill_cache",
              "update_cache"},
             Neutral::First)
      .Cases({"paged_fill_cache", "paged_update_cache"}, Neutral::First)
      .Cases(
          {"dynamic_slice", "slice_dynamic", "rng_bit_generator", "to_layout"},
          Neutral::First)
      .Case("pad", Neutral::Padding)
      .Case("get_dimension_size", Neutral::Extent)
      .Case("concat", Neutral::Others)
      .Case("split_query_key_value_and_split_heads", Neutral::Itself)
      .Default(std::nullopt);
}

/// The greatest or the least number of a type.
TypedAttr getExtreme(Type element, bool isGreatest) {
  if (auto type = dyn_cast<FloatType>(element))
    return FloatAttr::get(
        type, APFloat::getInf(type.getFloatSemantics(), !isGreatest));
  unsigned width = element.getIntOrFloatBitWidth();
  bool isSigned = element.isSignedInteger();
  APInt number = isGreatest ? (isSigned ? APInt::getSignedMaxValue(width)
                                        : APInt::getMaxValue(width))
                            : (isSigned ? APInt::getSignedMinValue(width)
                                        : APInt::getMinValue(width));
  return IntegerAttr::get(element, number);
}

/// The number of a pad in the type of its elements.
TypedAttr getPadding(PadOp pad, Type element) {
  if (isa<FloatType>(element))
    return FloatAttr::get(element, pad.getValue().convertToDouble());
  bool isExact;
  APSInt number(element.getIntOrFloatBitWidth(), !element.isSignedInteger());
  APFloat(pad.getValue())
      .convertToInteger(number, APFloat::rmTowardZero, &isExact);
  return IntegerAttr::get(element, number);
}

Value getBias(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<LinearOp, Conv1dOp, Conv2dOp, Conv3dOp, ConvTranspose2dOp>(
          [](auto product) { return product.getBias(); });
}

} // namespace

LogicalResult checkNothing(Operation *op) {
  auto isNothing = [](Type type) { return isEmpty(type); };
  if (llvm::all_of(op->getResultTypes(), isNothing))
    return success();
  SmallVector<Value> values = getReadOperands(op);
  llvm::append_range(values, op->getResults());
  for (Value value : values)
    if (isEmpty(value.getType()) && !getNeutral(op, currentType))
      return op->emitOpError("computes elements of a tensor that has none, ")
             << value.getType()
             << "; expected one, or an op that has a result for it: a "
                "reduction, a product, concat or pad";
  return success();
}

bool OpLegalizer::replaceNothing(Operation *op) {
  auto typeOf = [&](Value value) { return getSourceType(value); };
  auto isNothing = [&](Value value) { return hasNothing(value, typeOf); };
  if (op->getNumResults() != 0 && llvm::all_of(op->getResults(), isNothing)) {
    for (Value result : op->getResults())
      replaceEmptyResult(result);
    if (auto remark = kTypeRemarks.passed(op, "Replaced"))
      remark << reason("becomes a constant: its results have no elements")
             << rejected("the op itself: it would compute nothing");
    ++numReplaced;
    erase(op);
    return true;
  }
  if (llvm::none_of(getReadOperands(op), isNothing) &&
      llvm::none_of(op->getResults(), isNothing))
    return false;
  switch (*getNeutral(op, typeOf)) {
  case Neutral::Indices:
    fillIndices(op);
    return false;
  case Neutral::Itself:
    fillOperands(op);
    return false;
  default:
    replaceByNeutral(op);
    return true;
  }
}

/// By a constant that nothing reads an element of.
void OpLegalizer::replaceEmptyResult(Value result) {
  RankedTensorType source = getSourceType(result);
  Value dummy = makeConstant(result.getLoc(), getLegalType(source));
  sources[dummy] = source;
  result.replaceAllUsesWith(dummy);
}

void OpLegalizer::replaceByNeutral(Operation *op) {
  if (op->getNumResults() == 1)
    return replace(op, makeNeutral(op, currentType(op->getResult(0))));
  for (Value result : op->getResults()) {
    RankedTensorType source = currentType(result);
    if (isEmpty(source)) {
      replaceEmptyResult(result);
      continue;
    }
    Value value = makeNeutral(op, source);
    if (source != value.getType())
      sources.try_emplace(value, source);
    result.replaceAllUsesWith(value);
  }
  ++numReplaced;
  erase(op);
}

Value OpLegalizer::makeNeutral(Operation *op, RankedTensorType source) {
  Location loc = op->getLoc();
  RankedTensorType type = getLegalType(source);
  Type element = type.getElementType();
  auto typeOf = [&](Value value) { return getSourceType(value); };
  auto filled = [&](TypedAttr number) -> Value {
    return ConstantOp::create(builder, loc, type,
                              DenseElementsAttr::get(type, Attribute(number)));
  };
  Neutral neutral = *getNeutral(op, typeOf);
  switch (neutral) {
  case Neutral::Zeros:
    return makeConstant(loc, type);
  case Neutral::Ones:
    return makeConstant(loc, type, /*one=*/true);
  case Neutral::Least:
  case Neutral::Greatest: {
    bool isGreatest = neutral == Neutral::Greatest;
    return isBool(source) ? makeConstant(loc, type, isGreatest)
                          : filled(getExtreme(element, isGreatest));
  }
  case Neutral::NotANumber:
    if (auto number = dyn_cast<FloatType>(element))
      return filled(
          FloatAttr::get(number, APFloat::getNaN(number.getFloatSemantics())));
    return makeConstant(loc, type);
  case Neutral::Bias:
    if (Value bias = getBias(op))
      return spreadBias(op, bias, type);
    return makeConstant(loc, type);
  case Neutral::First:
    return op->getOperand(0);
  case Neutral::Second:
    return op->getOperand(1);
  case Neutral::Padding:
    return filled(getPadding(cast<PadOp>(op), element));
  case Neutral::Extent: {
    int64_t dim = cast<GetDimensionSizeOp>(op).getDimension();
    return filled(IntegerAttr::get(
        element, getSourceType(op->getOperand(0)).getDimSize(dim)));
  }
  case Neutral::Others:
    return joinOthers(cast<ConcatOp>(op), type);
  case Neutral::Indices:
  case Neutral::Itself:
    break;
  }
  llvm_unreachable("the op stays");
}

Value OpLegalizer::joinOthers(ConcatOp concat, RankedTensorType type) {
  SmallVector<Value> parts;
  for (Value input : concat.getInputs())
    if (!isEmpty(getSourceType(input)))
      parts.push_back(input);
  if (parts.size() == 1)
    return parts.front();
  return ConcatOp::create(builder, concat.getLoc(), type, parts,
                          makeEmpty(type), concat.getDimAttr(),
                          getConstraints(parts.size() + 1))
      .getResult();
}

Value OpLegalizer::spreadBias(Operation *op, Value bias,
                              RankedTensorType type) {
  Location loc = op->getLoc();
  if (!isa<LinearOp>(op)) {
    int64_t dim = type.getRank() - 1;
    if (auto channels = op->getAttrOfType<IntegerAttr>("channel_dim"))
      dim = channels.getInt();
    SmallVector<int64_t> shape(type.getRank(), 1);
    shape[dim] = type.getDimSize(dim);
    if (currentType(bias).getShape() != ArrayRef(shape))
      bias = makeReshape(loc, bias, shape);
  }
  return makeEltwise(
      loc, "add",
      {makeConstant(loc, type), makeCast(loc, bias, type.getElementType())},
      type);
}

/// Makes the index of one dimension of what were none: 0.
void OpLegalizer::fillIndices(Operation *op) {
  auto fill = [&](auto of, OpOperand &indices, ArrayRef<int64_t> batching) {
    RankedTensorType source = getSourceType(indices.get());
    SmallVector<int64_t> shape(source.getShape());
    shape[of.getIndexVectorDim()] = 1;
    auto type =
        RankedTensorType::get(shape, getLegalElement(source.getElementType()));
    indices.assign(makeConstant(op->getLoc(), type));
    return *getFreeDim(getSourceType(of.getInput()).getRank(), batching);
  };
  // The one dimension that a scalar becomes is in no window.
  bool isScalar = getSourceType(op->getOperand(0)).getRank() == 0;
  if (auto gather = dyn_cast<GatherOp>(op)) {
    gather.setStartIndexMap(
        SmallVector<int64_t>{fill(gather, gather.getStartIndicesMutable(),
                                  gather.getOperandBatchingDims())});
    if (isScalar) {
      gather.setSliceSizes(SmallVector<int64_t>{1});
      gather.setCollapsedSliceDims(SmallVector<int64_t>{0});
    }
    return;
  }
  auto scatter = cast<ScatterOp>(op);
  scatter.setScatterDimsToOperandDims(
      SmallVector<int64_t>{fill(scatter, scatter.getScatterIndicesMutable(),
                                scatter.getInputBatchingDims())});
  if (isScalar)
    scatter.setInsertedWindowDims(SmallVector<int64_t>{0});
}

/// Gives the op zeros for what has no elements, with extents of 1 in place of
/// 0, and results that nobody reads.
void OpLegalizer::fillOperands(Operation *op) {
  auto fillType = [&](RankedTensorType type) {
    SmallVector<int64_t> shape(type.getShape());
    llvm::replace(shape, 0, 1);
    return RankedTensorType::get(shape, getLegalElement(type.getElementType()));
  };
  auto dps = cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    RankedTensorType source = getSourceType(operand.get());
    if (!source || !isEmpty(source))
      continue;
    RankedTensorType type = fillType(source);
    operand.set(dps.isDpsInit(&operand) ? makeEmpty(type)
                                        : makeConstant(op->getLoc(), type));
  }
  for (Value result : op->getResults())
    if (RankedTensorType source = currentType(result); isEmpty(source)) {
      replaceEmptyResult(result);
      result.setType(fillType(source));
    }
}

} // namespace mlir::tt::ttir
