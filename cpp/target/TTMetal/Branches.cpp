// Loops and branches of kernels as blocks. Upstream's conversion does the same,
// but brings the LLVM dialect with it, which nothing else here needs.
#include "target/TTMetal/KernelRegion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tt;

/// Moves the blocks of `region` before `next` and makes its last one, whose
/// terminator is a yield, branch to `target`.
static void inlineBranch(IRRewriter &rewriter, Region &region, Block *next,
                         Block *target) {
  Operation *yield = region.back().getTerminator();
  rewriter.setInsertionPoint(yield);
  cf::BranchOp::create(rewriter, yield->getLoc(), target, yield->getOperands());
  rewriter.eraseOp(yield);
  rewriter.inlineRegionBefore(region, next);
}

/// The arguments of the condition's block are the induction variable and the
/// values of the iteration:
///
///   ^before:              br ^condition(lower, initial...)
///   ^condition(i, c...):  cond_br i < upper, ^body, ^end
///   ^body:                ...; br ^condition(i + step, yielded...)
static void lower(IRRewriter &rewriter, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Block *before = loop->getBlock();
  Block *end = rewriter.splitBlock(before, loop->getIterator());
  Region &region = loop.getRegion();
  Block *condition = &region.front();
  Block *body = rewriter.splitBlock(condition, condition->begin());
  Value number = condition->getArgument(0);

  Operation *yield = region.back().getTerminator();
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> next{
      arith::AddIOp::create(rewriter, loc, number, loop.getStep())};
  llvm::append_range(next, yield->getOperands());
  cf::BranchOp::create(rewriter, loc, condition, next);
  rewriter.eraseOp(yield);
  rewriter.inlineRegionBefore(region, end);

  rewriter.setInsertionPointToEnd(before);
  SmallVector<Value> first{loop.getLowerBound()};
  llvm::append_range(first, loop.getInitArgs());
  cf::BranchOp::create(rewriter, loc, condition, first);

  rewriter.setInsertionPointToEnd(condition);
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                         : arith::CmpIPredicate::slt;
  Value goesOn = arith::CmpIOp::create(rewriter, loc, predicate, number,
                                       loop.getUpperBound());
  cf::CondBranchOp::create(rewriter, loc, goesOn, body, ValueRange(), end,
                           ValueRange());
  rewriter.replaceOp(loop, condition->getArguments().drop_front());
}

static void lower(IRRewriter &rewriter, scf::IfOp branch) {
  Location loc = branch.getLoc();
  Block *before = branch->getBlock();
  Block *end = rewriter.splitBlock(before, branch->getIterator());
  if (branch->getNumResults()) {
    SmallVector<Location> locations(branch->getNumResults(), loc);
    Block *rest = end;
    end = rewriter.createBlock(rest, branch.getResultTypes(), locations);
    cf::BranchOp::create(rewriter, loc, rest);
  }
  Block *then = &branch.getThenRegion().front();
  Block *otherwise =
      branch.getElseRegion().empty() ? end : &branch.getElseRegion().front();
  inlineBranch(rewriter, branch.getThenRegion(), end, end);
  if (otherwise != end)
    inlineBranch(rewriter, branch.getElseRegion(), end, end);
  rewriter.setInsertionPointToEnd(before);
  cf::CondBranchOp::create(rewriter, loc, branch.getCondition(), then,
                           ValueRange(), otherwise, ValueRange());
  rewriter.replaceOp(branch, end->getArguments());
}

static void lower(IRRewriter &rewriter, scf::WhileOp loop) {
  Location loc = loop.getLoc();
  Block *before = loop->getBlock();
  Block *end = rewriter.splitBlock(before, loop->getIterator());
  Block *condition = &loop.getBefore().front();
  Block *body = &loop.getAfter().front();
  // In the last block of the condition, which may have branches already.
  auto test = cast<scf::ConditionOp>(loop.getBefore().back().getTerminator());
  inlineBranch(rewriter, loop.getAfter(), end, condition);
  rewriter.inlineRegionBefore(loop.getBefore(), body);
  rewriter.setInsertionPointToEnd(before);
  cf::BranchOp::create(rewriter, loc, condition, loop.getInits());
  rewriter.setInsertionPoint(test);
  SmallVector<Value> results(test.getArgs());
  cf::CondBranchOp::create(rewriter, loc, test.getCondition(), body, results,
                           end, ValueRange());
  rewriter.eraseOp(test);
  rewriter.replaceOp(loop, results);
}

LogicalResult ttmetal::lowerToBranches(func::FuncOp kernel) {
  // Inner ones first, so that a region that is moved has branches already.
  SmallVector<Operation *> structured;
  kernel.walk<WalkOrder::PostOrder>([&](Operation *op) {
    if (isa_and_present<scf::SCFDialect>(op->getDialect()) &&
        !op->hasTrait<OpTrait::IsTerminator>())
      structured.push_back(op);
  });
  IRRewriter rewriter(kernel.getContext());
  for (Operation *op : structured) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      lower(rewriter, loop);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      lower(rewriter, branch);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      lower(rewriter, loop);
    else
      return op->emitOpError("is no control flow of kernels: expected scf.for, "
                             "scf.if or scf.while");
  }
  // Users come after what they use, except for the arguments of blocks.
  for (Block &block : llvm::reverse(kernel.getBody()))
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
  return success();
}
