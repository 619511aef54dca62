#include "conversion/Frontend/Translator.h"

#include "conversion/Frontend/Limits.h"
#include "dialects/TT/Bounds.h"
#include "dialects/TT/Elements.h"
#include "dialects/TT/HostType.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::tt::frontend {

std::string Rules::explain(StringRef name) const {
  std::string text = "cannot be expressed in TTIR";
  auto reason = reasons.find(name);
  if (reason != reasons.end())
    return text + ": " + reason->second.str();
  StringRef dialect = name.split('.').first;
  SmallVector<StringRef> known;
  for (StringRef candidate : handlers.keys())
    if (candidate.split('.').first == dialect)
      known.push_back(candidate.split('.').second);
  if (known.empty()) {
    for (StringRef candidate : handlers.keys())
      known.push_back(candidate.split('.').first);
    llvm::sort(known);
    known.erase(llvm::unique(known), known.end());
    return text + ": expected ops of the dialects func, " +
           llvm::join(known, ", ") + ", ttir";
  }
  llvm::sort(known);
  return text + ": expected one of " + dialect.str() + "'s ops " +
         llvm::join(known, ", ");
}

Translator::Translator(ModuleOp module, const Rules &rules,
                       const Remarks &remarks)
    : module(module), rules(rules), remarks(remarks),
      opBuilder(module.getContext()),
      builder(opBuilder, module.getLoc(), opBuilder.getI1Type()) {}

SmallVector<Value> Translator::get(ValueRange old) {
  return llvm::map_to_vector(old, [&](Value v) -> Value { return get(v); });
}

LogicalResult Translator::set(Value old, Value now) {
  if (now.getType() != convert(old.getType()))
    return old.getDefiningOp()->emitOpError("expected to become ")
           << convert(old.getType()) << ", found " << now.getType();
  values.map(old, now);
  return success();
}

Type Translator::element(Type type) const {
  MLIRContext *context = type.getContext();
  if (isa<Float32Type, Float16Type, BFloat16Type>(type))
    return type;
  if (isa<Float64Type>(type))
    return Float32Type::get(context);
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return nullptr;
  unsigned width = integer.getWidth();
  if (width == 1 && integer.isSignless())
    return type;
  if (!llvm::is_contained({8u, 16u, 32u, 64u}, width))
    return nullptr;
  // Signless integers are signed in the front ends' dialects.
  return IntegerType::get(context, std::min(width, 32u),
                          integer.isUnsigned() ? IntegerType::Unsigned
                                               : IntegerType::Signed);
}

bool isWide(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isSignlessInteger(48);
}

RankedTensorType Translator::border(RankedTensorType type) const {
  if (isWide(type))
    return cast<RankedTensorType>(convert(type));
  Type element = type.getElementType();
  auto integer = dyn_cast<IntegerType>(element);
  if (integer && integer.isSignless() && integer.getWidth() > 1)
    element = IntegerType::get(type.getContext(), integer.getWidth(),
                               IntegerType::Signed);
  return RankedTensorType::get(type.getShape(), element);
}

Tensor Translator::adapt(Value value, RankedTensorType type) {
  Value now = value;
  // A single element has a dimension in TTIR.
  if (shapeOf(now).empty())
    now = builder.op("reshape", now, RankedTensorType::get({1}, elementOf(now)),
                     builder.attr("shape", opBuilder.getI32ArrayAttr({1})));
  now = builder.cast(now, type.getElementType());
  if (shapeOf(now) != type.getShape())
    now = builder.op("reshape", now, type,
                     builder.attr("shape", opBuilder.getI32ArrayAttr({})));
  return mlir::cast<Tensor>(now);
}

Type Translator::convert(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isComputable(tensor.getShape()) || tensor.getEncoding() ||
      llvm::is_contained(tensor.getShape(), 0))
    return nullptr;
  Type converted = isWide(type) ? IntegerType::get(type.getContext(), 32,
                                                   IntegerType::Signed)
                                : element(tensor.getElementType());
  if (!converted)
    return nullptr;
  // TTIR's tensors have at least one dimension.
  SmallVector<int64_t> shape(tensor.getShape());
  if (shape.empty())
    shape.push_back(1);
  if (isWide(type))
    shape.insert(shape.begin(), 2);
  return RankedTensorType::get(shape, converted);
}

DenseElementsAttr Translator::convert(ElementsAttr value) const {
  auto type = dyn_cast_or_null<RankedTensorType>(convert(value.getType()));
  if (!type)
    return nullptr;
  Type old = value.getElementType(), now = type.getElementType();
  DenseElementsAttr dense = getDenseElements(value, value.getShapedType());
  if (!dense)
    return nullptr;
  if (isWide(value.getType())) {
    SmallVector<APInt> words;
    for (unsigned from : {0, 32})
      for (const APInt &number : dense.getValues<APInt>())
        words.push_back(number.ashr(from).trunc(32));
    return DenseElementsAttr::get(type, words);
  }
  if (isa<Float64Type>(old)) {
    dense = cast<DenseFPElementsAttr>(dense).mapValues(
        now, [](const APFloat &number) {
          APFloat rounded = number;
          bool losesInfo;
          rounded.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                          &losesInfo);
          return rounded.bitcastToAPInt();
        });
  } else if (old.getIntOrFloatBitWidth() != now.getIntOrFloatBitWidth()) {
    bool isUnsigned = now.isUnsignedInteger();
    auto integers = cast<DenseIntElementsAttr>(dense);
    for (const APInt &number : integers.getValues<APInt>())
      if (isUnsigned ? !number.isIntN(32) : !number.isSignedIntN(32))
        return nullptr;
    dense = integers.mapValues(
        now, [](const APInt &number) { return number.trunc(32); });
  } else if (old != now) {
    dense = dense.bitcast(now);
  }
  return dense.reshape(type);
}

/// A variable holds what functions are given in its place.
static LogicalResult translateVariable(VariableOp variable,
                                       const Translator &translator) {
  Type type = variable.getType(), now = translator.convert(type);
  if (!now || isWide(type))
    return variable.emitOpError(
               "cannot be expressed in TTIR: expected a non-empty tensor of "
               "f64, f32, f16, bf16, i1, or integers of 8, 16, 32 or 64 bits, "
               "found ")
           << type;
  if (ElementsAttr initial = variable.getInitialAttr()) {
    DenseElementsAttr value = translator.convert(initial);
    if (!value)
      return variable.emitOpError("expected dense elements that are in the "
                                  "file and fit into 32 bits, found ")
             << initial;
    variable.setInitialAttr(value);
  }
  variable.setTypeAttr(TypeAttr::get(now));
  return success();
}

LogicalResult Translator::run() {
  SmallVector<func::FuncOp> functions;
  for (Operation &op : *module.getBody()) {
    if (auto variable = dyn_cast<VariableOp>(op)) {
      if (failed(translateVariable(variable, *this)))
        return failure();
      continue;
    }
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return op.emitOpError(rules.explain(op.getName().getStringRef()));
    functions.push_back(function);
  }
  for (func::FuncOp function : functions) {
    if (succeeded(translate(function)))
      continue;
    // Erases the new functions and keeps the old ones.
    for (auto op : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (!llvm::is_contained(functions, op))
        op.erase();
    return failure();
  }
  for (func::FuncOp function : functions)
    function.erase();
  return success();
}

LogicalResult Translator::checkTypes(Operation *op, TypeRange types) {
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape() && !isComputable(tensor.getShape()))
      return op->emitOpError("expected tensors with extents below 2^31 and at "
                             "most 2^40 elements, found ")
             << type;
    if (!convert(type))
      return op->emitOpError()
             << "expected tensors of static, non-empty shape with elements "
                "f64, f32, f16, bf16, i1, or integers of 8, 16, 32 or 64 bits, "
                "found "
             << type;
  }
  return success();
}

LogicalResult Translator::expectNarrow(Operation *op) const {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isWide(type))
        return op->emitOpError("cannot be expressed in TTIR: expected elements "
                               "of at most 32 bits, found ")
               << type;
  return success();
}

LogicalResult Translator::translate(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  if (failed(checkTypes(function, type.getInputs())) ||
      failed(checkTypes(function, type.getResults())))
    return failure();
  auto convertAll = [&](TypeRange types) {
    return llvm::map_to_vector(types, [&](Type t) -> Type {
      return border(cast<RankedTensorType>(t));
    });
  };
  opBuilder.setInsertionPointAfter(function);
  auto now = cast<func::FuncOp>(
      opBuilder.cloneWithoutRegions(*function.getOperation()));
  now.setFunctionType(opBuilder.getFunctionType(convertAll(type.getInputs()),
                                                convertAll(type.getResults())));
  // The host has a pair as one number.
  if (function.isPublic()) {
    auto onHost = [&](Type type) {
      return TypeAttr::get(RankedTensorType::get(
          cast<RankedTensorType>(type).getShape(),
          opBuilder.getIntegerType(64, /*isSigned=*/true)));
    };
    for (auto [i, old] : llvm::enumerate(type.getInputs()))
      if (isWide(old))
        now.setArgAttr(i, kHostTypeAttr, onHost(old));
    for (auto [i, old] : llvm::enumerate(type.getResults()))
      if (isWide(old))
        now.setResultAttr(i, kHostTypeAttr, onHost(old));
  }
  if (function.isExternal())
    return success();
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("expected one block, found ")
           << function.getBody().getBlocks().size()
           << ": TTIR has no control flow";

  Block *block = now.addEntryBlock();
  values.clear();
  opBuilder.setInsertionPointToEnd(block);
  for (auto [old, argument] :
       llvm::zip_equal(function.getArguments(), block->getArguments())) {
    builder.setLoc(argument.getLoc());
    auto type = cast<RankedTensorType>(convert(old.getType()));
    values.map(old, adapt(argument, type));
  }
  for (Operation &op : function.front()) {
    opBuilder.setInsertionPointToEnd(block);
    if (failed(translate(&op)))
      return failure();
  }
  // What only the old program needed: parameters, initial values, borders.
  auto isLeftover = [](Operation &op) {
    return llvm::is_contained({"tensor.empty", "ttir.broadcast",
                               "ttir.constant", "ttir.pad", "ttir.reshape"},
                              op.getName().getStringRef());
  };
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (op.use_empty() && isLeftover(op))
      op.erase();
  return success();
}

LogicalResult Translator::translate(Operation *op) {
  builder.setLoc(op->getLoc());
  if (auto ret = dyn_cast<func::ReturnOp>(op)) {
    SmallVector<Value> results;
    for (Value old : ret.getOperands())
      results.push_back(
          adapt(get(old), border(cast<RankedTensorType>(old.getType()))));
    func::ReturnOp::create(opBuilder, op->getLoc(), results);
    return success();
  }
  // A constant of another type may be a parameter: a shape, a shift.
  if (op->hasTrait<OpTrait::ConstantLike>() &&
      !llvm::all_of(op->getResultTypes(),
                    [&](Type type) { return convert(type); }))
    return success();
  auto tensors = llvm::make_filter_range(
      op->getResultTypes(), [](Type type) { return isa<ShapedType>(type); });
  if (failed(checkTypes(op, llvm::to_vector<4>(tensors))))
    return failure();
  if (isa<func::CallOp, tensor::EmptyOp>(op) || isControlFlow(op) ||
      isa_and_nonnull<ttir::TTIRDialect>(op->getDialect()))
    return cloneWithTypes(op);
  StringRef name = op->getName().getStringRef();
  Rules::Rule rule = rules.find(name);
  if (!rule.handler)
    return op->emitOpError(rules.explain(name));
  if (!rule.takesWide && failed(expectNarrow(op)))
    return failure();
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (number < rule.parametersFrom && isa<ShapedType>(operand.getType()) &&
        !values.contains(operand) && failed(checkTypes(op, operand.getType())))
      return failure();
  Block *block = opBuilder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  if (failed(rule.handler(op, *this)))
    return failure();
  report(op, last ? std::next(last->getIterator()) : block->begin());
  return success();
}

void Translator::report(Operation *op, Block::iterator made) const {
  auto remark = remarks.passed(op, "Translated");
  if (!remark)
    return;
  std::string ops = countOps(made, opBuilder.getInsertionBlock()->end());
  if (ops.empty())
    remark << reason("becomes no op: its readers take it as a parameter");
  else
    remark << reason("becomes {0}", ops);
}

LogicalResult Translator::cloneWithTypes(Operation *op) {
  if (auto constant = dyn_cast<ttir::ConstantOp>(op)) {
    DenseElementsAttr value = convert(constant.getValue());
    if (!value)
      return op->emitOpError("expected dense elements, found ")
             << constant.getValue();
    return set(constant.getResult(), builder.constant(value));
  }
  for (Value operand : op->getOperands())
    if (!values.contains(operand) || !convert(operand.getType()))
      return op->emitOpError("expected tensors as operands, found ")
             << operand.getType();
  if (failed(checkTypes(op, op->getResultTypes())))
    return failure();
  if (isa<func::CallOp>(op) || isControlFlow(op)) {
    Operation *now = opBuilder.cloneWithoutRegions(*op);
    for (auto [operand, old] :
         llvm::zip_equal(now->getOpOperands(), op->getOperands())) {
      opBuilder.setInsertionPoint(now);
      operand.set(
          adapt(get(old), border(cast<RankedTensorType>(old.getType()))));
    }
    opBuilder.setInsertionPointAfter(now);
    for (auto [old, result] :
         llvm::zip_equal(op->getResults(), now->getResults())) {
      result.setType(border(cast<RankedTensorType>(old.getType())));
      values.map(old, adapt(result, resultType(old)));
    }
    return success();
  }
  if (failed(expectNarrow(op)))
    return failure();
  Operation *now = opBuilder.clone(*op, values);
  for (OpResult result : now->getResults())
    result.setType(convert(result.getType()));
  // A single element has a dimension here.
  if (auto reshape = dyn_cast<ttir::ReshapeOp>(now))
    reshape.setShapeAttr(opBuilder.getI32ArrayAttr(
        SmallVector<int32_t>(reshape.getType().getShape())));
  return success();
}

std::optional<SmallVector<int64_t>> constantIntegers(Value old) {
  DenseIntElementsAttr value;
  // A constant of `!tosa.shape` type has its elements in `values`.
  if (Operation *op = old.getDefiningOp();
      op && op->getName().getStringRef() == "tosa.const_shape")
    value = op->getAttrOfType<DenseIntElementsAttr>("values");
  if (!value && !matchPattern(old, m_Constant(&value)))
    return std::nullopt;
  return llvm::map_to_vector(value.getValues<APInt>(), [](const APInt &number) {
    return number.getSExtValue();
  });
}

std::optional<SmallVector<int64_t>> constantList(ArrayRef<int64_t> stated,
                                                 ValueRange operands) {
  if (llvm::count_if(stated, ShapedType::isDynamic) !=
      static_cast<int64_t>(operands.size()))
    return std::nullopt;
  MLIRContext *context =
      operands.empty() ? nullptr : operands.front().getContext();
  if (!context)
    return SmallVector<int64_t>(stated);
  return getConstantIntValues(getMixedValues(stated, operands, context));
}

LogicalResult expectAtMost(Operation *op, StringRef what, int64_t limit,
                           int64_t found) {
  if (found <= limit)
    return success();
  return op->emitOpError("cannot be expressed in TTIR: expected at most ")
         << limit << " " << what << ", found " << found;
}

bool canPadWith(double value, Type element) {
  return isa<FloatType>(element) || static_cast<float>(value) == value;
}

std::optional<double> splatOf(Attribute value) {
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(value)) {
    if (!dense.isSplat())
      return std::nullopt;
    value = dense.getSplatValue<Attribute>();
  }
  if (auto floating = dyn_cast_or_null<FloatAttr>(value))
    return floating.getValueAsDouble();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value)) {
    APInt number = integer.getValue();
    return number.getBitWidth() == 1 ? double(number.getZExtValue())
                                     : double(number.getSExtValue());
  }
  return std::nullopt;
}

std::optional<double> constantSplat(Value old) {
  Attribute value;
  if (!matchPattern(old, m_Constant(&value)))
    return std::nullopt;
  return splatOf(value);
}

} // namespace mlir::tt::frontend
