// Matrix products: blocks of the operands are multicast along the rows and
// columns of the grid, and every core multiplies them into its part of the
// result.
#ifndef TT_RUNTIME_TTNN_STREAMS_PRODUCT_H
#define TT_RUNTIME_TTNN_STREAMS_PRODUCT_H

#include "ttnn/streams/builder.h"

namespace tt::runtime::ttnn::streams {

struct Product {
  const Layout *a, *b, *result;
  const Layout *bias = nullptr;
  /// In tiles; `batch` products, each with operands of its own.
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  /// Destination registers of f32: half as many tiles.
  bool fp32Dest = false;
  /// The packer adds partial sums to those of the block before, see addsInL1().
  bool packerL1Acc = true;
  /// Of a convolution: rows of `a` are gathered in the core's own L1, in pieces
  /// of so many bytes, and made tiles there. 0: `a` has tiles.
  std::int64_t pieceBytes = 0;
  /// Rows of pages of `a` beside its own share that a core needs for that.
  std::int64_t halo = 0;
  /// For a transposed convolution: the core interleaves rows of the result with
  /// those of other phases in its own L1, in pieces of this many bytes, and
  /// tilizes them. 0: no interleaving.
  std::int64_t spreadBytes = 0;
  /// Of the result, by columns: each is complete before the next one begins,
  /// and other cores than those of the product send it to other chips.
  std::int64_t slices = 1;
  /// Of the result, by the vector engine, before it is packed.
  std::optional<Instruction> activation = {};
};

void stream(Builder &builder, const Product &product);

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_PRODUCT_H
