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
    one that sends the fewest bytes.

    With `tensor`, a product with weights whose result is only sliced along its
    columns becomes a product for each slice. Columns that the next ops cannot
    keep sharded, such as those of fewer heads than chips, are computed on each
    chip if this takes less time than gathering them. Partial sums are added up
    over the chips behind ops that add up fewer bytes, such as the sum over
    experts of which each row takes one.

    Composite ops are expanded, except
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
              "Number of collectives inserted">,
    Statistic<"numSplit", "num-split",
              "Number of products split into one for each slice of the result">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRMicroBatches : Pass<"ttir-micro-batches", "::mlir::ModuleOp"> {
  let summary = "Turn a program for a batch into one for a micro-batch.";
  let description = [{
    Divides the first dimension of the inputs, the batch, by `count`, and all
    values that depend on it. Arguments and results with the type of a
    micro-batch get the attribute `tt.micro_batch_dim`, the dimension to split
    them along or to join them.

    An op that combines samples of different micro-batches, such as a reduction
    over the batch, is an error. The pass uses the rules of
    [`ttir-partition`](#ttir-partition), like which composite ops are expanded.

    ```mlir
    func.func @f(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
      %0 = "ttir.relu"(%x) : (tensor<32x64xf32>) -> tensor<32x64xf32>
      return %0
    }
    // after, with count=4; destinations are left out
    func.func @f(%x: tensor<8x64xf32> {tt.micro_batch_dim = 0}) -> (tensor<8x64xf32> {tt.micro_batch_dim = 0}) {
      %0 = "ttir.relu"(%x) : (tensor<8x64xf32>) -> tensor<8x64xf32>
      return %0
    }
    ```
  }];
  let options = [
    Option<"count", "count", "int64_t", "1", "Number of micro-batches.">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRPipelineStages : Pass<"ttir-pipeline-stages", "::mlir::ModuleOp"> {
  let summary = "Cut the function of a program into pipeline stages.";
  let description = [{
    Replaces the public function by `stages` functions, `<name>_stage0` and so
    on. Each has a range of the ops, in their order. The longest stage is as
    short as possible, and among nearly equal cuts the pass takes the one where
    the fewest bytes pass from stage to stage.

    - Values that depend on parameters and constants alone are not passed: each
      stage that uses them computes them. A stage has only the parameters that it
      uses.
    - A donated input and the result that aliases it are in the same stage.
    - `weight-limit` limits the bytes of the parameters that a stage uses first.

    The values that stages exchange have numbers: first those of the original
    arguments, then others. `tt.stage_inputs` and `tt.stage_outputs` of a stage
    list the numbers of its arguments and results, and `tt.stage_results` of the
    module those of the original results.

    ```mlir
    func.func @f(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
      %0 = "ttir.relu"(%x) : (tensor<32x64xf32>) -> tensor<32x64xf32>
      %1 = "ttir.exp"(%0) : (tensor<32x64xf32>) -> tensor<32x64xf32>
      return %1
    }
    // after, with stages=2; destinations are left out
    module attributes {tt.stage_results = array<i64: 2>} {
      func.func @f_stage0(%x: tensor<32x64xf32>) -> tensor<32x64xf32>
          attributes {tt.stage_inputs = array<i64: 0>, tt.stage_outputs = array<i64: 1>} {
        %0 = "ttir.relu"(%x) : (tensor<32x64xf32>) -> tensor<32x64xf32>
        return %0
      }
      func.func @f_stage1(%0: tensor<32x64xf32>) -> tensor<32x64xf32>
          attributes {tt.stage_inputs = array<i64: 1>, tt.stage_outputs = array<i64: 2>} {
        %1 = "ttir.exp"(%0) : (tensor<32x64xf32>) -> tensor<32x64xf32>
        return %1
      }
    }
    ```
  }];
  let options = [
    Option<"stages", "stages", "int64_t", "2", "Number of stages.">,
    ListOption<"costs", "costs", "double",
               "Cycles of each op of the function's block, in order; by default "
               "all ops cost the same.">,
    ListOption<"ends", "ends", "int64_t",
               "Numbers of the ops whose results may pass to another stage; by "
               "default all.">,
    Option<"bytesPerCycle", "bytes-per-cycle", "double", "0",
           "Rate of the links between stages; 0 for any.">,
    Option<"weightLimit", "weight-limit", "int64_t", "0",
           "Maximum bytes of the parameters of a stage; 0 for any.">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
