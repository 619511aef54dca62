//===- LegalizeOps.cpp - ops whose operands got legal types ---------------===//

#include "dialects/TT/Bounds.h"
#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIRWindows.h"
#include "dialects/TTIR/Transforms/Types/LegalTypes.h"
#include "dialects/TTIR/Transforms/Types/Quantized.h"
#include "dialects/TTIR/Transforms/Types/SmallTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt::ttir {

SmallVector<Value> getReadOperands(Operation *op) {
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return dps.getDpsInputs();
  return op->getOperands();
}

static RankedTensorType typeOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// The op that computes on 0 and 1 what `op` does on i1: itself, another one,
/// `copy` for none at all, or empty where it has no meaning.
static StringRef getBooleanOp(Operation *op) {
  StringRef name = op->getName().stripDialect();
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"add", "sum"}, name == "add" ? "logical_or" : "max")
      .Cases({"multiply", "div"}, "logical_and")
      .Case("prod", "min")
      .Case("subtract", "logical_xor")
      .Case("bitwise_not", "logical_not")
      .Cases({"neg", "abs", "relu", "sign", "ceil", "floor"}, "copy")
      .Cases({"max", "min", "maximum", "minimum", "where", "typecast",
              "bitwise_and", "bitwise_or", "bitwise_xor"},
             name)
      .Cases({"eq", "ne", "lt", "le", "gt", "ge"}, name)
      .Cases({"logical_and", "logical_or", "logical_not", "logical_xor",
              "isfinite", "signbit"},
             name)
      .Default(isa<TTIR_ElementwiseOpInterface>(op) ? StringRef() : name);
}

/// Ops that compute numbers, which i1 does not have.
static bool isNumeric(Operation *op) {
  if (auto upsample = dyn_cast<UpsampleOp>(op))
    return upsample.getMode() == "bilinear";
  return llvm::StringSwitch<bool>(op->getName().stripDialect())
      .Cases({"mean", "cumsum", "cumprod", "softmax", "layer_norm", "rms_norm"},
             true)
      .Cases({"matmul", "linear", "dot_general", "conv1d", "conv2d", "conv3d",
              "conv_transpose2d"},
             true)
      .Cases({"avg_pool2d", "global_avg_pool2d", "clamp"}, true)
      .Default(false);
}

LogicalResult checkLegalizable(Operation *op) {
  if (op->getNumResults() == 0)
    return success();
  if (failed(checkQuantized(op)) || failed(checkSmall(op)))
    return failure();
  SmallVector<Value> inputs = getReadOperands(op);
  Type result = op->getResult(0).getType();
  if (isBool(result) && isNumeric(op))
    return op->emitOpError("computes numbers and gives i1; expected a "
                           "comparison or a typecast that makes i1 of them");
  if (isBool(result) && isa<TTIR_ElementwiseOpInterface>(op)) {
    StringRef name = getBooleanOp(op);
    if (name.empty())
      return op->emitOpError(
          "has no meaning on i1; expected add (or), multiply "
          "(and), subtract (exclusive or), maximum, minimum, "
          "comparisons, logic, bits, where or typecast");
    bool isArithmetic = name != op->getName().stripDialect();
    if (isArithmetic && !llvm::all_of(inputs, [](Value input) {
          return isBool(input.getType());
        }))
      return op->emitOpError("gives i1 of other elements; expected i1, or a "
                             "result of the operands' type");
  }
  if (op->getName().getStringRef() == "ttir.bitcast_convert")
    for (Type type : {inputs.front().getType(), result}) {
      Type element = getElementTypeOrSelf(type);
      if (Type legal = getLegalElement(element);
          legal &&
          legal.getIntOrFloatBitWidth() != element.getIntOrFloatBitWidth())
        return op->emitOpError("keeps the bits of elements that the machine "
                               "has in another number of them: found ")
               << type
               << ", expected integers of 8, 16 or 32 bits, or floats "
                  "of 16 or 32";
    }
  return checkNothing(op);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

ArrayAttr OpLegalizer::getConstraints(size_t count) {
  SmallVector<Attribute> constraints(
      count, OperandConstraintAttr::get(builder.getContext(),
                                        OperandConstraint::AnyDeviceTile));
  return builder.getArrayAttr(constraints);
}

Value OpLegalizer::makeEmpty(RankedTensorType type) {
  return tensor::EmptyOp::create(builder, builder.getUnknownLoc(),
                                 type.getShape(), type.getElementType());
}

Value OpLegalizer::makeConstant(Location loc, RankedTensorType type, bool one) {
  TypedAttr element = one ? builder.getOneAttr(type.getElementType())
                          : builder.getZeroAttr(type.getElementType());
  return ConstantOp::create(builder, loc, type,
                            DenseElementsAttr::get(type, Attribute(element)));
}

Value OpLegalizer::makeReshape(Location loc, Value value,
                               ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, typeOf(value).getElementType());
  return ReshapeOp::create(builder, loc, type, value, makeEmpty(type),
                           builder.getI32ArrayAttr(SmallVector<int32_t>(shape)),
                           getConstraints(2))
      .getResult();
}

Value OpLegalizer::makeCast(Location loc, Value value, Type element) {
  auto type = RankedTensorType::get(typeOf(value).getShape(), element);
  if (type == value.getType())
    return value;
  return TypecastOp::create(builder, loc, TypeRange{type}, ValueRange{value},
                            ValueRange{makeEmpty(type)}, getConstraints(2))
      ->getResult(0);
}

void OpLegalizer::replace(Operation *op, Value value) {
  if (auto remark = kTypeRemarks.passed(op, "Replaced")) {
    Operation *made = value.getDefiningOp();
    bool isMade =
        made && made->getBlock() == op->getBlock() && made->getNextNode() == op;
    remark << reason("{0}: {1}",
                     isMade
                         ? ("becomes " + made->getName().getStringRef()).str()
                         : std::string("goes away"),
                     "its types are legal as other types, and do the same")
           << rejected("the op itself: it does something else on them");
  }
  ++numReplaced;
  if (Operation *made = value.getDefiningOp();
      made && made->getNextNode() == op && made->getLoc() == op->getLoc())
    graph::takeOverConstraint(op, value);
  // Its readers have attributes for the shape, and scales of the type, that it
  // had.
  RankedTensorType source = getSourceType(op->getResult(0));
  if (source != value.getType())
    sources.try_emplace(value, source);
  op->getResult(0).replaceAllUsesWith(value);
  erase(op);
}

void OpLegalizer::erase(Operation *op) {
  // Several results may have one destination.
  llvm::SmallSetVector<tensor::EmptyOp, 1> destinations;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    for (Value destination : dps.getDpsInits())
      if (auto empty = destination.getDefiningOp<tensor::EmptyOp>())
        destinations.insert(empty);
  // Another op may get its memory.
  for (Value result : op->getResults())
    sources.erase(result);
  op->erase();
  for (tensor::EmptyOp empty : destinations)
    if (empty->use_empty()) {
      sources.erase(empty.getResult());
      empty->erase();
    }
}

Value OpLegalizer::makeEltwise(Location loc, StringRef name, ValueRange inputs,
                               RankedTensorType type) {
  OperationState state(loc, ("ttir." + name).str());
  state.addOperands(inputs);
  state.addOperands(makeEmpty(type));
  state.addTypes(type);
  state.addAttribute(
      "operandSegmentSizes",
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(inputs.size()), 1}));
  state.addAttribute("operand_constraints", getConstraints(inputs.size() + 1));
  return builder.create(state)->getResult(0);
}

void OpLegalizer::replaceByEltwise(Operation *op, StringRef name,
                                   ValueRange inputs) {
  auto type = getLegalType(getSourceType(op->getResult(0)));
  replace(op, makeEltwise(op->getLoc(), name, inputs, type));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void OpLegalizer::legalize(Value value) {
  RankedTensorType source = typeOf(value);
  if (!source || !source.hasStaticShape())
    return;
  RankedTensorType type = getLegalType(source);
  if (type == source)
    return;
  sources[value] = source;
  value.setType(type);
}

RankedTensorType OpLegalizer::getSourceType(Value value) const {
  RankedTensorType source = sources.lookup(value);
  return source ? source : typeOf(value);
}

bool OpLegalizer::isConcerned(Operation *op) const {
  auto isIllegal = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && getLegalType(tensor) != tensor;
  };
  return isQuantization(op) || llvm::any_of(op->getResultTypes(), isIllegal) ||
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return sources.count(operand); });
}

bool OpLegalizer::hasChangedShapes(Operation *op) const {
  auto isChanged = [&](Value value) {
    RankedTensorType source = sources.lookup(value);
    return source && source.getShape() != typeOf(value).getShape();
  };
  return llvm::any_of(op->getOperands(), isChanged) ||
         llvm::any_of(op->getResults(), isChanged);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult OpLegalizer::legalize(Operation *op) {
  builder.setInsertionPoint(op);
  auto legalizeResults = [&] {
    for (Value result : op->getResults())
      legalize(result);
    return success();
  };
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<ElementsAttr>(constant.getValue());
    if (!elements || !isa<RankedTensorType>(elements.getType()))
      return success();
    ElementsAttr legal = getLegalElements(op, elements);
    if (!legal)
      return failure();
    constant.setValueAttr(cast<TypedAttr>(legal));
    return legalizeResults();
  }
  if (!isa<TTIRDialect>(op->getDialect()))
    return legalizeResults();
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    ElementsAttr legal = getLegalElements(op, constant.getValue());
    if (!legal)
      return failure();
    constant.setValueAttr(legal);
    return legalizeResults();
  }
  if (op->getNumResults() == 0)
    return success();
  if (replaceNothing(op))
    return success();

  legalizeResults();
  auto sourceOf = [&](Value value) { return getSourceType(value); };
  if (Value value =
          expandQuantized(builder, op, sourceOf, typeOf(op->getResult(0)))) {
    replace(op, value);
    return success();
  }
  if (Value value = expandSmallCast(builder, op, sourceOf)) {
    replace(op, value);
    return success();
  }
  bool isReplaced = false;
  if (failed(legalizeBooleans(op, isReplaced)) || isReplaced)
    return success(isReplaced);
  if (hasChangedShapes(op))
    if (failed(legalizeShapes(op, isReplaced)) || isReplaced)
      return success(isReplaced);
  // What has become nothing goes.
  if (isa<TypecastOp, ReshapeOp, SqueezeOp, UnsqueezeOp>(op) &&
      op->getOperand(0).getType() == op->getResult(0).getType())
    replace(op, op->getOperand(0));
  return success();
}

LogicalResult OpLegalizer::legalizeBooleans(Operation *op, bool &isReplaced) {
  Value result = op->getResult(0);
  SmallVector<Value> inputs = getReadOperands(op);
  bool isBoolean = isBool(getSourceType(result));
  if (isa<FillOp>(op)) {
    auto fill = cast<FillOp>(op);
    ElementsAttr legal = getLegalElements(op, fill.getValue());
    if (!legal)
      return failure();
    fill.setValueAttr(legal);
    return success();
  }
  if (auto full = dyn_cast<FullOp>(op); full && isBoolean) {
    Attribute number = full.getFillValue();
    bool isTrue = isa<IntegerAttr>(number)
                      ? !cast<IntegerAttr>(number).getValue().isZero()
                      : !cast<FloatAttr>(number).getValue().isZero();
    full.setFillValueAttr(builder.getI32IntegerAttr(isTrue));
    return success();
  }
  bool isReduction = isa<SumOp, ProdOp, MaxOp, MinOp, MeanOp>(op);
  if (!isBoolean) {
    // Counts do not fit into the type of 0 and 1.
    if (isReduction && isBool(getSourceType(inputs.front())))
      op->setOperand(0, makeCast(op->getLoc(), inputs.front(),
                                 getElementTypeOrSelf(result)));
    return success();
  }
  if (isa<TypecastOp>(op)) {
    if (isBool(getSourceType(inputs.front())))
      return success();
    Type element = getElementTypeOrSelf(inputs.front());
    Value zero =
        makeConstant(op->getLoc(), RankedTensorType::get({1}, element));
    replaceByEltwise(op, "ne", {inputs.front(), zero});
    isReplaced = true;
    return success();
  }
  StringRef name = op->getName().stripDialect(), now = getBooleanOp(op);
  if (name == now || !(isReduction || isa<TTIR_ElementwiseOpInterface>(op)))
    return success();
  isReplaced = true;
  if (now == "copy") {
    replace(op, inputs.front());
    return success();
  }
  if (!isReduction) {
    replaceByEltwise(op, now, inputs);
    return success();
  }
  OperationState state(op->getLoc(), ("ttir." + now).str(), op->getOperands(),
                       op->getResultTypes(), op->getAttrs());
  Operation *made = builder.create(state);
  if (getSourceType(result).getShape() != typeOf(result).getShape())
    sources[made->getResult(0)] = getSourceType(result);
  replace(op, made->getResult(0));
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult OpLegalizer::legalizeShapes(Operation *op, bool &isReplaced) {
  ArrayRef<int64_t> shape = typeOf(op->getResult(0)).getShape();
  SmallVector<Value> inputs = getReadOperands(op);
  auto numbers = [&](int32_t number) {
    return builder.getI32ArrayAttr({number});
  };
  if (auto full = dyn_cast<FullOp>(op)) {
    full.setShape(SmallVector<int32_t>(shape));
  } else if (auto rand = dyn_cast<RandOp>(op)) {
    rand.setShape(shape);
  } else if (auto bits = dyn_cast<RngBitGeneratorOp>(op)) {
    bits.setShape(typeOf(op->getResult(1)).getShape());
  } else if (auto window = dyn_cast<ReduceWindowOp>(op)) {
    if (window.getWindow().empty()) {
      window.setWindow(SmallVector<int64_t>{1});
      window.setStride(SmallVector<int64_t>{1});
      window.setBaseDilation(SmallVector<int64_t>{1});
      window.setWindowDilation(SmallVector<int64_t>{1});
      window.setPadding(SmallVector<int64_t>{0, 0});
    }
  } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    reshape.setShapeAttr(builder.getI32ArrayAttr(SmallVector<int32_t>(shape)));
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    if (broadcast.getDimension().empty())
      broadcast.setDimensionAttr(
          builder.getI64ArrayAttr({static_cast<int64_t>(shape.size()) - 1}));
  } else if (isa<SqueezeOp, UnsqueezeOp>(op)) {
    if (inputs.front().getType() == op->getResult(0).getType())
      return success();
  } else if (auto permute = dyn_cast<PermuteOp>(op)) {
    if (permute.getPermutation().empty())
      permute.setPermutation(SmallVector<int64_t>{0});
  } else if (auto repeat = dyn_cast<RepeatOp>(op)) {
    if (repeat.getRepeatDimensions().empty())
      repeat.setRepeatDimensions(SmallVector<int64_t>{1});
  } else if (auto pad = dyn_cast<PadOp>(op)) {
    if (pad.getPadding().empty())
      pad.setPadding(SmallVector<int32_t>{0, 0});
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    if (slice.getBegins().empty()) {
      slice.setBeginsAttr(numbers(0));
      slice.setEndsAttr(numbers(1));
      slice.setStepAttr(numbers(1));
    }
  } else if (auto gather = dyn_cast<GatherOp>(op)) {
    if (getSourceType(gather.getResult()).getRank() == 0)
      legalizeVector(gather, gather.getStartIndicesMutable());
  } else if (auto scatter = dyn_cast<ScatterOp>(op)) {
    // The updates may be a scalar that was reshaped, whose type says nothing.
    int64_t vector = scatter.getIndexVectorDim();
    int64_t rank =
        std::max(getSourceType(scatter.getScatterIndices()).getRank(), vector);
    bool isOne =
        rank == (vector < rank) && scatter.getUpdateWindowDims().empty();
    if (isOne)
      legalizeVector(scatter, scatter.getScatterIndicesMutable());
  }
  return fitResult(op);
}

/// The vector of one window gets a dimension of indices, so that the window, or
/// the update for it, is no scalar.
template <typename OpT>
void OpLegalizer::legalizeVector(OpT op, OpOperand &indices) {
  SmallVector<int64_t> shape(typeOf(indices.get()).getShape());
  // A scalar is a vector of one index already.
  shape.insert(shape.begin(), 1);
  indices.assign(makeReshape(op.getLoc(), indices.get(), shape));
  op.setIndexVectorDim(op.getIndexVectorDim() + 1);
}

/// Puts a reshape behind an op whose rule gives its result another shape than
/// its type has now.
LogicalResult OpLegalizer::fitResult(Operation *op) {
  FailureOr<shapes::Shape> shape;
  if (auto inferred = dyn_cast<InferShapeOp>(op)) {
    shape = inferred.inferShape();
  } else if (auto composite = dyn_cast<CompositeOp>(op);
             composite && op->getNumResults() == 1) {
    auto all = composite.inferShapes();
    if (succeeded(all))
      shape = all->front();
  } else {
    return success();
  }
  if (failed(shape))
    return failure();
  Value result = op->getResult(0);
  RankedTensorType type = typeOf(result);
  bool isLoose = isa<SumOp, ProdOp, MaxOp, MinOp, MeanOp, ArgMaxOp>(op);
  if (ArrayRef(*shape) == type.getShape() ||
      ((shape->empty() || isLoose) && type.getNumElements() == 1))
    return success();
  if (ShapedType::getNumElements(*shape) != type.getNumElements())
    return op->emitOpError("has a result of ")
           << getSourceType(result) << ", which becomes " << type
           << "; expected one that becomes " << shapes::toString(*shape);
  auto now = RankedTensorType::get(*shape, type.getElementType());
  auto dps = cast<DestinationStyleOpInterface>(op);
  op->setOperand(dps.getDpsInitOperand(0)->getOperandNumber(), makeEmpty(now));
  result.setType(now);
  builder.setInsertionPointAfter(op);
  Value fitted = makeReshape(op->getLoc(), result, type.getShape());
  sources[fitted] = getSourceType(result);
  sources.erase(result);
  result.replaceAllUsesExcept(fitted, fitted.getDefiningOp());
  return success();
}

} // namespace mlir::tt::ttir
