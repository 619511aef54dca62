//===- Passes that divide programs over chips ------------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_MESHPASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_MESHPASSES_TD

include "dialects/Options.td"

def TTIRPartition : Pass<"ttir-partition", "::mlir::ModuleOp"> {
  let summary = "Divide a program for one chip over the chips of a mesh.";
  let description = [{
    Shards the arguments of public functions, propagates the shardings through
    the program, and inserts the collectives that it then needs. The types of
    the functions do not change: `ttir.mesh_shard` divides arguments and joins
    results on the host. Donated inputs, the results that have their memory, and
    with `inputs-on-device` and `results-on-device` all inputs that are not
    parameters and all results, are shards on the chips instead: they have the
    type of a shard, and `tt.presharded` has the dimension that each axis of the
    mesh shards, or -1.

    Arguments are sharded by their attribute `tt.shard_dims`, which has, for each
    axis of the mesh, the dimension to shard or -1, and by `parallelism`, which
    has a kind for each axis:

    - `data`: the first dimension of the inputs, if it is the batch, the extent
      that the first input has there;
    - `sequence`: the same of the second dimension;
    - `tensor`: the columns of the weights of a product, then the rows of the
      weights of the next one, whose result is a sum over the chips. Weights are
      `tt.argument_type` parameters, constants, and values that depend on these
      alone;
    - `expert`: the first dimension of weights with three or more, which stack
      the experts of a mixture.

    An op computes its part of the result if the chips divide a dimension of its
    inputs. Otherwise, and for ops without a sharding rule, its inputs are
    gathered first. Of several possible dimensions, the pass takes the one for
    which the least bytes are sent. Composite ops are expanded, except
    `ttir.scaled_dot_product_attention`. Bodies of loops and branches are whole
    on each chip.

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
              "Number of ops of which chips compute parts">,
    Statistic<"numCollectives", "num-collectives",
              "Number of collectives inserted">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
