#include "dialects/TT/CollectiveInterface.h"

using namespace mlir;
using namespace mlir::tt;

#include "dialects/TT/CollectiveInterface.cpp.inc"

LogicalResult mlir::tt::verifyOnScopeMesh(Operation *op) {
  DeviceAttr device = getScopeDevice(op);
  if (!device)
    return success();
  return cast<CollectiveOpInterface>(op).verifyOnMesh(device,
                                                      getScopeSystemDesc(op));
}
