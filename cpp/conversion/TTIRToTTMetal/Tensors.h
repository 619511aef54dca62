#ifndef CONVERSION_TTIRTOTTMETAL_TENSORS_H
#define CONVERSION_TTIRTOTTMETAL_TENSORS_H

#include "conversion/TTIRToTTMetal/KernelBuilder.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTKernel/TensorPages.h"

namespace mlir::tt {

/// Address of a tensor in its memory: that of the `ttir.alloc` or
/// `ttmetal.alloc` that the destinations of ops lead to, or of the function's
/// argument; 0 in host memory. Nothing if it has none.
std::optional<uint64_t> lookupAddress(Value tensor);

/// Whether the runtime chooses the address of the tensor, which kernels have as
/// an argument: of what is kept from call to call, and of what parts of a
/// program are given and return.
bool isPlacedByRuntime(Value tensor);

/// A tensor with the matrices of its leading dimensions, each in its own tiles:
/// batches x rows x columns tiles, row-major.
struct TileGrid {
  int64_t batches = 1, rows = 1, columns = 1;
  /// Extents of a matrix in elements.
  int64_t height = 1, width = 1;

  int64_t volume() const { return batches * rows * columns; }
  /// The page (number of the tile) of the tile at batch `b`, row `y`,
  /// column `x`.
  I32 page(I32 b, I32 y, I32 x) const { return (b * rows + y) * columns + x; }
};

/// A tensor of the device as the kernels of a dispatch see it.
struct Tensor {
  Value value;
  uint64_t address = 0;
  /// The argument of the dispatch's kernels that is the address, if the runtime
  /// chooses it.
  std::optional<unsigned> addressArgument;

  RankedTensorType getType() const {
    return cast<RankedTensorType>(value.getType());
  }
  ArrayRef<int64_t> getShape() const { return getType().getShape(); }
  LayoutAttr getLayout() const {
    return cast<LayoutAttr>(getType().getEncoding());
  }
  bool isInL1() const {
    return getLayout().getMemorySpace() == MemorySpace::DeviceL1;
  }
  bool isTiled() const { return getLayout().isTiled(); }
  /// Of the elements or of the tiles.
  DataType getDataType() const;

  /// The tiles of a tiled tensor; those that a scalar one would have in tiles
  /// of 32x32.
  TileGrid getTileGrid() const;
  /// Physical rows from one matrix of the leading dimensions to the next;
  /// nothing if they do not follow each other in steps of one size.
  std::optional<int64_t> getMatrixRows() const;
  /// Whether a tiled tensor has every matrix in its own tiles, as in TileGrid;
  /// otherwise tiles have rows of several matrices.
  bool hasTilesOfItsOwn() const;

  /// Bytes of a page: a tile, or a row of the last physical dimension.
  uint64_t getPageBytes() const { return ttkernel::getPageBytes(getType()); }
  /// Pages in the banks of DRAM or L1, which every core can read and write one
  /// by one.
  bool isPaged() const { return tt::isPaged(getLayout()); }
  int64_t getNumPages() const { return ttkernel::getNumPages(getType()); }
  /// How the pages lie; null where they do not exist.
  ttkernel::TensorAccessorArgsAttr
  getAccessorArgs(SystemDescAttr systemDesc) const {
    return ttkernel::getAccessorArgs(getType(), systemDesc);
  }
};

} // namespace mlir::tt

#endif
