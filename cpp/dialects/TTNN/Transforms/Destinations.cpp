#include "dialects/TTNN/Transforms/Destinations.h"

#include "dialects/TT/TensorLayout.h"

namespace mlir::tt::ttnn {

EmptyOp getOwnDestination(OpResult result) {
  auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
  if (!op)
    return nullptr;
  auto empty = op.getTiedOpOperand(result)->get().getDefiningOp<EmptyOp>();
  if (!empty)
    return nullptr;
  unsigned count = 0;
  for (OpOperand &use : empty->getUses()) {
    if (isa<DeallocOp>(use.getOwner()))
      continue;
    if (use.getOwner() != op || ++count != 1)
      return nullptr;
  }
  return empty;
}

void setResultType(OpResult result, EmptyOp destination,
                   RankedTensorType type) {
  tt::LayoutAttr layout = getLayoutOf(type);
  result.setType(type);
  if (!destination)
    return;
  destination.getResult().setType(type);
  destination.setDtypeAttr(
      DataTypeAttr::get(type.getContext(), *getStoredFormat(type)));
  destination.setLayoutAttr(getElementOrder(layout));
  destination.setMemoryConfigAttr(getMemoryConfig(layout));
}

RankedTensorType withFormat(RankedTensorType type, DataType format) {
  tt::LayoutAttr layout = getLayoutOf(type);
  return RankedTensorType::get(
      type.getShape(), type.getElementType(),
      layout.withElementType(TileType::get(type.getContext(), format)));
}

void setStoredFormat(OpResult result, DataType format) {
  RankedTensorType type =
      withFormat(cast<RankedTensorType>(result.getType()), format);
  result.setType(type);
  if (EmptyOp destination = getOwnDestination(result)) {
    destination.getResult().setType(type);
    destination.setDtypeAttr(DataTypeAttr::get(type.getContext(), format));
  }
}

/// Whether only ops of the same name read the result. The op is then one of
/// several steps of a source op, but not the last. Conversions of the last step
/// have the same name.
static bool isStepOfSameName(Operation *op) {
  bool isRead = false;
  for (Operation *user : op->getUsers()) {
    if (isa<DeallocOp>(user))
      continue;
    if (user->getLoc() != op->getLoc() ||
        isa<FromDeviceOp, ToDeviceOp, ToLayoutOp, ToMemoryConfigOp, TypecastOp>(
            user))
      return false;
    isRead = true;
  }
  return isRead;
}

bool isNamed(Operation *op, ArrayRef<std::string> names) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name && llvm::is_contained(names, name.getName().getValue()) &&
         !isStepOfSameName(op);
}

} // namespace mlir::tt::ttnn
