//===- Ops of the 'ttnn' dialect that 'ttir' has too ----------------------===//

#ifndef TTMLIR_TTNN_SHARED_OPS_TD
#define TTMLIR_TTNN_SHARED_OPS_TD

include "dialects/SharedOps.td"
include "dialects/TTNN/TTNNBase.td"

class TTNN_SharedOp<SharedOp op, string mnemonic = op.mnemonic>
    : TTNN_DPSOp<mnemonic,
                 !listconcat(
                     !if(op.segmented, [AttrSizedOperandSegments], []),
                     !if(op.activates, [TTNN_HasActivation], []))> {
  defvar exampleAttributes = !listconcat(op.exampleBefore,
      !if(op.segmented, ["operandSegmentSizes = array<i32: "
          # !interleave(!listsplat("1", !add(!size(op.exampleOperands), 1)), ", ")
          # ">"], []),
      op.exampleBehind);
  let summary = op.summary # ".";
  let description = op.description # [{
    Numerics: }] # op.numerics # [{

    Example:

    ```mlir
    %1 = "ttnn.}] # mnemonic # [{"(}]
      # !interleave(op.exampleOperands, ", ") # [{, %0)}]
      # !if(!empty(exampleAttributes), "",
            " <{" # !interleave(exampleAttributes, ", ") # "}>") # [{ : (}]
      # !interleave(op.exampleTypes, ", ") # [{, }] # op.exampleResult
      # [{) -> }] # op.exampleResult # [{
    ```
  }];
  let arguments = !con(op.operands, (ins TT_Tensor:$output), op.attributes,
                       !if(op.computes, ComputeConfigArgument, (ins)),
                       !if(op.activates, ActivationArgument, (ins)));
  let results = (outs TT_Tensor:$result);
  let schemaTable = op.schemaTable;
  let schemaMember = op.schemaMember;
  let schemaFields = op.schemaFields;
  let readsPart = op.readsPart;
  let readsShape = op.readsShape;
  let hasVerifier = 1;
  let extraClassDefinition = SharedOpVerifier<op>.definition;
}

foreach op = SharedOps in {
  def "TTNN_" # op.name # "Op" : TTNN_SharedOp<op>;
}

def TTNN_EmbeddingBackwardOp
    : TTNN_SharedOp<EmbeddingBackwardShared, "embedding_bw">;

#endif
