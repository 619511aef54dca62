//===- Neural network ops of the 'ttir' dialect ---------------------------===//

#ifndef TTMLIR_TTIR_NN_OPS_TD
#define TTMLIR_TTIR_NN_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTIR/TTIRBase.td"

def TTIR_Conv2dOp : TTIR_InferredOp<"conv2d"> {
  let summary = "Two-dimensional convolution.";
  let description = [{
    Convolves the input (N, H, W, C), or (H, W, C), with `weight` (O, C /
    groups, KH, KW) and adds `bias` (1, 1, 1, O) if given. If `kernel_size`
    (KH, KW) is given, the weight comes from `ttir.prepare_conv2d_weights`.

    Constraints:
    - (C1) the input has rank >= 3, the weight rank 4, the bias rank 4.
    - (C2) strides, dilations and `groups` are positive, paddings are not
      negative.
    - (C3) the groups divide both numbers of channels; the weight has the
      input's channels divided by them; the bias is (1, 1, 1, O).
    - (C4) an output extent is (input + paddings - dilation * (kernel - 1) - 1)
      / stride + 1, rounded down, and positive.
    - (C5) `kernel_size` has two positive entries, and the weight then is (1, 1,
      KH * KW * C / groups, O).

    Numerics: products are accumulated in f32, rounded once to the result's
    format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x32x32x64xbf16>
    %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$weight,
                       Optional<TT_Tensor>:$bias, TT_Tensor:$output,
                       SI32Attr:$stride_height, SI32Attr:$stride_width,
                       SI32Attr:$dilation_height, SI32Attr:$dilation_width,
                       SI32Attr:$groups, SI32Attr:$padding_left,
                       SI32Attr:$padding_right, SI32Attr:$padding_top,
                       SI32Attr:$padding_bottom,
                       OptionalAttr<DenseI32ArrayAttr>:$kernel_size,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

/// An op that slides a window over a tensor.
class TTIR_Pool2dOp<string mnemonic, string what, string numerics,
                    dag more = (ins), string exampleBefore = "">
    : TTIR_InferredOp<mnemonic> {
  let summary = "Two-dimensional " # what # " over a window.";
  let description = [{
    The }] # what # [{ over a window of `kernel_height` x `kernel_width` that
    slides over the input (N, H, W, C). `original_height` and `original_width` are
    H and W when the input has been reshaped to (1, 1, N*H*W, C); the output is
    then (1, 1, N*OH*OW, C).

    Constraints:
    - (C1) the input has rank 4.
    - (C2) `original_height` and `original_width` are both there or neither.
    - (C3) the kernel is not larger than the (original) height and width.
    - (C4) kernel, strides and dilations are positive, paddings are not negative.
    - (C5) an output extent is (input + paddings - dilation * (kernel - 1) - 1) /
      stride + 1, rounded down, or up with `ceil_mode`, where a window that would
      begin in the far padding is dropped.

    Numerics: }] # numerics # [{

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x64x64x32xbf16>
    %1 = "ttir.}] # mnemonic # [{"(%a, %0) <{ceil_mode = false, }]
      # exampleBefore # [{dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x128x128x32xbf16>, tensor<1x64x64x32xbf16>) -> tensor<1x64x64x32xbf16>
    ```
  }];
  let arguments = !con(
      (ins TT_Tensor:$input, TT_Tensor:$output,
           SI32Attr:$kernel_height, SI32Attr:$kernel_width,
           SI32Attr:$stride_height, SI32Attr:$stride_width,
           SI32Attr:$dilation_height, SI32Attr:$dilation_width,
           BoolAttr:$ceil_mode, SI32Attr:$padding_left,
           SI32Attr:$padding_right, SI32Attr:$padding_top,
           SI32Attr:$padding_bottom),
      more,
      (ins TT_OperandConstraintArrayAttr:$operand_constraints,
           OptionalAttr<SI32Attr>:$original_height,
           OptionalAttr<SI32Attr>:$original_width));
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::shapes::expectShape(*this, inferShape(),
                                             getOutput().getType());
    }
    ::llvm::FailureOr<::mlir::tt::shapes::Shape> $cppClass::inferShape() {
      return ::mlir::tt::ttir::inferPool2d(*this);
    }
  }];
}

def TTIR_MaxPool2dOp
    : TTIR_Pool2dOp<"max_pool2d", "maximum", "exact; padding never wins.">;

def TTIR_AvgPool2dOp
    : TTIR_Pool2dOp<"avg_pool2d", "mean",
                    "accumulated in f32, rounded once to the result's format. "
                    "With `count_include_pad` the padding counts as zeros.",
                    (ins BoolAttr:$count_include_pad),
                    "count_include_pad = true, ">;

def TTIR_ConvTranspose2dOp : TTIR_InferredOp<"conv_transpose2d"> {
  let summary = "Transposed two-dimensional convolution.";
  let description = [{
    The gradient of a convolution with respect to its input: spreads each
    element of the input (N, H, W, C), times `weight` (C, O / groups, KH, KW),
    over the output, and adds `bias` (1, 1, 1, O) if given. `stride`, `dilation`
    and `output_padding` are those of the height and the width; `padding` has
    top, left, bottom and right, which are cut off.

    Constraints:
    - (C1) input and weight have rank 4, the bias too.
    - (C2) strides, dilations and `groups` are positive, paddings are not
      negative.
    - (C3) the groups divide both numbers of channels; the weight has the
      input's channels; the bias is (1, 1, 1, O).
    - (C4) an output extent is (input - 1) * stride - paddings + dilation *
      (kernel - 1) + 1 + output_padding, and positive.

    Numerics: products are accumulated in f32, rounded once to the result's
    format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x32x32x8xbf16>
    %1 = "ttir.conv_transpose2d"(%a, %w, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>) -> tensor<1x32x32x8xbf16>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$weight,
                       Optional<TT_Tensor>:$bias, TT_Tensor:$output,
                       DenseI32ArrayAttr:$stride, DenseI32ArrayAttr:$padding,
                       DenseI32ArrayAttr:$output_padding,
                       DenseI32ArrayAttr:$dilation, I32Attr:$groups,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTIR_UpsampleOp : TTIR_InferredOp<"upsample"> {
  let summary = "Upsampling of images.";
  let description = [{
    Multiplies height and width of the input (N, H, W, C) by `scale_factor`: one
    number for both, or one for each. `mode` is `nearest`, or `bilinear` between
    the centres of elements.

    Constraints:
    - (C1) input and output have rank 4; there are one or two positive scale
      factors.
    - (C2) the output has the input's shape with H and W multiplied.
    - (C3) `mode` is `nearest` or `bilinear`.

    Numerics: `nearest` is exact; `bilinear` is computed in f32 and rounded once
    to the result's format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x64x64x3xf32>
    %1 = "ttir.upsample"(%a, %0) <{mode = "bilinear", operand_constraints = [#any, #any], scale_factor = array<i32: 2, 2>}> : (tensor<1x32x32x3xf32>, tensor<1x64x64x3xf32>) -> tensor<1x64x64x3xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output,
                       AnyAttrOf<[SI32Attr, DenseI32ArrayAttr]>:$scale_factor,
                       DefaultValuedAttr<StrAttr, "\"nearest\"">:$mode,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

#endif
