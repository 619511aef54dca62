#include "common/collective.h"

#include "common/fields.h"

namespace tt::runtime {

namespace target = ::tt::target;

CollectiveKind kindOf(target::CollectiveType type) {
  using Type = target::CollectiveType;
  switch (type) {
  case Type::AllGather:
    return CollectiveKind::AllGather;
  case Type::ReduceScatter:
    return CollectiveKind::ReduceScatter;
  case Type::AllReduce:
    return CollectiveKind::AllReduce;
  case Type::CollectivePermute:
    return CollectiveKind::Permute;
  case Type::MeshPartition:
    return CollectiveKind::Partition;
  case Type::AllToAll:
    return CollectiveKind::AllToAll;
  case Type::CollectiveBroadcast:
    return CollectiveKind::Broadcast;
  }
  malformed("expected a collective type up to ",
            unsigned(target::CollectiveType::MAX), ", found ", unsigned(type));
}

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

//===-- Files -------------------------------------------------------------===//

namespace {

ReduceKind reduceOf(target::CollectiveOp const *op) {
  if (!op->reduce_type())
    malformed("expected a type in field reduce_type, found none");
  switch (*op->reduce_type()) {
  case target::ReduceType::Sum:
    return ReduceKind::Sum;
  case target::ReduceType::Mean:
    return ReduceKind::Mean;
  case target::ReduceType::Max:
    return ReduceKind::Max;
  case target::ReduceType::Min:
    return ReduceKind::Min;
  case target::ReduceType::Std:
  case target::ReduceType::Var:
  case target::ReduceType::Prod:
  case target::ReduceType::Invalid:
    raise(ErrorCategory::Unsupported,
          "expected reduce type Sum, Mean, Max or Min, found ",
          target::EnumNameReduceType(*op->reduce_type()));
  }
  malformed("expected a reduce type up to ", unsigned(target::ReduceType::MAX),
            ", found ", unsigned(*op->reduce_type()));
}

/// The groups of field `groups`, each of its positions in the mesh.
std::vector<CollectiveGroup> readGroups(target::CollectiveOp const *op,
                                        const Collective &c) {
  const auto positions = readVector(op->groups(), "groups");
  const std::size_t size = op->group_size() ? *op->group_size() : 0;
  if (size == 0 || positions.empty() || positions.size() % size)
    malformed("expected a multiple of group_size elements in field groups, "
              "found ",
              positions.size(), " elements and group_size ", size);
  const std::int64_t volume = meshVolume(c.meshShape);
  std::vector<CollectiveGroup> groups;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] < 0 || positions[i] >= volume)
      malformed("expected positions from 0 to ", volume - 1, " of mesh ",
                meshString(c.meshShape), " in field groups, found ",
                positions[i]);
    if (i % size == 0)
      groups.emplace_back();
    groups.back().push_back(std::uint32_t(positions[i]));
  }
  return groups;
}

/// Throws where a position is in `positions` twice.
void expectOnce(const Collective &c, const char *what,
                const std::vector<std::uint32_t> &positions) {
  std::vector<bool> seen(meshVolume(c.meshShape), false);
  for (std::uint32_t position : positions) {
    if (seen[position])
      malformed("expected every position of mesh ", meshString(c.meshShape),
                " once as ", what, ", found ", position, " twice");
    seen[position] = true;
  }
}

void readPairs(target::CollectiveOp const *op, Collective &c) {
  std::vector<std::uint32_t> sources, targets;
  if (!op->groups() || op->groups()->size() == 0)
    return; // nobody sends
  for (const CollectiveGroup &pair : readGroups(op, c)) {
    if (pair.size() != 2)
      malformed("expected group_size 2 of pairs, found ", pair.size());
    sources.push_back(pair[0]);
    targets.push_back(pair[1]);
    c.pairs.emplace_back(pair[0], pair[1]);
  }
  expectOnce(c, "a source", sources);
  expectOnce(c, "a target", targets);
}

/// The chips that work together.
void readChips(target::CollectiveOp const *op, Collective &c) {
  switch (c.kind) {
  case CollectiveKind::Permute:
    return readPairs(op, c);
  case CollectiveKind::AllToAll:
  case CollectiveKind::Broadcast: {
    c.groups = readGroups(op, c);
    CollectiveGroup all;
    for (const CollectiveGroup &group : c.groups)
      all.insert(all.end(), group.begin(), group.end());
    expectOnce(c, "a member of a group", all);
    if (c.kind == CollectiveKind::AllToAll &&
        all.size() != meshVolume(c.meshShape))
      malformed("expected all ", meshVolume(c.meshShape), " positions of mesh ",
                meshString(c.meshShape), " in field groups, found ",
                all.size());
    return;
  }
  default:
    break;
  }
  if (op->cluster_axis()) {
    c.groups = groupsAlong(c.meshShape, *op->cluster_axis());
    return;
  }
  if (c.kind != CollectiveKind::Partition)
    malformed("expected an axis in field cluster_axis, found none");
  c.groups.emplace_back();
  for (std::uint32_t i = 0; i < meshVolume(c.meshShape); ++i)
    c.groups.back().push_back(i);
}

std::int64_t readDim(flatbuffers::Optional<std::int32_t> dim, std::size_t rank,
                     const char *field) {
  if (!dim)
    malformed("expected a dimension in field ", field, ", found none");
  return normalizeDim(*dim, rank, field);
}

bool hasDim(CollectiveKind kind) {
  return kind == CollectiveKind::AllGather ||
         kind == CollectiveKind::ReduceScatter ||
         kind == CollectiveKind::Partition || kind == CollectiveKind::AllToAll;
}

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::ReduceScatter ||
         kind == CollectiveKind::AllReduce;
}

} // namespace

Collective readCollective(target::CollectiveOp const *op,
                          const std::vector<std::uint32_t> &meshShape,
                          std::size_t rank) {
  Collective c;
  c.kind = kindOf(op->type());
  c.meshShape = meshShape;
  readChips(op, c);
  if (hasDim(c.kind))
    c.dim = readDim(op->dim(), rank, "dim");
  if (reduces(c.kind))
    c.reduce = reduceOf(op);
  if (c.kind == CollectiveKind::AllToAll) {
    c.concatDim = readDim(op->concat_dim(), rank, "concat_dim");
    const std::size_t size = c.groups.front().size();
    if (!op->split_count() || *op->split_count() != std::int64_t(size))
      malformed("expected a split_count of ", size,
                ", the chips of a group on mesh ", meshString(meshShape),
                ", found ", op->split_count().value_or(0));
  }
  c.numLinks = op->num_links().value_or(1);
  if (c.numLinks == 0)
    malformed("expected at least one link in field num_links, found 0");
  if (op->overlap_slices()) {
    if (!reduces(c.kind))
      malformed("expected no field overlap_slices in ", collectiveName(c.kind),
                ", found ", *op->overlap_slices());
    if (*op->overlap_slices() == 0)
      malformed("expected at least one slice in field overlap_slices, found 0");
    c.overlapSlices = *op->overlap_slices();
  }
  if (op->topology()) {
    checkEnumerator("a topology", *op->topology());
    c.topology = *op->topology() == target::Topology::Ring ? Topology::Ring
                                                           : Topology::Linear;
  }
  return c;
}

std::vector<std::int64_t> collectiveShape(const Collective &c,
                                          std::vector<std::int64_t> shape) {
  if (!hasDim(c.kind))
    return shape;
  const auto size = std::int64_t(c.groups.front().size());
  const auto whole = shape;
  std::int64_t &extent = shape[std::size_t(c.dim)];
  if (c.kind == CollectiveKind::AllGather) {
    extent *= size;
    return shape;
  }
  if (extent % size)
    malformed("expected equal shards for the ", size,
              " chips of a group on mesh ", meshString(c.meshShape),
              ", found extent ", extent, " of dimension ", c.dim, " of ",
              shapeString(whole));
  extent /= size;
  if (c.kind == CollectiveKind::AllToAll)
    shape[std::size_t(c.concatDim)] *= size;
  return shape;
}

void checkCollective(const Collective &c, const Layout &in, const Layout &out) {
  for (const Layout *tensor : {&in, &out})
    if (!tensor->onDevice())
      malformed("expected tensors on the device, found ", tensor->describe());
  if (in.type != out.type)
    malformed("expected one data type in fields in and out, found ",
              numerics::dtypeName(in.type), " and ",
              numerics::dtypeName(out.type));
  if (reduces(c.kind) && c.reduce == ReduceKind::Mean &&
      numerics::isInteger(in.type))
    malformed("expected a floating-point tensor for a mean, found ",
              numerics::dtypeName(in.type));
  const auto expected = collectiveShape(c, in.shape);
  if (expected != out.shape)
    malformed("on mesh ", meshString(c.meshShape), ": expected a result of ",
              shapeString(expected), " in field out, found ",
              shapeString(out.shape));
}

} // namespace tt::runtime
