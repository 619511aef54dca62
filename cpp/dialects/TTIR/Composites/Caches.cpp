#include "dialects/TTIR/Composites/Indexing.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

/// Cache and input have rank 4, one element type, `heads` of the input as many
/// heads as the cache, and one width.
static LogicalResult verifyCache(Operation *op, Value cache, Value input,
                                 int64_t heads) {
  ArrayRef<int64_t> from = shapeOf(input), to = shapeOf(cache);
  if (from.size() == 4 && to.size() == 4 && from[heads] == to[1] &&
      from[3] == to[3] && elementOf(cache) == elementOf(input))
    return success();
  return op->emitOpError("expected a cache and an input of rank 4 with one "
                         "element type, number of heads and width, found ")
         << cache.getType() << " and " << input.getType();
}

/// `users` users from `first` on are among those of the cache.
static LogicalResult verifyUsers(Operation *op, Value cache, int64_t first,
                                 int64_t users) {
  int64_t count = shapeOf(cache)[0];
  if (first >= 0 && first + users <= count)
    return success();
  return op->emitOpError("expected batch_offset and as many users as the "
                         "input has in the ")
         << count << " of the cache, found " << first << " and " << users;
}

static LogicalResult verifyIndices(Operation *op, StringRef name, Value indices,
                                   ArrayRef<int64_t> counts) {
  RankedTensorType type = typeOf(indices);
  if (isa<IntegerType>(type.getElementType()) &&
      llvm::is_contained(counts, type.getNumElements()) && type.getRank() <= 1)
    return success();
  InFlightDiagnostic error = op->emitOpError("expected ")
                             << name << " to have ";
  llvm::interleave(counts, error, " or ");
  return error << " integers, found " << type;
}

static LogicalResult verifyTable(Operation *op, Value table,
                                 std::optional<int64_t> users) {
  RankedTensorType type = typeOf(table);
  if (type.getRank() == 2 && isa<IntegerType>(type.getElementType()) &&
      (!users || type.getDimSize(0) == *users))
    return success();
  InFlightDiagnostic error = op->emitOpError("expected a page_table of "
                                             "integers with ");
  if (users)
    error << *users << " rows";
  else
    error << "rank 2";
  return error << ", found " << type;
}

static Shapes sameShape(Value cache) {
  return SmallVector<shapes::Shape>{shapes::Shape(shapeOf(cache))};
}

/// The elements [begin, end) of dimension `dim`; null if there are none.
static Value part(GraphBuilder &b, Value value, int64_t dim, int64_t begin,
                  int64_t end) {
  if (begin == end)
    return {};
  SmallVector<int64_t> begins(shapeOf(value).size(), 0), ends(shapeOf(value)),
      steps(shapeOf(value).size(), 1);
  begins[dim] = begin;
  ends[dim] = end;
  return b.slice(value, begins, ends, steps);
}

/// 0, 1, ... as f32, which holds the numbers of places and blocks exactly.
static Value placeNumbers(GraphBuilder &b, int64_t count, int64_t rank,
                          int64_t dim) {
  return alongDim(b, b.cast(b.iota(count), b.getBuilder().getF32Type()), rank,
                  dim);
}

static Value toNumbers(GraphBuilder &b, Value integers, Shape shape) {
  return b.reshape(b.cast(integers, b.getBuilder().getF32Type()), shape);
}

//===----------------------------------------------------------------------===//
// A place for each user and position
//===----------------------------------------------------------------------===//

Shapes FillCacheOp::inferShapes() {
  if (failed(verifyCache(*this, getCache(), getInput(), 1)))
    return failure();
  ArrayRef<int64_t> cache = shapeOf(getCache()), input = shapeOf(getInput());
  if (input[2] > cache[2])
    return emitOpError("expected at most ")
           << cache[2] << " places in the input, found " << input[2];
  if (failed(verifyUsers(*this, getCache(),
                         static_cast<int32_t>(getBatchOffset()), input[0])))
    return failure();
  return sameShape(getCache());
}

Expansion FillCacheOp::expand(GraphBuilder &b) {
  return SmallVector<Value>{updateSlice(b, getCache(), getInput(), {},
                                        {getBatchOffset(), 0, 0, 0}, {},
                                        /*clamp=*/true)};
}

Shapes UpdateCacheOp::inferShapes() {
  if (failed(verifyCache(*this, getCache(), getInput(), 1)))
    return failure();
  ArrayRef<int64_t> input = shapeOf(getInput());
  if (input[0] != 1)
    return emitOpError("expected an input 1xHxNxD, found ")
           << shapes::toString(input);
  if (failed(verifyUsers(*this, getCache(),
                         static_cast<int32_t>(getBatchOffset()), input[2])) ||
      failed(verifyIndices(*this, "update_index", getUpdateIndex(),
                           {1, input[2]})))
    return failure();
  return sameShape(getCache());
}

Expansion UpdateCacheOp::expand(GraphBuilder &b) {
  // A position for all users, or one for each.
  int64_t users = shapeOf(getInput())[2];
  bool isList = typeOf(getUpdateIndex()).getNumElements() != 1;
  Value index =
      b.reshape(getUpdateIndex(), isList ? Shape({users, 1}) : Shape({1}));
  Value rows = b.permute(getInput(), {2, 1, 0, 3});
  return SmallVector<Value>{updateSlice(b, getCache(), rows, index,
                                        {getBatchOffset(), 0, 0, 0}, {2},
                                        /*clamp=*/false)};
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Shapes PagedFillCacheOp::inferShapes() {
  if (failed(verifyCache(*this, getCache(), getInput(), 1)) ||
      failed(verifyTable(*this, getPageTable(), {})))
    return failure();
  ArrayRef<int64_t> input = shapeOf(getInput());
  int64_t room = shapeOf(getPageTable())[1] * shapeOf(getCache())[2];
  if (input[0] != 1 || input[2] > room)
    return emitOpError("expected an input 1xHxSxD of at most ")
           << room << " places, found " << shapes::toString(input);
  if (Value row = getBatchIdxTensor();
      row && failed(verifyIndices(*this, "batch_idx_tensor", row, 1)))
    return failure();
  return sameShape(getCache());
}

/// A block of the input after the other, each where the user's row of the table
/// says; a block that the cache does not have is left out.
Expansion PagedFillCacheOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  Value cache = getCache(), table = getPageTable();
  int64_t places = shapeOf(getInput())[2], size = shapeOf(cache)[2];
  int64_t count = llvm::divideCeil(places, size), users = shapeOf(table)[0];

  // The blocks of the user: a row of the table.
  Value names = part(b, table, 1, 0, count);
  if (Value user = getBatchIdxTensor()) {
    Value mine = b.predicate(
        "eq", {placeNumbers(b, users, 2, 0), toNumbers(b, user, {1, 1})});
    Value all = toNumbers(b, names, {users, count});
    names = b.cast(
        b.reduce("max", b.select(mine, all, b.scalar(-1, f32)), {0}, true),
        b.getIndexType());
  } else {
    names = part(b, names, 0, 0, 1);
  }
  names = b.reshape(names, {count});

  // Whole blocks, then the rest.
  int64_t whole = places / size;
  if (whole != 0) {
    ArrayRef<int64_t> shape = shapeOf(getInput());
    Value blocks = b.reshape(part(b, getInput(), 2, 0, whole * size),
                             {shape[1], whole, size, shape[3]});
    cache = updateSlice(b, cache, b.permute(blocks, {1, 0, 2, 3}),
                        b.reshape(part(b, names, 0, 0, whole), {whole, 1}),
                        {0, 0, 0, 0}, {0}, /*clamp=*/false);
  }
  if (whole != count)
    cache = updateSlice(b, cache, part(b, getInput(), 2, whole * size, places),
                        part(b, names, 0, whole, count), {0, 0, 0, 0}, {0},
                        /*clamp=*/false);
  return SmallVector<Value>{cache};
}

Shapes PagedUpdateCacheOp::inferShapes() {
  if (failed(verifyCache(*this, getCache(), getInput(), 2)))
    return failure();
  ArrayRef<int64_t> input = shapeOf(getInput());
  if (input[0] != 1)
    return emitOpError("expected an input 1xUxHxD, found ")
           << shapes::toString(input);
  if (failed(verifyTable(*this, getPageTable(), input[1])) ||
      failed(verifyIndices(*this, "update_index", getUpdateIndex(), input[1])))
    return failure();
  return sameShape(getCache());
}

/// A user without a block is skipped.
Expansion PagedUpdateCacheOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  Value cache = getCache();
  int64_t size = shapeOf(cache)[2];
  int64_t users = shapeOf(getInput())[1], count = shapeOf(getPageTable())[1];

  // The block of the user's list and the place in it; what is behind the last
  // block or in front of the first is nowhere.
  Value index = toNumbers(b, getUpdateIndex(), {users, 1});
  Value at = b.eltwise(
      "floor", b.eltwise("multiply", {index, b.scalar(1.0 / size, f32)}));
  // 1 / size may be rounded: the remainder says so.
  Value place = b.eltwise(
      "subtract", {index, b.eltwise("multiply", {at, b.scalar(size, f32)})});
  Value tooFar = b.predicate("lt", {place, b.scalar(0, f32)});
  Value tooNear = b.predicate("ge", {place, b.scalar(size, f32)});
  Value one = b.scalar(1, f32), extent = b.scalar(size, f32);
  at = b.select(tooFar, b.eltwise("subtract", {at, one}),
                b.select(tooNear, b.eltwise("add", {at, one}), at));
  place = b.select(
      tooFar, b.eltwise("add", {place, extent}),
      b.select(tooNear, b.eltwise("subtract", {place, extent}), place));
  Value names = toNumbers(b, getPageTable(), {users, count});
  Value chosen = b.predicate("eq", {placeNumbers(b, count, 2, 1), at});
  Value block =
      b.reduce("max", b.select(chosen, names, b.scalar(-1, f32)), {1}, true);

  Value starts = b.cast(b.concat({block, place}, 1), b.getIndexType());
  return SmallVector<Value>{
      updateSlice(b, cache, b.permute(getInput(), {1, 2, 0, 3}), starts,
                  {0, 0, 0, 0}, {0, 2}, /*clamp=*/false)};
}
