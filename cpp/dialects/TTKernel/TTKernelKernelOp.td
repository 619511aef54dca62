//===- Ops of kernels from their instructions ----------------------------===//
//
// An op of the dialect is what InstructionBase.td says of it. Its arguments give
// the types, the verifier, the list of constraints and the example of the
// description.

#ifndef TTMLIR_TTKERNEL_KERNEL_OP_TD
#define TTMLIR_TTKERNEL_KERNEL_OP_TD

include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/TTKernel/InstructionBase.td"
include "dialects/TTKernel/TTKernelBase.td"

def TTKernel_AnyNumbers
    : Variadic<AnyTypeOf<[I1, I8, I16, I32, Index, TTKernel_NocAddr]>>;
def TTKernel_Buffers : Variadic<TTKernel_MemRefOrCB>;

class TTKernel_KernelOp<KernelInstruction i>
    : Op<TTKernel_Dialect, i.mnemonic,
         !foreach(trait, i.traits, !cast<Trait>(trait))> {
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
  KernelInstruction instruction = i;
  defvar operands = !filter(a, i.args, a.isOperand);
  defvar attributes = !filter(a, i.args,
                             !not(!or(a.isOperand, a.isFlag)));
  defvar rules = !foreach(a, operands, a.rule);
  defvar constraints = !listconcat(
      ["the op is inside a `ttmetal.dispatch` or a function of a module."],
      !cond(!eq(i.threads, "Noc"):
              ["in a dispatch, the kernel runs on a data movement thread."],
            !eq(i.threads, "Compute"):
              ["in a dispatch, the kernel runs on the compute threads."],
            true: []<string>),
      !if(!empty(!filter(r, rules, !eq(r, "Tiles"))), []<string>,
          ["buffers of tiles have tile elements."]),
      !if(!empty(!filter(r, rules, !eq(r, "Scalars"))), []<string>,
          ["buffers of scalars have scalar elements."]),
      !if(!empty(!filter(r, rules, !eq(r, "Dst"))), []<string>,
          ["a constant index of a destination register is less than 16."]),
      !if(!empty(!filter(r, rules, !eq(r, "Pages"))), []<string>,
          ["a constant number of pages is positive and at most that of the\n"
           "      buffer."]),
      i.moreConstraints);
  defvar statement =
      !if(!empty(i.gives), "", "%" # !size(operands) # " = ")
      # "\"ttkernel." # i.mnemonic # "\"("
      # !interleave(!foreach(n, !range(!size(operands)), "%" # n), ", ") # ")"
      # !if(!empty(attributes), "",
            " <{" # !interleave(!foreach(a, attributes, a.exampleValue), ", ")
                  # "}>")
      # " : (" # !interleave(!foreach(a, operands, a.exampleType), ", ")
      # ") -> "
      # !if(!empty(i.gives), "()",
            !interleave(!foreach(r, i.gives, r.exampleType), ", "));

  let summary = i.summary # ".";
  let description =
      "\n    " # i.semantics # "\n\n    Constraints:\n    "
      # !interleave(!foreach(n, !range(!size(constraints)),
                             "- (C" # !add(n, 1) # ") " # constraints[n]),
                    "\n    ")
      # "\n\n    Example:\n\n    ```mlir\n    "
      # !if(!empty(i.example), statement, i.example) # "\n    ```\n  ";
  let arguments = !dag(ins,
      !foreach(a, i.args, !cast<Constraint>(a.constraint)),
      !foreach(a, i.args, a.name));
  let results = !dag(outs,
      !foreach(r, i.gives, !cast<Constraint>(r.constraint)),
      !foreach(r, i.gives, r.name));
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      if (::mlir::failed(::mlir::tt::ttkernel::verifyKernelOp(
              *this, "}] # i.title # [{", ::mlir::tt::ttkernel::KernelThread::}]
      # i.threads # [{, {}]
      # !interleave(!foreach(r, rules, "::mlir::tt::ttkernel::OperandRule::" # r), ", ") # [{})))
        return ::mlir::failure();
      }] # i.verifyMore # [{
    }
  }];
}

#endif
