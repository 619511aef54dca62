#include "dialects/TTNN/Transforms/OpCosts.h"

#include "dialects/TT/TensorLayout.h"

#include "mlir/IR/Builders.h"
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

double OpCosts::get(Operation *op, ArrayRef<Type> operands,
                    ArrayRef<Type> results) {
  Builder builder(op->getContext());
  SmallVector<Attribute> key{op->getName().getIdentifier(),
                             op->getAttrDictionary()};
  for (ArrayRef<Type> types : {results, operands})
    for (Type type : types)
      key.push_back(TypeAttr::get(type));
  ArrayAttr whole = builder.getArrayAttr(key);
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
    cycles = measure(op, operands, results);
    clock.getKnownTimes().insert(known, *cycles);
  }
  times[whole] = *cycles;
  return *cycles;
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
    Operation *copy = op->clone();
    auto argument = args.begin();
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
    builder.insert(copy);
    return SmallVector<Value>(copy->getResults());
  };
  return clock.getCycles(*createTrial(module, arguments, results, build));
}

} // namespace mlir::tt::ttnn
