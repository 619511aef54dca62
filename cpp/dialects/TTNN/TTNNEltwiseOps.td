//===- Elementwise ops of the 'ttnn' dialect ------------------------------===//

#ifndef TTMLIR_TTNN_ELTWISE_OPS_TD
#define TTMLIR_TTNN_ELTWISE_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/Eltwise.td"
include "dialects/EltwiseBuilder.td"
include "dialects/TTNN/TTNNBase.td"

class TTNN_EltwiseOp<EltwiseRow row, string exampleBefore = row.exampleBefore>
    : TTNN_Op<row.mnemonic, !listconcat(
        [AttrSizedOperandSegments, DestinationStyleOpInterface],
        !if(!eq(row.arity, 2), [TTNN_HasActivation], []))> {
  let summary = row.summary # ".";
  let description = [{
    With }] # row.letters # [{, every element of the result is
    }] # row.meaning # [{. Inputs are broadcast to the result's shape by NumPy's
    rules.

    Constraints:
    - (C1) there }] # row.count # [{, one output and
      one result.}]
      # !if(row.integersOnly, "\n    - (C2) all elements are integers.", "") # [{

    Numerics: }] # row.numerics # [{

    Example:

    ```mlir
    %2 = "ttnn.}] # row.mnemonic # [{"(}] # row.exampleInputs # [{, %1) <{}] # exampleBefore # [{operandSegmentSizes = array<i32: }]
      # !cast<string>(row.arity) # [{, 1>}] # row.exampleBehind # [{}> : (}] # row.exampleTypes
      # [{, }] # row.exampleType # [{) -> }] # row.exampleType # [{
    ```
  }];
  let arguments = !con(
      (ins Variadic<TT_Tensor>:$inputs,
           Variadic<TT_Tensor>:$outputs),
      !dag(ins, !listsplat(F32Attr, !size(row.parameters)), row.parameters),
      ComputeConfigArgument,
      !if(!eq(row.arity, 2), ActivationArgument, (ins)));
  let results = (outs Variadic<TT_Tensor>:$results);
  let schemaTable = "EltwiseOp";
  let schemaMember = 7;
  let stepByHand = 1;
  let schemaFields = !listconcat(
      ["type=EltwiseOpType::" # row.name, "ins=[inputs]", "out=results"],
      !if(!empty(row.parameters), [],
          ["parameters=floats(" # !interleave(row.parameters, ",") # ")"]));
  let arity = row.arity;
  let skipDefaultBuilders = !empty(row.parameters);
  let builders = !if(!empty(row.parameters), [EltwiseBuilder<>], []);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
    static int64_t getArity() { return }] # !cast<string>(row.arity) # [{; }
    static bool takesIntegersOnly() { return }] # !cast<string>(row.integersOnly) # [{; }
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::ttnn::verifyEltwise(
          *this, getArity(), takesIntegersOnly());
    }
  }];
}

defvar TypecastRow =
    !head(!filter(row, EltwiseRows, !eq(row.name, "Typecast")));

foreach row = !filter(row, EltwiseRows, !ne(row.name, "Typecast")) in {
  def "TTNN_" # row.name # "Op" : TTNN_EltwiseOp<row>;
}

def TTNN_TypecastOp
    : TTNN_EltwiseOp<TypecastRow, "dtype = #tt.supportedDataTypes<f32>, "> {
  let arguments = (ins Variadic<TT_Tensor>:$inputs,
                       Variadic<TT_Tensor>:$outputs,
                       TT_DataTypeAttr:$dtype);
  let skipDefaultBuilders = 0;
  let builders = [];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::ttnn::verifyTypecast(*this);
    }
  }];
}

#endif
