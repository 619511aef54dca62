#ifndef DIALECTS_TTIR_TRANSFORMS_SHARDING_RESHARDING_H
#define DIALECTS_TTIR_TRANSFORMS_SHARDING_RESHARDING_H

#include "dialects/TT/Mesh.h"
#include "dialects/TTIR/GraphBuilder.h"

namespace mlir::tt::ttir {

/// For each axis of the mesh, the dimension of a tensor that it shards, or -1
/// if the tensor is replicated along it. If several axes shard a dimension, the
/// first of them is the outermost.
using Sharding = SmallVector<int64_t, 2>;

inline bool isWhole(ArrayRef<int64_t> sharding) {
  return llvm::all_of(sharding, [](int64_t dim) { return dim < 0; });
}

/// The number of parts of each of `rank` dimensions.
SmallVector<int64_t> countParts(ArrayRef<int64_t> sharding,
                                ArrayRef<int64_t> mesh, int64_t rank);

/// The type of one chip's part; null if the parts are not equal.
RankedTensorType getLocalType(RankedTensorType type, ArrayRef<int64_t> sharding,
                              ArrayRef<int64_t> mesh);

/// Inserts collectives for a mesh. Types are those of one chip.
class Resharding {
public:
  /// Calls `report` for each op that sends data.
  Resharding(ArrayRef<int64_t> mesh, function_ref<void(Operation *)> report)
      : mesh(mesh), report(report) {}

  /// Shards a host tensor over the chips, or joins the shards.
  Value shard(graph::GraphBuilder &graph, Value full,
              ArrayRef<int64_t> sharding) const;
  Value join(graph::GraphBuilder &graph, Value local, RankedTensorType full,
             ArrayRef<int64_t> sharding) const;

  /// Reshards the tensor `local` from `from` to `to`.
  Value reshard(graph::GraphBuilder &graph, Value local, Sharding from,
                ArrayRef<int64_t> to) const;

  /// Reduces the partial results of the chips along the axes.
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
