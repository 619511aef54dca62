#ifndef DIALECTS_TT_CORERANGES_H
#define DIALECTS_TT_CORERANGES_H

#include "dialects/TT/TT.h"

namespace mlir::tt {

/// A rectangle of cores.
struct CoreRange {
  int32_t y, x, height, width;
};

/// The physical cores of a tensor's grid on a device as few rectangles: each
/// rectangle is extended to the right while the next core is its neighbour, and
/// joined to the one above when it continues that downwards.
FailureOr<SmallVector<CoreRange>>
getCoreRanges(function_ref<InFlightDiagnostic()> emitError, LayoutAttr layout,
              DeviceAttr device);

/// An error unless every point of the worker grid is a different core of the
/// system's chips, and the system has all chips of the device.
LogicalResult verifyCores(function_ref<InFlightDiagnostic()> emitError,
                          DeviceAttr device, SystemDescAttr systemDesc);

} // namespace mlir::tt

#endif
