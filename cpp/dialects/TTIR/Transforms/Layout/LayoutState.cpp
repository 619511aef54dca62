#include "dialects/TTIR/Transforms/Layout/LayoutState.h"

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

std::string describe(const LayoutState &state) {
  return state.isPlaced() ? tt::describe(state.place) : "dram";
}

//===----------------------------------------------------------------------===//
// Layouts and places
//===----------------------------------------------------------------------===//

/// The layout with another element type; tiles keep their extents.
static LayoutAttr withFormat(LayoutAttr layout, Type scalar, DataType format) {
  auto tile = dyn_cast<TileType>(layout.getElementType());
  return layout.withElementType(
      tile ? Type(TileType::get(layout.getContext(),
                                {tile.getHeight(), tile.getWidth()}, format))
           : scalar);
}

LayoutAttr getPlace(LayoutAttr layout) {
  layout = withFormat(layout, Float32Type::get(layout.getContext()),
                      DataType::Float32);
  return withPadding(layout, OOBVal::Undef);
}

LayoutAttr getLayoutAt(LayoutAttr place, RankedTensorType type) {
  Type elementType = type.getElementType();
  std::optional<DataType> format = elementTypeToDataType(elementType);
  if (!format)
    return {};
  if (LayoutAttr current = getLayoutOf(type))
    if (current.isDeviceMemorySpace() && current.isTiled())
      format = getStoredFormat(type);
  return withFormat(place, elementType, *format);
}

bool isRematerializable(Operation *op) {
  return isCreation(op) || isa_and_nonnull<FillOp>(op);
}

bool canRematerialize(RankedTensorType from, RankedTensorType to) {
  std::optional<DataType> stored = getStoredFormat(from);
  return stored == elementTypeToDataType(from.getElementType()) ||
         stored == getStoredFormat(to);
}

std::optional<OperandConstraint> getConstraint(OpOperand &operand) {
  auto op = dyn_cast<TTIROp>(operand.getOwner());
  ArrayAttr constraints = op ? op.getOperandConstraints() : ArrayAttr();
  if (!constraints || constraints.size() <= operand.getOperandNumber())
    return std::nullopt;
  return cast<OperandConstraintAttr>(constraints[operand.getOperandNumber()])
      .getValue();
}

bool allows(OperandConstraint constraint, LayoutAttr layout) {
  bool anySpace = !bitEnumContainsAny(constraint, OperandConstraint::System |
                                                      OperandConstraint::DRAM |
                                                      OperandConstraint::L1);
  bool anyLayout =
      !bitEnumContainsAny(constraint, OperandConstraint::AnyLayout);
  constexpr auto kForms = OperandConstraint::Scalar | OperandConstraint::Tile;
  auto form =
      layout.isTiled() ? OperandConstraint::Tile : OperandConstraint::Scalar;
  return (!bitEnumContainsAny(constraint, kForms) ||
          bitEnumContainsAny(constraint, form)) &&
         (anySpace || allowsMemorySpace(constraint, layout.getMemorySpace())) &&
         (anyLayout || allowsMemoryLayout(constraint, layout.getMemLayout()));
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// Whether the input `index` of a region is only used as the condition of
/// `where`.
static bool isConditionIn(Block &region, unsigned index) {
  auto uses = region.getArgument(index).getUses();
  return !uses.empty() && llvm::all_of(uses, [](OpOperand &use) {
    return isa<WhereOp>(use.getOwner()) && use.getOperandNumber() == 0;
  });
}

bool isElementwise(Operation *op) {
  if (isa<TTIR_ElementwiseOpInterface>(op))
    return true;
  auto generic = dyn_cast<GenericOp>(op);
  return generic && generic.getOutputs().size() == 1 &&
         generic.getRegion().hasOneBlock() &&
         generic.getIndexingMaps().size() == generic->getNumOperands() &&
         llvm::all_of(generic.getIteratorTypes().getAsRange<IteratorTypeAttr>(),
                      [](IteratorTypeAttr type) {
                        return type.getValue() == IteratorType::Parallel;
                      });
}

/// Whether operand `index` has the same indexing map as the only output of the
/// op.
static bool isReadInOrder(GenericOp generic, unsigned index) {
  return generic.getIndexingMaps()[index] ==
         generic.getIndexingMaps()[cast<DestinationStyleOpInterface>(*generic)
                                       .getDpsInitOperand(0)
                                       ->getOperandNumber()];
}

SmallVector<OpOperand *> getAligned(Operation *op) {
  SmallVector<OpOperand *> aligned;
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  auto generic = dyn_cast<GenericOp>(op);
  for (OpOperand *input :
       cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || type.getShape() != result.getShape())
      continue;
    unsigned index = input->getOperandNumber();
    bool isAside = generic
                       ? !isReadInOrder(generic, index) ||
                             isConditionIn(generic.getRegion().front(), index)
                       : isa<WhereOp>(op) && index == 0;
    if (!isAside)
      aligned.push_back(input);
  }
  return aligned;
}

bool isMovable(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  if (isa<GenericOp>(op))
    return isElementwise(op);
  return isa<TTIROp>(op) && isa<DestinationStyleOpInterface>(op) &&
         !isa<ToLayoutOp, KernelOp, CollectiveOpInterface>(op) &&
         !isRematerializable(op);
}

} // namespace mlir::tt::ttir
