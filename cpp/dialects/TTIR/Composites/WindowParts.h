#ifndef DIALECTS_TTIR_COMPOSITES_WINDOWPARTS_H
#define DIALECTS_TTIR_COMPOSITES_WINDOWPARTS_H

#include "dialects/TTIR/Composites/Composites.h"
#include "dialects/TTIR/TTIRWindows.h"

namespace mlir::tt::ttir {

/// How a window slides along one dimension.
struct Slide {
  int64_t size = 1, stride = 1, baseDilation = 1, dilation = 1, low = 0,
          high = 0;

  /// From the first to the last element of the window.
  int64_t span() const { return (size - 1) * dilation + 1; }
  /// The extent of an input of `count` elements with gaps and padding.
  int64_t padded(int64_t count) const {
    return (count > 0 ? (count - 1) * baseDilation + 1 : 0) + low + high;
  }
  /// How many windows there are over `count` elements; below 1 for none.
  int64_t windows(int64_t count) const {
    int64_t room = padded(count) - span();
    return room < 0 ? 0 : room / stride + 1;
  }
};

/// Fails after an error if `values` has not `count` entries of at least
/// `least`.
LogicalResult verifyWindowEntries(Operation *op, StringRef name,
                                  ArrayRef<int64_t> values, size_t count,
                                  int64_t least);

/// `value` with `factor` - 1 times `gap` between its slices along `dim`.
Value spreadAlong(graph::GraphBuilder &builder, Value value, int64_t dim,
                  int64_t factor, double gap);

/// `value` with elements in front of and behind it along `dim`; negative
/// numbers cut off.
Value padAlong(graph::GraphBuilder &builder, Value value, int64_t dim,
               int64_t low, int64_t high, double gap);

/// `count` slices along `dim` from `begin` on, `step` apart.
Value sliceAlong(graph::GraphBuilder &builder, Value value, int64_t dim,
                 int64_t begin, int64_t count, int64_t step = 1);

} // namespace mlir::tt::ttir

#endif
