#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRINPLACE
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kInPlaceRemarks("ttir-in-place");

/// The memory behind the values of a function. Values in destination-passing
/// style have that of their destination.
struct Memory {
  /// Whether the function may write to it: it has made it, or it was given up.
  bool isOwned = false;
  /// A result of control flow may be of this memory, too.
  bool isShared = false;
  /// Of such a result: it may be of memory that is shared.
  bool isUnknown = false;
  /// The number of the last op that uses a value of it.
  unsigned lastUse = 0;
  /// The argument of the function that it is, if it is one.
  std::optional<unsigned> argument;
};

/// Where one function writes in place. Ops are visited in order: what is found
/// of the values in front of an op does not change behind it.
class Function {
public:
  /// `owned` are the arguments that the function may write to.
  Function(func::FuncOp func, const llvm::BitVector &owned, unsigned &numOps)
      : func(func), numOps(numOps), written(func.getNumArguments()) {
    for (Operation &op : getBody())
      numbers[&op] = numbers.size() + 1;
    for (BlockArgument argument : func.getArguments()) {
      Memory &memory = add(argument);
      memory.isOwned = owned.test(argument.getArgNumber());
      memory.argument = argument.getArgNumber();
    }
  }

  void run() {
    for (Operation &op : llvm::make_early_inc_range(getBody()))
      visit(&op);
  }

  /// The results in the memory of arguments that are to have it.
  void returnInPlace() {
    for (BlockArgument argument : func.getArguments())
      if (auto output = func.getArgAttrOfType<IntegerAttr>(
              argument.getArgNumber(), kAliasedOutputAttr))
        returnIn(argument, output.getInt());
  }

  /// The argument whose memory result `index` has.
  std::optional<unsigned> getReturned(unsigned index) {
    return of(getReturn()->getOperand(index)).argument;
  }
  /// Whether result `index` is of memory that the function owns, and the only
  /// one of it.
  bool returnsOwned(unsigned index) {
    Memory *memory = &of(getReturn()->getOperand(index));
    return memory->isOwned &&
           llvm::count_if(getReturn()->getOperands(), [&](Value value) {
             return &of(value) == memory;
           }) == 1;
  }
  /// The arguments that the function writes to.
  const llvm::BitVector &getWritten() const { return written; }

  /// A copy of the argument takes its place.
  void copyArgument(unsigned index) {
    BlockArgument argument = func.getArgument(index);
    OpBuilder builder(func.getContext());
    builder.setInsertionPointToStart(&getBody());
    ToLayoutOp copy =
        createToLayout(builder, argument.getLoc(), argument,
                       cast<RankedTensorType>(argument.getType()));
    argument.replaceAllUsesExcept(copy.getResult(), copy);
    written.reset(index);
    of(argument).argument.reset();
  }
  /// Another part writes to the argument, which this one passes on; whether
  /// that is new, and the argument the function's.
  bool giveUp(unsigned index) {
    if (written.test(index) || !of(func.getArgument(index)).isOwned)
      return false;
    written.set(index);
    return true;
  }

private:
  Block &getBody() { return func.getBody().front(); }
  Operation *getReturn() { return getBody().getTerminator(); }

  Memory &of(Value value) { return memories[places.lookup(value)]; }

  Memory &add(Value value) {
    places[value] = memories.size();
    memories.emplace_back();
    use(value);
    return memories.back();
  }

  /// `value` has the memory of `other`.
  void share(Value value, Value other) {
    places[value] = places.lookup(other);
    use(value);
  }

  void use(Value value) {
    unsigned &last = of(value).lastUse;
    for (Operation *user : value.getUsers())
      last = std::max(last,
                      numbers.lookup(getBody().findAncestorOpInBlock(*user)));
  }

  /// Whether the operand's memory may be written to and nothing else reads it,
  /// neither the op nor one behind it.
  bool isGivenUp(OpOperand &operand) {
    Memory *memory = &of(operand.get());
    Operation *op = operand.getOwner();
    return memory->isOwned && memory->lastUse == numbers.lookup(op) &&
           llvm::count_if(op->getOperands(), [&](Value value) {
             return &of(value) == memory;
           }) == 1;
  }

  void visit(Operation *op) {
    // What the host gives is in no memory of the device.
    if (isControlFlow(op) && !isa<CallOp>(op))
      return visitControlFlow(op);
    if (auto update = dyn_cast<UpdateSliceOp>(op))
      writeInPlace(update);
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpResult result : op->getResults()) {
      if (dps)
        share(result, dps.getTiedOpOperand(result)->get());
      else
        add(result).isOwned = isCreation(op);
    }
  }

  void writeInPlace(UpdateSliceOp op) {
    OpOperand &input = op.getInputMutable();
    if (op.getInput() == op.getOutput())
      return;
    LayoutAttr layout = getLayoutOf(op.getType());
    bool isOnDevice = layout && layout.isDeviceMemorySpace();
    bool isSame = op.getInput().getType() == op.getType();
    if (!isOnDevice || !isSame || !isGivenUp(input)) {
      if (auto remark = kInPlaceRemarks.missed(op, "Copied"))
        remark << reason("the input is copied: {0}",
                         !isOnDevice ? "it is on the host"
                         : !isSame   ? "it has another layout than the result"
                         : of(op.getInput()).isOwned
                             ? "it is read behind the op"
                             : "it belongs to the caller, or is kept");
      return;
    }
    setDestination(op.getOutputMutable(), op.getInput());
    if (auto remark = kInPlaceRemarks.passed(op, "InPlace"))
      remark << reason("only the rows of the update are written: nothing reads "
                       "the input behind the op")
             << rejected("a copy of the input");
  }

  /// The op writes into `value`.
  void setDestination(OpOperand &destination, Value value) {
    Operation *made = destination.get().getDefiningOp();
    destination.set(value);
    if (made && made->use_empty() && isCreation(made))
      made->erase();
    Memory &memory = of(value);
    if (memory.argument)
      written.set(*memory.argument);
    ++numOps;
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  void visitControlFlow(Operation *op) {
    SmallVector<func::FuncOp> parts;
    for (FlatSymbolRefAttr name : getParts(op))
      parts.push_back(
          SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, name));
    if (isa<IfOp>(op))
      visitBranches(op, parts);
    else
      visitLoop(op, parts);
  }

  MutableArrayRef<OpOperand> getPassed(Operation *op) {
    return op->getOpOperands().take_back(getPartOperands(op).size());
  }

  /// What the parts are given up by the op they may write to.
  void visitBranches(Operation *op, ArrayRef<func::FuncOp> parts) {
    MutableArrayRef<OpOperand> captured = getPassed(op);
    llvm::BitVector owned(captured.size());
    for (auto [i, operand] : llvm::enumerate(captured))
      owned[i] = isGivenUp(operand);
    SmallVector<Function> functions;
    for (func::FuncOp part : parts) {
      functions.emplace_back(part, owned, numOps).run();
      for (unsigned i : functions.back().getWritten().set_bits())
        write(captured[i].get());
    }
    for (OpResult result : op->getResults()) {
      unsigned index = result.getResultNumber();
      std::optional<unsigned> first = functions[0].getReturned(index);
      std::optional<unsigned> second = functions[1].getReturned(index);
      if (first && first == second) {
        share(result, captured[*first].get());
        continue;
      }
      addResult(result, !first && !second && functions[0].returnsOwned(index) &&
                            functions[1].returnsOwned(index));
      if (of(result).isUnknown)
        for (OpOperand &operand : captured)
          pin(operand.get());
    }
  }

  /// What is carried belongs to the parts. Where they write to it, it is copied
  /// in front of the loop if something else may read it.
  void visitLoop(Operation *op, ArrayRef<func::FuncOp> parts) {
    MutableArrayRef<OpOperand> passed = getPassed(op);
    unsigned numCarried = passed.size() - getCaptured(op).size();
    // Of the results of a part, how many are in front of those that are passed
    // on: a condition.
    auto getHidden = [&](unsigned part) {
      return isa<WhileOp>(op) && part == 0 ? 1u : 0u;
    };
    SmallVector<Function> functions;
    for (func::FuncOp part : parts) {
      llvm::BitVector owned(part.getNumArguments());
      owned.set(0, part.getNumArguments() - getCaptured(op).size());
      functions.emplace_back(part, owned, numOps).run();
    }
    // A part that passes an argument on to where the next one writes gives it
    // up as well; the last part passes it on to the first one's next turn.
    bool isDone = false;
    while (!isDone) {
      isDone = true;
      for (unsigned p = 0; p < parts.size(); ++p)
        for (unsigned i : llvm::to_vector(
                 functions[(p + 1) % parts.size()].getWritten().set_bits()))
          if (std::optional<unsigned> from =
                  functions[p].getReturned(getHidden(p) + i);
              from && functions[p].giveUp(*from))
            isDone = false;
    }
    // What a part passes on has to belong to the next one, where that writes to
    // it; the last one passes it on to the first.
    for (unsigned p = 0; p < parts.size(); ++p) {
      Function &next = functions[(p + 1) % parts.size()];
      for (unsigned i : llvm::to_vector(next.getWritten().set_bits()))
        if (!functions[p].returnsOwned(getHidden(p) + i))
          next.copyArgument(i);
    }
    for (unsigned i : functions.front().getWritten().set_bits()) {
      if (!isGivenUp(passed[i]))
        passed[i].set(copy(op, passed[i].get()));
      write(passed[i].get());
    }
    bool hasTurn = !isa<ForOp>(op) || cast<ForOp>(op).getCount() > 0;
    for (OpResult result : op->getResults()) {
      unsigned index = result.getResultNumber();
      Function &first = functions.front();
      std::optional<unsigned> argument =
          first.getReturned(getHidden(0) + index);
      if (argument && *argument < numCarried &&
          isCarriedTo(functions, *argument, index)) {
        share(result, passed[*argument].get());
        continue;
      }
      bool isOwned =
          !argument && hasTurn && first.returnsOwned(getHidden(0) + index);
      addResult(result, isOwned);
      if (!isOwned)
        for (OpOperand &operand : passed)
          pin(operand.get());
    }
  }

  static OperandRange getCaptured(Operation *op) {
    if (auto loop = dyn_cast<ForOp>(op))
      return loop.getCaptured();
    return cast<WhileOp>(op).getCaptured();
  }

  /// Whether every turn leaves carried tensor `argument`, which is result
  /// `index`, in its memory.
  static bool isCarriedTo(MutableArrayRef<Function> functions,
                          unsigned argument, unsigned index) {
    return functions.size() == 1 ? argument == index
                                 : functions[1].getReturned(argument) == index;
  }

  /// Another value may be of its memory.
  void pin(Value value) {
    of(value).isOwned = false;
    of(value).isShared = true;
  }

  /// The result of control flow has memory of its own if it is owned.
  void addResult(Value result, bool isOwned) {
    Memory &memory = add(result);
    memory.isOwned = isOwned;
    memory.isUnknown = !isOwned;
  }

  void write(Value value) {
    if (std::optional<unsigned> argument = of(value).argument)
      written.set(*argument);
  }

  Value copy(Operation *op, Value value) {
    OpBuilder builder(op);
    ToLayoutOp copy = createToLayout(builder, op->getLoc(), value,
                                     cast<RankedTensorType>(value.getType()));
    Value destination = copy.getOutput();
    numbers[copy] = numbers.lookup(op);
    add(destination).isOwned = true;
    share(copy.getResult(), destination);
    if (auto remark = kInPlaceRemarks.passed(op, "CarriedCopy"))
      remark << reason("what the loop writes to in place is copied in front of "
                       "it: something else may read it");
    return copy.getResult();
  }

  //===--------------------------------------------------------------------===//
  // Results in the memory of arguments
  //===--------------------------------------------------------------------===//

  void returnIn(BlockArgument argument, unsigned index) {
    Operation *returnOp = getReturn();
    OpBuilder builder(returnOp);
    // Other results keep what the argument was.
    for (OpOperand &operand : returnOp->getOpOperands())
      if (operand.getOperandNumber() != index &&
          (&of(operand.get()) == &of(argument) ||
           (of(operand.get()).isUnknown && of(argument).isShared))) {
        Value kept = operand.get();
        operand.set(createToLayout(builder, kept.getLoc(), kept,
                                   cast<RankedTensorType>(kept.getType()))
                        .getResult());
        add(operand.get());
        of(argument).lastUse = numbers.lookup(returnOp);
      }
    Value value = returnOp->getOperand(index);
    if (&of(value) == &of(argument))
      return;
    if (OpOperand *destination = getDestination(value, argument))
      return setDestination(*destination, argument);
    auto copy = ToLayoutOp::create(builder, value.getLoc(), argument.getType(),
                                   value, argument);
    returnOp->setOperand(index, copy.getResult());
    share(copy.getResult(), argument);
    if (auto remark = kInPlaceRemarks.missed(copy, "Returned"))
      remark << reason("result {0} is copied to the memory of argument {1}, "
                       "which is read behind the op that computes it",
                       index, argument.getArgNumber());
  }

  /// The destination of the op that computes `value`, if the op may write to
  /// the argument instead.
  OpOperand *getDestination(Value value, BlockArgument argument) {
    auto result = dyn_cast<OpResult>(value);
    if (of(argument).isShared)
      return nullptr;
    auto op = result ? dyn_cast<DestinationStyleOpInterface>(result.getOwner())
                     : DestinationStyleOpInterface();
    if (!op || value.getType() != argument.getType() || !value.hasOneUse())
      return nullptr;
    OpOperand *destination = op.getTiedOpOperand(result);
    unsigned number = numbers.lookup(op);
    if (!destination->get().getDefiningOp<tensor::EmptyOp>() ||
        !destination->get().hasOneUse() || of(argument).lastUse > number)
      return nullptr;
    for (OpOperand *input : op.getDpsInputOperands())
      if (&of(input->get()) == &of(argument) && !mayOverwrite(op, *input))
        return nullptr;
    return destination;
  }

  /// Whether the op reads each element of the operand before it writes the
  /// result's element at that place, and at no other time.
  static bool mayOverwrite(Operation *op, OpOperand &operand) {
    if (isa<TTIR_ElementwiseOpInterface>(op))
      return operand.get().getType() == op->getResult(0).getType();
    auto generic = dyn_cast<GenericOp>(op);
    if (!generic ||
        !llvm::all_of(generic.getIteratorTypes(), [](Attribute type) {
          return cast<IteratorTypeAttr>(type).getValue() ==
                 IteratorType::Parallel;
        }))
      return false;
    auto mapOf = [&](unsigned index) {
      return cast<AffineMapAttr>(generic.getIndexingMaps()[index]).getValue();
    };
    return mapOf(operand.getOperandNumber()).isIdentity() &&
           operand.get().getType() == op->getResult(0).getType();
  }

  func::FuncOp func;
  unsigned &numOps;
  llvm::BitVector written;
  DenseMap<Operation *, unsigned> numbers;
  DenseMap<Value, unsigned> places;
  SmallVector<Memory> memories;
};

class TTIRInPlace : public impl::TTIRInPlaceBase<TTIRInPlace> {
public:
  using impl::TTIRInPlaceBase<TTIRInPlace>::TTIRInPlaceBase;

  void runOnOperation() final {
    unsigned numOps = 0;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      // Parts are visited where they are used.
      if (func.isExternal() || !func.getBody().hasOneBlock() ||
          func->hasAttr(kPartAttr))
        continue;
      llvm::BitVector owned(func.getNumArguments());
      for (unsigned i = 0; i < func.getNumArguments(); ++i)
        owned[i] = bool(func.getArgAttr(i, kAliasedOutputAttr));
      Function function(func, owned, numOps);
      function.run();
      function.returnInPlace();
    }
    numInPlace += numOps;
  }
};

} // namespace
} // namespace mlir::tt::ttir
