#include "TestSupport.h"

#include "dialects/TT/Mesh.h"

#include <set>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::test;

namespace {

using Chips = std::vector<unsigned>;

struct MeshTest : public TTTest {
  SystemDescAttr system(StringRef name) {
    return SystemDescAttr::getNamed(&context, name);
  }
  Mesh mesh(const Shape &shape, StringRef name = "t3000") {
    return Mesh(DeviceAttr::get(system(name), shape));
  }
  /// A system of `chips` equal chips with these links.
  SystemDescAttr linked(unsigned chips,
                        ArrayRef<std::pair<unsigned, unsigned>> links) {
    SmallVector<ChipCapabilityAttr> capabilities(
        chips, ChipCapabilityAttr::get(&context, ChipCapability::PCIE));
    SmallVector<ChipCoordAttr> coords(chips,
                                      ChipCoordAttr::get(&context, 0, 0, 0, 0));
    SmallVector<ChipChannelAttr> channels;
    for (auto [from, to] : links)
      channels.push_back(
          ChipChannelAttr::get(&context, from, {0, 0}, to, {0, 0}));
    return SystemDescAttr::get(&context, {system("n150").getChipDesc()},
                               SmallVector<unsigned>(chips, 0), capabilities,
                               coords, channels);
  }
  Chips place(SystemDescAttr desc, const Shape &shape) {
    SmallVector<unsigned> chips = getMeshPlacement(desc, shape);
    return {chips.begin(), chips.end()};
  }
  bool allLinked(SystemDescAttr desc, const Shape &shape, const Chips &chips) {
    Mesh mesh(shape, chips);
    for (int64_t axis = 0; axis < mesh.getRank(); ++axis)
      if (failed(mesh.verifyLinks(emitError(), desc, axis)))
        return false;
    return true;
  }
};

TEST_F(MeshTest, PositionsAndGroups) {
  Mesh wide = mesh({2, 4});
  EXPECT_EQ(wide.getGroups(1), (Mesh::Groups{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(wide.getGroups(0), (Mesh::Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(wide.getGroups(std::nullopt),
            (Mesh::Groups{{0, 1, 2, 3, 4, 5, 6, 7}}));
  EXPECT_EQ(wide.getGroupSize(1), 4);
  EXPECT_EQ(mesh({2, 2, 2}).getGroups(1),
            (Mesh::Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  for (int64_t position = 0; position < 8; ++position)
    EXPECT_EQ(wide.getPosition(wide.getPoint(position)), position);
  EXPECT_EQ(wide.getNeighbour(3, 1, 1), std::nullopt);
  EXPECT_EQ(wide.getNeighbour(3, 1, 1, /*wrap=*/true), 0);
  EXPECT_EQ(wide.getNeighbour(4, 1, -1, /*wrap=*/true), 7);
  EXPECT_EQ(mesh({}).getGroups(1), (Mesh::Groups{{0}}));
  EXPECT_EQ(mesh({2}).str(), "2x1");
  EXPECT_TRUE(failed(wide.verifyAxis(emitError(), 2)));
  EXPECT_EQ(error, "expected a cluster axis below 2, the dimensions of mesh "
                   "2x4, found 2");
}

TEST_F(MeshTest, Links) {
  SystemDescAttr desc = system("t3000");
  EXPECT_FALSE(mesh({2, 4}).isRing(desc, 1));
  EXPECT_FALSE(mesh({2, 4}).isRing(desc, 0));
  EXPECT_TRUE(mesh({1, 8}).isRing(desc, 1));
  EXPECT_TRUE(succeeded(mesh({1, 8}).verifyLinks(emitError(), desc, 1, true)));
  EXPECT_TRUE(succeeded(mesh({1, 2}).verifyLinks(emitError(), desc, 1, true)));
  EXPECT_TRUE(succeeded(mesh({2, 4}).verifyLinks(emitError(), desc, 1)));
  EXPECT_TRUE(failed(mesh({2, 4}).verifyLinks(emitError(), desc, 1, true)));
  EXPECT_EQ(
      error,
      "expected an Ethernet link between chips 3 and 0 (positions 3 and 0 "
      "of mesh 2x4), found none in the system");
  EXPECT_TRUE(failed(Mesh({1, 2}, {0u, 2u}).verifyLinks(emitError(), desc, 1)));
  EXPECT_EQ(
      error,
      "expected an Ethernet link between chips 0 and 2 (positions 0 and 1 "
      "of mesh 1x2), found none in the system");
}

TEST_F(MeshTest, Routes) {
  SystemDescAttr desc = system("t3000");
  using Route = SmallVector<int64_t>;
  EXPECT_EQ(mesh({2, 4}).getRoute(desc, 1, 7), (Route{1, 2, 3, 7}));
  EXPECT_EQ(mesh({2, 4}).getRoute(desc, 7, 1), (Route{7, 6, 5, 1}));
  EXPECT_EQ(mesh({1, 8}).getRoute(desc, 1, 6), (Route{1, 0, 7, 6}));
  EXPECT_EQ(mesh({1, 8}).getRoute(desc, 6, 1), (Route{6, 7, 0, 1}));
  EXPECT_EQ(mesh({1, 8}).getRoute(desc, 0, 4), (Route{0, 1, 2, 3, 4}));
  EXPECT_EQ(mesh({1, 8}).getRoute(desc, 2, 2), (Route{2}));
  EXPECT_TRUE(succeeded(mesh({1, 8}).verifyRoute(emitError(), desc, 1, 6)));
  EXPECT_TRUE(
      failed(Mesh({1, 3}, {0u, 1u, 6u}).verifyRoute(emitError(), desc, 0, 2)));
  EXPECT_EQ(
      error,
      "expected an Ethernet link between chips 1 and 6 (positions 1 and 2 "
      "of mesh 1x3), found none in the system");
}

/// Every mesh of a t3000 has all its links, and a torus is found as one.
TEST_F(MeshTest, PlacementsAreLinked) {
  SystemDescAttr desc = system("t3000");
  std::vector<Shape> meshes = {{},     {1},    {2},       {1, 2},    {2, 1},
                               {1, 3}, {1, 4}, {1, 5},    {6},       {7},
                               {1, 8}, {8, 1}, {2, 2},    {2, 3},    {3, 2},
                               {4, 2}, {2, 4}, {2, 1, 1}, {2, 2, 2}, {1, 2, 4}};
  for (const Shape &shape : meshes) {
    Chips chips = place(desc, shape);
    EXPECT_EQ(std::set<unsigned>(chips.begin(), chips.end()).size(),
              chips.size());
    // A cube would need three links a chip, which no chip has.
    EXPECT_EQ(allLinked(desc, shape, chips), shape != Shape({2, 2, 2}))
        << formatExtents(shape);
  }
  EXPECT_EQ(place(desc, {1, 8}), Chips({0, 1, 2, 3, 7, 6, 5, 4}));
  EXPECT_EQ(place(desc, {2, 2}), Chips({0, 1, 4, 5}));
  EXPECT_EQ(place(desc, {2, 2, 2}), Chips({0, 1, 2, 3, 4, 5, 6, 7}));

  // A ring of four whose numbers go across.
  SystemDescAttr ring = linked(5, {{0, 2}, {2, 1}, {1, 3}, {3, 0}, {2, 4}});
  EXPECT_EQ(place(ring, {1, 4}), Chips({0, 2, 1, 3}));
  EXPECT_TRUE(Mesh({1, 4}, place(ring, {1, 4})).isRing(ring, 1));
  // Without links, or too few, the first chips.
  EXPECT_EQ(place(linked(4, {}), {2, 2}), Chips({0, 1, 2, 3}));
  EXPECT_EQ(place(ring, {5}), Chips({0, 3, 1, 2, 4}));
}

/// A search among very many links that fit nothing ends.
TEST_F(MeshTest, SearchEnds) {
  std::vector<std::pair<unsigned, unsigned>> links;
  // Two complete halves without a link between them.
  for (unsigned half : {0u, 16u})
    for (unsigned a = 0; a < 16; ++a)
      for (unsigned b = 0; b < a; ++b)
        links.push_back({half + a, half + b});
  Chips chips = place(linked(32, links), {1, 20});
  for (unsigned i = 0; i < 20; ++i)
    EXPECT_EQ(chips[i], i);
}

} // namespace
