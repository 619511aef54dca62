#ifndef CONVERSION_TTIRTOTTMETAL_MATMULBLOCKING_H
#define CONVERSION_TTIRTOTTMETAL_MATMULBLOCKING_H

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"

namespace mlir::tt {

/// Tiles along one side of a matrix, cut into blocks. All cores have the same
/// number of blocks, so that cores which share what one of them reads have the
/// same number of iterations; no block is empty.
struct BlockedSide {
  int64_t tiles = 1;
  /// Cores among which the tiles are dealt out; 1 where every core may get any
  /// block.
  int64_t cores = 1;
  /// Blocks of each core.
  int64_t blocks = 1;

  /// Tiles of the largest block.
  int64_t blockTiles() const;
  /// The blocks of core `core`, which has the tiles `own`.
  Share getOwn(I32 core) const { return cutShare(tiles, cores, core); }
  Share getBlock(const Share &own, I32 index) const;

  /// Cuts the side into as few blocks of at most `largest` tiles as it can.
  void cutTo(int64_t largest);
  /// Cuts blocks of half the tiles; false if there are none.
  bool halve();
};

/// How a product of matrices is cut.
struct MatmulBlocking {
  /// Of the result, and of the sums that make up a tile of it.
  int64_t batches = 1;
  BlockedSide rows, columns, depth;
  /// The grid is laid over the result, with the cores of both sides; otherwise
  /// blocks are dealt out one by one.
  bool overGrid = false;

  /// The cut with the grid laid over the result.
  MatmulBlocking laidOver(const CoreRectangle &grid) const;
  /// The same matrices in blocks that are small enough for each of `cores`
  /// cores to have one.
  MatmulBlocking dealtOut(int64_t cores) const;

  /// Blocks of the result where they are dealt out.
  int64_t countBlocks() const { return batches * rows.blocks * columns.blocks; }
  /// Cores with work.
  int64_t countCores(int64_t available) const;
  BlockedSide &longerSide();

  /// Makes blocks smaller until `getBytes` returns at most `available` bytes:
  /// blocks of the depth first, since smaller blocks of the result read more
  /// from memory. False if the smallest blocks need more.
  bool fit(int64_t available,
           function_ref<int64_t(const MatmulBlocking &)> getBytes);
};

} // namespace mlir::tt

#endif
