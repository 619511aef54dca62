//===- Conversion of 'tosa' to 'ttir' --------------------------------------===//

#ifndef TTMLIR_CONVERSION_TOSATOTTIR_PASSES_TD
#define TTMLIR_CONVERSION_TOSATOTTIR_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTosaToTTIR : Pass<"convert-tosa-to-ttir", "::mlir::ModuleOp"> {
  let summary = "Convert TOSA to TTIR.";
  let description = [{
    Before the pass the functions of the module have TOSA ops and, as importers
    mix them in, ops of `linalg`, `tensor`, `arith` and `math`. After it they
    have `ttir` ops with their destinations in `tensor.empty`; every operand
    constraint is `any_device_tile`.

    TOSA's i32 is signed and becomes `si32`, its i1 becomes `ui8` with elements
    0 and 1, a tensor of rank 0 becomes one of one element. That holds for
    arguments and results of functions too.

    An op that TTIR cannot express is an error at the op, and the module stays as
    it was.

    ```mlir
    %0 = tosa.abs %a : (tensor<64x128xf32>) -> tensor<64x128xf32>
    // after
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect"];
}

#endif
