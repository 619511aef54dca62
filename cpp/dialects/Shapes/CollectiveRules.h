#ifndef DIALECTS_SHAPES_COLLECTIVERULES_H
#define DIALECTS_SHAPES_COLLECTIVERULES_H

#include "dialects/Shapes/ShapeRules.h"
#include "dialects/TT/CollectiveInterface.h"
#include "dialects/TT/Mesh.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::tt::shapes {

enum class CollectiveKind {
  AllGather,
  ReduceScatter,
  AllReduce,
  CollectivePermute,
  MeshPartition,
  AllToAll,
  CollectiveBroadcast,
};

/// A collective op of either dialect. Attributes that it does not have are
/// absent; `mesh_shard` is not one of them.
struct Collective {
  CollectiveKind kind;
  /// Input i becomes output i; of one tensor, but for variadic ops of 'ttir'.
  ValueRange inputs;
  TypeRange outputs;
  std::optional<ReduceType> reduceType;
  /// The dimension that is gathered, scattered, partitioned or split, and that
  /// along which an all_to_all joins; as the op has them, so maybe negative.
  std::optional<int64_t> dim, concatDim;
  std::optional<int64_t> splitCount;
  std::optional<int64_t> clusterAxis;
  /// `replica_groups`, or `source_target_pairs`: a row each.
  DenseIntElementsAttr groups;
  std::optional<int64_t> numLinks;
  std::optional<Topology> topology;
};

/// The collective that `op` is: its kind is its name. The op's own constraints
/// must hold.
Collective getCollective(Operation *op);

/// The rows of `groups`; of others the chips along the axis, or all of them.
/// The op's rules must hold on the mesh.
Mesh::Groups getGroups(const Collective &collective, const Mesh &mesh);

/// Whether each chip gets its own tensor back, because all groups are of one
/// chip and every chip is in one.
bool isTrivial(const Collective &collective, const Mesh &mesh);

/// The links that a collective may use between neighbouring chips along its axis,
/// or along all axes if it has groups; at least 1. One of each pair carries the
/// commands of the host if the system has chips without PCIe.
int64_t countFreeLinks(const Collective &collective, const Mesh &mesh,
                       SystemDescAttr systemDesc);

/// The shapes of a collective's outputs on a mesh, computed from its inputs and
/// attributes; failure after one error at the op.
FailureOr<SmallVector<Shape>> inferCollective(Operation *op, const Mesh &mesh);

/// The rules of a collective, and those about the mesh (`systemDesc` may be
/// null: then links are not checked).
LogicalResult verifyCollective(Operation *op);
LogicalResult verifyCollectiveOnMesh(Operation *op, DeviceAttr device,
                                     SystemDescAttr systemDesc);

/// A `mesh_shard` of either dialect.
struct MeshShard {
  RankedTensorType input, output;
  MeshShardType type;
  MeshShardDirection direction;
  ArrayRef<int64_t> shardShape, shardDims;
};
/// The shape of its output on a mesh; its own is not looked at.
FailureOr<SmallVector<Shape>>
inferMeshShard(Operation *op, const MeshShard &shard, const Mesh &mesh);
LogicalResult verifyMeshShard(Operation *op, const MeshShard &shard);
LogicalResult verifyMeshShardOnMesh(Operation *op, const MeshShard &shard,
                                    const Mesh &mesh);

/// The input and the result, if they have layouts, are of one number format.
LogicalResult verifyOneFormat(Operation *op);

/// All tensors of the op that have a layout are in system memory, or none is.
LogicalResult verifyInSystemMemory(Operation *op, bool inSystemMemory);

} // namespace mlir::tt::shapes

#endif
