//===- Passes of types and devices ----------------------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_TYPEPASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_TYPEPASSES_TD

include "dialects/Options.td"

def TTIRIntegerProducts : Pass<"ttir-integer-products", "::mlir::ModuleOp"> {
  let summary = "Compute products of dequantized tensors in integers.";
  let description = [{
    Quantized programs from PyTorch, ONNX and StableHLO dequantize 8-bit integers
    and multiply the floats. If both operands of `ttir.matmul`, `ttir.linear`,
    `ttir.conv2d` or `ttir.convolution` are dequantized, the pass subtracts the
    zero points, multiplies the integers, which is exact in si32, and then scales
    the sums. Only the last step rounds.

    Ops that reshape, permute, transpose or broadcast may come between the
    dequantization and the product. Scales may be per tensor, per row of the
    first operand or per column of the second one, constant or computed. The
    product stays in floats, and a remark states the reason, if

    - one operand is not dequantized, such as float activations multiplied by
      quantized weights;
    - scales differ along the summed dimension, as with groups;
    - the sums might not fit in 32 bits.

    The product of the scales is computed in f32. Results may therefore differ in
    the last digit from float products, which round each factor and each sum.

    ```mlir
    %0 = "ttir.dequantize_unrolled"(%x, %s, %z) : (tensor<4x64xsi8>, tensor<1xf32>, tensor<1xsi32>) -> tensor<4x64xf32>
    %1 = "ttir.dequantize_unrolled"(%w, %t, %y) : (tensor<64x8xsi8>, tensor<1xf32>, tensor<1xsi32>) -> tensor<64x8xf32>
    %2 = "ttir.matmul"(%0, %1) : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
    // after; destinations are left out, and both zero points are 0
    %0 = "ttir.typecast"(%x) : (tensor<4x64xsi8>) -> tensor<4x64xsi32>
    %1 = "ttir.typecast"(%w) : (tensor<64x8xsi8>) -> tensor<64x8xsi32>
    %2 = "ttir.matmul"(%0, %1) : (tensor<4x64xsi32>, tensor<64x8xsi32>) -> tensor<4x8xsi32>
    %3 = "ttir.typecast"(%2) : (tensor<4x8xsi32>) -> tensor<4x8xf32>
    %4 = "ttir.multiply"(%s, %t) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %5 = "ttir.multiply"(%3, %4) : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
    ```
  }];
  let statistics = [
    Statistic<"numIntegers", "num-integers",
              "Number of products of integers">,
    Statistic<"numFloats", "num-floats",
              "Number of products of dequantized tensors in floats">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tensor::TensorDialect"];
}

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
    | si2, si4 | si8 |
    | ui2, ui4 | ui8 |
    | floats of 4 to 8 bits | bf16, which represents all their values |
    | f64 | f32 |
    | rank 0 | the shape 1 |
    | an extent of 0 | a tensor whose extents are all 1, which nothing computes with |

    Constants are narrowed too: an integer that does not fit is an error with
    its position, a float is rounded, with a remark. Arithmetic on i64 wraps at
    32 bits. On i1, `add` is a logical or, `multiply` an and, `subtract` an
    exclusive or, and a typecast to i1 compares with 0. A typecast to a float of
    up to 8 bits rounds to nearest even, and overflows to the format's infinity
    or NaN; one to an integer of 2 or 4 bits wraps. Any other op that computes
    such elements is an error. An op whose result has
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

#endif
