#include "dialects/TTKernel/TTKernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
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

/// The kernel around an op: a region of `ttmetal.dispatch` or of a function of
/// a module; null if there is none.
static Region *findKernel(Operation *op) {
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion()) {
    Operation *parent = region->getParentOp();
    // By name: the dialect of dispatches is made of this one.
    if (parent->getName().getStringRef() == "ttmetal.dispatch")
      return region;
    if (isa<func::FuncOp>(parent) &&
        isa_and_present<ModuleOp>(parent->getParentOp()))
      return region;
  }
  return nullptr;
}

/// The configuration of the kernel, if it is in a dispatch.
static KernelConfigInterface getConfig(Region &kernel) {
  auto configs =
      kernel.getParentOp()->getAttrOfType<ArrayAttr>("kernelConfigs");
  unsigned number = kernel.getRegionNumber();
  if (!configs || number >= configs.size())
    return {};
  return dyn_cast<KernelConfigInterface>(configs[number]);
}

static LogicalResult verifyThread(Operation *op, KernelThread thread,
                                  Region &kernel) {
  KernelConfigInterface config = getConfig(kernel);
  if (thread == KernelThread::Any || !config)
    return success();
  bool computes = config.isThreadType(ThreadType::Tensix);
  if (computes == (thread == KernelThread::Compute))
    return success();
  StringRef movement = "a data movement thread",
            compute = "the compute threads";
  return op->emitOpError() << "must be in a kernel of "
                           << (computes ? movement : compute)
                           << ", found one of "
                           << (computes ? compute : movement) << ": " << config;
}

/// Verifies one operand by its rule.
static LogicalResult verifyOperand(Operation *op, StringRef className,
                                   Value operand, OperandRule rule) {
  if (rule == OperandRule::Tiles || rule == OperandRule::Scalars) {
    auto buffer = cast<CBType>(operand.getType());
    bool tiles = rule == OperandRule::Tiles;
    if (buffer.isTiled() == tiles)
      return success();
    return op->emitOpError("circular buffer ")
           << stringifyCBPort(buffer.getPort()) << " of " << className
           << " must have " << (tiles ? "tile" : "scalar")
           << " element type: found " << buffer.getMemref().getElementType();
  }
  APInt constant;
  if (rule == OperandRule::Any ||
      !matchPattern(operand, m_ConstantInt(&constant)))
    return success();
  int64_t number = constant.getSExtValue();
  if (rule == OperandRule::Dst) {
    if (number >= 0 && number < kMaxDstTiles)
      return success();
    return op->emitOpError("expected a destination register from 0 to ")
           << kMaxDstTiles - 1 << ", found " << number;
  }
  int64_t pages = cast<CBType>(op->getOperand(0).getType()).getNumPages();
  if (number > 0 && number <= pages)
    return success();
  return op->emitOpError("expected a number of pages from 1 to the ")
         << pages << " of the circular buffer, found " << number;
}

LogicalResult mlir::tt::ttkernel::verifyKernelOp(Operation *op,
                                                 StringRef className,
                                                 KernelThread thread,
                                                 ArrayRef<OperandRule> rules) {
  Region *kernel = findKernel(op);
  if (!kernel) {
    InFlightDiagnostic diagnostic =
        op->emitOpError() << className
                          << " must be inside of a DispatchOp region: expected "
                             "'ttmetal.dispatch' or a 'func.func' of a module "
                             "around it, found ";
    if (Operation *parent = op->getParentOp())
      return diagnostic << "'" << parent->getName() << "'";
    return diagnostic << "nothing";
  }
  if (failed(verifyThread(op, thread, *kernel)))
    return failure();
  // Operands beyond the rules are variadic.
  for (auto [operand, rule] : llvm::zip(op->getOperands(), rules))
    if (failed(verifyOperand(op, className, operand, rule)))
      return failure();
  return success();
}

LogicalResult mlir::tt::ttkernel::verifyPorts(Operation *op, CBType input,
                                              CBType output) {
  if (input.getPort() != output.getPort())
    return success();
  return op->emitOpError("Input circular buffer port and output circular "
                         "buffer port must be different: found ")
         << stringifyCBPort(input.getPort()) << " for both";
}

LogicalResult mlir::tt::ttkernel::verifyBytes(Operation *op, uint32_t bytes) {
  if (bytes == 1 || bytes == 2 || bytes == 4)
    return success();
  return op->emitOpError("expected numbers of 1, 2 or 4 bytes, found ")
         << bytes;
}

LogicalResult mlir::tt::ttkernel::verifyFormat(Operation *op, StringRef format,
                                               size_t values) {
  if (format.count("{}") == values)
    return success();
  return op->emitOpError("expected a {} in the text for each of the ")
         << values << " values, found " << format.count("{}");
}
