//===- Passes that partition programs over chips ---------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_MESHPASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_MESHPASSES_TD

include "dialects/Options.td"

def TTIRPartition : Pass<"ttir-partition", "::mlir::ModuleOp"> {
  let summary = "Partition a program for one chip over the chips of a mesh.";
  let description = [{
    Shards the arguments of public functions, propagates the shardings through
    the program, and inserts the necessary collectives. Function types do not
    change: `ttir.mesh_shard` shards arguments and joins results on the host.

    Some inputs and results stay on the chips as shards instead: donated inputs
    and the results that alias them; with `inputs-on-device`, all inputs except
    parameters; with `results-on-device`, all results. They have the type of a
    shard, and `tt.presharded` gives, for each axis of the mesh, the dimension
    that it shards, or -1.

    The attribute `tt.shard_dims` of an argument gives, for each axis of the
    mesh, the dimension to shard, or -1. The option `parallelism` gives, for each
    axis, a kind:

    - `data`: shards the first dimension of the inputs if it is the batch, that
      is, if its extent is the same as in the first input;
    - `sequence`: likewise, the second dimension;
    - `tensor`: shards the columns of a product's weights, then the rows of the
      next product's weights, whose result is summed over the chips. Weights are
      `tt.argument_type` parameters, constants, and values that depend only on
      these;
    - `expert`: shards the first dimension of weights with three or more, which
      stack the experts of a mixture.

    If a dimension of an op's inputs is sharded, each chip computes its part of
    the result. Otherwise, and for ops without a sharding rule, the inputs are
    gathered first. If an op has several such dimensions, the pass chooses the
    one that sends the fewest bytes. Composite ops are expanded, except
    `ttir.scaled_dot_product_attention`. Bodies of loops and branches are
    replicated on all chips.

    Without `tt.shard_dims` and `parallelism`, the module does not change. The
    mesh is that of `mesh-shape`, of the device, or of `tt.mesh_shape`.

    ```mlir
    func.func @f(%x: tensor<32x64xf32>, %w: tensor<64x96xf32> {tt.shard_dims = array<i64: -1, 0>}) -> tensor<32x96xf32> {
      %0 = "ttir.matmul"(%x, %w) : (tensor<32x64xf32>, tensor<64x96xf32>) -> tensor<32x96xf32>
      return %0
    }
    // after, with mesh-shape=1,2; destinations are left out
    func.func @f(%x: tensor<32x64xf32>, %w: tensor<64x96xf32>) -> tensor<32x96xf32> {
      %0 = "ttir.mesh_shard"(%x) <{shard_dims = array<i64: -1, 1>, ...}> : (tensor<32x64xf32>) -> tensor<32x32xf32>
      %1 = "ttir.mesh_shard"(%w) <{shard_dims = array<i64: -1, 0>, ...}> : (tensor<64x96xf32>) -> tensor<32x96xf32>
      %2 = "ttir.matmul"(%0, %1) : (tensor<32x32xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
      %3 = "ttir.all_reduce"(%2) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x96xf32>) -> tensor<32x96xf32>
      %4 = "ttir.mesh_shard"(%3) <{shard_direction = #tt.shard_direction<shard_to_full>, ...}> : (tensor<32x96xf32>) -> tensor<32x96xf32>
      return %4
    }
    ```
  }];
  let options = [Parallelism, MeshShape, InputsOnDevice, ResultsOnDevice];
  let statistics = [
    Statistic<"numSharded", "num-sharded",
              "Number of ops partitioned over chips">,
    Statistic<"numCollectives", "num-collectives",
              "Number of collectives inserted">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
