//===- Conversion of 'ttkernel' to 'emitc' ---------------------------------===//

#ifndef TTMLIR_CONVERSION_TTKERNELTOEMITC_PASSES_TD
#define TTMLIR_CONVERSION_TTKERNELTOEMITC_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTTKernelToEmitC
    : Pass<"convert-ttkernel-to-emitc", "::mlir::func::FuncOp"> {
  let summary = "Convert kernels to C++ calls.";
  let description = [{
    Before the pass a function is a kernel: its arguments are circular buffers,
    it has no results, and its body has ops of `ttkernel`, `arith`, `scf` and `cf`.
    After it every op is of `emitc`, and `ttmlir-translate -mlir-to-cpp` prints
    the C++.

    An op of `ttkernel` becomes an `emitc.call_opaque` of the C++ function of its
    name with its operands; attributes become template arguments. An argument of
    the function becomes an `emitc.variable` that holds the buffer's name, such as
    `::tt::CB::c_in0`. `arith` and `scf` are converted by MLIR's own patterns.

    An op that has no C++ form, and an argument that is no circular buffer, are
    errors.

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
