//===- Elementwise ops of the 'ttir' dialect ------------------------------===//

#ifndef TTMLIR_TTIR_ELTWISE_OPS_TD
#define TTMLIR_TTIR_ELTWISE_OPS_TD

include "dialects/Eltwise.td"
include "dialects/TTIR/TTIRBase.td"

class TTIR_EltwiseOp<EltwiseRow row>
    : TTIR_Op<row.mnemonic, [
        AttrSizedOperandSegments, Pure, TTIROpInterface,
        TTIR_ElementwiseOpInterface, DestinationStyleOpInterface]> {
  let summary = row.summary # ".";
  let description = [{
    Every element of the result is }] # row.meaning # [{.

    Constraints:
    - (C1) there are }] # !cast<string>(row.arity) # [{ inputs and one output.
    - (C2) the shapes of inputs and output are broadcast-compatible by NumPy's
      rules, and the result has the broadcast shape.
    - (C3) result and output have one type.

    Numerics: }] # row.numerics # [{

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.}] # row.mnemonic # [{"(}] # row.exampleInputs # [{, %0) <{operandSegmentSizes = array<i32: }]
      # !cast<string>(row.arity) # [{, 1>, operand_constraints = [}]
      # row.exampleConstraints # [{]}> : (}] # row.exampleTypes
      # [{, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let loweredTo = row.name # "Op";
  let hasFolder = row.idempotent;
  let builders = !if(!eq(row.arity, 1), [
    OpBuilder<(ins "::mlir::Value":$in, "::mlir::Value":$out,
                   "::mlir::ArrayAttr":$constraints), [{
      build($_builder, $_state, ::mlir::TypeRange{out.getType()},
            ::mlir::ValueRange{in}, ::mlir::ValueRange{out}, constraints);
    }]>
  ], [
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$out, "::mlir::ArrayAttr":$constraints), [{
      build($_builder, $_state, ::mlir::TypeRange{out.getType()},
            ::mlir::ValueRange{lhs, rhs}, ::mlir::ValueRange{out}, constraints);
    }]>
  ]);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
    static int64_t getArity() { return }] # !cast<string>(row.arity) # [{; }
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
