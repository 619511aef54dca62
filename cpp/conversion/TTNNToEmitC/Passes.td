//===- Conversion of 'ttnn' to 'emitc' -------------------------------------===//

#ifndef TTMLIR_CONVERSION_TTNNTOEMITC_PASSES_TD
#define TTMLIR_CONVERSION_TTNNTOEMITC_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTTNNToEmitC : Pass<"convert-ttnn-to-emitc", "::mlir::ModuleOp"> {
  let summary = "Convert TTNN to C++ library calls.";
  let description = [{
    Input: functions that contain only `ttnn` ops. Output: each op is an
    `emitc.call_opaque` of the C++ function of the same name, declared in
    `ttnn-precompiled.hpp`, which an `emitc.include` at the start of the module
    includes. Tensors are `ttnn::Tensor`, the device is a `ttnn::Device *`.
    `ttmlir-translate -mlir-to-cpp` prints the C++.

    A call has the operands of the op and then its attributes, both in order. An
    op that creates a tensor ends with a `ttnn::TensorSpec`, unless the other
    arguments determine the layout of the result. `ttnn::input` converts the
    arguments of a function to the layouts that it was compiled for, as the
    runtime does before it runs a program.

    Functions whose name is not a C++ identifier are renamed. An op without a
    library function is an error at the op.

    ```mlir
    %1 = "ttnn.softmax"(%a, %0) <{dimension = -1 : si32}> : ...
    // after
    %1 = emitc.call_opaque "ttnn::softmax"(%a, %0) {args = [0 : index, 1 : index, #emitc.opaque<"-1">]}
      : (!emitc.opaque<"ttnn::Tensor">, !emitc.opaque<"ttnn::Tensor">) -> !emitc.opaque<"ttnn::Tensor">
    ```
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect",
                           "::mlir::tt::ttnn::TTNNDialect"];
}

#endif
