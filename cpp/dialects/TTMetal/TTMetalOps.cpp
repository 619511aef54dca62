#include "dialects/TTMetal/TTMetal.h"

#include "DispatchRules.h"

#include "dialects/Shapes/ShapeRules.h"
#include "dialects/TT/Bounds.h"
#include "dialects/TT/TensorLayout.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttmetal;

#define GET_OP_CLASSES
#include "dialects/TTMetal/TTMetalOps.cpp.inc"

void TTMetalDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/TTMetal/TTMetalOps.cpp.inc"
      >();
}

/// A tensor (`side` names it) has a layout, on the device or on the host.
static LogicalResult verifyPlace(Operation *op, StringRef side, Value value,
                                 bool onDevice) {
  auto type = cast<RankedTensorType>(value.getType());
  LayoutAttr layout = getLayoutOf(type);
  if (!layout)
    return op->emitOpError(side)
           << " tensor missing layout attribute: found " << type;
  if (layout.isDeviceMemorySpace() == onDevice)
    return success();
  return op->emitOpError(side)
         << " tensor must be in " << (onDevice ? "device" : "system")
         << " memory space: found "
         << stringifyMemorySpace(layout.getMemorySpace());
}

LogicalResult AllocOp::verify() {
  return shapes::verifyAlloc(*this, getType(), getAddress(), getSize(),
                             getMemorySpace());
}

LogicalResult HostConstantOp::verify() {
  if (failed(shapes::verifyElements(*this, getValue(), getType())))
    return failure();
  return verifyPlace(*this, "Output", getResult(), /*onDevice=*/false);
}

OpFoldResult HostConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult HostReadOp::verify() {
  if (failed(verifyPlace(*this, "Input", getInput(), /*onDevice=*/true)))
    return failure();
  return verifyPlace(*this, "Output", getOutput(), /*onDevice=*/false);
}

LogicalResult HostWriteOp::verify() {
  if (failed(verifyPlace(*this, "Input", getInput(), /*onDevice=*/false)))
    return failure();
  return verifyPlace(*this, "Output", getOutput(), /*onDevice=*/true);
}

/// The names of the attributes that belong to a kind.
static SmallVector<StringRef> getDetails(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllGather:
    return {"dim", "cluster_axis"};
  case CollectiveKind::ReduceScatter:
    return {"reduce_type", "dim", "cluster_axis"};
  case CollectiveKind::AllReduce:
    return {"reduce_type", "cluster_axis"};
  case CollectiveKind::CollectivePermute:
  case CollectiveKind::CollectiveBroadcast:
    return {"groups"};
  case CollectiveKind::MeshPartition:
    return {"dim"};
  case CollectiveKind::AllToAll:
    return {"dim", "concat_dim", "split_count", "groups"};
  }
  llvm_unreachable("expected a kind of collective");
}

static LogicalResult verifyDetails(CollectiveOp op) {
  SmallVector<StringRef> details = getDetails(op.getKind());
  // The axis of a mesh_partition may be missing: then it is over all chips.
  bool anyAxis = op.getKind() == CollectiveKind::MeshPartition;
  for (StringRef name : {"reduce_type", "dim", "concat_dim", "split_count",
                         "cluster_axis", "groups"}) {
    bool expected = llvm::is_contained(details, name);
    bool found = static_cast<bool>(op->getAttr(name));
    if (found != expected && !(anyAxis && name == "cluster_axis"))
      return op->emitOpError("(C3) expected ")
             << (expected ? "" : "no ") << "attribute '" << name << "' of "
             << stringifyCollectiveKind(op.getKind()) << ", found "
             << (found ? "one" : "none");
  }
  return success();
}

LogicalResult CollectiveOp::verify() {
  if (failed(verifyPlace(*this, "Input", getInput(), /*onDevice=*/true)) ||
      failed(verifyPlace(*this, "Output", getOutput(), /*onDevice=*/true)))
    return failure();
  return verifyDetails(*this);
}

LogicalResult MeshShardOp::verify() {
  if (failed(verifyPlace(*this, "Input", getInput(), /*onDevice=*/false)))
    return failure();
  return verifyPlace(*this, "Output", getOutput(), /*onDevice=*/false);
}

LogicalResult DispatchOp::verify() {
  for (Value input : getInputs())
    if (failed(verifyPlace(*this, "Input", input, /*onDevice=*/true)))
      return failure();
  for (Value output : getOutputs())
    if (failed(verifyPlace(*this, "Output", output, /*onDevice=*/true)))
      return failure();
  return verifyKernels(*this);
}
