//===- Conversion of 'tosa' to 'ttir' --------------------------------------===//

#ifndef TTMLIR_CONVERSION_TOSATOTTIR_PASSES_TD
#define TTMLIR_CONVERSION_TOSATOTTIR_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckTosa : Pass<"check-tosa", "::mlir::ModuleOp"> {
  let summary = "Check rules of the TOSA specification.";
  let description = [{
    Reports ops that break a rule of the specification that the dialect's
    verifiers do not check. The rules: tensors have at most 6 dimensions; the
    sizes of a slice and the multiples of a tile match the result; extents,
    scales, offsets and borders of a resize are in range; a rescale has unsigned
    elements only of at most 16 bits and on one side, and i48 only with
    non-negative 16-bit multipliers.

    `convert-tosa-to-ttir` performs the same checks. This pass runs before
    passes that could fold such an op away.

    ```mlir
    // error: 'tosa.tile' op expected the multiples that lead to the result, found 1, 2 for 'tensor<3x3xf32>' to 'tensor<3x3xf32>'
    %m = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %0 = tosa.tile %a, %m : (tensor<3x3xf32>, !tosa.shape<2>) -> tensor<3x3xf32>
    ```
  }];
}

def ConvertTosaToTTIR : Pass<"convert-tosa-to-ttir", "::mlir::ModuleOp"> {
  let summary = "Convert TOSA to TTIR.";
  let description = [{
    Input: functions with TOSA ops and, as importers mix them in, ops of
    `linalg`, `tensor`, `arith` and `math`. Output: `ttir` ops with their
    destinations in `tensor.empty`; every operand constraint is
    `any_device_tile`.

    TOSA's integers are signed: i32 becomes `si32`. Inside functions, wider
    integers become `si32`, f64 becomes f32, and a tensor of rank 0 becomes a
    tensor of one element. Arguments and results of functions keep their width
    and rank, and `i1` stays; `ttir-legalize-types` converts them to device
    types.

    An op that TTIR cannot express is an error at the op, and the module is left
    unchanged.

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
