#include "target/TTMetal/KernelRegion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tt;

FailureOr<OwningOpRef<ModuleOp>> ttmetal::cloneKernel(Region &kernel) {
  MLIRContext *context = kernel.getContext();
  Location loc = kernel.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc, "module_wrapper");
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto func = func::FuncOp::create(
      builder, loc, "kernel_main",
      FunctionType::get(context, kernel.getArgumentTypes(), {}));

  llvm::SetVector<Value> outside;
  getUsedValuesDefinedAbove(kernel, outside);
  IRMapping mapping;
  SmallVector<OwningOpRef<Operation *>> constants;
  for (Value value : outside) {
    Operation *op = value.getDefiningOp();
    if (!op || !op->hasTrait<OpTrait::ConstantLike>()) {
      for (OpOperand &use : value.getUses())
        if (kernel.isAncestor(use.getOwner()->getParentRegion())) {
          use.getOwner()->emitOpError(
              "uses a value of the program around its kernel: expected "
              "circular buffers and arguments of the dispatch, found a value "
              "of type ")
              << value.getType();
          break;
        }
      return failure();
    }
    constants.emplace_back(op->clone());
    mapping.map(value, constants.back()->getResult(0));
  }
  kernel.cloneInto(&func.getBody(), mapping);
  for (OwningOpRef<Operation *> &constant : constants)
    func.getBody().front().push_front(constant.release());
  return std::move(module);
}

func::FuncOp ttmetal::getKernelMain(ModuleOp module) {
  return *module.getOps<func::FuncOp>().begin();
}

void ttmetal::simplify(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  // Inner loops first, so that what is moved out of them can be moved further.
  kernel.walk([](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
}
