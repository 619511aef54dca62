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
  let summary = "Loads the results of a function that runs once.";
  let description = [{
    Returns the results of `callee` for these arguments. The runtime calls the
    function the first time, keeps its results on the device, and reuses them as
    long as the arguments are the same tensors, namely those bound to the
    executable. Without arguments, or with bound ones, the function runs once
    for each executable and device; otherwise it runs once in every call.

    `ttir-const-eval` creates the op and its function.

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

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

def TT_VariableOp : Op<TT_Dialect, "variable", [Symbol]> {
  let summary = "A tensor that keeps its value from run to run.";
  let description = [{
    A device tensor that belongs to the executable. A function that reads it has
    an argument with the attribute `tt.variable`, one that writes it returns a
    result with that attribute; both come after the arguments and results that
    callers see. The runtime passes and stores them, so that each run starts
    with the value of the previous one. The first run starts with `initial`, or
    zeros by default.

    `convert-scf-to-tt` creates it from `tosa.variable`.

    Constraints:
    - (C1) `initial` has the type of the variable.

    Example:

    ```mlir
    tt.variable @count : tensor<1xsi32> = dense<1> : tensor<1xsi32>
    func.func @next(%arg0: tensor<1xsi32> {tt.variable = @count}) -> (tensor<1xsi32> {tt.variable = @count}) {
      return %arg0 : tensor<1xsi32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<AnyStaticShapeTensor>:$type,
                       OptionalAttr<ElementsAttr>:$initial);
  let assemblyFormat = "$sym_name `:` $type (`=` $initial^)? attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

class TT_ControlFlowOp<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic,
         traits # [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
}

def TT_CallOp : TT_ControlFlowOp<"call"> {
  let summary = "Runs a part of a program on the host.";
  let description = [{
    Runs the function `callee` on host tensors and returns its results. The
    library computes its ops on the host, in f32 and integer arithmetic, without
    cost on the device. `inputs` are copied to the host first, and the results
    to where they are used.

    `convert-host-functions-to-ttnn` turns the function's ops into library
    calls.

    Constraints:
    - (C1) `callee` is a function of this module with the attributes `tt.part`
      and `tt.host`, whose types are those of the operands and results.

    Example:

    ```mlir
    %0 = tt.call(@hoisted, [%arg0]) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyRankedTensor>:$inputs);
  let assemblyFormat = [{
    `(` $callee `,` `[` $inputs `]` `)` attr-dict `:` functional-type($inputs, $results)
  }];
}

def TT_IfOp : TT_ControlFlowOp<"if"> {
  let summary = "Runs one of two parts of a program.";
  let description = [{
    Runs the function `then_part` if `condition` is not 0, otherwise
    `else_part`, on the tensors `captured`, and returns its results. The host
    reads the condition; on a mesh all chips must agree on it.

    `convert-scf-to-tt` creates the op and its functions.

    Constraints:
    - (C1) the parts are functions of this module with the attribute `tt.part`;
      they take `captured` and return the types of the results.
    - (C2) `condition` has one element.

    Example:

    ```mlir
    %0 = tt.if(@then, @else, %arg0, [%arg1]) : (tensor<1xui8>, tensor<64x64xf32>) -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$then_part,
                       FlatSymbolRefAttr:$else_part,
                       AnyRankedTensor:$condition,
                       Variadic<AnyRankedTensor>:$captured);
  let assemblyFormat = [{
    `(` $then_part `,` $else_part `,` $condition `,` `[` $captured `]` `)`
    attr-dict `:` functional-type(operands, $results)
  }];
}

def TT_ForOp : TT_ControlFlowOp<"for", [AttrSizedOperandSegments]> {
  let summary = "Runs a part of a program a fixed number of times.";
  let description = [{
    Runs the function `body` `count` times. Its arguments are the tensors
    `carried`, replaced in each further iteration by the results of the previous
    one, and then `captured`. The op returns the results of the last iteration,
    or `carried` if there is none.

    Constraints:
    - (C1) `body` is a function of this module with the attribute `tt.part`; it
      takes `carried` and `captured` and returns the types of the results.
    - (C2) the results have the types of `carried`.
    - (C3) `count` is not negative.

    Example:

    ```mlir
    %0 = tt.for(@body, 8, [%arg0], [%arg1]) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$count,
                       Variadic<AnyRankedTensor>:$carried,
                       Variadic<AnyRankedTensor>:$captured);
  let assemblyFormat = [{
    `(` $body `,` $count `,` `[` $carried `]` `,` `[` $captured `]` `)`
    attr-dict `:` functional-type(operands, $results)
  }];
}

def TT_WhileOp : TT_ControlFlowOp<"while", [AttrSizedOperandSegments]> {
  let summary = "Runs parts of a program while a condition holds.";
  let description = [{
    Runs the function `before` on the tensors `carried`; it returns a condition
    and other tensors. While the condition is not 0, the function `after` takes
    these tensors and returns the next arguments of `before`. When the condition
    is 0, the tensors are the results. Both functions take `captured` after
    their other arguments. The host reads the condition; on a mesh all chips
    must agree on it.

    Constraints:
    - (C1) `before` and `after` are functions of this module with the attribute
      `tt.part`; `before` takes `carried` and `captured` and returns a condition
      of one element and the types of the results, `after` takes the types of
      the results and `captured` and returns those of `carried`.

    Example:

    ```mlir
    %0 = tt.while(@before, @after, [%arg0], [%arg1]) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$before, FlatSymbolRefAttr:$after,
                       Variadic<AnyRankedTensor>:$carried,
                       Variadic<AnyRankedTensor>:$captured);
  let assemblyFormat = [{
    `(` $before `,` $after `,` `[` $carried `]` `,` `[` $captured `]` `)`
    attr-dict `:` functional-type(operands, $results)
  }];
}

#endif
