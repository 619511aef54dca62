//===- Simplify.cpp - ops that change nothing or undo one another ---------===//

#include "dialects/TTIR/Canonicalize.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tt::ttir {

/// Replaces `op` by a value of its type, layout included.
static LogicalResult replaceBy(PatternRewriter &rewriter, Operation *op,
                               Value value) {
  if (value.getType() != op->getResult(0).getType())
    return rewriter.notifyMatchFailure(op, "of another type");
  rewriter.replaceOp(op, value);
  return success();
}

/// op(x) -> x for ops that cannot change anything but their input's type.
template <typename OpT>
static LogicalResult dropIdentity(OpT op, PatternRewriter &rewriter) {
  return replaceBy(rewriter, op, op->getOperand(0));
}

/// concat(x) -> x
static LogicalResult dropConcat(ConcatOp op, PatternRewriter &rewriter) {
  if (op.getInputs().size() != 1)
    return rewriter.notifyMatchFailure(op, "of several tensors");
  return replaceBy(rewriter, op, op.getInputs().front());
}

/// The constraints of a new op that reads what `inner` reads and makes what
/// `outer` makes.
static ArrayAttr joinConstraints(PatternRewriter &rewriter, Operation *inner,
                                 Operation *outer) {
  auto first = cast<TTIROp>(inner).getOperandConstraints();
  auto last = cast<TTIROp>(outer).getOperandConstraints();
  return rewriter.getArrayAttr(
      {first.getValue().front(), last.getValue().back()});
}

/// A destination like that of `op`, for the op that replaces it.
static Value makeDestination(PatternRewriter &rewriter, Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return tensor::EmptyOp::create(rewriter, op->getLoc(), type.getShape(),
                                 type.getElementType(), type.getEncoding());
}

/// Whether `inner` keeps every element of its input as it is.
static bool keepsElements(Operation *inner) {
  std::optional<DataType> from = getStorageType(inner->getOperand(0));
  std::optional<DataType> to = getStorageType(inner->getResult(0));
  return from && to && isLossless(*from, *to);
}

/// transpose(x) -> x where it exchanges nothing
/// permute(transpose(x)) -> permute(x), and all other pairs; x where the second
/// undoes the first
template <typename OpT>
static LogicalResult joinPermutations(OpT op, PatternRewriter &rewriter) {
  SmallVector<int64_t> order = *getPermutation(op);
  auto isIdentity = [](ArrayRef<int64_t> dims) {
    return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
  };
  if (isIdentity(order))
    return replaceBy(rewriter, op, op.getInput());
  Operation *inner = op.getInput().getDefiningOp();
  std::optional<SmallVector<int64_t>> innerOrder = getPermutation(inner);
  if (!innerOrder || !keepsElements(inner))
    return rewriter.notifyMatchFailure(op, "of no other permutation");
  for (int64_t &dim : order)
    dim = (*innerOrder)[dim];
  Value input = inner->getOperand(0);
  if (isIdentity(order) && input.getType() == op.getResult().getType())
    return replaceBy(rewriter, op, input);
  rewriter.replaceOpWithNewOp<PermuteOp>(op, op.getResult().getType(), input,
                                         makeDestination(rewriter, op), order,
                                         joinConstraints(rewriter, inner, op));
  return success();
}

/// reshape(squeeze(x)) -> reshape(x), and all other pairs of ops that only
/// change the shape; x where its type comes out
template <typename OpT>
static LogicalResult joinReshapes(OpT op, PatternRewriter &rewriter) {
  Operation *inner = op.getInput().getDefiningOp();
  if (!isa_and_nonnull<ReshapeOp, SqueezeOp, UnsqueezeOp>(inner) ||
      !keepsElements(inner))
    return rewriter.notifyMatchFailure(op, "of no other reshape");
  Value input = inner->getOperand(0);
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (input.getType() == type)
    return replaceBy(rewriter, op, input);
  SmallVector<int32_t> shape(type.getShape().begin(), type.getShape().end());
  rewriter.replaceOpWithNewOp<ReshapeOp>(
      op, type, input, makeDestination(rewriter, op),
      rewriter.getI32ArrayAttr(shape), joinConstraints(rewriter, inner, op));
  return success();
}

/// op(op(x)) -> x for an op that is its own inverse, and for conversions to a
/// format that has all values of x and back.
template <typename OpT>
static LogicalResult dropPair(OpT op, PatternRewriter &rewriter) {
  auto inner = op->getOperand(0).template getDefiningOp<OpT>();
  if (!inner || !keepsElements(inner))
    return rewriter.notifyMatchFailure(op, "nothing to undo");
  return replaceBy(rewriter, op, inner->getOperand(0));
}

/// maximum(x, x) -> x
template <typename OpT>
static LogicalResult dropSameInputs(OpT op, PatternRewriter &rewriter) {
  if (op->getOperand(0) != op->getOperand(1))
    return rewriter.notifyMatchFailure(op, "of two tensors");
  return replaceBy(rewriter, op, op->getOperand(0));
}

/// Whether all elements of `value` are the number; zeros have a sign.
static bool isSplatOf(Value value, double number) {
  DenseElementsAttr elements = getConstant(value);
  if (!elements || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType())) {
    APFloat found = elements.getSplatValue<APFloat>();
    APFloat wanted(number);
    bool losesInfo;
    wanted.convert(found.getSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return found.bitwiseIsEqual(wanted);
  }
  return isa<IntegerType>(elements.getElementType()) &&
         elements.getSplatValue<APInt>() == static_cast<uint64_t>(number);
}

static bool isFloat(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return isa<FloatType>(type.getElementType());
}

/// add(x, 0) -> x. Of floats the zero is -0.0: +0.0 would make -0.0 positive.
static LogicalResult dropAdd(AddOp op, PatternRewriter &rewriter) {
  double zero = isFloat(op) ? -0.0 : 0.0;
  for (unsigned i : {0, 1})
    if (isSplatOf(op->getOperand(i), zero))
      return replaceBy(rewriter, op, op->getOperand(1 - i));
  return rewriter.notifyMatchFailure(op, "no zero");
}

/// subtract(x, 0) -> x, with +0.0 of floats
static LogicalResult dropSubtract(SubtractOp op, PatternRewriter &rewriter) {
  if (!isSplatOf(op->getOperand(1), 0))
    return rewriter.notifyMatchFailure(op, "no zero");
  return replaceBy(rewriter, op, op->getOperand(0));
}

/// multiply(x, 1) -> x
static LogicalResult dropMultiply(MultiplyOp op, PatternRewriter &rewriter) {
  for (unsigned i : {0, 1})
    if (isSplatOf(op->getOperand(i), 1))
      return replaceBy(rewriter, op, op->getOperand(1 - i));
  return rewriter.notifyMatchFailure(op, "no one");
}

/// div(x, 1) -> x
static LogicalResult dropDiv(DivOp op, PatternRewriter &rewriter) {
  if (!isSplatOf(op->getOperand(1), 1))
    return rewriter.notifyMatchFailure(op, "no one");
  return replaceBy(rewriter, op, op->getOperand(0));
}

void populateSimplificationPatterns(RewritePatternSet &patterns) {
  patterns.add(dropIdentity<ReshapeOp>);
  patterns.add(dropIdentity<BroadcastOp>);
  patterns.add(dropIdentity<TypecastOp>);
  patterns.add(dropIdentity<ToLayoutOp>);
  patterns.add(dropIdentity<SliceOp>);
  patterns.add(dropIdentity<PadOp>);
  patterns.add(dropIdentity<RepeatOp>);
  patterns.add(dropConcat);
  patterns.add(joinPermutations<TransposeOp>);
  patterns.add(joinPermutations<PermuteOp>);
  patterns.add(joinReshapes<ReshapeOp>);
  patterns.add(joinReshapes<SqueezeOp>);
  patterns.add(joinReshapes<UnsqueezeOp>);
  patterns.add(dropPair<NegOp>);
  patterns.add(dropPair<BitwiseNotOp>);
  patterns.add(dropPair<TypecastOp>);
  patterns.add(dropPair<ToLayoutOp>);
  patterns.add(dropSameInputs<MaximumOp>);
  patterns.add(dropSameInputs<MinimumOp>);
  patterns.add(dropAdd);
  patterns.add(dropSubtract);
  patterns.add(dropMultiply);
  patterns.add(dropDiv);
}

} // namespace mlir::tt::ttir
