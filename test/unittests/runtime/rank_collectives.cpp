// Collectives of several ranks: the bits and the times of one process.
#include "mesh_support.h"
#include "rank_support.h"

#include "testing/testing.h"

#include <mutex>

using namespace tt::runtime;
using namespace tt::runtime::test;
using emulator::Ranks;
using numerics::DType;

namespace {

struct Case {
  Collective collective;
  Shape in, out;
};

struct Results {
  std::vector<Values> values; // by position
  collectives::CollectiveCost cost;
};

/// Runs a collective; the values of positions of other ranks stay empty.
Results run(TestMesh &mesh, const Case &c, DType type, bool tiled) {
  const auto layout = [&](const Shape &shape) {
    return interleavedLayout(shape, type, tiled, mesh.geometry());
  };
  const auto ins = placeAll(mesh, layout(c.in));
  const auto outs = allocateAll(mesh, layout(c.out));
  Results results;
  results.cost = collectives::run(c.collective, mesh.fabric, ins, outs);
  for (std::uint32_t p = 0; p < mesh.size(); ++p)
    results.values.push_back(
        mesh.fabric.ownership().isLocal(p) ? valuesOf(outs[p]) : Values());
  return results;
}

/// Every kind along an axis of the mesh, on slices of `slice` elements.
std::vector<Case> casesOn(const MeshShape &mesh, std::uint32_t axis,
                          std::int64_t slice) {
  const auto size = std::int64_t(mesh[axis]);
  const Shape part = {slice, 40 * size}, whole = {slice * size, 40 * size};
  std::vector<Case> cases;
  const auto add = [&](CollectiveKind kind, const Shape &in, const Shape &out) {
    Collective c;
    c.kind = kind;
    c.meshShape = mesh;
    c.groups = groupsAlong(mesh, axis);
    if (kind == CollectiveKind::AllToAll)
      c.concatDim = 1;
    if (kind == CollectiveKind::Permute) {
      c.groups.clear();
      for (std::uint32_t p = 0; p + 1 < meshVolume(mesh); ++p)
        if (p % mesh[1] + 1 < mesh[1])
          c.pairs.emplace_back(p, p + 1);
      c.pairs.emplace_back(0, 0);
    }
    cases.push_back({c, in, out});
  };
  add(CollectiveKind::AllGather, part, whole);
  add(CollectiveKind::ReduceScatter, whole, part);
  add(CollectiveKind::AllReduce, whole, whole);
  add(CollectiveKind::Partition, whole, part);
  add(CollectiveKind::AllToAll, whole, {slice, 40 * size * size});
  add(CollectiveKind::Broadcast, whole, whole);
  add(CollectiveKind::Permute, part, part);
  return cases;
}

void compare(const Case &c, DType type, bool tiled, const SystemDesc &desc,
             std::uint32_t size) {
  TestMesh mesh(desc, c.collective.meshShape);
  const Results expected = run(mesh, c, type, tiled);
  std::mutex mutex;
  onRanks(size, [&](const std::shared_ptr<Ranks> &ranks) {
    TestMesh own(desc, c.collective.meshShape, {}, ranks);
    const Results found = run(own, c, type, tiled);
    std::lock_guard lock(mutex);
    const std::string what = std::string(collectiveName(c.collective.kind)) +
                             " of " + shapeString(c.in) + " on mesh " +
                             meshString(c.collective.meshShape) + ", rank " +
                             std::to_string(ranks->rank());
    EXPECT_EQ(found.cost.cycles, expected.cost.cycles) << what;
    EXPECT_EQ(found.cost.bytes, expected.cost.bytes) << what;
    std::size_t local = 0;
    for (std::size_t p = 0; p < expected.values.size(); ++p) {
      local += !found.values[p].empty();
      EXPECT_TRUE(found.values[p].empty() ||
                  found.values[p] == expected.values[p])
          << what << ", position " << p;
    }
    EXPECT_EQ(local, expected.values.size() / size) << what;
  });
}

} // namespace

TEST(RankCollectives, TheBitsAndTimesOfOneProcess) {
  const SystemDesc desc = system_desc::getDefaultSystemDesc("t3000");
  for (std::uint32_t axis : {0u, 1u})
    for (std::int64_t slice : {32, 8}) // whole tiles, and parts of them
      for (const Case &c : casesOn({2, 4}, axis, slice))
        for (std::uint32_t size : {2u, 8u}) {
          compare(c, DType::BF16, true, desc, size);
          compare(c, DType::F32, false, desc, size);
        }
}

TEST(RankCollectives, BlockFloatsOnARing) {
  const SystemDesc desc = linkedSystem(4, lineLinks(4, true));
  for (const Case &c : casesOn({1, 4}, 1, 32))
    for (std::uint32_t size : {2u, 4u})
      compare(c, DType::BFP8, true, desc, size);
}

TEST(RankCollectives, OtherRanksHaveNoMemoryHere) {
  onRanks(2, [](const std::shared_ptr<Ranks> &ranks) {
    TestMesh mesh(linkedSystem(2, lineLinks(2, false)), {1, 2}, {}, ranks);
    const auto tensors = placeAll(
        mesh, interleavedLayout({32, 32}, DType::F32, true, mesh.geometry()));
    const std::uint32_t other = 1 - ranks->rank();
    EXPECT_TRUE(tensors[other]->remote());
    EXPECT_EQ(tensors[other]->buffer->address(),
              tensors[ranks->rank()]->buffer->address());
    EXPECT_THROW(tensors[other]->view(), Error);
  });
}
