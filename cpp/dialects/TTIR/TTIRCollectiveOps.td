//===- Work of the chips of a mesh together in the 'ttir' dialect ---------===//

#ifndef TTMLIR_TTIR_COLLECTIVE_OPS_TD
#define TTMLIR_TTIR_COLLECTIVE_OPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TT/CollectiveInterface.td"
include "dialects/TTIR/TTIRBase.td"

defvar TTIR_CollectiveRules = !strconcat([{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::shapes::verifyCollective(*this);
    }
}], TT_CollectiveMeshRules);

/// A collective on several tensors at once: result i is that of input i.
class TTIR_VariadicCollectiveOp<string mnemonic>
    : TTIR_DPSOp<mnemonic, [
          AttrSizedOperandSegments,
          DeclareOpInterfaceMethods<TT_CollectiveOpInterface>]> {
  dag attributes = (ins);
  let arguments = !con((ins Variadic<TT_Tensor>:$inputs,
                            Variadic<TT_Tensor>:$outputs),
                       attributes,
                       (ins TT_OperandConstraintArrayAttr:$operand_constraints));
  let results = (outs Variadic<TT_Tensor>:$results);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
  let hasVerifier = 1;
  let extraClassDefinition = TTIR_CollectiveRules;
}

/// A collective on one tensor.
class TTIR_CollectiveOp<string mnemonic>
    : TTIR_DPSOp<mnemonic,
                 [DeclareOpInterfaceMethods<TT_CollectiveOpInterface>]> {
  dag attributes = (ins);
  let arguments = !con((ins TT_Tensor:$input, TT_Tensor:$output),
                       attributes,
                       (ins TT_OperandConstraintArrayAttr:$operand_constraints));
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
  let extraClassDefinition = TTIR_CollectiveRules;
}

def TTIR_AllGatherOp : TTIR_VariadicCollectiveOp<"all_gather"> {
  let summary = "Concatenation of the tensors of a group of chips.";
  let description = [{
    Concatenates the tensors of the chips along axis `cluster_axis` of the mesh
    along `all_gather_dim`, in the order of the chips; every chip of the group
    gets the whole tensor. A negative dimension counts from the end.

    Constraints:
    - (C1) there is an output for each input, and at least one; both have one
      element type and one rank.
    - (C2) `all_gather_dim` is in [-rank, rank).
    - (C3) the output has the input's extents, in `all_gather_dim` a multiple.
    - (C4) on the mesh: `cluster_axis` is one of its axes.
    - (C5) on the mesh: the multiple is the number of chips along the axis.
    - (C6) on the mesh: neighbours along the axis have an Ethernet link.

    Numerics: exact.

    Example: a mesh of 1x4.

    ```mlir
    %0 = tensor.empty() : tensor<32x256xbf16>
    %1 = "ttir.all_gather"(%a, %0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xbf16>, tensor<32x256xbf16>) -> tensor<32x256xbf16>
    ```
  }];
  let attributes = (ins SI32Attr:$all_gather_dim, UI32Attr:$cluster_axis);
}

def TTIR_ReduceScatterOp : TTIR_VariadicCollectiveOp<"reduce_scatter"> {
  let summary = "Reduction over a group of chips, scattered.";
  let description = [{
    Reduces the tensors of the chips along axis `cluster_axis` of the mesh
    elementwise; chip i of the group gets part i of the result along
    `scatter_dim`. A negative dimension counts from the end.

    Constraints:
    - (C1) there is an output for each input, and at least one; both have one
      element type and one rank.
    - (C2) `reduce_type` is sum, mean, max or min; a mean needs floats.
    - (C3) `scatter_dim` is in [-rank, rank).
    - (C4) the output has the input's extents, in `scatter_dim` a divisor.
    - (C5) on the mesh: `cluster_axis` is one of its axes.
    - (C6) on the mesh: the number of chips along the axis divides the input's
      extent, and the output's is the quotient.
    - (C7) on the mesh: neighbours along the axis have an Ethernet link.

    Numerics: partial results are rounded to the tensor's format, in an order
    that does not depend on the run; a mean is the sum times 1 / chips.

    Example: a mesh of 1x4.

    ```mlir
    %0 = tensor.empty() : tensor<32x64xbf16>
    %1 = "ttir.reduce_scatter"(%a, %0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x256xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins TT_ReduceTypeAttr:$reduce_type, SI32Attr:$scatter_dim,
                        UI32Attr:$cluster_axis);
}

def TTIR_AllReduceOp : TTIR_VariadicCollectiveOp<"all_reduce"> {
  let summary = "Reduction over a group of chips.";
  let description = [{
    Reduces the tensors of the chips along axis `cluster_axis` of the mesh
    elementwise; every chip of the group gets the whole result.

    Constraints:
    - (C1) there is an output for each input, and at least one; both have one
      element type and one rank.
    - (C2) `reduce_type` is sum, mean, max or min; a mean needs floats.
    - (C3) the output has the input's shape.
    - (C4) on the mesh: `cluster_axis` is one of its axes.
    - (C5) on the mesh: neighbours along the axis have an Ethernet link.

    Numerics: partial results are rounded to the tensor's format, in an order
    that does not depend on the run; a mean is the sum times 1 / chips.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<32x256xbf16>
    %1 = "ttir.all_reduce"(%a, %0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x256xbf16>, tensor<32x256xbf16>) -> tensor<32x256xbf16>
    ```
  }];
  let attributes = (ins TT_ReduceTypeAttr:$reduce_type, UI32Attr:$cluster_axis);
}

def TTIR_CollectivePermuteOp : TTIR_CollectiveOp<"collective_permute"> {
  let summary = "Point-to-point exchange of tensors between chips.";
  let description = [{
    Each row of `source_target_pairs` has the row-major positions of two chips
    in the mesh: a source, and the target that gets its tensor. A chip that is
    not a target gets zeros.

    Constraints:
    - (C1) input and output have one element type and one rank.
    - (C2) `source_target_pairs` has rank 2 and two columns.
    - (C3) no chip is the source, or the target, of two pairs.
    - (C4) the output has the input's shape.
    - (C5) on the mesh: positions are those of its chips.
    - (C6) on the mesh: the path from chip to chip, along one axis after
      another, has Ethernet links.

    Numerics: exact.

    Example: a mesh of 1x2.

    ```mlir
    %0 = tensor.empty() : tensor<32x64xbf16>
    %1 = "ttir.collective_permute"(%a, %0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins I64ElementsAttr:$source_target_pairs);
}

def TTIR_MeshPartitionOp : TTIR_CollectiveOp<"mesh_partition"> {
  let summary = "Each chip's own part of a tensor.";
  let description = [{
    Chip i along axis `cluster_axis` of the mesh keeps part i of its tensor
    along `dim`; without the axis, i is the position in the whole mesh. Nothing
    is sent. A negative dimension counts from the end.

    Constraints:
    - (C1) input and output have one element type and one rank.
    - (C2) `dim` is in [-rank, rank).
    - (C3) the output has the input's extents, in `dim` a divisor.
    - (C4) on the mesh: `cluster_axis` is one of its axes.
    - (C5) on the mesh: the number of chips divides the input's extent, and the
      output's is the quotient.

    Numerics: exact.

    Example: a mesh of 1x4.

    ```mlir
    %0 = tensor.empty() : tensor<32x64xbf16>
    %1 = "ttir.mesh_partition"(%a, %0) <{cluster_axis = 1 : ui32, dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<32x256xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins SI32Attr:$dim, OptionalAttr<UI32Attr>:$cluster_axis);
}

def TTIR_AllToAllOp : TTIR_CollectiveOp<"all_to_all"> {
  let summary = "Exchange of parts of tensors within groups of chips.";
  let description = [{
    Every chip splits its tensor into `split_count` parts along `split_dim`;
    part i goes to chip i of its group. Each chip concatenates the parts that it
    receives along `concat_dim`, in the order of the group. Each row of
    `replica_groups` is a group: the positions of its chips in the mesh.

    Constraints:
    - (C1) input and output have one element type and one rank.
    - (C2) `split_dim` and `concat_dim` are in [-rank, rank).
    - (C3) `replica_groups` has rank 2 and rows of `split_count` chips, no chip
      twice.
    - (C4) `split_count` is positive and divides the input's extent.
    - (C5) the output has the input's shape with `split_dim` divided and
      `concat_dim` multiplied by it.
    - (C6) on the mesh: the groups have all of its chips.
    - (C7) on the mesh: the path from chip to chip, along one axis after
      another, has Ethernet links.

    Numerics: exact.

    Example: a mesh of 1x2.

    ```mlir
    %0 = tensor.empty() : tensor<32x128xbf16>
    %1 = "ttir.all_to_all"(%a, %0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<64x64xbf16>, tensor<32x128xbf16>) -> tensor<32x128xbf16>
    ```
  }];
  let attributes = (ins SI32Attr:$split_dim, SI32Attr:$concat_dim,
                        SI32Attr:$split_count,
                        I64ElementsAttr:$replica_groups);
}

def TTIR_CollectiveBroadcastOp : TTIR_CollectiveOp<"collective_broadcast"> {
  let summary = "Broadcast of the tensor of a group's first chip.";
  let description = [{
    Every chip of a group gets the tensor of its first chip. Each row of
    `replica_groups` is a group: the positions of its chips in the mesh. A chip
    that is in no group gets zeros.

    Constraints:
    - (C1) input and output have one element type and one rank.
    - (C2) `replica_groups` has rank 2, no chip twice.
    - (C3) the output has the input's shape.
    - (C4) on the mesh: positions are those of its chips.
    - (C5) on the mesh: the path from chip to chip, along one axis after
      another, has Ethernet links.

    Numerics: exact.

    Example: a mesh of 1x2.

    ```mlir
    %0 = tensor.empty() : tensor<32x64xbf16>
    %1 = "ttir.collective_broadcast"(%a, %0) <{operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
  let attributes = (ins I64ElementsAttr:$replica_groups);
}

def TTIR_MeshShardOp : TTIR_CollectiveOp<"mesh_shard"> {
  let summary = "Conversion between a host tensor and its shards on a mesh.";
  let description = [{
    With `full_to_shard`, a host tensor becomes one tensor for each chip; with
    `shard_to_full`, the tensors of the chips become one host tensor. Operand
    and result are in system memory. `shard_shape` is the number of shards of
    each dimension of the tensor, and `shard_dims` has, for each axis of the
    mesh, the dimension that it splits, or -1 if all chips along the axis have
    the same. With `replicate`, every chip has the whole tensor.

    Constraints:
    - (C1) `shard_type` is replicate or devices.
    - (C2) input and output have one element type and one rank.
    - (C3) `shard_shape` has a positive entry for each dimension, `shard_dims`
      has dimensions or -1; for a replicated tensor all are 1 and -1.
    - (C4) shards are equal: their extents times `shard_shape` are those of the
      full tensor.
    - (C5) on the mesh: `shard_dims` has an entry for each axis, and
      `shard_shape` is the product of the axes that split a dimension.

    Numerics: exact.

    Example: a mesh of 2x4.

    ```mlir
    %0 = tensor.empty() : tensor<4096x196xf32>
    %1 = "ttir.mesh_shard"(%a, %0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<8192x784xf32>, tensor<4096x196xf32>) -> tensor<4096x196xf32>
    ```
  }];
  let attributes = (ins TT_MeshShardTypeAttr:$shard_type,
                        TT_MeshShardDirectionAttr:$shard_direction,
                        DenseI64ArrayAttr:$shard_shape,
                        DenseI64ArrayAttr:$shard_dims);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputMutable();
    }
    ::mlir::tt::shapes::MeshShard getMeshShard();
  }];
  let extraClassDefinition = !strconcat([{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::shapes::verifyMeshShard(*this, getMeshShard());
    }
  }], TT_MeshShardMeshRules);
}

#endif
