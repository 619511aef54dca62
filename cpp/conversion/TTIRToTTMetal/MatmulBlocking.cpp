//===- MatmulBlocking.cpp - how a product of matrices is cut --------------===//

#include "conversion/TTIRToTTMetal/MatmulBlocking.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

/// Largest side of a block.
static constexpr int64_t kMostBlockTiles = 8;

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

int64_t BlockedSide::blockTiles() const {
  return llvm::divideCeil(llvm::divideCeil(tiles, cores), blocks);
}

Share BlockedSide::getBlock(const Share &own, I32 index) const {
  Share block = cutShare(own.count, blocks, index);
  return {own.first + block.first, block.count};
}

void BlockedSide::cutTo(int64_t largest) {
  // A core with the fewest tiles has one for each block.
  blocks = std::min<int64_t>(
      llvm::divideCeil(llvm::divideCeil(tiles, cores), largest), tiles / cores);
}

bool BlockedSide::halve() {
  int64_t before = blockTiles();
  if (before > 1)
    cutTo(llvm::divideCeil(before, 2));
  return blockTiles() < before;
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

MatmulBlocking MatmulBlocking::laidOver(const CoreRectangle &grid) const {
  MatmulBlocking laid = *this;
  laid.overGrid = true;
  auto lay = [](BlockedSide &side, int64_t cores) {
    // As few cores as need no more time than all.
    side.cores =
        llvm::divideCeil(side.tiles, llvm::divideCeil(side.tiles, cores));
    side.cutTo(kMostBlockTiles);
  };
  lay(laid.rows, grid.rows);
  lay(laid.columns, grid.columns);
  laid.depth.cutTo(kMostBlockTiles);
  return laid;
}

MatmulBlocking MatmulBlocking::dealtOut(int64_t cores) const {
  MatmulBlocking dealt = *this;
  for (BlockedSide *side : {&dealt.rows, &dealt.columns, &dealt.depth})
    side->cutTo(kMostBlockTiles);
  while (dealt.countBlocks() < cores && dealt.longerSide().halve())
    ;
  return dealt;
}

int64_t MatmulBlocking::countCores(int64_t available) const {
  return overGrid ? rows.cores * columns.cores
                  : std::min(available, countBlocks());
}

BlockedSide &MatmulBlocking::longerSide() {
  return rows.blockTiles() >= columns.blockTiles() ? rows : columns;
}

bool MatmulBlocking::fit(
    int64_t available, function_ref<int64_t(const MatmulBlocking &)> getBytes) {
  auto shrink = [&] {
    bool rowsFirst = &longerSide() == &rows;
    BlockedSide MatmulBlocking::*order[] = {
        &MatmulBlocking::depth,
        rowsFirst ? &MatmulBlocking::rows : &MatmulBlocking::columns,
        rowsFirst ? &MatmulBlocking::columns : &MatmulBlocking::rows};
    for (BlockedSide MatmulBlocking::*side : order) {
      MatmulBlocking smaller = *this;
      // Sums over several blocks of the depth need an additional buffer.
      if (!(smaller.*side).halve() || getBytes(smaller) >= getBytes(*this))
        continue;
      *this = smaller;
      return true;
    }
    return false;
  };
  while (getBytes(*this) > available)
    if (!shrink())
      return false;
  return true;
}
