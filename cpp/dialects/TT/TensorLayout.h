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

/// An error at an op whose result or argument has a layout with shards that do
/// not hold the tensor, (C6): what places tensors or writes them into files
/// asks for it. Other passes may have such types.
LogicalResult verifyPlacedTensors(Operation *root);

} // namespace mlir::tt

#endif
