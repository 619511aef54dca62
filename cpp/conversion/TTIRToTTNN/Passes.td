//===- Conversion of 'ttir' to 'ttnn' --------------------------------------===//

#ifndef TTMLIR_CONVERSION_TTIRTOTTNN_PASSES_TD
#define TTMLIR_CONVERSION_TTIRTOTTNN_PASSES_TD

include "dialects/Options.td"

def ConvertTTIRToTTNN : Pass<"convert-ttir-to-ttnn", "::mlir::ModuleOp"> {
  let summary = "Convert TTIR to TTNN, one op for each library call.";
  let description = [{
    Input: every tensor has a `#tt.layout` (`ttir-layout`). Output: the module
    contains only `ttnn`, `func` and `builtin` ops.

    An op becomes the library call of the same name. `tensor.empty` becomes
    `ttnn.empty`, on the host if the layout has no memory layout. A
    `ttir.to_layout` to the host becomes `ttnn.to_memory_config`; one to the
    device becomes `ttnn.to_layout` followed by `ttnn.to_device`. Calls that
    need the device get it from one `ttnn.get_device` at the start of their
    block; a program on chips other than the first always has it. `ttir.squeeze`
    and `ttir.unsqueeze` become `ttnn.reshape`. A `ttir.broadcast` is removed if
    the calls that use it broadcast themselves; otherwise it becomes a
    multiplication by ones. Collectives along an axis use `num-links` links
    between neighbouring chips, by default all that they may use; the system must
    have that many.

    A module without `tt.device` gets the default device. An op without a
    library call is an error at the op.

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32, #layout1>
    %1 = "ttir.multiply"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [...]}> : ...
    // after
    %0 = "ttnn.get_device"() : () -> !tt.device<#device>
    %1 = "ttnn.empty"(%0) <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, shape = #ttnn.shape<64x128>}> : (!tt.device<#device>) -> tensor<64x128xf32, #layout1>
    %2 = "ttnn.multiply"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : ...
    ```
  }];
  let options = [NumLinks];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::ttnn::TTNNDialect"];
}

def ConvertHostFunctionsToTTNN
    : Pass<"convert-host-functions-to-ttnn", "::mlir::ModuleOp"> {
  let summary = "Convert host functions to library calls.";
  let description = [{
    Input: functions with `tt.host`, which `tt.call` runs, contain TTIR ops.
    Output: they contain TTNN ops on host tensors, which the library computes on
    the host, whatever the backend of the module. Other functions do not change.
    The operand constraints of the ops are ignored.

    ```mlir
    func.func private @hoisted(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.host, tt.part} {
      %0 = tensor.empty() : tensor<64x64xf32>
      %1 = "ttir.exp"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : ...
      return %1 : tensor<64x64xf32>
    }
    // after
    func.func private @hoisted(%arg0: tensor<64x64xf32, #system>) -> tensor<64x64xf32, #system> attributes {tt.host, tt.part} {
      %0 = "ttnn.empty"() <{...}> : () -> tensor<64x64xf32, #system>
      %1 = "ttnn.exp"(%arg0, %0) <{...}> : ...
      return %1 : tensor<64x64xf32, #system>
    }
    ```
  }];
  let statistics = [
    Statistic<"numFunctions", "num-functions", "Number of functions converted">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::ttnn::TTNNDialect"];
}

#endif
