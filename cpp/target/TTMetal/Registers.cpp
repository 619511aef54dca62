#include "target/TTMetal/Registers.h"

#include "dialects/TTKernel/TTKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace mlir::tt::ttmetal;

LogicalResult Registers::addConstants(func::FuncOp kernel) {
  // Wider than the numbers, of which the map would keep two for itself.
  llvm::DenseMap<uint64_t, uint32_t> byValue;
  WalkResult walk = kernel.walk([&](arith::ConstantOp op) {
    auto attr = dyn_cast<IntegerAttr>(op.getValue());
    bool fits = attr && (attr.getType().isIndex()
                             ? attr.getValue().isSignedIntN(32)
                             : attr.getValue().getBitWidth() <= 32);
    if (!fits) {
      op.emitOpError("has no place in a register of a kernel: expected an "
                     "integer of at most 32 bits, found ")
          << op.getValue();
      return WalkResult::interrupt();
    }
    auto bits = static_cast<uint32_t>(attr.getType().isIndex()
                                          ? attr.getValue().getSExtValue()
                                          : attr.getValue().getZExtValue());
    auto [known, isNew] = byValue.try_emplace(bits, constants.size());
    if (isNew)
      constants.push_back(bits);
    registers[op.getResult()] = known->second;
    return WalkResult::advance();
  });
  count = constants.size();
  return failure(walk.wasInterrupted());
}

uint32_t Registers::define(Value value) {
  auto coalesced = registers.find(value);
  if (coalesced != registers.end())
    return coalesced->second;
  Block *block = value.getParentBlock();
  bool isLocal = llvm::all_of(value.getUsers(), [&](Operation *user) {
    return user->getBlock() == block;
  });
  uint32_t &number = registers[value];
  if (!isLocal || unused.empty()) {
    number = count++;
  } else {
    number = unused.back();
    unused.pop_back();
  }
  if (!isLocal)
    return number;
  if (value.use_empty())
    unused.push_back(number);
  else
    usesLeft[value] = static_cast<uint32_t>(llvm::range_size(value.getUses()));
  return number;
}

void Registers::defineArray(Value array, uint32_t size) {
  registers[array] = count;
  count += size;
}

void Registers::defineArguments(Block &block) {
  for (BlockArgument argument : block.getArguments())
    if (!isa<ttkernel::CBType>(argument.getType()))
      registers[argument] = count++;
}

void Registers::coalesce(Block &block) {
  auto branch = dyn_cast<cf::BranchOp>(block.getTerminator());
  if (!branch)
    return;
  for (auto [argument, value] : llvm::zip_equal(
           branch.getDest()->getArguments(), branch.getDestOperands())) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block || !value.hasOneUse() ||
        isa<arith::ConstantOp>(op))
      continue;
    // The op itself may read the argument.
    bool isReadLater = llvm::any_of(argument.getUsers(), [&](Operation *user) {
      return user->getBlock() == &block && op->isBeforeInBlock(user);
    });
    if (!isReadLater)
      registers[value] = registers.lookup(argument);
  }
}

void Registers::finish(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto left = usesLeft.find(operand);
    if (left == usesLeft.end() || --left->second > 0)
      continue;
    unused.push_back(registers.lookup(operand));
    usesLeft.erase(left);
  }
}

uint32_t Registers::getScratch() {
  if (!scratch)
    scratch = count++;
  return *scratch;
}

void mlir::tt::ttmetal::sequentialize(ArrayRef<Move> moves,
                                      llvm::function_ref<uint32_t()> scratch,
                                      llvm::function_ref<void(Move)> emit) {
  llvm::DenseMap<uint32_t, uint32_t> sources; // of the targets that are left
  llvm::DenseMap<uint32_t, uint32_t> readers; // moves that a register waits for
  for (Move move : moves) {
    if (move.target == move.source)
      continue;
    sources[move.target] = move.source;
    ++readers[move.source];
  }
  SmallVector<uint32_t> ready;
  for (Move move : moves)
    if (sources.contains(move.target) && !readers.lookup(move.target))
      ready.push_back(move.target);

  auto drain = [&] {
    while (!ready.empty()) {
      uint32_t target = ready.pop_back_val();
      uint32_t source = sources.lookup(target);
      sources.erase(target);
      emit({target, source});
      if (--readers[source] == 0 && sources.contains(source))
        ready.push_back(source);
    }
  };
  drain();
  // Only cycles are left; what the scratch register holds opens each of them.
  for (Move move : moves) {
    if (!sources.contains(move.target))
      continue;
    uint32_t spare = scratch();
    emit({spare, move.target});
    for (uint32_t target = move.target;;) {
      uint32_t source = sources.lookup(target);
      sources.erase(target);
      bool closes = source == move.target;
      emit({target, closes ? spare : source});
      if (closes)
        break;
      target = source;
    }
  }
}
