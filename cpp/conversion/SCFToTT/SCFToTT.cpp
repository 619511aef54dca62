#include "conversion/SCFToTT/SCFToTT.h"

#include "conversion/SCFToTT/Numbers.h"
#include "conversion/SCFToTT/Variables.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tt {

#define GEN_PASS_DEF_CONVERTSCFTOTT
#include "conversion/SCFToTT/Passes.h.inc"

namespace {

constexpr Remarks kControlFlowRemarks("convert-scf-to-tt");

/// Whether the op makes a tensor of one number out of nothing, cheaper to make
/// again than to pass, or what ops of a front end take as constants alone.
bool isCheap(Operation *op) {
  constexpr int64_t kMaxIntegers = 4096;
  if (!op || op->getNumResults() != 1)
    return false;
  if (isa<tensor::EmptyOp>(op))
    return true;
  DenseElementsAttr elements;
  if (!op->hasTrait<OpTrait::ConstantLike>())
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || (matchPattern(op, m_Constant(&elements)) && elements.isSplat()))
    return true;
  return !isa<ttir::ConstantOp>(op) && type.getElementType().isInteger() &&
         type.getNumElements() <= kMaxIntegers;
}

/// Whether a loop may compute the op once in front of it.
bool isMovable(Operation *op) {
  return isa<tensor::EmptyOp>(op) ||
         (isa<ttir::TTIRDialect>(op->getDialect()) &&
          op->getNumRegions() == 0 && op->getNumResults() != 0 &&
          isMemoryEffectFree(op));
}

/// The values of other blocks that the block uses.
llvm::SetVector<Value> getCaptured(ArrayRef<Block *> blocks) {
  llvm::SetVector<Value> captured;
  for (Block *block : blocks)
    block->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (!block->getParentOp()->isProperAncestor(
                operand.getParentBlock()->getParentOp()) &&
            operand.getParentBlock()->getParentOp() != block->getParentOp())
          captured.insert(operand);
    });
  return captured;
}

class Outliner {
public:
  explicit Outliner(ModuleOp module)
      : symbols(module), builder(module.getContext()),
        graph(builder, module.getLoc(), builder.getI1Type()), numbers(graph) {}

  LogicalResult run(func::FuncOp func) {
    for (TypeRange types :
         {TypeRange(func.getArgumentTypes()), TypeRange(func.getResultTypes())})
      for (Type type : types)
        if (isNumber(type))
          return func.emitError("has an argument or a result of type ")
                 << type << ": expected tensors; a number is a tensor of one "
                 << "element, such as " << numbers.convert(type);
    this->func = func;
    if (failed(convert(func.getBody().front())))
      return failure();
    eraseDead(func);
    return success();
  }

  unsigned numParts = 0, numUnrolled = 0;

private:
  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  /// Brings a block to ops on tensors, and its arguments too. What its
  /// terminator, which stays, has of numbers becomes tensors.
  LogicalResult convert(Block &block) {
    SmallVector<unsigned> old;
    for (unsigned i = 0; i < block.getNumArguments(); ++i) {
      BlockArgument argument = block.getArgument(i);
      if (!isNumber(argument.getType()))
        continue;
      old.push_back(i);
      BlockArgument now = block.insertArgument(
          ++i, numbers.convert(argument.getType()), argument.getLoc());
      numbers.set(argument, now);
    }
    SmallVector<Operation *> replaced;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.hasTrait<OpTrait::IsTerminator>()) {
        op.setOperands(numbers.get(op.getOperands()));
        continue;
      }
      if (auto branch = dyn_cast<scf::IndexSwitchOp>(op)) {
        if (failed(convert(expand(branch))))
          return failure();
        continue;
      }
      if (isa<scf::SCFDialect>(op.getDialect())) {
        if (failed(convert(&op)))
          return failure();
      } else if (!Numbers::isTranslated(&op)) {
        if (failed(keepConstants(&op)))
          return failure();
        continue;
      } else if (failed(numbers.translate(&op))) {
        return failure();
      }
      replaced.push_back(&op);
    }
    for (Operation *op : llvm::reverse(replaced))
      erase(op);
    for (unsigned index : llvm::reverse(old)) {
      numbers.forget(block.getArgument(index));
      block.eraseArgument(index);
    }
    return success();
  }

  /// What an op of a front end takes of constant numbers is made again for it.
  LogicalResult keepConstants(Operation *op) {
    WalkResult result = op->walk([&](Operation *user) {
      for (OpOperand &operand : user->getOpOperands()) {
        Value value = operand.get();
        if (!isNumber(value.getType()) ||
            op->isAncestor(value.getParentBlock()->getParentOp()))
          continue;
        Operation *source = value.getDefiningOp();
        if (!isa_and_nonnull<arith::ConstantOp>(source)) {
          op->emitOpError("takes a number: expected a constant, or an op of "
                          "arith, math or tensor");
          return WalkResult::interrupt();
        }
        builder.setInsertionPoint(op);
        operand.set(builder.clone(*source)->getResult(0));
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult convert(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<scf::ForOp, scf::WhileOp, scf::IfOp>(
            [&](auto op) { return outline(op); })
        .Default([](Operation *op) {
          return op->emitOpError("cannot be expressed: expected scf.if, "
                                 "scf.for, scf.while or scf.index_switch");
        });
  }

  /// The first of the nested `scf.if` that stand for a switch, which they
  /// replace.
  scf::IfOp expand(scf::IndexSwitchOp op) {
    builder.setInsertionPoint(op);
    scf::IfOp first;
    auto finish = [&](scf::IfOp branch) {
      if (!first) {
        first = branch;
        return;
      }
      scf::YieldOp::create(builder, op.getLoc(), branch.getResults());
    };
    for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
      Value number =
          arith::ConstantIndexOp::create(builder, op.getLoc(), value);
      Value isCase = arith::CmpIOp::create(
          builder, op.getLoc(), arith::CmpIPredicate::eq, op.getArg(), number);
      auto branch = scf::IfOp::create(builder, op.getLoc(), op.getResultTypes(),
                                      isCase, /*withElseRegion=*/true);
      branch.getThenRegion().takeBody(region);
      finish(branch);
      if (branch.getElseRegion().empty())
        branch.getElseRegion().emplaceBlock();
      branch.getElseRegion().front().clear();
      builder.setInsertionPointToStart(&branch.getElseRegion().front());
    }
    if (first) {
      Block *last = builder.getInsertionBlock();
      last->getOperations().splice(last->end(),
                                   op.getDefaultBlock().getOperations());
      op.replaceAllUsesWith(first.getResults());
      op.erase();
      // The comparisons in front of it are converted with what follows.
      return first;
    }
    builder.setInsertionPoint(op);
    Value yes = arith::ConstantIntOp::create(builder, op.getLoc(), 1, 1);
    first = scf::IfOp::create(builder, op.getLoc(), op.getResultTypes(), yes,
                              /*withElseRegion=*/true);
    first.getThenRegion().takeBody(op.getDefaultRegion());
    op.replaceAllUsesWith(first.getResults());
    op.erase();
    return first;
  }

  /// The ops in front of the first `scf.if` of a switch, and then it.
  LogicalResult convert(scf::IfOp op) {
    for (Value operand : op->getOperands())
      if (Operation *compare = operand.getDefiningOp())
        for (Operation *each : {compare->getNumOperands() > 1
                                    ? compare->getOperand(1).getDefiningOp()
                                    : nullptr,
                                compare})
          if (each && numbers.get(each->getResult(0)) == each->getResult(0) &&
              failed(numbers.translate(each)))
            return failure();
    if (failed(outline(op)))
      return failure();
    erase(op);
    return success();
  }

  /// Erases what has been converted. Only what goes, too, has its numbers.
  void erase(Operation *op) {
    for (Value result : op->getResults())
      numbers.forget(result);
    op->dropAllDefinedValueUses();
    op->erase();
  }

  //===--------------------------------------------------------------------===//
  // Parts
  //===--------------------------------------------------------------------===//

  /// What blocks have in common as parts of one op.
  struct Parts {
    SmallVector<Value> captured, cheap;
  };

  Parts findCaptured(ArrayRef<Block *> blocks) {
    Parts parts;
    for (Value value : getCaptured(blocks))
      (isCheap(value.getDefiningOp()) ? parts.cheap : parts.captured)
          .push_back(value);
    return parts;
  }

  /// Moves the block into a function. Its terminator has become a return of
  /// `results`.
  FlatSymbolRefAttr makePart(Operation *op, StringRef kind, Block *block,
                             const Parts &parts, ArrayRef<Value> results) {
    Location loc = op->getLoc();
    block->getTerminator()->erase();
    builder.setInsertionPointToEnd(block);
    func::ReturnOp::create(builder, loc, results);

    SmallVector<Type> inputs(block->getArgumentTypes());
    llvm::append_range(inputs, ValueRange(parts.captured).getTypes());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(func);
    std::string name;
    do {
      name = (func.getSymName() + "_" + kind + "_" + Twine(number++)).str();
    } while (symbols.lookup(name));
    auto part = func::FuncOp::create(
        builder, loc, name,
        builder.getFunctionType(inputs, ValueRange(results).getTypes()));
    part.setPrivate();
    part->setAttr(kPartAttr, builder.getUnitAttr());
    part->moveAfter(last ? last : func);
    symbols.insert(part, std::next(part->getIterator()));
    last = part;

    Block *entry = part.addEntryBlock();
    unsigned own = block->getNumArguments();
    for (auto [from, to] : llvm::zip(block->getArguments(),
                                     entry->getArguments().take_front(own))) {
      to.setLoc(from.getLoc());
      from.replaceAllUsesWith(to);
    }
    entry->getOperations().splice(entry->end(), block->getOperations());
    auto isInside = [&](OpOperand &use) {
      return part->isProperAncestor(use.getOwner());
    };
    for (auto [captured, argument] :
         llvm::zip(parts.captured, entry->getArguments().drop_front(own))) {
      Value value = captured;
      argument.setLoc(value.getLoc());
      value.replaceUsesWithIf(argument, isInside);
    }
    builder.setInsertionPointToStart(entry);
    for (Value value : parts.cheap) {
      if (llvm::none_of(value.getUses(), isInside))
        continue;
      Operation *again = builder.clone(*value.getDefiningOp());
      value.replaceUsesWithIf(again->getResult(0), isInside);
    }
    separateDestinations(*entry);
    eraseDead(part);
    ++numParts;
    return FlatSymbolRefAttr::get(part);
  }

  /// What a part is given stays as it is: nothing is written there.
  void separateDestinations(Block &entry) {
    for (Operation &op : entry)
      if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
        for (OpOperand &init : dps.getDpsInitsMutable())
          if (isa<BlockArgument>(init.get())) {
            auto type = cast<RankedTensorType>(init.get().getType());
            builder.setInsertionPoint(&op);
            init.set(tensor::EmptyOp::create(
                builder, op.getLoc(), type.getShape(), type.getElementType(),
                type.getEncoding()));
          }
  }

  /// Moves what does not depend on the turn in front of the loop.
  void hoist(Operation *loop, ArrayRef<Block *> blocks) {
    for (Block *block : blocks)
      for (Operation &op : llvm::make_early_inc_range(*block))
        if (isMovable(&op) &&
            llvm::all_of(op.getOperands(), [&](Value operand) {
              return !loop->isAncestor(operand.getParentBlock()->getParentOp());
            }))
          op.moveBefore(loop);
  }

  /// Puts the ops of a block, with these arguments, in front of `op`; returns
  /// what it yields.
  SmallVector<Value> inlineBlock(Operation *op, Block *block,
                                 ArrayRef<Value> arguments) {
    for (auto [argument, value] : llvm::zip(block->getArguments(), arguments))
      argument.replaceAllUsesWith(value);
    SmallVector<Value> results(block->getTerminator()->getOperands());
    block->getTerminator()->erase();
    op->getBlock()->getOperations().splice(op->getIterator(),
                                           block->getOperations());
    return results;
  }

  void replace(Operation *op, ValueRange now) {
    for (auto [old, value] : llvm::zip(op->getResults(), now)) {
      numbers.set(old, value);
      if (!isNumber(old.getType()))
        old.replaceAllUsesWith(value);
    }
  }

  void report(Operation *op, StringRef what, const Parts &parts) {
    if (auto remark = kControlFlowRemarks.passed(op, "Outlined"))
      remark << reason("becomes {0}, whose parts are given {1} tensors from "
                       "outside",
                       what, parts.captured.size())
             << rejected("in place: a program has its parts once, however "
                         "often they run");
  }

  void reportUnrolled(Operation *op, StringRef why) {
    ++numUnrolled;
    if (auto remark = kControlFlowRemarks.passed(op, "Unrolled"))
      remark << reason("becomes ops of the function: {0}", why);
  }

  //===--------------------------------------------------------------------===//
  // Ops
  //===--------------------------------------------------------------------===//

  LogicalResult outline(scf::IfOp op) {
    std::optional<int64_t> known = getConstantIntValue(op.getCondition());
    if (op.getNumResults() == 0)
      return success(); // nobody sees what it does
    Block *yes = op.thenBlock(), *no = op.elseBlock();
    if (failed(convert(*yes)) || failed(convert(*no)))
      return failure();
    builder.setInsertionPoint(op);
    if (known) {
      reportUnrolled(op, "its condition is constant");
      replace(op, inlineBlock(op, *known ? yes : no, {}));
      return success();
    }
    Parts parts = findCaptured({yes, no});
    SmallVector<Value> yielded(yes->getTerminator()->getOperands());
    SmallVector<Type> types(ValueRange(yielded).getTypes());
    FlatSymbolRefAttr thenPart = makePart(op, "then", yes, parts, yielded);
    FlatSymbolRefAttr elsePart =
        makePart(op, "else", no, parts,
                 SmallVector<Value>(no->getTerminator()->getOperands()));
    builder.setInsertionPoint(op);
    auto now = IfOp::create(builder, op.getLoc(), types, thenPart, elsePart,
                            numbers.get(op.getCondition()), parts.captured);
    report(op, "tt.if", parts);
    replace(op, now.getResults());
    return success();
  }

  LogicalResult outline(scf::ForOp op) {
    std::optional<int64_t> from = getConstantIntValue(op.getLowerBound()),
                           to = getConstantIntValue(op.getUpperBound()),
                           step = getConstantIntValue(op.getStep());
    if (step && *step <= 0)
      return op.emitOpError("expected a step of at least 1, found ") << *step;
    std::optional<int64_t> count;
    if (from && to && step)
      count = std::max<int64_t>(0, llvm::divideCeilSigned(*to - *from, *step));
    Block *body = op.getBody();
    if (failed(convert(*body)))
      return failure();
    SmallVector<Value> inits = numbers.get(op.getInitArgs());
    Value first = numbers.get(op.getLowerBound());
    if (count && *count <= 1) {
      reportUnrolled(op, *count ? "it has one turn" : "it has no turn");
      if (*count == 0) {
        replace(op, inits);
        return success();
      }
      SmallVector<Value> arguments = {first};
      llvm::append_range(arguments, inits);
      replace(op, inlineBlock(op, body, arguments));
      return success();
    }
    hoist(op, body);
    bool isCounted = !count || !body->getArgument(0).use_empty();
    SmallVector<Value> yielded(body->getTerminator()->getOperands());
    if (isCounted) {
      builder.setInsertionPoint(body->getTerminator());
      graph.setLoc(op.getLoc());
      yielded.insert(yielded.begin(),
                     graph.eltwise("add", {body->getArgument(0),
                                           numbers.get(op.getStep())}));
      inits.insert(inits.begin(), first);
    } else {
      body->eraseArgument(0);
    }
    SmallVector<Type> types(ValueRange(inits).getTypes());
    if (count) {
      Parts parts = findCaptured(body);
      FlatSymbolRefAttr part = makePart(op, "for", body, parts, yielded);
      builder.setInsertionPoint(op);
      auto now = ForOp::create(builder, op.getLoc(), types, part,
                               builder.getI64IntegerAttr(*count), inits,
                               parts.captured);
      report(op, "tt.for", parts);
      replace(op, now.getResults().drop_front(isCounted));
      return success();
    }
    // Another block for the comparison.
    Block *before = &op.getRegion().emplaceBlock();
    for (Type type : types)
      before->addArgument(type, op.getLoc());
    builder.setInsertionPointToEnd(before);
    graph.setLoc(op.getLoc());
    SmallVector<Value> forwarded(before->getArguments());
    forwarded.insert(forwarded.begin(),
                     graph.predicate("lt", {before->getArgument(0),
                                            numbers.get(op.getUpperBound())}));
    scf::YieldOp::create(builder, op.getLoc());
    return outlineWhile(op, before, body, inits, forwarded, yielded,
                        /*hidden=*/1);
  }

  LogicalResult outline(scf::WhileOp op) {
    Block *before = op.getBeforeBody(), *after = op.getAfterBody();
    if (failed(convert(*before)) || failed(convert(*after)))
      return failure();
    hoist(op, {before, after});
    return outlineWhile(
        op, before, after, numbers.get(op.getInits()),
        SmallVector<Value>(before->getTerminator()->getOperands()),
        SmallVector<Value>(after->getTerminator()->getOperands()),
        /*hidden=*/0);
  }

  LogicalResult outlineWhile(Operation *op, Block *before, Block *after,
                             ArrayRef<Value> inits, ArrayRef<Value> forwarded,
                             ArrayRef<Value> yielded, unsigned hidden) {
    Parts parts = findCaptured({before, after});
    SmallVector<Type> types(ValueRange(forwarded).drop_front().getTypes());
    FlatSymbolRefAttr first = makePart(op, "before", before, parts, forwarded);
    FlatSymbolRefAttr second = makePart(op, "after", after, parts, yielded);
    builder.setInsertionPoint(op);
    auto now = WhileOp::create(builder, op->getLoc(), types, first, second,
                               inits, parts.captured);
    report(op, "tt.while", parts);
    replace(op, now.getResults().drop_front(hidden));
    return success();
  }

  /// Numbers that were parameters of ops, and destinations of moved ops.
  static void eraseDead(func::FuncOp func) {
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  SymbolTable symbols;
  OpBuilder builder;
  graph::GraphBuilder graph;
  Numbers numbers;
  func::FuncOp func;
  func::FuncOp last;
  unsigned number = 0;
};

class ConvertSCFToTT : public impl::ConvertSCFToTTBase<ConvertSCFToTT> {
public:
  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (failed(inlineCalls(module)) || failed(convertTosa(module)) ||
        failed(promoteVariables(module)))
      return signalPassFailure();
    for (auto func :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (func.isExternal() || !func.getBody().hasOneBlock() ||
          func->hasAttr(kPartAttr) || !isConcerned(func))
        continue;
      Outliner outliner(module);
      if (failed(outliner.run(func)))
        return signalPassFailure();
    }
  }

private:
  /// Without control flow, numbers are for the front ends.
  static bool isConcerned(func::FuncOp func) {
    return llvm::any_of(func.getBody().front(), [](Operation &op) {
      return isa<scf::SCFDialect>(op.getDialect());
    });
  }

  /// TOSA's control flow becomes that of scf; its other ops stay.
  LogicalResult convertTosa(ModuleOp module) {
    ConversionTarget target(getContext());
    target.addIllegalOp<tosa::IfOp, tosa::WhileOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    RewritePatternSet patterns(&getContext());
    tosa::populateTosaToSCFConversionPatterns(&patterns);
    return applyPartialConversion(module, target, std::move(patterns));
  }

  LogicalResult inlineCalls(ModuleOp module) {
    bool hasCalls =
        module.walk([](func::CallOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (!hasCalls)
      return success();
    if (failed(checkCalls(module)))
      return failure();
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createInlinerPass());
    manager.addPass(createSymbolDCEPass());
    return runPipeline(manager, module);
  }
};

} // namespace
} // namespace mlir::tt
