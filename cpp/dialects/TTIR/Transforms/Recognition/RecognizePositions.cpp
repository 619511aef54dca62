#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/Recognition/Matchers.h"
#include "dialects/TTIR/Transforms/UnusedOps.h"

#include <cmath>

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRRECOGNIZEPOSITIONS
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kPositionRemarks("ttir-recognize-positions");

/// The dimensions of scores (B, H, S, T).
enum Dim { kBatch, kHead, kQuery, kKey };

/// The element of an integer constant of which all are one.
std::optional<int64_t> getInteger(Value value) {
  DenseElementsAttr elements = graph::elementsOf(value);
  if (!elements || !elements.isSplat() ||
      !isa<IntegerType>(elements.getElementType()))
    return std::nullopt;
  return elements.getSplatValue<APInt>().getSExtValue();
}

/// What is repeated to make a value, with its rank.
Value withoutBroadcast(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    ArrayRef<int64_t> from = graph::shapeOf(broadcast.getInput());
    int64_t rank = graph::shapeOf(value).size();
    if (static_cast<int64_t>(from.size()) != rank ||
        shapes::alignBroadcast(from, rank, broadcast.getDimension()) !=
            shapes::Shape(from))
      break;
    value = broadcast.getInput();
  }
  return value;
}

/// What a mask of zero and minus infinity is made of, which have any precision.
Value withoutCast(Value value) {
  value = withoutBroadcast(value);
  while (auto cast = value.getDefiningOp<TypecastOp>()) {
    if (!isa<FloatType>(graph::elementOf(cast->getOperand(0))))
      break;
    value = withoutBroadcast(cast->getOperand(0));
  }
  return value;
}

/// What has fewer, or more, dimensions of extent 1.
Value withoutReshape(Value value) {
  auto extents = [](Value of) {
    SmallVector<int64_t> found(graph::shapeOf(of));
    llvm::erase(found, 1);
    return found;
  };
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    if (extents(reshape.getInput()) != extents(value))
      break;
    value = reshape.getInput();
  }
  return value;
}

/// Whether the elements are the numbers 0, 1, ... of the keys.
bool areKeys(Value value, int64_t keys) {
  ArrayRef<int64_t> shape = graph::shapeOf(value);
  if (shape.empty() || shape.back() != keys ||
      !isa<IntegerType>(graph::elementOf(value)))
    return false;
  value = withoutReshape(value);
  if (auto arange = value.getDefiningOp<ArangeOp>())
    return arange.getArangeDimension() + 1 ==
               arange.getResult().getType().getRank() &&
           arange.getStart() == 0 && arange.getStep() == 1;
  DenseElementsAttr elements = graph::elementsOf(value);
  if (!elements || elements.isSplat())
    return false;
  return llvm::all_of(llvm::enumerate(elements.getValues<APInt>()),
                      [&](auto found) {
                        return found.value().getSExtValue() ==
                               static_cast<int64_t>(found.index()) % keys;
                      });
}

/// A number for each query, or for all of them.
bool areOfQueries(Value value) {
  ArrayRef<int64_t> shape = graph::shapeOf(value);
  return (shape.empty() || shape.back() == 1) &&
         isa<IntegerType>(graph::elementOf(value));
}

/// The numbers that a sum adds a constant to, and the constant.
std::pair<Value, int64_t> withoutConstant(Value value) {
  if (auto add = value.getDefiningOp<AddOp>())
    for (unsigned i : {0u, 1u})
      if (auto number = getInteger(add->getOperand(i));
          number &&
          graph::shapeOf(add->getOperand(1 - i)) == graph::shapeOf(value)) {
        auto [inner, more] = withoutConstant(add->getOperand(1 - i));
        return {inner, more + *number};
      }
  if (auto subtract = value.getDefiningOp<SubtractOp>())
    if (auto number = getInteger(subtract->getOperand(1));
        number &&
        graph::shapeOf(subtract->getOperand(0)) == graph::shapeOf(value)) {
      auto [inner, more] = withoutConstant(subtract->getOperand(0));
      return {inner, more - *number};
    }
  return {value, 0};
}

/// What a mask lets each query see: the keys from `first + firstOffset` to
/// `last + lastOffset`, if no other condition hides them.
class Range {
public:
  explicit Range(int64_t keys) : keys(keys) {}

  /// Reads a condition (B or 1, 1, S or 1, T).
  void read(Value condition) {
    condition = withoutBroadcast(condition);
    ArrayRef<int64_t> shape = graph::shapeOf(condition);
    all = shape.size() == 4 && shape[kHead] == 1 && keys != 1;
    if (all)
      read(condition, shape);
  }

  /// Whether positions and a window say all.
  bool isAll() const { return all; }

  /// The positions (B or 1, S or 1), if there is a last key.
  Value getPositions(graph::GraphBuilder &b) const {
    if (!last)
      return {};
    Value found = b.reshape(last, extents);
    if (lastOffset == 0)
      return found;
    return b.eltwise("add", {found, b.scalar(static_cast<double>(lastOffset),
                                             graph::elementOf(last))});
  }

  /// How many keys up to its position a query sees; none without a limit.
  std::optional<uint32_t> getWindow() {
    if (!first)
      return std::nullopt;
    int64_t size = lastOffset - firstOffset + 1;
    if (first == last && size >= 1 && size <= UINT32_MAX)
      return size;
    // It depends on the query.
    all = false;
    return std::nullopt;
  }

private:
  /// The same of a condition, or a part of it, that is reshaped or broadcast to
  /// `shape`.
  void read(Value condition, ArrayRef<int64_t> shape) {
    condition = withoutReshape(withoutBroadcast(condition));
    Operation *op = condition.getDefiningOp();
    if (op && isa<LogicalAndOp, BitwiseAndOp>(op)) {
      read(op->getOperand(0), shape);
      read(op->getOperand(1), shape);
      return;
    }
    bool isTrue = op && getInteger(condition).value_or(0) != 0;
    all &= isTrue || (op && readComparison(op, shape));
  }

  bool readComparison(Operation *op, ArrayRef<int64_t> shape) {
    if (!isa<LessEqualOp, LessThanOp, GreaterEqualOp, GreaterThanOp>(op))
      return false;
    Value a = withoutBroadcast(op->getOperand(0)),
          b = withoutBroadcast(op->getOperand(1));
    bool turned = !areKeys(a, keys);
    if (turned)
      std::swap(a, b);
    if (!areKeys(a, keys) || !areOfQueries(b) || !align(b, shape))
      return false;
    bool isUpper = isa<LessEqualOp, LessThanOp>(op) != turned;
    bool isStrict = isa<LessThanOp, GreaterThanOp>(op);
    return isUpper ? setLast(b, isStrict ? -1 : 0)
                   : setFirst(b, isStrict ? 1 : 0);
  }

  /// Finds the batch and the query of each number; false if they have others.
  bool align(Value numbers, ArrayRef<int64_t> shape) {
    ArrayRef<int64_t> own = graph::shapeOf(numbers);
    int64_t count = graph::typeOf(numbers).getNumElements();
    SmallVector<int64_t> found{1, 1};
    if (own.size() == 4 && own[kHead] == 1)
      found = {own[kBatch], own[kQuery]};
    else if (count == shape[kBatch] * shape[kQuery])
      found = {shape[kBatch], shape[kQuery]};
    else if (count != 1)
      return false;
    if (!extents.empty() && extents != found)
      return false;
    extents = found;
    return true;
  }

  bool setLast(Value value, int64_t offset) {
    if (last)
      return false;
    auto [inner, more] = withoutConstant(value);
    last = inner;
    lastOffset = offset + more;
    return true;
  }
  bool setFirst(Value value, int64_t offset) {
    if (first)
      return false;
    auto [inner, more] = withoutConstant(value);
    first = inner;
    firstOffset = offset + more;
    return true;
  }

  int64_t keys;
  bool all = true;
  SmallVector<int64_t> extents; // (B or 1, S or 1)
  Value first, last;
  int64_t firstOffset = 0, lastOffset = 0;
};

class TTIRRecognizePositions
    : public impl::TTIRRecognizePositionsBase<TTIRRecognizePositions> {
public:
  using Base::Base;

  void runOnOperation() final {
    SmallVector<Operation *> ops = getGraphOps(getOperation());
    for (Operation *op : ops)
      if (auto attention = dyn_cast<ScaledDotProductAttentionOp>(op))
        recognize(attention);
    for (Operation *op : llvm::reverse(ops))
      eraseUnused(op);
  }

private:
  void recognize(ScaledDotProductAttentionOp op) {
    Value mask = op.getAttentionMask();
    auto choice = mask ? withoutCast(mask).getDefiningOp<WhereOp>() : WhereOp();
    if (!choice || op.getIsCausal() || op.getSlidingWindowSize() ||
        Matcher::getNumber(choice->getOperand(1)) != 0.0 ||
        Matcher::getNumber(choice->getOperand(2)) != -INFINITY)
      return;
    Range range(graph::shapeOf(op.getKey())[2]);
    range.read(choice->getOperand(0));
    std::optional<uint32_t> window = range.getWindow();
    OpBuilder builder(op);
    graph::GraphBuilder b(builder, op.getLoc());
    Value positions = range.getPositions(b);
    if (!positions)
      return;
    SmallVector<Value> inputs{op.getQuery(), op.getKey(), op.getValue()};
    Value kept = range.isAll() ? Value() : mask, sink = op.getAttentionSink();
    for (Value optional : {kept, sink})
      if (optional)
        inputs.push_back(optional);
    inputs.push_back(positions);
    SmallVector<NamedAttribute> attributes{
        b.attr("is_causal", builder.getBoolAttr(true)),
        b.attr("operandSegmentSizes",
               builder.getDenseI32ArrayAttr(
                   {1, 1, 1, kept ? 1 : 0, sink ? 1 : 0, 1, 1}))};
    if (FloatAttr scale = op.getScaleAttr())
      attributes.push_back(b.attr("scale", scale));
    if (window && !kept)
      attributes.push_back(
          b.attr("sliding_window_size",
                 builder.getIntegerAttr(
                     builder.getIntegerType(32, /*isSigned=*/false), *window)));
    Value found =
        b.op("scaled_dot_product_attention", inputs, op.getType(), attributes);
    graph::takeOverConstraint(op, found);
    if (auto remark = kPositionRemarks.passed(op, "Positions"))
      remark << reason("the mask hides the keys behind a position{0}",
                       kept ? ", and others" : "")
             << rejected("the mask alone: all of the keys would be read");
    if (!kept)
      dropGuards(op, mask);
    op.getResult().replaceAllUsesWith(found);
    ++numRecognized;
  }

  /// PyTorch gives 0 for a query that sees no key, as positions do.
  static void dropGuards(ScaledDotProductAttentionOp op, Value mask) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      auto where = dyn_cast<WhereOp>(user);
      if (!where || where->getOperand(2) != op.getResult() ||
          where->getResult(0).getType() != op.getType() ||
          Matcher::getNumber(where->getOperand(1)) != 0.0)
        continue;
      auto nothing =
          withoutBroadcast(where->getOperand(0)).getDefiningOp<EqualOp>();
      if (!nothing || Matcher::getNumber(nothing->getOperand(1)) != -INFINITY)
        continue;
      auto most = nothing->getOperand(0).getDefiningOp<MaxOp>();
      if (most && most.getInput() == mask &&
          Matcher::getDims(most) == SmallVector<int64_t>{kKey})
        where->getResult(0).replaceAllUsesWith(op.getResult());
    }
  }
};

} // namespace
} // namespace mlir::tt::ttir
