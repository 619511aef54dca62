//===- Passes that simplify graphs ----------------------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_SIMPLIFICATIONPASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_SIMPLIFICATIONPASSES_TD

include "dialects/Options.td"

def TTIRRecognize : Pass<"ttir-recognize", "::mlir::ModuleOp"> {
  let summary = "Recognize ops that front ends decompose.";
  let description = [{
    Front ends decompose softmax, norms, activations and attention. The pass
    recognizes these, provided nothing else reads the intermediate values:

    - `ttir.softmax`: exponentials of an input minus its maximum along a
      dimension, divided by their sum;
    - `ttir.layer_norm` and `ttir.rms_norm` over the last dimensions, with
      weight and bias: by `rsqrt` or by a division by `sqrt`, with means or with
      sums divided by a count;
    - `ttir.silu`: x * sigmoid(x); `ttir.gelu` with the error function;
    - `ttir.scaled_dot_product_attention`: a softmax, optionally scaled and
      masked, between two products of rank 4;
    - `ttir.rotary_embedding`: heads multiplied by cosines, plus heads with
      swapped halves, the second half negated, multiplied by sines, if the head
      dimension is a multiple of 64.

    The new op computes the same function and rounds once. The tanh form of gelu
    is another function and stays. Ops whose result has a layout do not change.

    ```mlir
    %0 = "ttir.sigmoid"(%arg0) : (tensor<64x128xf32>) -> tensor<64x128xf32>
    %1 = "ttir.multiply"(%arg0, %0) : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    // after; destinations are left out
    %0 = "ttir.silu"(%arg0) : (tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let statistics = [
    Statistic<"numRecognized", "num-recognized", "Number of ops recognized">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRRecognizePositions
    : Pass<"ttir-recognize-positions", "::mlir::ModuleOp"> {
  let summary = "Replace masks that hide keys after a position by the position.";
  let description = [{
    Models with a KV cache mask the keys that are not written yet by comparing
    the index of each key with the query's position. If only such a mask is added
    to the scores of `ttir.scaled_dot_product_attention`, the attention takes
    `positions` instead, and reads only the part of the cache that its queries
    attend to. If the mask also hides all but some keys before the position, it
    becomes `sliding_window_size`. If it hides any other keys, the attention
    keeps the mask along with the positions.

    Numbers change for queries that attend to no key: their results are 0, as in
    PyTorch, instead of NaN.

    ```mlir
    %0 = "ttir.le"(%keys, %position) : (tensor<1x1x1x128xsi32>, tensor<1x1x1x1xsi32>) -> tensor<1x1x1x128xi1>
    %1 = "ttir.where"(%0, %zero, %minus_infinity) : (...) -> tensor<1x1x1x128xbf16>
    %2 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %1) <{is_causal = false}> : (...) -> tensor<1x8x1x64xbf16>
    // after, without destinations
    %0 = "ttir.reshape"(%position) <{shape = [1 : i32, 1 : i32]}> : (tensor<1x1x1x1xsi32>) -> tensor<1x1xsi32>
    %1 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %0) <{is_causal = true}> : (...) -> tensor<1x8x1x64xbf16>
    ```
  }];
  let statistics = [
    Statistic<"numRecognized", "num-recognized", "Number of masks recognized">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRRecognizeHeads : Pass<"ttir-recognize-heads", "::mlir::ModuleOp"> {
  let summary = "Split attention heads, and join them, in one op.";
  let description = [{
    Where the width of a head is a multiple of 32, the pass recognizes

    - `ttir.concatenate_heads`: a permutation that brings the heads behind the
      positions, and a reshape that puts them beside each other;
    - `ttir.split_query_key_value_and_split_heads`: queries, keys and values that
      a reshape and a permutation each split into heads, if they are slices of
      one tensor and cover it.

    With `join-weights`, queries, keys and values may also be the results of
    three products with one input, if the weights, and biases, depend on
    parameters and constants alone. They become one product with the weights
    beside each other; a bias that is missing is zero. If an attention has keys
    and values of one input and queries of another, the products of its keys and
    values are joined, and the result is `kv_input_tensor`.

    If keys and values are broadcast and reshaped so that each query head has a
    copy (grouped-query attention), the pass removes the copies: the attention
    reads the shared heads itself. Where attention is not a single op, its matrix
    products multiply the rows of heads that share keys or values together. If
    keys and values are gathered block by block from a paged cache, the attention
    takes the cache and the `page_table`.

    An attention of one query per head (B, H, 1, D) with fewer key heads (HK)
    becomes one of H / HK queries per key head (B, HK, H / HK, D): these queries
    attend to the same keys, and fit in one tile.

    Numbers do not change. Tensors with layouts do not change.

    ```mlir
    %0 = "ttir.matmul"(%x, %wq) : (tensor<1x64x128xbf16>, tensor<128x128xbf16>) -> tensor<1x64x128xbf16>
    %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32]}> : (tensor<1x64x128xbf16>) -> tensor<1x64x4x32xbf16>
    %2 = "ttir.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x32xbf16>) -> tensor<1x4x64x32xbf16>
    // and the same with %wk and %wv; after, without destinations
    %0 = "ttir.concat"(%wq, %wk, %wv) <{dim = 1 : si32}> : (...) -> tensor<128x384xbf16>
    %1 = "ttir.matmul"(%x, %0) : (tensor<1x64x128xbf16>, tensor<128x384xbf16>) -> tensor<1x64x384xbf16>
    %2:3 = "ttir.split_query_key_value_and_split_heads"(%1) <{num_heads = 4 : ui32, transpose_key = false}> : (tensor<1x64x384xbf16>) -> (tensor<1x4x64x32xbf16>, tensor<1x4x64x32xbf16>, tensor<1x4x64x32xbf16>)
    ```
  }];
  let options = [
    Option<"joinWeights", "join-weights", "bool", "false",
           "Make products of one input one product with joined weights.">
  ];
  let statistics = [
    Statistic<"numSplits", "num-splits",
              "Number of splits into heads recognized">,
    Statistic<"numConcatenations", "num-concatenations",
              "Number of concatenations of heads recognized">,
    Statistic<"numJoined", "num-joined", "Number of products joined">,
    Statistic<"numShared", "num-shared",
              "Number of attentions and products with shared heads">,
    Statistic<"numPaged", "num-paged",
              "Number of attentions that read a paged cache">,
    Statistic<"numStacked", "num-stacked",
              "Number of attentions whose query heads are stacked">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIREraseInverseOps
    : Pass<"ttir-erase-inverse-ops", "::mlir::ModuleOp"> {
  let summary = "Remove pairs of inverse permutations.";
  let description = [{
    A front end whose convolutions have channels before the image puts a
    permutation before and after each. The ops between them often work in any
    order of dimensions: elementwise ops, batch norms, `softmax`, `concat`,
    `pad`, `slice`, `resize`, `cumsum`, and reductions that keep their
    dimensions. Connected ops of this kind all compute in one order. The pass
    chooses the order in which the fewest elements are permuted, counting the
    permutations before and after, and those added where a value is needed in
    the old order. Permutations that depend only on parameters count nothing,
    since they run once. Reductions that drop dimensions take their input in
    either order. A reshape that only moves extents of 1, such as those of an
    image pooled to one pixel, counts as a permutation.

    A reshape between two permutations that merges dimensions which are side by
    side before the first one, too, then comes first: the pixels of an image
    become a sequence without a detour through channels first. Likewise, a
    permutation moves after a reshape that splits dimensions other than the one
    that was last before the permutation: a sequence becomes an image.

    Pairs of permutations then become one, or none. Numbers do not change.
    Tensors with layouts do not change.

    ```mlir
    %0 = "ttir.permute"(%conv) <{permutation = [0, 3, 1, 2]}> : (tensor<1x8x8x16xf32>) -> tensor<1x16x8x8xf32>
    %1 = "ttir.relu"(%0) : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
    %2 = "ttir.permute"(%1) <{permutation = [0, 2, 3, 1]}> : (tensor<1x16x8x8xf32>) -> tensor<1x8x8x16xf32>
    // after; destinations are left out
    %0 = "ttir.relu"(%conv) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
    ```
  }];
  let statistics = [
    Statistic<"numMoved", "num-moved",
              "Number of ops that compute in another order of dimensions">,
    Statistic<"numErased", "num-erased",
              "Number of permutations merged with another one">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIREliminateCommonOps
    : Pass<"ttir-eliminate-common-ops", "::mlir::ModuleOp"> {
  let summary = "Eliminate common ops that differ only in their destinations.";
  let description = [{
    Of ops in a block that are equal except for their destinations, keeps the
    first. Layers of a model compute the same masks, positions and tables. MLIR's
    own `cse` would merge their destinations instead, which ops that write in
    place must not share.

    An op is kept if the function returns its result or another op writes to it,
    if its destination is not a `tensor.empty` of its own, or if `fixed-names`
    contains its name.

    ```mlir
    %1 = "ttir.exp"(%a, %0) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %3 = "ttir.exp"(%a, %2) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = "ttir.add"(%1, %3, %4) ...
    // after
    %5 = "ttir.add"(%1, %1, %4) ...
    ```
  }];
  let options = [
    ListOption<"fixedNames", "fixed-names", "std::string",
               "Names of ops to keep, such as those of overrides.">
  ];
  let statistics = [
    Statistic<"numErased", "num-erased", "Number of ops erased">
  ];
}

def TTIRFusing : Pass<"ttir-fusing", "::mlir::ModuleOp"> {
  let summary = "Fold ops after a convolution into its weights and bias.";
  let description = [{
    If nothing else reads the result of a `conv2d`, and its weight and bias
    depend only on parameters and constants, the following ops become part of
    them if their other operands also depend only on these:

    - `multiply` by a scalar, or by one number for each channel: folded into
      weights and bias;
    - `add` and `subtract` of the same: folded into the bias.

    This includes batch norms, which `ttir-expand-composites` expands. If a batch
    norm follows no convolution, its mean is folded into its offset:
    `(x - mean) * factor + offset` becomes `x * factor + (offset - mean *
    factor)`.

    The weights are multiplied in the order of the product
    (`ttir.prepare_conv2d_weights`) and keep their format, so they are rounded
    once more; the result is rounded once instead of after each op. The bias is
    f32. A permutation between the two stays after the convolution. Block floats
    are not folded: the channels of a block share an exponent.

    ```mlir
    %0 = "ttir.conv2d"(%x, %weight) : (tensor<1x8x8x16xf32>, tensor<32x16x1x1xf32>) -> tensor<1x8x8x32xf32>
    %1 = "ttir.multiply"(%0, %factor) : (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>
    // after; destinations are left out
    %0 = "ttir.prepare_conv2d_weights"(%weight) : (tensor<32x16x1x1xf32>) -> tensor<1x1x16x32xf32>
    %1 = "ttir.multiply"(%0, %factor) : (tensor<1x1x16x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x1x16x32xf32>
    %2 = "ttir.conv2d"(%x, %1) <{kernel_size = array<i32: 1, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x1x16x32xf32>) -> tensor<1x8x8x32xf32>
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "num-folded", "Number of ops that were folded">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRTransposeWeights : Pass<"ttir-transpose-weights", "::mlir::ModuleOp"> {
  let summary = "Transpose the weights of products with few rows once.";
  let description = [{
    Replaces `transpose_b` of a `matmul` or `linear` with at most 256 rows by a
    transposition of its weight, if the weight depends only on parameters and
    constants; with `ttir-const-eval`, it runs once. Such products are bound by
    reading their weights. Transposed weights are stored in the order in which
    they are read, and can be sharded over the DRAM banks (`ttnn-shard-weights`).
    Weights in block floats do not change, since another order would round them
    again.

    With `weight-rows`, products with more rows count as products with that many.

    ```mlir
    %0 = "ttir.matmul"(%x, %w) <{transpose_b = true}> : (tensor<32x64xbf16>, tensor<96x64xbf16>) -> tensor<32x96xbf16>
    // after; destinations are left out
    %0 = "ttir.transpose"(%w) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<96x64xbf16>) -> tensor<64x96xbf16>
    %1 = "ttir.matmul"(%x, %0) : (tensor<32x64xbf16>, tensor<64x96xbf16>) -> tensor<32x96xbf16>
    ```
  }];
  let options = [WeightRows];
  let statistics = [
    Statistic<"numTransposed", "num-transposed",
              "Number of products whose weight is transposed">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRExpandComposites
    : Pass<"ttir-expand-composites", "::mlir::ModuleOp"> {
  let summary = "Expand composite ops into simpler ones.";
  let description = [{
    After the pass the module has no ops with the interface `CompositeOp`,
    except those named in `keep` (without the dialect). Each op is replaced by
    its definition. Results that would be rounded once are f32 in between and
    rounded once.

    ```mlir
    %1 = "ttir.rearrange"(%arg0, %0) <{..., pattern = "b c h w -> b (h w) c"}> : (tensor<2x3x4x5xf32>, tensor<2x20x3xf32>) -> tensor<2x20x3xf32>
    // after, without the destinations
    %0 = "ttir.permute"(%arg0) <{..., permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>
    %1 = "ttir.reshape"(%0) <{..., shape = [2 : i32, 20 : i32, 3 : i32]}> : (tensor<2x4x5x3xf32>) -> tensor<2x20x3xf32>
    ```
  }];
  let options = [
    ListOption<"keep", "keep", "std::string",
               "Ops to keep, such as scaled_dot_product_attention.">,
    Option<"forKernels", "for-kernels", "bool", /*default=*/"false",
           "Keep only ops that --convert-ttir-to-ttmetal has a kernel for.">
  ];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "Number of ops expanded">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRSlidingWindow2dFixShapes
    : Pass<"ttir-sliding-window-2d-fix-shapes", "::mlir::ModuleOp"> {
  let summary = "Flatten the tensors of sliding-window ops.";
  let description = [{
    After the pass every `ttir.max_pool2d` works on (1, 1, N*H*W, C): its input
    and result are reshaped, and `original_height` and `original_width` keep the
    extents of the input. The library call takes no other shape.

    Weights of a `ttir.conv2d` that depend only on parameters and constants go
    to device DRAM through `ttir.prepare_conv2d_weights`, once with
    `ttir-const-eval`. Other weights stay on the host, where the library call
    reads them.

    ```mlir
    %1 = "ttir.max_pool2d"(%arg0, %0) <{...}> : (tensor<1x128x128x32xbf16>, tensor<1x64x64x32xbf16>) -> tensor<1x64x64x32xbf16>
    // after
    %1 = "ttir.reshape"(%arg0, %0) <{..., shape = [1 : i32, 1 : i32, 16384 : i32, 32 : i32]}> : (tensor<1x128x128x32xbf16>, tensor<1x1x16384x32xbf16>) -> tensor<1x1x16384x32xbf16>
    %3 = "ttir.max_pool2d"(%1, %2) <{..., original_height = 128 : si32, original_width = 128 : si32, ...}> : (tensor<1x1x16384x32xbf16>, tensor<1x1x4096x32xbf16>) -> tensor<1x1x4096x32xbf16>
    %5 = "ttir.reshape"(%3, %4) <{..., shape = [1 : i32, 64 : i32, 64 : i32, 32 : i32]}> : (tensor<1x1x4096x32xbf16>, tensor<1x64x64x32xbf16>) -> tensor<1x64x64x32xbf16>
    ```
  }];
  let statistics = [
    Statistic<"numFixed", "num-fixed", "Number of ops reshaped">,
    Statistic<"numPrepared", "num-prepared", "Number of weights prepared">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
