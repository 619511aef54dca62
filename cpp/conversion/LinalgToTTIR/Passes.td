//===- Conversion of 'linalg' to 'ttir' ------------------------------------===//

#ifndef TTMLIR_CONVERSION_LINALGTOTTIR_PASSES_TD
#define TTMLIR_CONVERSION_LINALGTOTTIR_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLinalgToTTIR : Pass<"convert-linalg-to-ttir", "::mlir::ModuleOp"> {
  let summary = "Convert linalg on tensors to TTIR.";
  let description = [{
    Input: functions with ops of `linalg`, `tensor`, `arith` and `math` on
    tensors. Output: `ttir` ops with their destinations in `tensor.empty`; every
    operand constraint is `any_device_tile`.

    The conversion of a structured op depends on its indexing maps and its body,
    whether it is named or a `linalg.generic`:
    - parallel loops become elementwise ops for the ops of the body, after
      transposes and reshapes that bring the operands into loop order;
    - a sum of products becomes `ttir.matmul`;
    - other reductions become the elementwise part and `ttir.sum`, `ttir.max`,
      `ttir.min` or `ttir.prod`;
    - sliding windows over one or two dimensions become `ttir.conv2d`,
      `ttir.max_pool2d` or `ttir.avg_pool2d`.

    The initial value of a reduction is combined with the result unless it is
    the neutral element.

    Integers are signed: i32 becomes `si32`. Inside functions, wider integers
    become `si32`, f64 becomes f32, and a tensor of rank 0 becomes a tensor of
    one element. Arguments and results of functions keep their width and rank,
    and `i1` stays; `ttir-legalize-types` converts them to device types.

    An op that TTIR cannot express is an error at the op, and the module is left
    unchanged.

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = linalg.add ins(%a, %b : tensor<64x128xf32>, tensor<64x128xf32>) outs(%0 : tensor<64x128xf32>) -> tensor<64x128xf32>
    // after
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect"];
}

#endif
