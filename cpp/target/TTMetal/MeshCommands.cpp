#include "target/TTMetal/MeshCommands.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::serialization;

/// A number that the table may be without.
template <typename Number>
static ::flatbuffers::Optional<Number> optionalNumber(IntegerAttr attr) {
  if (!attr)
    return ::flatbuffers::nullopt;
  return static_cast<Number>(attr.getValue().getZExtValue());
}

/// The enumerators of the schema have the numbers of the attributes.
template <typename Enum, typename Attr>
static ::flatbuffers::Optional<Enum> optionalEnum(Attr attr) {
  if (!attr)
    return ::flatbuffers::nullopt;
  return static_cast<Enum>(attr.getValue());
}

Offset<fbs::CollectiveOp>
ttmetal::serializeCollective(FlatbufferObjectCache &cache, CollectiveOp op) {
  auto in = tensorRef(cache, op.getInput());
  auto out = tensorRef(cache, op.getOutput());
  Offset<Vector<int64_t>> groups;
  ::flatbuffers::Optional<uint32_t> groupSize;
  if (ElementsAttr attr = op.getGroupsAttr()) {
    SmallVector<int64_t> positions(attr.getValues<int64_t>());
    groups = cache.fbb->CreateVector(positions.data(), positions.size());
    groupSize = static_cast<uint32_t>(attr.getShapedType().getShape().back());
  }
  return fbs::CreateCollectiveOp(
      *cache.fbb, static_cast<fbs::CollectiveType>(op.getKind()), in, out,
      optionalEnum<fbs::ReduceType>(op.getReduceTypeAttr()),
      optionalNumber<int32_t>(op.getDimAttr()),
      optionalNumber<int32_t>(op.getConcatDimAttr()),
      optionalNumber<int32_t>(op.getSplitCountAttr()),
      optionalNumber<uint32_t>(op.getClusterAxisAttr()), groups, groupSize,
      optionalNumber<uint32_t>(op.getNumLinksAttr()),
      optionalEnum<fbs::Topology>(op.getTopologyAttr()));
}

Offset<fbs::MeshShardOp>
ttmetal::serializeMeshShard(FlatbufferObjectCache &cache, MeshShardOp op) {
  auto in = tensorRef(cache, op.getInput());
  auto out = tensorRef(cache, op.getOutput());
  ArrayRef<int64_t> shape = op.getShardShape(), dims = op.getShardDims();
  auto shardShape = cache.fbb->CreateVector(shape.data(), shape.size());
  auto shardDims = cache.fbb->CreateVector(dims.data(), dims.size());
  return fbs::CreateMeshShardOp(
      *cache.fbb, in, out, static_cast<fbs::MeshShardType>(op.getShardType()),
      static_cast<fbs::MeshShardDirection>(op.getShardDirection()), shardShape,
      shardDims);
}
