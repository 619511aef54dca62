//===- Elementwise ops of the 'ttir' dialect ------------------------------===//

#ifndef TTMLIR_TTIR_ELTWISE_OPS_TD
#define TTMLIR_TTIR_ELTWISE_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/Eltwise.td"
include "dialects/EltwiseBuilder.td"
include "dialects/TTIR/TTIRBase.td"

class TTIR_EltwiseOp<EltwiseRow row>
    : TTIR_Op<row.mnemonic, [
        AttrSizedOperandSegments, Pure, TTIROpInterface,
        TTIR_ElementwiseOpInterface, TTIR_InferShapeOpInterface,
        DestinationStyleOpInterface]> {
  let summary = row.summary # ".";
  let description = [{
    With }] # row.letters # [{, every element of the result is
    }] # row.meaning # [{.

    Constraints:
    - (C1) there }] # row.count # [{ and one output.
    - (C2) the shapes of inputs and output are broadcast-compatible by NumPy's
      rules, and the result has the broadcast shape.
    - (C3) result and output have one type.}]
      # !if(row.integersOnly, "\n    - (C4) all elements are integers.", "") # [{

    Numerics: }] # row.numerics # [{

    Example:

    ```mlir
    %0 = tensor.empty() : }] # row.exampleType # [{
    %1 = "ttir.}] # row.mnemonic # [{"(}] # row.exampleInputs # [{, %0) <{}] # row.exampleBefore # [{operandSegmentSizes = array<i32: }]
      # !cast<string>(row.arity) # [{, 1>, operand_constraints = [}]
      # row.exampleConstraints # [{]}] # row.exampleBehind # [{}> : (}] # row.exampleTypes
      # [{, }] # row.exampleType # [{) -> }] # row.exampleType # [{
    ```
  }];
  let arguments = !con(
      (ins Variadic<TT_Tensor>:$inputs,
           Variadic<TT_Tensor>:$outputs),
      !dag(ins, !listsplat(F32Attr, !size(row.parameters)), row.parameters),
      (ins TT_OperandConstraintArrayAttr:$operand_constraints));
  let results = (outs Variadic<TT_Tensor>:$results);
  // The library call of a typecast also states the data type.
  let loweredTo = !if(!eq(row.name, "Typecast"), "", row.name # "Op");
  let hasFolder = row.idempotent;
  let skipDefaultBuilders = !empty(row.parameters);
  let builders = !if(!empty(row.parameters), [
    EltwiseBuilder<(ins "::mlir::ArrayAttr":$operand_constraints), [{
        properties.operand_constraints = operand_constraints;
    }]>
  ], []);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
    ::llvm::FailureOr<::mlir::tt::shapes::Shape> inferShape() {
      return ::mlir::tt::shapes::inferElementwise(*this, getArity());
    }
    static int64_t getArity() { return }] # !cast<string>(row.arity) # [{; }
    static bool takesIntegersOnly() { return }] # !cast<string>(row.integersOnly) # [{; }
    static bool isCommutative() { return }] # !cast<string>(row.commutative) # [{; }
  }];
  let extraClassDefinition = !if(row.idempotent, [{
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor, ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &results) {
      if (getInputs().size() != 1 || getNumResults() != 1 ||
          getInputs()[0].getType() != getResult(0).getType() ||
          !getInputs()[0].getDefiningOp<$cppClass>())
        return ::mlir::failure();
      results.push_back(getInputs()[0]);
      return ::mlir::success();
    }
  }], "");
}

foreach row = EltwiseRows in {
  def "TTIR_" # row.name # "Op" : TTIR_EltwiseOp<row>;
}

#endif
