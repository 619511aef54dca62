#ifndef DIALECTS_TT_BOUNDS_H
#define DIALECTS_TT_BOUNDS_H

#include "dialects/TT/Utils.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tt {

/// The longest extent of a tensor that ops work on: attributes of ops and files
/// have 32 bits for it.
constexpr int64_t kMaxExtent = (int64_t(1) << 31) - 1;

/// Whether ops work on tensors of this shape: it is static, with extents of up
/// to kMaxExtent and kMaxElements elements.
bool isComputable(ArrayRef<int64_t> shape);
/// The same for a type, whose elements are integers or floats, or tiles in a
/// buffer.
bool isComputable(RankedTensorType type);

/// Product of extents that nothing bounds: the largest number where it does not
/// fit.
int64_t saturatedVolume(ArrayRef<int64_t> shape);

/// All indices from `first` to `last`.
struct IndexRange {
  int64_t first, last;
};

/// The values that `expr` has on the index space of `shape`: exact for
/// expressions without a remainder, otherwise none is missing. The last index
/// of an empty extent is -1. Nothing where values overflow 64 bits.
std::optional<IndexRange> getIndexRange(AffineExpr expr,
                                        ArrayRef<int64_t> shape);

} // namespace mlir::tt

#endif
