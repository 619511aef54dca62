#include "dialects/TTIR/Composites/Indexing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

namespace {

/// Arithmetic of 32-bit words without sign, which wraps.
class Words {
public:
  explicit Words(GraphBuilder &b)
      : b(b), type(b.getBuilder().getIntegerType(32)) {}

  Value word(uint32_t value) const { return number(b, value, type); }
  Value add(Value x, Value y) const { return b.eltwise("add", {x, y}); }
  Value add(Value x, uint32_t y) const { return add(x, word(y)); }
  Value exclusiveOr(Value x, Value y) const {
    return b.eltwise("bitwise_xor", {x, y});
  }
  Value shiftLeft(Value x, int64_t count) const {
    return b.eltwise("logical_left_shift", {x, word(count)});
  }
  Value shiftRight(Value x, int64_t count) const {
    return b.eltwise("logical_right_shift", {x, word(count)});
  }
  Value rotate(Value x, int64_t count) const {
    return b.eltwise("bitwise_or",
                     {shiftLeft(x, count), shiftRight(x, 32 - count)});
  }
  Value low16(Value x) const { return low(x, 0xFFFF); }
  Value multiply(Value x, uint32_t y) const {
    return b.eltwise("multiply", {x, word(y)});
  }
  /// The upper half of the product of 64 bits, by products of 16 bits each.
  Value multiplyHigh(Value x, uint32_t y) const {
    Value lower = low16(x), upper = shiftRight(x, 16);
    uint32_t yLower = y & 0xFFFF, yUpper = y >> 16;
    Value first = multiply(lower, yUpper), second = multiply(upper, yLower);
    Value middle =
        add(add(shiftRight(multiply(lower, yLower), 16), low16(first)),
            low16(second));
    return add(add(multiply(upper, yUpper), shiftRight(middle, 16)),
               add(shiftRight(first, 16), shiftRight(second, 16)));
  }
  /// 0, 1, ... below `count`.
  Value count(int64_t count) const { return b.cast(b.iota(count), type); }
  /// `row` times `step` and the number of `columns` added, for each row.
  Value grid(int64_t rows, int64_t step, Value columns) const {
    Value first = multiply(b.reshape(count(rows), {rows, 1}), step);
    return add(first, b.reshape(columns, {1, shapeOf(columns)[0]}));
  }
  /// 0, 1, ... below `count`, row by row.
  Value count(int64_t count, int64_t columns) const {
    return grid(count / columns, columns, this->count(columns));
  }
  Value low(Value x, uint32_t mask) const {
    return b.eltwise("bitwise_and", {x, word(mask)});
  }
  /// 1 where `sum`, to which `term` was added, has wrapped.
  Value carry(Value sum, Value term) const {
    return b.cast(b.predicate("lt", {sum, term}), type);
  }
  /// Word `index` of a list.
  Value at(Value list, int64_t index) const {
    return sliceDim(b, list, 0, index, index + 1);
  }

  GraphBuilder &b;
  Type type;
};

using Pair = std::array<Value, 2>;

/// Threefry 2x32 with 20 rounds.
Pair threefry(const Words &w, Pair key, Pair x) {
  constexpr int64_t kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  Value keys[] = {
      key[0], key[1],
      w.exclusiveOr(w.exclusiveOr(key[0], key[1]), w.word(0x1BD11BDA))};
  x = {w.add(x[0], keys[0]), w.add(x[1], keys[1])};
  for (int64_t group = 0; group < 5; ++group) {
    for (int64_t count : kRotations[group % 2]) {
      x[0] = w.add(x[0], x[1]);
      x[1] = w.exclusiveOr(w.rotate(x[1], count), x[0]);
    }
    x[0] = w.add(x[0], keys[(group + 1) % 3]);
    x[1] = w.add(x[1], w.add(keys[(group + 2) % 3], group + 1));
  }
  return x;
}

/// Philox 4x32 with 10 rounds.
std::array<Value, 4> philox(const Words &w, Pair key, std::array<Value, 4> x) {
  constexpr uint32_t kFactors[] = {0xD2511F53, 0xCD9E8D57};
  constexpr uint32_t kSteps[] = {0x9E3779B9, 0xBB67AE85};
  for (int64_t round = 0; round < 10; ++round) {
    Pair low = {w.multiply(x[0], kFactors[0]), w.multiply(x[2], kFactors[1])};
    Pair high = {w.multiplyHigh(x[0], kFactors[0]),
                 w.multiplyHigh(x[2], kFactors[1])};
    x = {w.exclusiveOr(w.exclusiveOr(high[1], x[1]), key[0]), low[1],
         w.exclusiveOr(w.exclusiveOr(high[0], x[3]), key[1]), low[0]};
    key = {w.add(key[0], kSteps[0]), w.add(key[1], kSteps[1])};
  }
  return x;
}

LogicalResult verifyWords(Operation *op) {
  for (Type type : op->getOperandTypes()) {
    Type element = cast<RankedTensorType>(type).getElementType();
    if (!element.isInteger(32))
      return op->emitOpError("expected tensors of 32-bit integers, found ")
             << element;
  }
  return success();
}

/// Tensors of integers with a sign as words, and back.
Value toWords(const Words &w, Value value) {
  if (elementOf(value) == w.type)
    return value;
  return w.b.op("bitcast_convert", value,
                RankedTensorType::get(shapeOf(value), w.type));
}
Value fromWords(const Words &w, Value value, Value like) {
  if (elementOf(like) == w.type)
    return value;
  return w.b.op("bitcast_convert", value,
                RankedTensorType::get(shapeOf(value), elementOf(like)));
}

} // namespace

//===----------------------------------------------------------------------===//
// threefry2x32
//===----------------------------------------------------------------------===//

Shapes Threefry2x32Op::inferShapes() {
  if (failed(verifyWords(*this)) ||
      failed(verifyVector(*this, "key", getKey(), 2)))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape(shapeOf(getCounts()))};
}

Expansion Threefry2x32Op::expand(GraphBuilder &b) {
  Words w(b);
  SmallVector<int64_t> shape(shapeOf(getCounts()));
  int64_t count = countElements(shape), half = (count + 1) / 2;
  if (count == 0)
    return SmallVector<Value>{getCounts()};
  Value key = toWords(w, getKey());
  Value counts = b.reshape(toWords(w, getCounts()), {count});
  if (count % 2)
    counts = b.concat({counts, w.word(0)}, 0);
  Pair x = threefry(w, {w.at(key, 0), w.at(key, 1)},
                    {sliceDim(b, counts, 0, 0, half),
                     sliceDim(b, counts, 0, half, 2 * half)});
  Value bits = sliceDim(b, b.concat({x[0], x[1]}, 0), 0, 0, count);
  return SmallVector<Value>{fromWords(w, b.reshape(bits, shape), getResult())};
}

//===----------------------------------------------------------------------===//
// rng_bit_generator
//===----------------------------------------------------------------------===//

Shapes RngBitGeneratorOp::inferShapes() {
  bool isPhilox = getAlgorithm() == "philox";
  if (!isPhilox && getAlgorithm() != "three_fry")
    return emitOpError("algorithm must be three_fry or philox: found ")
           << getAlgorithm();
  if (failed(verifyWords(*this)))
    return failure();
  ArrayRef<int64_t> state = shapeOf(getInitialState());
  if (state != ArrayRef<int64_t>{4} &&
      !(isPhilox && state == ArrayRef<int64_t>{6}))
    return emitOpError("expected a state of the shape ")
           << (isPhilox ? "4 or 6" : "4") << ", found "
           << shapes::toString(state);
  for (int64_t extent : getShape())
    if (extent < 0)
      return emitOpError("expected extents of at least 0, found shape ")
             << shapes::toString(getShape());
  return SmallVector<shapes::Shape>{shapes::Shape(state),
                                    shapes::Shape(getShape())};
}

/// The counters of `count` blocks as words, lowest first: the state's and 0, 1,
/// ... added. `count` itself gives the counter behind them.
static SmallVector<Value> addTo(const Words &w, ArrayRef<Value> counter,
                                Value number) {
  SmallVector<Value> sums;
  for (Value word : counter) {
    Value sum = w.add(number, word);
    number = w.carry(sum, word);
    sums.push_back(sum);
  }
  return sums;
}

/// A tensor of one dimension, or of a short last one, has one element or few in
/// each row of a tile. Elements are computed in rows that are wide.
constexpr int64_t kWideRow = 32, kWidestRow = 1024;

/// How many columns `shape` has as a matrix of wide rows.
static int64_t getColumns(ArrayRef<int64_t> shape) {
  int64_t count = countElements(shape);
  if (shape.size() > 1 && shape.back() >= kWideRow)
    return shape.back();
  for (int64_t columns = kWidestRow; columns >= kWideRow; --columns)
    if (count % columns == 0)
      return columns;
  return count;
}

/// As XLA: the first even dimension, else the longest one, is halved, and the
/// two words of a block lie side by side there.
static int64_t getHalvedDim(ArrayRef<int64_t> shape) {
  for (auto [d, extent] : llvm::enumerate(shape))
    if (extent % 2 == 0)
      return d;
  return std::max_element(shape.begin(), shape.end()) - shape.begin();
}

Expansion RngBitGeneratorOp::expand(GraphBuilder &b) {
  Words w(b);
  SmallVector<int64_t> shape(getShape());
  Value state = toWords(w, getInitialState());
  int64_t words = shapeOf(state)[0], count = countElements(shape);
  auto finish = [&](Value newState, Value bits) {
    return SmallVector<Value>{
        fromWords(w, newState, getResults()[0]),
        fromWords(w, b.reshape(bits, getShape()), getResults()[1])};
  };
  if (count == 0)
    return finish(state, b.splat(0, RankedTensorType::get(getShape(), w.type)));
  if (shape.empty())
    shape.push_back(1);
  Pair key = {w.at(state, 0), w.at(state, 1)};
  SmallVector<Value> counter;
  for (int64_t i = 2; i < words; ++i)
    counter.push_back(w.at(state, i));

  if (getAlgorithm() == "three_fry") {
    int64_t dim = getHalvedDim(shape);
    int64_t half = (shape[dim] + 1) / 2;
    int64_t outer = countElements(ArrayRef(shape).take_front(dim));
    int64_t inner = countElements(ArrayRef(shape).drop_front(dim + 1));
    int64_t blocks = outer * half * inner;
    SmallVector<Value> next = addTo(w, counter, w.word(blocks));
    Value newState = b.concat({key[0], key[1], next[0], next[1]}, 0);
    if (inner >= kWideRow) {
      SmallVector<Value> numbers = addTo(w, counter, w.count(blocks, inner));
      SmallVector<int64_t> doubled(shape), rows = {outer * half, 1, inner};
      doubled[dim] = 2 * half;
      Value pairs =
          b.concat(llvm::map_to_vector(
                       threefry(w, key, {numbers[0], numbers[1]}),
                       [&](Value x) -> Value { return b.reshape(x, rows); }),
                   1);
      return finish(newState,
                    sliceDim(b, b.reshape(pairs, doubled), dim, 0, shape[dim]));
    }
    // Both words are computed for each element.
    Value numbers, word;
    if (inner == 1 && shape[dim] % 2 == 0) {
      Value elements = w.count(count, getColumns(shape));
      numbers = w.shiftRight(elements, 1);
      word = w.low(elements, 1);
    } else {
      Value places = b.reshape(w.count(shape[dim]), {shape[dim], 1});
      Value along = w.add(w.multiply(w.shiftRight(places, 1), inner),
                          b.reshape(w.count(inner), {1, inner}));
      int64_t columns = shape[dim] * inner;
      numbers = w.grid(outer, half * inner, b.reshape(along, {columns}));
      word = b.reshape(b.broadcast(w.low(places, 1), {shape[dim], inner}),
                       {1, columns});
    }
    SmallVector<Value> block = addTo(w, counter, numbers);
    Pair x = threefry(w, key, {block[0], block[1]});
    return finish(newState,
                  b.select(b.predicate("ne", {word, w.word(0)}), x[1], x[0]));
  }

  // A counter of one number has the key above it.
  int64_t blocks = (count + 3) / 4;
  SmallVector<Value> whole(counter), next = {key[0], key[1]};
  llvm::append_range(next, addTo(w, counter, w.word(blocks)));
  if (whole.size() == 2)
    whole.append({key[0], key[1]});
  // All four words are computed for each element.
  Value elements = w.count(count, getColumns(shape));
  SmallVector<Value> block = addTo(w, whole, w.shiftRight(elements, 2));
  std::array<Value, 4> x =
      philox(w, key, {block[0], block[1], block[2], block[3]});
  Value word = w.low(elements, 3), bits = x[3];
  for (uint32_t i = 0; i < 3; ++i)
    bits = b.select(b.predicate("eq", {word, w.word(i)}), x[i], bits);
  return finish(b.concat(next, 0), bits);
}

//===----------------------------------------------------------------------===//
// rand, dropout
//===----------------------------------------------------------------------===//

Value mlir::tt::ttir::uniform(GraphBuilder &b, ArrayRef<int64_t> shape,
                              uint32_t seed) {
  Words w(b);
  Type f32 = b.getBuilder().getF32Type();
  Value numbers = w.count(countElements(shape), getColumns(shape));
  Pair x = threefry(w, {w.word(0), w.word(seed)}, {w.word(0), numbers});
  Value bits = w.shiftRight(w.exclusiveOr(x[0], x[1]), 9);
  Value chance =
      b.eltwise("multiply", {b.cast(bits, f32), b.scalar(0x1p-23, f32)});
  return b.reshape(chance, shape);
}

static LogicalResult verifyFloats(Operation *op, StringRef name, Value value) {
  if (isa<FloatType>(elementOf(value)))
    return success();
  return op->emitOpError("expected elements of floats of ")
         << name << ", found " << elementOf(value);
}

Shapes RandOp::inferShapes() {
  float low = getLow().convertToFloat(), high = getHigh().convertToFloat();
  if (!(low < high) || !std::isfinite(low) || !std::isfinite(high))
    return emitOpError("expected finite numbers low < high, found ")
           << low << " and " << high;
  for (int64_t extent : getShape())
    if (extent < 0)
      return emitOpError("expected extents of at least 0, found shape ")
             << shapes::toString(getShape());
  return SmallVector<shapes::Shape>{shapes::Shape(getShape())};
}

LogicalResult RandOp::verify() {
  return verifyFloats(*this, "the result", getOutput());
}

Expansion RandOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  float low = getLow().convertToFloat(), high = getHigh().convertToFloat();
  Value x = uniform(b, getShape(), getSeed());
  x = b.eltwise("multiply", {x, b.scalar(high - low, f32)});
  x = b.eltwise("add", {x, b.scalar(low, f32)});
  x = b.eltwise("maximum", {x, b.scalar(low, f32)});
  return SmallVector<Value>{b.cast(x, getType().getElementType())};
}

Shapes DropoutOp::inferShapes() {
  float prob = getProb().convertToFloat();
  if (!(prob >= 0 && prob <= 1))
    return emitOpError("prob must be in [0, 1]: found ") << prob;
  if (failed(verifyFloats(*this, "the input", getInput())))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape(shapeOf(getInput()))};
}

Expansion DropoutOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  Value chance = uniform(b, shapeOf(getInput()), getSeed());
  Value stays =
      b.predicate("ge", {chance, b.scalar(getProb().convertToFloat(), f32)});
  Value scaled =
      b.eltwise("multiply", {b.cast(getInput(), f32),
                             b.scalar(getScale().convertToFloat(), f32)});
  return SmallVector<Value>{b.cast(b.select(stays, scaled, b.scalar(0, f32)),
                                   getType().getElementType())};
}

//===----------------------------------------------------------------------===//
// sampling
//===----------------------------------------------------------------------===//

Shapes SamplingOp::inferShapes() {
  ArrayRef<int64_t> values = shapeOf(getInputValues());
  if (values.size() != 2 || shapeOf(getInputIndices()) != values)
    return emitOpError("expected values and indices of rank 2 and one shape, "
                       "found ")
           << shapes::toString(values) << " and "
           << shapes::toString(shapeOf(getInputIndices()));
  if (failed(verifyVector(*this, "k", getK(), values[0])) ||
      failed(verifyVector(*this, "p", getP(), values[0])) ||
      failed(verifyVector(*this, "temp", getTemp(), values[0])) ||
      failed(
          verifyIntegerElements(*this, "input_indices", getInputIndices())) ||
      failed(verifyIntegerElements(*this, "k", getK())) ||
      failed(verifyFloats(*this, "input_values", getInputValues())) ||
      failed(verifyFloats(*this, "p", getP())) ||
      failed(verifyFloats(*this, "temp", getTemp())))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape{values[0]}};
}

LogicalResult SamplingOp::verify() {
  return verifyIntegerElements(*this, "the result", getOutput());
}

Expansion SamplingOp::expand(GraphBuilder &b) {
  OpBuilder &builder = b.getBuilder();
  Type f32 = builder.getF32Type(), si32 = b.getIndexType();
  int64_t rows = shapeOf(getInputValues())[0];
  int64_t columns = shapeOf(getInputValues())[1];
  auto perRow = [&](Value value, Type element) {
    return b.reshape(b.cast(value, element), {rows, 1});
  };
  auto sums = [&](Value value) -> Value {
    return b.op("cumsum", value, typeOf(value),
                b.attr("dim", builder.getI64IntegerAttr(1)));
  };
  Value logits =
      b.eltwise("div", {b.cast(getInputValues(), f32), perRow(getTemp(), f32)});
  Value order = argsort(b, logits, 1, /*descending=*/true);
  logits = takeAlong(b, logits, order, 1);
  Value place = b.reshape(b.iota(columns), {1, columns});
  Value most = b.eltwise("maximum", {perRow(getK(), si32), number(b, 1, si32)});
  Value isAmongK = b.predicate("lt", {place, most});
  Value least = b.scalar(-std::numeric_limits<double>::infinity(), f32);
  logits = b.select(isAmongK, logits, least);
  Value chances =
      b.op("softmax", logits, typeOf(logits), b.si32("dimension", 1));
  Value before = b.eltwise("subtract", {sums(chances), chances});
  Value stays = b.predicate("logical_or",
                            {b.predicate("lt", {before, perRow(getP(), f32)}),
                             b.predicate("lt", {place, number(b, 1, si32)})});
  chances = b.select(stays, chances, b.scalar(0, f32));
  Value reached = sums(chances);
  Value total = sliceDim(b, reached, 1, columns - 1, columns);
  Value drawn = b.eltwise(
      "multiply", {b.reshape(uniform(b, {rows}, getSeed()), {rows, 1}), total});
  Value isBefore = b.eltwise("le", {reached, drawn}, f32);
  Value index = b.cast(b.reduce("sum", isBefore, {1}, true), si32);
  Value found = takeAlong(b, order, index, 1);
  Value result = takeAlong(b, getInputIndices(), found, 1);
  return SmallVector<Value>{
      b.reshape(b.cast(result, getType().getElementType()), {rows})};
}
