// Tile layout against the index formula.
#include "numerics/tiles.h"
#include "support.h"

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

class Tiles : public EachIsa {};
TT_EACH_ISA(Tiles);

/// Index of (row, col) in the tiles of a block that is `cols` wide.
int64_t tiledIndex(int64_t row, int64_t col, int64_t cols) {
  int64_t tile = row / 32 * tilesFor(cols) + col / 32;
  int64_t r = row % 32, c = col % 32;
  int64_t face = 2 * (r >= 16) + (c >= 16);
  return tile * 1024 + face * 256 + (r % 16) * 16 + c % 16;
}

const int64_t kShapes[][3] = {{32, 32, 32},    {1, 1, 1},      {33, 65, 70},
                              {64, 96, 96},    {5, 17, 17},    {40, 16, 20},
                              {100, 300, 301}, {256, 512, 512}};

TEST_P(Tiles, PlainBothWays) {
  for (DType type :
       {DType::F32, DType::BF16, DType::F16, DType::U8, DType::I32})
    for (auto [rows, cols, stride] : kShapes) {
      std::vector<float> values =
          randomFloats(rows * stride, uint32_t(rows), 0, 200);
      std::vector<char> source = elementsOf(type, values);
      int64_t count = tilesFor(rows) * tilesFor(cols);
      std::vector<char> tiles(static_cast<size_t>(count * tileBytes(type)));
      tilize(type, source.data(), rows, cols, stride, {tiles.data()}, 7.0f);
      std::vector<float> found = floatsOf(type, tiles.data(), count * 1024);
      std::vector<float> exact =
          floatsOf(type, source.data(), int64_t(values.size()));
      for (int64_t r = 0; r < tilesFor(rows) * 32; ++r)
        for (int64_t c = 0; c < tilesFor(cols) * 32; ++c)
          ASSERT_EQ(found[size_t(tiledIndex(r, c, cols))],
                    r < rows && c < cols ? exact[size_t(r * stride + c)] : 7.0f)
              << dtypeName(type) << " " << r << "," << c;
      std::vector<char> back(source.size(), char(0x55));
      untilize(type, {tiles.data()}, back.data(), rows, cols, stride);
      int64_t size = elementSize(type);
      for (int64_t r = 0; r < rows; ++r) {
        ASSERT_EQ(0, std::memcmp(back.data() + r * stride * size,
                                 source.data() + r * stride * size,
                                 size_t(cols * size)));
        for (int64_t b = cols * size; b < stride * size; ++b)
          ASSERT_EQ(back[size_t(r * stride * size + b)], char(0x55));
      }
    }
}

TEST_P(Tiles, ConvertingAgreesWithConvertThenTilize) {
  for (DType type : {DType::BF16, DType::F16, DType::U16, DType::BFP8_B,
                     DType::BFP4_B, DType::BFP2})
    for (auto [rows, cols, stride] : kShapes) {
      std::vector<float> values = randomFloats(rows * stride, 3, 0, 90);
      int64_t count = tilesFor(rows) * tilesFor(cols);
      std::vector<float> flat(size_t(count * 1024));
      tilize(DType::F32, values.data(), rows, cols, stride, {flat.data()}, 2);
      std::vector<char> expected(static_cast<size_t>(count * tileBytes(type)));
      if (isBlockFloat(type))
        quantizeTiles(type, flat.data(), expected.data(), count);
      else
        fromF32(type, flat.data(), expected.data(), count * 1024);
      std::vector<char> found(expected.size());
      std::vector<void *> pages;
      for (int64_t i = 0; i < count; ++i)
        pages.push_back(found.data() + i * tileBytes(type));
      tilizeFromF32(values.data(), rows, cols, stride, type,
                    {nullptr, 0, pages.data()}, 2);
      ASSERT_EQ(found, expected) << dtypeName(type);

      std::vector<float> decoded(size_t(count * 1024)), rowsBack(values.size());
      convertTiles(type, {found.data()}, DType::F32, {decoded.data()}, count);
      untilizeToF32(type, {found.data()}, rowsBack.data(), rows, cols, stride);
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < cols; ++c)
          ASSERT_EQ(rowsBack[size_t(r * stride + c)],
                    decoded[size_t(tiledIndex(r, c, cols))]);
    }
}

TEST_P(Tiles, PaddingIsRefilled) {
  for (DType type : {DType::F32, DType::BF16, DType::BFP8_B}) {
    std::vector<float> values = randomFloats(40 * 50, 5);
    std::vector<char> tiles(static_cast<size_t>(4 * tileBytes(type)));
    tilizeFromF32(values.data(), 40, 50, 50, type, {tiles.data()}, 100.0f);
    fillPadding(type, {tiles.data()}, 40, 50, 0.0f);
    std::vector<float> all(64 * 64);
    untilizeToF32(type, {tiles.data()}, all.data(), 64, 64, 64);
    for (int r = 0; r < 64; ++r)
      for (int c = 0; c < 64; ++c)
        ASSERT_TRUE((r < 40 && c < 50) || all[size_t(r * 64 + c)] == 0.0f);
  }
}

TEST(TileErrors, ShortStride) {
  float value[4];
  EXPECT_THROW(tilize(DType::F32, value, 2, 2, 1, {value}),
               std::invalid_argument);
}

} // namespace
