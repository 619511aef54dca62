#ifndef DIALECTS_TTIR_TRANSFORMS_RECOGNITION_MATCHERS_H
#define DIALECTS_TTIR_TRANSFORMS_RECOGNITION_MATCHERS_H

#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::tt::ttir {

/// What a pattern has walked through: the ops that become one. Each function
/// looks at one value, without changing anything, and remembers its op.
class Matcher {
public:
  explicit Matcher(Operation *root) : root(root) { ops.insert(root); }

  /// The op that computes `value`, if it is of this kind.
  template <typename OpT> OpT find(Value value) {
    auto op = value ? value.getDefiningOp<OpT>() : OpT();
    if (op)
      ops.insert(op);
    return op;
  }

  /// The input of an op that computes `value`; null if there is none.
  template <typename OpT> Value unary(Value value) {
    OpT op = find<OpT>(value);
    return op ? op->getOperand(0) : Value();
  }

  /// The other operand of a binary op of which one is a constant of one number;
  /// null if there is none. Sets the number.
  template <typename OpT> Value withNumber(Value value, double &number) {
    OpT op = find<OpT>(value);
    if (!op)
      return {};
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (std::optional<double> found = getNumber(b)) {
      number = *found;
      return a;
    }
    constexpr bool isSymmetric = std::is_same_v<OpT, AddOp> ||
                                 std::is_same_v<OpT, MultiplyOp> ||
                                 std::is_same_v<OpT, MaximumOp>;
    if (std::optional<double> found = getNumber(a); found && isSymmetric) {
      number = *found;
      return b;
    }
    return {};
  }

  /// What is reduced along dimensions of `x` that `value` has once, or again at
  /// each place: through ops that only bring it into the shape of `x`.
  template <typename OpT>
  OpT reduced(Value value, RankedTensorType type, SmallVector<int64_t> &dims) {
    // The shape that it has beside `x`: 1 along what was reduced.
    Value inner = throughShapes(value);
    OpT op = inner.getDefiningOp<OpT>();
    if (!op || graph::shapeOf(op.getInput()) != type.getShape())
      return {};
    dims = getDims(op);
    SmallVector<int64_t> kept(type.getShape());
    for (int64_t dim : dims)
      kept[dim] = 1;
    if (!liesBeside(value, inner, kept, type.getShape()))
      return {};
    ops.insert(op);
    return op;
  }

  /// The value itself, or what is repeated along dimensions of extent 1 to make
  /// it.
  Value withoutBroadcast(Value value);

  /// Whether nothing but the ops that were found reads what they compute, but
  /// for the root.
  bool ownsAll() const;

  /// The value of a float or integer splat constant.
  static std::optional<double> getNumber(Value value);
  static std::optional<int64_t> getInteger(Value value);

  /// The dimensions of a reduction, from the front, in order.
  template <typename OpT> static SmallVector<int64_t> getDims(OpT op) {
    int64_t rank = op.getInput().getType().getRank();
    SmallVector<int64_t> dims;
    if (ArrayAttr given = op.getDimArgAttr())
      for (auto dim : given.template getAsRange<IntegerAttr>())
        dims.push_back(*shapes::normalizeDim(dim.getInt(), rank));
    if (dims.empty())
      dims = graph::range(rank);
    llvm::sort(dims);
    return dims;
  }

private:
  /// The value behind reshapes and broadcasts.
  static Value throughShapes(Value value);
  /// Whether `value`, made of `inner` by such ops, has the shape `kept` before
  /// it is broadcast to `full`, if it is.
  bool liesBeside(Value value, Value inner, ArrayRef<int64_t> kept,
                  ArrayRef<int64_t> full);

  Operation *root;
  llvm::SmallPtrSet<Operation *, 16> ops;
};

/// The ops of TTIR in their order, without those in bodies of generic ops.
SmallVector<Operation *> getGraphOps(Operation *root);

/// Each returns the value that stands for the op's result, null where the op is
/// not the last one of such a computation.
Value recognizeSoftmax(DivOp op, graph::GraphBuilder &builder);
Value recognizeSilu(MultiplyOp op, graph::GraphBuilder &builder);
Value recognizeGelu(MultiplyOp op, graph::GraphBuilder &builder);
/// A norm: its last op is a product, or a sum if there is a bias.
Value recognizeNorm(Operation *op, graph::GraphBuilder &builder);
Value recognizeAttention(MatmulOp op, graph::GraphBuilder &builder);
Value recognizeRotaryEmbedding(AddOp op, graph::GraphBuilder &builder);

} // namespace mlir::tt::ttir

#endif
