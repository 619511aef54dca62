#include "conversion/TTNNToEmitC/TTNNToEmitC.h"

#include "conversion/TTNNToEmitC/CppText.h"
#include "dialects/TT/TTOps.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using mlir::tt::emission::TensorSpec;

namespace {

constexpr StringRef kHeader = "ttnn-precompiled.hpp";

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The state of the conversion of one module.
struct Context {
  Context(ModuleOp module)
      : module(module), builder(module.getContext()),
        device(module->getAttrOfType<DeviceAttr>(DeviceAttr::name)),
        tensorType(opaque("ttnn::Tensor")),
        deviceType(emitc::PointerType::get(opaque("ttnn::Device"))) {}

  emitc::OpaqueType opaque(StringRef text) {
    return emitc::OpaqueType::get(module.getContext(), text);
  }
  emitc::OpaqueAttr literal(StringRef text) {
    return emitc::OpaqueAttr::get(module.getContext(), text);
  }
  Type convertType(Type type) const {
    if (isa<RankedTensorType>(type))
      return tensorType;
    return isa<DeviceType>(type) ? deviceType : type;
  }

  /// Null, and an error at `op`, for a type that has no description.
  const TensorSpec *getSpec(Operation *op, Type type) {
    auto known = specs.find(type);
    if (known != specs.end())
      return known->second.get();
    std::optional<TensorSpec> spec = emission::getTensorSpec(
        [&] { return op->emitOpError(); }, type, device);
    if (!spec)
      return nullptr;
    auto &entry = specs[type];
    entry = std::make_unique<TensorSpec>(std::move(*spec));
    return entry.get();
  }

  /// The symbol of a static array with the bits of elements, in the module that
  /// the builder is in.
  StringRef getArray(ArrayRef<char> bits, emitc::ArrayType type);

  ModuleOp module;
  OpBuilder builder;
  DeviceAttr device;
  Type tensorType, deviceType;
  /// From the values of the ttnn ops, which stay until all are converted, to
  /// those of the calls.
  IRMapping values;
  llvm::DenseMap<Type, std::unique_ptr<TensorSpec>> specs;
  unsigned numArrays = 0;
};

StringRef Context::getArray(ArrayRef<char> bits, emitc::ArrayType type) {
  auto scope = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string name;
  do
    name = "constant" + std::to_string(numArrays++);
  while (SymbolTable::lookupSymbolIn(scope, name));
  Attribute elements = DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get(type.getShape(), type.getElementType()), bits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(scope.getBody());
  while (isa<emitc::IncludeOp, emitc::GlobalOp>(*builder.getInsertionPoint()))
    builder.setInsertionPointAfter(&*builder.getInsertionPoint());
  return emitc::GlobalOp::create(builder, module.getLoc(), name, type, elements,
                                 /*extern_specifier=*/false,
                                 /*static_specifier=*/true,
                                 /*const_specifier=*/true)
      .getSymName();
}

/// The bits of elements; nothing where they are not in the module.
static std::optional<ArrayRef<char>> getBits(ElementsAttr attr) {
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? std::optional(blob->getData()) : std::nullopt;
}

/// Puts a call together, argument by argument.
class Call {
public:
  Call(Context &context, Operation *op) : context(context), op(op) {}

  /// An operand of the op, or a value of a call.
  void value(Value value) {
    args.push_back(
        context.builder.getIndexAttr(static_cast<int64_t>(operands.size())));
    operands.push_back(context.values.lookupOrDefault(value));
  }
  void text(StringRef text) {
    args.push_back(context.literal(text));
    isPlain = false;
  }

  /// All values of an operand, one argument each.
  void each(ValueRange values) {
    for (Value operand : values)
      value(operand);
  }
  void optional(ValueRange values) {
    if (values.empty())
      text("std::nullopt");
    else
      value(values.front());
  }
  void optionalDevice(ValueRange values) {
    if (values.empty())
      text("nullptr");
    else
      value(values.front());
  }
  /// All values of an operand in one `std::vector`.
  void vector(ValueRange values) {
    SmallVector<Value> elements;
    for (Value operand : values)
      elements.push_back(context.values.lookupOrDefault(operand));
    Type type = context.opaque("std::vector<ttnn::Tensor>");
    value(emitc::CallOpaqueOp::create(context.builder, op->getLoc(), type,
                                      "ttnn::tensors", elements)
              .getResult(0));
  }
  /// An attribute, or its absence, as a value of the C++ type `type`.
  void attribute(StringRef type, StringRef name, Attribute attr) {
    if (std::optional<std::string> literal = emission::toCpp(type, attr))
      return text(*literal);
    hasFailed = true;
    op->emitOpError("has an attribute without a C++ form: ")
        << name << " = " << attr;
  }
  /// Elements as an array of their bits, which is exact.
  void elements(ElementsAttr attr) {
    Type type = attr.getElementType();
    std::optional<DataType> dtype = elementTypeToDataType(type);
    std::optional<ArrayRef<char>> bits = getBits(attr);
    size_t width = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() / 8 : 0;
    size_t count = attr.getNumElements();
    if (!dtype || !bits || width == 0 ||
        (bits->size() != width && bits->size() != width * count)) {
      hasFailed = true;
      op->emitOpError("has elements without a C++ form: expected those of a "
                      "data type of the machine, found ")
          << attr.getType();
      return;
    }
    MLIRContext *ctx = context.module.getContext();
    auto arrayType = emitc::ArrayType::get(
        {static_cast<int64_t>(bits->size() / width)},
        IntegerType::get(ctx, width * 8, IntegerType::Unsigned));
    StringRef name = context.getArray(*bits, arrayType);
    OpBuilder &builder = context.builder;
    Value array =
        emitc::GetGlobalOp::create(builder, op->getLoc(), arrayType, name);
    SmallVector<Attribute> order = {context.literal(emission::toCpp(*dtype)),
                                    builder.getIndexAttr(0)};
    if (bits->size() != width * count)
      order.push_back(context.literal(std::to_string(count)));
    value(emitc::CallOpaqueOp::create(
              builder, op->getLoc(), context.opaque("ttnn::Elements"),
              "ttnn::Elements", array, builder.getArrayAttr(order))
              .getResult(0));
  }
  /// What the layout of a result says.
  void spec(Type type) {
    if (const TensorSpec *known = context.getSpec(op, type))
      return text(emission::toCpp(*known));
    hasFailed = true;
  }

  /// The call; nothing, after an error, if an argument has no C++ form.
  FailureOr<emitc::CallOpaqueOp> finish(StringRef callee) {
    if (hasFailed)
      return failure();
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(context.convertType(type));
    ArrayAttr order;
    if (!isPlain)
      order = context.builder.getArrayAttr(args);
    return emitc::CallOpaqueOp::create(context.builder, op->getLoc(), types,
                                       callee, operands, order);
  }

private:
  Context &context;
  Operation *op;
  SmallVector<Value> operands;
  SmallVector<Attribute> args;
  bool isPlain = true, hasFailed = false;
};

#include "conversion/TTNNToEmitC/TTNNToEmitC.inc"

//===----------------------------------------------------------------------===//
// Ops whose call is not just a list of their operands and attributes
//===----------------------------------------------------------------------===//

using Result = FailureOr<emitc::CallOpaqueOp>;

Result convert(Context &context, ttnn::GetDeviceOp op) {
  DeviceAttr device = cast<DeviceType>(op->getResult(0).getType()).getDesc();
  ArrayRef<unsigned> chips = device.getChipIds();
  Call call(context, op);
  if (chips.size() > 1) {
    call.text("ttnn::MeshShape" + emission::braced(device.getMeshShape()));
    SmallVector<int64_t> ids(chips.begin(), chips.end());
    call.text("std::vector<int>" + emission::braced(ids));
  } else if (chips.front() != 0) {
    // The first chip is the default.
    call.text(std::to_string(chips.front()));
  }
  return call.finish("ttnn::DeviceGetter::getInstance");
}

Value createMemoryConfig(Context &context, Location loc,
                         const emission::MemoryConfig &config) {
  SmallVector<Attribute> args = {
      context.literal(emission::toCpp(config.layout)),
      context.literal(emission::toCpp(config.buffer))};
  if (!config.shards.empty())
    args.push_back(context.literal(config.shards));
  return emitc::CallOpaqueOp::create(context.builder, loc,
                                     context.opaque("ttnn::MemoryConfig"),
                                     "ttnn::MemoryConfig", ValueRange(),
                                     context.builder.getArrayAttr(args))
      .getResult(0);
}

/// `ttnn::Shape(Shape({64, 128, }))`: the library makes its shape from the
/// machine's.
Value createShape(Context &context, Location loc, ArrayRef<int64_t> shape) {
  OpBuilder &builder = context.builder;
  Type type = context.opaque("ttnn::Shape");
  auto expression =
      emitc::ExpressionOp::create(builder, loc, type, ValueRange(), UnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&expression.createBody());
  std::string extents = "{";
  for (int64_t extent : shape)
    extents += std::to_string(extent) + ", ";
  Attribute literal = context.literal(extents + "}");
  auto inner = emitc::CallOpaqueOp::create(
      builder, loc, context.opaque("tt::metal::Shape"), "Shape", ValueRange(),
      builder.getArrayAttr(literal));
  auto outer = emitc::CallOpaqueOp::create(builder, loc, type, "ttnn::Shape",
                                           inner.getResults());
  emitc::YieldOp::create(builder, loc, outer.getResult(0));
  return expression.getResult();
}

Result convert(Context &context, ttnn::EmptyOp op) {
  const TensorSpec *spec = context.getSpec(op, op.getType());
  if (!spec)
    return failure();
  Call call(context, op);
  call.value(createShape(context, op.getLoc(), spec->shape));
  call.text(emission::toCpp(spec->dtype));
  call.text(emission::toCpp(spec->order));
  if (op.getDevice()) {
    Value device = context.values.lookupOrDefault(op.getDevice());
    call.value(emitc::ApplyOp::create(context.builder, op.getLoc(),
                                      context.opaque("ttnn::Device&"), "*",
                                      device));
    call.value(createMemoryConfig(context, op.getLoc(), spec->memory));
  }
  if (!spec->physical.empty())
    call.text(spec->physical);
  return call.finish(op->hasAttr("ttnn.zeros") ? "ttnn::zeros" : "ttnn::empty");
}

/// The library moves the tensor to the device that it is given: to DRAM, unless
/// it is in a memory of the device already. Its element type stays. Where the
/// result differs, its element type and its memory stand in the places of the
/// two `std::nullopt`; what they cannot say makes a description at the end.
Result convert(Context &context, ttnn::ToLayoutOp op) {
  const TensorSpec *from = context.getSpec(op, op.getInput().getType());
  const TensorSpec *to = context.getSpec(op, op.getType());
  if (!from || !to)
    return failure();
  TensorSpec said = *from;
  said.order = op.getLayout();
  if (from->memory == emission::MemoryConfig())
    said.memory.buffer = ttnn::BufferType::DRAM;

  Call call(context, op);
  call.value(op.getInput());
  call.text(emission::toCpp(op.getLayout()));
  call.text(said.dtype == to->dtype ? "std::nullopt"
                                    : emission::toCpp(to->dtype));
  said.dtype = to->dtype;
  call.text(said.memory == to->memory ? "std::nullopt"
                                      : emission::toCpp(to->memory));
  said.memory = to->memory;
  call.value(op.getDevice());
  if (!(said == *to))
    call.text(emission::toCpp(*to));
  return call.finish("ttnn::to_layout");
}

/// The library keeps element type and order; a description follows where the
/// result differs in more than its memory.
Result convert(Context &context, ttnn::ToDeviceOp op) {
  const TensorSpec *from = context.getSpec(op, op.getInput().getType());
  const TensorSpec *to = context.getSpec(op, op.getType());
  if (!from || !to)
    return failure();
  TensorSpec said = *from;
  said.memory = to->memory;
  ttnn::MemoryConfigAttr config = op.getMemoryConfig();
  bool agrees =
      to->memory.layout == config.getTensorMemoryLayout().getValue() &&
      to->memory.buffer == config.getBufferType().getValue();

  Call call(context, op);
  call.value(op.getInput());
  call.value(op.getDevice());
  emission::MemoryConfig asked{config.getTensorMemoryLayout().getValue(),
                               config.getBufferType().getValue(),
                               {}};
  call.value(
      createMemoryConfig(context, op.getLoc(), agrees ? to->memory : asked));
  if (!agrees || !(said == *to))
    call.text(emission::toCpp(*to));
  return call.finish("ttnn::to_device");
}

/// Optional tensors of the library stand before the destination.
Result convert(Context &context, ttnn::MultiplyOp op) {
  Call call(context, op);
  call.each(op.getInputs());
  call.text("std::nullopt");
  call.text("std::nullopt");
  call.each(op.getOutputs());
  return call.finish("ttnn::multiply");
}

/// Any other op: its operands, its attributes, and the descriptions of results
/// that are new tensors.
Result convertByTable(Context &context, Operation *op) {
  Call call(context, op);
  if (!addArguments(call, op))
    return op->emitOpError("has no C++ form: the library has no function for "
                           "it");
  return call.finish("ttnn::" + op->getName().stripDialect().str());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Result convert(Context &context, Operation *op) {
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<ttnn::GetDeviceOp, ttnn::EmptyOp, ttnn::ToLayoutOp,
            ttnn::ToDeviceOp, ttnn::MultiplyOp>(
          [&](auto typed) { return convert(context, typed); })
      .Default(
          [&](Operation *other) { return convertByTable(context, other); });
}

/// Brings an argument to the layout that the function was compiled for.
LogicalResult convertInput(Context &context, func::FuncOp func,
                           BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type || !isa_and_present<LayoutAttr>(type.getEncoding()))
    return success();
  const TensorSpec *spec = context.getSpec(func, type);
  if (!spec)
    return failure();
  emitc::CallOpaqueOp::create(
      context.builder, argument.getLoc(), TypeRange(), "ttnn::input",
      ValueRange(argument),
      context.builder.getArrayAttr({context.builder.getIndexAttr(0),
                                    context.literal(emission::toCpp(*spec))}));
  return success();
}

/// A call that applies the activation to the result where it is.
void activate(Context &context, Operation *op, StringRef function) {
  Value result = context.values.lookup(op->getResult(0));
  auto call = emitc::CallOpaqueOp::create(
      context.builder, op->getLoc(), result.getType(),
      "ttnn::" + function.str(), ValueRange{result, result});
  context.values.map(op->getResult(0), call.getResult(0));
}

LogicalResult convertBody(Context &context, func::FuncOp func) {
  if (func.isExternal())
    return success();
  for (unsigned i = 0, end = func.getNumArguments(); i != end; ++i)
    if (func.getArgAttr(i, kPreshardedAttr))
      return func.emitError(
                 "has no C++ form: the chips keep shards of argument ")
             << i << "; expected inputs from the host";
  for (unsigned i = 0, end = func.getNumResults(); i != end; ++i)
    if (func.getResultAttr(i, kPreshardedAttr))
      return func.emitError("has no C++ form: the chips keep shards of result ")
             << i << "; expected results on the host";
  context.builder.setInsertionPointToStart(&func.getBody().front());
  for (BlockArgument argument : func.getArguments())
    if (failed(convertInput(context, func, argument)))
      return failure();

  SmallVector<Operation *> converted;
  for (Operation &op : func.getOps()) {
    if (isa<emitc::EmitCDialect>(op.getDialect()))
      continue;
    if (auto terminator = dyn_cast<func::ReturnOp>(op)) {
      for (OpOperand &operand : terminator->getOpOperands())
        operand.set(context.values.lookupOrDefault(operand.get()));
      continue;
    }
    if (!isa<ttnn::TTNNDialect>(op.getDialect()))
      return op.emitOpError("has no C++ form: expected ops of the ttnn "
                            "dialect and func.return");
    context.builder.setInsertionPoint(&op);
    Result call = convert(context, &op);
    if (failed(call))
      return failure();
    context.values.map(op.getResults(), call->getResults());
    if (auto activation = op.getAttrOfType<StringAttr>(ttnn::kActivation))
      activate(context, &op, activation.getValue());
    converted.push_back(&op);
  }
  // The keys are the values that go now.
  context.values.clear();
  for (Operation *op : llvm::reverse(converted))
    op->erase();
  return success();
}

void convertSignature(Context &context, func::FuncOp func) {
  auto convertAll = [&](TypeRange types) {
    return llvm::map_to_vector(
        types, [&](Type type) { return context.convertType(type); });
  };
  FunctionType type = func.getFunctionType();
  func.setFunctionType(FunctionType::get(func.getContext(),
                                         convertAll(type.getInputs()),
                                         convertAll(type.getResults())));
  if (!func.isExternal())
    for (BlockArgument argument : func.getArguments())
      argument.setType(context.convertType(argument.getType()));
}

/// Gives functions names that C++ allows.
LogicalResult renameFunction(func::FuncOp func) {
  std::string name = emission::toIdentifier(func.getSymName());
  if (name == func.getSymName())
    return success();
  Operation *scope = func->getParentOp();
  while (SymbolTable::lookupSymbolIn(scope, name))
    name += "_";
  auto symbol = StringAttr::get(func.getContext(), name);
  if (failed(SymbolTable::replaceAllSymbolUses(func, symbol, scope)))
    return func.emitOpError("cannot be renamed to ")
           << name << ", as C++ needs it";
  func.setSymNameAttr(symbol);
  return success();
}

/// Inlines the functions that compute cached values and those of the host: a
/// C++ function computes everything in every call, and the library takes host
/// tensors as they are.
template <typename CallT> void inlineCalls(ModuleOp module) {
  SmallVector<CallT> calls;
  module.walk([&](CallT call) { calls.push_back(call); });
  for (CallT call : calls) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    Block &body = callee.getBody().front();
    IRMapping map;
    map.map(body.getArguments(), call.getInputs());
    OpBuilder builder(call);
    for (Operation &op : body.without_terminator())
      builder.clone(op, map);
    for (auto [result, value] :
         llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(map.lookupOrDefault(value));
    call.erase();
    if (SymbolTable::symbolKnownUseEmpty(callee, module))
      callee.erase();
  }
}

void includeHeader(ModuleOp module) {
  for (auto include : module.getOps<emitc::IncludeOp>())
    if (include.getInclude() == kHeader)
      return;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  emitc::IncludeOp::create(builder, module.getLoc(), kHeader);
}

} // namespace

LogicalResult mlir::tt::convertTTNNToEmitC(ModuleOp module) {
  Context context(module);
  includeHeader(module);
  inlineCalls<LoadCachedOp>(module);
  inlineCalls<CallOp>(module);
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp func) { functions.push_back(func); });
  for (func::FuncOp func : functions) {
    if (failed(renameFunction(func)) || failed(convertBody(context, func)))
      return failure();
    convertSignature(context, func);
  }
  return success();
}
