//===- Operations of the 'tt' dialect ---------------------------------------===//

#ifndef TTMLIR_TT_OPS_TD
#define TTMLIR_TT_OPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/TT/TTTypes.td"

def TT_LoadCachedOp
    : Op<TT_Dialect, "load_cached",
         [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Load what a function has computed once.";
  let description = [{
    The results of `callee` for these arguments. The runtime calls the function
    the first time, keeps its results on the device, and takes them from there as
    long as the arguments are the same tensors: those that were bound to the
    executable. Without arguments, or with bound ones, that is once for each
    executable and device; with others it is once in every call.

    `ttir-const-eval` makes the op and its function.

    Constraints:
    - (C1) `callee` is a function of this module with the attribute
      `tt.const_eval`, whose types are those of the operands and results.
    - (C2) operands are arguments of the function that the op is in.

    Example:

    ```mlir
    %0 = tt.load_cached(@forward_const_eval_0, [%arg1]) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `(` $callee `,` `[` $inputs `]` `)` attr-dict `:` functional-type($inputs, $results)
  }];
  let extraClassDeclaration = [{
    /// The attribute of functions that load_cached calls.
    static constexpr ::llvm::StringLiteral kFunctionAttr = "tt.const_eval";
  }];
}

#endif
