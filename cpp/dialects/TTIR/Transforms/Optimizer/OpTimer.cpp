#include "dialects/TTIR/Transforms/Optimizer/OpTimer.h"

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

static bool isDestination(OpOperand &operand) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  return dps && dps.isDpsInit(&operand);
}

TimedOp OpTimer::get(Operation *op, Value open, SmallVector<Type> operands) {
  Builder builder(op->getContext());
  std::string config;
  llvm::raw_string_ostream stream(config);
  ComputeConfigOverrides::print(stream, demands.forOp(op));
  SmallVector<Attribute> key{op->getName().getIdentifier(),
                             op->getAttrDictionary(),
                             builder.getStringAttr(config)};
  for (auto [operand, type] : llvm::zip_equal(op->getOpOperands(), operands))
    if (operand.get() == open)
      key.push_back(builder.getUnitAttr());
    else if (!isDestination(operand))
      key.push_back(TypeAttr::get(type));
  return {op, open, std::move(operands), builder.getArrayAttr(key)};
}

double OpTimer::time(const TimedOp &timed, Type read, RankedTensorType result) {
  return lookup({timed.key, read, result}, result, [&] {
    SmallVector<Type> arguments(timed.operands);
    for (auto [operand, type] :
         llvm::zip_equal(timed.op->getOperands(), arguments))
      if (operand == timed.open)
        type = read;
    return measure(arguments, result, [&](OpBuilder &builder, ValueRange args) {
      // The copy has the names that overrides know the op by.
      Operation *copy = timed.op->clone();
      copy->setOperands(args);
      for (OpOperand &operand : copy->getOpOperands())
        if (isDestination(operand))
          operand.set(tensor::EmptyOp::create(
              builder, copy->getLoc(), result.getShape(),
              result.getElementType(), result.getEncoding()));
      copy->getResult(0).setType(result);
      return builder.insert(copy)->getResult(0);
    });
  });
}

double OpTimer::timeConversion(RankedTensorType from, RankedTensorType to) {
  return lookup({Attribute(), from, to}, to, [&] {
    return measure(from, to, [&](OpBuilder &builder, ValueRange args) {
      return createToLayout(builder, builder.getUnknownLoc(), args.front(), to)
          .getResult();
    });
  });
}

/// The clock's work: a stream has at most some 50 tiles of each core.
static unsigned countOf(RankedTensorType result) {
  constexpr int64_t kElements = 256 * 32 * 32, kMost = 12;
  return std::clamp<int64_t>(result.getNumElements() / kElements, 1, kMost);
}

double OpTimer::lookup(const Key &key, RankedTensorType result,
                       llvm::function_ref<double()> measure) {
  auto found = times.find(key);
  if (found != times.end())
    return found->second;
  if (reachedLimit())
    return kUnknownTime;
  counted += countOf(result);
  return times[key] = measure();
}

double OpTimer::measure(TypeRange arguments, RankedTensorType result,
                        BuildFn build) {
  OwningOpRef<ModuleOp> program = createTrial(
      module, arguments, Type(result),
      [&](OpBuilder &builder, ValueRange args) -> SmallVector<Value> {
        return {build(builder, args)};
      });
  return clock.getCycles(*program, demands);
}

} // namespace mlir::tt::ttir
