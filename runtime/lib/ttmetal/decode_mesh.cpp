// Decodes what concerns the chips of a mesh.
#include "ttmetal/decoder.h"

#include <algorithm>

namespace tt::runtime::ttmetal {

namespace target = ::tt::target;

void Decoder::mesh(fb::DeviceProgram const *device, std::size_t numChips) {
  auto const *extents = device->mesh_shape();
  auto const *ids = device->chip_ids();
  if (!extents && !ids)
    return; // the first chip
  MeshDevice &mesh = program_.mesh;
  mesh.meshShape.clear();
  std::uint64_t volume = 1;
  for (std::size_t i = 0; extents && i < extents->size(); ++i) {
    mesh.meshShape.push_back(extents->Get(unsigned(i)));
    volume = std::min<std::uint64_t>(volume * mesh.meshShape.back(), 1u << 31);
  }
  if (mesh.meshShape.empty() || volume == 0 || !ids || ids->size() != volume)
    malformed("expected the extents of a mesh in field mesh_shape and as many "
              "chips in field chip_ids, found mesh ",
              meshString(mesh.meshShape), " and ", ids ? ids->size() : 0,
              " chips");
  for (std::uint32_t id : *ids) {
    if (id >= numChips)
      malformed("expected chip ids below ", numChips, " for mesh ",
                meshString(mesh.meshShape), ", found ", id);
    if (std::count(mesh.chipIds.begin(), mesh.chipIds.end(), id))
      malformed("expected each chip once in mesh ", meshString(mesh.meshShape),
                ", found ", id, " more than once");
    mesh.chipIds.push_back(id);
  }
}

MeshShardStep Decoder::meshShard(target::MeshShardOp const *op) {
  const ValueIndex in = hostTensor(op->in(), "in");
  const ValueIndex out = hostTensor(op->out(), "out");
  const bool toFull =
      op->shard_direction() == target::MeshShardDirection::ShardToFull;
  const auto &mesh = program_.mesh.meshShape;
  const auto &full = value(toFull ? out : in).layout.shape;
  const auto &found = value(toFull ? in : out).layout.shape;
  MeshShardStep step{in, out, toFull,
                     readSharding(op, full.size(), mesh.size())};
  std::vector<std::int64_t> expected;
  try {
    expected = shardShape(step.sharding, full, mesh);
  } catch (const Error &error) {
    raise(ErrorCategory::Format, error.what());
  }
  if (found != expected)
    malformed("expected shards of ", shapeString(expected), ", found ",
              shapeString(found));
  return step;
}

CollectiveStep Decoder::collective(target::CollectiveOp const *op) {
  const ValueIndex in = deviceTensor(op->in(), "in");
  const ValueIndex out = deviceTensor(op->out(), "out");
  const Layout &from = value(in).layout;
  CollectiveStep step{
      in, out, readCollective(op, program_.mesh.meshShape, from.shape.size())};
  checkCollective(step.collective, from, value(out).layout);
  return step;
}

} // namespace tt::runtime::ttmetal
