//===- Work of the chips of a mesh together in the 'ttnn' dialect ---------===//

#ifndef TTMLIR_TTNN_COLLECTIVE_OPS_TD
#define TTMLIR_TTNN_COLLECTIVE_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TT/CollectiveInterface.td"
include "dialects/TTNN/TTNNBase.td"

class TTNN_MeshOp<string mnemonic>
    : TTNN_Op<mnemonic, [DeclareOpInterfaceMethods<TT_CollectiveOpInterface>]> {
  let hasVerifier = 1;
}

/// As the op of that name in 'ttir', on one tensor, whose result is a tensor of
/// its own.
class TTNN_CollectiveOp<string mnemonic, string kind>
    : TTNN_MeshOp<mnemonic> {
  dag attributes = (ins);
  let arguments = !con((ins TT_Tensor:$input), attributes);
  let results = (outs TT_Tensor:$result);
  let extraClassDefinition = !strconcat([{
    ::llvm::LogicalResult $cppClass::verify() {
      if (failed(::mlir::tt::shapes::verifyCollective(*this)) ||
          failed(::mlir::tt::shapes::verifyOneFormat(*this)) ||
          failed(::mlir::tt::ttnn::verifyOverlap(*this)))
        return ::mlir::failure();
      return ::mlir::tt::shapes::verifyInSystemMemory(*this, false);
    }
  }], TT_CollectiveMeshRules);
  list<string> ownFields = [];
  let schemaTable = "::CollectiveOp";
  let schemaMember = 36;
  let stepByHand = 1;
  let schemaFields = !listconcat(
      ["type=::CollectiveType::" # kind, "in=input", "out=result"], ownFields);
}

/// A collective whose tensors travel along an axis of the mesh: `num_links` of
/// the links between neighbours are used (1 without it), as a ring or a line (a
/// ring where the links allow one without it).
class TTNN_LinkedCollectiveOp<string mnemonic, string kind>
    : TTNN_CollectiveOp<mnemonic, kind> {
  dag ownAttributes = (ins);
  list<string> linkedFields = [];
  let ownFields =
      !listconcat(linkedFields, ["cluster_axis=cluster_axis",
                                 "num_links=num_links", "topology=topology"]);
  let attributes = !con(ownAttributes,
                        (ins OptionalAttr<UI32Attr>:$num_links,
                             OptionalAttr<TT_TopologyAttr>:$topology));
}

/// A reduction, which may overlap the product that makes its operand.
class TTNN_ReducingCollectiveOp<string mnemonic, string kind>
    : TTNN_LinkedCollectiveOp<mnemonic, kind> {
  list<string> reducingFields = [];
  let linkedFields =
      !listconcat(["reduce_type=reduce_type"], reducingFields,
                  ["overlap_slices=overlap_slices"]);
  string overlapDescription = [{
    With `overlap_slices`, the chips send that many slices of the operand, each
    as soon as it is complete, while the product right before, a `ttnn.matmul`
    or `ttnn.linear` by one matrix, still computes the next ones; nothing else
    reads the operand. The two start together. The product leaves a row of cores
    for the transfers. Results do not depend on it.
  }];
}

def TTNN_AllGatherOp : TTNN_LinkedCollectiveOp<"all_gather", "AllGather"> {
  let summary = "Concatenation of the tensors of a group of chips.";
  let description = [{
    As `ttir.all_gather`, with its constraints, on one device tensor.

    Example: a mesh of 1x4.

    ```mlir
    %1 = "ttnn.all_gather"(%0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<32x64xbf16>) -> tensor<32x256xbf16>
    ```
  }];
  let ownAttributes = (ins SI32Attr:$all_gather_dim, UI32Attr:$cluster_axis);
  let linkedFields = ["dim=all_gather_dim"];
}

def TTNN_ReduceScatterOp
    : TTNN_ReducingCollectiveOp<"reduce_scatter", "ReduceScatter"> {
  let summary = "Reduction over a group of chips, scattered.";
  let description = [{
    As `ttir.reduce_scatter`, with its constraints, on one device tensor.
  }] # overlapDescription # [{
    Example: a mesh of 1x4.

    ```mlir
    %1 = "ttnn.reduce_scatter"(%0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x256xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let ownAttributes = (ins TT_ReduceTypeAttr:$reduce_type,
                           SI32Attr:$scatter_dim, UI32Attr:$cluster_axis,
                           OptionalAttr<UI32Attr>:$overlap_slices);
  let reducingFields = ["dim=scatter_dim"];
}

def TTNN_AllReduceOp : TTNN_ReducingCollectiveOp<"all_reduce", "AllReduce"> {
  let summary = "Reduction over a group of chips.";
  let description = [{
    As `ttir.all_reduce`, with its constraints, on one device tensor.
  }] # overlapDescription # [{
    Example:

    ```mlir
    %1 = "ttnn.all_reduce"(%0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x256xbf16>) -> tensor<32x256xbf16>
    ```
  }];
  let ownAttributes = (ins TT_ReduceTypeAttr:$reduce_type,
                           UI32Attr:$cluster_axis,
                           OptionalAttr<UI32Attr>:$overlap_slices);
}

def TTNN_CollectivePermuteOp
    : TTNN_CollectiveOp<"collective_permute", "CollectivePermute"> {
  let summary = "Point-to-point exchange of tensors between chips.";
  let description = [{
    As `ttir.collective_permute`, with its constraints, on a device tensor.

    Example: a mesh of 1x2.

    ```mlir
    %1 = "ttnn.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins I64ElementsAttr:$source_target_pairs);
  let ownFields = ["groups=rows(source_target_pairs)",
                   "group_size=rowSize(source_target_pairs)"];
}

def TTNN_MeshPartitionOp : TTNN_CollectiveOp<"mesh_partition", "MeshPartition"> {
  let summary = "Each chip's own part of a tensor.";
  let description = [{
    As `ttir.mesh_partition`, with its constraints, on a device tensor.

    Example: a mesh of 1x4.

    ```mlir
    %1 = "ttnn.mesh_partition"(%0) <{cluster_axis = 1 : ui32, dim = 1 : si32}> : (tensor<32x256xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins SI32Attr:$dim, OptionalAttr<UI32Attr>:$cluster_axis);
  let ownFields = ["dim=dim", "cluster_axis=cluster_axis"];
}

def TTNN_AllToAllOp : TTNN_CollectiveOp<"all_to_all", "AllToAll"> {
  let summary = "Exchange of parts of tensors within groups of chips.";
  let description = [{
    As `ttir.all_to_all`, with its constraints, on a device tensor.

    Example: a mesh of 1x2.

    ```mlir
    %1 = "ttnn.all_to_all"(%0) <{concat_dim = 1 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<64x64xbf16>) -> tensor<32x128xbf16>
    ```
  }];
  let attributes = (ins SI32Attr:$split_dim, SI32Attr:$concat_dim,
                        SI32Attr:$split_count,
                        I64ElementsAttr:$replica_groups);
  let ownFields = ["dim=split_dim", "concat_dim=concat_dim",
                   "split_count=split_count", "groups=rows(replica_groups)",
                   "group_size=rowSize(replica_groups)"];
}

def TTNN_CollectiveBroadcastOp
    : TTNN_CollectiveOp<"collective_broadcast", "CollectiveBroadcast"> {
  let summary = "Broadcast of the tensor of a group's first chip.";
  let description = [{
    As `ttir.collective_broadcast`, with its constraints, on a device tensor.

    Example: a mesh of 1x2.

    ```mlir
    %1 = "ttnn.collective_broadcast"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins I64ElementsAttr:$replica_groups);
  let ownFields = ["groups=rows(replica_groups)",
                   "group_size=rowSize(replica_groups)"];
}

def TTNN_MeshShardOp : TTNN_MeshOp<"mesh_shard"> {
  let summary = "Conversion between a host tensor and its shards on a mesh.";
  let description = [{
    As `ttir.mesh_shard`, with its constraints, on a host tensor.

    Example: a mesh of 2x4.

    ```mlir
    %2 = "ttnn.mesh_shard"(%1, %0) <{shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<8192x784xf32>, !tt.device<#device>) -> tensor<4096x196xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Device:$device,
                       TT_MeshShardTypeAttr:$shard_type,
                       TT_MeshShardDirectionAttr:$shard_direction,
                       DenseI64ArrayAttr:$shard_shape,
                       DenseI64ArrayAttr:$shard_dims);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "::MeshShardOp";
  let schemaMember = 35;
  let stepByHand = 1;
  let schemaFields = ["in=input", "out=result", "shard_type=shard_type",
                      "shard_direction=shard_direction",
                      "shard_shape=shard_shape", "shard_dims=shard_dims"];
  let extraClassDeclaration = [{
    ::mlir::tt::shapes::MeshShard getMeshShard();
  }];
  let extraClassDefinition = !strconcat([{
    ::llvm::LogicalResult $cppClass::verify() {
      if (failed(::mlir::tt::shapes::verifyMeshShard(*this, getMeshShard())))
        return ::mlir::failure();
      return ::mlir::tt::shapes::verifyInSystemMemory(*this, true);
    }
  }], TT_MeshShardMeshRules);
}

#endif
