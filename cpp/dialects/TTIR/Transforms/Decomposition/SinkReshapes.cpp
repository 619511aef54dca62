//===- SinkReshapes.cpp - elementwise ops in front of reshapes ------------===//
//
// A convolution is a product of matrices and a reshape to images, and matrices
// of few rows are multiplied as one. Elementwise ops behind it compute the same
// on the rows of the matrix, and the next product wants these again: a reshape
// that leaves rows whole moves behind the ops that read it, where another one
// may undo it.

#include "dialects/TTIR/Transforms/Decomposition/DecompositionPatterns.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

namespace mlir::tt::ttir {

/// Whether the layout of the tensor is the compiler's choice.
static bool isFree(Value value) {
  return !cast<RankedTensorType>(value.getType()).getEncoding();
}

/// The matrix whose rows `value` has in another shape; null if it has none.
static Value getMatrix(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || !isFree(value) || !isFree(reshape.getInput()))
    return {};
  ArrayRef<int64_t> from = Primitives::getShape(reshape.getInput()),
                    to = Primitives::getShape(value);
  return from.size() >= 2 && volume(from.drop_back(2)) == 1 && to.size() > 2 &&
                 from.size() <= to.size() && from.back() == to.back()
             ? reshape.getInput()
             : Value();
}

/// Whether an operand of an op with results of `shape` can be brought to the
/// rows of a matrix: all get the same of it, or they are rows already. Tiles
/// would have to become rows first.
static bool hasRows(Value value, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> own = Primitives::getShape(value);
  if (!isFree(value) || own.empty())
    return false;
  if (own != shape)
    return volume(own.drop_back()) == 1;
  Operation *source = value.getDefiningOp();
  return !source || !worksOnTiles(source);
}

/// An operand of `op` that has rows, for results of the shape `matrix`.
static Value toMatrix(Primitives &b, Operation *op, Value value,
                      ArrayRef<int64_t> shape, ArrayRef<int64_t> matrix) {
  ArrayRef<int64_t> own = Primitives::getShape(value);
  if (own != shape)
    return own.size() <= matrix.size() ? value
                                       : b.reshape(value, {1, own.back()});
  Value before = getMatrix(value);
  if (before && Primitives::getShape(before) == matrix)
    return before;
  // Another op may want the same.
  for (Operation *user : value.getUsers())
    if (auto made = dyn_cast<ReshapeOp>(user);
        made && made.getInput() == value && isFree(made.getResult()) &&
        Primitives::getShape(made.getResult()) == matrix &&
        made->getBlock() == op->getBlock() && made->isBeforeInBlock(op))
      return made.getResult();
  return b.reshape(value, matrix);
}

static void sink(Operation *op, OpBuilder &builder) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!isa<TTIR_ElementwiseOpInterface>(op) || !dps ||
      op->getNumResults() != 1 || !isFree(op->getResult(0)))
    return;
  Value result = op->getResult(0);
  SmallVector<int64_t> shape(Primitives::getShape(result));
  Value matrix;
  for (Value input : dps.getDpsInputs())
    if (Value found = getMatrix(input);
        found && Primitives::getShape(input) == ArrayRef(shape))
      matrix = found;
  if (!matrix || !llvm::all_of(dps.getDpsInputs(), [&](Value input) {
        return hasRows(input, shape);
      }))
    return;
  builder.setInsertionPoint(op);
  Primitives b(builder, op->getLoc());
  SmallVector<int64_t> rows(Primitives::getShape(matrix));
  SmallVector<Value> operands;
  for (Value input : dps.getDpsInputs())
    operands.push_back(toMatrix(b, op, input, shape, rows));
  auto type = RankedTensorType::get(rows, Primitives::getElementType(result));
  operands.push_back(tensor::EmptyOp::create(builder, op->getLoc(), rows,
                                             type.getElementType()));
  Operation *moved = builder.clone(*op);
  moved->setOperands(operands);
  moved->getResult(0).setType(type);
  result.replaceAllUsesWith(b.reshape(moved->getResult(0), shape));
  op->erase();
}

/// A reshape of what was reshaped before takes it as it was.
static void join(ReshapeOp op) {
  auto first = op.getInput().getDefiningOp<ReshapeOp>();
  if (!first || !isFree(op.getInput()) || !isFree(first.getInput()))
    return;
  if (isFree(op.getResult()) && first.getInput().getType() == op.getType()) {
    op.getResult().replaceAllUsesWith(first.getInput());
    op.erase();
    return;
  }
  op.getInputMutable().assign(first.getInput());
}

void sinkReshapes(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    // Kernels are not changed.
    return isa<GenericOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  OpBuilder builder(module.getContext());
  for (Operation *op : ops) {
    if (auto reshape = dyn_cast<ReshapeOp>(op))
      join(reshape);
    else
      sink(op, builder);
  }
  SmallVector<ReshapeOp> reshapes;
  module.walk([&](ReshapeOp op) { reshapes.push_back(op); });
  for (ReshapeOp op : llvm::reverse(reshapes))
    if (op->use_empty())
      op.erase();
}

} // namespace mlir::tt::ttir
