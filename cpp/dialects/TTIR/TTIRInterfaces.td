//===- Interfaces of 'ttir' ops -------------------------------------------===//

#ifndef TTMLIR_TTIR_INTERFACES_TD
#define TTMLIR_TTIR_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TTIROpInterface : OpInterface<"TTIROp"> {
  let cppNamespace = "::mlir::tt::ttir";
  let description = [{
    Properties of an op for layout assignment and the optimizer.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/[{
        One constraint for each operand, or null when the op takes its operands
        as they are.
      }],
      /*retTy=*/"::mlir::ArrayAttr", /*methodName=*/"getOperandConstraints">,
    InterfaceMethod<
      /*desc=*/[{The system description of the module; null if it has none.}],
      /*retTy=*/"::mlir::tt::SystemDescAttr", /*methodName=*/"getSystemDesc",
      /*args=*/(ins), /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::mlir::tt::getScopeSystemDesc($_op);
      }]>,
    InterfaceMethod<
      /*desc=*/[{The device of the innermost enclosing op that has one; null if
        none has.}],
      /*retTy=*/"::mlir::tt::DeviceAttr", /*methodName=*/"getDevice",
      /*args=*/(ins), /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::mlir::tt::getScopeDevice($_op);
      }]>
  ];
  let verify = [{ return ::mlir::tt::ttir::verifyOperandConstraints($_op); }];
}

def TTIR_InferShapeOpInterface : OpInterface<"InferShapeOp"> {
  let cppNamespace = "::mlir::tt::ttir";
  let description = [{
    An op whose inputs and attributes determine the shape of its only output.
    MLIR's interfaces do not fit ops in destination-passing style: they would
    infer the type of the result from the destination, which is what has to be
    found. `inferOutputShapes` computes the shapes of an op before it is
    created.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/[{
        The shape of the output, which is not looked at; failure after one error
        at the op.
      }],
      /*retTy=*/"::llvm::FailureOr<::mlir::tt::shapes::Shape>",
      /*methodName=*/"inferShape">
  ];
}

def TTIR_CompositeOpInterface : OpInterface<"CompositeOp"> {
  let cppNamespace = "::mlir::tt::ttir";
  let description = [{
    An op that is equivalent to other ops, and that no backend knows:
    `ttir-expand-composites` replaces it. Its inputs and attributes determine
    the shapes of its outputs.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/[{
        The shape of each output, none of which is looked at; failure after one
        error at the op.
      }],
      /*retTy=*/"::mlir::tt::ttir::Shapes", /*methodName=*/"inferShapes">,
    InterfaceMethod<
      /*desc=*/[{
        Writes the ops that the op stands for: a value for each result, of its
        shape and its element type. Other composites may be among them. Failure
        after one error at the op, where it cannot be said by others.
      }],
      /*retTy=*/"::mlir::tt::ttir::Expansion", /*methodName=*/"expand",
      /*args=*/(ins "::mlir::tt::graph::GraphBuilder &":$builder)>
  ];
  let verify = [{ return ::mlir::tt::ttir::verifyComposite($_op); }];
}

def TTIR_ElementwiseOpInterface : OpInterface<"TTIR_ElementwiseOpInterface"> {
  let cppNamespace = "::mlir::tt::ttir";
  let description = [{
    An op that computes each element of its only result from the elements of its
    inputs at that position, broadcast by NumPy's rules.
  }];
  let methods = [
    StaticInterfaceMethod<
      /*desc=*/[{Number of inputs.}],
      /*retTy=*/"int64_t", /*methodName=*/"getArity">,
    StaticInterfaceMethod<
      /*desc=*/[{Whether inputs and result must have integer elements.}],
      /*retTy=*/"bool", /*methodName=*/"takesIntegersOnly">,
    StaticInterfaceMethod<
      /*desc=*/[{Whether the inputs may be exchanged.}],
      /*retTy=*/"bool", /*methodName=*/"isCommutative">
  ];
  let verify = [{
    return ::mlir::tt::shapes::verifyElementwise(
        $_op, ConcreteOp::getArity(), ConcreteOp::takesIntegersOnly());
  }];
}

#endif
