//===- SplitLongIntegers.cpp - integers of 64 bits as words of 32 ---------===//

#include "dialects/TT/HostType.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/Composites/Composites.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/Types/LegalTypes.h"
#include "dialects/TTIR/Transforms/Types/SplitLongOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRSPLITLONGINTEGERS
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kLongRemarks("ttir-split-long-integers");

/// Words are not the value that a name stands for.
Location unnamed(Location loc) {
  while (auto named = dyn_cast<NameLoc>(loc))
    loc = named.getChildLoc();
  return loc;
}

std::string toString(const Interval &interval) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << interval.low << " to " << interval.high;
  return text;
}

/// The argument whose memory the result has, or -1.
int64_t getAliasedArgument(func::FuncOp function, unsigned result) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto aliased =
            function.getArgAttrOfType<IntegerAttr>(i, kAliasedOutputAttr))
      if (aliased.getInt() == result)
        return i;
  return -1;
}

/// Whether the result stays in memory of 32 bits. That of a variable always
/// does, that of an argument where it counts: numbers that grow by so little in
/// a run do not leave 32 bits in the life of a machine.
bool keepsMemory(func::FuncOp function, unsigned result,
                 const Interval &interval) {
  if (function.getResultAttr(result, kVariableAttr))
    return true;
  constexpr int64_t kMostPerRun = int64_t(1) << 16, kMost = int64_t(1) << 31;
  return getAliasedArgument(function, result) >= 0 &&
         interval.low >= -kMost - kMostPerRun &&
         interval.high < kMost + kMostPerRun;
}

/// Whether 32 bits give the lower words of the result, whatever reads them.
bool isExactInWords(Operation *op, const IntegerRanges &ranges) {
  if (!isa<TTIRDialect>(op->getDialect()))
    return true;
  StringRef name = op->getName().stripDialect();
  SmallVector<Value> inputs = getReadOperands(op);
  if (op->getNumResults() != 1)
    return true;
  // A constant of more bits would be an error.
  if (inputs.empty())
    return !isLong(op->getResult(0).getType()) ||
           ranges.fits(op->getResult(0)) || !OpSplitter::supports(op);
  Value x = inputs[0];
  // No type of the machine has the bits of one of 64.
  if (name == "bitcast_convert")
    return graph::elementOf(x).getIntOrFloatBitWidth() != 64 &&
           graph::elementOf(op->getResult(0)).getIntOrFloatBitWidth() != 64;
  if (isLong(x.getType())) {
    if (name == "clz")
      return false;
    if (name == "popcount" || name == "logical_right_shift")
      return ranges.get(x).low >= 0;
    return true;
  }
  // Conversions to a type without a sign saturate.
  auto from = dyn_cast<IntegerType>(getElementTypeOrSelf(x));
  auto to = dyn_cast<IntegerType>(getElementTypeOrSelf(op->getResult(0)));
  return name != "typecast" || !from || !to || to.isSigned() ||
         to.getWidth() != 64 || ranges.get(x).low >= 0;
}

/// With the destinations that nothing else writes into.
void eraseWithEmpties(Operation *op) {
  llvm::SmallSetVector<tensor::EmptyOp, 1> empties;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    for (Value init : dps.getDpsInits())
      if (auto empty = init.getDefiningOp<tensor::EmptyOp>())
        empties.insert(empty);
  op->erase();
  for (tensor::EmptyOp empty : empties)
    if (empty->use_empty())
      empty->erase();
}

/// Truth values of products, as of masks, are those of their factors, unless
/// the product wraps. Nothing has to have its bits.
void simplifyTruth(ModuleOp module, const IntegerRanges &ranges) {
  SmallVector<Operation *> truths;
  module.walk([&](Operation *op) {
    bool isTruth = isa<TypecastOp>(op)   ? isBool(op->getResult(0).getType())
                   : isa<NotEqualOp>(op) ? ranges.isZero(op->getOperand(1))
                                         : false;
    if (isTruth)
      truths.push_back(op);
  });
  for (Operation *op : truths) {
    auto product = op->getOperand(0).getDefiningOp<MultiplyOp>();
    if (!product || !isLong(product->getResult(0).getType()) ||
        !ranges.isExact(product))
      continue;
    OpBuilder builder(op);
    graph::GraphBuilder b(builder, op->getLoc(), builder.getI1Type());
    Value found = b.eltwise("logical_and", product.getInputs(),
                            graph::elementOf(op->getResult(0)));
    op->getResult(0).replaceAllUsesWith(found);
    eraseWithEmpties(op);
    if (product->use_empty())
      eraseWithEmpties(product);
  }
}

/// Which integers of 64 bits need words: those that 32 bits may not hold, where
/// something depends on all of their bits.
class Demand {
public:
  Demand(ModuleOp module, const IntegerRanges &ranges) : ranges(&ranges) {
    module.walk([&](Operation *op) { seed(op); });
    while (!work.empty())
      propagate(work.pop_back_val());
  }

  bool isWide(Value value) const { return wide.contains(value); }

private:
  void demand(Value value) {
    if (isLong(value.getType()) && !ranges->fits(value) &&
        wide.insert(value).second)
      work.push_back(value);
  }

  void seed(Operation *op) {
    if (auto returned = dyn_cast<func::ReturnOp>(op)) {
      auto function = op->getParentOfType<func::FuncOp>();
      for (auto [i, value] : llvm::enumerate(returned.getOperands()))
        if (isLong(value.getType()) &&
            !keepsMemory(function, i, ranges->get(value)))
          demand(value);
      return;
    }
    if (isa<scf::YieldOp, scf::ConditionOp, scf::ForOp, scf::WhileOp>(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (readingOf(operand) == Reading::Whole)
        demand(operand.get());
  }

  /// The upper words of a value are those of others.
  void propagate(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
        unsigned i = argument.getArgNumber();
        if (argument.getOwner() == loop.getBeforeBody()) {
          demand(loop.getInits()[i]);
          demand(loop.getYieldOp().getOperand(i));
        } else {
          demand(loop.getConditionOp().getArgs()[i]);
          both(loop.getResult(i));
        }
      } else if (auto counted = dyn_cast<scf::ForOp>(parent)) {
        unsigned i = argument.getArgNumber() - 1;
        demand(counted.getInits()[i]);
        demand(counted.getBody()->getTerminator()->getOperand(i));
        both(counted.getResult(i));
      }
      return;
    }
    Operation *op = value.getDefiningOp();
    unsigned i = cast<OpResult>(value).getResultNumber();
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      demand(choice.thenYield().getOperand(i));
      demand(choice.elseYield().getOperand(i));
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      both(loop.getAfterArguments()[i]);
      demand(loop.getConditionOp().getArgs()[i]);
    } else if (auto counted = dyn_cast<scf::ForOp>(op)) {
      both(counted.getRegionIterArg(i));
    } else {
      for (OpOperand &operand : op->getOpOperands())
        if (readingOf(operand) == Reading::Modular)
          demand(operand.get());
    }
  }

  /// Values of one type: what a loop carries, and what it gives in the end.
  void both(Value value) {
    if (wide.insert(value).second)
      work.push_back(value);
  }

  const IntegerRanges *ranges;
  llvm::SmallDenseSet<Value> wide;
  SmallVector<Value> work;
};

bool needsWords(Operation *op, const Demand &demand) {
  return llvm::any_of(op->getResults(),
                      [&](Value result) { return demand.isWide(result); }) ||
         llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
           return demand.isWide(operand.get()) &&
                  readingOf(operand) == Reading::Whole;
         });
}

/// Rewrites a module whose ranges and demand are known.
class Splitter {
public:
  Splitter(ModuleOp module, const IntegerRanges &ranges, const Demand &demand)
      : ranges(ranges), demand(demand), builder(module.getContext()) {}

  LogicalResult run(func::FuncOp function) {
    return visit(function.getBody().front());
  }

  unsigned numSplit = 0;

private:
  LogicalResult visit(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(visit(&op)))
        return failure();
    return success();
  }

  LogicalResult visit(Operation *op) {
    // A view of a stack is made here.
    if (isa<GenericOp, UnrealizedConversionCastOp>(op))
      return success();
    if (auto returned = dyn_cast<func::ReturnOp>(op))
      return visitReturn(returned);
    if (isa<scf::YieldOp, scf::ConditionOp>(op))
      return visitYield(op);
    if (isa<scf::WhileOp, scf::ForOp, scf::IfOp>(op))
      return visitControlFlow(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(visit(block)))
          return failure();
    if (auto joined = dyn_cast<MeshShardOp>(op);
        joined && demand.isWide(joined.getResult()))
      return joinStacks(joined);
    if (needsWords(op, demand) || !isExactInWords(op, ranges))
      return split(op);
    narrowOperands(op);
    return success();
  }

  graph::GraphBuilder graphAt(Location loc) {
    return graph::GraphBuilder(builder, loc, builder.getI1Type());
  }

  ArrayRef<int64_t> shapeOf(Value value) { return graph::shapeOf(value); }

  /// The words of a value, made where it is.
  Words read(Value value) {
    if (auto found = words.find(value); found != words.end())
      return found->second;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(value);
    graph::GraphBuilder b = graphAt(unnamed(value.getLoc()));
    WordBuilder w(b);
    Words found = w.extend(value, ranges.get(value).low < 0);
    words.try_emplace(value, found);
    return found;
  }

  /// The value, of which only the lower words matter, as the machine has it.
  Value narrow(Value value) {
    if (!demand.isWide(value))
      return value;
    Value &found = narrowed[value];
    if (!found) {
      graph::GraphBuilder b = graphAt(unnamed(value.getLoc()));
      WordBuilder w(b);
      OpBuilder::InsertionGuard guard(builder);
      Words own = words.lookup(value);
      setBehind(own, value);
      found = w.truncate(own, graph::elementOf(value), shapeOf(value));
    }
    return found;
  }

  /// Behind the words of a value, which may be of one number everywhere.
  void setBehind(const Words &own, Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (Operation *made = own.low.getDefiningOp();
          made && made->getBlock() == argument.getOwner())
        return builder.setInsertionPointAfter(made);
      return builder.setInsertionPointToStart(argument.getOwner());
    }
    builder.setInsertionPointAfter(value.getDefiningOp());
  }

  void narrowOperands(Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isLong(operand.get().getType()))
        operand.set(narrow(operand.get()));
  }

  LogicalResult split(Operation *op) {
    if (!OpSplitter::supports(op))
      return refuse(op);
    builder.setInsertionPoint(op);
    // Places are read as the machine has them.
    for (OpOperand &operand : op->getOpOperands())
      if (readingOf(operand) == Reading::Low && isLong(operand.get().getType()))
        operand.set(narrow(operand.get()));
    OpSplitter splitter(builder, op, ranges,
                        [&](Value value) { return read(value); });
    FailureOr<SmallVector<Words>> found = splitter.split();
    if (failed(found))
      return failure();
    ++numSplit;
    if (auto remark = kLongRemarks.passed(op, "Split"))
      remark << reason("integers of 64 bits are words of 32: {0}",
                       toString(ranges.get(firstLong(op))))
             << rejected("32 bits: they do not hold them");
    graph::GraphBuilder b = graphAt(op->getLoc());
    WordBuilder w(b);
    for (auto [result, made] : llvm::zip_equal(op->getResults(), *found)) {
      if (!isLong(result.getType())) {
        Value value = w.whole(made.low, shapeOf(result));
        result.replaceAllUsesWith(value);
      } else if (demand.isWide(result)) {
        words[result] = made;
      } else {
        result.replaceAllUsesWith(
            w.truncate(made, graph::elementOf(result), shapeOf(result)));
      }
    }
    if (op->use_empty())
      eraseWithEmpties(op);
    else
      done.push_back(op);
    return success();
  }

  Value firstLong(Operation *op) {
    for (Value value : op->getOperands())
      if (isLong(value.getType()) && !ranges.fits(value))
        return value;
    return op->getResult(0);
  }

  LogicalResult refuse(Operation *op) {
    Value value = firstLong(op);
    return op->emitOpError("computes with integers that may need more than 32 "
                           "bits: ")
           << toString(ranges.get(value)) << "; expected one of "
           << StringRef(kSplitOps) << ", or numbers of 32 bits, found "
           << value.getType();
  }

  //===--------------------------------------------------------------------===//
  // What carries values
  //===--------------------------------------------------------------------===//

  RankedTensorType stackType(Value value) {
    SmallVector<int64_t> shape{2};
    llvm::append_range(shape, shapeOf(value));
    if (shapeOf(value).empty())
      shape.push_back(1);
    return RankedTensorType::get(shape, builder.getIntegerType(32, false));
  }

  Value stack(Value value) {
    if (Value found = stacks.lookup(value))
      return found;
    graph::GraphBuilder b = graphAt(unnamed(value.getLoc()));
    return WordBuilder(b).stack(read(value), shapeOf(value));
  }

  /// The value becomes the stack of its words, in the end: until then readers
  /// have the type of the integers.
  void unstack(Value value) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(value);
    auto view = UnrealizedConversionCastOp::create(
        builder, value.getLoc(), TypeRange{stackType(value)}, value);
    graph::GraphBuilder b = graphAt(unnamed(value.getLoc()));
    words[value] = WordBuilder(b).unstack(view.getResult(0), shapeOf(value));
    views.push_back(view);
  }

  /// The host computes nothing: it joins the parts of a stack.
  LogicalResult joinStacks(MeshShardOp op) {
    builder.setInsertionPoint(op);
    Value from = stack(op.getInput());
    RankedTensorType type = stackType(op.getResult());
    bool isScalar = shapeOf(op.getResult()).empty();
    SmallVector<int64_t> shape(op.getShardShape()), dims(op.getShardDims());
    shape.insert(shape.begin(), isScalar ? 2 : 1, 1);
    for (int64_t &dim : dims)
      dim += dim >= 0;
    auto empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                         type.getElementType());
    auto made = cast<MeshShardOp>(builder.clone(*op));
    made.getInputMutable().assign(from);
    made.getOutputMutable().assign(empty);
    made.setShardShape(shape);
    made.setShardDims(dims);
    made.getResult().setType(type);
    stacks[op.getResult()] = made.getResult();
    ++numSplit;
    done.push_back(op);
    return success();
  }

  LogicalResult visitControlFlow(Operation *op) {
    builder.setInsertionPoint(op);
    SmallVector<unsigned> wideResults;
    for (Value result : op->getResults())
      if (demand.isWide(result))
        wideResults.push_back(cast<OpResult>(result).getResultNumber());
    SmallVector<Value> wideArguments;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          if (demand.isWide(argument))
            wideArguments.push_back(argument);
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      for (auto [argument, init] :
           llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitsMutable()))
        init.set(demand.isWide(argument) ? stack(init.get())
                                         : narrow(init.get()));
    }
    if (!isa<LoopLikeOpInterface>(op))
      narrowOperands(op);
    carried[op].append(wideResults);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      for (Value argument : loop.getBeforeArguments())
        if (demand.isWide(argument))
          carriedOn[op].push_back(cast<BlockArgument>(argument).getArgNumber());
    for (Value argument : wideArguments)
      unstack(argument);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(visit(block)))
          return failure();
    for (unsigned i : wideResults)
      unstack(op->getResult(i));
    return success();
  }

  LogicalResult visitYield(Operation *op) {
    builder.setInsertionPoint(op);
    Operation *parent = op->getParentOp();
    bool isTurn = isa<scf::WhileOp>(parent) && isa<scf::YieldOp>(op);
    ArrayRef<unsigned> places = isTurn ? carriedOn[parent] : carried[parent];
    unsigned first = isa<scf::ConditionOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      unsigned i = operand.getOperandNumber() - first;
      operand.set(llvm::is_contained(places, i) ? stack(operand.get())
                                                : narrow(operand.get()));
    }
    return success();
  }

  LogicalResult visitReturn(func::ReturnOp returned) {
    auto function = returned->getParentOfType<func::FuncOp>();
    builder.setInsertionPoint(returned);
    SmallVector<Type> types(function.getResultTypes());
    for (OpOperand &operand : returned->getOpOperands()) {
      Value value = operand.get();
      unsigned i = operand.getOperandNumber();
      if (!demand.isWide(value) ||
          keepsMemory(function, i, ranges.get(value))) {
        operand.set(narrow(value));
        continue;
      }
      // There is no room for words.
      if (int64_t argument = getAliasedArgument(function, i); argument >= 0)
        function.removeArgAttr(argument, kAliasedOutputAttr);
      if (!function.isPublic())
        return returned.emitOpError(
                   "returns integers that may need more than 32 bits from a "
                   "private function; expected a public one, or numbers of 32 "
                   "bits: ")
               << toString(ranges.get(value));
      if (!function.getResultAttr(i, kHostTypeAttr))
        function.setResultAttr(i, kHostTypeAttr,
                               TypeAttr::get(function.getResultTypes()[i]));
      operand.set(stack(value));
      types[i] = operand.get().getType();
    }
    function.setFunctionType(FunctionType::get(
        function.getContext(), function.getArgumentTypes(), types));
    return success();
  }

public:
  /// Removes what nothing reads any more.
  void finish() {
    for (Operation *op : llvm::reverse(done)) {
      assert(op->use_empty() && "all readers have the words");
      eraseWithEmpties(op);
    }
    for (UnrealizedConversionCastOp view : views) {
      Value value = view.getOperand(0);
      value.setType(view.getResult(0).getType());
      view.getResult(0).replaceAllUsesWith(value);
      view.erase();
    }
  }

private:
  const IntegerRanges &ranges;
  const Demand &demand;
  OpBuilder builder;
  /// Of what is split, and of what has been extended.
  DenseMap<Value, Words> words;
  DenseMap<Value, Value> narrowed;
  /// What the host joins from several chips: the stack of its words.
  DenseMap<Value, Value> stacks;
  SmallVector<Operation *> done;
  SmallVector<UnrealizedConversionCastOp> views;
  /// The numbers of the results, and of what a `while` carries on, that are
  /// stacks.
  DenseMap<Operation *, SmallVector<unsigned>> carried, carriedOn;
};

class TTIRSplitLongIntegers
    : public impl::TTIRSplitLongIntegersBase<TTIRSplitLongIntegers> {
public:
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!hasLong(module))
      return markAllAnalysesPreserved();
    IntegerRanges ranges(module);
    simplifyTruth(module, ranges);
    Demand demand(module, ranges);
    // What they are made of may be done on words.
    for (bool isExpanded = true; isExpanded;) {
      if (failed(expandComposites(module, demand, isExpanded)))
        return signalPassFailure();
      if (!isExpanded)
        break;
      ranges = IntegerRanges(module);
      demand = Demand(module, ranges);
    }
    Splitter splitter(module, ranges, demand);
    bool hasErrors = false;
    module.walk([&](func::FuncOp function) {
      if (!function.isExternal() && failed(splitter.run(function)))
        hasErrors = true;
    });
    if (hasErrors)
      return signalPassFailure();
    splitter.finish();
    numSplit += splitter.numSplit;
  }

private:
  static LogicalResult expandComposites(ModuleOp module, const Demand &demand,
                                        bool &isExpanded) {
    SmallVector<CompositeOp> composites;
    module.walk([&](CompositeOp op) {
      if (!OpSplitter::supports(op) && needsWords(op, demand))
        composites.push_back(op);
    });
    isExpanded = !composites.empty();
    for (CompositeOp op : composites) {
      OpBuilder builder(op);
      graph::GraphBuilder b(builder, op->getLoc(), builder.getI1Type());
      Expansion values = op.expand(b);
      if (failed(values))
        return failure();
      for (auto [result, value] : llvm::zip_equal(op->getResults(), *values))
        result.replaceAllUsesWith(b.reshape(value, graph::shapeOf(result)));
      eraseWithEmpties(op);
    }
    return success();
  }

  static bool hasLong(ModuleOp module) {
    return module
        .walk([](Operation *op) {
          return llvm::any_of(op->getOperandTypes(), isLong) ||
                         llvm::any_of(op->getResultTypes(), isLong)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }
};

} // namespace
} // namespace mlir::tt::ttir
