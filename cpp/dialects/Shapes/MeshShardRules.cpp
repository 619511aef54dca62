#include "dialects/Shapes/CollectiveRules.h"
#include "dialects/Shapes/ShapeRules.h"
#include "dialects/TT/Bounds.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::tt::shapes {

/// One shard of each dimension, no axis that splits one.
static LogicalResult verifyReplicated(Operation *op, const MeshShard &shard) {
  for (int64_t count : shard.shardShape)
    if (count != 1)
      return op->emitOpError("shard_shape of a replicated tensor must be one "
                             "shard: expected 1, found ")
             << count;
  for (int64_t dim : shard.shardDims)
    if (dim != -1)
      return op->emitOpError("shard_dims of a replicated tensor must split no "
                             "dimension: expected -1, found ")
             << dim;
  return success();
}

static LogicalResult verifyShards(Operation *op, const MeshShard &shard) {
  int64_t rank = shard.input.getRank();
  if (static_cast<int64_t>(shard.shardShape.size()) != rank)
    return op->emitOpError("shard_shape must have an entry for each of the ")
           << rank << " dimensions of the input: found "
           << shard.shardShape.size();
  for (int64_t count : shard.shardShape)
    if (count < 1)
      return op->emitOpError("shard_shape must be positive: found ") << count;
  for (int64_t dim : shard.shardDims)
    if (dim < -1 || dim >= rank)
      return op->emitOpError("shard_dims must be dimensions of the input, or "
                             "-1 for none: expected numbers below ")
             << rank << ", found " << dim;
  return success();
}

static FailureOr<Shape> inferOutput(Operation *op, const MeshShard &shard) {
  if (shard.type == MeshShardType::Maximal)
    return op->emitOpError("shard_type is not supported: expected replicate or "
                           "devices, found maximal");
  bool isReplicated = shard.type == MeshShardType::Replicate;
  if (failed(isReplicated ? verifyReplicated(op, shard)
                          : verifyShards(op, shard)))
    return failure();

  bool toShard = shard.direction == MeshShardDirection::FullToShard;
  Shape shape(shard.input.getShape());
  for (auto [d, extent] : llvm::enumerate(shape)) {
    int64_t count = isReplicated ? 1 : shard.shardShape[d];
    if (ShapedType::isDynamic(extent))
      continue;
    if (toShard && extent % count != 0)
      return op->emitOpError("shards must be of equal size: expected an extent "
                             "that ")
             << count << " shards divide in dimension " << d << ", found "
             << toString(shard.input.getShape());
    extent = toShard ? extent / count : saturatedVolume({extent, count});
  }
  return shape;
}

LogicalResult verifyMeshShard(Operation *op, const MeshShard &shard) {
  if (shard.input.getElementType() != shard.output.getElementType())
    return op->emitOpError("input and output must have one element type: "
                           "found ")
           << shard.input.getElementType() << " and "
           << shard.output.getElementType();
  if (shard.input.getRank() != shard.output.getRank())
    return op->emitOpError("input and output must have one rank: found ")
           << shard.input.getRank() << " and " << shard.output.getRank();
  return expectShape(op, inferOutput(op, shard), shard.output);
}

LogicalResult verifyMeshShardOnMesh(Operation *op, const MeshShard &shard,
                                    const Mesh &mesh) {
  if (shard.type == MeshShardType::Replicate)
    return success();
  if (static_cast<int64_t>(shard.shardDims.size()) != mesh.getRank())
    return op->emitOpError("shard_dims must have an entry for each axis of the "
                           "mesh ")
           << mesh.str() << ": expected " << mesh.getRank() << ", found "
           << shard.shardDims.size();
  SmallVector<int64_t> expected(shard.input.getRank(), 1);
  for (auto [dim, extent] : llvm::zip(shard.shardDims, mesh.getShape()))
    if (dim >= 0)
      expected[dim] *= extent;
  if (shard.shardShape == ArrayRef(expected))
    return success();
  return op->emitOpError("shard_shape must be the chips of the mesh ")
         << mesh.str() << " along the axes that split each dimension: "
         << "expected " << toString(expected) << ", found "
         << toString(shard.shardShape);
}

FailureOr<SmallVector<Shape>>
inferMeshShard(Operation *op, const MeshShard &shard, const Mesh &mesh) {
  FailureOr<Shape> shape = inferOutput(op, shard);
  if (failed(shape) || failed(verifyMeshShardOnMesh(op, shard, mesh)))
    return failure();
  return SmallVector<Shape>{std::move(*shape)};
}

LogicalResult verifyOneFormat(Operation *op) {
  auto getFormat = [](Type type) -> std::optional<DataType> {
    auto layout = dyn_cast_if_present<LayoutAttr>(
        cast<RankedTensorType>(type).getEncoding());
    return layout ? elementTypeToDataType(layout.getElementType())
                  : std::nullopt;
  };
  auto input = getFormat(op->getOperand(0).getType());
  auto result = getFormat(op->getResult(0).getType());
  if (!input || !result || input == result)
    return success();
  return op->emitOpError("input and result must be stored in one format: "
                         "found ")
         << stringifyEnum(*input) << " and " << stringifyEnum(*result);
}

LogicalResult verifyInSystemMemory(Operation *op, bool inSystemMemory) {
  auto verify = [&](Type type, StringRef what) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto layout = tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding())
                         : LayoutAttr();
    if (!layout || layout.isSystemMemorySpace() == inSystemMemory)
      return success();
    return op->emitOpError(what)
           << " must be "
           << (inSystemMemory ? "in system memory" : "on the device")
           << ": found " << stringifyEnum(layout.getMemorySpace());
  };
  for (Type type : op->getOperandTypes())
    if (failed(verify(type, "input")))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verify(type, "result")))
      return failure();
  return success();
}

} // namespace mlir::tt::shapes
