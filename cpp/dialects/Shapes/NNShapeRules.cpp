#include "dialects/Shapes/HeadRules.h"

namespace mlir::tt::shapes {

static LogicalResult expectTable(Operation *op, RankedTensorType weight) {
  if (weight.getRank() == 2)
    return success();
  return op->emitOpError("Weight must be a 2D tensor")
         << ": found rank " << weight.getRank();
}

FailureOr<Shape> inferEmbedding(Operation *op, RankedTensorType input,
                                RankedTensorType weight) {
  if (failed(expectTable(op, weight)))
    return failure();
  Shape shape(input.getShape());
  shape.push_back(weight.getDimSize(1));
  return shape;
}

LogicalResult verifyEmbedding(Operation *op, RankedTensorType output,
                              RankedTensorType input, RankedTensorType weight) {
  FailureOr<Shape> expected = inferEmbedding(op, input, weight);
  if (succeeded(expected) && output.getRank() != input.getRank() + 1)
    return op->emitOpError("Output must have one dimension more than input")
           << ": expected rank " << input.getRank() + 1 << ", found "
           << output.getRank();
  return expectShape(op, expected, output,
                     "Output must have the shape of the input and the width of "
                     "the weight: expected ");
}

FailureOr<Shape> inferEmbeddingBackward(Operation *op, RankedTensorType input,
                                        RankedTensorType weight,
                                        RankedTensorType gradient) {
  if (failed(expectTable(op, weight)))
    return failure();
  int64_t width = weight.getDimSize(1);
  if (gradient.getRank() < 1 || gradient.getShape().back() != width)
    return op->emitOpError("Gradient must end in the width of the weight: "
                           "expected ")
           << width << ", found " << toString(gradient.getShape());
  if (gradient.hasStaticShape() && input.hasStaticShape() &&
      gradient.getNumElements() != input.getNumElements() * width)
    return op->emitOpError("Gradient must have a row for each element of the "
                           "input: expected ")
           << input.getNumElements() << " rows, found "
           << toString(gradient.getShape());
  return Shape(weight.getShape());
}

LogicalResult verifyEmbeddingBackward(Operation *op, RankedTensorType output,
                                      RankedTensorType input,
                                      RankedTensorType weight,
                                      RankedTensorType gradient) {
  return expectShape(op, inferEmbeddingBackward(op, input, weight, gradient),
                     output,
                     "Output must have the shape of the weight: expected ");
}

/// An output of the input's shape.
static LogicalResult expectSameShape(Operation *op, RankedTensorType input,
                                     RankedTensorType output) {
  if (input.getShape() == output.getShape())
    return success();
  return op->emitOpError("Input and output shapes must be the same")
         << ": found " << toString(input.getShape()) << " and "
         << toString(output.getShape());
}

FailureOr<Shape> inferSoftmax(Operation *op, RankedTensorType input,
                              int64_t dimension) {
  int64_t rank = input.getRank();
  if (!normalizeDim(dimension, rank))
    return op->emitOpError(
               "Dimension attribute must be within the bounds of the input "
               "tensor")
           << ": expected a dimension in [" << -rank << ", " << rank
           << "), found " << dimension;
  return Shape(input.getShape());
}

LogicalResult verifySoftmax(Operation *op, RankedTensorType output,
                            RankedTensorType input, int64_t dimension) {
  if (failed(expectSameShape(op, input, output)))
    return failure();
  return inferSoftmax(op, input, dimension);
}

FailureOr<Shape> inferNorm(Operation *op, RankedTensorType input,
                           RankedTensorType weight, RankedTensorType bias,
                           ArrayRef<int64_t> normalizedShape,
                           const APFloat &epsilon) {
  size_t rank = input.getRank();
  if (normalizedShape.empty() || normalizedShape.size() > rank ||
      input.getShape().take_back(normalizedShape.size()) != normalizedShape)
    return op->emitOpError("normalized_shape must be the innermost extents of "
                           "the input: expected 1 to ")
           << rank << " of " << toString(input.getShape()) << ", found "
           << (normalizedShape.empty() ? "none" : toString(normalizedShape));
  for (auto [name, type] :
       {std::pair<StringRef, RankedTensorType>{"Weight", weight},
        {"Bias", bias}})
    if (type && type.getShape() != normalizedShape)
      return op->emitOpError(name)
             << " must have the normalized shape: expected "
             << toString(normalizedShape) << ", found "
             << toString(type.getShape());
  if (epsilon.isNegative() && !epsilon.isZero())
    return op->emitOpError("epsilon must not be negative: found ")
           << epsilon.convertToDouble();
  return Shape(input.getShape());
}

LogicalResult verifyNorm(Operation *op, RankedTensorType output,
                         RankedTensorType input, RankedTensorType weight,
                         RankedTensorType bias,
                         ArrayRef<int64_t> normalizedShape,
                         const APFloat &epsilon) {
  if (failed(expectSameShape(op, input, output)))
    return failure();
  return inferNorm(op, input, weight, bias, normalizedShape, epsilon);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

LogicalResult verifyAttention(Operation *op, ArrayRef<int64_t> query,
                              ArrayRef<int64_t> key, ArrayRef<int64_t> value) {
  for (ArrayRef<int64_t> shape : {query, key, value})
    if (shape.size() != 4)
      return op->emitOpError("expected query, key and value of rank 4, found ")
             << toString(query) << ", " << toString(key) << " and "
             << toString(value);
  if (query[0] != key[0] || query[0] != value[0] || key[1] != value[1] ||
      key[2] != value[2] || query[3] != key[3])
    return op->emitOpError("expected a query BxHxSxD, a key BxGxTxD and a "
                           "value BxGxTxE, found ")
           << toString(query) << ", " << toString(key) << " and "
           << toString(value);
  if (key[1] == 0 || query[1] % key[1])
    return op->emitOpError("the heads of the keys must divide those of the "
                           "queries: found ")
           << key[1] << " and " << query[1];
  return success();
}

LogicalResult verifyAttentionMask(Operation *op, Value mask, bool isCausal,
                                  ArrayRef<int64_t> scores) {
  if (!mask)
    return success();
  if (isCausal)
    return op->emitOpError("is_causal and attention_mask exclude each other: "
                           "found both");
  auto found = cast<RankedTensorType>(mask.getType()).getShape();
  bool fits = found.size() == scores.size();
  for (size_t i = 0; fits && i < scores.size(); ++i)
    fits = found[i] == scores[i] || found[i] == 1;
  if (fits)
    return success();
  return op->emitOpError("expected an attention_mask that broadcasts to ")
         << toString(scores) << ", found " << toString(found);
}

LogicalResult verifyAttentionSink(Operation *op, Value sink, int64_t heads) {
  if (!sink)
    return success();
  auto shape = cast<RankedTensorType>(sink.getType()).getShape();
  if (!shape.empty() && shape.size() <= 2 && shape[0] == heads)
    return success();
  return op->emitOpError("expected an attention_sink of ")
         << heads << " rows, found " << toString(shape);
}

LogicalResult verifyPositions(Operation *op, Value positions, bool isCausal,
                              ArrayRef<int64_t> queries) {
  if (!positions)
    return success();
  if (!isCausal)
    return op->emitOpError("expected is_causal with positions: found positions "
                           "without is_causal");
  auto type = cast<RankedTensorType>(positions.getType());
  bool fits = type.getRank() == 2 && isa<IntegerType>(type.getElementType());
  for (unsigned dim = 0; fits && dim < 2; ++dim)
    fits = type.getDimSize(dim) == queries[dim] || type.getDimSize(dim) == 1;
  if (fits)
    return success();
  return op->emitOpError("expected integer positions that broadcast to ")
         << toString(queries) << ", found " << type;
}

FailureOr<Shape> inferPaged(Operation *op, RankedTensorType blocks, Value table,
                            int64_t batches) {
  if (!table)
    return Shape(blocks.getShape());
  if (blocks.getRank() != 4)
    return op->emitOpError("expected keys and values of rank 4, found ")
           << toString(blocks.getShape());
  auto type = cast<RankedTensorType>(table.getType());
  if (type.getRank() != 2 || type.getDimSize(0) != batches ||
      !isa<IntegerType>(type.getElementType()))
    return op->emitOpError("expected a page_table of integers with ")
           << batches << " rows, found " << type;
  return Shape{batches, blocks.getDimSize(1),
               type.getDimSize(1) * blocks.getDimSize(2), blocks.getDimSize(3)};
}

LogicalResult verifySameBlocks(Operation *op, ArrayRef<int64_t> key,
                               ArrayRef<int64_t> value) {
  if (key.take_front(3) == value.take_front(3))
    return success();
  return op->emitOpError("expected keys and values with the same number of "
                         "blocks and heads and the same block size, found ")
         << toString(key) << " and " << toString(value);
}

FailureOr<Shape> inferAttention(Operation *op, RankedTensorType query,
                                RankedTensorType key, RankedTensorType value,
                                Value mask, Value sink, Value positions,
                                Value pageTable, bool isCausal) {
  ArrayRef<int64_t> of = query.getShape();
  int64_t batches = of.empty() ? 0 : of[0];
  FailureOr<Shape> keys = inferPaged(op, key, pageTable, batches);
  FailureOr<Shape> values = inferPaged(op, value, pageTable, batches);
  if (failed(keys) || failed(values) ||
      (pageTable &&
       failed(verifySameBlocks(op, key.getShape(), value.getShape()))) ||
      failed(verifyAttention(op, of, *keys, *values)) ||
      failed(verifyAttentionMask(op, mask, isCausal && !positions,
                                 {of[0], of[1], of[2], (*keys)[2]})) ||
      failed(verifyAttentionSink(op, sink, of[1])) ||
      failed(verifyPositions(op, positions, isCausal, {of[0], of[2]})))
    return failure();
  return Shape{of[0], of[1], of[2], (*values)[3]};
}

FailureOr<SmallVector<Shape>>
inferSplitHeads(Operation *op, RankedTensorType input, RankedTensorType kvInput,
                int64_t heads, int64_t kvHeads, bool transposeKey) {
  ArrayRef<int64_t> rest = kvInput ? kvInput.getShape() : ArrayRef<int64_t>();
  if (input.getRank() != 3 || (kvInput && rest.size() != 3) ||
      (kvInput && rest[0] != input.getDimSize(0)))
    return op->emitOpError("expected inputs of rank 3 and of one batch, found ")
           << toString(input.getShape()) << (kvInput ? " and " : "")
           << (kvInput ? toString(rest) : "");
  if (heads < 1 || kvHeads < 1)
    return op->emitOpError("expected positive numbers of heads, found ")
           << heads << " and " << kvHeads;
  int64_t width = input.getDimSize(2);
  int64_t parts = kvInput ? heads : heads + 2 * kvHeads;
  if (width % parts)
    return op->emitOpError("expected a multiple of ")
           << parts << " heads in the last dimension, found " << width;
  int64_t size = width / parts;
  if (kvInput && rest[2] != 2 * kvHeads * size)
    return op->emitOpError("expected ")
           << 2 * kvHeads * size << " in the last dimension of kv_input_tensor"
           << ", found " << rest[2];
  int64_t batch = input.getDimSize(0), places = input.getDimSize(1);
  int64_t keys = kvInput ? rest[1] : places;
  Shape key{batch, kvHeads, keys, size};
  if (transposeKey)
    std::swap(key[2], key[3]);
  return SmallVector<Shape>{Shape{batch, heads, places, size}, key,
                            Shape{batch, kvHeads, keys, size}};
}

FailureOr<Shape> inferConcatenateHeads(Operation *op, RankedTensorType input) {
  ArrayRef<int64_t> shape = input.getShape();
  if (shape.size() != 4)
    return op->emitOpError("expected an input of rank 4, found ")
           << toString(shape);
  return Shape{shape[0], shape[2], shape[1] * shape[3]};
}

FailureOr<Shape> inferRotaryEmbedding(Operation *op, RankedTensorType input,
                                      RankedTensorType cos,
                                      RankedTensorType sin) {
  for (RankedTensorType type : {input, cos, sin})
    if (!isa<FloatType>(type.getElementType()))
      return op->emitOpError("expected tensors of floats, found ") << type;
  ArrayRef<int64_t> shape = input.getShape(), angles = cos.getShape();
  if (shape.size() != 4 || shape[3] % 2)
    return op->emitOpError("expected an input of rank 4 with an even number of "
                           "columns, found ")
           << toString(shape);
  bool fits = angles == sin.getShape() && angles.size() == 4 &&
              angles[1] == 1 && angles[3] == shape[3];
  for (unsigned dim : {0, 2})
    fits = fits && (angles[dim] == 1 || angles[dim] == shape[dim]);
  if (!fits)
    return op->emitOpError("expected cos_cache and sin_cache of ")
           << toString({shape[0], 1, shape[2], shape[3]})
           << ", or with 1 for its batches or positions, found "
           << toString(angles) << " and " << toString(sin.getShape());
  return Shape(shape);
}

} // namespace mlir::tt::shapes
