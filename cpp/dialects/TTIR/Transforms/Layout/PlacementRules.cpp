#include "dialects/TTIR/Transforms/Layout/PlacementRules.h"

#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

namespace mlir::tt::ttir {

bool isSystem(MemorySpace space) {
  return space == MemorySpace::System || space == MemorySpace::SystemMMIO;
}

/// A tile of plain numbers of `elementType`.
static TileType withScalarFormat(TileType tile, Type elementType) {
  return TileType::get(tile.getContext(), {tile.getHeight(), tile.getWidth()},
                       *elementTypeToDataType(elementType));
}

RankedTensorType PlacementRules::withPaddedTiles(RankedTensorType type) const {
  auto layout = dyn_cast<LayoutAttr>(type.getEncoding());
  auto tile = layout ? dyn_cast<TileType>(layout.getElementType()) : TileType();
  if (!padToTiles || !tile || type.getRank() < 2 ||
      layout.isSystemMemorySpace() || layout.getGrid().getRank() != 2 ||
      layout.getLinear() == getTilePaddedMap(type.getContext(), type.getShape(),
                                             tile.getHeight()))
    return type;
  return RankedTensorType::get(
      type.getShape(), type.getElementType(),
      getTilePaddedLayout(type, layout.getMemorySpace(), layout.getGrid(), tile,
                          layout.getMemLayout(), layout.getOobVal()));
}

/// The memory layout of tensors that are not placed. Kernels stream tensors
/// in DRAM page by page.
TensorMemoryLayout PlacementRules::getDefaultLayout(MemorySpace space) const {
  if (isSystem(space))
    return TensorMemoryLayout::None;
  if (padToTiles && space == MemorySpace::DeviceDRAM)
    return TensorMemoryLayout::Interleaved;
  return defaultDeviceMemoryLayout;
}

Placement PlacementRules::choose(OperandConstraint constraint) const {
  if (!bitEnumContainsAny(constraint, OperandConstraint::System |
                                          OperandConstraint::DRAM |
                                          OperandConstraint::L1))
    constraint = constraint | OperandConstraint::System |
                 OperandConstraint::DRAM | OperandConstraint::L1;
  if (!bitEnumContainsAny(constraint, OperandConstraint::AnyLayout))
    constraint = constraint | OperandConstraint::AnyLayout;
  Placement placement{
      MemorySpace::System, TensorMemoryLayout::None,
      !bitEnumContainsAny(constraint, OperandConstraint::Scalar)};
  for (MemorySpace space :
       {defaultMemorySpace, MemorySpace::DeviceDRAM, MemorySpace::DeviceL1})
    if (allowsMemorySpace(constraint, space)) {
      placement.memorySpace = space;
      break;
    }
  TensorMemoryLayout wanted = getDefaultLayout(placement.memorySpace);
  if (wanted == TensorMemoryLayout::None)
    return placement;
  for (TensorMemoryLayout layout :
       {wanted, TensorMemoryLayout::Interleaved, TensorMemoryLayout::SingleBank,
        TensorMemoryLayout::HeightSharded, TensorMemoryLayout::WidthSharded,
        TensorMemoryLayout::BlockSharded})
    if (allowsMemoryLayout(constraint, layout)) {
      placement.memLayout = layout;
      break;
    }
  return placement;
}

RankedTensorType PlacementRules::place(RankedTensorType type,
                                       Placement placement) const {
  auto layout = cast<LayoutAttr>(type.getEncoding());
  Type elementType = type.getElementType();
  if (placement.tiled)
    elementType = layout.isTiled()
                      ? layout.getElementType()
                      : TileType::get(type.getContext(),
                                      *elementTypeToDataType(elementType));
  GridAttr grid = layout.getGrid();
  if (padToTiles && placement.memorySpace == MemorySpace::DeviceDRAM &&
      layout.getMemorySpace() != MemorySpace::DeviceDRAM)
    grid = initialGrid;
  // The grid of the program may not fit the device.
  if (!fitsDevice(chip, grid, placement.memLayout))
    grid = initialGrid;
  LayoutAttr placed;
  auto tile = dyn_cast<TileType>(elementType);
  // An infinity in the padding would make its whole block infinite.
  if (tile && isBlockFloat(tile.getDataType()) &&
      placement.padding != OOBVal::Undef && placement.padding != OOBVal::Zero)
    elementType = tile = withScalarFormat(tile, type.getElementType());
  if (padToTiles && tile && type.getRank() > 1 && grid.getRank() == 2)
    placed = getTilePaddedLayout(type, placement.memorySpace, grid, tile,
                                 placement.memLayout, placement.padding);
  else
    placed = LayoutAttr::get(type.getContext(), type.getShape(), elementType,
                             placement.memorySpace, grid, {{0, -1}},
                             placement.padding, placement.memLayout);
  bool samePadding = placement.padding == OOBVal::Undef ||
                     placement.padding == layout.getOobVal();
  bool sameMap =
      !padToTiles || !tile || placed.getLinear() == layout.getLinear();
  if (layout.getMemorySpace() == placement.memorySpace &&
      layout.getElementType() == elementType &&
      layout.getMemLayout() == placement.memLayout && samePadding && sameMap)
    return type;
  return RankedTensorType::get(type.getShape(), type.getElementType(), placed);
}

RankedTensorType PlacementRules::getWrittenType(RankedTensorType placed) const {
  constexpr int64_t kBlock = 16;
  auto layout = cast<LayoutAttr>(placed.getEncoding());
  auto tile = dyn_cast<TileType>(layout.getElementType());
  if (!padToTiles || !tile || !isBlockFloat(tile.getDataType()) ||
      placed.getShape().back() % kBlock == 0)
    return placed;
  return withLayout(placed, layout.withElementType(withScalarFormat(
                                tile, placed.getElementType())));
}

} // namespace mlir::tt::ttir
