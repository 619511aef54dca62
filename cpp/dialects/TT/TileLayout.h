#ifndef DIALECTS_TT_TILELAYOUT_H
#define DIALECTS_TT_TILELAYOUT_H

#include "dialects/TT/TT.h"

namespace mlir::tt {

/// `left + right` as a sum of terms from left to right, which is how its text
/// is read: a map then equals what its own text parses to.
AffineExpr addTerms(AffineExpr left, AffineExpr right);

/// The map from a tensor of `shape` to rows and columns in which every matrix
/// of the two innermost dimensions begins with a new row of tiles: the leading
/// dimensions step over heights rounded up to `tileHeight`. 4x10x20 gives `(d0,
/// d1, d2) -> (d0 * 32 + d1, d2)`.
AffineMap getTilePaddedMap(MLIRContext *context, ArrayRef<int64_t> shape,
                           int64_t tileHeight);

/// The tiled layout of `type` with that map. The grid has rank 2; its shards
/// divide the padded rows.
LayoutAttr getTilePaddedLayout(RankedTensorType type, MemorySpace memorySpace,
                               GridAttr grid, TileType tile,
                               TensorMemoryLayout memLayout,
                               OOBVal oobVal = OOBVal::Undef);

/// Whether a tensor of this layout is stored in pages on the device:
/// interleaved over all banks of its memory, or all in one bank.
bool isPaged(LayoutAttr layout);

/// Whether every shard of a tensor of `shape` is full: none reaches beyond the
/// tensor.
bool hasFullShards(LayoutAttr layout, ArrayRef<int64_t> shape);

/// Pages of a tensor: tiles of a tiled layout, rows otherwise.
struct Pages {
  uint64_t count;
  /// Bytes from one page to the next in a bank.
  uint64_t alignedBytes;

  /// Bytes in the fullest of `numBanks` banks, which get pages in turn.
  uint64_t getBytesPerBank(uint64_t numBanks) const;
};
Pages getPages(RankedTensorType type, uint64_t alignment);

} // namespace mlir::tt

#endif
