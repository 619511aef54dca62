#include "dialects/TTIR/Transforms/Recognition/Heads.h"
#include "dialects/TTIR/Transforms/Recognition/Matchers.h"

namespace mlir::tt::ttir {

/// What a concatenation along the last dimension has with its halves exchanged,
/// the second one negated; null if it is another one.
static Value findRotated(Matcher &matcher, Value value) {
  auto concat = matcher.find<ConcatOp>(value);
  int64_t rank = graph::typeOf(value).getRank();
  if (!concat || concat.getInputs().size() != 2 ||
      *shapes::normalizeDim(concat.getDim(), rank) != rank - 1)
    return {};
  auto second =
           matcher.find<SliceOp>(matcher.unary<NegOp>(concat.getInputs()[0])),
       first = matcher.find<SliceOp>(concat.getInputs()[1]);
  if (!first || !second || first.getInput() != second.getInput())
    return {};
  Value whole = first.getInput();
  int64_t half = graph::shapeOf(first.getResult()).back();
  if (half % heads::kTile || graph::shapeOf(whole) != graph::shapeOf(value) ||
      graph::shapeOf(whole).back() != 2 * half || heads::getFirst(first) != 0 ||
      heads::getFirst(second) != half)
    return {};
  return whole;
}

/// The shape (B, 1, S, D), with 1 for B or S, of a table whose rows all heads
/// share; empty for others.
static SmallVector<int64_t> getRows(Value table, Value heads) {
  ArrayRef<int64_t> shape = graph::shapeOf(heads),
                    found = graph::shapeOf(table);
  if (!heads::isPlain(table) || found.size() > shape.size() ||
      graph::elementOf(table) != graph::elementOf(heads))
    return {};
  SmallVector<int64_t> rows(shape.size() - found.size(), 1);
  rows.append(found.begin(), found.end());
  bool fits = rows[1] == 1 && rows[3] == shape[3];
  for (unsigned dim : {0, 2})
    fits = fits && (rows[dim] == 1 || rows[dim] == shape[dim]);
  return fits ? rows : SmallVector<int64_t>();
}

/// x * cos + rotated * sin.
Value recognizeRotaryEmbedding(AddOp op, graph::GraphBuilder &b) {
  RankedTensorType type = graph::typeOf(op->getResult(0));
  if (type.getRank() != 4 || !isa<FloatType>(type.getElementType()))
    return {};
  for (unsigned i : {0, 1}) {
    Matcher products(op);
    auto straight = products.find<MultiplyOp>(op->getOperand(1 - i)),
         across = products.find<MultiplyOp>(op->getOperand(i));
    if (!straight || !across || straight->getResult(0).getType() != type ||
        across->getResult(0).getType() != type)
      return {};
    for (unsigned j : {0, 1}) {
      Matcher matcher = products;
      Value heads = findRotated(matcher, across->getOperand(j));
      if (!heads || heads.getType() != type || !matcher.ownsAll())
        continue;
      unsigned k = straight->getOperand(0) == heads ? 0 : 1;
      if (straight->getOperand(k) != heads)
        continue;
      // Queries and keys share what repeats the tables.
      Matcher shared(op);
      Value cos = shared.withoutBroadcast(straight->getOperand(1 - k)),
            sin = shared.withoutBroadcast(across->getOperand(1 - j));
      SmallVector<int64_t> rows = getRows(cos, heads);
      if (rows.empty() || rows != getRows(sin, heads))
        continue;
      return b.op("rotary_embedding",
                  {heads, b.reshape(cos, rows), b.reshape(sin, rows)}, type);
    }
  }
  return {};
}

} // namespace mlir::tt::ttir
