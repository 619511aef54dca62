//===- Elementwise ops of the 'ttnn' dialect ------------------------------===//

#ifndef TTMLIR_TTNN_ELTWISE_OPS_TD
#define TTMLIR_TTNN_ELTWISE_OPS_TD

include "dialects/Eltwise.td"
include "dialects/TTNN/TTNNBase.td"

class TTNN_EltwiseOp<EltwiseRow row>
    : TTNN_Op<row.mnemonic, [
        AttrSizedOperandSegments, DestinationStyleOpInterface]> {
  let summary = row.summary # ".";
  let description = [{
    Every element of the result is }] # row.meaning # [{. Inputs are broadcast to
    the result's shape by NumPy's rules.

    Constraints:
    - (C1) there are }] # !cast<string>(row.arity) # [{ inputs, one output and
      one result.

    Numerics: }] # row.numerics # [{

    Example:

    ```mlir
    %2 = "ttnn.}] # row.mnemonic # [{"(}] # row.exampleInputs # [{, %1) <{operandSegmentSizes = array<i32: }]
      # !cast<string>(row.arity) # [{, 1>}> : (}] # row.exampleTypes
      # [{, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let schemaTable = "EltwiseOp";
  let schemaFields = ["type=EltwiseOpType::" # row.name, "ins=[inputs]",
                      "out=results"];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
    static int64_t getArity() { return }] # !cast<string>(row.arity) # [{; }
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::ttnn::verifyEltwiseArity(*this, getArity());
    }
  }];
}

foreach row = EltwiseRows in {
  def "TTNN_" # row.name # "Op" : TTNN_EltwiseOp<row>;
}

#endif
