#include "common/collective.h"

#include "common/shapes.h"

namespace tt::runtime {

const char *collectiveName(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllGather:
    return "all_gather";
  case CollectiveKind::ReduceScatter:
    return "reduce_scatter";
  case CollectiveKind::AllReduce:
    return "all_reduce";
  case CollectiveKind::Permute:
    return "collective_permute";
  case CollectiveKind::Partition:
    return "mesh_partition";
  case CollectiveKind::AllToAll:
    return "all_to_all";
  case CollectiveKind::Broadcast:
    return "collective_broadcast";
  }
  return "collective";
}

std::string meshString(const std::vector<std::uint32_t> &meshShape) {
  std::string text;
  for (std::uint32_t extent : meshShape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

std::uint32_t meshVolume(const std::vector<std::uint32_t> &meshShape) {
  std::uint32_t volume = 1;
  for (std::uint32_t extent : meshShape)
    volume *= extent;
  return volume;
}

std::vector<CollectiveGroup>
groupsAlong(const std::vector<std::uint32_t> &meshShape, std::uint32_t axis) {
  if (axis >= meshShape.size())
    malformed("expected a cluster axis below ", meshShape.size(), " on mesh ",
              meshString(meshShape), ", found ", axis);
  std::uint32_t inner = 1;
  for (std::size_t d = axis + 1; d < meshShape.size(); ++d)
    inner *= meshShape[d];
  const std::uint32_t extent = meshShape[axis];
  std::vector<CollectiveGroup> groups;
  for (std::uint32_t p = 0; p < meshVolume(meshShape); ++p) {
    if (p / inner % extent)
      continue;
    CollectiveGroup group;
    for (std::uint32_t i = 0; i < extent; ++i)
      group.push_back(p + i * inner);
    groups.push_back(std::move(group));
  }
  return groups;
}

} // namespace tt::runtime
