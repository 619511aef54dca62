//===- Passes of the 'ttir' dialect ----------------------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_PASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_PASSES_TD

include "dialects/Options.td"

def TTIRSplitLongIntegers
    : Pass<"ttir-split-long-integers", "::mlir::ModuleOp"> {
  let summary = "Compute integers of 64 bits in two words where 32 bits do not hold them.";
  let description = [{
    The machine computes integers in 32 bits, and `ttir-legalize-types` gives
    those of 64 bits as many. Before it, this pass finds the integers that may
    need more, and writes the ops on them as ops on tensors of ui32 with their
    lower and their upper words.

    Two analyses decide on it. The first one follows the range of each integer
    from constants, extents, masks and comparisons, through loops as well, and
    takes arguments of functions for numbers of 32 bits, which the host checks
    when they are passed. The second one follows backwards whether something
    depends on the upper words: they do not matter for the place of an element,
    nor for the sums, differences, products and lower bits of what does not look
    at them. What both say is an integer that may not fit and whose upper word
    matters; everything else stays as it is, so that indices, positions and
    counters cost nothing.

    Words are computed for elementwise ops, ops that move elements, sums,
    products, extrema, running sums and products, sorting, `argmax`, products of
    matrices, and `scatter`. An op that is not among them is an error that says
    what range its operand has.

    A result of a public function that needs words is a tensor with a dimension
    of extent 2 in front, the lower words and then the upper ones; its attribute
    `tt.host_type` has the type of the source, which the host makes of it. Loops
    carry integers in the same form. A result in the memory of an argument or of
    a variable keeps 32 bits.

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
  let summary = "Replace element types and shapes that the machine does not have.";
  let description = [{
    After the pass all tensors have elements of a format of the machine, at least
    one dimension and at least one element. It is the first one of both backends,
    so that every other pass has such tensors only.

    | in the source | becomes |
    | --- | --- |
    | i1 | ui8 with elements 0 and 1 |
    | si64 | si32 |
    | i64, ui64 | ui32 |
    | f64 | f32 |
    | rank 0 | the shape 1 |
    | an extent of 0 | a tensor whose extents are all 1, which nothing computes with |

    Constants become narrower, too: an integer that does not fit is an error with
    its place, a float is rounded, with a remark. Arithmetic on i64 wraps at 32
    bits. On i1, `add` is a logical or, `multiply` an and, `subtract` an exclusive
    or, and a typecast to i1 compares with 0. An op whose result has no elements
    becomes a constant; one that reduces nothing becomes the constant that it is
    then: 0 for a sum and a product of matrices, 1 for `prod`, the least number
    for `max`. `concat` drops parts without elements.

    Where an argument or a result of a public function changes, its attribute
    `tt.host_type` has the type of the source, which goes into the file: the host
    gives and gets arrays of that type and shape.

    All that is not supported is an error of its own: element types, ops that i1
    has no meaning for, and ops that compute elements of a tensor without any.

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
              "Number of arguments and results that got another type">,
    Statistic<"numReplaced", "num-replaced", "Number of ops replaced">
  ];
  let dependentDialects = ["::mlir::tt::TTDialect",
                           "::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRLoadSystemDesc : Pass<"ttir-load-system-desc", "::mlir::ModuleOp"> {
  let summary = "Put the description of the target system on the module.";
  let description = [{
    After the pass the module has the attribute `tt.system_desc`.

    With `path`, the description is read from that `.ttsys` file and replaces
    the one that the module may have. A file that is missing, truncated, of
    another kind or of another version is an error. Without `path`, a module
    that has no description gets the default one, a single n150.

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
  let summary = "Put a device that spans the mesh on the module.";
  let description = [{
    After the pass the module has the attribute `tt.device`.

    A module that has none gets a device of chips of its `tt.system_desc`, laid
    out as `mesh-shape` (one chip when that is empty). The chips are `chip-ids`,
    row-major over the mesh. Without them they are the first chips of the system
    if links join all neighbours in the mesh then, otherwise the smallest choice
    for which they do. `override-device-shape` (rows, columns) makes the device
    of fewer cores of each chip than the chip has.

    A module without system description, a mesh with more chips than the system
    has, and chip ids that are not as many as the mesh has points, not different
    or not in the system, are errors.

    Collectives that do not fit the mesh are errors, and those that change
    nothing on it, because their groups are of one chip, are removed with a
    warning.

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
  let summary = "Leave what functions compute on the device.";
  let description = [{
    After the pass every result of a function that an op of it computes has a
    layout: in tiles in DRAM, interleaved over the banks, unless it had one. A
    program leaves its results where their types say, and the host reads them
    from there when it wants them. Arguments and constants that are returned stay
    as they are, and so do what control flow is given, for which `ttir-layout` has
    the option of that name, and tensors whose elements have no number format.

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
  let summary = "Put ops together that arrive in pieces.";
  let description = [{
    Front ends take softmax, norms, activations and attention apart. The pass puts
    together, where nothing else reads a value in between:

    - `ttir.softmax`: exponentials of an input less its maximum along a dimension,
      over their sum;
    - `ttir.layer_norm` and `ttir.rms_norm` over the last dimensions, with weight
      and bias: by `rsqrt` or by a division by `sqrt`, with means or with sums
      divided by a count;
    - `ttir.silu`: x * sigmoid(x); `ttir.gelu` of the error function;
    - `ttir.scaled_dot_product_attention`: a softmax, scaled and masked or not,
      between two products of rank 4.

    The op that remains computes the same function and rounds once. The form of
    gelu with tanh is another function and stays. Ops whose result has a layout
    stay as they are.

    ```mlir
    %0 = "ttir.sigmoid"(%arg0) : (tensor<64x128xf32>) -> tensor<64x128xf32>
    %1 = "ttir.multiply"(%arg0, %0) : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    // after; destinations are left out
    %0 = "ttir.silu"(%arg0) : (tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let statistics = [
    Statistic<"numRecognized", "num-recognized", "Number of ops put together">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIREraseInverseOps
    : Pass<"ttir-erase-inverse-ops", "::mlir::ModuleOp"> {
  let summary = "Remove permutations that undo one another.";
  let description = [{
    A front end whose convolutions have channels in front of the image puts a
    permutation before and behind each. Between them stand ops that do the same
    in any order of dimensions: elementwise ops, norms of batches, `softmax`,
    `concat`, `pad`, `slice`, `resize`, `cumsum`, and reductions that keep their
    dimensions. Such ops that read one another's results all compute in one order;
    the pass gives them the one in which fewest elements are permuted, counted
    over the permutations before, behind and, where a value is needed in the old
    order, added. What depends on parameters alone counts nothing: it is computed
    once. Reductions that drop dimensions take their input in either order.

    Then pairs of permutations become one, or nothing. Numbers do not change.
    Tensors with layouts stay as they are.

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
              "Number of permutations that were joined with the one before">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRFusing : Pass<"ttir-fusing", "::mlir::ModuleOp"> {
  let summary = "Fold what follows a convolution into its weights and bias.";
  let description = [{
    Where nothing else reads the result of a `conv2d`, and its weight and bias
    depend on parameters and constants alone, these become part of it if they
    depend on such, too:

    - `multiply` by a number, or one for each channel: of weights and bias;
    - `add` and `subtract` of the same: bias.

    So do norms of batches, which `ttir-expand-composites` takes apart.

    Weights are multiplied in the order of the product
    (`ttir.prepare_conv2d_weights`) and keep their format, so that they are
    rounded once more; the result is rounded once instead of after each op. The
    bias is f32. A permutation between the two stays behind the convolution. Block floats stay as they are: the channels of a block share an
    exponent.

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
  let summary = "Replace ops that others say as well.";
  let description = [{
    After the pass no op of the module has the interface `CompositeOp`, but for
    those whose names, without the dialect, are in `keep`. Each has become what
    its definition says it is made of. What would be rounded once is f32 in
    between and rounded once then, too.

    ```mlir
    %1 = "ttir.rearrange"(%arg0, %0) <{..., pattern = "b c h w -> b (h w) c"}> : (tensor<2x3x4x5xf32>, tensor<2x20x3xf32>) -> tensor<2x20x3xf32>
    // after, without the destinations
    %0 = "ttir.permute"(%arg0) <{..., permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>
    %1 = "ttir.reshape"(%0) <{..., shape = [2 : i32, 20 : i32, 3 : i32]}> : (tensor<2x4x5x3xf32>) -> tensor<2x20x3xf32>
    ```
  }];
  let options = [
    ListOption<"keep", "keep", "std::string",
               "Ops that stay, such as scaled_dot_product_attention.">
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
    and its result are reshaped around it, and `original_height` and
    `original_width` keep the input's extents. The library call that the op
    becomes takes no other shape.

    Weights of a `ttir.conv2d` that depend on parameters and constants alone go
    to the DRAM of the device through `ttir.prepare_conv2d_weights`, once with
    `ttir-const-eval`. Others stay on the host, from where the library call takes
    them.

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
  let summary = "Carry the layouts that the author placed to where they reach.";
  let description = [{
    The author of a program places tensors by `ttir.to_layout` and by layouts in
    a function's signature: anchors. The pass decides how far they reach. It
    does nothing where there are none, and DRAM, interleaved, which is where
    `ttir-layout` puts everything, is carried nowhere.

    First, forward, in the order of the ops: the result of an elementwise op goes
    to where its inputs lie, if those that have a layout agree. A condition
    (`ttir.where`), an input that is broadcast, a constant and a destination
    have no say. The op's operand constraint must allow it, and L1 must have room
    for the result, for as long as it is needed, beside what lies there then.

    Then, backward: where an elementwise op has its result, there its inputs have
    to be; a result of a function, where the signature says. A value that is
    computed and has no layout is made where its first reader wants it, and so is
    the result of an op whose inputs disagree; if nobody wants it anywhere, it
    goes to the first input that is placed. Every use that then wants another
    layout gets one `ttir.to_layout` in front of it, by `ttir-layout`.

    A `ttir.to_layout` of the program stays where it stands, with its operand and
    its result: what it reads is not made in its layout. Only of a constant
    (`ttir.constant`, `full`, `arange`, `fill`, `tensor.empty`) none is left:
    it is made anew for every layout in which it is read, in front of its first
    reader there, and again where L1 has no room to keep it until a later one. A
    fill becomes a `ttir.constant`. What was rounded to a format of fewer bits on
    the way is no constant any more. Constants that the region of an elementwise
    `ttir.generic` reads from outside become inputs of the op.

    After the pass an op that takes part has the attribute `ttir.placed`: the
    layout of each operand, the destination's being that of the result, or unit
    where `ttir-layout` may choose one. `ttir-layout` and `ttir-optimizer` obey
    it.

    Every decision is a remark (`--remarks`). An anchor on cores that the device
    does not have, or larger than their L1, is an error. What the pass has
    decided about stays as it is when the pass runs again.

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
           "Carry only layouts that kernels read and write: tiles in shards.">,
    Option<"frees", "frees", "bool", /*default=*/"true",
           "Take the room of tensors as free after their last use, not only "
           "when the function ends.">
  ];
  let statistics = [
    Statistic<"numPropagated", "num-propagated",
              "Number of results that got a layout">,
    Statistic<"numConflicts", "num-conflicts",
              "Number of operands that lie elsewhere than their op wants them">,
    Statistic<"numConstants", "num-constants",
              "Number of constants made for a layout">,
    Statistic<"numResolved", "num-resolved",
              "Number of ttir.to_layout ops of constants that went away">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRLayout : Pass<"ttir-layout", "::mlir::ModuleOp"> {
  let summary = "Give every tensor a layout and move operands where ops want "
                "them.";
  let description = [{
    Before the pass, tensors may lack a layout. After it, every tensor outside
    of `ttir.generic` regions has a `#tt.layout`, and every operand of an op in
    destination-passing style lies where and in the form that the op's operand
    constraints allow.

    First every ranked tensor without encoding, in signatures too, gets a scalar
    layout in `init-memory-space` on one core. Then, op by op, each operand is
    placed:

    - in `default-memory-space` if the constraint allows it, else in the first
      allowed one of DRAM, L1 and host memory;
    - on the device with `default-device-memory-layout` if the constraint allows
      it, else with the first allowed one;
    - in 32x32 tiles, unless the constraint allows scalars.

    A constraint that names no memory space, or no memory layout, allows all.

    An operand that is not so placed is converted in front of the op by a
    `ttir.to_layout` into a new `tensor.empty`; destinations and constants are
    made with the right type instead. Tiles keep their number format, and tiles
    that are passed to the function or block stay tiles where the op takes them.
    `ttir.conv2d` takes its inputs as they are. What a function returns goes back to `init-memory-space`, in scalars, unless its result
    already had a layout. An op with the attribute `ttir.placed`
    (`ttir-propagate-layout`) gets its operands where that says.

    A module without `tt.device` gets the default device.

    With `pad-to-tiles`, what kernels need is taken into account:

    - every matrix of the innermost two dimensions begins with a tile of its own,
      so that 4x10x20 is four tiles, mapped by `(d0 * 32 + d1, d2)`;
    - an op that reads the padding of an operand gets an operand whose layout
      says what is there: 0 along the inner dimension of `ttir.matmul` and for
      `ttir.sum` and `ttir.mean`, -inf for `ttir.max`, inf for `ttir.min`;
    - tensors that begin on the device do so in
      `default-device-memory-layout`, and those that the program states to be in
      tiles have that padding too;
    - block floats that fill their blocks in part are written as plain numbers,
      which are cleared around before they become blocks;
    - a `ttir.to_layout` that kernels cannot make in one step, such as one of
      shards that changes their grid and their form, goes through pages in DRAM;
    - a tensor that several ops want in one layout is converted once;
    - with L1 as `default-memory-space`, an op whose constraints do not allow L1
      works in DRAM, interleaved, and so does what has no room: tensors that the
      program has not placed itself take the lower half of a core's L1, and the
      upper half is for circular buffers. Both are remarks (`--remarks`).

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
           "Pad every matrix to tiles of its own, with what its users read "
           "there.">
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
  let summary = "Split layout changes into steps of one kind.";
  let description = [{
    After the pass every `ttir.to_layout` changes at most one of: linear map,
    grid, element type, memory space, memory layout.

    A change that does more goes through intermediate layouts: the tensor is
    brought to L1 first and leaves it last, and it is moved as tiles rather than
    as scalars. A change for which no such path is known is an error.

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
  let summary = "Take ops apart into those for which there are kernels.";
  let description = [{
    After the pass the ops of the module are

    - elementwise ops;
    - `ttir.matmul` without transposed operands; `ttir.sum`, `max` and `min` that
      keep their dimensions; `ttir.transpose` of the innermost two dimensions:
      kernels that take tiles;
    - `ttir.permute`, `reshape`, `slice`, `concat`, `pad`, `repeat` and
      `embedding`: kernels that take rows in DRAM;
    - `ttir.constant`, `full` and `arange`.

    The operand constraints say which form it is. Everything else becomes these:
    softmax and norms become reductions and elementwise ops, a convolution
    becomes slices of its padded input side by side, times the kernel, a pooling
    the maximum or the sum of such slices, a gather rows of a table. A broadcast that only elementwise ops
    read goes away, as they broadcast themselves. What is computed in several
    steps is f32 in between, if it is a float, so that it is rounded once.

    Collectives between chips stay. With `use-all-gather-kernel`, tensors whose
    blocks do not fill tiles or rows are gathered, or scattered, along a new
    first dimension, and brought into their shape by the ops above.

    Kernels of the `ttmetal` dialect stay as they are. An op that cannot be taken
    apart is an error.

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
  let summary = "Turn ops into kernels by name, inside of ttir.generic.";
  let description = [{
    `ttir.add`, `multiply`, `subtract`, `ge`, `div` and `relu` become the
    `ttir.kernel` of that name and of the kind `eltwise`. Then every
    `ttir.kernel` outside of a `ttir.generic` is put into one on a single core.
    Operands of a kernel of the kind `eltwise` are walked side by side; one of
    the kind `matmul` walks the rows and the inner dimension of the first input,
    the inner dimension and the columns of the second. A kernel of another kind
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
    After the pass every elementwise op stands in the region of a `ttir.generic`
    on a single core. The region's arguments have the operands' types. An
    addition or a multiplication of floats of one shape is the `arith` op on
    them; every other op stands there itself and has the region's last argument
    as its destination.

    An operand that is broadcast has an indexing map with 0 where its extent is
    1 and without the leading dimensions that it lacks: the bias of 128 columns
    of a 64x128 tensor has the map `(d0, d1) -> (d1)`.

    With `fuse`, an op whose result only ops of one generic read joins these, so
    that a chain or a tree of ops becomes one generic. A generic has at most 8
    inputs and 32 ops, all of the result's shape, and needs at most four tiles
    at a time beside its inputs and its output; integers and floats are not
    computed together.

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
           "Put ops that read each other's results into one generic.">
  ];
  let statistics = [
    Statistic<"numGenerics", "num-generics", "Number of ttir.generic ops made">,
    Statistic<"numFused", "num-fused",
              "Number of ops put into the generic of another">
  ];
  let dependentDialects = [
    "::mlir::tt::ttir::TTIRDialect", "::mlir::tt::TTDialect",
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def TTIRGenericRegionOperandsToMemref
    : Pass<"ttir-generic-region-operands-to-memref", "::mlir::ModuleOp"> {
  let summary = "Say through which buffers a generic's region sees its operands.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`). After it the
    tensors in the region of every `ttir.generic` have a `#tt.buffer`, and the
    shape of what the buffer holds, in scalars.

    The buffer of an operand in L1 is the operand's shard itself (`alias`). An
    operand in DRAM, or in pages in L1 (interleaved, single_bank), comes and goes
    in blocks through a buffer in L1 (`stream`), one tile at a time: where the
    region takes tiles and the operand has rows, the kernel makes tiles of them.

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
  let summary = "Compute once what depends on parameters and constants alone.";
  let description = [{
    Arguments whose `tt.argument_type` is `parameter` or `constant` are the same
    tensors in many calls. The ops that depend on them, and on constants, alone
    move into functions of their own, the layout changes of weights among them.
    The function that had the ops loads their results with `tt.load_cached`, which
    the runtime computes once.

    - Ops that share a value are in one function.
    - The results stay in DRAM, interleaved; where an op wants them in L1, they
      are moved there in every call.
    - Splats that a fill makes are made where they are used. Other constants stay
      on the device, integers that no f32 has among them: those of one function,
      that nothing is computed of, together.
    - What parts of loops and branches compute of constants alone comes in front
      of them first; they are given it.
    - What the function returns, or what another op writes into, stays where it
      is.

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
    Statistic<"numOps", "num-ops", "Number of ops that moved into them">,
    Statistic<"numHoisted", "num-hoisted",
              "Number of ops that moved out of a loop or a branch">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect"];
}

def TTIRFuseLayouts : Pass<"ttir-fuse-layouts", "::mlir::ModuleOp"> {
  let summary = "Let elementwise kernels read and write rows of scalars.";
  let description = [{
    A `ttir.to_layout` that makes tiles of rows for one elementwise
    `ttir.generic`, or rows of its tiles, costs a program of its own and a tensor
    in DRAM in between. Where rows and tiles have one number format and are in
    pages, interleaved over the banks, the pass removes it: the operand has rows,
    though its constraint asks for tiles, and the kernels tilize what they read
    and untilize what they write, block by block.

    Inputs that are broadcast stay in tiles, and so do those that more than one op
    reads; a kernel has circular buffers for seven inputs.

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
    Statistic<"numFused", "num-fused", "Number of moves that kernels do themselves">
  ];
  let dependentDialects = ["::mlir::tt::TTDialect"];
}

def TTIRInPlace : Pass<"ttir-in-place", "::mlir::ModuleOp"> {
  let summary = "Write updates into their operand where nothing else reads it.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`) and every op a
    destination of its own. After it the destination of a `ttir.update_slice` is its
    input, so that only the rows of the update are written, if

    - the function may write to the input: it has made it, or the caller has given
      it up (an argument with `tt.aliased_output`),
    - input and result have one layout, on the device,
    - nothing reads the memory of the input behind the op, nor another operand of
      the op.

    What a loop carries belongs to its parts. Where they write to it, it is copied
    once in front of the loop if something else may read it. A branch may write to
    what is not read behind the `tt.if`.

    The result that an argument's `tt.aliased_output` names is in the memory of the
    argument: the op that computes it writes there if nothing reads the argument
    afterwards, else the result is copied at the end.

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
  let summary = "Give every tensor its address.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`). After it there is
    no `tensor.empty` outside of regions: a `ttir.alloc` says address and bytes,
    and a `ttir.dealloc` stands behind the last op that reads the tensor, unless
    the function returns it. A function carries the places of its arguments,
    which come first, as `tt.arg_alloc`. Arguments that only `tt.load_cached`
    reads have none: address and size are 0. Those in tiles in DRAM, and results
    there, have address 0 as well: the runtime knows where they are. Constants
    are written into a tensor with an address by `ttir.fill`.

    Each function has the memory for itself, from `l1_unreserved_base` and
    `dram_unreserved_base` on; sizes are those in one core's L1 and in one DRAM
    bank, in which an interleaved tensor has every n-th page. Addresses in both
    are aligned for transfers between them. Tensors lie one behind the other. Where
    they would take more than half of L1 or a 64th of DRAM that way, those with a
    later beginning take the places of those that are not needed any more. A tensor that does not fit is an error that says what is in memory.

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
    result of every op, `ttir.to_layout` excepted, lies in DRAM, interleaved, on
    the whole worker grid of the device, shards rounded up; its destination and
    the function's result types follow.

    `override-grid-sizes` sets the grid of the ops whose location is the named
    one, `tensor.empty` and `ttir.to_layout` included, and keeps the rest of
    their layout. A name that no op has is a warning.

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
    `add_0=4x4:l1:block_sharded:tile:bf16,relu_1=height_sharded`. The parts
    stand in any order, and each may be left out: a grid `RxC`; a memory space
    (system, mmio, dram, l1); a memory layout (none, interleaved, single_bank,
    height_sharded, width_sharded, block_sharded); `tile` or `row_major`; a data
    type (f32, bf16, bfp_bf8 and the others of `tt`). What is left out is the
    first of the op's legal layouts that has the given parts. Where the op
    became several, which all have its location, its result is the one that
    other ops read.

    The legal layouts of an op are: DRAM interleaved on the whole grid, L1
    interleaved on the whole grid, and the layouts sharded over L1 in which each
    core has as many rows and columns of tiles as any other, of the matrix that
    the dimensions are collapsed to. Of these, more cores go first; on as many
    cores, block- before height- before width-sharded; the first 64 are kept.

    With `sharding-pass-enabled` chains of ops stay in L1. The ops of a block
    are scheduled depth first, layout changes at the first opportunity. An op
    joins the open chain if one op alone reads it, that op can come next, both
    have sharded layouts, and both results, in their first one, take less than
    0.8 of what a core's L1 has room for; the first op of a chain must fit beside
    its own first input in the same shards. Each op of a chain gets the first of
    its sharded layouts that goes with its neighbours'. What reads the chain's
    last op lies in DRAM.

    With `resharding-enabled` the first input of a chain is brought into the
    shards of the chain's first op, by the `ttir.to_layout` that makes it or by
    a new one, and so is an operand between two ops of a chain whose results do
    not fit L1 together. Without, ops read what is not in shards from where it
    is.

    In a tool that has the emulator's clock, the layouts of a chain are then
    compared by their modelled time: for each op two of each kind of shards,
    those with the most cores, and the default in DRAM; for the chain the
    shortest path through them, its reader and the conversion of its first
    input included. A chain changes if a path takes less time than the layouts
    above. An op with the same attributes and types is timed once, and at most
    `clock-search-limit` different ones are, where one of more than 256 tiles
    counts as up to twelve: 0 leaves the layouts as they are.
    Ops are timed as `ttnn-set-compute-kernel-config` configures them with the
    same options; the pass itself does not configure them.

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
