#include "dialects/TTKernel/TTKernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::tt::ttkernel;

#define GET_OP_CLASSES
#include "dialects/TTKernel/TTKernelOps.cpp.inc"

void TTKernelDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/TTKernel/TTKernelOps.cpp.inc"
      >();
}

LogicalResult mlir::tt::ttkernel::verifyInKernel(Operation *op,
                                                 StringRef className) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    // By name: the dialect of dispatches is made of this one.
    if (parent->getName().getStringRef() == "ttmetal.dispatch")
      return success();
    if (isa<func::FuncOp>(parent) &&
        isa_and_present<ModuleOp>(parent->getParentOp()))
      return success();
  }
  InFlightDiagnostic diagnostic =
      op->emitOpError() << className
                        << " must be inside of a DispatchOp region: expected "
                           "'ttmetal.dispatch' or a 'func.func' of a module "
                           "around it, found ";
  if (Operation *parent = op->getParentOp())
    return diagnostic << "'" << parent->getName() << "'";
  return diagnostic << "nothing";
}

/// One buffer has scalars and the other tiles.
static LogicalResult verifyConversion(Operation *op, StringRef className,
                                      CBType input, CBType output,
                                      bool tilizes) {
  if (failed(verifyInKernel(op, className)))
    return failure();
  if (input.getPort() == output.getPort())
    return op->emitOpError("Input circular buffer port and output circular "
                           "buffer port must be different: found ")
           << stringifyCBPort(input.getPort()) << " for both";
  auto verifyElements = [&](StringRef side, CBType buffer,
                            bool tiles) -> LogicalResult {
    if (buffer.isTiled() == tiles)
      return success();
    return op->emitOpError(side)
           << " circular buffer of " << className << " must have "
           << (tiles ? "tile" : "scalar") << " element type: found "
           << buffer.getMemref().getElementType();
  };
  if (failed(verifyElements("Input", input, !tilizes)))
    return failure();
  return verifyElements("Output", output, tilizes);
}

LogicalResult mlir::tt::ttkernel::verifyTilize(Operation *op,
                                               StringRef className,
                                               CBType input, CBType output) {
  return verifyConversion(op, className, input, output, /*tilizes=*/true);
}

LogicalResult mlir::tt::ttkernel::verifyUntilize(Operation *op,
                                                 StringRef className,
                                                 CBType input, CBType output) {
  return verifyConversion(op, className, input, output, /*tilizes=*/false);
}
