// Tables of what concerns the chips of a mesh: decoding and rules.
#include "common/operations.h"
#include "common/step_checker.h"

namespace tt::runtime {

namespace target = ::tt::target;

Sharding readSharding(target::MeshShardOp const *op, std::size_t rank,
                      std::size_t meshRank) {
  checkEnumerator("a shard type", op->shard_type());
  checkEnumerator("a shard direction", op->shard_direction());
  if (op->shard_type() == target::MeshShardType::Maximal)
    raise(ErrorCategory::Unsupported,
          "expected shard type Replicate or Devices, found Maximal");
  // What a replicated tensor says of shards has no meaning.
  if (op->shard_type() == target::MeshShardType::Replicate)
    return replicated(rank, meshRank);
  return {readVector(op->shard_shape(), "shard_shape"),
          readVector(op->shard_dims(), "shard_dims")};
}

Step decode(Decoder &d, target::MeshShardOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  Sharding sharding =
      readSharding(op, d.shape(in).size(), d.meshShape().size());
  return MeshShardStep{
      op->shard_direction() == target::MeshShardDirection::ShardToFull, in,
      d.result(op->out()), std::move(sharding), d.meshShape()};
}

void StepChecker::operator()(const MeshShardStep &s) const {
  for (ValueIndex value : {s.in, s.out})
    if (layout(value).onDevice())
      malformed("expected tensors on the host, found ",
                layout(value).describe());
  try {
    const Shape &full = shape(s.toFull ? s.out : s.in);
    expectShape(s.toFull ? "in" : "out",
                shardShape(s.sharding, full, s.meshShape),
                shape(s.toFull ? s.in : s.out));
  } catch (const Error &error) {
    raise(ErrorCategory::Format, error.what());
  }
}

} // namespace tt::runtime
