#ifndef TARGET_TTMETAL_REGISTERS_H
#define TARGET_TTMETAL_REGISTERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace mlir::tt::ttmetal {

/// Gives values their registers while a kernel is walked in order.
///
/// Constants have the first registers, one for each number. A value that is
/// used only in its own block has a register until its last use; every other
/// value has one for itself, because the order in which blocks run is not that
/// in which they are walked.
class Registers {
public:
  /// Numbers the constants of the kernel. On failure there is an error at the
  /// constant that is no number of at most 32 bits.
  LogicalResult addConstants(func::FuncOp kernel);

  /// The register of a value that has been defined.
  uint32_t get(Value value) const { return registers.lookup(value); }
  /// Defines a result.
  uint32_t define(Value value);
  /// The arguments of a block, which its predecessors write.
  void defineArguments(Block &block);
  /// Lets the results that a block gives to its successor alone be computed in
  /// the registers of the successor's arguments, where the block has no use for
  /// what they hold until then. Arguments must have been defined.
  void coalesce(Block &block);
  /// Ends the last uses that `op` makes.
  void finish(Operation *op);
  /// A register for exchanging others.
  uint32_t getScratch();

  const std::vector<uint32_t> &getConstants() const { return constants; }
  uint32_t size() const { return count; }

private:
  llvm::DenseMap<Value, uint32_t> registers;
  /// Uses that are left of values that are used in their own block only.
  llvm::DenseMap<Value, uint32_t> usesLeft;
  std::vector<uint32_t> constants, unused;
  std::optional<uint32_t> scratch;
  uint32_t count = 0;
};

/// A copy from one register to another.
struct Move {
  uint32_t target, source;
};

/// Makes the moves, whose targets differ, as if all happened at once: `emit` is
/// called for one after the other. `scratch` gives a register that no move has.
void sequentialize(ArrayRef<Move> moves, llvm::function_ref<uint32_t()> scratch,
                   llvm::function_ref<void(Move)> emit);

} // namespace mlir::tt::ttmetal

#endif
