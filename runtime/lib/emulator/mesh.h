// Tensors of a mesh: one tensor for each chip, by position. All shapes are in
// elements; errors are Error(Argument) and name the mesh.
#ifndef TT_RUNTIME_EMULATOR_MESH_H
#define TT_RUNTIME_EMULATOR_MESH_H

#include "common/hosts.h"
#include "common/sharding.h"
#include "emulator/device.h"
#include "emulator/tensor.h"

namespace tt::runtime::emulator {

/// Throws unless the extents are positive and have at most 1024 chips.
void checkMeshShape(const std::vector<std::uint32_t> &meshShape);

/// A tensor of a mesh of one shard for each position; none of them is null or a
/// tensor of a mesh. Throws unless they have one shape and type.
TensorPtr meshTensor(std::vector<TensorPtr> shards,
                     std::vector<std::uint32_t> meshShape);

/// The same tensor for all chips of a mesh; it is shared.
TensorPtr repeatTensor(const TensorPtr &tensor,
                       const std::vector<std::uint32_t> &meshShape);

/// Cuts a tensor into shards on the host, whose layout is `layout`. Positions
/// that get the same shard share it. Only the shards of this rank are made.
TensorPtr shardTensor(const TensorPtr &full, const Sharding &sharding,
                      const std::vector<std::uint32_t> &meshShape,
                      const Layout &layout, const Ownership &ownership = {});

/// Puts the shards of a tensor of a mesh together on the host; `layout` is that
/// of the whole. Throws where chips that have the same shard do not have equal
/// elements. Of a divided mesh all ranks call it, and all get the whole.
TensorPtr aggregateTensor(const TensorPtr &tensor, const Sharding &sharding,
                          const Layout &layout);

/// Reads the shardings of the inputs and outputs that callers of a program keep
/// as shards. Throws Error(Format) for shards that do not fit.
template <typename Program, typename Table>
void readShardings(Program &program, Table const *table,
                   const std::vector<std::uint32_t> &meshShape) {
  const auto layouts = [&](auto const &values) {
    std::vector<const Layout *> all;
    for (auto value : values)
      all.push_back(&program.values[value].layout);
    return all;
  };
  program.inputShardings = decodeShardings("input_hosts", table->input_hosts(),
                                           layouts(program.inputs), meshShape);
  program.outputShardings =
      decodeShardings("output_hosts", table->output_hosts(),
                      layouts(program.outputs), meshShape);
}

/// The shape of the whole tensor if its sharding is known, else that of a
/// shard.
std::vector<std::int64_t> shapeOf(const TensorData &tensor);

/// Converts input `index` of a program on the host to the sharding that the
/// program expects. Returns the tensor itself if it has this sharding, or if
/// its sharding is unknown.
TensorPtr takeShards(const Shardings &shardings, std::size_t index,
                     const std::vector<std::uint32_t> &meshShape,
                     TensorPtr tensor, const Ownership &ownership);

/// Returns output `index` of a program with its sharding.
TensorPtr withSharding(const Shardings &shardings, std::size_t index,
                       TensorPtr tensor);

/// Returns a mesh tensor as one tensor: the replicated one, or the joined
/// shards if their sharding is known. Returns other tensors as they are. Throws
/// unless all copies of an element are equal. Of a divided mesh all ranks call
/// it, and all get the whole.
TensorPtr commonTensor(const TensorPtr &tensor);

/// The shards of a tensor of a mesh. Of a divided mesh all ranks call it; those
/// of other ranks are copies on the host.
std::vector<TensorPtr> allShards(const TensorPtr &tensor);

/// Copies of a tensor on each of the chips, which form a mesh if they are more
/// than one. `what` names it in messages.
TensorPtr placeOnChips(const TensorPtr &source, const Layout &layout,
                       const Chips &chips,
                       const std::vector<std::uint32_t> &meshShape,
                       const std::string &what);

/// What the chip at a position has of a tensor.
inline const TensorPtr &shardOf(const TensorPtr &tensor, std::size_t position) {
  return tensor->onMesh() ? tensor->shards[position] : tensor;
}

/// `made` is of the rank that `like` is of.
TensorPtr ownedLike(TensorPtr made, const TensorPtr &like);

/// body(shard) for each shard, or for the tensor itself if it is not of a mesh.
template <typename Body>
void forShards(const TensorPtr &tensor, const Body &body) {
  if (!tensor->onMesh())
    return body(tensor);
  for (const TensorPtr &shard : tensor->shards)
    body(shard);
}

/// True if the tensor is on the host, or on `chips`.
bool liesOn(const TensorPtr &tensor, const Chips &chips);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_MESH_H
