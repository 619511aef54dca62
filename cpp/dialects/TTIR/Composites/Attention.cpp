#include "dialects/Shapes/HeadRules.h"
#include "dialects/TTIR/Composites/Composites.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

} // namespace

static SmallVector<int64_t> shapeOrNone(Value value) {
  return value ? SmallVector<int64_t>(shapeOf(value)) : SmallVector<int64_t>();
}

Shapes ScaledDotProductAttentionOp::inferShapes() {
  auto shape = shapes::inferAttention(
      *this, getQuery().getType(), getKey().getType(), getValue().getType(),
      getAttentionMask(), getAttentionSink(), getPositions(), getPageTable(),
      getIsCausal());
  if (failed(shape))
    return failure();
  return SmallVector<shapes::Shape>{*shape};
}

/// 0, 1, ... along dimension `dim` of a shape of ones.
static Value iotaAlong(GraphBuilder &b, int64_t count, int64_t rank,
                       int64_t dim) {
  return alongDim(b, b.cast(b.iota(count), b.getBuilder().getF32Type()), rank,
                  dim);
}

/// `scores` where all `conditions` hold, else minus infinity.
static Value maskScores(GraphBuilder &b, Value scores,
                        ArrayRef<Value> conditions) {
  if (conditions.empty())
    return scores;
  Value all = conditions.front();
  for (Value other : conditions.drop_front())
    all = b.predicate("logical_and", {all, other});
  return b.select(all, scores, b.scalar(kMinusInfinity, elementOf(scores)));
}

Attention Attention::of(ScaledDotProductAttentionOp op) {
  return {op.getQuery(),         op.getKey(),
          op.getValue(),         op.getAttentionMask(),
          op.getAttentionSink(), op.getPositions(),
          op.getPageTable(),     op.getIsCausal(),
          op.getScale(),         op.getSlidingWindowSize()};
}

Value Attention::make(GraphBuilder &b, Type element) const {
  SmallVector<Value> inputs{query, key, value};
  SmallVector<int32_t> segments(3, 1);
  for (Value optional : {mask, sink, positions, pageTable}) {
    if (optional)
      inputs.push_back(optional);
    segments.push_back(optional ? 1 : 0);
  }
  segments.push_back(1);
  OpBuilder &builder = b.getBuilder();
  SmallVector<NamedAttribute> attributes{
      b.attr("is_causal", builder.getBoolAttr(isCausal)),
      b.attr("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments))};
  if (scale)
    attributes.push_back(
        b.attr("scale", builder.getF32FloatAttr(scale->convertToFloat())));
  if (window)
    attributes.push_back(
        b.attr("sliding_window_size",
               builder.getIntegerAttr(
                   builder.getIntegerType(32, /*isSigned=*/false), *window)));
  SmallVector<int64_t> shape(shapeOf(query));
  shape.back() = shapeOf(value).back();
  return b.op("scaled_dot_product_attention", inputs,
              RankedTensorType::get(shape, element), attributes);
}

int64_t mlir::tt::ttir::getNumKeys(ScaledDotProductAttentionOp op) {
  int64_t keys = shapeOf(op.getKey())[2];
  return op.getPageTable() ? keys * shapeOf(op.getPageTable())[1] : keys;
}

/// The blocks that each row of `table` names, concatenated.
static Value readBlocks(GraphBuilder &b, Value blocks, Value table) {
  ArrayRef<int64_t> shape = shapeOf(blocks);
  int64_t users = shapeOf(table)[0], count = shapeOf(table)[1];
  Type number = b.getBuilder().getIntegerType(32);
  Value known = table;
  if (!elementOf(table).isUnsignedInteger() &&
      !elementOf(table).isSignlessInteger())
    known = b.eltwise("maximum", {table, b.scalar(0, elementOf(table))});
  Value rows = b.reshape(blocks, {shape[0], shape[1] * shape[2] * shape[3]});
  auto type = RankedTensorType::get(
      {users, count, shape[1] * shape[2] * shape[3]}, elementOf(blocks));
  Value found = b.op("embedding", {b.cast(known, number), rows}, type);
  found = b.reshape(found, {users, count, shape[1], shape[2], shape[3]});
  found = b.permute(found, {0, 2, 1, 3, 4});
  return b.reshape(found, {users, shape[1], count * shape[2], shape[3]});
}

/// A mask to add to scores: 0 for the keys that queries at `positions` (B or 1,
/// S or 1) can see, minus infinity for the others.
static Value maskOf(GraphBuilder &b, Value positions,
                    std::optional<uint32_t> window, int64_t keys) {
  Type f32 = b.getBuilder().getF32Type();
  int64_t users = shapeOf(positions)[0], places = shapeOf(positions)[1];
  Value last = b.reshape(b.cast(positions, f32), {users, 1, places, 1});
  Value numbers = iotaAlong(b, keys, 4, 3);
  SmallVector<Value> seen{b.predicate("le", {numbers, last})};
  if (window) {
    Value first = b.eltwise("subtract", {last, b.scalar(*window, f32)});
    seen.push_back(b.predicate("gt", {numbers, first}));
  }
  Value none = b.splat(0, RankedTensorType::get({users, 1, places, keys}, f32));
  return maskScores(b, none, seen);
}

/// Combines a mask of integers or floats that broadcasts to (B, H, S, T) with
/// the mask `limit` (B or 1, 1, S or 1, T).
static Value limited(GraphBuilder &b, Value mask, Value limit) {
  SmallVector<int64_t> shape;
  for (auto [own, other] : llvm::zip_equal(shapeOf(mask), shapeOf(limit)))
    shape.push_back(std::max(own, other));
  limit = b.broadcast(limit, shape);
  if (isa<FloatType>(elementOf(mask)))
    return b.eltwise("add", {limit, mask}, elementOf(limit));
  return maskScores(b, limit,
                    b.predicate("ne", {mask, b.scalar(0, elementOf(mask))}));
}

/// Replaces positions by a mask.
static Expansion expandPositions(ScaledDotProductAttentionOp op,
                                 GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type(),
       element = op.getType().getElementType();
  Value mask =
      maskOf(b, op.getPositions(), op.getSlidingWindowSize(), getNumKeys(op));
  Value sees =
      b.predicate("eq", {b.reduce("max", mask, {3}, true), b.scalar(0, f32)});
  if (Value given = op.getAttentionMask())
    mask = limited(b, given, mask);
  Attention masked = Attention::of(op);
  masked.mask = mask;
  masked.positions = {};
  masked.isCausal = false;
  masked.window.reset();
  Value result = masked.make(b, element);
  // The softmax over no keys would not be 0.
  return SmallVector<Value>{b.select(sees, result, b.scalar(0, element))};
}

Expansion ScaledDotProductAttentionOp::expand(GraphBuilder &b) {
  if (Value table = getPageTable()) {
    Attention whole = Attention::of(*this);
    whole.key = readBlocks(b, getKey(), table);
    whole.value = readBlocks(b, getValue(), table);
    whole.pageTable = {};
    return SmallVector<Value>{whole.make(b, getType().getElementType())};
  }
  if (getPositions())
    return expandPositions(*this, b);
  Type f32 = b.getBuilder().getF32Type();
  ArrayRef<int64_t> query = shapeOf(getQuery()), key = shapeOf(getKey()),
                    value = shapeOf(getValue());
  int64_t groups = query[1] / key[1];
  SmallVector<int64_t> all{query[0], query[1], query[2], key[2]};
  double scale = getScale() ? getScale()->convertToFloat()
                            : 1 / std::sqrt(static_cast<double>(query[3]));

  // Heads that read one head of keys are one matrix.
  Value grouped =
      b.reshape(getQuery(), {query[0], key[1], groups * query[2], query[3]});
  Value scores = b.matmul(grouped, getKey(), f32, false, true);
  scores =
      b.eltwise("multiply", {b.reshape(scores, all), b.scalar(scale, f32)});

  SmallVector<Value> seen;
  if (Value mask = getAttentionMask()) {
    if (isa<FloatType>(elementOf(mask)))
      scores = b.eltwise("add", {scores, mask}, f32);
    else
      seen.push_back(b.predicate("ne", {mask, b.scalar(0, elementOf(mask))}));
  }
  if (getIsCausal() || getSlidingWindowSize()) {
    Value places = iotaAlong(b, query[2], 4, 2);
    Value keys = iotaAlong(b, key[2], 4, 3);
    if (getIsCausal())
      seen.push_back(b.predicate("le", {keys, places}));
    if (std::optional<uint32_t> window = getSlidingWindowSize()) {
      Value first = b.eltwise("subtract", {places, b.scalar(*window, f32)});
      seen.push_back(b.predicate("gt", {keys, first}));
    }
  }
  scores = maskScores(b, scores, seen);

  Value weights;
  if (Value sink = getAttentionSink()) {
    Value first = toF32(b, sink);
    if (typeOf(first).getRank() == 2)
      first = b.slice(first, {0, 0}, {query[1], 1}, {1, 1});
    first = b.reshape(first, {1, query[1], 1, 1});
    Value max =
        b.eltwise("maximum", {b.reduce("max", scores, {3}, true), first}, f32);
    Value exp = b.eltwise("exp", b.eltwise("subtract", {scores, max}));
    Value rest = b.eltwise("exp", b.eltwise("subtract", {first, max}));
    Value sum = b.eltwise("add", {b.reduce("sum", exp, {3}, true), rest});
    weights = b.eltwise("div", {exp, sum});
  } else {
    weights = b.op("softmax", scores, typeOf(scores), b.si32("dimension", 3));
  }
  weights = b.reshape(weights, {query[0], key[1], groups * query[2], key[2]});
  Value result =
      b.matmul(weights, toF32(b, getValue()), getType().getElementType());
  return SmallVector<Value>{
      b.reshape(result, {query[0], query[1], query[2], value[3]})};
}

//===----------------------------------------------------------------------===//
// One query of each user
//===----------------------------------------------------------------------===//

/// A tensor of one dimension with `count` integers.
static LogicalResult verifyPlaces(Operation *op, StringRef name, Value places,
                                  int64_t count) {
  if (shapeOf(places) == ArrayRef<int64_t>(count) &&
      isa<IntegerType>(elementOf(places)))
    return success();
  return op->emitOpError("expected ")
         << name << " to have " << count << " integers, found "
         << places.getType();
}

/// The query (1, B, H, D) as (B, H, 1, D); empty after an error.
static FailureOr<SmallVector<int64_t>> getDecodeQuery(Operation *op,
                                                      Value query) {
  ArrayRef<int64_t> shape = shapeOf(query);
  if (shape.size() != 4 || shape[0] != 1)
    return op->emitOpError("expected a query 1xBxHxD, found ")
           << shapes::toString(shape);
  return SmallVector<int64_t>{shape[1], shape[2], 1, shape[3]};
}

/// What the ops of one query have in common.
template <typename DecodeOp>
static Shapes inferDecode(DecodeOp op, ArrayRef<int64_t> key,
                          ArrayRef<int64_t> value) {
  FailureOr<SmallVector<int64_t>> query = getDecodeQuery(op, op.getQuery());
  if (failed(query) || failed(shapes::verifyAttention(op, *query, key, value)))
    return failure();
  int64_t users = (*query)[0], heads = (*query)[1];
  if (failed(shapes::verifyAttentionMask(op, op.getAttentionMask(), false,
                                         {users, 1, heads, key[2]})) ||
      failed(shapes::verifyAttentionSink(op, op.getAttentionSink(), heads)))
    return failure();
  Value places = op.getCurPosTensor();
  if (static_cast<bool>(places) != op.getIsCausal())
    return op.emitOpError("expected cur_pos_tensor with is_causal and not "
                          "without: found ")
           << (places ? "cur_pos_tensor without is_causal"
                      : "is_causal without cur_pos_tensor");
  if (places && failed(verifyPlaces(op, "cur_pos_tensor", places, users)))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape{1, users, heads, value[3]}};
}

template <typename DecodeOp>
static Expansion expandDecode(DecodeOp op, GraphBuilder &b, Value key,
                              Value value, Value pageTable = {},
                              std::optional<uint32_t> window = {}) {
  int64_t users = shapeOf(op.getQuery())[1], heads = shapeOf(op.getQuery())[2];
  Value query =
      b.reshape(op.getQuery(), {users, heads, 1, shapeOf(op.getQuery())[3]});
  Value positions = op.getCurPosTensor(), mask = op.getAttentionMask();
  if (mask) {
    SmallVector<int64_t> shape(shapeOf(mask));
    std::swap(shape[1], shape[2]);
    mask = b.reshape(mask, shape);
  }
  // Without positions, the window has no reference.
  if (positions)
    positions = b.reshape(positions, {users, 1});
  else
    window.reset();
  Attention attention{query,
                      key,
                      value,
                      mask,
                      op.getAttentionSink(),
                      positions,
                      pageTable,
                      static_cast<bool>(positions),
                      op.getScale(),
                      window};
  Value result = attention.make(b, op.getType().getElementType());
  return SmallVector<Value>{b.reshape(result, op.getType().getShape())};
}

Shapes ScaledDotProductAttentionDecodeOp::inferShapes() {
  return inferDecode(*this, getKey().getType().getShape(),
                     getValue().getType().getShape());
}

Expansion ScaledDotProductAttentionDecodeOp::expand(GraphBuilder &b) {
  return expandDecode(*this, b, getKey(), getValue());
}

//===----------------------------------------------------------------------===//
// Keys and values in blocks
//===----------------------------------------------------------------------===//

Shapes PagedScaledDotProductAttentionDecodeOp::inferShapes() {
  FailureOr<SmallVector<int64_t>> query = getDecodeQuery(*this, getQuery());
  if (failed(query))
    return failure();
  auto key =
      shapes::inferPaged(*this, typeOf(getKey()), getPageTable(), (*query)[0]);
  auto value = shapes::inferPaged(*this, typeOf(getValue()), getPageTable(),
                                  (*query)[0]);
  if (failed(key) || failed(value) ||
      failed(shapes::verifySameBlocks(*this, shapeOf(getKey()),
                                      shapeOf(getValue()))))
    return failure();
  return inferDecode(*this, *key, *value);
}

Expansion PagedScaledDotProductAttentionDecodeOp::expand(GraphBuilder &b) {
  return expandDecode(*this, b, getKey(), getValue(), getPageTable(),
                      getSlidingWindowSize());
}

Shapes PagedFlashMultiLatentAttentionDecodeOp::inferShapes() {
  FailureOr<SmallVector<int64_t>> query = getDecodeQuery(*this, getQuery());
  if (failed(query))
    return failure();
  auto key =
      shapes::inferPaged(*this, typeOf(getKey()), getPageTable(), (*query)[0]);
  if (failed(key))
    return failure();
  SmallVector<int64_t> value(*key);
  value.back() = getHeadDimV();
  if (Value given = getValue()) {
    auto own =
        shapes::inferPaged(*this, typeOf(given), getPageTable(), (*query)[0]);
    if (failed(own) || failed(shapes::verifySameBlocks(*this, shapeOf(getKey()),
                                                       shapeOf(given))))
      return failure();
    if (own->back() != value.back())
      return emitOpError(
                 "head_dim_v must be the width of the values: expected ")
             << own->back() << ", found " << value.back();
  } else if (value.back() > key->back()) {
    return emitOpError("head_dim_v must be at most the width of the keys, ")
           << key->back() << ": found " << value.back();
  }
  return inferDecode(*this, *key, value);
}

Expansion PagedFlashMultiLatentAttentionDecodeOp::expand(GraphBuilder &b) {
  if (Value given = getValue())
    return expandDecode(*this, b, getKey(), given, getPageTable());
  // A slice of the blocks would include all users.
  Value key = readBlocks(b, getKey(), getPageTable());
  SmallVector<int64_t> ends(shapeOf(key));
  ends.back() = getHeadDimV();
  return expandDecode(*this, b, key,
                      b.slice(key, {0, 0, 0, 0}, ends, {1, 1, 1, 1}));
}

Shapes ChunkedScaledDotProductAttentionOp::inferShapes() {
  RankedTensorType query = getQuery().getType();
  int64_t users = query.getRank() > 0 ? query.getDimSize(0) : 0;
  auto key = shapes::inferPaged(*this, typeOf(getKey()), getPageTable(), users);
  auto value =
      shapes::inferPaged(*this, typeOf(getValue()), getPageTable(), users);
  if (failed(key) || failed(value) ||
      failed(shapes::verifySameBlocks(*this, shapeOf(getKey()),
                                      shapeOf(getValue()))) ||
      failed(shapes::verifyAttention(*this, query.getShape(), *key, *value)) ||
      failed(verifyPlaces(*this, "chunk_start_idx", getChunkStartIdx(), 1)))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape{
      users, query.getDimSize(1), query.getDimSize(2), value->back()}};
}

Expansion ChunkedScaledDotProductAttentionOp::expand(GraphBuilder &b) {
  Type word = b.getBuilder().getIntegerType(32, /*isSigned=*/true);
  Value first = b.reshape(b.cast(getChunkStartIdx(), word), {1, 1});
  Value places =
      alongDim(b, b.cast(b.iota(shapeOf(getQuery())[2]), word), 2, 1);
  Attention attention{getQuery(), getKey(), getValue()};
  attention.positions = b.eltwise("add", {places, first});
  attention.pageTable = getPageTable();
  attention.isCausal = true;
  attention.scale = getScale();
  return SmallVector<Value>{attention.make(b, getType().getElementType())};
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

Shapes SplitQueryKeyValueAndSplitHeadsOp::inferShapes() {
  return shapes::inferSplitHeads(
      *this, getInputTensor().getType(),
      getKvInputTensor() ? getKvInputTensor().getType() : RankedTensorType(),
      getNumHeads(), getNumKvHeads().value_or(getNumHeads()),
      getTransposeKey());
}

Expansion SplitQueryKeyValueAndSplitHeadsOp::expand(GraphBuilder &b) {
  int64_t heads = getNumHeads(), kvHeads = getNumKvHeads().value_or(heads);
  Value rest =
      getKvInputTensor() ? Value(getKvInputTensor()) : Value(getInputTensor());
  int64_t size = shapeOf(getResults()[0])[3];
  auto split = [&](Value from, int64_t first, int64_t count, bool transpose) {
    ArrayRef<int64_t> shape = shapeOf(from);
    Value part =
        b.slice(from, {0, 0, first * size},
                {shape[0], shape[1], (first + count) * size}, {1, 1, 1});
    part = b.reshape(part, {shape[0], shape[1], count, size});
    return transpose ? b.permute(part, {0, 2, 3, 1})
                     : b.permute(part, {0, 2, 1, 3});
  };
  int64_t first = getKvInputTensor() ? 0 : heads;
  return SmallVector<Value>{split(getInputTensor(), 0, heads, false),
                            split(rest, first, kvHeads, getTransposeKey()),
                            split(rest, first + kvHeads, kvHeads, false)};
}

Shapes ConcatenateHeadsOp::inferShapes() {
  auto shape = shapes::inferConcatenateHeads(*this, getInput().getType());
  if (failed(shape))
    return failure();
  return SmallVector<shapes::Shape>{*shape};
}

Expansion ConcatenateHeadsOp::expand(GraphBuilder &b) {
  return SmallVector<Value>{
      b.reshape(b.permute(getInput(), {0, 2, 1, 3}), getType().getShape())};
}

Shapes RotaryEmbeddingOp::inferShapes() {
  auto shape = shapes::inferRotaryEmbedding(*this, getInput().getType(),
                                            getCosCache().getType(),
                                            getSinCache().getType());
  if (failed(shape))
    return failure();
  return SmallVector<shapes::Shape>{*shape};
}

Expansion RotaryEmbeddingOp::expand(GraphBuilder &b) {
  ArrayRef<int64_t> shape = shapeOf(getInput());
  Type element = elementOf(getInput());
  auto columns = [&](int64_t begin, int64_t end) {
    return b.slice(getInput(), {0, 0, 0, begin},
                   {shape[0], shape[1], shape[2], end}, {1, 1, 1, 1});
  };
  int64_t half = shape[3] / 2;
  Value rotated = b.concat(
      {b.eltwise("neg", columns(half, shape[3])), columns(0, half)}, 3);
  Value straight =
      b.eltwise("multiply", {getInput(), b.cast(getCosCache(), element)});
  Value across =
      b.eltwise("multiply", {rotated, b.cast(getSinCache(), element)});
  return SmallVector<Value>{
      b.eltwise("add", {straight, across}, getType().getElementType())};
}
