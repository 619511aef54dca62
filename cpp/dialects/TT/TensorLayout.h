#ifndef DIALECTS_TT_TENSORLAYOUT_H
#define DIALECTS_TT_TENSORLAYOUT_H

#include "dialects/TT/TT.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlir::tt {

/// The layout of a tensor type; null if it is no tensor or has none.
LayoutAttr getLayoutOf(Type type);

/// The number format in which the elements of a tensor are stored: that of its
/// layout, without one that of its element type. Nothing if the chip has none
/// for them.
std::optional<DataType> getStoredFormat(RankedTensorType type);

} // namespace mlir::tt

#endif
