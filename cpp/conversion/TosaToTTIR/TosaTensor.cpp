#include "conversion/Frontend/Limits.h"
#include "conversion/TosaToTTIR/TosaToTTIR.h"
#include "dialects/TT/TT.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace mlir::tt {

using namespace frontend;

namespace {

using Integers = SmallVector<int64_t>;

/// The constant operand `operand`, which is a shape or a list of numbers.
FailureOr<Integers> readIntegers(Operation *op, Value operand, StringRef what) {
  std::optional<Integers> values = constantIntegers(operand);
  if (!values)
    return op->emitOpError("cannot be expressed in TTIR: expected a constant ")
           << what;
  return *values;
}

LogicalResult convertConst(tosa::ConstOp op, Translator &translator) {
  DenseElementsAttr value = translator.convert(op.getValues());
  if (!value && isa<DenseIntElementsAttr>(op.getValues()))
    return op.emitOpError("cannot be expressed in TTIR: expected elements that "
                          "fit in 32 bits");
  if (!value)
    return op.emitOpError("cannot be expressed in TTIR: expected dense "
                          "elements, found ")
           << op.getValues();
  return translator.set(op.getOutput(), translator.graph().constant(value));
}

/// Its elements are read where they are used.
LogicalResult skipConstShape(Operation *, Translator &) { return success(); }

LogicalResult convertReshape(tosa::ReshapeOp op, Translator &translator) {
  return translator.set(op.getOutput(),
                        translator.graph().reshape(
                            translator.get(op.getInput1()),
                            translator.resultType(op.getOutput()).getShape()));
}

LogicalResult convertTranspose(tosa::TransposeOp op, Translator &translator) {
  Integers permutation(op.getPerms());
  return translator.set(
      op.getOutput(),
      translator.graph().permute(translator.get(op.getInput1()), permutation));
}

LogicalResult convertConcat(tosa::ConcatOp op, Translator &translator) {
  return translator.set(
      op.getOutput(),
      translator.graph().concat(translator.get(op.getInput1()), op.getAxis()));
}

LogicalResult convertSlice(tosa::SliceOp op, Translator &translator) {
  FailureOr<Integers> begins = readIntegers(op, op.getStart(), "start");
  if (failed(begins))
    return failure();
  Value input = translator.get(op.getInput1());
  Shape sizes = translator.resultType(op.getOutput()).getShape();
  Integers ends;
  for (auto [begin, size, extent] :
       llvm::zip_equal(*begins, sizes, shapeOf(input))) {
    ends.push_back(begin + size);
    if (begin < 0 || ends.back() > extent)
      return op.emitOpError("expected a slice inside of the input, found ")
             << begin << " to " << ends.back() << " of an extent of " << extent;
  }
  Integers steps(begins->size(), 1);
  return translator.set(op.getOutput(),
                        translator.graph().slice(input, *begins, ends, steps));
}

LogicalResult convertPad(tosa::PadOp op, Translator &translator) {
  FailureOr<Integers> padding = readIntegers(op, op.getPadding(), "padding");
  if (failed(padding))
    return failure();
  std::optional<double> value = constantSplat(op.getPadConst());
  if (!value)
    return op.emitOpError("cannot be expressed in TTIR: expected a constant "
                          "pad_const");
  if (llvm::any_of(*padding, [](int64_t n) { return n < 0; }))
    return op.emitOpError("cannot be expressed in TTIR: expected paddings of "
                          "at least 0, found ")
           << ArrayRef(*padding);
  Integers low, high;
  for (size_t i = 0; i + 1 < padding->size(); i += 2) {
    low.push_back((*padding)[i]);
    high.push_back((*padding)[i + 1]);
  }
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput1());
  Type element = elementOf(input);
  if (canPadWith(*value, element))
    return translator.set(op.getOutput(), graph.pad(input, low, high, *value));
  // An integer that an f32 does not hold: zeros, between two exchanges of it
  // and zero.
  Value number = graph.scalar(*value, element);
  Value exchanged = graph.eltwise("bitwise_xor", {input, number});
  return translator.set(
      op.getOutput(),
      graph.eltwise("bitwise_xor",
                    {graph.pad(exchanged, low, high, 0), number}));
}

LogicalResult convertTile(tosa::TileOp op, Translator &translator) {
  Value input = translator.get(op.getInput1());
  RankedTensorType type = translator.resultType(op.getOutput());
  Integers repeats;
  for (auto [from, to] : llvm::zip_equal(shapeOf(input), type.getShape()))
    repeats.push_back(to / from);
  GraphBuilder &graph = translator.graph();
  return translator.set(
      op.getOutput(),
      graph.op("repeat", input, type,
               graph.attr("repeat_dimensions",
                          graph.getBuilder().getDenseI64ArrayAttr(repeats))));
}

LogicalResult convertReverse(tosa::ReverseOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput1());
  int64_t extent = shapeOf(input)[op.getAxis()];
  if (failed(expectAtMost(op, "elements in the order of the result", kMaxTable,
                          extent)))
    return failure();
  SmallVector<int32_t> backwards;
  for (int64_t i = extent - 1; i >= 0; --i)
    backwards.push_back(i);
  auto type = RankedTensorType::get(extent, graph.getBuilder().getI32Type());
  Value indices =
      graph.constant(DenseElementsAttr::get(type, ArrayRef<int32_t>(backwards))
                         .bitcast(graph.getIndexType()));
  return translator.set(op.getOutput(),
                        graph.take(input, op.getAxis(), indices));
}

/// values (N, K, C) at indices (N, W): one batched gather of rows.
LogicalResult convertGather(tosa::GatherOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  OpBuilder &builder = graph.getBuilder();
  Value values = translator.get(op.getValues());
  auto array = [&](Shape numbers) {
    return builder.getDenseI64ArrayAttr(numbers);
  };
  auto si64 = builder.getIntegerType(64, /*isSigned=*/true);
  return translator.set(
      op.getOutput(),
      graph.op(
          "gather", {values, translator.get(op.getIndices())},
          translator.resultType(op.getOutput()),
          {graph.attr("offset_dims", array(2)),
           graph.attr("collapsed_slice_dims", array(1)),
           graph.attr("operand_batching_dims", array(0)),
           graph.attr("start_indices_batching_dims", array(0)),
           graph.attr("start_index_map", array(1)),
           graph.attr("index_vector_dim", builder.getIntegerAttr(si64, 2)),
           graph.attr("slice_sizes", array({1, 1, shapeOf(values).back()}))}));
}

/// Rows of (N, K, C) replaced at indices (N, W): one batched scatter of rows.
LogicalResult convertScatter(tosa::ScatterOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  OpBuilder &builder = graph.getBuilder();
  auto array = [&](Shape numbers) {
    return builder.getDenseI64ArrayAttr(numbers);
  };
  auto si64 = builder.getIntegerType(64, /*isSigned=*/true);
  return translator.set(
      op.getValuesOut(),
      graph.op("scatter",
               {translator.get(op.getValuesIn()),
                translator.get(op.getIndices()), translator.get(op.getInput())},
               translator.resultType(op.getValuesOut()),
               {graph.attr("update_window_dims", array(2)),
                graph.attr("inserted_window_dims", array(1)),
                graph.attr("input_batching_dims", array(0)),
                graph.attr("scatter_indices_batching_dims", array(0)),
                graph.attr("scatter_dims_to_operand_dims", array(1)),
                graph.attr("index_vector_dim", builder.getIntegerAttr(si64, 2)),
                graph.attr("reduce_type",
                           ReduceTypeAttr::get(builder.getContext(),
                                               ReduceType::Invalid))}));
}

/// A reduction that keeps its dimension.
template <typename OpT>
LogicalResult convertReduction(OpT op, Translator &translator) {
  StringRef name = llvm::StringSwitch<StringRef>(OpT::getOperationName())
                       .Case("tosa.reduce_sum", "sum")
                       .Case("tosa.reduce_product", "prod")
                       .Cases({"tosa.reduce_max", "tosa.reduce_any"}, "max")
                       .Cases({"tosa.reduce_min", "tosa.reduce_all"}, "min");
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput());
  int64_t dim = op.getAxis();
  auto reduce = [&](StringRef name, Value value) -> Value {
    return graph.reduce(name, value, dim, /*keepDim=*/true);
  };
  if constexpr (std::is_same_v<OpT, tosa::ReduceMaxOp> ||
                std::is_same_v<OpT, tosa::ReduceMinOp>)
    if (op.getNanMode() == tosa::NanPropagationMode::IGNORE &&
        isa<FloatType>(elementOf(input))) {
      // NaN where there is nothing else.
      Value isNaN = graph.isNaN(input);
      Value found = reduce(name, withoutNaN(graph, input, name == "max"));
      return translator.set(
          op.getOutput(),
          graph.select(reduce("min", isNaN), reduce("max", input), found));
    }
  return translator.set(op.getOutput(), reduce(name, input));
}

LogicalResult convertArgMax(tosa::ArgMaxOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput());
  OpBuilder &builder = graph.getBuilder();
  RankedTensorType type = translator.resultType(op.getOutput());
  auto argmax = [&](Value value) -> Value {
    return graph.op(
        "argmax", value, type,
        {graph.attr("keep_dim", builder.getBoolAttr(false)),
         graph.attr("dim_arg", builder.getI32ArrayAttr(
                                   {static_cast<int32_t>(op.getAxis())}))});
  };
  if (op.getNanMode() != tosa::NanPropagationMode::IGNORE ||
      !isa<FloatType>(elementOf(input)))
    return translator.set(op.getOutput(), argmax(input));
  // Where the greatest number is minus infinity, it is the first element that
  // is not NaN.
  Value others = withoutNaN(graph, input, /*isMax=*/true);
  Value greatest = graph.reduce("max", others, op.getAxis(), /*keepDim=*/false);
  greatest = graph.reshape(greatest, type.getShape());
  Value isNumber =
      graph.cast(graph.predicate("eq", {input, input}), builder.getF32Type());
  Value nothing = graph.predicate(
      "eq", {greatest, graph.scalar(-INFINITY, elementOf(input))});
  return translator.set(
      op.getOutput(), graph.select(nothing, argmax(isNumber), argmax(others)));
}

LogicalResult convertMatMul(tosa::MatMulOp op, Translator &translator) {
  FailureOr<Factor> a = shifted(op, op.getA(), op.getAZp(), translator);
  FailureOr<Factor> b = shifted(op, op.getB(), op.getBZp(), translator);
  if (failed(a) || failed(b))
    return failure();
  Type element = translator.resultType(op.getOutput()).getElementType();
  auto product = [&](Value a, Value b) -> Value {
    return translator.graph().matmul(a, b, element);
  };
  if (isWide(op.getOutput().getType()))
    return setWideSums(op, *a, *b, shapeOf(a->value).back(), /*bias=*/nullptr,
                       product, translator);
  return translator.set(op.getOutput(), product(a->value, b->value));
}

} // namespace

Value withoutNaN(GraphBuilder &graph, Value input, bool isMax) {
  Value neutral = graph.scalar(isMax ? -INFINITY : INFINITY, elementOf(input));
  return graph.select(graph.isNaN(input), neutral, input);
}

void addTosaTensorRules(Rules &rules) {
  rules.add<tosa::ConstOp>(typed<tosa::ConstOp, convertConst>);
  rules.allowWide<tosa::ConstOp>();
  rules.add<tosa::ConstShapeOp>(skipConstShape);
  rules.add<tosa::ReshapeOp>(typed<tosa::ReshapeOp, convertReshape>);
  rules.add<tosa::TransposeOp>(typed<tosa::TransposeOp, convertTranspose>);
  rules.add<tosa::ConcatOp>(typed<tosa::ConcatOp, convertConcat>);
  rules.add<tosa::SliceOp>(typed<tosa::SliceOp, convertSlice>);
  rules.add<tosa::PadOp>(typed<tosa::PadOp, convertPad>);
  rules.add<tosa::TileOp>(typed<tosa::TileOp, convertTile>);
  rules.add<tosa::ReverseOp>(typed<tosa::ReverseOp, convertReverse>);
  rules.add<tosa::GatherOp>(typed<tosa::GatherOp, convertGather>);
  rules.add<tosa::ScatterOp>(typed<tosa::ScatterOp, convertScatter>);
  rules.add<tosa::ArgMaxOp>(typed<tosa::ArgMaxOp, convertArgMax>);
  rules.add<tosa::MatMulOp>(typed<tosa::MatMulOp, convertMatMul>,
                            /*parametersFrom=*/2);
  rules.allowWide<tosa::MatMulOp>();
  rules.add<tosa::ReduceSumOp>(
      typed<tosa::ReduceSumOp, convertReduction<tosa::ReduceSumOp>>);
  rules.add<tosa::ReduceProductOp>(
      typed<tosa::ReduceProductOp, convertReduction<tosa::ReduceProductOp>>);
  rules.add<tosa::ReduceMaxOp>(
      typed<tosa::ReduceMaxOp, convertReduction<tosa::ReduceMaxOp>>);
  rules.add<tosa::ReduceMinOp>(
      typed<tosa::ReduceMinOp, convertReduction<tosa::ReduceMinOp>>);
  rules.add<tosa::ReduceAllOp>(
      typed<tosa::ReduceAllOp, convertReduction<tosa::ReduceAllOp>>);
  rules.add<tosa::ReduceAnyOp>(
      typed<tosa::ReduceAnyOp, convertReduction<tosa::ReduceAnyOp>>);

  rules.reject<tosa::FFT2dOp, tosa::RFFT2dOp>("it has no Fourier transform");
  rules.reject<tosa::IfOp, tosa::WhileOp>(
      "--convert-scf-to-tt makes parts of the program of it before");
  rules.reject<tosa::VariableOp, tosa::VariableReadOp, tosa::VariableWriteOp>(
      "--convert-scf-to-tt makes arguments and results of it before");
  rules.reject<tosa::CustomOp>("its meaning is not known");
}

} // namespace mlir::tt
