#ifndef DIALECTS_TTIR_COMPOSITES_INDEXING_H
#define DIALECTS_TTIR_COMPOSITES_INDEXING_H

#include "dialects/TTIR/Composites/Composites.h"

namespace mlir::tt::ttir {

/// The number of an attribute of i32.
inline int64_t signedOf(uint32_t value) { return static_cast<int32_t>(value); }

/// `dim` is in [-rank, rank).
LogicalResult verifyDim(Operation *op, int64_t dim, int64_t rank);
LogicalResult verifyIntegerElements(Operation *op, StringRef name, Value value);
/// Of a scatter: `sum`, `prod`, `max`, `min` or `invalid`.
LogicalResult verifyScatterType(Operation *op, ReduceType type);

inline int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// Rows from one place of each dimension to the next.
SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape);

/// A number of f32 or of an integer type, as it is.
Value number(graph::GraphBuilder &b, int64_t value, Type element);
/// A list of numbers as si32.
Value numbers(graph::GraphBuilder &b, ArrayRef<int64_t> values);
/// 0, 1, ... along dimension `dim` of a shape of ones, as si32.
Value counted(graph::GraphBuilder &b, ArrayRef<int64_t> shape, int64_t dim);
/// Places `begin` to `end` of dimension `dim`.
Value sliceDim(graph::GraphBuilder &b, Value value, int64_t dim, int64_t begin,
               int64_t end);
/// The elements of `value` along `dim` at the places in `index`.
Value takeAlong(graph::GraphBuilder &b, Value value, Value index, int64_t dim);
/// The places of the elements of `value` in order, as si32.
Value argsort(graph::GraphBuilder &b, Value value, int64_t dim,
              bool descending);
/// `ttir.scatter_rows`.
Value scatterRows(graph::GraphBuilder &b, Value table, Value rows,
                  Value updates, ReduceType type);
/// `ttir.update_slice`; `index` is null if `dims` is empty.
Value updateSlice(graph::GraphBuilder &b, Value input, Value update,
                  Value index, ArrayRef<int64_t> starts, ArrayRef<int64_t> dims,
                  bool clamp);
/// jax.random.uniform in [0, 1), f32.
Value uniform(graph::GraphBuilder &b, ArrayRef<int64_t> shape, uint32_t seed);

} // namespace mlir::tt::ttir

#endif
