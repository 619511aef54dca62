#include "dialects/TTIR/Transforms/Sharding/Resharding.h"

#include "dialects/TT/Utils.h"
#include "dialects/TTIR/TTIR.h"

namespace mlir::tt::ttir {

using graph::GraphBuilder;

SmallVector<int64_t> countParts(ArrayRef<int64_t> sharding,
                                ArrayRef<int64_t> mesh, int64_t rank) {
  SmallVector<int64_t> parts(rank, 1);
  for (auto [dim, chips] : llvm::zip_equal(sharding, mesh))
    if (dim >= 0)
      parts[dim] *= chips;
  return parts;
}

RankedTensorType getLocalType(RankedTensorType type, ArrayRef<int64_t> sharding,
                              ArrayRef<int64_t> mesh) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [extent, parts] :
       llvm::zip_equal(shape, countParts(sharding, mesh, type.getRank()))) {
    if (extent % parts != 0)
      return {};
    extent /= parts;
  }
  return RankedTensorType::get(shape, type.getElementType());
}

static Value meshShard(GraphBuilder &graph, Value value, RankedTensorType type,
                       ArrayRef<int64_t> sharding, ArrayRef<int64_t> mesh,
                       MeshShardDirection direction) {
  OpBuilder &builder = graph.getBuilder();
  MLIRContext *context = builder.getContext();
  MeshShardType kind =
      isWhole(sharding) ? MeshShardType::Replicate : MeshShardType::Devices;
  RankedTensorType full = direction == MeshShardDirection::ShardToFull
                              ? type
                              : graph::typeOf(value);
  return graph.op(
      "mesh_shard", value, type,
      {graph.attr("shard_type", MeshShardTypeAttr::get(context, kind)),
       graph.attr("shard_direction",
                  MeshShardDirectionAttr::get(context, direction)),
       graph.attr("shard_shape", builder.getDenseI64ArrayAttr(countParts(
                                     sharding, mesh, full.getRank()))),
       graph.attr("shard_dims", builder.getDenseI64ArrayAttr(sharding))});
}

Value Resharding::shard(GraphBuilder &graph, Value full,
                        ArrayRef<int64_t> sharding) const {
  return meshShard(graph, full,
                   getLocalType(graph::typeOf(full), sharding, mesh), sharding,
                   mesh, MeshShardDirection::FullToShard);
}

Value Resharding::join(GraphBuilder &graph, Value local, RankedTensorType full,
                       ArrayRef<int64_t> sharding) const {
  return meshShard(graph, local, full, sharding, mesh,
                   MeshShardDirection::ShardToFull);
}

Value Resharding::reshard(GraphBuilder &graph, Value local, Sharding from,
                          ArrayRef<int64_t> to) const {
  int64_t rank = graph::typeOf(local).getRank(), axes = mesh.size();
  auto axesOf = [&](ArrayRef<int64_t> sharding, int64_t dim) {
    SmallVector<int64_t> found;
    for (int64_t axis = 0; axis != axes; ++axis)
      if (sharding[axis] == dim)
        found.push_back(axis);
    return found;
  };
  // An axis that moves from one dimension to another is exchanged.
  for (int64_t axis = 0; axis != axes; ++axis) {
    int64_t source = from[axis], target = to[axis];
    if (source < 0 || target < 0 || source == target ||
        axesOf(from, source).size() != 1 || !axesOf(from, target).empty() ||
        axesOf(to, target).size() != 1)
      continue;
    local = exchange(graph, local, source, target, axis);
    from[axis] = target;
  }
  // The axis that divides a dimension last is gathered first.
  for (int64_t dim = 0; dim != rank; ++dim) {
    SmallVector<int64_t> before = axesOf(from, dim), behind = axesOf(to, dim);
    size_t kept = 0;
    while (kept != before.size() && kept != behind.size() &&
           before[kept] == behind[kept])
      ++kept;
    for (int64_t axis : llvm::reverse(ArrayRef(before).drop_front(kept))) {
      local = gather(graph, local, dim, axis);
      from[axis] = -1;
    }
  }
  for (int64_t axis = 0; axis != axes; ++axis)
    if (from[axis] != to[axis])
      local = partition(graph, local, to[axis], axis);
  return local;
}

/// Rows and columns of a tile.
static constexpr int64_t kTileExtent = 32;

static NamedAttribute reduceType(GraphBuilder &graph, ReduceType type) {
  return graph.attr("reduce_type",
                    ReduceTypeAttr::get(graph.getBuilder().getContext(), type));
}

static NamedAttribute clusterAxis(GraphBuilder &graph, int64_t axis) {
  OpBuilder &builder = graph.getBuilder();
  return graph.attr("cluster_axis",
                    builder.getIntegerAttr(
                        builder.getIntegerType(32, /*isSigned=*/false), axis));
}

/// Along several axes, each chip reduces only a part of the first axis's
/// results along the others, so that these send less.
Value Resharding::reduce(GraphBuilder &graph, Value local, ReduceType type,
                         ArrayRef<int64_t> axes) const {
  int64_t axis = axes.front(), chips = mesh[axis];
  ArrayRef<int64_t> shape = graph::shapeOf(local);
  // In the last two dimensions, parts must consist of whole tiles.
  int64_t dim = shape.size() - 1;
  auto isPossible = [&](int64_t dim) {
    int64_t unit =
        dim + 2 >= static_cast<int64_t>(shape.size()) ? kTileExtent : 1;
    return shape[dim] % (chips * unit) == 0;
  };
  while (dim >= 0 && !isPossible(dim))
    --dim;
  if (axes.size() > 1 && dim >= 0) {
    Value part = scatter(graph, local, type, dim, axis);
    return gather(graph, reduce(graph, part, type, axes.drop_front()), dim,
                  axis);
  }
  Value made = collective(graph, "all_reduce", local, shape,
                          {reduceType(graph, type), clusterAxis(graph, axis)},
                          /*isVariadic=*/true);
  return axes.size() > 1 ? reduce(graph, made, type, axes.drop_front()) : made;
}

Value Resharding::scatter(GraphBuilder &graph, Value local, ReduceType type,
                          int64_t dim, int64_t axis) const {
  SmallVector<int64_t> shape(graph::shapeOf(local));
  shape[dim] /= mesh[axis];
  return collective(graph, "reduce_scatter", local, shape,
                    {reduceType(graph, type), graph.si32("scatter_dim", dim),
                     clusterAxis(graph, axis)},
                    /*isVariadic=*/true);
}

Value Resharding::gather(GraphBuilder &graph, Value local, int64_t dim,
                         int64_t axis) const {
  SmallVector<int64_t> shape(graph::shapeOf(local));
  shape[dim] *= mesh[axis];
  return collective(
      graph, "all_gather", local, shape,
      {graph.si32("all_gather_dim", dim), clusterAxis(graph, axis)},
      /*isVariadic=*/true);
}

Value Resharding::partition(GraphBuilder &graph, Value local, int64_t dim,
                            int64_t axis) const {
  SmallVector<int64_t> shape(graph::shapeOf(local));
  shape[dim] /= mesh[axis];
  return collective(graph, "mesh_partition", local, shape,
                    {graph.si32("dim", dim), clusterAxis(graph, axis)});
}

Value Resharding::exchange(GraphBuilder &graph, Value local, int64_t from,
                           int64_t to, int64_t axis) const {
  SmallVector<int64_t> shape(graph::shapeOf(local));
  shape[from] *= mesh[axis];
  shape[to] /= mesh[axis];
  // Only positions in the mesh matter.
  SmallVector<unsigned> chips(volume(mesh));
  Mesh::Groups groups = Mesh(mesh, chips).getGroups(axis);
  SmallVector<int64_t> positions;
  for (ArrayRef<int64_t> group : groups)
    llvm::append_range(positions, group);
  OpBuilder &builder = graph.getBuilder();
  auto type = RankedTensorType::get(
      {static_cast<int64_t>(groups.size()), mesh[axis]}, builder.getI64Type());
  return collective(graph, "all_to_all", local, shape,
                    {graph.si32("split_dim", to),
                     graph.si32("concat_dim", from),
                     graph.si32("split_count", mesh[axis]),
                     graph.attr("replica_groups",
                                DenseIntElementsAttr::get(type, positions))});
}

Value Resharding::collective(GraphBuilder &graph, StringRef name, Value local,
                             ArrayRef<int64_t> shape,
                             SmallVector<NamedAttribute> attributes,
                             bool isVariadic) const {
  if (isVariadic)
    attributes.push_back(
        graph.attr("operandSegmentSizes",
                   graph.getBuilder().getDenseI32ArrayAttr({1, 1})));
  Value made = graph.op(name, local,
                        RankedTensorType::get(shape, graph::elementOf(local)),
                        attributes);
  report(made.getDefiningOp());
  return made;
}

} // namespace mlir::tt::ttir
