//===- SplitLongTensors.cpp - moves, reductions and products on words -----===//

#include "dialects/TTIR/Transforms/Types/SplitLongOps.h"

#include "dialects/TTIR/Transforms/Types/LegalTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tt::ttir {

using namespace graph;

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

Results OpSplitter::splitMove() {
  if (auto pad = dyn_cast<PadOp>(op); pad && !pad.getValue().isZero())
    return op->emitOpError("puts ")
           << pad.getValueAttr()
           << " around integers that may need more than 32 bits; expected 0";
  SmallVector<OpOperand *> moved = getMoved(op);
  SmallVector<Value> low(inputs), high(inputs);
  for (OpOperand *operand : moved) {
    unsigned i = operand->getOperandNumber();
    Words own = wholeWords(i);
    low[i] = own.low;
    high[i] = own.high;
  }
  return SmallVector<Words>{
      {cloneOn(low, half)->getResult(0), cloneOn(high, half)->getResult(0)}};
}

/// Updates that are added are summed apart, in a tensor of zeros.
Results OpSplitter::splitScatter() {
  Words x = wholeWords(0), updates = wholeWords(2);
  auto on = [&](Value into, Value from) {
    return cloneOn({into, input(1), from}, half)->getResult(0);
  };
  if (getScatterType(op) == ReduceType::Invalid)
    return SmallVector<Words>{
        {on(x.low, updates.low), on(x.high, updates.high)}};
  int64_t count = graph::typeOf(input(2)).getNumElements();
  if (failed(checkCount(count)))
    return failure();
  Value zeros = w.whole(w.half(0), shapeOf(input(0)));
  auto sum = [&](Value from) -> Value {
    return on(zeros, w.whole(from, shapeOf(input(2))));
  };
  return SmallVector<Words>{w.add(
      x, sumOf(sum, updates,
               ranges.get(input(2)).low < 0 || !ranges.fits(input(2)), count))};
}

/// One update after the other: what a row has by then, combined with it.
Results OpSplitter::splitScatterRows() {
  constexpr int64_t kMost = 256;
  auto rows = cast<ScatterRowsOp>(op);
  int64_t count = shapeOf(input(2))[0];
  if (count > kMost)
    return op->emitOpError("combines integers that may need more than 32 bits; "
                           "expected up to ")
           << kMost << " updates, found " << count;
  SmallVector<int64_t> shape(shapeOf(input(0)));
  auto tableType = RankedTensorType::get(shape, half);
  auto rowType = RankedTensorType::get({1, shape[1]}, half);
  Type number = b.getIndexType();
  Value places = b.cast(input(1), number);
  Value inside = b.eltwise("maximum", {places, b.scalar(0, number)});
  inside = b.eltwise("minimum", {inside, b.scalar(shape[0] - 1, number)});
  NamedAttribute replaces =
      b.attr("reduce_type",
             ReduceTypeAttr::get(op->getContext(), ReduceType::Invalid));
  bool sign = isSigned(input(0));
  Words table = wholeWords(0), updates = wholeWords(2);
  for (int64_t i = 0; i < count; ++i) {
    Value at = b.slice(inside, {i}, {i + 1}, {1});
    Words old{b.op("embedding", {at, table.low}, rowType),
              b.op("embedding", {at, table.high}, rowType)};
    Words own = sliceOf(updates, 0, i, i + 1);
    if (rows.getReduceType() == ReduceType::Prod) {
      own = w.multiply(old, own);
    } else {
      Value isLess = w.isLess(old, own, sign);
      own = rows.getReduceType() == ReduceType::Max
                ? w.select(isLess, own, old)
                : w.select(isLess, old, own);
    }
    own = w.whole(own, rowType.getShape());
    // A row that the table has not is left out here.
    Value row = b.slice(places, {i}, {i + 1}, {1});
    table = {
        b.op("scatter_rows", {table.low, row, own.low}, tableType, replaces),
        b.op("scatter_rows", {table.high, row, own.high}, tableType, replaces)};
  }
  return SmallVector<Words>{table};
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

SmallVector<int64_t> OpSplitter::getReducedDims() const {
  int64_t rank = graph::typeOf(inputs[0]).getRank();
  SmallVector<int64_t> dims;
  if (auto given = op->getAttrOfType<ArrayAttr>("dim_arg"))
    for (auto dim : given.getAsRange<IntegerAttr>())
      dims.push_back(*shapes::normalizeDim(dim.getInt(), rank));
  if (dims.empty())
    dims = graph::range(rank);
  return dims;
}

/// Sums of so few bits of the lower word that a word has room for `count` of
/// them; those of the upper word wrap.
Words OpSplitter::sumOf(function_ref<Value(Value)> sum, const Words &x,
                        bool hasUpper, int64_t count) {
  int64_t step = count <= (int64_t(1) << 16) ? 16 : 8;
  Value mask = w.half((1u << step) - 1);
  Words found = w.number(0);
  for (int64_t begin = 0; begin < 32; begin += step) {
    Value part = w.half("logical_right_shift", x.low, w.half(begin));
    if (begin + step < 32)
      part = w.half("bitwise_and", part, mask);
    found = w.add(found, w.shiftLeft(Words{sum(part), w.half(0)}, begin));
  }
  if (hasUpper)
    found.high = w.half("add", found.high, sum(x.high));
  return found;
}

Results OpSplitter::splitSum() {
  Value x = input(0);
  int64_t count =
      isa<CumSumOp>(op)
          ? graph::typeOf(x).getDimSize(*shapes::normalizeDim(
                cast<CumSumOp>(op).getDim(), graph::typeOf(x).getRank()))
          : graph::typeOf(x).getNumElements() /
                graph::typeOf(op->getResult(0)).getNumElements();
  if (failed(checkCount(count)))
    return failure();
  Words own = wholeWords(0);
  bool hasUpper = ranges.get(x).low < 0 || bitsOf(x) > 32;
  auto sum = [&](Value part) -> Value {
    return cloneOn({w.whole(part, shapeOf(x))}, half)->getResult(0);
  };
  return SmallVector<Words>{sumOf(sum, own, hasUpper, count)};
}

Words OpSplitter::sliceOf(const Words &x, int64_t dim, int64_t begin,
                          int64_t end) {
  auto part = [&](Value value) -> Value {
    SmallVector<int64_t> begins(shapeOf(value).size(), 0), ends(shapeOf(value)),
        steps(begins.size(), 1);
    begins[dim] = begin;
    ends[dim] = end;
    return b.slice(value, begins, ends, steps);
  };
  return {part(x.low), part(x.high)};
}

/// The product along a dimension, which stays with extent 1: of both halves,
/// until there is one element.
Words OpSplitter::multiplyAll(Words x, SmallVector<int64_t> &shape,
                              int64_t dim) {
  while (shape[dim] > 1) {
    int64_t count = shape[dim] / 2;
    Words found = w.multiply(sliceOf(x, dim, 0, count),
                             sliceOf(x, dim, count, 2 * count));
    bool isOdd = shape[dim] % 2;
    SmallVector<int64_t> now(shape);
    now[dim] = count;
    found = w.whole(found, now);
    if (isOdd) {
      Words rest = sliceOf(x, dim, 2 * count, 2 * count + 1);
      found = {b.concat({found.low, rest.low}, dim),
               b.concat({found.high, rest.high}, dim)};
    }
    shape[dim] = count + isOdd;
    x = found;
  }
  return x;
}

Results OpSplitter::splitProduct() {
  Words x = wholeWords(0);
  SmallVector<int64_t> shape(shapeOf(input(0)));
  for (int64_t dim : getReducedDims())
    x = multiplyAll(x, shape, dim);
  return SmallVector<Words>{w.whole(x, shapeOf(op->getResult(0)))};
}

/// Products, or extrema, of as many elements as there are steps behind, each
/// twice as long as the one before.
Results OpSplitter::splitScan() {
  Words x = wholeWords(0);
  SmallVector<int64_t> shape(shapeOf(input(0)));
  int64_t rank = shape.size();
  int64_t dim = *shapes::normalizeDim(
      op->getAttrOfType<IntegerAttr>("dim").getInt(), rank);
  bool sign = isSigned(input(0));
  auto combine = [&](const Words &a, const Words &b) {
    if (isa<CumProdOp>(op))
      return w.multiply(a, b);
    Value isLess = w.isLess(a, b, sign);
    return isa<CumMaxOp>(op) ? w.select(isLess, b, a) : w.select(isLess, a, b);
  };
  int64_t extent = shape[dim];
  for (int64_t step = 1; step < extent; step *= 2) {
    SmallVector<int64_t> rest(shape);
    rest[dim] = extent - step;
    Words first = sliceOf(x, dim, 0, step);
    Words found = w.whole(combine(sliceOf(x, dim, step, extent),
                                  sliceOf(x, dim, 0, extent - step)),
                          rest);
    x = {b.concat({first.low, found.low}, dim),
         b.concat({first.high, found.high}, dim)};
  }
  return SmallVector<Words>{x};
}

/// The greatest or least upper word, and the greatest or least lower one of
/// those that have it.
Words OpSplitter::reduce(const Words &x, ArrayRef<int64_t> dims, bool isMaximum,
                         bool isSigned) {
  StringRef name = isMaximum ? "max" : "min";
  Value high = w.ordered(x.high, isSigned);
  Value found = b.reduce(name, high, dims, /*keepDim=*/true);
  Value low = w.ordered(x.low, /*isSigned=*/false);
  // What is left out.
  Value others = b.splat(isMaximum ? INT32_MIN : INT32_MAX,
                         RankedTensorType::get({}, graph::elementOf(low)));
  low = b.select(b.predicate("eq", {high, found}), low, others);
  Value lower = b.reduce(name, low, dims, /*keepDim=*/true);
  return {w.unordered(lower, false), w.unordered(found, isSigned)};
}

Results OpSplitter::splitExtremum() {
  Words found = reduce(wholeWords(0), getReducedDims(), isa<MaxOp>(op),
                       isSigned(input(0)));
  return SmallVector<Words>{w.whole(found, shapeOf(op->getResult(0)))};
}

Results OpSplitter::splitArgMax() {
  Words x = wholeWords(0);
  Words most =
      reduce(x, getReducedDims(), /*isMaximum=*/true, isSigned(input(0)));
  Type number = b.getIndexType();
  Value isMost = b.cast(w.isEqual(x, most), number);
  Value place = cloneOn({isMost}, number)->getResult(0);
  Value result = op->getResult(0);
  if (isLong(result.getType()))
    return SmallVector<Words>{w.extend(place, false)};
  return SmallVector<Words>{valueOf(b.cast(place, graph::elementOf(result)))};
}

/// By the upper words first, and where they are equal by the lower ones.
Results OpSplitter::splitSort() {
  auto sort = dyn_cast<SortOp>(op);
  int64_t keys = sort ? sort.getNumKeys() : 1;
  ValueRange all = inputs;
  int64_t rank = graph::typeOf(inputs[0]).getRank();
  int64_t dim = -1;
  bool isDescending;
  if (sort) {
    dim = sort.getDim();
    isDescending = sort.getDescending();
  } else if (auto places = dyn_cast<ArgSortOp>(op)) {
    dim = places.getDim();
    isDescending = places.getDescending();
  } else {
    dim = cast<TopKOp>(op).getDim();
    isDescending = cast<TopKOp>(op).getLargest();
  }
  dim = *shapes::normalizeDim(dim, rank);

  SmallVector<Value> sorted;
  int64_t sortedKeys = 0;
  for (auto [i, value] : llvm::enumerate(all)) {
    bool isKey = static_cast<int64_t>(i) < keys;
    if (!isLong(value.getType())) {
      sorted.push_back(value);
      sortedKeys += isKey;
      continue;
    }
    Words own = w.whole(read(value), shapeOf(value));
    sorted.push_back(w.ordered(own.high, isSigned(value)));
    sorted.push_back(w.ordered(own.low, /*isSigned=*/false));
    sortedKeys += 2 * isKey;
  }
  OpBuilder &builder = b.getBuilder();
  SmallVector<Value> operands(sorted);
  SmallVector<Type> types;
  for (Value value : sorted)
    types.push_back(value.getType());
  types.push_back(RankedTensorType::get(shapeOf(inputs[0]), b.getIndexType()));
  for (Type type : types)
    operands.push_back(tensor::EmptyOp::create(
        builder, b.getLoc(), cast<RankedTensorType>(type).getShape(),
        cast<RankedTensorType>(type).getElementType()));
  SmallVector<Attribute> constraints(
      operands.size(),
      OperandConstraintAttr::get(builder.getContext(),
                                 OperandConstraint::AnyDeviceTile));
  NamedAttribute attributes[] = {
      b.si32("dim", dim),
      b.attr("descending", builder.getBoolAttr(isDescending)),
      b.attr("stable", builder.getBoolAttr(true)),
      b.attr("num_keys", builder.getI32IntegerAttr(sortedKeys)),
      b.attr("operandSegmentSizes", builder.getDenseI32ArrayAttr(
                                        {static_cast<int32_t>(sorted.size()),
                                         static_cast<int32_t>(types.size())})),
      b.attr("operand_constraints", builder.getArrayAttr(constraints))};
  Operation *made = builder.create(
      OperationState(b.getLoc(), "ttir.sort", operands, types, attributes));

  auto first = [&](Value value) -> Value {
    int64_t count = graph::typeOf(op->getResult(0)).getDimSize(dim);
    SmallVector<int64_t> begins(rank, 0), ends(shapeOf(value)), steps(rank, 1);
    if (ends[dim] == count)
      return value;
    ends[dim] = count;
    return b.slice(value, begins, ends, steps);
  };
  SmallVector<Words> found;
  unsigned next = 0;
  if (!isa<ArgSortOp>(op))
    for (Value value : all) {
      Value one = first(made->getResult(next++));
      if (!isLong(value.getType())) {
        found.push_back(valueOf(one));
        continue;
      }
      Value low = first(made->getResult(next++));
      found.push_back(
          {w.unordered(low, false), w.unordered(one, isSigned(value))});
    }
  Value places = first(made->getResult(made->getNumResults() - 1));
  Value result = op->getResult(op->getNumResults() - 1);
  found.push_back(isLong(result.getType())
                      ? w.extend(places, false)
                      : valueOf(b.cast(places, graph::elementOf(result))));
  return found;
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// All products of elements, which are summed.
Results OpSplitter::splitMatmul() {
  bool turned[2];
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    turned[0] = matmul.getTransposeA();
    turned[1] = matmul.getTransposeB();
  } else {
    turned[0] = cast<LinearOp>(op).getTransposeA();
    turned[1] = cast<LinearOp>(op).getTransposeB();
  }
  Value result = op->getResult(0);
  SmallVector<int64_t> shapes[2];
  Words factors[2];
  for (unsigned i : {0u, 1u}) {
    shapes[i] = SmallVector<int64_t>(shapeOf(input(i)));
    int64_t rank = shapes[i].size();
    if (rank < 2)
      return op->emitOpError("multiplies integers that may need more than 32 "
                             "bits; expected matrices, found ")
             << input(i).getType();
    factors[i] = wholeWords(i);
    if (turned[i]) {
      SmallVector<int64_t> order = graph::range(rank);
      std::swap(order[rank - 1], order[rank - 2]);
      std::swap(shapes[i][rank - 1], shapes[i][rank - 2]);
      factors[i] = {b.permute(factors[i].low, order),
                    b.permute(factors[i].high, order)};
    }
    // (..., M, K, 1) and (..., 1, K, N).
    shapes[i].insert(i == 0 ? shapes[i].end() : shapes[i].end() - 2, 1);
    factors[i] = w.whole(factors[i], shapes[i]);
  }
  int64_t depth = shapes[1][shapes[1].size() - 2];
  constexpr int64_t kMost = int64_t(1) << 26;
  int64_t count = graph::typeOf(result).getNumElements() * depth;
  if (count > kMost)
    return op->emitOpError("multiplies integers that may need more than 32 "
                           "bits; expected up to ")
           << kMost << " products of elements, found " << count;
  if (failed(checkCount(depth)))
    return failure();
  SmallVector<int64_t> shape(shapeOf(result));
  shape.insert(shape.end() - 1, depth);
  Words products = w.whole(w.multiply(factors[0], factors[1]), shape);
  int64_t dim = static_cast<int64_t>(shape.size()) - 2;
  auto sum = [&](Value part) -> Value {
    return b.reduce("sum", w.whole(part, shape), {dim}, /*keepDim=*/false);
  };
  Words found = sumOf(sum, products, /*hasUpper=*/true, depth);
  if (inputs.size() > 2)
    found = w.add(found, words(2));
  return SmallVector<Words>{found};
}

} // namespace mlir::tt::ttir
