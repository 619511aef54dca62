#ifndef CONVERSION_FRONTEND_LIMITS_H
#define CONVERSION_FRONTEND_LIMITS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::tt::frontend {

/// The numbers of a list that has a sentinel for each of `operands`, if all are
/// constant. Nothing if there are more sentinels than operands.
std::optional<SmallVector<int64_t>> constantList(ArrayRef<int64_t> stated,
                                                 ValueRange operands);

/// The most elements of a table of indices or weights that is made for an op.
constexpr int64_t kMaxTable = int64_t(1) << 24;

/// An error at `op` if it would become more than `limit` of `what`.
LogicalResult expectAtMost(Operation *op, StringRef what, int64_t limit,
                           int64_t found);

} // namespace mlir::tt::frontend

#endif
