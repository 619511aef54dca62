//===- Passes of decompositions and kernels -------------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_KERNELPASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_KERNELPASSES_TD

include "dialects/Options.td"

def TTIRDecomposition : Pass<"ttir-decomposition", "::mlir::ModuleOp"> {
  let summary = "Decompose ops into those that have kernels.";
  let description = [{
    After the pass the ops of the module are

    - elementwise ops;
    - `ttir.matmul` without transposed operands; `ttir.sum`, `max` and `min`
      that keep their dimensions; `ttir.transpose` of the innermost two
      dimensions: kernels that take tiles;
    - `ttir.permute`, `reshape`, `slice`, `concat`, `pad`, `repeat` and
      `embedding`: kernels that take rows in DRAM;
    - `ttir.constant`, `full` and `arange`.

    The operand constraints select the form. All other ops are decomposed into
    these: softmax and norms into reductions and elementwise ops, a convolution
    into adjacent slices of its padded input, times the kernel, a pooling into
    the maximum or the sum of such slices, a gather into rows of a table.
    Products of many matrices of few rows with one matrix, which would take
    tiles for each, become the product of all rows with it. A broadcast
    that only elementwise ops read is removed, since they broadcast themselves.
    Intermediate float values are f32, so the result is rounded once.

    Collectives between chips stay. With `use-all-gather-kernel`, tensors whose
    blocks do not fill tiles or rows are gathered or scattered along a new first
    dimension, and brought into shape by the ops above.

    Kernels of the `ttmetal` dialect do not change. An op that cannot be
    decomposed is an error.

    ```mlir
    %1 = "ttir.softmax"(%a, %0) <{dimension = 1 : si32, ...}> : (tensor<64x10xbf16>, tensor<64x10xbf16>) -> tensor<64x10xbf16>
    // after, without the destinations
    %0 = "ttir.max"(%a) <{dim_arg = [1 : i32], keep_dim = true, ...}> : (tensor<64x10xbf16>) -> tensor<64x1xbf16>
    %1 = "ttir.subtract"(%a, %0) : (tensor<64x10xbf16>, tensor<64x1xbf16>) -> tensor<64x10xf32>
    %2 = "ttir.exp"(%1) : (tensor<64x10xf32>) -> tensor<64x10xf32>
    %3 = "ttir.sum"(%2) <{dim_arg = [1 : i32], keep_dim = true, ...}> : (tensor<64x10xf32>) -> tensor<64x1xf32>
    %4 = "ttir.div"(%2, %3) : (tensor<64x10xf32>, tensor<64x1xf32>) -> tensor<64x10xbf16>
    ```
  }];
  let options = [
    InOtherWords<UseAllGatherKernel,
                 "Prepare all_gather and reduce_scatter for kernels.">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRGenericKernel : Pass<"ttir-generic-kernel", "::mlir::ModuleOp"> {
  let summary = "Turn ops into named kernels inside ttir.generic.";
  let description = [{
    `ttir.add`, `multiply`, `subtract`, `ge`, `div` and `relu` become the
    `ttir.kernel` of the same name and of kind `eltwise`. Then every
    `ttir.kernel` outside a `ttir.generic` is wrapped in one on a single core. A
    kernel of kind `eltwise` iterates over its operands in parallel; one of kind
    `matmul` iterates over the rows and the inner dimension of the first input,
    and over the inner dimension and the columns of the second. Any other kind
    is an error.

    ```mlir
    %1 = "ttir.add"(%a, %b, %0) ...
    // after
    %1 = "ttir.generic"(%a, %b, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map, #map], iterator_types = [#parallel, #parallel], ...}> ({
    ^bb0(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>, %arg2: tensor<64x128xf32>):
      %2 = "ttir.kernel"(%arg0, %arg1, %arg2) <{kind = @eltwise, op = @add, ...}> : ...
      "ttir.yield"(%2) : (tensor<64x128xf32>) -> ()
    }) : ...
    ```
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Number of ops turned into kernels">,
    Statistic<"numGenerics", "num-generics", "Number of ttir.generic ops made">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect"];
}

def TTIRGeneric : Pass<"ttir-generic", "::mlir::ModuleOp"> {
  let summary = "Turn elementwise ops into ttir.generic.";
  let description = [{
    After the pass every elementwise op is in the region of a `ttir.generic` on
    a single core. The region's arguments have the operands' types. An addition
    or a multiplication of floats of one shape becomes the `arith` op on them;
    every other op is kept in the region, with the region's last argument as its
    destination.

    A broadcast operand has an indexing map with 0 where its extent is 1 and
    without the leading dimensions that it lacks: the bias of 128 columns of a
    64x128 tensor has the map `(d0, d1) -> (d1)`.

    With `fuse`, an op whose result is read only by ops of one generic joins
    them, so a chain or a tree of ops becomes one generic. A generic has at most
    8 inputs and 32 ops, all with the result's shape, and needs at most four
    tiles at a time beside its inputs and its output. Integers and floats are
    not fused together.

    ```mlir
    %1 = "ttir.multiply"(%a, %b, %0) ...
    // after
    %1 = "ttir.generic"(%a, %b, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> ({
    ^bb0(%arg2: tensor<64x128xf32>, %arg3: tensor<64x128xf32>, %arg4: tensor<64x128xf32>):
      %2 = arith.mulf %arg2, %arg3 : tensor<64x128xf32>
      "ttir.yield"(%2) : (tensor<64x128xf32>) -> ()
    }) : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let options = [
    Option<"fuse", "fuse", "bool", /*default=*/"false",
           "Fuse ops that read each other's results into one generic.">
  ];
  let statistics = [
    Statistic<"numGenerics", "num-generics", "Number of ttir.generic ops made">,
    Statistic<"numFused", "num-fused",
              "Number of ops fused into another generic">
  ];
  let dependentDialects = [
    "::mlir::tt::ttir::TTIRDialect", "::mlir::tt::TTDialect",
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def TTIRGenericRegionOperandsToMemref
    : Pass<"ttir-generic-region-operands-to-memref", "::mlir::ModuleOp"> {
  let summary =
      "Assign the buffers through which a generic's region sees its operands.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`). After it, tensors
    in the region of every `ttir.generic` have a `#tt.buffer`, and the shape of
    the buffer's contents in scalars.

    The buffer of an operand in L1 is the operand's shard itself (`alias`). An
    operand in DRAM, or in pages in L1 (interleaved, single_bank), is streamed
    in blocks through a buffer in L1 (`stream`), one tile at a time. If the
    region takes tiles and the operand has rows, the kernel tilizes them.

    ```mlir
    // %a is in L1 and %b in DRAM
    ^bb0(%arg2: tensor<64x128xf32>, %arg3: tensor<64x128xf32>, ...):
    // after
    ^bb0(%arg2: tensor<64x128xf32, #tt.buffer<memref<2x4x!tt.tile<32x32, f32>, #l1_>, alias>>, %arg3: tensor<32x32xf32, #tt.buffer<memref<1x1x!tt.tile<32x32, f32>, #l1_>, stream>>, ...):
    ```
  }];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect"];
}

#endif
