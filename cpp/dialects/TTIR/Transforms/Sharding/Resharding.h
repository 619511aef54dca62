#ifndef DIALECTS_TTIR_TRANSFORMS_SHARDING_RESHARDING_H
#define DIALECTS_TTIR_TRANSFORMS_SHARDING_RESHARDING_H

#include "dialects/TT/Mesh.h"
#include "dialects/TTIR/GraphBuilder.h"

namespace mlir::tt::ttir {

/// For each axis of the mesh, the dimension of a tensor that the chips along it
/// shard, or -1 if all of them have the same. If axes share a dimension, the
/// first of them divides it first.
using Sharding = SmallVector<int64_t, 2>;

inline bool isWhole(ArrayRef<int64_t> sharding) {
  return llvm::all_of(sharding, [](int64_t dim) { return dim < 0; });
}

/// Number of parts of each of `rank` dimensions.
SmallVector<int64_t> countParts(ArrayRef<int64_t> sharding,
                                ArrayRef<int64_t> mesh, int64_t rank);

/// The type of one chip's part; null if the parts are not equal.
RankedTensorType getLocalType(RankedTensorType type, ArrayRef<int64_t> sharding,
                              ArrayRef<int64_t> mesh);

/// Writes collectives for a mesh. Types are those of one chip.
class Resharding {
public:
  /// `report` is told of each op that sends data.
  Resharding(ArrayRef<int64_t> mesh, function_ref<void(Operation *)> report)
      : mesh(mesh), report(report) {}

  /// The part of each chip of a tensor of the host, or all parts as one.
  Value shard(graph::GraphBuilder &graph, Value full,
              ArrayRef<int64_t> sharding) const;
  Value join(graph::GraphBuilder &graph, Value local, RankedTensorType full,
             ArrayRef<int64_t> sharding) const;

  /// The tensor `local`, which is sharded as `from`, sharded as `to`.
  Value reshard(graph::GraphBuilder &graph, Value local, Sharding from,
                ArrayRef<int64_t> to) const;

  /// The partial results of the chips along the axes, reduced.
  Value reduce(graph::GraphBuilder &graph, Value local, ReduceType type,
               ArrayRef<int64_t> axes) const;

private:
  Value scatter(graph::GraphBuilder &graph, Value local, ReduceType type,
                int64_t dim, int64_t axis) const;
  Value gather(graph::GraphBuilder &graph, Value local, int64_t dim,
               int64_t axis) const;
  Value partition(graph::GraphBuilder &graph, Value local, int64_t dim,
                  int64_t axis) const;
  Value exchange(graph::GraphBuilder &graph, Value local, int64_t from,
                 int64_t to, int64_t axis) const;
  Value collective(graph::GraphBuilder &graph, StringRef name, Value local,
                   ArrayRef<int64_t> shape,
                   SmallVector<NamedAttribute> attributes,
                   bool isVariadic = false) const;

  ArrayRef<int64_t> mesh;
  function_ref<void(Operation *)> report;
};

} // namespace mlir::tt::ttir

#endif
