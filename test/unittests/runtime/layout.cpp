#include "support.h"

#include "common/layout.h"

#include "testing/testing.h"

#include <set>

using namespace tt::runtime;
using namespace tt::runtime::test;

namespace {

ChipGeometry chip() {
  return chipGeometry(
      system_desc::getDefaultSystemDesc("n150")->chip_descs()->Get(0));
}

Layout layoutOf(int rows, int cols, target::DataType type, const Place &place) {
  Builder builder;
  auto desc = builder.desc(rows, cols, type, place);
  builder.fbb.Finish(desc);
  return readLayout(
      flatbuffers::GetRoot<target::TensorDesc>(builder.fbb.GetBufferPointer()),
      chip());
}

} // namespace

TEST(Layout, InterleavedTiles) {
  const Layout l = layoutOf(100, 70, target::DataType::BFloat16, Place{});
  EXPECT_EQ(l.tileRows, 4);
  EXPECT_EQ(l.tileCols, 3);
  EXPECT_EQ(l.banks, 12);
  EXPECT_EQ(l.pageBytes, 2048);
  EXPECT_EQ(l.bankBytes, 2048); // 12 tiles, one a channel
  EXPECT_EQ(l.describe(), "100x70 bf16, dram interleaved tile");
}

TEST(Layout, InterleavedRowsAreAligned) {
  Place place;
  place.tiled = false;
  const Layout l = layoutOf(25, 10, target::DataType::Float32, place);
  EXPECT_EQ(l.pageBytes, 40);
  EXPECT_EQ(l.pageStride, 64); // 32 bytes of alignment
  EXPECT_EQ(l.bankBytes, 3 * 64);
}

TEST(Layout, ShardsLieOnTheirCores) {
  const Place place = {target::MemorySpace::DeviceL1,
                       target::TensorMemoryLayout::BlockSharded, true, 2, 3};
  const Layout l = layoutOf(128, 192, target::DataType::Float32, place);
  EXPECT_EQ(l.shardsY, 2);
  EXPECT_EQ(l.shardsX, 3);
  EXPECT_EQ(l.shardBytes, 2 * 2 * 4096);
  EXPECT_EQ(l.shardBank, (std::vector<std::int32_t>{0, 1, 2, 8, 9, 10}));
}

TEST(Layout, BlockFloatsNeedTiles) {
  Place place;
  place.tiled = false;
  EXPECT_THROW(layoutOf(32, 32, target::DataType::BFP_BFloat8, place), Error);
}

TEST(Layout, RowMapsAreInverse) {
  Layout l = hostLayout({3, 4, 5}, numerics::DType::F32);
  l.stride = {35, 5, 1}; // three rows unused after every four
  l.dense = false;
  std::set<std::int64_t> seen;
  for (std::int64_t row = 0; row < 12; ++row) {
    const std::int64_t physical = l.physicalRow(row);
    EXPECT_EQ(physical, row / 4 * 7 + row % 4);
    EXPECT_EQ(l.logicalRow(physical), row);
    seen.insert(physical);
  }
  for (std::int64_t physical = 0; physical < 18; ++physical)
    if (!seen.count(physical))
      EXPECT_EQ(l.logicalRow(physical), -1);
}
