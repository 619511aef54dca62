//===- Passes of layouts --------------------------------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_LAYOUTPASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_LAYOUTPASSES_TD

include "dialects/Options.td"

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

#endif
