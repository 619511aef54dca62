#include "dialects/TT/ProgramClock.h"

#include "dialects/TT/Remarks.h"
#include "dialects/TT/TT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tt;

OwningOpRef<ModuleOp>
tt::createTrial(ModuleOp module, TypeRange arguments, TypeRange results,
                llvm::function_ref<SmallVector<Value>(OpBuilder &builder,
                                                      ValueRange arguments)>
                    build) {
  OpBuilder builder(module.getContext());
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> program = ModuleOp::create(loc);
  for (StringRef name : {DeviceAttr::name, SystemDescAttr::name})
    (*program)->setAttr(name, module->getAttr(name));
  builder.setInsertionPointToEnd(program->getBody());
  auto func = func::FuncOp::create(builder, loc, "program",
                                   builder.getFunctionType(arguments, results));
  func->setAttr(kTrialAttr, builder.getUnitAttr());
  Block *body = func.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  func::ReturnOp::create(builder, loc, build(builder, body->getArguments()));
  return program;
}
