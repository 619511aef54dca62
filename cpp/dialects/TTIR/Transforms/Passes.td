//===- Passes of the 'ttir' dialect ----------------------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_PASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_PASSES_TD

include "dialects/Options.td"

def TTIRSplitLongIntegers
    : Pass<"ttir-split-long-integers", "::mlir::ModuleOp"> {
  let summary =
      "Split 64-bit integers into two words where 32 bits are not enough.";
  let description = [{
    The device computes integers in 32 bits, and `ttir-legalize-types` narrows
    64-bit integers accordingly. This pass runs before it, finds the integers
    that may need more bits, and rewrites their ops to operate on ui32 tensors
    of their lower and upper words.

    Two analyses decide. The first propagates the range of each integer forward,
    from constants, extents, masks and comparisons, also through loops. It
    assumes that function arguments fit in 32 bits, which the host checks in
    each call. The second determines backward whether anything depends on the
    upper words: they do not matter for element positions, or for sums,
    differences, products and lower bits that are themselves used only that way.
    The pass splits integers that may not fit and whose upper word matters; all
    others stay, so indices, positions and counters cost nothing.

    Two-word integers are supported in elementwise ops, ops that move elements,
    sums, products, extrema, running sums and products, sorting, `argmax`,
    matrix products, and `scatter`. Any other op is an error that states the
    range of its operand.

    A two-word result of a public function is a tensor with a leading dimension
    of extent 2: the lower words, then the upper words. Its attribute
    `tt.host_type` has the source type, to which the host converts it. Loops
    carry integers in the same form. A result in the memory of an argument or a
    variable keeps 32 bits.

    ```mlir
    func.func @forward(%arg0: tensor<4xsi64>) -> tensor<4xsi64> {
      %0 = tensor.empty() : tensor<4xsi64>
      %1 = "ttir.multiply"(%arg0, %arg0, %0) <{...}> : (tensor<4xsi64>, tensor<4xsi64>, tensor<4xsi64>) -> tensor<4xsi64>
      return %1 : tensor<4xsi64>
    }
    // after
    func.func @forward(%arg0: tensor<4xsi64>) -> (tensor<2x4xui32> {tt.host_type = tensor<4xsi64>})
    ```
  }];
  let statistics = [
    Statistic<"numSplit", "num-split", "Number of ops on words">
  ];
  let dependentDialects = ["::mlir::tt::TTDialect",
                           "::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRLegalizeTypes : Pass<"ttir-legalize-types", "::mlir::ModuleOp"> {
  let summary =
      "Replace element types and shapes that the device does not support.";
  let description = [{
    After the pass all tensors have a device format, at least one dimension and
    at least one element. It runs first in both backends, so every other pass
    only sees such tensors.

    | in the source | becomes |
    | --- | --- |
    | i1 | ui8 with elements 0 and 1 |
    | si64 | si32 |
    | i64, ui64 | ui32 |
    | f64 | f32 |
    | rank 0 | the shape 1 |
    | an extent of 0 | a tensor whose extents are all 1, which nothing computes with |

    Constants are narrowed too: an integer that does not fit is an error with
    its position, a float is rounded, with a remark. Arithmetic on i64 wraps at
    32 bits. On i1, `add` is a logical or, `multiply` an and, `subtract` an
    exclusive or, and a typecast to i1 compares with 0. An op whose result has
    no elements becomes a constant, and so does an empty reduction: 0 for a sum
    and a matrix product, 1 for `prod`, the lowest number for `max`. `concat`
    drops empty parts.

    If an argument or a result of a public function changes, its attribute
    `tt.host_type` has the source type. The type is stored in the file: the host
    passes and receives arrays of that type and shape.

    Unsupported element types, ops without a meaning on i1, and ops that compute
    elements from an empty tensor each have their own error.

    ```mlir
    func.func @forward(%arg0: tensor<i1>, %arg1: tensor<3xsi64>) -> tensor<3xsi64> {
      %0 = tensor.empty() : tensor<3xsi64>
      %1 = "ttir.where"(%arg0, %arg1, %arg1, %0) <{...}> : (tensor<i1>, tensor<3xsi64>, tensor<3xsi64>, tensor<3xsi64>) -> tensor<3xsi64>
      return %1 : tensor<3xsi64>
    }
    // after
    func.func @forward(%arg0: tensor<1xui8> {tt.host_type = tensor<i1>}, %arg1: tensor<3xsi32> {tt.host_type = tensor<3xsi64>}) -> (tensor<3xsi32> {tt.host_type = tensor<3xsi64>}) {
      %0 = tensor.empty() : tensor<3xsi32>
      %1 = "ttir.where"(%arg0, %arg1, %arg1, %0) <{...}> : (tensor<1xui8>, tensor<3xsi32>, tensor<3xsi32>, tensor<3xsi32>) -> tensor<3xsi32>
      return %1 : tensor<3xsi32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numNarrowed", "num-narrowed",
              "Number of arguments and results with a new type">,
    Statistic<"numReplaced", "num-replaced", "Number of ops replaced">
  ];
  let dependentDialects = ["::mlir::tt::TTDialect",
                           "::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRLoadSystemDesc : Pass<"ttir-load-system-desc", "::mlir::ModuleOp"> {
  let summary = "Add the description of the target system to the module.";
  let description = [{
    After the pass the module has the attribute `tt.system_desc`.

    With `path`, the description is read from that `.ttsys` file and replaces
    any description of the module. A file that is missing, truncated, of another
    kind or of another version is an error. Without `path`, a module without a
    description gets the default one, a single n150.

    ```mlir
    module {}
    // after
    #system_desc = #tt.system_desc<...>
    module attributes {tt.system_desc = #system_desc} {}
    ```
  }];
  let options = [
    Option<"path", "path", "std::string", /*default=*/"\"\"",
           "System desc path">
  ];
  let dependentDialects = ["::mlir::tt::TTDialect"];
}

def TTIRImplicitDevice : Pass<"ttir-implicit-device", "::mlir::ModuleOp"> {
  let summary = "Add a device that spans the mesh to the module.";
  let description = [{
    After the pass the module has the attribute `tt.device`.

    A module without a device gets one with chips of its `tt.system_desc`, laid
    out as `mesh-shape` (one chip if that is empty). The chips are `chip-ids`,
    row-major over the mesh. By default they are the first chips of the system
    if links then join all neighbours in the mesh, otherwise the
    lexicographically smallest choice for which they do. `override-device-shape`
    (rows, columns) uses fewer cores of each chip than the chip has.

    It is an error if the module has no system description, if the mesh has more
    chips than the system, or if the chip ids are duplicate, not in the system,
    or not as many as the mesh has positions.

    Collectives that do not fit the mesh are errors. Collectives without effect
    on it, because their groups have one chip, are removed with a warning.

    ```mlir
    module attributes {tt.system_desc = #system_desc} {}
    // after
    #device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, ..., meshShape = , chipIds = [0]>
    module attributes {tt.device = #device, tt.system_desc = #system_desc} {}
    ```
  }];
  let options = [MeshShape, ChipIds, OverrideDeviceShape];
  let statistics = [
    Statistic<"numRemoved", "num-removed", "Number of collectives removed">
  ];
  let dependentDialects = ["::mlir::tt::TTDialect"];
}

def TTIRResultsOnDevice : Pass<"ttir-results-on-device", "::mlir::ModuleOp"> {
  let summary = "Leave function results on the device.";
  let description = [{
    After the pass every function result that an op computes has a layout: tiled
    and interleaved in DRAM, unless it already had one. A program leaves its
    results where their types say, and the host reads them from there on demand.
    Returned arguments and constants do not change, nor do operands of control
    flow, for which `ttir-layout` has the option of the same name, or tensors
    whose elements have no number format.

    ```mlir
    func.func @forward(%arg0: tensor<64x128xf32>) -> tensor<64x128xf32> {
      %0 = tensor.empty() : tensor<64x128xf32>
      %1 = "ttir.relu"(%arg0, %0) <{...}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
      return %1 : tensor<64x128xf32>
    }
    // after
    #layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
    func.func @forward(%arg0: tensor<64x128xf32>) -> tensor<64x128xf32, #layout> {
      %0 = tensor.empty() : tensor<64x128xf32, #layout>
      %1 = "ttir.relu"(%arg0, %0) <{...}> : (tensor<64x128xf32>, tensor<64x128xf32, #layout>) -> tensor<64x128xf32, #layout>
      return %1 : tensor<64x128xf32, #layout>
    }
    ```
  }];
  let statistics = [
    Statistic<"numPlaced", "num-placed", "Number of results left on the device">
  ];
  let dependentDialects = ["::mlir::tt::TTDialect",
                           "::mlir::tensor::TensorDialect"];
}

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
      masked, between two products of rank 4.

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
    either order.

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

def TTIRFusing : Pass<"ttir-fusing", "::mlir::ModuleOp"> {
  let summary = "Fold ops after a convolution into its weights and bias.";
  let description = [{
    If nothing else reads the result of a `conv2d`, and its weight and bias
    depend only on parameters and constants, the following ops become part of
    them if their other operands also depend only on these:

    - `multiply` by a scalar, or by one number for each channel: folded into
      weights and bias;
    - `add` and `subtract` of the same: folded into the bias.

    This includes batch norms, which `ttir-expand-composites` expands.

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
               "Ops to keep, such as scaled_dot_product_attention.">
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

defvar MemorySpaceValues = [{::llvm::cl::values(
  clEnumValN(::mlir::tt::MemorySpace::System, "system", "host memory"),
  clEnumValN(::mlir::tt::MemorySpace::SystemMMIO, "mmio",
             "host memory that the device sees"),
  clEnumValN(::mlir::tt::MemorySpace::DeviceDRAM, "dram", "device DRAM"),
  clEnumValN(::mlir::tt::MemorySpace::DeviceL1, "l1", "L1 of the cores"))}];

defvar TensorMemoryLayoutValues = [{::llvm::cl::values(
  clEnumValN(::mlir::tt::TensorMemoryLayout::None, "none", "not decided"),
  clEnumValN(::mlir::tt::TensorMemoryLayout::Interleaved, "interleaved",
             "pages round robin over all banks"),
  clEnumValN(::mlir::tt::TensorMemoryLayout::SingleBank, "single_bank",
             "all pages in one bank"),
  clEnumValN(::mlir::tt::TensorMemoryLayout::HeightSharded, "height_sharded",
             "a shard of rows on every core"),
  clEnumValN(::mlir::tt::TensorMemoryLayout::WidthSharded, "width_sharded",
             "a shard of columns on every core"),
  clEnumValN(::mlir::tt::TensorMemoryLayout::BlockSharded, "block_sharded",
             "a block on every core"))}];

def TTIRPropagateLayout : Pass<"ttir-propagate-layout", "::mlir::ModuleOp"> {
  let summary = "Propagate the layouts that the program states.";
  let description = [{
    Programs place tensors with anchors: `ttir.to_layout` ops and layouts in
    function signatures. The pass decides how far they propagate. It does
    nothing in a program without anchors, and interleaved DRAM, where
    `ttir-layout` puts all other tensors, is never propagated.

    First it propagates forward, in the order of the ops: the result of an
    elementwise op gets the layout of its inputs if those that have a layout
    agree. Conditions (`ttir.where`), broadcast inputs, constants and
    destinations are ignored. The op's operand constraint must allow the layout,
    and L1 must have room for the result for its lifetime, beside the other
    tensors there.

    Then it propagates backward: the inputs of an elementwise op must have the
    layout of its result, and a function result the layout in the signature. A
    computed value without a layout is written in the layout that its first
    reader needs, and so is the result of an op whose inputs disagree; if no
    reader needs a layout, the first placed input decides. Every use that needs
    another layout gets one `ttir.to_layout`, inserted by `ttir-layout`.

    A `ttir.to_layout` of the program stays in place, with its operand and
    result: its operand is not written in its layout. Only those of constants
    (`ttir.constant`, `full`, `arange`, `fill`, `tensor.empty`) are removed: the
    constant is created again for every layout in which it is read, before its
    first reader there, and again if L1 has no room to keep it until a later
    one. A fill becomes a `ttir.constant`. A value that was rounded to a
    narrower format on the way no longer counts as a constant. Constants that
    the region of an elementwise `ttir.generic` captures become inputs of the
    op.

    After the pass, affected ops have the attribute `ttir.placed`: a layout for
    each operand, the destination's being that of the result, or unit where
    `ttir-layout` may choose one. `ttir-layout` and `ttir-optimizer` respect it.

    Every decision is a remark (`--remarks`). An anchor on cores that the device
    does not have, or that exceeds their L1, is an error. Running the pass again
    does not change earlier decisions.

    ```mlir
    // #a is sharded over 2x4 cores, #b over 4x2
    %c = "ttir.constant"() <{value = dense<0.0> : ...}> : () -> tensor<128x128xbf16, #host>
    %1 = "ttir.to_layout"(%x, %0) : ... -> tensor<128x128xbf16, #a>
    %3 = "ttir.add"(%1, %c, %2) ... : ... -> tensor<128x128xbf16>
    %5 = "ttir.to_layout"(%c, %4) : ... -> tensor<128x128xbf16, #b>
    %7 = "ttir.maximum"(%5, %y, %6) ... : ... -> tensor<128x128xbf16>
    // after
    %1 = "ttir.to_layout"(%x, %0) {ttir.placed = [unit, #a]} : ... -> tensor<128x128xbf16, #a>
    %c0 = "ttir.constant"() ... : () -> tensor<128x128xbf16, #a>
    %3 = "ttir.add"(%1, %c0, %2) ... {ttir.placed = [#a, #a, #a]} : ... -> tensor<128x128xbf16>
    %c1 = "ttir.constant"() ... : () -> tensor<128x128xbf16, #b>
    %7 = "ttir.maximum"(%c1, %y, %6) ... {ttir.placed = [#b, #b, #b]} : ... -> tensor<128x128xbf16>
    ```
  }];
  let options = [
    Option<"kernels", "kernels", "bool", /*default=*/"false",
           "Propagate only layouts that kernels support: sharded tiles.">,
    Option<"frees", "frees", "bool", /*default=*/"true",
           "Assume that tensors are freed after their last use, not only "
           "when the function ends.">
  ];
  let statistics = [
    Statistic<"numPropagated", "num-propagated",
              "Number of results that got a layout">,
    Statistic<"numConflicts", "num-conflicts",
              "Number of operands without the layout that their op needs">,
    Statistic<"numConstants", "num-constants",
              "Number of constants made for a layout">,
    Statistic<"numResolved", "num-resolved",
              "Number of ttir.to_layout ops of constants removed">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRLayout : Pass<"ttir-layout", "::mlir::ModuleOp"> {
  let summary =
      "Assign a layout to every tensor and insert layout conversions.";
  let description = [{
    Before the pass, tensors may lack a layout. After it, every tensor outside
    `ttir.generic` regions has a `#tt.layout`, and every operand of an op in
    destination-passing style has a layout that the op's operand constraints
    allow.

    First every ranked tensor without an encoding, including those in
    signatures, gets a scalar layout in `init-memory-space` on one core. Then,
    op by op, each operand is placed:

    - in `default-memory-space` if the constraint allows it, otherwise in the
      first allowed one of DRAM, L1 and host memory;
    - on the device with `default-device-memory-layout` if the constraint allows
      it, otherwise with the first allowed one;
    - in 32x32 tiles, unless the constraint allows scalars.

    A constraint that names no memory space, or no memory layout, allows all.

    An operand with another layout is converted before the op by a
    `ttir.to_layout` into a new `tensor.empty`; destinations and constants are
    created with the right type instead. Tiles keep their number format, and
    tiles that are passed to the function or block stay tiles if the op takes
    them. `ttir.conv2d` takes its inputs as they are. Function results return to
    `init-memory-space`, in scalars, unless the result already had a layout. The
    attribute `ttir.placed` (`ttir-propagate-layout`) overrides these rules for
    the operands of its op.

    A module without `tt.device` gets the default device.

    With `pad-to-tiles`, the layouts meet the needs of kernels:

    - every matrix of the innermost two dimensions begins with a new tile, so
      4x10x20 is four tiles, mapped by `(d0 * 32 + d1, d2)`;
    - an op that reads the padding of an operand gets an operand whose layout
      defines the padding: 0 along the inner dimension of `ttir.matmul` and for
      `ttir.sum` and `ttir.mean`, -inf for `ttir.max`, inf for `ttir.min`;
    - tensors that begin on the device use `default-device-memory-layout`, and
      tiled tensors of the program have that padding too;
    - block floats that only partly fill their blocks are written as plain
      numbers, and the rest of the block is cleared before the conversion;
    - a `ttir.to_layout` that kernels cannot do in one step, such as one of
      shards that changes both grid and form, goes through pages in DRAM;
    - a tensor that several ops need in one layout is converted once;
    - with L1 as `default-memory-space`, ops whose constraints do not allow L1,
      and tensors without room, use interleaved DRAM: tensors that the program
      did not place take the lower half of a core's L1, and the upper half is
      for circular buffers. Both cases are remarks (`--remarks`).

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.abs"(%arg0, %0) <{..., operand_constraints = [#any_device, #any_device]}> : ...
    return %1 : tensor<64x128xf32>
    // after: #layout is in host memory, #layout1 interleaved in DRAM
    %0 = tensor.empty() : tensor<64x128xf32, #layout1>
    %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x128xf32, #layout>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
    %2 = tensor.empty() : tensor<64x128xf32, #layout1>
    %3 = "ttir.abs"(%1, %2) <{...}> : ...
    %4 = tensor.empty() : tensor<64x128xf32, #layout>
    %5 = "ttir.to_layout"(%3, %4) : (tensor<64x128xf32, #layout1>, tensor<64x128xf32, #layout>) -> tensor<64x128xf32, #layout>
    return %5 : tensor<64x128xf32, #layout>
    ```
  }];
  let options = [
    Option<"initMemorySpace", "init-memory-space", "::mlir::tt::MemorySpace",
           /*default=*/"::mlir::tt::MemorySpace::System",
           "Set the initial memory space for tensors to start in",
           MemorySpaceValues>,
    InputsOnDevice, ResultsOnDevice,
    Option<"defaultMemorySpace", "default-memory-space",
           "::mlir::tt::MemorySpace",
           /*default=*/"::mlir::tt::MemorySpace::DeviceDRAM",
           "Set the default memory space for layout pass to prefer for "
           "operation operands, if not constrained",
           MemorySpaceValues>,
    Option<"defaultDeviceMemoryLayout", "default-device-memory-layout",
           "::mlir::tt::TensorMemoryLayout",
           /*default=*/"::mlir::tt::TensorMemoryLayout::Interleaved",
           "Set the default memory layout for layout pass to prefer for "
           "operation operands that are on device, if not constrained",
           TensorMemoryLayoutValues>,
    Option<"padToTiles", "pad-to-tiles", "bool", /*default=*/"false",
           "Pad every matrix to tiles of its own, with the padding that its "
           "users need.">
  ];
  let statistics = [
    Statistic<"numToLayouts", "num-to-layouts",
              "Number of ttir.to_layout ops inserted">
  ];
  let dependentDialects = [
    "::mlir::tt::ttir::TTIRDialect", "::mlir::tt::TTDialect",
    "::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect"
  ];
}

def TTIRSplitCompoundLayout
    : Pass<"ttir-split-compound-layout", "::mlir::ModuleOp"> {
  let summary = "Split layout changes into single steps.";
  let description = [{
    After the pass every `ttir.to_layout` changes at most one of: linear map,
    grid, element type, memory space, memory layout.

    A change of several goes through intermediate layouts: the tensor is brought
    to L1 first and leaves it last, and it is moved as tiles rather than as
    scalars. A change without a known path is an error.

    ```mlir
    // #layout in host memory, #layout1 in tiles in L1
    %0 = tensor.empty() : tensor<64x128xf32, #layout1>
    %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x128xf32, #layout>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
    // after: #layout2 is #layout in L1
    %0 = tensor.empty() : tensor<64x128xf32, #layout1>
    %1 = tensor.empty() : tensor<64x128xf32, #layout2>
    %2 = "ttir.to_layout"(%arg0, %1) : (tensor<64x128xf32, #layout>, tensor<64x128xf32, #layout2>) -> tensor<64x128xf32, #layout2>
    %3 = "ttir.to_layout"(%2, %0) : (tensor<64x128xf32, #layout2>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
    ```
  }];
  let statistics = [
    Statistic<"numSteps", "num-steps", "Number of ttir.to_layout ops inserted">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect",
                           "::mlir::tensor::TensorDialect"];
}

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
    the maximum or the sum of such slices, a gather into rows of a table. A
    broadcast that only elementwise ops read is removed, since they broadcast
    themselves. Intermediate float values are f32, so the result is rounded
    once.

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

def TTIRConstEval : Pass<"ttir-const-eval", "::mlir::ModuleOp"> {
  let summary =
      "Hoist code that depends only on parameters and constants, to run it "
      "once.";
  let description = [{
    Arguments whose `tt.argument_type` is `parameter` or `constant` are the same
    tensors in many calls. Ops that depend only on these and on constants,
    including layout changes of weights, move into functions of their own. The
    original function loads their results with `tt.load_cached`; the runtime
    computes them once.

    - Ops that share a value are in one function.
    - The results stay in interleaved DRAM; if an op needs them in L1, they are
      moved there in every call.
    - Splats that a fill creates are created where they are used. Other
      constants stay on the device, including integers that f32 cannot
      represent: the constants of one function that no op computes with are
      stored together.
    - Code in loops and branches that depends only on constants is first hoisted
      out of them and passed in.
    - Returned values, and values that another op writes into, stay in place.

    ```mlir
    func.func @forward(%arg0: tensor<64x64xf32, #host>,
                       %arg1: tensor<64x64xf32, #host> {tt.argument_type = #tt.argument_type<parameter>}) -> ... {
      %0 = "ttir.to_layout"(%arg1, ...) : ... -> tensor<64x64xf32, #dram>
      %1 = "ttir.matmul"(%arg0, %0, ...)
    // after
    func.func private @forward_const_eval_0(%arg0: tensor<64x64xf32, #host>) -> tensor<64x64xf32, #dram> attributes {tt.const_eval} {
      %0 = "ttir.to_layout"(%arg0, ...)
      return %0
    }
    func.func @forward(...) -> ... {
      %0 = tt.load_cached(@forward_const_eval_0, [%arg1])
      %1 = "ttir.matmul"(%arg0, %0, ...)
    ```
  }];
  let statistics = [
    Statistic<"numFunctions", "num-functions", "Number of functions made">,
    Statistic<"numOps", "num-ops", "Number of ops moved into them">,
    Statistic<"numHoisted", "num-hoisted",
              "Number of ops hoisted out of a loop or a branch">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect"];
}

def TTIRFuseLayouts : Pass<"ttir-fuse-layouts", "::mlir::ModuleOp"> {
  let summary = "Fold row-major layout changes into elementwise kernels.";
  let description = [{
    A `ttir.to_layout` that tilizes rows for one elementwise `ttir.generic`, or
    untilizes its result, costs a program of its own and an intermediate tensor
    in DRAM. If rows and tiles have one number format and are in pages,
    interleaved over the banks, the pass removes it: the operand is row-major
    although its constraint asks for tiles, and the kernels tilize what they
    read and untilize what they write, block by block.

    Broadcast inputs stay in tiles, as do inputs with more than one reader; a
    kernel has circular buffers for seven inputs.

    ```mlir
    %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x128xf32, #rows>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
    %3 = "ttir.generic"(%1, %2) <{..., operand_constraints = [#any_device_tile, #any_device_tile]}> ({...})
        : (tensor<64x128xf32, #tiles>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
    %5 = "ttir.to_layout"(%3, %4) : (tensor<64x128xf32, #tiles>, tensor<64x128xf32, #rows>) -> tensor<64x128xf32, #rows>
    // after
    %1 = "ttir.generic"(%arg0, %0) <{..., operand_constraints = [#any_device_tile, #any_device_tile]}> ({...})
        : (tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>) -> tensor<64x128xf32, #rows>
    ```
  }];
  let statistics = [
    Statistic<"numFused", "num-fused", "Number of layout changes folded">
  ];
  let dependentDialects = ["::mlir::tt::TTDialect"];
}

def TTIRInPlace : Pass<"ttir-in-place", "::mlir::ModuleOp"> {
  let summary = "Update operands in place if nothing else reads them.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`) and every op its
    own destination. After it, the destination of a `ttir.update_slice` is its
    input, so only the rows of the update are written, if

    - the function may write to the input: it created the tensor, or the caller
      donated it (an argument with `tt.aliased_output`),
    - input and result have one layout, on the device,
    - nothing reads the memory of the input after the op, and no other operand
      of the op does.

    Values that a loop carries belong to its parts. If the parts write to one,
    it is copied once before the loop if something else may read it. A branch
    may write to values that are not read after the `tt.if`.

    The result that an argument's `tt.aliased_output` names is in the memory of
    the argument: the op that computes it writes there if nothing reads the
    argument afterwards, otherwise the result is copied at the end.

    ```mlir
    func.func @forward(%arg0: tensor<1x8x64x32xf32, #dram> {tt.aliased_output = 0 : i64}, ...) -> ... {
      %0 = tensor.empty() : tensor<1x8x64x32xf32, #dram>
      %1 = "ttir.update_slice"(%arg0, %arg1, %arg2, %0) ...
      return %1
    // after
      %0 = "ttir.update_slice"(%arg0, %arg1, %arg2, %arg0) ...
      return %0
    ```
  }];
  let statistics = [
    Statistic<"numInPlace", "num-in-place",
              "Number of ops that write into an operand or an argument">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRAllocate : Pass<"ttir-allocate", "::mlir::ModuleOp"> {
  let summary = "Allocate an address for every tensor.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`). After it there is
    no `tensor.empty` outside regions: a `ttir.alloc` has address and bytes, and
    a `ttir.dealloc` follows the last op that reads the tensor, unless the
    function returns it. The attribute `tt.arg_alloc` of a function has the
    addresses of its arguments, which come first. Arguments that only
    `tt.load_cached` reads have none: address and size are 0. Tiled arguments
    and results in DRAM have address 0 as well: the runtime knows where they
    are. `ttir.fill` writes constants into a tensor with an address.

    Each function has the memory to itself, starting at `l1_unreserved_base` and
    `dram_unreserved_base`; sizes are those in one core's L1 and in one DRAM
    bank, in which an interleaved tensor has every n-th page. Addresses in both
    are aligned for transfers between them. Tensors are allocated consecutively.
    If they would take more than half of L1 or a 64th of DRAM that way, tensors
    that begin later reuse the memory of dead ones. A tensor that does not fit
    is an error that lists the contents of the memory.

    ```mlir
    func.func @forward(%arg0: tensor<64x128xf32, #layout>) -> ... {
      %0 = tensor.empty() : tensor<64x128xf32, #layout1>
      %1 = "ttir.to_layout"(%arg0, %0) : ...
    // after
    func.func @forward(%arg0: tensor<64x128xf32, #layout>) -> ... attributes {tt.arg_alloc = [#tt.arg_alloc<1024, 32768, l1>]} {
      %0 = "ttir.alloc"() <{address = 33792 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #layout1>
      %1 = "ttir.to_layout"(%arg0, %0) : ...
    ```
  }];
  let statistics = [
    Statistic<"numAllocs", "num-allocs", "Number of tensors allocated">,
    Statistic<"l1Bytes", "l1-bytes", "Bytes of L1 that the functions take">,
    Statistic<"dramBytes", "dram-bytes",
              "Bytes of a DRAM bank that the functions take">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect"];
}

def TTIROptimizer : Pass<"ttir-optimizer", "::mlir::ModuleOp"> {
  let summary = "Choose the layout of every op's result.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`). After it, the
    result of every op except `ttir.to_layout` is interleaved in DRAM, on the
    whole worker grid of the device, with shards rounded up; its destination and
    the function's result types follow.

    `override-grid-sizes` sets the grid of the ops with the given location name,
    including `tensor.empty` and `ttir.to_layout`, and keeps the rest of their
    layout. A name that matches no op is a warning.

    ```mlir
    // override-grid-sizes=add_0=4x4
    %0 = tensor.empty() : tensor<64x128xf32, #layout> loc("add_0")
    %1 = "ttir.add"(%a, %b, %0) ... : ... -> tensor<64x128xf32, #layout> loc("add_0")
    // after: the grid of #layout1 is 4x4
    %0 = tensor.empty() : tensor<64x128xf32, #layout1> loc("add_0")
    %1 = "ttir.add"(%a, %b, %0) ... : ... -> tensor<64x128xf32, #layout1> loc("add_0")
    ```

    `override-output-layout` sets the layout of the result of the op with that
    location, for example
    `add_0=4x4:l1:block_sharded:tile:bf16,relu_1=height_sharded`. The parts can
    be in any order, and all are optional: a grid `RxC`; a memory space (system,
    mmio, dram, l1); a memory layout (none, interleaved, single_bank,
    height_sharded, width_sharded, block_sharded); `tile` or `row_major`; a data
    type (f32, bf16, bfp_bf8 and the others of `tt`). The op gets the first of
    its legal layouts that has the given parts. If the op became several ops,
    which all have its location, its result is the one that other ops read.

    The legal layouts of an op are: interleaved in DRAM on the whole grid,
    interleaved in L1 on the whole grid, and the layouts sharded over L1 that
    give each core the same number of rows and columns of tiles, of the matrix
    to which the dimensions are collapsed. More cores come first; for the same
    number of cores, block- before height- before width-sharded; the first 64
    are kept.

    With `sharding-pass-enabled`, chains of ops stay in L1. The ops of a block
    are scheduled depth first, layout changes as early as possible. An op joins
    the open chain if exactly one op reads it, that op can come next, both have
    sharded layouts, and both results, in their first one, take less than 0.8 of
    the L1 available to tensors; the first op of a chain must fit beside its own
    first input in the same shards. Each op of a chain gets the first of its
    sharded layouts that is compatible with its neighbours'. The reader of the
    chain's last op is in DRAM.

    With `resharding-enabled`, the first input of a chain is converted to the
    shards of the chain's first op, by the `ttir.to_layout` that makes it or by
    a new one, and so is an operand between two ops of a chain whose results do
    not fit L1 together. Otherwise ops read unsharded operands in place.

    In a tool that has the emulator's clock, the layouts of a chain are then
    compared by their modelled time. The candidates of each op are two layouts
    of each kind of sharding, those with the most cores, and the default in
    DRAM; the best layouts of the chain are the shortest path through them,
    including its reader and the conversion of its first input. A chain changes
    if a path takes less time than the layouts above. Ops with the same
    attributes and types are timed once, and at most `clock-search-limit`
    different ones are, where one of more than 256 tiles counts as up to twelve;
    0 keeps the layouts. Ops are timed as `ttnn-set-compute-kernel-config`
    configures them with the same options; this pass itself does not configure
    them.

    ```mlir
    // sharding-pass-enabled: #layout1 is interleaved in DRAM, #layout2
    // block-sharded on 2x4 cores
    %1 = "ttir.relu"(%a, %0) ... : ... -> tensor<64x128xf32, #layout2>
    %3 = "ttir.exp"(%1, %2) ... : ... -> tensor<64x128xf32, #layout1>
    ```
  }];
  let options = [
    OverrideGridSizes,
    OverrideOutputLayout,
    InOtherWords<ShardingPassEnabled, "Enable sharding pass.">,
    ReshardingEnabled,
    ClockSearchLimit,
    MathFidelity,
    Fp32DestAccEn,
    MathApproxMode,
    PackerL1Acc,
    OverrideComputeConfig
  ];
  let statistics = [
    Statistic<"numLayouts", "num-layouts", "Number of layouts chosen">,
    Statistic<"numOverrides", "num-overrides", "Number of ops overridden">,
    Statistic<"numSharded", "num-sharded", "Number of ops sharded over L1">,
    Statistic<"numReshards", "num-reshards",
              "Number of inputs converted to shards">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
