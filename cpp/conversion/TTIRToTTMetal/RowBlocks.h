#ifndef CONVERSION_TTIRTOTTMETAL_ROWBLOCKS_H
#define CONVERSION_TTIRTOTTMETAL_ROWBLOCKS_H

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"

namespace mlir::tt {

/// Part of a row of tiles of one matrix, for scalars that kernels read and
/// write as rows.
struct RowBlock {
  /// Number of the row of tiles among all, of the matrix, and of the first row
  /// of scalars in it.
  I32 tileRow, matrix, row;
  /// The first tile of the row, and their number.
  I32 column, tiles;
  /// Rows and columns of scalars that the tensor has there.
  I32 validRows, validColumns;
};

/// Rows of a block that are copied to a place with another alignment: `address`
/// has 32 of them, `rowBytes` apart, and reads want multiples of `align`.
struct AlignedRows {
  I32 address;
  int64_t rowBytes = 0, align = 1;
};

/// The rows of scalars of a tensor in blocks of at most `blockTiles` tiles, 32
/// rows each, as `tilize_block` takes them and `untilize_block` leaves them:
/// the rows of a block follow each other in L1.
class RowBlocks {
public:
  /// `matrixRows`: rows of scalars from one matrix to the next.
  RowBlocks(const TileGrid &grid, int64_t matrixRows, int64_t blockTiles)
      : grid(grid), matrixRows(matrixRows), blockTiles(blockTiles) {}

  int64_t countBlocks() const;
  /// The blocks of this core's share.
  void forEach(KernelBuilder &kernel, const CoreRectangle &cores,
               function_ref<void(const RowBlock &)> body) const;

  /// The number of the block's first tile, in a tensor with the same tiles.
  I32 getFirstTile(const RowBlock &block) const {
    return block.tileRow * grid.columns + block.column;
  }

  /// A circular buffer for blocks of rows, in pages of a tile's elements.
  Buffer addBuffer(DispatchBuilder &dispatch, ttkernel::CBPort port,
                   const Tensor &tensor, int64_t numBuffers = 2) const;
  /// Bytes of such a page.
  static int64_t getPageBytes(const Tensor &tensor);

  /// Reads the rows of the block to `base` and fills what the tensor does not
  /// have with the bits of `padding`. Reads are under way when it is done.
  void read(KernelBuilder &kernel, const Tensor &tensor, const RowBlock &block,
            I32 base, I32 padding,
            const std::optional<AlignedRows> &aligned = {}) const;
  /// Starts to write the rows of the block that the tensor has.
  void write(KernelBuilder &kernel, const Tensor &tensor, const RowBlock &block,
             I32 base) const;

private:
  static constexpr int64_t kTile = TileType::kExtent;

  I32 getPage(const RowBlock &block, I32 row) const {
    return block.matrix * matrixRows + block.row + row;
  }

  TileGrid grid;
  int64_t matrixRows, blockTiles;
};

} // namespace mlir::tt

#endif
