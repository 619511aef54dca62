#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRGENERICKERNEL
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

/// How the operands of a kernel are walked.
struct Walk {
  SmallVector<AffineMap> maps;
  SmallVector<IteratorType> iterators;
  OperandConstraint constraint;
};

Walk getEltwiseWalk(KernelOp kernel, int64_t rank) {
  SmallVector<AffineMap> maps(
      kernel->getNumOperands(),
      AffineMap::getMultiDimIdentityMap(rank, kernel.getContext()));
  return {maps, SmallVector<IteratorType>(rank, IteratorType::Parallel),
          OperandConstraint::AnyDevice};
}

/// The inner dimension comes last: (.., m, n, k) gives (.., m, k), (.., k, n)
/// and (.., m, n).
FailureOr<Walk> getMatmulWalk(KernelOp kernel, int64_t rank) {
  if (kernel->getNumOperands() != 3 || rank < 2)
    return kernel.emitOpError("expected two inputs and one output of rank >= 2 "
                              "for a kernel of kind 'matmul', found ")
           << kernel->getNumOperands() << " operands of rank " << rank;
  MLIRContext *context = kernel.getContext();
  SmallVector<AffineExpr> lhs, rhs, out;
  for (int64_t d = 0; d < rank; ++d)
    out.push_back(getAffineDimExpr(d, context));
  lhs = rhs = out;
  lhs[rank - 1] = rhs[rank - 2] = getAffineDimExpr(rank, context);
  Walk walk;
  for (ArrayRef<AffineExpr> exprs : {lhs, rhs, out})
    walk.maps.push_back(AffineMap::get(rank + 1, 0, exprs, context));
  walk.iterators.assign(rank, IteratorType::Parallel);
  walk.iterators.push_back(IteratorType::Systolic);
  walk.constraint = OperandConstraint::AnyDeviceTile;
  return walk;
}

FailureOr<Walk> getWalk(KernelOp kernel) {
  SmallVector<int64_t> ranks;
  for (Value operand : kernel->getOperands())
    ranks.push_back(cast<ShapedType>(operand.getType()).getRank());
  if (ranks.empty() || !llvm::all_equal(ranks))
    return kernel.emitOpError("expected operands of one rank to be put into a "
                              "ttir.generic, found ")
           << kernel->getOperandTypes();
  if (kernel.getKind() == "eltwise")
    return getEltwiseWalk(kernel, ranks.front());
  if (kernel.getKind() == "matmul")
    return getMatmulWalk(kernel, ranks.front());
  return kernel.emitOpError("expected a kernel of kind 'eltwise' or 'matmul', "
                            "found '")
         << kernel.getKind() << "'";
}

class TTIRGenericKernel
    : public impl::TTIRGenericKernelBase<TTIRGenericKernel> {
public:
  using impl::TTIRGenericKernelBase<TTIRGenericKernel>::TTIRGenericKernelBase;

  void runOnOperation() final {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<AddOp, MultiplyOp, SubtractOp, GreaterEqualOp, DivOp, ReluOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      makeKernel(op);

    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) {
      if (!kernel->getParentOfType<GenericOp>())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      if (failed(wrap(kernel)))
        return signalPassFailure();
  }

private:
  void makeKernel(Operation *op) {
    OpBuilder builder(op);
    auto dps = cast<DestinationStyleOpInterface>(op);
    auto kernel = KernelOp::create(builder, op->getLoc(), op->getResultTypes(),
                                   dps.getDpsInputs(), dps.getDpsInits(),
                                   op->getName().stripDialect(), "eltwise",
                                   cast<TTIROp>(op).getOperandConstraints());
    op->replaceAllUsesWith(kernel);
    op->erase();
    ++numKernels;
  }

  LogicalResult wrap(KernelOp kernel) {
    FailureOr<Walk> walk = getWalk(kernel);
    if (failed(walk))
      return failure();
    for (Type type : kernel->getOperandTypes())
      if (!isa<RankedTensorType>(type))
        return kernel.emitOpError("expected tensors to be put into a "
                                  "ttir.generic, found ")
               << type;
    OpBuilder builder(kernel);
    MLIRContext *context = builder.getContext();
    Location loc = kernel.getLoc();
    SmallVector<Attribute> iterators;
    for (IteratorType iterator : walk->iterators)
      iterators.push_back(IteratorTypeAttr::get(context, iterator));
    SmallVector<Attribute> constraints(
        kernel->getNumOperands(),
        OperandConstraintAttr::get(context, walk->constraint));
    auto generic = GenericOp::create(
        builder, loc, kernel->getResultTypes(), kernel.getInputs(),
        kernel.getOutputs(), GridAttr::get(context, SmallVector<int64_t>{1, 1}),
        builder.getAffineMapArrayAttr(walk->maps),
        builder.getArrayAttr(iterators), builder.getArrayAttr(constraints));
    Block &block = generic.getRegion().emplaceBlock();
    for (Value operand : kernel->getOperands())
      block.addArgument(operand.getType(), loc);
    kernel->replaceAllUsesWith(generic);
    kernel->moveBefore(&block, block.end());
    kernel->setOperands(block.getArguments());
    builder.setInsertionPointToEnd(&block);
    YieldOp::create(builder, loc, kernel->getResult(0));
    ++numGenerics;
    return success();
  }
};

} // namespace
} // namespace mlir::tt::ttir
