#include "dialects/TTIR/Transforms/Recognition/Heads.h"
#include "dialects/TTIR/Canonicalize.h"

namespace mlir::tt::ttir::heads {

bool isPlain(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.getEncoding() && type.hasStaticShape() &&
         type.getNumElements() != 0;
}

/// A split into heads for a single position, (B, H, 1, D) or (B, 1, H, D),
/// which consists only of reshapes.
static std::optional<Split> findSplitOfOnePlace(ReshapeOp op) {
  ArrayRef<int64_t> shape = graph::shapeOf(op.getResult());
  if (shape.size() != 4 || (shape[1] != 1 && shape[2] != 1) ||
      shape[3] % kTile || !isPlain(op.getResult()))
    return std::nullopt;
  // Only the last reshape is the split.
  if (op.getResult().hasOneUse() && findSplit(*op->user_begin()))
    return std::nullopt;
  int64_t heads = shape[1] * shape[2];
  Value source = op.getInput();
  while (graph::shapeOf(source).empty() ||
         graph::shapeOf(source).back() != heads * shape[3]) {
    auto before = source.getDefiningOp<ReshapeOp>();
    if (!before || !source.hasOneUse())
      return std::nullopt;
    source = before.getInput();
  }
  if (!isPlain(source))
    return std::nullopt;
  return Split{op,
               source,
               shape[0],
               /*places=*/1,
               heads,
               shape[3],
               /*isTransposed=*/false};
}

std::optional<Split> findSplit(Operation *op) {
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op))
    return findSplitOfOnePlace(reshape);
  std::optional<SmallVector<int64_t>> order =
      op ? getPermutation(op) : std::nullopt;
  if (!order || order->size() != 4)
    return std::nullopt;
  bool isTransposed = ArrayRef(*order) == ArrayRef<int64_t>({0, 2, 3, 1});
  if (!isTransposed && ArrayRef(*order) != ArrayRef<int64_t>({0, 2, 1, 3}))
    return std::nullopt;
  auto reshape = op->getOperand(0).getDefiningOp<ReshapeOp>();
  if (!reshape || !isPlain(op->getResult(0)) || !isPlain(reshape.getResult()) ||
      !isPlain(reshape.getInput()))
    return std::nullopt;
  ArrayRef<int64_t> shape = reshape.getType().getShape();
  ArrayRef<int64_t> before = graph::shapeOf(reshape.getInput());
  if (before.empty() || before.back() != shape[2] * shape[3] ||
      shape[3] % kTile)
    return std::nullopt;
  return Split{op,       reshape.getInput(), shape[0],    shape[1],
               shape[2], shape[3],           isTransposed};
}

/// Those of one attention, if they can be.
static bool matches(const Split &a, const Split &b) {
  return a.op != b.op && a.op->getBlock() == b.op->getBlock() &&
         a.batch == b.batch && a.width == b.width &&
         graph::elementOf(a.source) == graph::elementOf(b.source);
}

bool areOneAttention(ArrayRef<Split> splits) {
  const Split &query = splits[0], &key = splits[1], &value = splits[2];
  return matches(query, key) && matches(query, value) && matches(key, value) &&
         key.heads == value.heads && key.places == value.places;
}

Value getBeforeReshape(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || !isPlain(reshape.getInput()))
    return {};
  ArrayRef<int64_t> before = graph::shapeOf(reshape.getInput());
  ArrayRef<int64_t> after = reshape.getType().getShape();
  return !before.empty() && !after.empty() && before.back() == after.back()
             ? Value(reshape.getInput())
             : Value();
}

std::optional<int64_t> getFirst(SliceOp slice) {
  ArrayRef<int64_t> from = slice.getInput().getType().getShape();
  ArrayRef<int64_t> to = slice.getType().getShape();
  for (auto step : slice.getStep().getAsRange<IntegerAttr>())
    if (step.getInt() != 1)
      return std::nullopt;
  if (from.empty() || from.drop_back() != to.drop_back() ||
      !isPlain(slice.getInput()))
    return std::nullopt;
  int64_t first =
      cast<IntegerAttr>(slice.getBegins()[from.size() - 1]).getInt();
  return first < 0 ? first + from.back() : first;
}

Operation *getFirstInBlock(ArrayRef<Operation *> ops) {
  return *llvm::min_element(
      ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
}

} // namespace mlir::tt::ttir::heads
