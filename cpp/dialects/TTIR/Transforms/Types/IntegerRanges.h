#ifndef DIALECTS_TTIR_TRANSFORMS_TYPES_INTEGERRANGES_H
#define DIALECTS_TTIR_TRANSFORMS_TYPES_INTEGERRANGES_H

#include "dialects/TTIR/TTIR.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DynamicAPInt.h"

namespace mlir::tt::ttir {

/// Whole numbers from `low` to `high`.
struct Interval {
  llvm::DynamicAPInt low, high;

  bool contains(const Interval &other) const {
    return low <= other.low && other.high <= high;
  }
  bool operator==(const Interval &other) const {
    return low == other.low && high == other.high;
  }
};

/// The smallest interval around both.
Interval join(const Interval &a, const Interval &b);

/// The numbers of an integer type; signless types have no sign.
Interval intervalOf(Type element);

/// Whether the elements are integers of 64 bits.
bool isLong(Type type);

/// How an op reads an operand of integers.
enum class Reading {
  /// Neither the values nor the places of the result depend on the upper words:
  /// places in a tensor, which has fewer than 2^31.
  Low,
  /// The lower words of the result depend on the lower words alone.
  Modular,
  /// The result depends on the whole integer.
  Whole
};
Reading readingOf(OpOperand &operand);

/// Whether the op's elements are those of its inputs, wherever they go.
bool isMove(Operation *op);

/// The operands whose elements such an op moves.
SmallVector<OpOperand *> getMoved(Operation *op);

/// How an op that changes elements at given places combines them; nothing for
/// other ops.
std::optional<ReduceType> getScatterType(Operation *op);

/// The integers that values of a module may hold, which are never wrapped:
/// those of 64 bits as if the machine had them. Arguments of functions have
/// numbers of 32 bits, which the host checks.
class IntegerRanges {
public:
  explicit IntegerRanges(ModuleOp module);

  /// Of a tensor of integers, or an integer.
  Interval get(Value value) const;

  /// Whether the 32 bits that the machine has for integers of 64 hold them.
  bool fits(Value value) const;

  /// Whether all elements are 0.
  bool isZero(Value value) const;

  /// Whether no element of the product wraps in its type.
  bool isExact(MultiplyOp product) const;

private:
  void visit(Block &block);
  void visit(Operation *op);
  void visitLoop(Operation *op);
  Interval transfer(Operation *op, unsigned result);
  std::optional<Interval> transferElementwise(Operation *op);
  std::optional<Interval> transferReduction(Operation *op);
  void set(Value value, const Interval &interval);

  DenseMap<Value, Interval> ranges;
};

} // namespace mlir::tt::ttir

#endif
