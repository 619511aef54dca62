#include "conversion/LinalgToTTIR/Structured.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace mlir::tt::frontend {

std::optional<int64_t> loopOf(AffineExpr expression) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dim.getPosition();
  return std::nullopt;
}

std::optional<Dims> loopsOf(AffineMap map) {
  Dims loops;
  for (AffineExpr expression : map.getResults()) {
    std::optional<int64_t> loop = loopOf(expression);
    if (!loop || llvm::is_contained(loops, *loop))
      return std::nullopt;
    loops.push_back(*loop);
  }
  return loops;
}

int64_t volumeOf(Shape extents) {
  int64_t volume = 1;
  for (int64_t extent : extents)
    volume *= extent;
  return volume;
}

Dims placesOf(ArrayRef<int64_t> wanted, ArrayRef<int64_t> present) {
  Dims places;
  for (int64_t dim : wanted)
    places.push_back(llvm::find(present, dim) - present.begin());
  return places;
}

Dims join(std::initializer_list<ArrayRef<int64_t>> lists) {
  Dims joined;
  for (ArrayRef<int64_t> list : lists)
    llvm::append_range(joined, list);
  return joined;
}

Structured::Structured(linalg::LinalgOp op, Translator &translator)
    : op(op), translator(translator), graph(translator.graph()),
      maps(op.getIndexingMapsArray()), extents(op.getStaticLoopRanges()) {}

Dims Structured::extentsOf(ArrayRef<int64_t> dims) const {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return extents[dim]; });
}

LogicalResult Structured::convert() {
  for (OpOperand &operand : op->getOpOperands())
    if (!isa<RankedTensorType>(operand.get().getType()) &&
        !numberOf(operand.get()))
      return fail() << "expected tensors and constants as operands, found "
                    << operand.get().getType();
  for (unsigned output : llvm::seq<unsigned>(op.getNumDpsInits())) {
    AffineMap map = maps[op.getNumDpsInputs() + output];
    if (!loopsOf(map))
      return fail() << "expected an output indexed by different loops, found "
                    << AffineMapAttr::get(map);
  }
  if (op.getNumReductionLoops() == 0)
    return convertParallel();

  std::optional<Reduction> reduction = matchReduction();
  if (!reduction)
    return fail() << "expected a reduction by a sum, product, maximum or "
                     "minimum with one result";
  bool slides = llvm::any_of(maps, [](AffineMap map) {
    return llvm::any_of(map.getResults(), [](AffineExpr expression) {
      return !isa<AffineDimExpr, AffineConstantExpr>(expression);
    });
  });
  if (slides)
    return convertWindow(*reduction);
  if (auto converted = convertContraction(*reduction))
    return *converted;
  return convertReduction(*reduction);
}

void Structured::orderLoops() {
  order = *loopsOf(outputMap());
  for (int64_t loop : llvm::seq<int64_t>(extents.size()))
    if (!llvm::is_contained(order, loop))
      order.push_back(loop);
  place.assign(order.size(), 0);
  for (auto [position, loop] : llvm::enumerate(order))
    place[loop] = position;
}

Value Structured::arrange(Value value, AffineMap map) {
  Dims loops, kept;
  Dims begins(map.getNumResults(), 0), ends(shapeOf(value));
  for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
      begins[dim] = constant.getValue();
      ends[dim] = begins[dim] + 1;
      continue;
    }
    std::optional<int64_t> loop = loopOf(expression);
    if (!loop || llvm::is_contained(loops, *loop)) {
      fail() << "expected operands indexed by different loops, found "
             << AffineMapAttr::get(map);
      return nullptr;
    }
    loops.push_back(*loop);
    kept.push_back(ends[dim]);
  }
  if (map.getNumResults() == 0)
    return value;
  value = graph.slice(value, begins, ends, Dims(begins.size(), 1));
  if (loops.empty())
    return graph.reshape(value, {1});

  Dims permutation = range(loops.size());
  llvm::sort(permutation, [&](int64_t a, int64_t b) {
    return place[loops[a]] < place[loops[b]];
  });
  if (!llvm::is_sorted(permutation))
    value = graph.permute(graph.reshape(value, kept), permutation);
  int64_t first = place[loops[permutation.front()]];
  Dims spread(order.size() - first, 1);
  for (int64_t source : permutation)
    spread[place[loops[source]] - first] = kept[source];
  // Leading dimensions of extent 1 broadcast as missing ones do.
  auto body = [](Shape shape) {
    return shape.drop_while([](int64_t extent) { return extent == 1; });
  };
  if (body(spread) == body(shapeOf(value)) &&
      shapeOf(value).size() <= order.size())
    return value;
  return graph.reshape(value, spread);
}

/// Null if the scalar is neither constant nor a tensor's only element.
Value Structured::numberOf(Value scalar) {
  if (Value known = translator.lookup(scalar))
    return known;
  std::optional<double> value = constantSplat(scalar);
  Type type = scalar.getType();
  Type element =
      type.isIndex() ? graph.getIndexType() : translator.element(type);
  if (!value || !element)
    return nullptr;
  bool isTrue = type.isInteger(1) && *value != 0;
  return graph.scalar(isTrue ? 1 : *value, element);
}

Value Structured::evaluate(Value value) {
  auto known = body.find(value);
  if (known != body.end())
    return known->second;
  Value number = numberOf(value);
  if (!number)
    fail() << "expected constants from outside of the body, found "
           << value.getType();
  return body[value] = number;
}

LogicalResult Structured::evaluateBody(Operation *skipped, Value term) {
  Block *block = op.getBlock();
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (llvm::all_of(argument.getUsers(),
                     [&](Operation *user) { return user == skipped; }) &&
        argument != term)
      continue;
    Value value = operand.get();
    Value arranged = isa<RankedTensorType>(value.getType())
                         ? arrange(translator.get(value),
                                   op.getMatchingIndexingMap(&operand))
                         : numberOf(value);
    if (!arranged)
      return failure();
    body[argument] = arranged;
  }
  Dims shape = extentsOf(order);
  for (Operation &inner : block->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      int64_t dim = place[index.getDim()];
      Dims spread(shape.size() - dim, 1);
      spread.front() = shape[dim];
      body[index] = graph.reshape(graph.iota(shape[dim]), spread);
      continue;
    }
    if (isa<arith::ConstantOp>(inner) || &inner == skipped)
      continue;
    SmallVector<Value> operands;
    for (Value operand : inner.getOperands()) {
      operands.push_back(evaluate(operand));
      if (!operands.back())
        return failure();
    }
    Value result = translateScalar(&inner, operands, translator);
    if (!result)
      return failure();
    body[inner.getResult(0)] = result;
  }
  return success();
}

LogicalResult Structured::convertParallel() {
  orderLoops();
  if (failed(evaluateBody()))
    return failure();
  Dims shape = extentsOf(order);
  for (auto [number, yielded] :
       llvm::enumerate(op.getBlock()->getTerminator()->getOperands())) {
    Value value = evaluate(yielded);
    if (!value)
      return failure();
    Value result = op->getResult(number);
    if (!shape.empty())
      value = graph.broadcast(value, shape);
    Dims loops = *loopsOf(maps[op.getNumDpsInputs() + number]);
    if (loops != order)
      value = graph.permute(value, placesOf(loops, order));
    if (failed(translator.set(result, value)))
      return failure();
  }
  return success();
}

LogicalResult Structured::convertReduction(const Reduction &reduction) {
  orderLoops();
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  if (failed(evaluateBody(yielded.getDefiningOp(), reduction.term)))
    return failure();
  Value term = evaluate(reduction.term);
  if (!term)
    return failure();
  term = graph.broadcast(term, extentsOf(order));
  Dims reduced;
  for (int64_t dim = op.getNumParallelLoops(),
               count = static_cast<int64_t>(order.size());
       dim < count; ++dim)
    reduced.push_back(dim);
  return finish(reduction,
                graph.reduce(reduction.name, ignoreNaN(reduction, term),
                             reduced, /*keepDim=*/false));
}

} // namespace mlir::tt::frontend
