//===- Instructions of control, arithmetic, and a kernel's place ---------===//

#ifndef TTMLIR_TTKERNEL_CONTROL_INSTRUCTIONS_TD
#define TTMLIR_TTKERNEL_CONTROL_INSTRUCTIONS_TD

include "dialects/TTKernel/InstructionBase.td"

let group = "control" in {

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// To an instruction.
def Kernel_br : PlainInstruction<0, "br", "t", /*hasResult=*/0>;
/// If the register is not 0, and if it is.
def Kernel_cond_br
    : PlainInstruction<1, "cond_br", "rtt", /*hasResult=*/0>;
/// A number is kept zero-extended, so widening it without a sign is a copy.
def Kernel_move
    : PlainInstruction<2, "move", "r", /*hasResult=*/1,
    ["arith.extui", "arith.index_cast", "arith.index_castui"]>;

def Kernel_Return : AnyThreadInstruction<3, "return",
    "The end of a kernel", "Ends the kernel.", [], [],
    ["Pure", "ReturnLike", "Terminator"]> {
  let name = "ret";
  let takesTime = 1; // the clock has an event for it
  let ops = ["ttkernel.return", "func.return"];
  let declared = 0;
}

def Kernel_Unreachable : AnyThreadInstruction<4, "unreachable",
    "An unreachable point of a kernel",
    "Ends a block that is never executed.", [], [],
    ["Pure", "ReturnLike", "Terminator"]> {
  let callee = "__builtin_unreachable";
  let declared = 0;
}

def Kernel_Builtin : AnyThreadInstruction<kNoOpcode, "builtin",
    "A call of a kernel by name",
    "Calls the kernel `op` of the kind `kind` with buffers.",
    [KernelArg<"args", "TTKernel_Buffers", "", "", "">,
     KAttr<"op", "FlatSymbolRefAttr", "", "", "", "">,
     KAttr<"kind", "FlatSymbolRefAttr", "", "", "", "">]> {
  let title = "KernelOp";
  let example = "\"ttkernel.builtin\"(%0) <{kind = @eltwise, op = @multiply}> : "
      "(" # TTKernel_ExampleTiles<"cb_in0">.type # ") -> ()";
  let hasFunction = 0;
  let declared = 0;
}

//===----------------------------------------------------------------------===//
// Arithmetic on 32 bits
//===----------------------------------------------------------------------===//

/// The op of `arith` of that name. A division by zero is an error of the
/// kernel; a shift by 32 or more gives 0, or the sign.
class ArithInstruction<int number, string name, string letters>
    : PlainInstruction<number, name, letters, /*hasResult=*/1,
                       ["arith." # name]>;

def Kernel_addi : ArithInstruction<5, "addi", "rr">;
def Kernel_subi : ArithInstruction<6, "subi", "rr">;
def Kernel_muli : ArithInstruction<7, "muli", "rr">;
def Kernel_divsi : ArithInstruction<8, "divsi", "rr">;
def Kernel_divui : ArithInstruction<9, "divui", "rr">;
def Kernel_remsi : ArithInstruction<10, "remsi", "rr">;
def Kernel_remui : ArithInstruction<11, "remui", "rr">;
def Kernel_andi : ArithInstruction<12, "andi", "rr">;
def Kernel_ori : ArithInstruction<13, "ori", "rr">;
def Kernel_xori : ArithInstruction<14, "xori", "rr">;
def Kernel_shli : ArithInstruction<15, "shli", "rr">;
def Kernel_shrsi : ArithInstruction<16, "shrsi", "rr">;
def Kernel_shrui : ArithInstruction<17, "shrui", "rr">;
def Kernel_minsi : ArithInstruction<18, "minsi", "rr">;
def Kernel_minui : ArithInstruction<19, "minui", "rr">;
def Kernel_maxsi : ArithInstruction<20, "maxsi", "rr">;
def Kernel_maxui : ArithInstruction<21, "maxui", "rr">;
def Kernel_cmpi : ArithInstruction<22, "cmpi", "prr">;
def Kernel_select : ArithInstruction<23, "select", "rrr">;
def Kernel_extsi : ArithInstruction<24, "extsi", "wr">;
def Kernel_trunci : ArithInstruction<25, "trunci", "wr">;

//===----------------------------------------------------------------------===//
// Local arrays
//===----------------------------------------------------------------------===//

/// A `memref.alloca` is a range of registers: `l` is its first one, and the next
/// operand their number. An index beyond it is an error of the kernel.
def Kernel_load_element
    : PlainInstruction<366, "load_element", "lir", /*hasResult=*/1,
                       ["memref.load"]>;
def Kernel_store_element
    : PlainInstruction<367, "store_element", "rlir", /*hasResult=*/0,
                       ["memref.store"]>;

//===----------------------------------------------------------------------===//
// Arguments and place of a kernel
//===----------------------------------------------------------------------===//

def Kernel_GetArgVal : AnyThreadInstruction<26, "get_arg_val",
    "A run-time argument of the kernel on this core", [{Argument `arg_index` of the
    kernel's `runtime_args` for this core.}],
    [KInt<"arg_index">], [KIntResult<"arg_val">], ["NoMemoryEffect"]> {
  let templateArgs = ["uint32_t"];
  let declared = 0;
}

def Kernel_GetCommonArgVal : AnyThreadInstruction<27, "get_common_arg_val",
    "A run-time argument of all kernels",
    "Argument `arg_index` of the program's `common_args`.",
    [KInt<"arg_index">], [KIntResult<"arg_val">], ["NoMemoryEffect"]> {
  let templateArgs = ["uint32_t"];
  let declared = 0;
}

def Kernel_GetCompileTimeArgVal
    : AnyThreadInstruction<28, "get_compile_time_arg_val",
    "A compile-time argument of the kernel",
    "Argument `arg_index` of the kernel's `compile_args`.",
    [KNumberAttr<"arg_index", "0">], [KIntResult<"arg_val">],
    ["NoMemoryEffect"]> {
  let declared = 0;
  let moreConstraints = ["`arg_index` is not negative."];
  let verifyMore = [{
    if (static_cast<int32_t>(getArgIndex()) >= 0)
      return ::mlir::success();
    return emitOpError("expected an arg_index that is not negative, found ")
           << static_cast<int32_t>(getArgIndex());
  }];
}

/// A number that says where the kernel runs.
class PlaceInstruction<int number, string mnemonic, string summary,
                       string semantics>
    : AnyThreadInstruction<number, mnemonic, summary, semantics, [],
                           [KIntResult<"index">], ["Pure"]>;

def Kernel_MyX : PlaceInstruction<29, "my_x",
    "The column of this core on the network",
    "The column of this core on the network on chip."> {
  let literal = "my_x[noc_index]";
}
def Kernel_MyY : PlaceInstruction<30, "my_y",
    "The row of this core on the network",
    "The row of this core on the network on chip."> {
  let literal = "my_y[noc_index]";
}
def Kernel_MyLogicalX : PlaceInstruction<31, "my_logical_x",
    "The column of this core",
    "The column of this core in the grid of workers."> {
  let callee = "get_absolute_logical_x";
}
def Kernel_MyLogicalY : PlaceInstruction<32, "my_logical_y",
    "The row of this core",
    "The row of this core in the grid of workers."> {
  let callee = "get_absolute_logical_y";
}
def Kernel_CoreIndex : PlaceInstruction<33, "core_index",
    "The index of this core",
    "The row-major index of this core among the cores of the kernel.">;

/// A coordinate of the network on chip of a column or row of workers.
class TranslateInstruction<int number, string letter, string line>
    : AnyThreadInstruction<number,
    "convert_logical_" # letter # "_to_translated",
    "The " # line # " on the network of a " # line # " of workers",
    "The " # line # " on the network on chip of " # line
        # " `logical` of the grid of workers.",
    [KInt<"logical">], [KIntResult<"translated">], ["NoMemoryEffect"]>;

def Kernel_ConvertLogicalXToTranslated
    : TranslateInstruction<34, "x", "column">;
def Kernel_ConvertLogicalYToTranslated
    : TranslateInstruction<35, "y", "row">;

//===----------------------------------------------------------------------===//
// Help for the author
//===----------------------------------------------------------------------===//

def Kernel_DPrint : AnyThreadInstruction<248, "dprint",
    "A line of text", [{Prints `fmt` with a value for each `{}` in it, with the
    core and kernel.}],
    [KText<"fmt", "row {} of {}">,
     KNumbers<"values">]> {
  let moreConstraints = ["`fmt` has a `{}` for each value."];
  let verifyMore = [{
    return ::mlir::tt::ttkernel::verifyFormat(*this, getFmt(),
                                              getValues().size());
  }];
  let takesTime = 0;
  let example = "\"ttkernel.dprint\"(%0, %1) <{fmt = \"row {} of {}\"}> : "
      "(i32, i32) -> ()";
  let declared = 0;
}

def Kernel_Assert : AnyThreadInstruction<249, "assert",
    "An assertion",
    "Ends the program with the error `message` if `condition` is false.",
    [KCondition<"condition">,
     KText<"message", "a page is left">]> {
  let name = "assert_that";
  let takesTime = 0;
  let callee = "ASSERT";
}

} // group

#endif
