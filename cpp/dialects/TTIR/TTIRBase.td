//===- The 'ttir' dialect and its op classes ------------------------------===//

#ifndef TTMLIR_TTIR_BASE_TD
#define TTMLIR_TTIR_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/OpTables.td"
include "dialects/TT/TTBase.td"
include "dialects/TT/TTTypes.td"
include "dialects/TTIR/TTIRInterfaces.td"

def TTIR_Dialect : Dialect {
  let name = "ttir";
  let summary = "Tensor graphs, with one op for each tensor operation.";
  let description = [{
    A program in the `ttir` dialect is a graph of operations on tensors. It
    states what is computed and, with operand constraints and `#tt.layout`
    encodings, which layouts the operands may have and do have. It does not
    state which library call or kernel does the work.

    Ops are in destination-passing style: the last operand (or the segment
    `outputs`) is a tensor of the result's type whose contents are ignored;
    lowering uses it as the destination of the result. All ops on tensors are
    free of side effects, so dead ops may be removed and equal ops merged.

    `operand_constraints` has one entry for each operand, including
    destinations.
  }];
  let cppNamespace = "::mlir::tt::ttir";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::tensor::TensorDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::tt::TTDialect"
  ];
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    void registerOps();
  }];
}

class TTIR_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTIR_Dialect, mnemonic, traits>, LoweringTable;

/// An op whose result is written into its operand `output`.
class TTIR_DPSOp<string mnemonic, list<Trait> traits = []>
    : TTIR_Op<mnemonic, !listconcat(traits, [
        Pure, TTIROpInterface, DestinationStyleOpInterface])> {
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputMutable();
    }
  }];
}

/// The same of one output, whose shape inputs and attributes decide on.
class TTIR_InferredOp<string mnemonic, list<Trait> traits = []>
    : TTIR_DPSOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<TTIR_InferShapeOpInterface>])>;

/// An op that is made of others: `inputs`, then its destinations, then
/// `attributes`. The C++ of its shapes and of its expansion is in a file of
/// Composites. With `several` it has any number of results.
class TTIR_CompositeOp<string mnemonic, dag compositeInputs,
                       dag compositeAttributes = (ins), bit several = 0,
                       list<Trait> traits = []>
    : TTIR_DPSOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<TTIR_CompositeOpInterface>])> {
  dag inputs = compositeInputs;
  dag attributes = compositeAttributes;
  bit hasSeveral = several;
  /// The input whose element type the method of the Python builder gives the
  /// results; the first one without.
  string like = "";
  /// The method of the Python builder is made from the definition.
  bit builder = 1;
  let arguments = !con(inputs,
      !if(several, (ins Variadic<TT_Tensor>:$outputs),
          (ins TT_Tensor:$output)),
      attributes, (ins TT_OperandConstraintArrayAttr:$operand_constraints));
  let results = !if(several, (outs Variadic<TT_Tensor>:$results),
                    (outs TT_Tensor:$result));
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutput}] # !if(several, "s", "") # [{Mutable();
    }
  }];
}

#endif
