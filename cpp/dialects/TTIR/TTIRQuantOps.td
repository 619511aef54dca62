//===- Quantized tensors in the 'ttir' dialect ----------------------------===//

#ifndef TTMLIR_TTIR_QUANT_OPS_TD
#define TTMLIR_TTIR_QUANT_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTIR/TTIRBase.td"

/// An op on quantized tensors, which `ttir-legalize-types` replaces by ops on
/// their integers. The result has the shape of the input.
class TTIR_QuantOp<string mnemonic, string rule, dag operands, dag more>
    : TTIR_InferredOp<mnemonic> {
  let arguments = !con((ins TT_Tensor:$input), operands,
                       (ins TT_Tensor:$output), more,
                       (ins TT_OperandConstraintArrayAttr:$operand_constraints));
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::FailureOr<::mlir::tt::shapes::Shape> $cppClass::inferShape() {
      return ::mlir::tt::shapes::Shape(getInput().getType().getShape());
    }
    ::llvm::LogicalResult $cppClass::verify() {
      if (::mlir::failed(::mlir::tt::shapes::expectShape(
              *this, inferShape(), getOutput().getType())))
        return ::mlir::failure();
      return ::mlir::tt::ttir::}] # rule # [{;
    }
  }];
}

def TTIR_QuantizeOp
    : TTIR_QuantOp<"quantize", "verifyQuantization(*this, false, true)",
                   (ins), (ins)> {
  let summary = "Quantization of real numbers.";
  let description = [{
    round(x / scale) + zero point of the result's type `!quant.uniform`, ties to
    even, clamped to the range of the storage. Scale and zero point are those of
    the tensor, or of the index along its axis.

    Constraints:
    - (C1) the input has floats, the result `!quant.uniform` elements with a
      storage of 8, 16 or 32 bits.
    - (C2) input and output have one shape.

    Numerics: the quotient is computed in f32.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128x!quant.uniform<i8:f32, 5.000000e-02:3>>
    %1 = "ttir.quantize"(%a, %0) <{operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128x!quant.uniform<i8:f32, 5.000000e-02:3>>) -> tensor<64x128x!quant.uniform<i8:f32, 5.000000e-02:3>>
    ```
  }];
}

def TTIR_DequantizeOp
    : TTIR_QuantOp<"dequantize", "verifyQuantization(*this, true, false)",
                   (ins), (ins)> {
  let summary = "Dequantization to real numbers.";
  let description = [{
    (x - zero point) * scale of the input's type `!quant.uniform`.

    Constraints:
    - (C1) the input has `!quant.uniform` elements with a storage of 8, 16 or 32
      bits, the result floats.
    - (C2) input and output have one shape.

    Numerics: the difference is exact, the product computed in f32.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.dequantize"(%a, %0) <{operand_constraints = [#any, #any]}> : (tensor<64x128x!quant.uniform<i8:f32, 5.000000e-02:3>>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
}

def TTIR_RequantizeOp
    : TTIR_QuantOp<"requantize", "verifyQuantization(*this, true, true)",
                   (ins), (ins)> {
  let summary = "Requantization to another scale.";
  let description = [{
    round((x - zero point) * (scale / scale of the result)) + zero point of the
    result, ties to even, clamped to the range of the result's storage.

    Constraints:
    - (C1) input and result have `!quant.uniform` elements with a storage of 8,
      16 or 32 bits.
    - (C2) input and output have one shape.

    Numerics: the quotient of the scales and the product are computed in f32.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128x!quant.uniform<u8:f32, 1.000000e-01:128>>
    %1 = "ttir.requantize"(%a, %0) <{operand_constraints = [#any, #any]}> : (tensor<64x128x!quant.uniform<i8:f32, 5.000000e-02:3>>, tensor<64x128x!quant.uniform<u8:f32, 1.000000e-01:128>>) -> tensor<64x128x!quant.uniform<u8:f32, 1.000000e-01:128>>
    ```
  }];
}

def TTIR_QuantizeUnrolledOp
    : TTIR_QuantOp<"quantize_unrolled",
                   "verifyUnrolled(*this, {getScale(), getZeroPoint()}, getAxis())",
                   (ins TT_Tensor:$scale, TT_Tensor:$zero_point),
                   (ins OptionalAttr<I32Attr>:$axis)> {
  let summary = "Quantization with scale and zero point as operands.";
  let description = [{
    round(x / scale) + zero point, ties to even, clamped to the range of the
    result's elements, which are integers or `!quant.uniform`. Scale and zero
    point have one element, or one for each index along `axis`.

    Constraints:
    - (C1) `axis` is in [-rank, rank), and the operands have its extent; without
      it they have one element.
    - (C2) input and output have one shape.

    Numerics: the quotient is computed in f32.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xsi8>
    %1 = "ttir.quantize_unrolled"(%a, %b, %c, %0) <{axis = 1 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x128xf32>, tensor<128xf32>, tensor<128xsi32>, tensor<64x128xsi8>) -> tensor<64x128xsi8>
    ```
  }];
}

def TTIR_DequantizeUnrolledOp
    : TTIR_QuantOp<"dequantize_unrolled",
                   "verifyUnrolled(*this, {getScale(), getZeroPoint()}, getAxis())",
                   (ins TT_Tensor:$scale, TT_Tensor:$zero_point),
                   (ins OptionalAttr<I32Attr>:$axis)> {
  let summary = "Dequantization with scale and zero point as operands.";
  let description = [{
    (x - zero point) * scale. Scale and zero point have one element, or one for
    each index along `axis`.

    Constraints:
    - (C1) `axis` is in [-rank, rank), and the operands have its extent; without
      it they have one element.
    - (C2) input and output have one shape.

    Numerics: the difference is exact, the product computed in f32.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.dequantize_unrolled"(%a, %b, %c, %0) <{axis = 1 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x128xsi8>, tensor<128xf32>, tensor<128xsi32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
}

def TTIR_RequantizeUnrolledOp
    : TTIR_QuantOp<"requantize_unrolled",
                   "verifyUnrolled(*this, {getInScale(), getInZeroPoint(), "
                       # "getOutScale(), getOutZeroPoint()}, getAxis())",
                   (ins TT_Tensor:$in_scale, TT_Tensor:$in_zero_point,
                        TT_Tensor:$out_scale, TT_Tensor:$out_zero_point),
                   (ins OptionalAttr<I32Attr>:$axis)> {
  let summary = "Requantization with scales and zero points as operands.";
  let description = [{
    round((x - in_zero_point) * (in_scale / out_scale)) + out_zero_point, ties
    to even, clamped to the range of the result's elements.

    Constraints:
    - (C1) `axis` is in [-rank, rank), and the operands have its extent; without
      it they have one element.
    - (C2) input and output have one shape.

    Numerics: the quotient of the scales and the product are computed in f32.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xsi8>
    %1 = "ttir.requantize_unrolled"(%a, %b, %c, %d, %e, %0) <{operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<64x128xsi8>, tensor<1xf32>, tensor<1xsi32>, tensor<1xf32>, tensor<1xsi32>, tensor<64x128xsi8>) -> tensor<64x128xsi8>
    ```
  }];
}

#endif
