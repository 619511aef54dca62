//===- Ops of kernels as rows --------------------------------------------===//
//
// An op of the dialect is its mnemonic, a sentence, and a list of arguments.
// The arguments say what they are for, from which come the types, the
// verifier, the list of constraints and the example of the description.

#ifndef TTMLIR_TTKERNEL_KERNEL_OP_TD
#define TTMLIR_TTKERNEL_KERNEL_OP_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/TTKernel/TTKernelBase.td"

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// An operand or an attribute of an op.
class TTKernel_Arg<string argName, Constraint argConstraint, string type,
                   string value = ""> {
  string name = argName;
  Constraint constraint = argConstraint;
  /// The operand's type and the attribute's value in the example.
  string exampleType = type;
  string exampleValue = value;
  bit isOperand = 1;
  /// An attribute that may be missing, as it is in the example.
  bit isFlag = 0;
  /// An enumerator of `OperandRule` in TTKernel.h: what the verifier knows of
  /// the operand.
  string rule = "Any";
}

class TTKernel_ExampleBuffer<string port, string address, string shard,
                             string page> {
  string type = "!ttkernel.cb<" # port # ", " # address # ", memref<" # shard
      # ", #l1_>, " # page # ", 1>";
}

class TTKernel_ExampleTiles<string port> {
  string type = TTKernel_ExampleBuffer<port,
      !cond(!eq(port, "cb_in0"): "1024", !eq(port, "cb_in1"): "33792",
            true: "66560"),
      "2x4x!tt.tile<32x32, f32>", "4096">.type;
}

/// A buffer of tiles.
class KTiles<string name, string port = "cb_in0">
    : TTKernel_Arg<name, TTKernel_CB, TTKernel_ExampleTiles<port>.type> {
  let rule = "Tiles";
}

/// A buffer of scalars.
class KScalars<string name, string port = "cb_in0">
    : TTKernel_Arg<name, TTKernel_CB, TTKernel_ExampleBuffer<port,
          !if(!eq(port, "cb_in0"), "1024", "66560"), "64x128xf32",
          "512">.type> {
  let rule = "Scalars";
}

/// A buffer of either.
class KBuffer<string name, string port = "cb_in0">
    : TTKernel_Arg<name, TTKernel_CB, TTKernel_ExampleTiles<port>.type>;

/// A number.
class KInt<string name> : TTKernel_Arg<name, I32, "i32">;

/// The index of a destination register.
class KDst<string name = "dst_index"> : KInt<name> {
  let rule = "Dst";
}

/// A number of pages of the op's first operand.
class KPages<string name> : KInt<name> {
  let rule = "Pages";
}

class KNocAddr<string name>
    : TTKernel_Arg<name, TTKernel_NocAddr, "!ttkernel.noc_addr">;

class KAccessor<string name>
    : TTKernel_Arg<name, TTKernel_TensorAccessor, "!ttkernel.tensor_accessor">;

class KAttr<string name, Constraint constraint, string value>
    : TTKernel_Arg<name, constraint, "", name # " = " # value> {
  let isOperand = 0;
}

class KEltwise
    : KAttr<"binary_type", TTKernel_EltwiseBinaryTypeAttr,
            "#ttkernel.eltwise_binary_type<add>">;
class KBroadcast
    : KAttr<"broadcast_type", TTKernel_BroadcastTypeAttr,
            "#ttkernel.broadcast_type<row>">;
class KPool
    : KAttr<"pool_type", TTKernel_PoolTypeAttr, "#ttkernel.pool_type<sum>">;
class KReduceDim
    : KAttr<"reduce_dim", TTKernel_ReduceDimAttr,
            "#ttkernel.reduce_dim<row>">;
class KDataType<string name, string value>
    : KAttr<name, TT_DataType, value # " : i32">;
/// A flag that the example does not set.
class KOptional<string name> : KAttr<name, UnitAttr, ""> {
  let isFlag = 1;
}
/// The bytes of a number in L1.
class KBytes : KAttr<"bytes", I32Attr, "4 : i32">;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// What an op gives, with the type as the example prints it.
class TTKernel_Result<string resultName, Constraint resultConstraint,
                      string type> {
  string name = resultName;
  Constraint constraint = resultConstraint;
  string exampleType = type;
}

class KIntResult<string name> : TTKernel_Result<name, I32, "i32">;
class KNocAddrResult<string name>
    : TTKernel_Result<name, TTKernel_NocAddr, "!ttkernel.noc_addr">;

/// `where` is the enumerator of `KernelThread` in TTKernel.h that the op runs
/// on; messages call the op `title`. An op whose result no chip has for some
/// numbers has the trait NoMemoryEffect instead of Pure: it is not moved to
/// where the kernel might not have come.
class TTKernel_KernelOp<string mnemonic, string where, string opSummary,
                        string semantics, list<TTKernel_Arg> args = [],
                        list<TTKernel_Result> gives = [],
                        list<Trait> traits = [], string title = "$cppClass">
    : Op<TTKernel_Dialect, mnemonic, traits> {
  // Kernels are made by the names of ops: the many builders that an op has by
  // default take long to compile, and one is enough.
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<
    (ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$operands,
         "::llvm::ArrayRef<::mlir::NamedAttribute>":$attributes), [{
      $_state.addTypes(results);
      $_state.addOperands(operands);
      $_state.addAttributes(attributes);
    }]>];
  /// Constraints that `verifyMore` checks.
  list<string> moreConstraints = [];
  defvar operands = !filter(a, args, a.isOperand);
  defvar attributes = !filter(a, args,
                             !not(!or(a.isOperand, a.isFlag)));
  defvar rules = !foreach(a, operands, a.rule);
  defvar constraints = !listconcat(
      ["a `ttmetal.dispatch`, or a function of a module, is around the op."],
      !cond(!eq(where, "Noc"):
              ["the kernel is of a data movement thread, if a dispatch says so."],
            !eq(where, "Compute"):
              ["the kernel is of the compute threads, if a dispatch says so."],
            true: []<string>),
      !if(!empty(!filter(r, rules, !eq(r, "Tiles"))), []<string>,
          ["elements of buffers of tiles are tiles."]),
      !if(!empty(!filter(r, rules, !eq(r, "Scalars"))), []<string>,
          ["elements of buffers of scalars are scalars."]),
      !if(!empty(!filter(r, rules, !eq(r, "Dst"))), []<string>,
          ["a constant index of a destination register is less than 16."]),
      !if(!empty(!filter(r, rules, !eq(r, "Pages"))), []<string>,
          ["a constant number of pages is positive and at most that of the\n"
           "      buffer."]),
      moreConstraints);
  /// The body of a C++ function that is called behind the rules.
  code verifyMore = [{ return ::mlir::success(); }];

  let summary = opSummary # ".";
  string exampleFreeDescription =
      "\n    " # semantics # "\n\n    Constraints:\n    "
      # !interleave(!foreach(i, !range(!size(constraints)),
                             "- (C" # !add(i, 1) # ") " # constraints[i]),
                    "\n    ")
      # "\n\n    Example:\n";
  let description = exampleFreeDescription # "\n    ```mlir\n    "
      # !if(!empty(gives), "", "%" # !size(operands) # " = ")
      # "\"ttkernel." # mnemonic # "\"("
      # !interleave(!foreach(i, !range(!size(operands)), "%" # i), ", ") # ")"
      # !if(!empty(attributes), "",
            " <{" # !interleave(!foreach(a, attributes, a.exampleValue), ", ")
                  # "}>")
      # " : (" # !interleave(!foreach(a, operands, a.exampleType), ", ")
      # ") -> "
      # !if(!empty(gives), "()",
            !interleave(!foreach(r, gives, r.exampleType), ", "))
      # "\n    ```\n  ";
  let arguments = !dag(ins, !foreach(a, args, a.constraint),
                       !foreach(a, args, a.name));
  let results = !dag(outs, !foreach(r, gives, r.constraint),
                     !foreach(r, gives, r.name));
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      if (::mlir::failed(::mlir::tt::ttkernel::verifyKernelOp(
              *this, "}] # title # [{", ::mlir::tt::ttkernel::KernelThread::}]
      # where # [{, {}]
      # !interleave(!foreach(r, rules, "::mlir::tt::ttkernel::OperandRule::" # r), ", ") # [{})))
        return ::mlir::failure();
      }] # verifyMore # [{
    }
  }];
}

class TTKernel_NocOp<string mnemonic, string summary, string semantics,
                     list<TTKernel_Arg> args = [],
                     list<TTKernel_Result> gives = [], list<Trait> traits = []>
    : TTKernel_KernelOp<mnemonic, "Noc", summary, semantics, args, gives,
                        traits>;

class TTKernel_ComputeOp<string mnemonic, string summary, string semantics,
                         list<TTKernel_Arg> args = []>
    : TTKernel_KernelOp<mnemonic, "Compute", summary, semantics, args>;

class TTKernel_AnyThreadOp<string mnemonic, string summary, string semantics,
                           list<TTKernel_Arg> args = [],
                           list<TTKernel_Result> gives = [],
                           list<Trait> traits = [], string title = "$cppClass">
    : TTKernel_KernelOp<mnemonic, "Any", summary, semantics, args, gives,
                        traits, title>;

#endif
