//===- What is known of an instruction of kernels ------------------------===//
//
// One record for each instruction. From it come the op of the 'ttkernel'
// dialect with its verifier, description and example, the opcode and its form
// in files, the function of the Python kernel language and the C++ call with
// its declaration, and in the emulator the checks of its form, who calls its
// function, what it asks of the engines and how long it takes. By hand are the
// function itself and its numbers of time.
//
// Nothing of MLIR is included, so that a runtime alone is built from it, too:
// constraints, traits and other instructions are named.

#ifndef TTMLIR_TTKERNEL_INSTRUCTIONBASE_TD
#define TTMLIR_TTKERNEL_INSTRUCTIONBASE_TD

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// An operand or an attribute of an op.
class KernelArg<string argName, string argConstraint, string argForm,
                string argCppType, string type, string value = ""> {
  string name = argName;
  /// The record of its MLIR constraint.
  string constraint = argConstraint;
  /// What it is in a file: a letter of `Signature` in
  /// runtime/lib/emulator/program.h.
  string form = argForm;
  /// The parameter of the C++ function, and its default.
  string cppType = argCppType;
  string cppDefault = "";
  bit isTemplateParameter = 0;
  /// How C++ text gets it, a word of `getText` in
  /// cpp/conversion/TTKernelToEmitC/KernelPatterns.cpp. "value" is an operand
  /// as it is, "semaphore" one that becomes a pointer.
  string cppForm = "value";
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
    : KernelArg<name, "TTKernel_CB", "c", "CBId",
                TTKernel_ExampleTiles<port>.type> {
  let rule = "Tiles";
}

/// A buffer of scalars.
class KScalars<string name, string port = "cb_in0">
    : KernelArg<name, "TTKernel_CB", "c", "CBId",
          TTKernel_ExampleBuffer<port,
              !if(!eq(port, "cb_in0"), "1024", "66560"), "64x128xf32",
              "512">.type> {
  let rule = "Scalars";
}

/// A buffer of either.
class KBuffer<string name, string port = "cb_in0">
    : KernelArg<name, "TTKernel_CB", "c", "CBId",
                TTKernel_ExampleTiles<port>.type>;

/// A number.
class KInt<string name, string byDefault = "">
    : KernelArg<name, "I32", "r", "u32", "i32"> {
  let cppDefault = byDefault;
}

/// An address in L1.
class KL1<string name> : KInt<name> {
  let cppType = "L1Address";
}

/// The address of a semaphore of the own core.
class KSemaphore<string name> : KInt<name> {
  let cppType = "Semaphore";
  let cppForm = "semaphore";
}

/// The index of a destination register.
class KDst<string name = "dst_index"> : KInt<name> {
  let rule = "Dst";
}

/// A number of pages of the op's first operand.
class KPages<string name> : KInt<name> {
  let rule = "Pages";
}

class KCondition<string name> : KernelArg<name, "I1", "r", "bool", "i1">;

class KNocAddr<string name>
    : KernelArg<name, "TTKernel_NocAddr", "r", "NocAddress",
                "!ttkernel.noc_addr">;

class KAccessor<string name>
    : KernelArg<name, "TTKernel_TensorAccessor", "r", "const TensorAccessor &",
                "!ttkernel.tensor_accessor">;

/// Any number of numbers, the last operands.
class KNumbers<string name>
    : KernelArg<name, "TTKernel_AnyNumbers", "*", "", "i32">;

class KAttr<string name, string constraint, string form, string cppType,
            string word, string value>
    : KernelArg<name, constraint, form, cppType, "", name # " = " # value> {
  let cppForm = word;
  let isOperand = 0;
}

class KTemplateAttr<string name, string constraint, string form,
                    string cppType, string word, string value>
    : KAttr<name, constraint, form, cppType, word, value> {
  let isTemplateParameter = 1;
}

class KEltwise
    : KTemplateAttr<"binary_type", "TTKernel_EltwiseBinaryTypeAttr", "e",
                    "EltwiseBinaryType", "enumerator",
                    "#ttkernel.eltwise_binary_type<add>">;
class KBroadcast
    : KTemplateAttr<"broadcast_type", "TTKernel_BroadcastTypeAttr", "k",
                    "BroadcastType", "enumerator",
                    "#ttkernel.broadcast_type<row>">;
class KPool
    : KTemplateAttr<"pool_type", "TTKernel_PoolTypeAttr", "o", "PoolType",
                    "enumerator", "#ttkernel.pool_type<sum>">;
class KReduceDim
    : KTemplateAttr<"reduce_dim", "TTKernel_ReduceDimAttr", "m", "ReduceDim",
                    "enumerator", "#ttkernel.reduce_dim<row>">;

/// A number format; as a template parameter it is a number.
class KDataType<string name, string value>
    : KAttr<name, "TT_DataType", "d", "DataFormat", "format",
            value # " : i32">;
class KDataTypeNumber<string name, string value>
    : KTemplateAttr<name, "TT_DataType", "d", "u32", "format_number",
                    value # " : i32">;

/// The same, as an enumerator.
class KDataFormat<string name, string value>
    : KTemplateAttr<name, "TT_DataType", "d", "DataFormat", "format",
                    value # " : i32">;

/// A flag that the example does not set. With a default it is not written
/// where it is not set.
class KFlag<string name, string byDefault = "">
    : KTemplateAttr<name, "UnitAttr", "f", "bool", "flag", ""> {
  let isFlag = 1;
  let cppForm = !if(!empty(byDefault), "flag", "flag_if_set");
  let cppDefault = byDefault;
}
class KReuse<string name> : KFlag<name> {
  let cppType = "EltwiseBinaryReuseDestType";
  let cppForm = "reuse";
}

/// The bytes of a number in L1.
class KBytes
    : KTemplateAttr<"bytes", "I32Attr", "b", "typename", "word", "4 : i32">;

class KNumberAttr<string name, string value>
    : KAttr<name, "I32Attr", "i", "u32", "number", value # " : i32">;

/// The same as a template parameter.
class KNumber<string name, string value, string byDefault = "">
    : KTemplateAttr<name, "I32Attr", "i", "u32", "number", value # " : i32"> {
  let cppDefault = byDefault;
}

class KText<string name, string value>
    : KAttr<name, "StrAttr", "s", "const char *", "text",
            "\"" # value # "\"">;

class KAccessorArgs<string name, string value>
    : KAttr<name, "TTKernel_TensorAccessorArgsAttr", "x", "TensorAccessorArgs",
            "accessor", value>;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// What an op gives, with the type as the example prints it.
class KernelResult<string resultName, string resultConstraint, string type,
                   string resultCppType> {
  string name = resultName;
  string constraint = resultConstraint;
  string exampleType = type;
  string cppType = resultCppType;
}

class KIntResult<string name> : KernelResult<name, "I32", "i32", "u32">;
class KL1Result<string name> : KernelResult<name, "I32", "i32", "L1Address">;
class KTruthResult<string name> : KernelResult<name, "I32", "i32", "bool">;
class KNocAddrResult<string name>
    : KernelResult<name, "TTKernel_NocAddr", "!ttkernel.noc_addr",
                   "NocAddress">;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// In place of an opcode: there is no instruction, files cannot hold the op.
defvar kNoOpcode = -1;

/// What a file can hold. `opcode` is its number there, which stays for ever: a
/// new instruction takes the next one.
class Instruction<int number, string opcodeName, string threadKind> {
  int opcode = number;
  /// Its name in files, messages and the Python kernel language.
  string name = opcodeName;
  /// An enumerator of `KernelThread` in TTKernel.h: where it runs.
  string threads = threadKind;
  /// Who has its function: `<group>Handler` in runtime/lib/emulator, for what
  /// works on tiles in runtime/lib/tensix. What only sets up the engines has
  /// none.
  string group = ?;
  bit hasFunction = 1;
  /// The engine of a compute kernel that executes it or waits.
  string engine = "Math";
  /// The ops that become it.
  list<string> ops = [];
  /// Whether the clock counts its calls. Arithmetic, branches and functions of
  /// their operands alone are free: how many are executed depends on the
  /// compiler and the language of the kernel.
  bit takesTime = 1;
}

/// An instruction of control or arithmetic, which is no op of 'ttkernel'.
/// `letters` are its operands as in `Signature`.
class PlainInstruction<int number, string name, string letters, bit hasResult,
                       list<string> opNames = []>
    : Instruction<number, name, "Any"> {
  string form = letters;
  bit result = hasResult;
  let ops = opNames;
  let takesTime = 0;
}

/// An op of 'ttkernel'. Messages call the op `title`. An op whose result no
/// chip has for some numbers has the trait NoMemoryEffect instead of Pure: it
/// is not moved to where the kernel might not have come.
class KernelInstruction<int number, string opMnemonic, string threads,
                        string opSummary, string opSemantics,
                        list<KernelArg> opArgs = [],
                        list<KernelResult> opGives = [],
                        list<string> opTraits = []>
    : Instruction<number, opMnemonic, threads> {
  /// The op's record is TTKernel_XOp if this one's is Kernel_X.
  string record = NAME;
  string mnemonic = opMnemonic;
  string summary = opSummary;
  string semantics = opSemantics;
  list<KernelArg> args = opArgs;
  list<KernelResult> gives = opGives;
  list<string> traits = opTraits;
  string title = "$cppClass";
  /// Constraints that `verifyMore` checks.
  list<string> moreConstraints = [];
  /// The body of a C++ function that is called behind the rules.
  code verifyMore = [{ return ::mlir::success(); }];
  /// The example as a whole, where the arguments do not give it.
  string example = "";

  /// The C++ function that the op calls.
  string callee = opMnemonic;
  /// Instead of a call, an expression.
  string literal = "";
  /// The arguments of the call, if they are not those of the op in their
  /// order: names of operands, and `form name` for what an attribute gives.
  list<string> call = [];
  /// Template arguments before those that attributes give.
  list<string> templateArgs = [];
  /// Whether ttkernel-declarations.h has it from here, not by hand.
  bit declared = 1;
  let ops = ["ttkernel." # opMnemonic];
  let takesTime = !empty(!filter(trait, opTraits,
      !or(!eq(trait, "Pure"), !eq(trait, "NoMemoryEffect"))));
}

class AnyThreadInstruction<int number, string mnemonic, string summary,
                           string semantics, list<KernelArg> args = [],
                           list<KernelResult> gives = [],
                           list<string> traits = []>
    : KernelInstruction<number, mnemonic, "Any", summary, semantics, args,
                        gives, traits>;

class NocInstruction<int number, string mnemonic, string summary,
                     string semantics, list<KernelArg> args = [],
                     list<KernelResult> gives = [], list<string> traits = []>
    : KernelInstruction<number, mnemonic, "Noc", summary, semantics, args,
                        gives, traits>;

/// An instruction on tiles has one of the classes below, too.
class ComputeInstruction<int number, string mnemonic, string summary,
                         string semantics, list<KernelArg> args = []>
    : KernelInstruction<number, mnemonic, "Compute", summary, semantics, args>;

//===----------------------------------------------------------------------===//
// Instructions on tiles: what they do and how long they take
//===----------------------------------------------------------------------===//

/// `does` says what it does with the destination registers, an enumerator of
/// `Destination` in runtime/lib/tensix/compute.h. `cost` is what it takes, a
/// sum of the words of namespace `cost` in
/// runtime/lib/clock/compute_time.cpp; a function of the vector engine has
/// `work` instead (see VectorFunction).
class OnTiles<string onEngine, string does, list<string> words> {
  string engine = onEngine;
  string destination = does;
  list<string> cost = words;
  list<string> work = [];
}
class Math<list<string> words> : OnTiles<"Math", "Writes", words>;
class Unpack<list<string> words> : OnTiles<"Unpack", "None", words>;
class Pack<list<string> words> : OnTiles<"Pack", "Reads", words>;
/// It uses the destination registers on its own.
class Block<list<string> words> : OnTiles<"Math", "None", words>;
class Vector<list<string> words> : Math<["vector"]> {
  let work = words;
}

//===----------------------------------------------------------------------===//
// Instructions on tiles: what they set up, or need set up
//===----------------------------------------------------------------------===//

/// `setup` is an enumerator of `EngineSetup::Step::Does` in
/// runtime/lib/emulator/engine_setup.h. `formats` says what each operand is:
/// the circular buffer in source register A, B or both (s), or in one that
/// depends on the last operand (r); that of the packer (o), a data type for
/// them (A, B, O), a part of the operation's kind (h), or neither (-).
/// `counterpart` is the other instruction that it is about.
class EngineState<string does, string letters, string other> {
  string setup = does;
  string formats = letters;
  string counterpart = other;
}

/// An operation behind its init.
class Needs<string letters, string init> : EngineState<"Needs", letters, init>;
/// The same of the vector engine, which has a state of its own.
class NeedsVector<string init> : EngineState<"NeedsVector", "", init>;

class SettingUp : OnTiles<"Math", "None", ["nothing"]> {
  bit hasFunction = 0;
}
/// The init of an operation.
class SetsUp<string letters, string operation>
    : SettingUp, EngineState<"SetsUp", letters, operation>;
class SetsUpVector : SettingUp, EngineState<"SetsUpVector", "", "">;
/// Formats, and no operation.
class Resets<string letters> : SettingUp, EngineState<"Resets", letters, "">;
/// Formats alone.
class Formats<string letters> : SettingUp, EngineState<"Formats", letters, "">;
/// The end of an init.
class Undoes<string letters, string init>
    : SettingUp, EngineState<"Undoes", letters, init>;

#endif
