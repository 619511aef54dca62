#ifndef DIALECTS_TTIR_COMPOSITES_COMPOSITES_H
#define DIALECTS_TTIR_COMPOSITES_COMPOSITES_H

#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"

namespace mlir::tt::ttir {

/// All inputs and outputs are of floats or all are of integers.
LogicalResult verifyOneKind(Operation *op);

/// Whether kernels take a composite op in this form, where they take it at all.
bool hasKernel(Operation *op);

/// A tensor of one dimension with `extent` elements, or null.
LogicalResult verifyVector(Operation *op, StringRef name, Value value,
                           int64_t extent);

/// `vector` along dimension `dim` of a shape of ones.
Value alongDim(graph::GraphBuilder &builder, Value vector, int64_t rank,
               int64_t dim);

/// In f32, in which ops of several steps compute, if it is a float.
Value toF32(graph::GraphBuilder &builder, Value value);

/// The operands and attributes of a `ttir.scaled_dot_product_attention`. All
/// operands but the first three may be null.
struct Attention {
  Value query, key, value, mask, sink, positions, pageTable;
  bool isCausal = false;
  std::optional<APFloat> scale;
  std::optional<uint32_t> window;

  static Attention of(ScaledDotProductAttentionOp op);
  Value make(graph::GraphBuilder &b, Type element) const;
};

/// The number of keys of a batch, whether the cache is paged or not.
int64_t getNumKeys(ScaledDotProductAttentionOp op);

} // namespace mlir::tt::ttir

#endif
