#ifndef TARGET_TTMETAL_REGISTERS_H
#define TARGET_TTMETAL_REGISTERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace mlir::tt::ttmetal {

/// Allocates the registers of values while a kernel is walked in order.
///
/// Constants have the first registers, one for each number. A value that is
/// used only in its own block has a register until its last use; every other
/// value has a register that is not reused, because blocks do not run in the
/// order in which they are walked.
class Registers {
public:
  /// Numbers the constants of the kernel. On failure there is an error at the
  /// constant that is no number of at most 32 bits.
  LogicalResult addConstants(func::FuncOp kernel);

  /// The register of a value that has been defined.
  uint32_t get(Value value) const { return registers.lookup(value); }
  /// Defines a result.
  uint32_t define(Value value);
  /// The registers of the elements of a local array, which are not reused.
  void defineArray(Value array, uint32_t size);
  /// The arguments of a block, which its predecessors write.
  void defineArguments(Block &block);
  /// If a block has one successor, computes the values that it passes in the
  /// registers of the successor's arguments, unless the block still needs what
  /// they have before. Arguments must have been defined.
  void coalesce(Block &block);
  /// Ends the last uses that `op` makes.
  void finish(Operation *op);
  /// A register for exchanging others.
  uint32_t getScratch();

  const std::vector<uint32_t> &getConstants() const { return constants; }
  uint32_t size() const { return count; }

private:
  llvm::DenseMap<Value, uint32_t> registers;
  /// The remaining uses of values that are used only in their own block.
  llvm::DenseMap<Value, uint32_t> usesLeft;
  std::vector<uint32_t> constants, unused;
  std::optional<uint32_t> scratch;
  uint32_t count = 0;
};

/// A copy from one register to another.
struct Move {
  uint32_t target, source;
};

/// Orders moves with different targets as if all happened at once: `emit` is
/// called for each in turn. `scratch` returns a register that no move uses.
void sequentialize(ArrayRef<Move> moves, llvm::function_ref<uint32_t()> scratch,
                   llvm::function_ref<void(Move)> emit);

} // namespace mlir::tt::ttmetal

#endif
