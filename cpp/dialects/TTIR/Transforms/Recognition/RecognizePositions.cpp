#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/Composites/Composites.h"
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

/// Strips broadcasts that keep the rank.
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

/// Strips casts between floats: 0 and minus infinity are exact in any
/// precision.
Value withoutCast(Value value) {
  value = withoutBroadcast(value);
  while (auto cast = value.getDefiningOp<TypecastOp>()) {
    if (!isa<FloatType>(graph::elementOf(cast->getOperand(0))))
      break;
    value = withoutBroadcast(cast->getOperand(0));
  }
  return value;
}

/// Strips reshapes that only add or remove dimensions of extent 1.
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

/// Whether the elements are integers whose sums with small constants do not
/// wrap around below 0.
bool areWords(Value value) {
  auto type = dyn_cast<IntegerType>(graph::elementOf(value));
  return type && type.getWidth() == 32 && !type.isUnsigned();
}

/// Whether the last dimension is that of the keys, and has several.
bool endsWithKeys(Value value, int64_t keys) {
  ArrayRef<int64_t> shape = graph::shapeOf(value);
  return !shape.empty() && shape.back() == keys && keys != 1;
}

/// Whether the elements are the key indices 0, 1, ...
bool areKeys(Value value, int64_t keys) {
  if (!endsWithKeys(value, keys) || !areWords(value))
    return false;
  value = withoutReshape(value);
  if (auto arange = value.getDefiningOp<ArangeOp>())
    return endsWithKeys(value, keys) &&
           arange.getArangeDimension() + 1 ==
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
  return (shape.empty() || shape.back() == 1) && areWords(value);
}

/// Splits a sum into a value and a constant.
std::pair<Value, int64_t> withoutConstant(Value value) {
  if (auto add = value.getDefiningOp<AddOp>())
    for (unsigned i : {0u, 1u})
      if (auto number = Matcher::getInteger(add->getOperand(i));
          number &&
          graph::shapeOf(add->getOperand(1 - i)) == graph::shapeOf(value)) {
        auto [inner, more] = withoutConstant(add->getOperand(1 - i));
        return {inner, more + *number};
      }
  if (auto subtract = value.getDefiningOp<SubtractOp>())
    if (auto number = Matcher::getInteger(subtract->getOperand(1));
        number &&
        graph::shapeOf(subtract->getOperand(0)) == graph::shapeOf(value)) {
      auto [inner, more] = withoutConstant(subtract->getOperand(0));
      return {inner, more - *number};
    }
  return {value, 0};
}

/// A number for each query, or one for all, and an added constant.
struct Bound {
  Value numbers;
  int64_t offset = 0;
  SmallVector<int64_t> extents; // (B or 1, S or 1)
};

/// The keys that a mask lets each query see: from the first to the last bound,
/// unless another condition hides them.
class Range {
public:
  explicit Range(int64_t keys) : keys(keys) {}

  /// Reads a condition that broadcasts to (B, H, S, T), or a part of it.
  void read(Value condition) {
    if (Value inner = withoutBroadcast(condition); endsWithKeys(inner, keys))
      condition = inner;
    ArrayRef<int64_t> shape = graph::shapeOf(condition);
    if (shape.size() == 4 && shape[kHead] == 1)
      read(condition, shape);
    else
      all = false;
  }

  /// Whether positions and a window describe the whole mask.
  bool isAll() const { return all; }

  /// The positions (B or 1, S or 1), if there is a last key.
  Value getPositions(graph::GraphBuilder &b) const {
    if (!last)
      return {};
    Value found = b.reshape(last->numbers, last->extents);
    if (last->offset == 0)
      return found;
    return b.eltwise("add", {found, b.scalar(static_cast<double>(last->offset),
                                             graph::elementOf(last->numbers))});
  }

  /// The number of keys up to its position that a query sees; none if
  /// unlimited.
  std::optional<uint32_t> getWindow() {
    if (!first)
      return std::nullopt;
    if (last && first->numbers == last->numbers &&
        first->extents == last->extents) {
      int64_t size = last->offset - first->offset + 1;
      if (size >= 1 && size <= UINT32_MAX)
        return size;
    }
    // The window depends on the query.
    all = false;
    return std::nullopt;
  }

private:
  /// Reads a condition that has, or is reshaped to, `shape` of rank 4.
  void read(Value condition, ArrayRef<int64_t> shape) {
    Operation *op = condition.getDefiningOp();
    if (op && isAnd(op)) {
      for (Value part : op->getOperands().take_front(2)) {
        if (graph::shapeOf(part).size() == 4)
          read(part);
        else if (graph::shapeOf(part) == graph::shapeOf(condition))
          read(part, shape);
        else
          all = false;
      }
      return;
    }
    if (Matcher::getInteger(condition).value_or(0) != 0)
      return;
    Value inner = withoutReshape(condition);
    if (inner != condition && endsWithKeys(condition, keys) &&
        endsWithKeys(inner, keys))
      return read(inner, shape);
    all &= op && endsWithKeys(condition, keys) && readComparison(op, shape);
  }

  static bool isAnd(Operation *op) {
    if (isa<LogicalAndOp>(op))
      return true;
    return isa<BitwiseAndOp>(op) &&
           graph::elementOf(op->getResult(0)).isInteger(1);
  }

  bool readComparison(Operation *op, ArrayRef<int64_t> shape) {
    if (!isa<LessEqualOp, LessThanOp, GreaterEqualOp, GreaterThanOp>(op))
      return false;
    Value a = withoutBroadcast(op->getOperand(0)),
          b = withoutBroadcast(op->getOperand(1));
    bool turned = !areKeys(a, keys);
    if (turned)
      std::swap(a, b);
    bool isInPlace = graph::shapeOf(op->getResult(0)) == shape;
    std::optional<SmallVector<int64_t>> extents =
        extentsOf(b, shape, isInPlace);
    if (!areKeys(a, keys) || !areOfQueries(b) || !extents)
      return false;
    bool isUpper = isa<LessEqualOp, LessThanOp>(op) != turned;
    bool isStrict = isa<LessThanOp, GreaterThanOp>(op);
    std::optional<Bound> &bound = isUpper ? last : first;
    if (bound)
      return false;
    auto [numbers, offset] = withoutConstant(b);
    int64_t strict = isStrict ? (isUpper ? -1 : 1) : 0;
    bound = Bound{numbers, offset + strict, *extents};
    return true;
  }

  /// The batch and query extents of the numbers in a condition of `shape`, or,
  /// if not `isInPlace`, in one that is reshaped to it.
  static std::optional<SmallVector<int64_t>>
  extentsOf(Value numbers, ArrayRef<int64_t> shape, bool isInPlace) {
    ArrayRef<int64_t> own = graph::shapeOf(numbers);
    int64_t count = graph::typeOf(numbers).getNumElements();
    if (isInPlace && own.size() == 4 && own[kHead] == 1)
      return SmallVector<int64_t>{own[kBatch], own[kQuery]};
    if (count == 1)
      return SmallVector<int64_t>{1, 1};
    if (count == shape[kBatch] * shape[kQuery])
      return SmallVector<int64_t>{shape[kBatch], shape[kQuery]};
    return std::nullopt;
  }

  int64_t keys;
  bool all = true;
  std::optional<Bound> first, last;
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
    // A layout is a request for this tensor; in integer masks, 0 hides.
    if (!choice || op.getIsCausal() || op.getSlidingWindowSize() ||
        op.getType().getEncoding() || !isa<FloatType>(graph::elementOf(mask)) ||
        Matcher::getNumber(choice->getOperand(1)) != 0.0 ||
        Matcher::getNumber(choice->getOperand(2)) != -INFINITY)
      return;
    Range range(getNumKeys(op));
    range.read(choice->getOperand(0));
    std::optional<uint32_t> window = range.getWindow();
    OpBuilder builder(op);
    graph::GraphBuilder b(builder, op.getLoc());
    Value positions = range.getPositions(b);
    if (!positions)
      return;
    Value kept = range.isAll() ? Value() : mask;
    Attention attention = Attention::of(op);
    attention.mask = kept;
    attention.positions = positions;
    attention.isCausal = true;
    if (window && !kept)
      attention.window = window;
    Value found = attention.make(b, op.getType().getElementType());
    graph::takeOverConstraint(op, found);
    if (auto remark = kPositionRemarks.passed(op, "Positions"))
      remark << reason("the mask hides the keys after a position{0}",
                       kept ? ", and others" : "")
             << rejected("only the mask: all keys would be read");
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
