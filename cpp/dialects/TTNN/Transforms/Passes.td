//===- Passes of the 'ttnn' dialect ----------------------------------------===//

#ifndef TTMLIR_TTNN_TRANSFORMS_PASSES_TD
#define TTMLIR_TTNN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TTNNDeallocate : Pass<"ttnn-deallocate", "::mlir::ModuleOp"> {
  let summary = "Free tensors of the device after their last use.";
  let description = [{
    Before the pass, tensors on the device live until the program ends. After
    it, each tensor that the program makes in DRAM or L1 is freed right behind
    the op that uses it last, once.

    An op in destination-passing style returns the tensor of its destination, so
    uses of the result are uses of the destination. Arguments and what the
    function returns are not freed, nor is a tensor that leaves the block or
    goes to an op of another dialect, which may keep it. A tensor that is freed
    already is left alone.

    ```mlir
    %3 = "ttnn.abs"(%1, %2) ... : (tensor<64x128xf32, #layout1>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
    %4 = "ttnn.to_memory_config"(%3, %0) : (tensor<64x128xf32, #layout1>, !tt.device<#device>) -> tensor<64x128xf32, #layout>
    return %4 : tensor<64x128xf32, #layout>
    // after
    %3 = "ttnn.abs"(%1, %2) ... : (tensor<64x128xf32, #layout1>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
    "ttnn.dealloc"(%1) : (tensor<64x128xf32, #layout1>) -> ()
    %4 = "ttnn.to_memory_config"(%3, %0) : (tensor<64x128xf32, #layout1>, !tt.device<#device>) -> tensor<64x128xf32, #layout>
    "ttnn.dealloc"(%2) : (tensor<64x128xf32, #layout1>) -> ()
    return %4 : tensor<64x128xf32, #layout>
    ```
  }];
  let statistics = [
    Statistic<"numDeallocs", "num-deallocs", "Number of tensors freed">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

#endif
