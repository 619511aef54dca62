//===- Tensors.cpp - tensors as kernels see them -------------------------===//

#include "conversion/TTIRToTTMetal/Tensors.h"

#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTMetal/TTMetal.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

static std::optional<uint64_t> lookupArgument(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  auto allocations =
      function->getAttrOfType<ArrayAttr>(ArgumentAllocationAttr::name);
  unsigned number = argument.getArgNumber();
  if (!allocations || number >= allocations.size())
    return std::nullopt;
  auto allocation = dyn_cast<ArgumentAllocationAttr>(allocations[number]);
  if (!allocation)
    return std::nullopt;
  return allocation.getAddress();
}

/// The value whose memory the tensor has: destinations are followed back.
static Value getRoot(Value tensor) {
  while (auto result = dyn_cast<OpResult>(tensor)) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    if (!dps || result.getResultNumber() >= dps.getNumDpsInits())
      break;
    tensor = dps.getTiedOpOperand(result)->get();
  }
  return tensor;
}

std::optional<uint64_t> tt::lookupAddress(Value tensor) {
  Value root = getRoot(tensor);
  if (auto argument = dyn_cast<BlockArgument>(root))
    return lookupArgument(argument);
  if (auto alloc = root.getDefiningOp<ttir::AllocOp>())
    return alloc.getAddress();
  if (auto alloc = root.getDefiningOp<ttmetal::AllocOp>())
    return alloc.getAddress();
  return std::nullopt;
}

bool tt::isPlacedByRuntime(Value tensor) {
  if (Operation *op = getRoot(tensor).getDefiningOp();
      op && (isa<LoadCachedOp>(op) || isControlFlow(op)))
    return true;
  auto layout =
      cast<LayoutAttr>(cast<RankedTensorType>(tensor.getType()).getEncoding());
  return layout.isDeviceMemorySpace() && lookupAddress(tensor) == 0u;
}

DataType Tensor::getDataType() const {
  return *elementTypeToDataType(getLayout().getElementType());
}

/// Height and width of a tile of the layout.
static std::pair<int64_t, int64_t> getTileExtents(LayoutAttr layout) {
  auto tile = dyn_cast<TileType>(layout.getElementType());
  if (!tile)
    return {TileType::kExtent, TileType::kExtent};
  return {tile.getHeight(), tile.getWidth()};
}

TileGrid Tensor::getTileGrid() const {
  TileGrid grid;
  ArrayRef<int64_t> shape = getShape();
  if (!shape.empty())
    grid.width = shape.back();
  if (shape.size() >= 2) {
    grid.height = shape[shape.size() - 2];
    grid.batches = tt::volume(shape.drop_back(2));
  }
  auto [tileHeight, tileWidth] = getTileExtents(getLayout());
  grid.rows = llvm::divideCeil(grid.height, tileHeight);
  grid.columns = llvm::divideCeil(grid.width, tileWidth);
  return grid;
}

std::optional<int64_t> Tensor::getMatrixRows() const {
  ArrayRef<int64_t> shape = getShape();
  TileGrid grid = getTileGrid();
  SmallVector<int64_t> stride = getLayout().getStride(shape);
  std::optional<int64_t> rows;
  // The number of matrices of the dimensions after this one.
  int64_t matrices = 1;
  for (int64_t d = static_cast<int64_t>(shape.size()) - 3; d >= 0; --d) {
    int64_t step = stride[shape.size() - 2] * matrices;
    if (shape[d] > 1) {
      if (step == 0 || stride[d] % step != 0 ||
          (rows && stride[d] / step != *rows))
        return std::nullopt;
      rows = stride[d] / step;
    }
    matrices *= shape[d];
  }
  return rows.value_or(grid.height);
}

bool Tensor::hasTilesOfItsOwn() const {
  TileGrid grid = getTileGrid();
  return grid.batches == 1 ||
         getMatrixRows() == grid.rows * getTileExtents(getLayout()).first;
}
