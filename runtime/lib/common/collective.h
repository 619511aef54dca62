// A collective operation: what the chips of a mesh do together, without the
// tensors. Chips are named by position, the row-major index in the mesh.
#ifndef TT_RUNTIME_COMMON_COLLECTIVE_H
#define TT_RUNTIME_COMMON_COLLECTIVE_H

#include "common/layout.h"
#include "ttmlir/Target/Common/collective_generated.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tt::runtime {

enum class CollectiveKind : std::uint8_t {
  AllGather,     // every chip gets the tensors of its group, joined along dim
  ReduceScatter, // chip i gets slice i along dim of the reduction
  AllReduce,     // every chip gets the reduction
  Permute,       // tensors move as `pairs` say; not a target: zeros
  Partition,     // chip i keeps slice i along dim of its own tensor
  AllToAll,      // slice j along dim goes to chip j, joined along concatDim
  Broadcast,     // the first of a group sends; in no group: zeros
};

enum class ReduceKind : std::uint8_t { Sum, Mean, Max, Min };

enum class Topology : std::uint8_t { Ring, Linear };

/// Positions that communicate, in the order of their slices.
using CollectiveGroup = std::vector<std::uint32_t>;

struct Collective {
  CollectiveKind kind = CollectiveKind::AllGather;
  std::vector<std::uint32_t> meshShape;
  // No position twice. All but Permute and Broadcast: of equal size, and every
  // position in one of them.
  std::vector<CollectiveGroup> groups;
  std::int64_t dim = 0;       // gathered, scattered, partitioned or split; >= 0
  std::int64_t concatDim = 0; // of AllToAll
  ReduceKind reduce = ReduceKind::Sum;                        // of reductions
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs; // of Permute
  std::optional<Topology> topology; // absent: a ring where the links are
  std::uint32_t numLinks = 1;       // between neighbours
  // In which the product that makes the operand computes it, while earlier
  // ones are sent; 0: the collective begins after it. Of reductions.
  std::uint32_t overlapSlices = 0;

  bool operator==(const Collective &) const = default;
};

/// Throws Error(Format) for a type that is none.
CollectiveKind kindOf(::tt::target::CollectiveType type);

/// "all_gather", "reduce_scatter", ...
const char *collectiveName(CollectiveKind kind);

/// "1x8".
std::string meshString(const std::vector<std::uint32_t> &meshShape);

/// Chips of a mesh.
std::uint32_t meshVolume(const std::vector<std::uint32_t> &meshShape);

/// The groups along an axis of the mesh: on 2x4, axis 1 gives the two rows and
/// axis 0 the four columns. Throws Error(Format) for an axis that the mesh does
/// not have.
std::vector<CollectiveGroup>
groupsAlong(const std::vector<std::uint32_t> &meshShape, std::uint32_t axis);

/// Reads the description of a file for a mesh and an operand of that rank;
/// throws Error(Format) or Error(Unsupported) that name field and mesh.
Collective readCollective(::tt::target::CollectiveOp const *op,
                          const std::vector<std::uint32_t> &meshShape,
                          std::size_t rank);

/// The shape of the result; throws Error(Format) where an extent does not
/// divide by the chips of a group.
std::vector<std::int64_t> collectiveShape(const Collective &collective,
                                          std::vector<std::int64_t> shape);

/// Throws Error(Format) unless the result of an operand `in` may be `out`.
void checkCollective(const Collective &collective, const Layout &in,
                     const Layout &out);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_COLLECTIVE_H
