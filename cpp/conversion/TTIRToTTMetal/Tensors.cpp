//===- Tensors.cpp - tensors as kernels see them -------------------------===//

#include "conversion/TTIRToTTMetal/Tensors.h"

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

std::optional<uint64_t> tt::lookupAddress(Value tensor) {
  while (auto result = dyn_cast<OpResult>(tensor)) {
    Operation *op = result.getOwner();
    if (auto alloc = dyn_cast<ttir::AllocOp>(op))
      return alloc.getAddress();
    if (auto alloc = dyn_cast<ttmetal::AllocOp>(op))
      return alloc.getAddress();
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || result.getResultNumber() >= dps.getNumDpsInits())
      return std::nullopt;
    tensor = dps.getTiedOpOperand(result)->get();
  }
  return lookupArgument(cast<BlockArgument>(tensor));
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
  // Matrices of the dimensions behind the one that is looked at.
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

uint64_t Tensor::getPageBytes() const {
  LayoutAttr layout = getLayout();
  uint64_t bytes = layout.getElementStorageSizeBytes();
  if (layout.isTiled())
    return bytes;
  // Whole rows go to the banks, whatever the grid.
  return bytes * (isPaged() ? layout.getPhysicalShape(getShape()).back()
                            : layout.getShardShape().back());
}

int64_t Tensor::getNumPages() const {
  if (isTiled())
    return tt::volume(getLayout().getTiledShape(getShape()));
  SmallVector<int64_t> physical = getLayout().getPhysicalShape(getShape());
  // A page of scalars is a row, or the part of it that a shard has.
  physical.back() = isPaged() ? 1 : getLayout().getGrid().getShape().back();
  return tt::volume(physical);
}

/// Rows and columns of a shape whose leading dimensions are taken together.
static std::array<int64_t, 2> flatten(ArrayRef<int64_t> shape) {
  return {tt::volume(shape.drop_back()), shape.back()};
}

/// Rows and columns of the pages of a tensor that is not sharded.
static std::array<int64_t, 2> getPageExtents(const Tensor &tensor) {
  LayoutAttr layout = tensor.getLayout();
  if (tensor.isTiled())
    return flatten(layout.getTiledShape(tensor.getShape()));
  return {flatten(layout.getPhysicalShape(tensor.getShape()))[0], 1};
}

ttkernel::TensorAccessorArgsAttr
tt::getAccessorArgs(const Tensor &tensor, SystemDescAttr systemDesc) {
  LayoutAttr layout = tensor.getLayout();
  MLIRContext *context = layout.getContext();
  MemorySpace space = layout.getMemorySpace();
  uint64_t bytes = tensor.getPageBytes();
  if (tensor.isPaged()) {
    uint64_t stride =
        llvm::alignTo(bytes, systemDesc.getAddressAlignBytes(space));
    if (layout.getMemLayout() == TensorMemoryLayout::Interleaved)
      return ttkernel::TensorAccessorArgsAttr::get(
          context, space, bytes, stride, getPageExtents(tensor));
    // One shard in the first bank.
    int64_t pages[] = {tensor.getNumPages(), 1}, first[] = {0, 0, 1, 1};
    return ttkernel::TensorAccessorArgsAttr::get(
        context, space, TensorMemoryLayout::HeightSharded, bytes, stride, pages,
        pages, first);
  }
  if (space != MemorySpace::DeviceL1 || layout.getGrid().getRank() != 2)
    return {};
  // A page of scalars is a row of a shard. Shards at the end may hold nothing:
  // the others are counted row by row of their own rectangle.
  ArrayRef<int64_t> grid = layout.getGrid().getShape();
  std::array<int64_t, 2> pages = getPageExtents(tensor);
  std::array<int64_t, 2> shard = flatten(layout.getMemref().getShape());
  if (!tensor.isTiled()) {
    pages[1] = grid[1];
    shard[1] = 1;
  }
  int64_t rows = llvm::divideCeil(pages[0], shard[0]);
  int64_t columns = llvm::divideCeil(pages[1], shard[1]);
  return ttkernel::TensorAccessorArgsAttr::get(
      context, space, TensorMemoryLayout::BlockSharded, bytes, bytes, pages,
      shard, {0, 0, rows, columns});
}
