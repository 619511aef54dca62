#include "dialects/TT/Remarks.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTIR/Canonicalize.h"
#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Decomposition/PrepareWeights.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/UnusedOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRFUSING
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kFusingRemarks("ttir-fusing");

/// x * factor + shift, with a number for each channel; null for 1 and 0.
struct Affine {
  Value factor, shift;
};

/// The result of a convolution as its reader has it, and the dimension of its
/// channels.
struct Result {
  Value value;
  int64_t channels;
};

/// Whether the elements are floats that need no scale of their own: neither
/// block floats nor quantized.
bool isPlainFloat(RankedTensorType type) {
  return type && !type.getEncoding() && isa<FloatType>(type.getElementType());
}

/// Or block floats. What they are multiplied by is rounded with them again.
bool isFloatWeight(RankedTensorType type) {
  if (isPlainFloat(type))
    return true;
  LayoutAttr layout = getLayoutOf(type);
  return layout && isa<FloatType>(type.getElementType()) &&
         isa<TileType>(layout.getElementType());
}

class TTIRFusing : public impl::TTIRFusingBase<TTIRFusing> {
public:
  using Base::Base;

  void runOnOperation() final {
    SmallVector<Conv2dOp> convolutions;
    getOperation().walk([&](Conv2dOp op) { convolutions.push_back(op); });
    for (Conv2dOp op : convolutions)
      while (op && isFoldable(op))
        op = fold(op);
    SmallVector<SubtractOp> differences;
    getOperation().walk([&](SubtractOp op) { differences.push_back(op); });
    for (SubtractOp op : differences)
      joinShifts(op);
    // Dependences are known by value: no new op may get the place of an old one
    // before.
    for (Operation *op : replaced)
      eraseUnused(op);
  }

private:
  bool isFixed(Value value) {
    return dependences.of(value) != Dependence::Inputs;
  }

  bool isFoldable(Conv2dOp op) {
    return op.getResult().hasOneUse() &&
           isPlainFloat(op.getResult().getType()) &&
           isFloatWeight(op.getWeight().getType()) && isFixed(op.getWeight()) &&
           (!op.getBias() ||
            (isPlainFloat(op.getBias().getType()) && isFixed(op.getBias())));
  }

  /// Whether the value is fixed and has a number for each of the channels of
  /// the result, or one for all.
  bool isAlongChannels(Value value, const Result &result) {
    RankedTensorType type = graph::typeOf(value);
    int64_t rank = graph::typeOf(result.value).getRank(), count = 1;
    if (!isPlainFloat(type) || !isFixed(value) || type.getRank() > rank)
      return false;
    for (auto [dim, extent] : llvm::enumerate(llvm::reverse(type.getShape()))) {
      if (extent != 1 &&
          rank - 1 - static_cast<int64_t>(dim) != result.channels)
        return false;
      count *= extent;
    }
    return count == 1 || count == graph::shapeOf(result.value)[result.channels];
  }

  static Value alongChannels(graph::GraphBuilder &b, Value vector) {
    return b.reshape(vector, {1, 1, 1, graph::typeOf(vector).getNumElements()});
  }

  /// What the op does with each channel of the result, if that is all that it
  /// does and it is fixed.
  std::optional<Affine> getAffine(Operation *user, const Result &result,
                                  graph::GraphBuilder &b) {
    return llvm::TypeSwitch<Operation *, std::optional<Affine>>(user)
        .Case([&](BatchNormInferenceOp op) { return getAffine(op, result, b); })
        .Case<AddOp, SubtractOp, MultiplyOp>(
            [&](auto op) -> std::optional<Affine> {
              bool isFirst = op->getOperand(0) == result.value;
              Value other = op->getOperand(isFirst ? 1 : 0);
              if (other == result.value || !isAlongChannels(other, result))
                return std::nullopt;
              if constexpr (std::is_same_v<decltype(op), MultiplyOp>)
                return Affine{alongChannels(b, other), {}};
              if constexpr (std::is_same_v<decltype(op), SubtractOp>) {
                if (!isFirst)
                  return std::nullopt;
                other = b.eltwise("neg", other);
              }
              return Affine{{}, alongChannels(b, other)};
            })
        .Default([](Operation *) { return std::nullopt; });
  }

  /// The permutation that reads the result of `op` and does nothing else, if
  /// one op reads it in turn.
  static Operation *getPermutationBehind(Conv2dOp op) {
    Operation *user = *op->user_begin();
    return getPermutation(user) && user->hasOneUse() &&
                   isPlainFloat(graph::typeOf(user->getResult(0))) &&
                   graph::elementOf(user->getResult(0)) ==
                       op.getResult().getType().getElementType()
               ? user
               : nullptr;
  }

  /// The convolution that computes what the only user of `op` does; null if
  /// that is not to be had.
  Conv2dOp fold(Conv2dOp op) {
    Operation *permutation = getPermutationBehind(op);
    Result result{op.getResult(), op.getResult().getType().getRank() - 1};
    SmallVector<int64_t> order;
    if (permutation) {
      order = *getPermutation(permutation);
      result = {permutation->getResult(0),
                llvm::find(order, result.channels) - order.begin()};
    }
    Operation *user = *result.value.user_begin();
    auto type = user->getNumResults() == 1
                    ? dyn_cast<RankedTensorType>(user->getResult(0).getType())
                    : RankedTensorType();
    if (user->getBlock() != op->getBlock() || !isPlainFloat(type) ||
        type.getShape() != graph::shapeOf(result.value))
      return {};
    OpBuilder builder(user);
    graph::GraphBuilder b(builder, user->getLoc());
    std::optional<Affine> affine = getAffine(user, result, b);
    if (!affine)
      return {};
    if (auto remark = kFusingRemarks.passed(user, "Folded"))
      remark << reason("the weights of the convolution have its factors, and "
                       "the bias the rest: they depend on parameters alone")
             << rejected(
                    "an op of its own, which reads and writes {0} in every "
                    "call",
                    type);
    auto convType = op.getResult().getType().clone(type.getElementType());
    Value destination = tensor::EmptyOp::create(
        builder, user->getLoc(), convType.getShape(), type.getElementType());
    auto conv = cast<Conv2dOp>(builder.clone(*op));
    conv->setLoc(builder.getFusedLoc({op.getLoc(), user->getLoc()}));
    conv.getOutputMutable().assign(destination);
    conv.getResult().setType(convType);
    builder.setInsertionPoint(conv);

    Type f32 = builder.getF32Type();
    Value bias = op.getBias();
    if (affine->factor) {
      prepareWeight(conv);
      conv.getWeightMutable().assign(
          b.eltwise("multiply", {conv.getWeight(), affine->factor},
                    conv.getWeight().getType().getElementType()));
      if (bias)
        bias = b.eltwise("multiply", {bias, affine->factor}, f32);
    }
    if (affine->shift)
      bias =
          bias ? b.eltwise("add", {bias, affine->shift}, f32) : affine->shift;
    setBias(conv, bias, b);
    ++numFolded;

    Value found = conv.getResult();
    if (permutation) {
      builder.setInsertionPointAfter(conv);
      b.setLoc(permutation->getLoc());
      found = b.permute(found, order);
    }
    user->getResult(0).replaceAllUsesWith(found);
    replaced.push_back(user);
    if (permutation)
      replaced.push_back(permutation);
    replaced.push_back(op);
    return conv;
  }

  /// The only user of the value and its other operand, if the user is an `OpT`
  /// in the same block with the shape of `x`, and the operand is fixed.
  template <typename OpT>
  std::pair<OpT, Value> getFixedUser(Value value, Value x) {
    auto user = value.hasOneUse() ? dyn_cast<OpT>(*value.user_begin()) : OpT();
    if (!user || user->getBlock() != value.getParentBlock() ||
        user->getNumOperands() < 2)
      return {};
    Value other = user->getOperand(user->getOperand(0) == value ? 1 : 0);
    auto type = dyn_cast<RankedTensorType>(user->getResult(0).getType());
    if (!isPlainFloat(type) || type.getShape() != graph::shapeOf(x) ||
        !isPlainFloat(graph::typeOf(other)) || !isFixed(other) ||
        graph::typeOf(other).getNumElements() == type.getNumElements())
      return {};
    return {user, other};
  }

  /// (x - mean) * factor + offset -> x * factor + (offset - mean * factor), as
  /// in a batch norm that does not follow a convolution.
  void joinShifts(SubtractOp op) {
    Value x = op->getOperand(0), mean = op->getOperand(1);
    RankedTensorType type = graph::typeOf(op->getResult(0));
    if (!isPlainFloat(type) || !isPlainFloat(graph::typeOf(x)) ||
        !isPlainFloat(graph::typeOf(mean)) || isFixed(x) || !isFixed(mean) ||
        graph::shapeOf(x) != type.getShape() ||
        graph::typeOf(mean).getNumElements() == type.getNumElements())
      return;
    auto [multiply, factor] = getFixedUser<MultiplyOp>(op->getResult(0), x);
    if (!multiply)
      return;
    auto [add, offset] = getFixedUser<AddOp>(multiply->getResult(0), x);
    if (!add)
      return;
    OpBuilder builder(add);
    graph::GraphBuilder b(builder, add->getLoc());
    Type f32 = builder.getF32Type();
    Value shift = b.eltwise(
        "subtract", {offset, b.eltwise("multiply", {mean, factor}, f32)}, f32);
    Value scaled = b.eltwise("multiply", {x, factor},
                             graph::elementOf(multiply->getResult(0)));
    Value result =
        b.eltwise("add", {scaled, shift}, graph::elementOf(add->getResult(0)));
    if (auto remark = kFusingRemarks.passed(op, "Joined"))
      remark << reason("the subtraction is folded into a later addition: both "
                       "depend only on parameters")
             << rejected("an op of its own, which reads and writes {0} in "
                         "every call",
                         type);
    add->getResult(0).replaceAllUsesWith(result);
    replaced.append({add, multiply, op});
    ++numFolded;
  }

  /// The bias, for each channel.
  static void setBias(Conv2dOp conv, Value bias, graph::GraphBuilder &b) {
    if (!bias)
      return;
    int64_t channels = graph::shapeOf(conv.getResult()).back();
    if (graph::shapeOf(bias).back() != channels)
      bias = b.broadcast(bias, {1, 1, 1, channels});
    bool isNew = !conv.getBias();
    conv.getBiasMutable().assign(bias);
    if (!isNew)
      return;
    // One constraint for each operand.
    SmallVector<Attribute> constraints(conv.getOperandConstraints().getValue());
    constraints.insert(constraints.begin() + 2, constraints[1]);
    conv.setOperandConstraintsAttr(
        ArrayAttr::get(conv.getContext(), constraints));
  }

  Dependences dependences;
  /// Ops that nothing uses any more but ops in front of them.
  SmallVector<Operation *> replaced;
};

} // namespace
} // namespace mlir::tt::ttir
