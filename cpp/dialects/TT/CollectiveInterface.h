#ifndef DIALECTS_TT_COLLECTIVEINTERFACE_H
#define DIALECTS_TT_COLLECTIVEINTERFACE_H

#include "dialects/TT/Mesh.h"
#include "dialects/TT/TT.h"

#include "mlir/IR/OpDefinition.h"

namespace mlir::tt {

/// Checks an op with the interface CollectiveOpInterface against the mesh of
/// the module around it; success where that has no device.
LogicalResult verifyOnScopeMesh(Operation *op);

} // namespace mlir::tt

#include "dialects/TT/CollectiveInterface.h.inc"

#endif
