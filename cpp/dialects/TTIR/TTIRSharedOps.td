//===- Ops of the 'ttir' dialect that 'ttnn' has too ----------------------===//

#ifndef TTMLIR_TTIR_SHARED_OPS_TD
#define TTMLIR_TTIR_SHARED_OPS_TD

include "dialects/SharedOps.td"
include "dialects/TTIR/TTIRBase.td"

class TTIR_SharedOp<SharedOp op>
    : TTIR_InferredOp<op.mnemonic,
                      !if(op.segmented, [AttrSizedOperandSegments], [])> {
  defvar count = !add(!size(op.exampleOperands), 1);
  defvar exampleAttributes = !listconcat(op.exampleBefore,
      !if(op.segmented, ["operandSegmentSizes = array<i32: "
          # !interleave(!listsplat("1", count), ", ") # ">"], []),
      ["operand_constraints = [" # !interleave(!listsplat("#any", count), ", ")
          # "]"],
      op.exampleBehind);
  let summary = op.summary # ".";
  let description = op.description # [{
    Numerics: }] # op.numerics # [{

    Example:

    ```mlir
    %0 = tensor.empty() : }] # op.exampleResult # [{
    %1 = "ttir.}] # op.mnemonic # [{"(}]
      # !interleave(op.exampleOperands, ", ") # [{, %0) <{}]
      # !interleave(exampleAttributes, ", ") # [{}> : (}]
      # !interleave(op.exampleTypes, ", ") # [{, }] # op.exampleResult
      # [{) -> }] # op.exampleResult # [{
    ```
  }];
  let arguments = !con(op.operands, (ins TT_Tensor:$output),
                       op.attributes,
                       (ins TT_OperandConstraintArrayAttr:$operand_constraints));
  let results = (outs TT_Tensor:$result);
  let loweredTo = !if(op.sameCall, op.name # "Op", "");
  let hasVerifier = 1;
  let extraClassDefinition = SharedOpVerifier<op>.definition # [{
    ::llvm::FailureOr<::mlir::tt::shapes::Shape> $cppClass::inferShape() {
      return ::mlir::tt::shapes::infer}] # op.rule # "(*this, "
        # op.ruleArguments # [{);
    }
  }];
}

foreach op = SharedOps in {
  def "TTIR_" # op.name # "Op" : TTIR_SharedOp<op>;
}

def TTIR_EmbeddingBackwardOp : TTIR_SharedOp<EmbeddingBackwardShared>;

#endif
