// Work is dealt out to cores so that every unit is done once, and none is
// outside: shares of units, and the blocks of a product of matrices.
#include "conversion/TTIRToTTMetal/MatmulBlocking.h"

#include "testing/testing.h"

#include <tuple>

namespace mlir::tt {
namespace {

int64_t numberOf(const I32 &number) {
  EXPECT_TRUE(number.isConstant());
  return number.getConstant();
}

TEST(Share, PartsFollowEachOtherAndDifferByOneUnit) {
  for (int64_t units = 0; units <= 70; ++units) {
    for (int64_t parts = 1; parts <= 70; ++parts) {
      int64_t next = 0;
      for (int64_t i = 0; i < parts; ++i) {
        Share share = cutShare(units, parts, i);
        int64_t count = numberOf(share.count);
        EXPECT_EQ(numberOf(share.first), next);
        EXPECT_GE(count, units / parts);
        EXPECT_LE(count, llvm::divideCeil(units, parts));
        next += count;
      }
      ASSERT_EQ(next, units) << parts << " parts";
    }
  }
}

/// Checks that the blocks of all cores follow each other, that all cores have
/// as many, and that none is empty or larger than its buffer.
void checkSide(const BlockedSide &side) {
  int64_t next = 0, largest = 0;
  for (int64_t core = 0; core < side.cores; ++core) {
    for (int64_t i = 0; i < side.blocks; ++i) {
      Share block = side.getBlock(side.getOwn(core), i);
      int64_t count = numberOf(block.count);
      ASSERT_EQ(numberOf(block.first), next);
      ASSERT_GE(count, 1);
      largest = std::max(largest, count);
      next += count;
    }
  }
  ASSERT_EQ(next, side.tiles);
  ASSERT_EQ(largest, side.blockTiles());
}

TEST(BlockedSide, EveryTileIsInOneBlock) {
  for (int64_t tiles = 1; tiles <= 200; ++tiles) {
    for (int64_t cores = 1; cores <= std::min<int64_t>(tiles, 12); ++cores) {
      for (int64_t largest = 1; largest <= 9; ++largest) {
        SCOPED_TRACE(testing::Message() << tiles << " tiles, " << cores
                                        << " cores, blocks of " << largest);
        BlockedSide side{tiles, cores};
        side.cutTo(largest);
        checkSide(side);
        // Only what a core cannot cut is larger than it should be.
        if (side.blockTiles() > largest)
          EXPECT_EQ(side.blocks, tiles / cores);
        while (side.halve())
          checkSide(side);
        EXPECT_EQ(side.blocks, tiles / cores);
      }
    }
  }
}

MatmulBlocking makeProduct(int64_t rows, int64_t columns, int64_t depth) {
  MatmulBlocking product;
  product.rows.tiles = rows;
  product.columns.tiles = columns;
  product.depth.tiles = depth;
  return product;
}

void checkProduct(const MatmulBlocking &product) {
  checkSide(product.rows);
  checkSide(product.columns);
  checkSide(product.depth);
}

TEST(MatmulBlocking, CutsEveryProductForEveryGrid) {
  constexpr int64_t kTiles[] = {1,  2,  3,  5,   7,   8,   9,   16,  17,
                                24, 31, 64, 127, 128, 129, 176, 184, 344};
  constexpr std::pair<int64_t, int64_t> kGrids[] = {{1, 1}, {1, 7}, {2, 3},
                                                    {5, 1}, {8, 8}, {10, 13}};
  for (auto [gridRows, gridColumns] : kGrids) {
    for (int64_t rows : kTiles) {
      for (int64_t columns : kTiles) {
        SCOPED_TRACE(testing::Message()
                     << rows << "x" << columns << " tiles on " << gridRows
                     << "x" << gridColumns << " cores");
        MatmulBlocking product = makeProduct(rows, columns, 9);
        MatmulBlocking laid = product.laidOver({0, 0, gridRows, gridColumns});
        EXPECT_LE(laid.rows.cores, gridRows);
        EXPECT_LE(laid.columns.cores, gridColumns);
        checkProduct(laid);
        MatmulBlocking dealt = product.dealtOut(gridRows * gridColumns);
        EXPECT_GE(dealt.countBlocks(),
                  std::min(rows * columns, gridRows * gridColumns));
        checkProduct(dealt);
      }
    }
  }
}

TEST(MatmulBlocking, ShrinksAlongAllSidesToFit) {
  // Buffers of tiles of one byte.
  auto getBytes = [](const MatmulBlocking &cut) {
    int64_t rows = cut.rows.blockTiles(), columns = cut.columns.blockTiles();
    return 2 * cut.depth.blockTiles() * (rows + columns) +
           rows * columns * (cut.depth.blocks > 1 ? 3 : 1);
  };
  for (auto [rows, columns, depth] :
       {std::tuple(8, 8, 8), {8, 8, 1}, {1, 64, 2}, {17, 5, 1}, {64, 64, 64}}) {
    MatmulBlocking product = makeProduct(rows, columns, depth);
    int64_t smallest = depth > 1 ? 7 : 5;
    for (int64_t available = 1; available < 500; ++available) {
      SCOPED_TRACE(testing::Message() << rows << "x" << columns << "x" << depth
                                      << " tiles in " << available << " bytes");
      MatmulBlocking cut = product.dealtOut(1);
      bool fits = cut.fit(available, getBytes);
      checkProduct(cut);
      EXPECT_EQ(fits, available >= smallest);
      EXPECT_EQ(fits, getBytes(cut) <= available);
      MatmulBlocking laid = product.laidOver({0, 0, 8, 8});
      if (laid.fit(available, getBytes))
        EXPECT_LE(getBytes(laid), available);
      checkProduct(laid);
    }
  }
}

} // namespace
} // namespace mlir::tt
