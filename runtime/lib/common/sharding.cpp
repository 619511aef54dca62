#include "common/sharding.h"

#include "common/collective.h"
#include "common/fields.h"
#include "common/layout.h"
#include "tt/runtime/error.h"

namespace tt::runtime {

namespace target = ::tt::target;

namespace {

using Extents = std::vector<std::int64_t>;
using MeshShape = std::vector<std::uint32_t>;

std::string list(const Extents &values) {
  std::string text;
  for (std::int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "[" + text + "]";
}

/// What does not depend on the extents of the tensor.
void check(const Sharding &s, std::size_t rank, const MeshShape &mesh) {
  const auto fail = [&](const auto &...parts) {
    raise(ErrorCategory::Argument, s.describe(mesh), ": ", parts...);
  };
  if (s.shape.size() != rank)
    fail("expected a number of shards for each of ", rank,
         " dimensions of the tensor, found ", s.shape.size());
  if (s.dims.size() != mesh.size())
    fail("expected a dimension or -1 for each of ", mesh.size(),
         " axes of the mesh, found ", s.dims.size());
  // Chips that split each dimension.
  Extents chips(rank, 1);
  for (std::size_t axis = 0; axis < mesh.size(); ++axis) {
    const std::int64_t dim = s.dims[axis];
    if (dim < -1 || dim >= std::int64_t(rank))
      fail("expected dimensions from -1 to ", std::int64_t(rank) - 1,
           ", found ", dim, " for axis ", axis, " of the mesh");
    if (dim >= 0)
      chips[std::size_t(dim)] *= mesh[axis];
  }
  for (std::size_t d = 0; d < rank; ++d)
    if (s.shape[d] != chips[d])
      fail("expected ", chips[d], " shards of dimension ", d,
           ", one for each chip that splits it, found ", s.shape[d]);
}

} // namespace

std::string Sharding::describe(const MeshShape &meshShape) const {
  return shapeString(shape) + " shards, dims " + list(dims) + ", on mesh " +
         meshString(meshShape);
}

Sharding replicated(std::size_t rank, std::size_t meshRank) {
  return {Extents(rank, 1), Extents(meshRank, -1)};
}

Extents shardShape(const Sharding &sharding, const Extents &full,
                   const MeshShape &meshShape) {
  check(sharding, full.size(), meshShape);
  Extents shard = full;
  for (std::size_t d = 0; d < full.size(); ++d) {
    if (full[d] % sharding.shape[d])
      raise(ErrorCategory::Argument, sharding.describe(meshShape),
            ": expected equal shards, found extent ", full[d], " of dimension ",
            d, " of ", shapeString(full), ", which is no multiple of ",
            sharding.shape[d]);
    shard[d] /= sharding.shape[d];
  }
  return shard;
}

Extents fullShape(const Sharding &sharding, const Extents &shard,
                  const MeshShape &meshShape) {
  check(sharding, shard.size(), meshShape);
  Extents full = shard;
  for (std::size_t d = 0; d < full.size(); ++d)
    full[d] *= sharding.shape[d];
  return full;
}

Extents shardIndex(const Sharding &sharding, const MeshShape &meshShape,
                   std::uint32_t position) {
  Extents index(sharding.shape.size(), 0), scale(sharding.shape.size(), 1);
  for (std::size_t axis = meshShape.size(); axis-- > 0;) {
    const std::uint32_t coordinate = position % meshShape[axis];
    position /= meshShape[axis];
    if (sharding.dims[axis] < 0)
      continue;
    const auto dim = std::size_t(sharding.dims[axis]);
    index[dim] += coordinate * scale[dim];
    scale[dim] *= meshShape[axis];
  }
  return index;
}

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

} // namespace tt::runtime
