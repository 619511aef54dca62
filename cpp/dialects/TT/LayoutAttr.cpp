//===- LayoutAttr.cpp - arithmetic of tensor layouts ----------------------===//

#include "dialects/TT/TT.h"
#include "dialects/TT/TileLayout.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

using EmitError = function_ref<InFlightDiagnostic()>;

/// Row-major collapse of the dimensions [begin, end) of `shape`.
static AffineExpr collapse(MLIRContext *context, ArrayRef<int64_t> shape,
                           int64_t begin, int64_t end) {
  AffineExpr expr = getAffineConstantExpr(0, context);
  int64_t stride = 1;
  for (int64_t d = end - 1; d >= begin; --d) {
    expr = addTerms(getAffineDimExpr(d, context) * stride, expr);
    stride *= shape[d];
  }
  return expr;
}

/// Adds the tensor's rank to negative bounds and drops empty intervals; fails
/// when one is out of range or they are not in ascending order.
static FailureOr<SmallVector<std::pair<int64_t, int64_t>>>
normalizeIntervals(EmitError emitError, int64_t rank,
                   LayoutAttr::CollapseIntervals intervals) {
  SmallVector<std::pair<int64_t, int64_t>> result;
  int64_t previousEnd = 0;
  for (auto [first, second] : intervals) {
    int64_t begin = first < 0 ? first + rank : first;
    int64_t end = second < 0 ? second + rank : second;
    if (begin >= end)
      continue;
    if (begin < previousEnd || end > rank)
      return emitError() << "expected ascending collapse intervals inside [0, "
                         << rank << "), found [" << first << ", " << second
                         << ")";
    result.emplace_back(begin, end);
    previousEnd = end;
  }
  return result;
}

/// One result for every interval and for every dimension outside of them.
static SmallVector<AffineExpr>
groupDimensions(MLIRContext *context, ArrayRef<int64_t> shape,
                ArrayRef<std::pair<int64_t, int64_t>> intervals) {
  SmallVector<AffineExpr> groups;
  int64_t next = 0;
  for (auto [begin, end] : intervals) {
    for (; next < begin; ++next)
      groups.push_back(getAffineDimExpr(next, context));
    groups.push_back(collapse(context, shape, begin, end));
    next = end;
  }
  for (; next < static_cast<int64_t>(shape.size()); ++next)
    groups.push_back(getAffineDimExpr(next, context));
  return groups;
}

/// The map from a tensor of `shape` to a physical space of `gridRank`
/// dimensions.
static AffineMap buildLinearMap(EmitError emitError, MLIRContext *context,
                                ArrayRef<int64_t> shape, int64_t gridRank,
                                LayoutAttr::CollapseIntervals intervals) {
  int64_t rank = shape.size();
  auto normalized = normalizeIntervals(emitError, rank, intervals);
  if (failed(normalized))
    return {};
  SmallVector<AffineExpr> results =
      groupDimensions(context, shape, *normalized);
  int64_t surplus = std::min(rank, gridRank) - results.size();
  if (surplus > 0) {
    // A grid of higher rank keeps trailing dimensions of the (first) interval
    // beside the collapsed one, so that it can divide them as well.
    auto [begin, end] = normalized->front();
    for (int64_t d = end - surplus; d < end; ++d)
      results.insert(results.begin() + begin + 1 + (d - (end - surplus)),
                     getAffineDimExpr(d, context));
  }
  if (static_cast<int64_t>(results.size()) > gridRank) {
    emitError() << "expected every tensor dimension to take part in the linear "
                   "map: "
                << results.size()
                << " collapsed dimensions do not fit a grid of rank "
                << gridRank;
    return {};
  }
  while (static_cast<int64_t>(results.size()) < gridRank)
    results.insert(results.begin(), getAffineConstantExpr(0, context));
  return AffineMap::get(rank, /*symbolCount=*/0, results, context);
}

static SmallVector<int64_t> divideByGrid(ArrayRef<int64_t> physicalShape,
                                         GridAttr grid) {
  SmallVector<int64_t> shard;
  for (auto [extent, cores] : llvm::zip_equal(physicalShape, grid.getShape()))
    shard.push_back(llvm::divideCeilSigned(extent, cores));
  return shard;
}

static MemRefType buildMemRef(MLIRContext *context,
                              ArrayRef<int64_t> scalarShard, Type elementType,
                              MemorySpace memorySpace) {
  SmallVector<int64_t> shape(scalarShard);
  if (auto tile = dyn_cast<TileType>(elementType)) {
    int64_t rank = shape.size();
    shape[rank - 2] = llvm::divideCeilSigned(shape[rank - 2], tile.getHeight());
    shape[rank - 1] = llvm::divideCeilSigned(shape[rank - 1], tile.getWidth());
  }
  return MemRefType::get(shape, elementType, MemRefLayoutAttrInterface(),
                         MemorySpaceAttr::get(context, memorySpace));
}

LayoutAttr LayoutAttr::getChecked(EmitError emitError, MLIRContext *context,
                                  ArrayRef<int64_t> tensorShape,
                                  Type elementType, MemorySpace memorySpace,
                                  GridAttr grid,
                                  CollapseIntervals collapseIntervals,
                                  OOBVal oobVal, TensorMemoryLayout memLayout) {
  if (!BaseMemRefType::isValidElementType(elementType)) {
    emitError() << "expected an element type that memory can hold, found "
                << elementType;
    return {};
  }
  for (int64_t extent : tensorShape) {
    if (extent < 0) {
      emitError() << "expected a tensor of static shape";
      return {};
    }
  }
  if (!isAddressable(tensorShape)) {
    emitError() << "expected a tensor of at most 2^40 elements";
    return {};
  }
  if (!grid)
    grid = GridAttr::get(context, std::max<size_t>(tensorShape.size(), 1));
  if (isa<TileType>(elementType) && grid.getRank() < 2) {
    emitError() << "expected a grid of rank >= 2 for tiles, found rank "
                << grid.getRank();
    return {};
  }
  AffineMap linear = buildLinearMap(emitError, context, tensorShape,
                                    grid.getRank(), collapseIntervals);
  if (!linear)
    return {};
  SmallVector<int64_t> shard =
      divideByGrid(evalShape(linear, tensorShape), grid);
  return getChecked(emitError, context, linear, oobVal, grid,
                    buildMemRef(context, shard, elementType, memorySpace),
                    memLayout);
}

LayoutAttr LayoutAttr::get(MLIRContext *context, ArrayRef<int64_t> tensorShape,
                           Type elementType, MemorySpace memorySpace,
                           GridAttr grid, CollapseIntervals collapseIntervals,
                           OOBVal oobVal, TensorMemoryLayout memLayout) {
  auto emitError = [&] {
    return mlir::emitError(UnknownLoc::get(context), "invalid layout: ");
  };
  LayoutAttr layout =
      getChecked(emitError, context, tensorShape, elementType, memorySpace,
                 grid, collapseIntervals, oobVal, memLayout);
  assert(layout && "arguments of a layout must fit together");
  return layout;
}

LayoutAttr LayoutAttr::get(RankedTensorType type, MemorySpace memorySpace,
                           GridAttr grid, CollapseIntervals collapseIntervals,
                           OOBVal oobVal, TensorMemoryLayout memLayout) {
  return get(type.getContext(), type.getShape(), type.getElementType(),
             memorySpace, grid, collapseIntervals, oobVal, memLayout);
}

LayoutAttr LayoutAttr::get(RankedTensorType type, MemorySpace memorySpace,
                           GridAttr grid, Type elementType,
                           TensorMemoryLayout memLayout) {
  return get(type.getContext(), type.getShape(), elementType, memorySpace, grid,
             {{0, -1}}, OOBVal::Undef, memLayout);
}

LayoutAttr LayoutAttr::withGrid(ArrayRef<int64_t> tensorShape, GridAttr grid,
                                CollapseIntervals collapseIntervals) {
  LayoutAttr layout =
      get(getContext(), tensorShape, getElementType(), getMemorySpace(), grid,
          collapseIntervals, getOobVal(), getMemLayout());
  // Matrices that are padded to tiles keep their padding.
  auto tile = dyn_cast<TileType>(getElementType());
  if (!tile || tensorShape.size() < 2 || grid.getRank() != 2 ||
      layout.getLinear() == getLinear() ||
      getLinear() !=
          getTilePaddedMap(getContext(), tensorShape, tile.getHeight()))
    return layout;
  return getTilePaddedLayout(
      RankedTensorType::get(tensorShape, tile.getElementType()),
      getMemorySpace(), grid, tile, getMemLayout(), getOobVal());
}

LayoutAttr LayoutAttr::withGrid(RankedTensorType type, GridAttr grid,
                                CollapseIntervals collapseIntervals) {
  return withGrid(type.getShape(), grid, collapseIntervals);
}

LayoutAttr LayoutAttr::withElementType(Type elementType) {
  return get(
      getContext(), getLinear(), getOobVal(), getGrid(),
      buildMemRef(getContext(), getShardShape(), elementType, getMemorySpace()),
      getMemLayout());
}

LayoutAttr LayoutAttr::withMemorySpace(MemorySpace memorySpace) {
  return get(
      getContext(), getLinear(), getOobVal(), getGrid(),
      buildMemRef(getContext(), getShardShape(), getElementType(), memorySpace),
      getMemLayout());
}

LayoutAttr LayoutAttr::withMemoryLayout(TensorMemoryLayout memLayout) {
  return get(getContext(), getLinear(), getOobVal(), getGrid(), getMemref(),
             memLayout);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

MemorySpace LayoutAttr::getMemorySpace() const {
  return cast<MemorySpaceAttr>(getMemref().getMemorySpace()).getValue();
}

Type LayoutAttr::getElementType() const { return getMemref().getElementType(); }

Type LayoutAttr::getScalarElementType() const {
  if (auto tile = dyn_cast<TileType>(getElementType()))
    return tile.getElementType();
  return getElementType();
}

bool LayoutAttr::isTiled() const { return isa<TileType>(getElementType()); }

/// Bytes of a scalar in memory; index is as wide as the host's.
static uint64_t getScalarSizeBytes(Type type) {
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil(bits, 8);
}

uint64_t LayoutAttr::getElementSizeBytes() const {
  if (auto tile = dyn_cast<TileType>(getElementType()))
    return tile.getSizeBytes();
  return getScalarSizeBytes(getElementType());
}

uint64_t LayoutAttr::getElementStorageSizeBytes() const {
  if (auto tile = dyn_cast<TileType>(getElementType()))
    return tile.getStorageSizeBytes();
  return getScalarSizeBytes(getElementType());
}

SmallVector<int64_t> LayoutAttr::getShardShape(bool convertTileToScalar) const {
  SmallVector<int64_t> shape(getMemref().getShape());
  auto tile = dyn_cast<TileType>(getElementType());
  if (tile && convertTileToScalar) {
    shape[shape.size() - 2] *= tile.getHeight();
    shape[shape.size() - 1] *= tile.getWidth();
  }
  return shape;
}

SmallVector<int64_t>
LayoutAttr::getPhysicalShape(ArrayRef<int64_t> logicalShape) const {
  return evalShape(getLinear(), logicalShape);
}

SmallVector<int64_t>
LayoutAttr::getStride(ArrayRef<int64_t> logicalShape) const {
  AffineMap linear = getLinear();
  SmallVector<int64_t> physicalShape = getPhysicalShape(logicalShape);
  SmallVector<int64_t> origin(logicalShape.size(), 0);
  SmallVector<int64_t> stride(logicalShape.size(), 0);
  std::optional<SmallVector<int64_t>> base = evaluate(linear, origin);
  if (!base)
    return stride;
  for (size_t d = 0; d < logicalShape.size(); ++d) {
    // The coefficient of a dimension is what one step along it adds.
    SmallVector<int64_t> step = origin;
    step[d] = 1;
    std::optional<SmallVector<int64_t>> moved = evaluate(linear, step);
    if (!moved)
      continue;
    int64_t product = 1;
    for (int64_t r = static_cast<int64_t>(moved->size()) - 1; r >= 0; --r) {
      stride[d] += ((*moved)[r] - (*base)[r]) * product;
      product *= physicalShape[r];
    }
  }
  return stride;
}

SmallVector<int64_t>
LayoutAttr::getTiledShape(ArrayRef<int64_t> tensorShape) const {
  auto tile = cast<TileType>(getElementType());
  AffineMap linear = getLinear();
  SmallVector<AffineExpr> results(linear.getResults());
  AffineExpr &y = results[results.size() - 2];
  AffineExpr &x = results[results.size() - 1];
  y = y.floorDiv(tile.getHeight());
  x = x.floorDiv(tile.getWidth());
  return evalShape(
      AffineMap::get(linear.getNumDims(), 0, results, getContext()),
      tensorShape);
}

AffineMap LayoutAttr::getIdentityTileLinearMap() const {
  return AffineMap::getMultiDimIdentityMap(getGrid().getRank(), getContext());
}

AffineMap LayoutAttr::replaceMemoryMapSymbolsWithShardShape(
    AffineMap physicalMemoryMap) const {
  SmallVector<AffineExpr> symbols;
  for (int64_t extent : getShardShape(/*convertTileToScalar=*/false))
    symbols.push_back(getAffineConstantExpr(extent, getContext()));
  return physicalMemoryMap.replaceDimsAndSymbols(
      {}, symbols, physicalMemoryMap.getNumDims(), /*numResultSyms=*/0);
}

AffineMap LayoutAttr::projectOnto(AffineMap linearMap,
                                  AffineMap physicalMemoryMap) const {
  return replaceMemoryMapSymbolsWithShardShape(physicalMemoryMap)
      .compose(linearMap);
}
