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

    TOSA's integers are signed: i32 becomes `si32`. Those of more than 32 bits
    become `si32` inside of a function, f64 becomes f32, and a tensor of rank 0
    one of one element. Arguments and results of functions keep their width and
    rank, and `i1` stays; `ttir-legalize-types` brings them to the machine's.

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
