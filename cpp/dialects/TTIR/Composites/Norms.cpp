#include "dialects/TTIR/Composites/Composites.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

//===----------------------------------------------------------------------===//
// batch_norm_inference
//===----------------------------------------------------------------------===//

/// The extent of the dimension that has statistics of its own.
template <typename BatchNormOp>
static FailureOr<int64_t> getFeatures(BatchNormOp op) {
  RankedTensorType type = op.getOperand().getType();
  int64_t dim = static_cast<int32_t>(op.getDimension());
  if (dim < 0 || dim >= type.getRank())
    return op.emitOpError("dimension must be in [0, ")
           << type.getRank() << "): found " << dim;
  return type.getDimSize(dim);
}

Shapes BatchNormInferenceOp::inferShapes() {
  FailureOr<int64_t> features = getFeatures(*this);
  if (failed(features) ||
      failed(verifyVector(*this, "scale", getScale(), *features)) ||
      failed(verifyVector(*this, "offset", getOffset(), *features)) ||
      failed(verifyVector(*this, "mean", getMean(), *features)) ||
      failed(verifyVector(*this, "variance", getVariance(), *features)))
    return failure();
  return SmallVector<shapes::Shape>{
      shapes::Shape(getOperand().getType().getShape())};
}

/// (x - mean) / sqrt(variance + epsilon) * scale + offset, with tensors that
/// broadcast.
static Value normalize(GraphBuilder &b, Value x, Value mean, Value variance,
                       Value scale, Value offset, float epsilon, Type element) {
  Type f32 = b.getBuilder().getF32Type();
  Value centred = b.eltwise("subtract", {x, mean}, f32);
  Value shifted = b.eltwise("add", {variance, b.scalar(epsilon, f32)}, f32);
  Value factor =
      b.eltwise("multiply", {b.eltwise("rsqrt", shifted), scale}, f32);
  Value scaled = b.eltwise("multiply", {centred, factor}, f32);
  return b.eltwise("add", {scaled, offset}, element);
}

Expansion BatchNormInferenceOp::expand(GraphBuilder &b) {
  int64_t rank = typeOf(getOperand()).getRank(), dim = getDimension();
  auto along = [&](Value vector) { return alongDim(b, vector, rank, dim); };
  return SmallVector<Value>{
      normalize(b, getOperand(), along(getMean()), along(getVariance()),
                along(getScale()), along(getOffset()),
                getEpsilon().convertToFloat(), getType().getElementType())};
}

//===----------------------------------------------------------------------===//
// batch_norm_training
//===----------------------------------------------------------------------===//

Shapes BatchNormTrainingOp::inferShapes() {
  FailureOr<int64_t> features = getFeatures(*this);
  if (failed(features) ||
      failed(verifyVector(*this, "scale", getScale(), *features)) ||
      failed(verifyVector(*this, "offset", getOffset(), *features)) ||
      failed(
          verifyVector(*this, "running_mean", getRunningMean(), *features)) ||
      failed(verifyVector(*this, "running_variance", getRunningVariance(),
                          *features)))
    return failure();
  SmallVector<shapes::Shape> found(5, shapes::Shape{*features});
  found[0] = shapes::Shape(getOperand().getType().getShape());
  return found;
}

/// The mean over `dims`, which stay with extent 1, in f32.
static Value meanOver(GraphBuilder &b, Value x, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= shapeOf(x)[dim];
  return b.eltwise(
      "div", {b.reduce("sum", x, dims, true), b.scalar(count, elementOf(x))});
}

Expansion BatchNormTrainingOp::expand(GraphBuilder &b) {
  int64_t rank = typeOf(getOperand()).getRank(), dim = getDimension();
  Type f32 = b.getBuilder().getF32Type();
  SmallVector<int64_t> others;
  for (int64_t other : range(rank))
    if (other != dim)
      others.push_back(other);
  auto element = [&](unsigned i) { return elementOf(getResults()[i]); };
  auto along = [&](Value vector) { return alongDim(b, vector, rank, dim); };
  auto flat = [&](Value value) {
    return b.reshape(value, shapeOf(value)[dim]);
  };
  Value x = toF32(b, getOperand());
  Value mean = x, variance;
  if (!others.empty())
    mean = meanOver(b, x, others);
  Value centred = b.eltwise("subtract", {x, mean});
  variance = b.eltwise("multiply", {centred, centred});
  if (!others.empty())
    variance = meanOver(b, variance, others);
  float momentum = getMomentum().convertToFloat();
  auto blend = [&](Value running, Value batch, unsigned i) {
    Value kept =
        b.eltwise("multiply", {running, b.scalar(1 - momentum, f32)}, f32);
    Value added = b.eltwise("multiply", {batch, b.scalar(momentum, f32)}, f32);
    return b.eltwise("add", {kept, added}, element(i));
  };
  Value flatMean = flat(mean), flatVariance = flat(variance);
  Value result =
      normalize(b, x, mean, variance, along(getScale()), along(getOffset()),
                getEpsilon().convertToFloat(), element(0));
  return SmallVector<Value>{result, b.cast(flatMean, element(1)),
                            b.cast(flatVariance, element(2)),
                            blend(getRunningMean(), flatMean, 3),
                            blend(getRunningVariance(), flatVariance, 4)};
}

//===----------------------------------------------------------------------===//
// group_norm
//===----------------------------------------------------------------------===//

Shapes GroupNormOp::inferShapes() {
  RankedTensorType type = getInput().getType();
  int64_t dim = getChannelDim(), groups = getNumGroups();
  if (dim < 1 || dim >= type.getRank())
    return emitOpError("channel_dim must be in [1, ")
           << type.getRank() << "): found " << dim;
  int64_t channels = type.getDimSize(dim);
  if (groups < 1 || channels % groups)
    return emitOpError("num_groups must divide the ")
           << channels << " channels: found " << groups;
  if (failed(verifyVector(*this, "weight", getWeight(), channels)) ||
      failed(verifyVector(*this, "bias", getBias(), channels)))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape(type.getShape())};
}

Expansion GroupNormOp::expand(GraphBuilder &b) {
  ArrayRef<int64_t> shape = shapeOf(getInput());
  int64_t rank = shape.size(), dim = getChannelDim(), groups = getNumGroups();
  Type f32 = b.getBuilder().getF32Type();
  // Batch, what is in front of the channels, groups, channels of one, the rest.
  int64_t before = 1, behind = 1;
  for (int64_t i : range(rank))
    (i > dim ? behind : before) *= i == 0 || i == dim ? 1 : shape[i];
  SmallVector<int64_t> split{shape[0], before, groups, shape[dim] / groups,
                             behind};
  Value x = b.reshape(toF32(b, getInput()), split);
  Value mean = meanOver(b, x, {1, 3, 4});
  Value centred = b.eltwise("subtract", {x, mean});
  Value variance =
      meanOver(b, b.eltwise("multiply", {centred, centred}), {1, 3, 4});
  Value shifted = b.eltwise(
      "add", {variance, b.scalar(getEpsilon().convertToFloat(), f32)});
  Value normal = b.eltwise("multiply", {centred, b.eltwise("rsqrt", shifted)});
  normal = b.reshape(normal, shape);
  if (Value weight = getWeight())
    normal = b.eltwise("multiply", {normal, alongDim(b, weight, rank, dim)});
  if (Value bias = getBias())
    normal = b.eltwise("add", {normal, alongDim(b, bias, rank, dim)});
  return SmallVector<Value>{b.cast(normal, getType().getElementType())};
}

//===----------------------------------------------------------------------===//
// Norms of tensors whose last dimension the chips of a mesh share
//===----------------------------------------------------------------------===//

template <typename NormOp> static Shapes inferDistributed(NormOp op) {
  RankedTensorType type = op.getInput().getType();
  if (type.getRank() < 1)
    return op.emitOpError("expected an input of rank 1 or more, found 0");
  if (failed(
          verifyVector(op, "weight", op.getWeight(), type.getShape().back())))
    return failure();
  if (Value residual = op.getResidual();
      residual && shapeOf(residual) != type.getShape())
    return op.emitOpError("expected a residual of the input's shape: expected ")
           << shapes::toString(type.getShape()) << ", found "
           << shapes::toString(shapeOf(residual));
  return SmallVector<shapes::Shape>{shapes::Shape(type.getShape())};
}

/// The mean along the last dimension of the tensors of all chips along the
/// axis.
static Value meanOfChips(GraphBuilder &b, Value x, uint32_t axis) {
  OpBuilder &builder = b.getBuilder();
  Value own = meanOver(b, x, typeOf(x).getRank() - 1);
  return b.op(
      "all_reduce", own, typeOf(own),
      {b.attr("cluster_axis",
              builder.getIntegerAttr(builder.getIntegerType(32, false), axis)),
       b.attr("operandSegmentSizes", builder.getDenseI32ArrayAttr({1, 1})),
       b.attr("reduce_type",
              ReduceTypeAttr::get(builder.getContext(), ReduceType::Mean))});
}

template <typename NormOp>
static Value normalizeShard(NormOp op, GraphBuilder &b, Value x, Value bias) {
  Type f32 = b.getBuilder().getF32Type();
  Value square =
      meanOfChips(b, b.eltwise("multiply", {x, x}), op.getClusterAxis());
  Value shifted = b.eltwise(
      "add", {square, b.scalar(op.getEpsilon().convertToFloat(), f32)});
  Value normal = b.eltwise("multiply", {x, b.eltwise("rsqrt", shifted)});
  if (Value weight = op.getWeight())
    normal = b.eltwise("multiply", {normal, weight});
  if (bias)
    normal = b.eltwise("add", {normal, bias});
  return b.cast(normal, op.getType().getElementType());
}

template <typename NormOp>
static Value withResidual(NormOp op, GraphBuilder &b) {
  Value x = toF32(b, op.getInput());
  if (Value residual = op.getResidual())
    x = b.eltwise("add", {x, residual});
  return x;
}

Shapes DistributedRMSNormOp::inferShapes() { return inferDistributed(*this); }

Expansion DistributedRMSNormOp::expand(GraphBuilder &b) {
  return SmallVector<Value>{
      normalizeShard(*this, b, withResidual(*this, b), Value())};
}

Shapes DistributedLayerNormOp::inferShapes() {
  Shapes found = inferDistributed(*this);
  if (failed(found) ||
      failed(verifyVector(*this, "bias", getBias(), found->front().back())))
    return failure();
  return found;
}

Expansion DistributedLayerNormOp::expand(GraphBuilder &b) {
  Value x = withResidual(*this, b);
  Value mean = meanOfChips(b, x, getClusterAxis());
  return SmallVector<Value>{
      normalizeShard(*this, b, b.eltwise("subtract", {x, mean}), getBias())};
}
