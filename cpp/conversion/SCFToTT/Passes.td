//===- Conversion of 'scf' to 'tt' ------------------------------------------===//

#ifndef TTMLIR_CONVERSION_SCFTOTT_PASSES_TD
#define TTMLIR_CONVERSION_SCFTOTT_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckCalls : Pass<"check-calls", "::mlir::ModuleOp"> {
  let summary = "Check that all calls can be inlined.";
  let description = [{
    Functions of a program do not call each other: calls are inlined. Recursion,
    direct or indirect, is an error at the call, and so is a function that has
    more than 2^20 ops including everything it calls.

    `convert-scf-to-tt` performs the same checks. This pass runs before the
    inliner.

    ```mlir
    // error: 'func.call' op calls a function that is running, 'f': expected functions that do not call themselves; scf.while makes loops
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
}

def ConvertSCFToTT : Pass<"convert-scf-to-tt", "::mlir::ModuleOp"> {
  let summary = "Convert scf to program parts, and scalars to tensors.";
  let description = [{
    Input: functions with `scf.if`, `scf.for`, `scf.while` and
    `scf.index_switch`, whose regions contain `ttir` ops on tensors, and
    `arith`, `math` and `tensor` ops on scalars. Output: every region is a
    function of its own with the attribute `tt.part`, which `tt.if`, `tt.for` or
    `tt.while` runs, and scalars are single-element tensors. All functions have
    one block and contain only ops on tensors. Calls are inlined first, and
    `tosa.cond_if` and `tosa.while_loop` become `scf.if` and `scf.while`.

    - Values that a region captures are passed to it after its own arguments.
      Splat tensors are created again inside.
    - Loop-invariant code is hoisted out of loops.
    - `scf.for` with constant bounds becomes `tt.for`; it carries its induction
      variable if that is used. With other bounds it becomes `tt.while`. A loop
      of at most one iteration is replaced by its body.
    - `tosa.variable` becomes `tt.variable`: functions that read or write it get
      an extra argument or result, after those that callers see.
    - `index` becomes `si32`, and integers of arith are signed; other scalars
      keep their type. Elements that become scalars keep their bits.

    Arguments and results of functions must be tensors.

    ```mlir
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a) -> (tensor<64x64xf32>) {
      %0 = tensor.empty() : tensor<64x64xf32>
      %1 = "ttir.add"(%x, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %1 : tensor<64x64xf32>
    }
    // after
    %r = tt.for(@forward_for_0, 8, [%a], [%b]) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tt::TTDialect", "::mlir::tt::ttir::TTIRDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

#endif
