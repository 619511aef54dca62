//===- Conversion of 'ttnn' to 'emitc' -------------------------------------===//

#ifndef TTMLIR_CONVERSION_TTNNTOEMITC_PASSES_TD
#define TTMLIR_CONVERSION_TTNNTOEMITC_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTTNNToEmitC : Pass<"convert-ttnn-to-emitc", "::mlir::ModuleOp"> {
  let summary = "Convert TTNN to C++ calls of the library.";
  let description = [{
    Before the pass functions have `ttnn` ops only. After it every op is an
    `emitc.call_opaque` of the C++ function of its name, in
    `ttnn-precompiled.hpp`, which an `emitc.include` at the start of the module
    brings in; tensors are `ttnn::Tensor`, the device is a `ttnn::Device *`.
    `ttmlir-translate -mlir-to-cpp` prints the C++.

    A call has the operands of the op in their order, then its attributes in
    theirs. An op that makes a tensor ends with a `ttnn::TensorSpec`, unless the
    other arguments say all that the layout of the result says. `ttnn::input`
    brings the arguments of a function to the layouts that it was compiled for,
    as the runtime does before it runs a program.

    A function whose name is no identifier in C++ is renamed. An op that the
    library has no function for is an error at the op.

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
