//===- Conversion of 'ttkernel' to 'emitc' ---------------------------------===//

#ifndef TTMLIR_CONVERSION_TTKERNELTOEMITC_PASSES_TD
#define TTMLIR_CONVERSION_TTKERNELTOEMITC_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTTKernelToEmitC
    : Pass<"convert-ttkernel-to-emitc", "::mlir::func::FuncOp"> {
  let summary = "Convert kernels to C++ calls.";
  let description = [{
    Input: a function that is a kernel. Its arguments are circular buffers, it
    has no results, and its body contains ops of `ttkernel`, `arith`, `scf` and
    `cf`. Output: `emitc` ops only; `ttmlir-translate -mlir-to-cpp` prints the
    C++.

    A `ttkernel` op becomes an `emitc.call_opaque` of the C++ function of the
    same name with its operands; attributes become template arguments. An
    argument of the function becomes an `emitc.variable` that holds the buffer's
    name, such as `::tt::CB::c_in0`. MLIR's own patterns convert `arith` and
    `scf`.

    An op without a C++ form, or an argument that is not a circular buffer, is
    an error.

    ```mlir
    "ttkernel.reduce_tile"(%in, %scaler, %i, %j, %dst) <{pool_type = #ttkernel.pool_type<sum>, reduce_dim = #ttkernel.reduce_dim<row>}> : ...
    // after
    emitc.call_opaque "reduce_tile"(%in, %scaler, %i, %j, %dst) {template_args = [#emitc.opaque<"PoolType::SUM">, #emitc.opaque<"ReduceDim::REDUCE_ROW">]} : ...
    ```
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect",
                           "::mlir::func::FuncDialect"];
}

#endif
