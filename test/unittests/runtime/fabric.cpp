// Links of a mesh: ways, counts, packets and times.
#include "mesh_support.h"

#include "testing/testing.h"

#include <cmath>
#include <cstring>
#include <numeric>

using namespace tt::runtime;
using namespace tt::runtime::test;

namespace {

std::vector<std::uint32_t> places(const std::vector<emulator::FabricHop> &way) {
  std::vector<std::uint32_t> result;
  for (const emulator::FabricHop &hop : way)
    result.push_back(hop.to);
  return result;
}

using Places = std::vector<std::uint32_t>;

TEST(Fabric, waysGoAxisByAxis) {
  TestMesh mesh(system_desc::getDefaultSystemDesc("t3000"), {2, 4});
  EXPECT_EQ(places(mesh.fabric.route(0, 7)), (Places{1, 2, 3, 7}));
  EXPECT_EQ(places(mesh.fabric.route(6, 1)), (Places{5, 1}));
  EXPECT_EQ(places(mesh.fabric.route(5, 5)), Places{});
  EXPECT_FALSE(mesh.fabric.wraps(0));
  EXPECT_FALSE(mesh.fabric.wraps(1));
}

TEST(Fabric, ringsAreCrossedTheShortWay) {
  TestMesh mesh(system_desc::getDefaultSystemDesc("t3000"), {1, 8},
                {0, 1, 2, 3, 7, 6, 5, 4});
  EXPECT_TRUE(mesh.fabric.wraps(1));
  EXPECT_EQ(places(mesh.fabric.route(0, 6)), (Places{7, 6}));
  EXPECT_EQ(places(mesh.fabric.route(6, 1)), (Places{7, 0, 1}));
  EXPECT_EQ(places(mesh.fabric.route(1, 5)), (Places{0, 7, 6, 5}));
  EXPECT_EQ(places(mesh.fabric.route(0, 4)), (Places{1, 2, 3, 4}));
  EXPECT_EQ(places(mesh.fabric.route(0, 4, {true, true})),
            (Places{7, 6, 5, 4}));
  EXPECT_EQ(mesh.fabric.route(0, 7, {false}).size(), 7);
}

TEST(Fabric, chipsThatAreNoNeighboursHaveNoLinks) {
  // In the order of their ids the chips of this system are no line.
  TestMesh mesh(system_desc::getDefaultSystemDesc("t3000"), {1, 8});
  EXPECT_EQ(mesh.fabric.linksBetween(0, 1), 2);
  EXPECT_EQ(mesh.fabric.linksBetween(3, 4), 0);
  EXPECT_EQ(mesh.fabric.linksBetween(0, 4), 0); // no neighbours in the mesh
  try {
    mesh.fabric.route(2, 5);
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.category(), ErrorCategory::SystemMismatch);
    EXPECT_STREQ(error.what(),
                 "expected an Ethernet link between chips 3 and 4 (positions 3 "
                 "and 4 of mesh 1x8), found none in the system");
  }
}

TEST(Fabric, everyHopCounts) {
  TestMesh mesh(linkedSystem(4, lineLinks(4, false)), {1, 4});
  mesh.fabric.send(0, 3, 10000, 0);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto link = mesh.between(i, i + 1);
    EXPECT_EQ(link.bytes, 10000);
    EXPECT_EQ(link.packets, 3); // 4352 + 4352 + 1296
    EXPECT_EQ(link.wireBytes, 10000 + 3 * 48 + (3 + 3 + 1) * 50);
    EXPECT_EQ(mesh.between(i + 1, i).packets, 0);
  }
  EXPECT_EQ(mesh.fabric.use().size(), 3);
  mesh.fabric.restart();
  EXPECT_TRUE(mesh.fabric.use().empty());
}

TEST(Fabric, linksShareAMessage) {
  TestMesh mesh(linkedSystem(2, lineLinks(2, false, 2)), {1, 2});
  const double one = mesh.fabric.send(0, 1, 1 << 20, 0, 1);
  mesh.fabric.restart();
  const double two = mesh.fabric.send(0, 1, 1 << 20, 0, 2);
  EXPECT_EQ(mesh.fabric.use().size(), 2);
  EXPECT_EQ(mesh.between(0, 1).bytes, 1 << 20);
  EXPECT_NEAR((one - 711) / (two - 711), 2, 0.02);
  EXPECT_THROW(mesh.fabric.send(0, 1, 64, 0, 3), Error);
}

TEST(Fabric, timesAreLatencyAndBytesOnTheWire) {
  TestMesh mesh(linkedSystem(3, lineLinks(3, false)), {1, 3});
  // One packet: 4550 bytes at 12.5 a cycle, 711 cycles a hop.
  EXPECT_NEAR(mesh.fabric.send(0, 1, 4352, 0), 711 + 4550 / 12.5, 1e-6);
  // The link is busy with it; a second one waits.
  EXPECT_NEAR(mesh.fabric.send(0, 1, 4352, 0), 711 + 2 * 4550 / 12.5, 1e-6);
  mesh.fabric.restart();
  // Over two hops packets follow each other.
  EXPECT_NEAR(mesh.fabric.send(0, 2, 100 * 4352, 50), 50 + 2 * 711 + 101 * 364,
              1e-6);
}

TEST(Fabric, dataPassesTheCoresOnItsWay) {
  TestMesh mesh(linkedSystem(5, lineLinks(5, false)), {1, 5});
  std::vector<std::byte> source(3 * 5000), target(source.size());
  for (std::size_t i = 0; i < source.size(); ++i)
    source[i] = std::byte(i * 31 % 251);
  std::vector<std::byte *> from, to;
  for (std::size_t i = 0; i < 3; ++i) {
    from.push_back(source.data() + i * 5000);
    to.push_back(target.data() + (2 - i) * 5000);
  }
  mesh.fabric.move(4, 0, from, to, 5000);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(std::memcmp(from[i], to[i], 5000), 0);
}

TEST(Fabric, meshesOfTheWrongChipsAreRefused) {
  const SystemDesc desc = linkedSystem(2, lineLinks(2, false));
  EXPECT_THROW(TestMesh(desc, {1, 2}, {0, 0}), Error);
}

//===-- Against the measured times ----------------------------------------===//

/// Cycles of a collective on tensors of `tiles` bf16 tiles for each chip.
double cyclesOf(CollectiveKind kind, std::uint32_t chips, bool ring,
                std::int64_t tiles) {
  const MeshShape shape = {1, chips};
  TestMesh mesh(linkedSystem(chips, lineLinks(chips, ring)), shape);
  Collective c;
  c.kind = kind;
  c.meshShape = shape;
  c.groups = groupsAlong(shape, 1);
  Shape in = {32 * tiles, 32}, out = in;
  if (kind == CollectiveKind::AllGather)
    out[0] *= chips;
  if (kind == CollectiveKind::ReduceScatter)
    out[0] /= chips;
  if (kind == CollectiveKind::AllToAll) {
    c.concatDim = 1;
    out = {in[0] / chips, in[1] * chips};
  }
  const auto wire = [&](const Shape &s) {
    return interleavedLayout(s, numerics::DType::BF16, true, mesh.geometry());
  };
  return collectives::run(c, mesh.fabric, placeAll(mesh, wire(in)),
                          allocateAll(mesh, wire(out)))
      .cycles;
}

/// The fitted formulas of the report on collectives, in cycles of 1 ns. They
/// come from even rings; an odd one has (n - 1) / 2 chips on either side.
double measuredOf(CollectiveKind kind, double n, bool ring, double in) {
  const double half = std::floor(n / 2);
  switch (kind) {
  case CollectiveKind::AllGather:
    return ring ? 4470 + 2500 * half + (n - 1) * in / 20.8
                : 4470 + 1910 * (n - 1) + (n - 1) * in / 11.8;
  case CollectiveKind::ReduceScatter:
    return ring ? 3230 + 3060 * half + (n - 1) / n * in / 16.7
                : 3230 + 3970 * (n - 1) + (n - 1) / n * in / 11.1;
  case CollectiveKind::AllReduce:
    return ring ? 9070 + 5250 * half + 2 * (n - 1) / n * in / 18.4
                : 9070 + 5820 * (n - 1) + 2 * (n - 1) / n * in / 10.9;
  default: {
    const double bytes = half * (n - half) / n * in;
    return ring ? 2990 + 3400 * half + bytes / 16.5
                : 2990 + 2140 * (n - 1) + bytes / 7.6;
  }
  }
}

TEST(Fabric, timesOfCollectivesAreTheMeasuredOnes) {
  for (const CollectiveKind kind :
       {CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
        CollectiveKind::AllReduce, CollectiveKind::AllToAll})
    for (const std::uint32_t n : {2u, 3u, 4u, 5u, 6u, 7u, 8u})
      for (const bool ring : {false, true})
        for (const std::int64_t tiles : {2 * n, 16 * n, 64 * n}) {
          // Where nothing is forwarded the formulas do not hold: see below.
          const bool forwards = n > (ring ? 3 : 2);
          const bool gathers = kind == CollectiveKind::AllGather ||
                               kind == CollectiveKind::AllReduce;
          if ((ring && n == 2) || (gathers && !forwards))
            continue;
          const double found = cyclesOf(kind, n, ring, tiles);
          const double expected =
              measuredOf(kind, n, ring, double(tiles) * 2048);
          EXPECT_NEAR(found / expected, 1, 0.05)
              << collectiveName(kind) << " of " << tiles << " tiles on " << n
              << (ring ? " chips in a ring" : " chips in a line");
        }
}

TEST(Fabric, betweenTwoChipsTheSenderIsTheBound) {
  // A core reads a packet at a time; what routers forward keeps a link busy:
  // the report has 51 % of its rate for two chips, 94 % for four.
  const auto rate = [](std::uint32_t chips) {
    constexpr std::int64_t kTiles = 1024;
    return double((chips - 1) * kTiles) /
           cyclesOf(CollectiveKind::AllGather, chips, false, kTiles);
  };
  EXPECT_GT(rate(2), 0.4 * rate(4));
  EXPECT_LT(rate(2), 0.75 * rate(4));
}

} // namespace
