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

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

def TT_VariableOp : Op<TT_Dialect, "variable", [Symbol]> {
  let summary = "A tensor that programs keep from run to run.";
  let description = [{
    A tensor on the device that belongs to the executable. A function that reads
    it has it as an argument with the attribute `tt.variable`, one that writes it
    returns it as a result with that attribute; both come behind the arguments
    and results that callers see. The runtime gives and takes them, so that each
    run finds what the last one has left. In the first run it is `initial`, or
    zeros without one.

    `convert-scf-to-tt` makes it of `tosa.variable`.

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
  let summary = "A part of a program that the host runs.";
  let description = [{
    Runs the function `callee` on tensors of the host and gives what it returns.
    The library computes its ops there, in f32 and in integers, without cost on
    the device. `inputs` are brought to the host before, and the results to
    where they are used.

    `ttir-host-functions` makes library calls of the function's ops.

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
  let summary = "One of two parts of a program.";
  let description = [{
    Runs the function `then_part` where `condition` is not 0, and `else_part`
    where it is, on the tensors `captured`, and gives what it returns. The host
    reads the condition; on a mesh all chips have to agree on it.

    `convert-scf-to-tt` makes the op and its functions.

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
  let summary = "A part of a program, a number of times.";
  let description = [{
    Runs the function `body` `count` times. It is given the tensors `carried`
    and then, in each turn, what it has returned in the turn before; behind
    these it is given `captured`. The results are what the last turn returns, or
    `carried` without a turn.

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
  let summary = "Parts of a program, as long as a condition holds.";
  let description = [{
    Runs the function `before` on the tensors `carried`, which returns a
    condition and other tensors. While the condition is not 0, the function
    `after` is given these and returns what `before` is given next; then they
    are the results. Behind these both are given `captured`. The host reads the
    condition; on a mesh all chips have to agree on it.

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
