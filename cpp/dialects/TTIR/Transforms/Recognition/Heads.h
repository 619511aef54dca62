#ifndef DIALECTS_TTIR_TRANSFORMS_RECOGNITION_HEADS_H
#define DIALECTS_TTIR_TRANSFORMS_RECOGNITION_HEADS_H

#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"

namespace mlir::tt::ttir::heads {

/// Heads of other widths do not begin with a tile.
inline constexpr int64_t kTile = 32;

/// A tensor with elements, and without a layout, which would be the program's
/// wish for this very tensor.
bool isPlain(Value value);

/// Heads (B, H, S, D), or (B, H, D, S), that a reshape and a permutation split
/// from the last dimension of `source`. If S is 1, reshapes alone are enough,
/// and may leave them as (B, 1, H, D).
struct Split {
  Operation *op;
  Value source;
  int64_t batch, places, heads, width;
  bool isTransposed;
};

std::optional<Split> findSplit(Operation *op);

/// Blocks of a paged cache (blocks, H, size, D), and the page table that lists
/// those of each batch (B, blocks per batch).
struct Paged {
  Value blocks, table;
};

/// The blocks that `keys` (B, H, T, D) were gathered from, if any.
std::optional<Paged> findPaged(Value keys);

/// Whether these three can be queries, keys and values.
bool areOneAttention(ArrayRef<Split> splits);

/// What a reshape that keeps the last dimension takes; null for other values.
Value getBeforeReshape(Value value);

/// The place of the first element of the last dimension, if the slice has all
/// of the others.
std::optional<int64_t> getFirst(SliceOp slice);

/// A product with weights, and vectors that are added to it.
struct Projection {
  Operation *product;
  Value input, weight;
  /// Of the product itself, and of an addition behind it. May be null.
  Value bias, added;
  bool isTransposed;

  RankedTensorType getType() const {
    return graph::typeOf(product->getResult(0));
  }
  int64_t getWidth() const { return getType().getShape().back(); }
  /// Products may have reshapes of one input.
  Value getRoot() const;
};

/// Whether the two can be one product.
bool areAlike(const Projection &a, const Projection &b);

/// The product that alone makes what is split, and is split alone.
std::optional<Projection> findProjection(const Split &split,
                                         Dependences &dependences);

/// The product with all weights, in front of the first one.
Value joinProducts(ArrayRef<Projection> all);

Operation *getFirstInBlock(ArrayRef<Operation *> ops);

} // namespace mlir::tt::ttir::heads

#endif
