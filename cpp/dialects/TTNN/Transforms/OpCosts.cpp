#include "dialects/TTNN/Transforms/OpCosts.h"

#include "dialects/TT/TensorLayout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttnn {

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
  double cycles = measure(op, operands, results);
  times[whole] = cycles;
  return cycles;
}

double OpCosts::measure(Operation *op, ArrayRef<Type> operands,
                        ArrayRef<Type> results) {
  OpBuilder builder(module.getContext());
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> program = ModuleOp::create(loc);
  for (StringRef name : {DeviceAttr::name, SystemDescAttr::name})
    (*program)->setAttr(name, module->getAttr(name));
  builder.setInsertionPointToEnd(program->getBody());

  // The device is no argument of a program.
  SmallVector<Type> arguments;
  for (Type type : operands)
    if (!isa<DeviceType>(type))
      arguments.push_back(type);
  auto func = func::FuncOp::create(builder, loc, "program",
                                   builder.getFunctionType(arguments, results));
  func->setAttr(kTrialAttr, builder.getUnitAttr());
  Block *body = func.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  auto device = DeviceType::get(module.getContext(),
                                module->getAttrOfType<DeviceAttr>("tt.device"));
  Value handle = GetDeviceOp::create(builder, loc, device);

  auto dps = cast<DestinationStyleOpInterface>(op);
  Operation *copy = op->clone();
  auto argument = body->args_begin();
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
  func::ReturnOp::create(builder, loc, copy->getResults());
  return clock.getCycles(*program);
}

} // namespace mlir::tt::ttnn
