// How a tensor is cut for the chips of a mesh: the pure description.
#ifndef TT_RUNTIME_COMMON_SHARDING_H
#define TT_RUNTIME_COMMON_SHARDING_H

#include "ttmlir/Target/Common/collective_generated.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tt::runtime {

struct Sharding {
  // Shards of each dimension of the tensor.
  std::vector<std::int64_t> shape;
  // For each axis of the mesh the dimension that it splits, -1 for none. Where
  // several axes split one dimension the first of them is the outermost.
  std::vector<std::int64_t> dims;

  /// "4x2 shards, dims [0, 1], on mesh 4x2".
  std::string describe(const std::vector<std::uint32_t> &meshShape) const;
};

/// Every chip has the whole of a tensor of this rank.
Sharding replicated(std::size_t rank, std::size_t meshRank);

/// What a file says of a tensor of this rank. Throws Error(Format) or
/// Error(Unsupported) that name the field.
Sharding readSharding(::tt::target::MeshShardOp const *op, std::size_t rank,
                      std::size_t meshRank);

/// The shape of one shard of a tensor of shape `full`. Throws Error(Argument)
/// that names sharding and mesh where they do not fit each other or where the
/// shards would not be equal.
std::vector<std::int64_t>
shardShape(const Sharding &sharding, const std::vector<std::int64_t> &full,
           const std::vector<std::uint32_t> &meshShape);

/// The shape of the tensor whose shards have the shape `shard`; throws
/// likewise.
std::vector<std::int64_t>
fullShape(const Sharding &sharding, const std::vector<std::int64_t> &shard,
          const std::vector<std::uint32_t> &meshShape);

/// Index of the shard of a position, in each dimension of the tensor.
std::vector<std::int64_t>
shardIndex(const Sharding &sharding,
           const std::vector<std::uint32_t> &meshShape, std::uint32_t position);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_SHARDING_H
