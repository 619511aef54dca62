#include "dialects/TTNN/Transforms/OpCosts.h"

#include "dialects/TT/TensorLayout.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Threading.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/MapVector.h"

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

static Attribute getKey(Operation *op, ArrayRef<Type> operands,
                        ArrayRef<Type> results) {
  SmallVector<Attribute> key{op->getName().getIdentifier(),
                             op->getAttrDictionary()};
  for (ArrayRef<Type> types : {results, operands})
    for (Type type : types)
      key.push_back(TypeAttr::get(type));
  return ArrayAttr::get(op->getContext(), key);
}

double OpCosts::get(Operation *op, ArrayRef<Type> operands,
                    ArrayRef<Type> results) {
  Attribute key = getKey(op, operands, results);
  auto found = times.find(key);
  if (found != times.end())
    return found->second;
  if (reachedLimit())
    return kUnknownTime;
  double cycles = measure(op, operands, results);
  times[key] = cycles;
  return cycles;
}

void OpCosts::prefetch(ArrayRef<TypedCall> calls) {
  llvm::MapVector<Attribute, const TypedCall *> unknown;
  for (const TypedCall &call : calls) {
    if (times.size() + unknown.size() >= limit)
      break;
    Attribute key = getKey(call.op, call.operands, call.results);
    if (!times.contains(key))
      unknown.insert({key, &call});
  }
  std::vector<double> cycles(unknown.size());
  parallelFor(module.getContext(), 0, unknown.size(), [&](size_t i) {
    const TypedCall &call = *unknown.begin()[i].second;
    cycles[i] = measure(call.op, call.operands, call.results);
  });
  for (auto [entry, time] : llvm::zip_equal(unknown, cycles))
    times[entry.first] = time;
}

double OpCosts::measure(Operation *op, ArrayRef<Type> operands,
                        ArrayRef<Type> results) {
  // The device is no argument of a program.
  SmallVector<Type> arguments;
  for (Type type : operands)
    if (!isa<DeviceType>(type))
      arguments.push_back(type);
  auto build = [&](OpBuilder &builder, ValueRange args) -> SmallVector<Value> {
    Location loc = builder.getUnknownLoc();
    auto deviceType = DeviceType::get(module.getContext(), device);
    Value handle = GetDeviceOp::create(builder, loc, deviceType);
    auto dps = cast<DestinationStyleOpInterface>(op);
    // Not a clone: that would use the original operands, which other threads
    // may do at the same time.
    SmallVector<Value> values;
    auto argument = args.begin();
    auto type = operands.begin();
    for (OpOperand &operand : op->getOpOperands()) {
      if (!dps.isDpsInit(&operand)) {
        values.push_back(isa<DeviceType>(*type++) ? handle
                                                  : Value(*argument++));
        continue;
      }
      auto result = cast<RankedTensorType>(
          results[dps.getTiedOpResult(&operand).getResultNumber()]);
      tt::LayoutAttr layout = getLayoutOf(result);
      values.push_back(EmptyOp::create(
          builder, loc, result, handle,
          ShapeAttr::get(module.getContext(), result.getShape()),
          DataTypeAttr::get(module.getContext(), *getStoredFormat(result)),
          getElementOrder(layout), getMemoryConfig(layout)));
    }
    Operation *copy = builder.insert(Operation::create(
        op->getLoc(), op->getName(), results, values,
        op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
        /*successors=*/{}, /*numRegions=*/0));
    return SmallVector<Value>(copy->getResults());
  };
  return clock.getCycles(*createTrial(module, arguments, results, build));
}

} // namespace mlir::tt::ttnn
