// Meshes of chips with chosen links, and tensors on them.
#ifndef TTMLIR_UNITTESTS_RUNTIME_MESH_SUPPORT_H
#define TTMLIR_UNITTESTS_RUNTIME_MESH_SUPPORT_H

#include "collectives/collectives.h"
#include "emulator/fabric.h"
#include "emulator/tensor_copy.h"
#include "tt/runtime/runtime.h"
#include "ttmlir/Version.h"

#include <utility>
#include <vector>

namespace tt::runtime::test {

using Shape = std::vector<std::int64_t>;
using MeshShape = std::vector<std::uint32_t>;
using Values = std::vector<float>;
using emulator::TensorPtr;

/// A system of `chips` chips as those of n150, joined by `links`.
SystemDesc
linkedSystem(std::uint32_t chips,
             const std::vector<std::pair<std::uint32_t, std::uint32_t>> &links);

/// The links of a line of chips, `each` between neighbours; `ring` closes it.
std::vector<std::pair<std::uint32_t, std::uint32_t>>
lineLinks(std::uint32_t chips, bool ring, int each = 1);

/// The chips of a system by position, and the links between them; divided among
/// the ranks if there are any.
struct TestMesh {
  TestMesh(const SystemDesc &desc, MeshShape shape,
           const std::vector<int> &ids = {},
           std::shared_ptr<emulator::Ranks> ranks = nullptr);
  emulator::Fabric fabric;

  std::uint32_t size() const { return fabric.positions(); }
  const ChipGeometry &geometry() const { return fabric.chip(0)->geometry(); }
  /// Bytes and packets between two positions, over all links.
  emulator::FabricLink between(std::uint32_t from, std::uint32_t to) const;
};

/// A tensor of a chip with row-major values, rounded to its type; without any
/// if another rank has the chip.
TensorPtr place(TestMesh &mesh, std::uint32_t position, const Layout &layout,
                const Values &values);
/// A tensor for each position with values that differ everywhere.
std::vector<TensorPtr> placeAll(TestMesh &mesh, const Layout &layout);
std::vector<TensorPtr> allocateAll(TestMesh &mesh, const Layout &layout);

Values valuesOf(const TensorPtr &tensor);

/// What a loop over elements makes of the tensors: the results by position.
std::vector<Values> expectedOf(const Collective &collective, const Shape &in,
                               const Shape &out,
                               const std::vector<Values> &tensors);

} // namespace tt::runtime::test

#endif // TTMLIR_UNITTESTS_RUNTIME_MESH_SUPPORT_H
