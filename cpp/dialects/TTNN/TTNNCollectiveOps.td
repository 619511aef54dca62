//===- Work of the chips of a mesh together in the 'ttnn' dialect ---------===//

#ifndef TTMLIR_TTNN_COLLECTIVE_OPS_TD
#define TTMLIR_TTNN_COLLECTIVE_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTNN/TTNNBase.td"

/// As the op of that name in 'ttir', on one tensor, whose result is a tensor of
/// its own.
class TTNN_CollectiveOp<string mnemonic> : TTNN_Op<mnemonic> {
  dag attributes = (ins);
  let arguments = !con((ins AnyRankedTensor:$input), attributes);
  let results = (outs AnyRankedTensor:$result);
}

/// A collective whose tensors travel along an axis of the mesh: `num_links` of
/// the links between neighbours are used (1 without it), as a ring or a line (a
/// ring where the links allow one without it).
class TTNN_LinkedCollectiveOp<string mnemonic> : TTNN_CollectiveOp<mnemonic> {
  dag ownAttributes = (ins);
  let attributes = !con(ownAttributes,
                        (ins OptionalAttr<UI32Attr>:$num_links,
                             OptionalAttr<TT_TopologyAttr>:$topology));
}

def TTNN_AllGatherOp : TTNN_LinkedCollectiveOp<"all_gather"> {
  let summary = "The tensors of all chips of a group, one behind the other.";
  let description = [{
    As `ttir.all_gather` on one tensor, with its constraints.

    Example: a mesh of 1x4.

    ```mlir
    %1 = "ttnn.all_gather"(%0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<32x64xbf16>) -> tensor<32x256xbf16>
    ```
  }];
  let ownAttributes = (ins SI32Attr:$all_gather_dim, UI32Attr:$cluster_axis);
}

def TTNN_ReduceScatterOp : TTNN_LinkedCollectiveOp<"reduce_scatter"> {
  let summary = "A shard of the combined tensors of a group of chips.";
  let description = [{
    As `ttir.reduce_scatter` on one tensor, with its constraints.

    Example: a mesh of 1x4.

    ```mlir
    %1 = "ttnn.reduce_scatter"(%0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x256xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let ownAttributes = (ins TT_ReduceTypeAttr:$reduce_type,
                           SI32Attr:$scatter_dim, UI32Attr:$cluster_axis);
}

def TTNN_AllReduceOp : TTNN_LinkedCollectiveOp<"all_reduce"> {
  let summary = "The combined tensors of a group of chips.";
  let description = [{
    As `ttir.all_reduce` on one tensor, with its constraints.

    Example:

    ```mlir
    %1 = "ttnn.all_reduce"(%0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x256xbf16>) -> tensor<32x256xbf16>
    ```
  }];
  let ownAttributes = (ins TT_ReduceTypeAttr:$reduce_type,
                           UI32Attr:$cluster_axis);
}

def TTNN_CollectivePermuteOp : TTNN_CollectiveOp<"collective_permute"> {
  let summary = "Tensors that chips send to other chips.";
  let description = [{
    As `ttir.collective_permute`, with its constraints.

    Example: a mesh of 1x2.

    ```mlir
    %1 = "ttnn.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins I64ElementsAttr:$source_target_pairs);
}

def TTNN_MeshPartitionOp : TTNN_CollectiveOp<"mesh_partition"> {
  let summary = "The part of a tensor that is a chip's own.";
  let description = [{
    As `ttir.mesh_partition`, with its constraints.

    Example: a mesh of 1x4.

    ```mlir
    %1 = "ttnn.mesh_partition"(%0) <{cluster_axis = 1 : ui32, dim = 1 : si32}> : (tensor<32x256xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins SI32Attr:$dim, OptionalAttr<UI32Attr>:$cluster_axis);
}

def TTNN_AllToAllOp : TTNN_CollectiveOp<"all_to_all"> {
  let summary = "Parts of tensors that the chips of a group exchange.";
  let description = [{
    As `ttir.all_to_all`, with its constraints.

    Example: a mesh of 1x2.

    ```mlir
    %1 = "ttnn.all_to_all"(%0) <{concat_dim = 1 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<64x64xbf16>) -> tensor<32x128xbf16>
    ```
  }];
  let attributes = (ins SI32Attr:$split_dim, SI32Attr:$concat_dim,
                        SI32Attr:$split_count,
                        I64ElementsAttr:$replica_groups);
}

def TTNN_CollectiveBroadcastOp : TTNN_CollectiveOp<"collective_broadcast"> {
  let summary = "The tensor of the first chip of a group.";
  let description = [{
    As `ttir.collective_broadcast`, with its constraints.

    Example: a mesh of 1x2.

    ```mlir
    %1 = "ttnn.collective_broadcast"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins I64ElementsAttr:$replica_groups);
}

def TTNN_MeshShardOp : TTNN_Op<"mesh_shard"> {
  let summary = "A tensor of the host and its shards on a mesh.";
  let description = [{
    As `ttir.mesh_shard`, with its constraints.

    Example: a mesh of 2x4.

    ```mlir
    %2 = "ttnn.mesh_shard"(%1, %0) <{shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<8192x784xf32>, !tt.device<#device>) -> tensor<4096x196xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, TT_Device:$device,
                       TT_MeshShardTypeAttr:$shard_type,
                       TT_MeshShardDirectionAttr:$shard_direction,
                       DenseI64ArrayAttr:$shard_shape,
                       DenseI64ArrayAttr:$shard_dims);
  let results = (outs AnyRankedTensor:$result);
}

#endif
