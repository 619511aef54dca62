#include "dialects/TTNN/Transforms/OpCosts.h"

#include "dialects/TT/TensorLayout.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttnn {

FailureOr<std::unique_ptr<OpCosts>>
OpCosts::create(ModuleOp module, StringRef pass, unsigned limit) {
  auto device = module->getAttrOfType<DeviceAttr>(DeviceAttr::name);
  auto system = module->getAttrOfType<SystemDescAttr>(SystemDescAttr::name);
  if (!device || !system)
    return module.emitError(pass)
           << " needs a device and its description: expected the attributes "
              "'tt.device' and 'tt.system_desc' on the module; run "
              "--ttir-load-system-desc and --ttir-implicit-device first";
  auto *clock = module.getContext()
                    ->getLoadedDialect<TTDialect>()
                    ->getRegisteredInterface<ProgramClock>();
  if (!clock || limit == 0)
    return std::unique_ptr<OpCosts>();
  return std::unique_ptr<OpCosts>(
      new OpCosts(*clock, module, device, system, limit));
}

namespace {

/// What decides about the time of an op, but for its types.
void addOp(SmallVectorImpl<Attribute> &key, Operation *op) {
  key.push_back(op->getName().getIdentifier());
  key.push_back(op->getAttrDictionary());
}

void addTypes(SmallVectorImpl<Attribute> &key, TypeRange types) {
  for (Type type : types)
    key.push_back(TypeAttr::get(type));
}

/// The device is no argument of a program.
SmallVector<Type> getArguments(TypeRange operands) {
  SmallVector<Type> arguments;
  for (Type type : operands)
    if (!isa<DeviceType>(type))
      arguments.push_back(type);
  return arguments;
}

/// Of the operands that are not destinations.
SmallVector<Type> getInputTypes(Operation *op) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands())
    if (!dps.isDpsInit(&operand))
      types.push_back(operand.get().getType());
  return types;
}

} // namespace

double OpCosts::get(SmallVector<Attribute> key,
                    llvm::function_ref<double()> measure) {
  ArrayAttr whole = Builder(module.getContext()).getArrayAttr(key);
  auto found = times.find(whole);
  if (found != times.end())
    return found->second;
  if (reachedLimit())
    return kUnknownTime;
  // The device and the system decide about the time, too.
  key.append({device, system});
  KnownTimes::Digest known = digest(key);
  std::optional<double> cycles = clock.getKnownTimes().find(known);
  if (!cycles) {
    cycles = measure();
    clock.getKnownTimes().insert(known, *cycles);
  }
  times[whole] = *cycles;
  return *cycles;
}

double OpCosts::get(Operation *op, ArrayRef<Type> operands,
                    ArrayRef<Type> results) {
  SmallVector<Attribute> key;
  addOp(key, op);
  addTypes(key, results);
  addTypes(key, operands);
  return get(std::move(key), [&] {
    auto build = [&](OpBuilder &builder, ValueRange arguments) {
      Operation *copy = addCopy(builder, op, operands, results, arguments);
      return SmallVector<Value>(copy->getResults());
    };
    return clock.getCycles(
        *createTrial(module, getArguments(operands), results, build));
  });
}

double OpCosts::getOfPair(Operation *first, Operation *second) {
  SmallVector<Type> operands = getInputTypes(first);
  SmallVector<Type> results(first->getResultTypes());
  SmallVector<Attribute> key;
  for (Operation *op : {first, second}) {
    addOp(key, op);
    addTypes(key, op->getResultTypes());
  }
  addTypes(key, operands);
  return get(std::move(key), [&] {
    auto build = [&](OpBuilder &builder, ValueRange arguments) {
      Operation *source = addCopy(builder, first, operands, results, arguments);
      IRMapping values;
      values.map(first->getResults(), source->getResults());
      return SmallVector<Value>(builder.clone(*second, values)->getResults());
    };
    return clock.getCycles(*createTrial(module, getArguments(operands),
                                        second->getResultTypes(), build));
  });
}

KnownTimes::Digest OpCosts::digest(ArrayRef<Attribute> attributes) {
  SmallVector<KnownTimes::Digest> all;
  for (Attribute attribute : attributes) {
    auto [found, isNew] = digests.try_emplace(attribute);
    if (isNew) {
      std::string text;
      llvm::raw_string_ostream(text) << attribute;
      found->second = KnownTimes::digest(text);
    }
    all.push_back(found->second);
  }
  return KnownTimes::digest(
      StringRef(reinterpret_cast<const char *>(all.data()),
                all.size() * sizeof(KnownTimes::Digest)));
}

Operation *OpCosts::addCopy(OpBuilder &builder, Operation *op,
                            ArrayRef<Type> operands, ArrayRef<Type> results,
                            ValueRange arguments) {
  Location loc = builder.getUnknownLoc();
  auto deviceType = DeviceType::get(module.getContext(), device);
  Value handle = GetDeviceOp::create(builder, loc, deviceType);
  auto dps = cast<DestinationStyleOpInterface>(op);
  Operation *copy = op->clone();
  auto argument = arguments.begin();
  auto type = operands.begin();
  for (auto [operand, own] :
       llvm::zip_equal(op->getOpOperands(), copy->getOpOperands())) {
    if (dps.isDpsInit(&operand)) {
      auto result = cast<RankedTensorType>(
          results[dps.getTiedOpResult(&operand).getResultNumber()]);
      tt::LayoutAttr layout = getLayoutOf(result);
      own.set(EmptyOp::create(
          builder, loc, result, handle,
          ShapeAttr::get(module.getContext(), result.getShape()),
          DataTypeAttr::get(module.getContext(), *getStoredFormat(result)),
          getElementOrder(layout), getMemoryConfig(layout)));
      continue;
    }
    own.set(isa<DeviceType>(*type++) ? handle : Value(*argument++));
  }
  for (auto [value, type] : llvm::zip_equal(copy->getResults(), results))
    value.setType(type);
  return builder.insert(copy);
}

} // namespace mlir::tt::ttnn
