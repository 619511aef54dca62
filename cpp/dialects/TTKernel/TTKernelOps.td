//===- Ops of the 'ttkernel' dialect -------------------------------------===//

#ifndef TTMLIR_TTKERNEL_OPS_TD
#define TTMLIR_TTKERNEL_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTKernel/TTKernelComputeOps.td"
include "dialects/TTKernel/TTKernelDataOps.td"
include "dialects/TTKernel/TTKernelRegisterOps.td"
include "dialects/TTKernel/TTKernelVectorOps.td"

//===----------------------------------------------------------------------===//
// Arguments and place of a kernel
//===----------------------------------------------------------------------===//

def TTKernel_GetArgValOp : TTKernel_AnyThreadOp<"get_arg_val",
    "A run-time argument of the kernel on this core", [{Argument `arg_index` of the
    kernel's `runtime_args` for this core.}],
    [KInt<"arg_index">], [KIntResult<"arg_val">], [NoMemoryEffect]>;

def TTKernel_GetCommonArgValOp : TTKernel_AnyThreadOp<"get_common_arg_val",
    "A run-time argument of all kernels",
    "Argument `arg_index` of the program's `common_args`.",
    [KInt<"arg_index">], [KIntResult<"arg_val">], [NoMemoryEffect]>;

def TTKernel_GetCompileTimeArgValOp
    : TTKernel_AnyThreadOp<"get_compile_time_arg_val",
    "A number that the kernel is compiled with",
    "Argument `arg_index` of the kernel's `compile_args`.",
    [KAttr<"arg_index", I32Attr, "0 : i32">], [KIntResult<"arg_val">],
    [NoMemoryEffect]> {
  let moreConstraints = ["`arg_index` is not negative."];
  let verifyMore = [{
    if (static_cast<int32_t>(getArgIndex()) >= 0)
      return ::mlir::success();
    return emitOpError("expected an arg_index that is not negative, found ")
           << static_cast<int32_t>(getArgIndex());
  }];
}

/// The name, mnemonic, summary and meaning of a number that says where the
/// kernel runs.
foreach row = [
  ["MyX", "my_x", "The column of this core on the network",
   "The column of this core on the network on chip."],
  ["MyY", "my_y", "The row of this core on the network",
   "The row of this core on the network on chip."],
  ["MyLogicalX", "my_logical_x", "The column of this core",
   "The column of this core in the grid of workers."],
  ["MyLogicalY", "my_logical_y", "The row of this core",
   "The row of this core in the grid of workers."],
  ["CoreIndex", "core_index", "The number of this core",
   "The number of this core within the cores of the kernel, row-major."]
] in
def "TTKernel_" # row[0] # "Op" : TTKernel_AnyThreadOp<row[1], row[2], row[3],
    [], [KIntResult<"index">], [Pure]>;

foreach row = [["X", "x", "column"], ["Y", "y", "row"]] in
def "TTKernel_ConvertLogical" # row[0] # "ToTranslatedOp"
    : TTKernel_AnyThreadOp<"convert_logical_" # row[1] # "_to_translated",
    "The " # row[2] # " on the network of a " # row[2] # " of workers",
    "The " # row[2] # " on the network on chip of " # row[2]
        # " `logical` of the grid of workers.",
    [KInt<"logical">], [KIntResult<"translated">], [NoMemoryEffect]>;

//===----------------------------------------------------------------------===//
// Help for the author
//===----------------------------------------------------------------------===//

def TTKernel_AnyNumber
    : AnyTypeOf<[I1, I8, I16, I32, Index, TTKernel_NocAddr]>;

def TTKernel_DPrintOp : TTKernel_AnyThreadOp<"dprint",
    "A line of text", [{Prints `fmt` with a value for each `{}` in it, and the core
    and kernel that it comes from.}],
    [KAttr<"fmt", StrAttr, "\"row {} of {}\"">,
     TTKernel_Arg<"values", Variadic<TTKernel_AnyNumber>, "i32">]> {
  let moreConstraints = ["`fmt` has a `{}` for each value."];
  let verifyMore = [{
    return ::mlir::tt::ttkernel::verifyFormat(*this, getFmt(),
                                              getValues().size());
  }];
  let description = exampleFreeDescription # [{
    ```mlir
    "ttkernel.dprint"(%0, %1) <{fmt = "row {} of {}"}> : (i32, i32) -> ()
    ```
  }];
}

def TTKernel_AssertOp : TTKernel_AnyThreadOp<"assert",
    "What must be true",
    "Ends the program with the error `message` if `condition` is false.",
    [TTKernel_Arg<"condition", I1, "i1">,
     KAttr<"message", StrAttr, "\"a page is left\"">]>;

//===----------------------------------------------------------------------===//
// Calls and ends of kernels
//===----------------------------------------------------------------------===//

def TTKernel_BuiltinOp : TTKernel_AnyThreadOp<"builtin",
    "A call of a kernel by its name",
    "Calls the kernel `op` of the kind `kind` with buffers.",
    [TTKernel_Arg<"args", Variadic<TTKernel_MemRefOrCB>,
                  TTKernel_ExampleTiles<"cb_in0">.type>,
     KAttr<"op", FlatSymbolRefAttr, "">, KAttr<"kind", FlatSymbolRefAttr, "">],
    [], [], "KernelOp"> {
  let description = exampleFreeDescription # [{
    ```mlir
    "ttkernel.builtin"(%0) <{kind = @eltwise, op = @multiply}> : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
    ```
  }];
}

def TTKernel_ReturnOp : TTKernel_AnyThreadOp<"return",
    "The end of a kernel", "Ends the kernel.", [], [],
    [Pure, ReturnLike, Terminator]>;

def TTKernel_UnreachableOp : TTKernel_AnyThreadOp<"unreachable",
    "A place that no kernel comes to", "Ends a block that is never run.", [], [],
    [Pure, ReturnLike, Terminator]>;

#endif
