#include "conversion/LinalgToTTIR/Structured.h"

namespace mlir::tt::frontend {

namespace {

/// How `linalg.pack` and `linalg.unpack` cut a tensor into tiles.
struct Tiling {
  /// Extent of the tile of each dimension; 1 where it is not cut.
  Dims tile;
  /// The dimensions that are cut, in the order of the tiles.
  Dims cut;
  /// The order of the outer dimensions.
  Dims outer;
};

template <typename OpT> std::optional<Tiling> tilingOf(OpT op, int64_t rank) {
  ArrayRef<int64_t> sizes = op.getStaticInnerTiles();
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return std::nullopt;
  Tiling tiling{Dims(rank, 1), Dims(op.getInnerDimsPos()),
                Dims(op.getOuterDimsPerm())};
  for (auto [dim, size] : llvm::zip_equal(tiling.cut, sizes))
    tiling.tile[dim] = size;
  if (tiling.outer.empty())
    tiling.outer = range(rank);
  return tiling;
}

/// Extents with every dimension that is cut followed by that of its tile, for
/// the extents of the outer dimensions.
Dims interleave(const Tiling &tiling, ArrayRef<int64_t> outer) {
  Dims extents;
  for (auto [dim, extent] : llvm::enumerate(outer)) {
    extents.push_back(extent);
    if (llvm::is_contained(tiling.cut, static_cast<int64_t>(dim)))
      extents.push_back(tiling.tile[dim]);
  }
  return extents;
}

/// For each dimension of the packed tensor, its place when dimensions and tiles
/// are interleaved.
Dims placesOf(const Tiling &tiling) {
  int64_t rank = tiling.tile.size(), next = 0;
  Dims outer(rank), inner(rank), places;
  for (int64_t dim : range(rank)) {
    outer[dim] = next++;
    if (llvm::is_contained(tiling.cut, dim))
      inner[dim] = next++;
  }
  for (int64_t dim : tiling.outer)
    places.push_back(outer[dim]);
  for (int64_t dim : tiling.cut)
    places.push_back(inner[dim]);
  return places;
}

LogicalResult failOnTiles(Operation *op) {
  return op->emitOpError("cannot be expressed in TTIR: expected constant tiles "
                         "and a constant padding");
}

LogicalResult convertPack(linalg::PackOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Value source = translator.get(op.getSource());
  int64_t rank = typeOf(source).getRank();
  std::optional<Tiling> tiling = tilingOf(op, rank);
  std::optional<double> border = 0.0;
  if (op.getPaddingValue())
    border = constantSplat(op.getPaddingValue());
  if (!tiling || !border || !canPadWith(*border, elementOf(source)))
    return failOnTiles(op);
  Dims high, outer;
  for (auto [extent, tile] : llvm::zip_equal(shapeOf(source), tiling->tile)) {
    outer.push_back((extent + tile - 1) / tile);
    high.push_back(outer.back() * tile - extent);
  }
  Value padded = graph.pad(source, Dims(rank, 0), high, *border);
  Value cut = graph.reshape(padded, interleave(*tiling, outer));
  return translator.set(op->getResult(0),
                        graph.permute(cut, placesOf(*tiling)));
}

LogicalResult convertUnPack(linalg::UnPackOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Value source = translator.get(op.getSource());
  Dims shape(translator.resultType(op->getResult(0)).getShape());
  std::optional<Tiling> tiling = tilingOf(op, shape.size());
  if (!tiling)
    return failOnTiles(op);
  Dims places = placesOf(*tiling), back(places.size());
  for (auto [packed, place] : llvm::enumerate(places))
    back[place] = packed;
  Value cut = graph.permute(source, back);
  Dims whole;
  for (int64_t dim : range(shape.size())) {
    int64_t at = llvm::find(tiling->outer, dim) - tiling->outer.begin();
    whole.push_back(shapeOf(source)[at] * tiling->tile[dim]);
  }
  Value joined = graph.reshape(cut, whole);
  return translator.set(
      op->getResult(0),
      graph.slice(joined, Dims(shape.size(), 0), shape, Dims(shape.size(), 1)));
}

} // namespace

void addPackingRules(Rules &rules) {
  rules.add<linalg::PackOp>(typed<linalg::PackOp, convertPack>);
  rules.add<linalg::UnPackOp>(typed<linalg::UnPackOp, convertUnPack>);
}

} // namespace mlir::tt::frontend
