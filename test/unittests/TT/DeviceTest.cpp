#include "TestSupport.h"

#include "dialects/TT/Mesh.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"

#include <set>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::test;

namespace {

constexpr int64_t kPage = 8192;

struct DeviceTest : public TTTest {
  SystemDescAttr system(StringRef name) {
    return SystemDescAttr::getNamed(&context, name);
  }
  Type f32() { return Builder(&context).getF32Type(); }
  LayoutAttr layout(ArrayRef<int64_t> shape, ArrayRef<int64_t> grid,
                    MemorySpace space, bool tiled = false) {
    Type type = tiled
                    ? Type(TileType::get(&context, {32, 32}, DataType::Float32))
                    : f32();
    return LayoutAttr::get(&context, shape, type, space,
                           GridAttr::get(&context, grid),
                           {{0, static_cast<int64_t>(shape.size()) -
                                    static_cast<int64_t>(grid.size()) + 1}});
  }
};

/// The text of a device reads as the same device, not as one that only prints
/// the same.
TEST_F(DeviceTest, TextReadsAsTheSameDevice) {
  for (const Shape &mesh : std::vector<Shape>{{}, {1, 2}, {2, 1, 2}, {2, 4}}) {
    DeviceAttr device = DeviceAttr::get(system("t3000"), mesh);
    std::string text;
    llvm::raw_string_ostream(text) << device;
    EXPECT_EQ(parseAttribute(text, &context), device) << text;
  }
}

/// A grid point lies on the chip that the mesh has at its place, and every core
/// of every chip is one grid point.
TEST_F(DeviceTest, WorkerGridsCoverTheChipsOfTheMesh) {
  std::vector<Shape> meshes = {
      {},        {1},       {2},       {8},       {1, 2},    {2, 1},
      {2, 2},    {2, 4},    {4, 2},    {8, 1},    {1, 8},    {2, 1, 1},
      {1, 2, 1}, {1, 1, 2}, {2, 1, 2}, {2, 2, 2}, {2, 2, 1}, {2, 2, 1, 2}};
  for (const Shape &mesh : meshes) {
    DeviceAttr device = DeviceAttr::get(system("t3000"), mesh);
    Shape padded = mesh;
    while (padded.size() < 2)
      padded.push_back(1);
    size_t rank = padded.size();
    Shape gridShape = padded;
    gridShape[rank - 2] *= 8;
    gridShape[rank - 1] *= 8;
    ASSERT_EQ(device.getWorkerGrid().getShape(), ArrayRef<int64_t>(gridShape));
    std::set<std::vector<int64_t>> cores;
    forEachIndex(gridShape, [&](ArrayRef<int64_t> point) {
      Shape meshPoint(point);
      meshPoint[rank - 2] /= 8;
      meshPoint[rank - 1] /= 8;
      int64_t chip = 0;
      for (size_t d = 0; d < rank; ++d)
        chip = chip * padded[d] + meshPoint[d];
      Shape expected = {chip, point[rank - 2] % 8, point[rank - 1] % 8};
      EXPECT_EQ(device.getWorkerGrid().getMapping().compose(point), expected);
      cores.insert({expected.begin(), expected.end()});
    });
    EXPECT_EQ(static_cast<int64_t>(cores.size()), volume(padded) * 64);
  }
}

/// Every element of a tensor has an own place in the L1 of a core, inside the
/// bytes that the size query names.
TEST_F(DeviceTest, L1PlacesAreUnique) {
  for (int round = 0; round < 60; ++round) {
    bool mesh = round % 2;
    DeviceAttr device = mesh ? DeviceAttr::get(system("n300"), {2, 1, 1})
                             : DeviceAttr::get(system("n150"));
    Shape shape = randomShape(mesh ? 4 : 3, 9);
    Shape grid = mesh ? Shape{uniform(1, 2), uniform(1, 8), uniform(1, 8)}
                      : Shape{uniform(1, 8), uniform(1, 8)};
    LayoutAttr attr = layout(shape, grid, MemorySpace::DeviceL1);
    AffineMap map = attr.projectOnto(
        attr.getLinear(), device.getMapForMemorySpace(MemorySpace::DeviceL1));
    uint64_t size =
        device.getLayoutSizeBytes(shape, attr, MemorySpace::DeviceL1);
    std::set<std::vector<int64_t>> places;
    int64_t elements = 0;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> place = map.compose(index);
      ASSERT_EQ(place.size(), 4u);
      EXPECT_LT(place[0], mesh ? 2 : 1);
      EXPECT_LT(place[1], 8);
      EXPECT_LT(place[2], 8);
      EXPECT_GE(place[3], 0);
      EXPECT_LE((place[3] + 1) * 4, static_cast<int64_t>(size));
      places.insert({place.begin(), place.end()});
      ++elements;
    });
    EXPECT_EQ(static_cast<int64_t>(places.size()), elements);
    EXPECT_EQ(size, volume(attr.getShardShape()) * 4u);
  }
}

/// On a mesh, every element of a tensor has an own place in the DRAM of its
/// chip, inside the bytes that the size query names; a tensor of one chip lies
/// there as on a device of one chip.
TEST_F(DeviceTest, DramPlacesOnMeshes) {
  for (const Shape &mesh : std::vector<Shape>{{1, 2}, {2, 1}, {2, 2}, {2, 4}}) {
    DeviceAttr device = DeviceAttr::get(system("t3000"), mesh);
    DeviceAttr chip = getChipView(device);
    EXPECT_EQ(chip, DeviceAttr::get(system("t3000")));
    for (int round = 0; round < 10; ++round) {
      Shape shape = {uniform(1, 60), uniform(1, 60)};
      Shape wide = {uniform(1, 8 * mesh[0]), uniform(1, 8 * mesh[1])};
      LayoutAttr attr = layout(shape, wide, MemorySpace::DeviceDRAM);
      AffineMap map = attr.projectOnto(attr.getLinear(), device.getDramMap());
      int64_t size =
          device.getLayoutSizeBytes(shape, attr, MemorySpace::DeviceDRAM);
      std::set<std::vector<int64_t>> places;
      forEachIndex(shape, [&](ArrayRef<int64_t> index) {
        SmallVector<int64_t> place = map.compose(index);
        EXPECT_LT(place[0], volume(mesh));
        EXPECT_LE((place[3] + 1) * 4, size);
        places.insert({place.begin(), place.end()});
      });
      EXPECT_EQ(static_cast<int64_t>(places.size()), volume(shape));

      attr = layout(shape, randomShape(2, 8), MemorySpace::DeviceDRAM);
      EXPECT_EQ(device.getLayoutSizeBytes(shape, attr, MemorySpace::DeviceDRAM),
                chip.getLayoutSizeBytes(shape, attr, MemorySpace::DeviceDRAM));
    }
  }
}

/// The bytes a channel needs hold all pages of all shards that fall to it, and
/// are not more than whole rounds over the channels.
TEST_F(DeviceTest, DramSizesHoldEveryElement) {
  DeviceAttr device = DeviceAttr::get(system("n150"));
  for (int round = 0; round < 40; ++round) {
    Shape shape = {uniform(1, 300), uniform(1, 300)};
    Shape grid = randomShape(2, 8);
    bool tiled = round % 2;
    LayoutAttr attr = layout(shape, grid, MemorySpace::DeviceDRAM, tiled);
    Shape shard = attr.getShardShape();
    int64_t shardVolume = volume(attr.getMemref().getShape());
    int64_t bytes = tiled ? 4096 : 4;
    std::set<int64_t> cores;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      cores.insert(index[0] / shard[0] * 8 + index[1] / shard[1]);
    });
    int64_t size =
        device.getLayoutSizeBytes(shape, attr, MemorySpace::DeviceDRAM);
    for (int64_t core : cores)
      for (int64_t address = core * shardVolume;
           address < (core + 1) * shardVolume; ++address)
        EXPECT_LE((address / (kPage * 12) * kPage + address % kPage + 1) *
                      bytes,
                  size);
    int64_t end = (*cores.rbegin() + 1) * shardVolume;
    EXPECT_LE(size, (end / (kPage * 12) + 1) * kPage * bytes);
    EXPECT_LE(size, end * bytes);
  }
}

TEST_F(DeviceTest, SizesOfTheDocumentation) {
  DeviceAttr device = DeviceAttr::get(system("n150"));
  auto size = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> grid,
                  MemorySpace space, bool tiled = false) {
    return device.getLayoutSizeBytes(shape, layout(shape, grid, space, tiled),
                                     space);
  };
  EXPECT_EQ(size({64, 128}, {1, 1}, MemorySpace::DeviceL1), 32768u);
  EXPECT_EQ(size({64, 128}, {1, 1}, MemorySpace::DeviceL1, true), 32768u);
  EXPECT_EQ(size({16, 64}, {1, 1}, MemorySpace::DeviceDRAM), 4096u);
  EXPECT_EQ(size({16, 64}, {2, 2}, MemorySpace::DeviceDRAM), 10240u);
  EXPECT_EQ(size({4, 16}, {2, 2}, MemorySpace::DeviceL1), 64u);
  EXPECT_EQ(size({16, 64}, {1, 1}, MemorySpace::System), 4096u);
  EXPECT_EQ(size({0, 64}, {1, 1}, MemorySpace::DeviceDRAM), 0u);
}

TEST_F(DeviceTest, ArgumentsThatDoNotFit) {
  auto refused = [&](StringRef name, Shape mesh,
                     std::optional<ArrayRef<unsigned>> chips,
                     StringRef message) {
    error.clear();
    EXPECT_FALSE(
        DeviceAttr::getChecked(emitError(), system(name), mesh, chips));
    EXPECT_EQ(error, message.str());
  };
  std::vector<unsigned> none, nine = {9}, one = {0};
  refused("n150", {2, 1, 1}, std::nullopt,
          "expected a mesh of at most 1 chip, the chips of the system, found "
          "2x1x1");
  refused("n300", {0, 2}, std::nullopt,
          "expected positive mesh dimensions, found 0x2");
  refused("t3000", {int64_t(1) << 30, int64_t(1) << 30, int64_t(1) << 30},
          std::nullopt,
          "expected a mesh of at most 8 chips, the chips of the system, found "
          "1073741824x1073741824x1073741824");
  refused("n300", {1}, ArrayRef<unsigned>(none), "expected at least one chip");
  refused("n300", {1}, ArrayRef<unsigned>(nine),
          "expected chip ids below 2, the chips of the system, for mesh 1, "
          "found 9");
  refused("n300", {2}, ArrayRef<unsigned>(one),
          "expected 2 chip ids, one for every point of mesh 2, found 1");
  std::vector<unsigned> twice = {1, 1};
  refused("n300", {2}, ArrayRef<unsigned>(twice),
          "expected every chip once in mesh 2, found chip 1 twice");
}

TEST_F(DeviceTest, ViewsOfPartsOfTheSystem) {
  DeviceAttr device = DeviceAttr::get(system("t3000"), {2, 2}, {4, 5, 6, 7});
  EXPECT_EQ(toString(device.getWorkerGrid()),
            "#tt.grid<16x16, (d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, "
            "d0 mod 8, d1 mod 8)>");
  EXPECT_EQ(device.getChipIds(), ArrayRef<unsigned>({4, 5, 6, 7}));
}

TEST_F(DeviceTest, PhysicalCores) {
  SystemDescAttr desc = system("n150");
  auto workers =
      PhysicalCoreCoordMapping::getWorkerMapping(emitError(), desc, {0u});
  ASSERT_TRUE(succeeded(workers));
  using Coord = PhysicalCoreCoordMapping::Coord;
  forEachIndex({8, 8}, [&](ArrayRef<int64_t> index) {
    EXPECT_EQ((*workers)[(std::array<int64_t, 3>{0, index[0], index[1]})],
              Coord(index[0], index[1]));
  });
  auto dram = PhysicalCoreCoordMapping::getMemorySpaceMapping(
      emitError(), desc, {0u}, MemorySpace::DeviceDRAM);
  ASSERT_TRUE(succeeded(dram));
  EXPECT_EQ(dram->getNumColumns(), 12);
  for (int64_t channel = 0; channel < 12; ++channel)
    EXPECT_EQ((*dram)[(std::array<int64_t, 3>{0, 0, channel})],
              Coord(8 + channel % 3, channel / 3));
  EXPECT_TRUE(failed(
      PhysicalCoreCoordMapping::getWorkerMapping(emitError(), desc, {1u})));
  EXPECT_EQ(error, "expected chip ids below 1, found 1");
}

} // namespace
