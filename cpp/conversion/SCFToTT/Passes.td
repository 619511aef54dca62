//===- Conversion of 'scf' to 'tt' ------------------------------------------===//

#ifndef TTMLIR_CONVERSION_SCFTOTT_PASSES_TD
#define TTMLIR_CONVERSION_SCFTOTT_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckCalls : Pass<"check-calls", "::mlir::ModuleOp"> {
  let summary = "Check that functions can stand where they are called.";
  let description = [{
    Functions of a program do not call each other: a function stands where it is
    called. A function that calls itself, over others too, is an error at the
    call, and so is one that has more than 2^20 ops with all that it calls.

    `convert-scf-to-tt` checks the same. This pass runs in front of the inliner.

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
  let summary = "Convert scf to parts of programs, and numbers to tensors.";
  let description = [{
    Before the pass functions have `scf.if`, `scf.for`, `scf.while` and
    `scf.index_switch`, whose regions have `ttir` ops on tensors, and `arith`,
    `math` and `tensor` ops on numbers. After it every region is a function of
    its own with the attribute `tt.part`, which `tt.if`, `tt.for` or `tt.while`
    runs, and a number is a tensor of one element: all functions have one block
    and ops on tensors only. Calls of functions are inlined first, and
    `tosa.cond_if` and `tosa.while_loop` become `scf.if` and `scf.while`.

    - A region is given what it uses of its surroundings behind its own
      arguments. Tensors that are full of one number it makes again.
    - What a loop computes of tensors from outside alone is computed once, in
      front of it.
    - `scf.for` with constant bounds becomes `tt.for`; it carries its induction
      variable if that is used. With other bounds it becomes `tt.while`. Of at
      most one turn it becomes the ops of its body.
    - `tosa.variable` becomes `tt.variable`: functions that read and write it
      have an argument and a result more, behind those that callers see.
    - `index` becomes `si32`, and integers of arith are signed; other numbers
      keep their type. Elements that become numbers keep their bits.

    Arguments and results of functions have to be tensors.

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
