//===- Neural network ops of the 'ttnn' dialect ---------------------------===//

#ifndef TTMLIR_TTNN_NN_OPS_TD
#define TTMLIR_TTNN_NN_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTNN/TTNNBase.td"

def TTNN_Conv2dOp : TTNN_DPSOp<"conv2d", [TTNN_HasActivation]> {
  let summary = "Two-dimensional convolution.";
  let description = [{
    As `ttir.conv2d`, with explicit extents; the weight may come from
    `ttnn.prepare_conv2d_weights`. `padding_height` is the top padding and
    `padding_width` the left one; bottom and right default to the same, unless
    `padding_bottom` or `padding_right` is given.

    Constraints:
    - (C1) those of `ttir.conv2d`.
    - (C2) the extents are those of the operands.
    - (C3) the bias has extent 1 except in its last dimension.

    Example:

    ```mlir
    %3 = "ttnn.conv2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#device>) -> tensor<1x32x32x64xbf16>
    ```
  }];
  let arguments = !con(
      (ins TT_Tensor:$input, TT_Tensor:$weight, Optional<TT_Tensor>:$bias,
           TT_Tensor:$output, TT_Device:$device, I32Attr:$in_channels,
           I32Attr:$out_channels, I32Attr:$batch_size, I32Attr:$input_height,
           I32Attr:$input_width, I32Attr:$kernel_height, I32Attr:$kernel_width,
           I32Attr:$stride_height, I32Attr:$stride_width,
           I32Attr:$padding_height, I32Attr:$padding_width,
           I32Attr:$dilation_height, I32Attr:$dilation_width, I32Attr:$groups,
           OptionalAttr<I32Attr>:$padding_bottom,
           OptionalAttr<I32Attr>:$padding_right),
      ComputeConfigArgument, ActivationArgument);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "Conv2dOp";
  let schemaMember = 13;
  let schemaFields = [
    "input=input", "weight=weight", "bias=bias", "out=result",
    "device=device", "in_channels: uint32", "out_channels: uint32",
    "batch_size: uint32", "input_height: uint32", "input_width: uint32",
    "kernel_height: uint32", "kernel_width: uint32", "stride_height: uint32",
    "stride_width: uint32", "padding_height: uint32", "padding_width: uint32",
    "dilation_height: uint32", "dilation_width: uint32", "groups: uint32",
    "padding_bottom: uint32", "padding_right: uint32"
  ];
  let hasVerifier = 1;
}

def TTNN_ScaledDotProductAttentionOp
    : TTNN_DPSOp<"scaled_dot_product_attention", [AttrSizedOperandSegments]> {
  let summary = "Scaled dot product attention.";
  let description = [{
    As `ttir.scaled_dot_product_attention`, with an explicit scale. The scores
    are never written: each core takes some queries of a head, goes through the
    keys in blocks and keeps a running maximum and sum. It skips blocks that
    `is_causal`, `positions` and `sliding_window_size` hide.

    Constraints:
    - (C1) those of `ttir.scaled_dot_product_attention`.
    - (C2) query, key, value and output have floats.

    Numerics: as `ttir.scaled_dot_product_attention`.

    Example:

    ```mlir
    %1 = "ttnn.scaled_dot_product_attention"(%a, %b, %c, %0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, scale = 1.250000e-01 : f32}> : (tensor<1x8x64x64xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>, tensor<1x8x64x64xbf16>) -> tensor<1x8x64x64xbf16>
    ```
  }];
  let arguments = !con(
      (ins TT_Tensor:$query, TT_Tensor:$key, TT_Tensor:$value,
           Optional<TT_Tensor>:$attention_mask,
           Optional<TT_Tensor>:$attention_sink, Optional<TT_Tensor>:$positions,
           Optional<TT_Tensor>:$page_table, TT_Tensor:$output,
           BoolAttr:$is_causal, F32Attr:$scale,
           OptionalAttr<UI32Attr>:$sliding_window_size),
      ComputeConfigArgument);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "ScaledDotProductAttentionOp";
  let schemaMember = 47;
  let schemaFields = [
    "query=query", "key=key", "value=value", "attention_mask=attention_mask",
    "attention_sink=attention_sink", "out=result", "is_causal=is_causal",
    "scale=scale", "sliding_window_size=sliding_window_size",
    "positions=positions", "page_table=page_table"
  ];
  let hasVerifier = 1;
}

def TTNN_SplitQueryKeyValueAndSplitHeadsOp
    : TTNN_Op<"split_query_key_value_and_split_heads",
              [DestinationStyleOpInterface]> {
  let summary = "Split of a projection into queries, keys and values by head.";
  let description = [{
    As `ttir.split_query_key_value_and_split_heads`, with a destination for each
    of the three results. Where the width of a head is a multiple of 32, whole
    tiles are moved; transposed keys are transposed on the way.

    Constraints:
    - (C1) those of `ttir.split_query_key_value_and_split_heads`.

    Numerics: exact.

    Example:

    ```mlir
    %3:3 = "ttnn.split_query_key_value_and_split_heads"(%a, %0, %1, %2) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = true}> : (tensor<2x40x768xbf16>, tensor<2x8x40x64xbf16>, tensor<2x2x64x40xbf16>, tensor<2x2x40x64xbf16>) -> (tensor<2x8x40x64xbf16>, tensor<2x2x64x40xbf16>, tensor<2x2x40x64xbf16>)
    ```
  }];
  let arguments =
      (ins TT_Tensor:$input_tensor, Optional<TT_Tensor>:$kv_input_tensor,
           TT_Tensor:$query_output, TT_Tensor:$key_output,
           TT_Tensor:$value_output, UI32Attr:$num_heads,
           OptionalAttr<UI32Attr>:$num_kv_heads, BoolAttr:$transpose_key);
  let results = (outs TT_Tensor:$query, TT_Tensor:$key, TT_Tensor:$value);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return {getOperation(), getODSOperandIndexAndLength(2).first, 3};
    }
  }];
  let schemaTable = "SplitQueryKeyValueAndSplitHeadsOp";
  let schemaMember = 48;
  let schemaFields = [
    "input_tensor=input_tensor", "kv_input_tensor=kv_input_tensor",
    "query=query", "key=key", "value=value", "num_heads=num_heads",
    "num_kv_heads=num_kv_heads", "transpose_key=transpose_key"
  ];
  let hasVerifier = 1;
}

def TTNN_ConcatenateHeadsOp : TTNN_DPSOp<"concatenate_heads"> {
  let summary = "Concatenation of attention heads.";
  let description = [{
    As `ttir.concatenate_heads`. Where the width of a head is a multiple of 32,
    whole tiles are moved.

    Constraints:
    - (C1) those of `ttir.concatenate_heads`.

    Numerics: exact.

    Example:

    ```mlir
    %1 = "ttnn.concatenate_heads"(%a, %0) : (tensor<2x4x40x64xbf16>, tensor<2x40x256xbf16>) -> tensor<2x40x256xbf16>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "ConcatenateHeadsOp";
  let schemaMember = 49;
  let schemaFields = ["in=input", "out=result"];
  let hasVerifier = 1;
}

def TTNN_RotaryEmbeddingOp : TTNN_DPSOp<"rotary_embedding"> {
  let summary = "Rotary position embedding of attention heads.";
  let description = [{
    As `ttir.rotary_embedding`, in one pass: each core takes rows of tiles,
    negates the second half of their columns, multiplies the rows by `cos_cache`
    and the rows with swapped halves by `sin_cache`, and adds the products. If
    the head dimension is a multiple of 64, halves are moved as whole tiles.

    Constraints:
    - (C1) those of `ttir.rotary_embedding`.

    Numerics: products and sum are computed in f32, and the result is rounded
    once. With exact numerics, each product is rounded to the width of the
    destination before the addition: 16 bits unless the result is f32.

    Example:

    ```mlir
    %1 = "ttnn.rotary_embedding"(%a, %b, %c, %0) : (tensor<2x8x40x64xbf16>, tensor<1x1x40x64xbf16>, tensor<1x1x40x64xbf16>, tensor<2x8x40x64xbf16>) -> tensor<2x8x40x64xbf16>
    ```
  }];
  let arguments = !con((ins TT_Tensor:$input, TT_Tensor:$cos_cache,
                            TT_Tensor:$sin_cache, TT_Tensor:$output),
                       ComputeConfigArgument);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "RotaryEmbeddingOp";
  let schemaMember = 50;
  let schemaFields = ["in=input", "cos_cache=cos_cache", "sin_cache=sin_cache",
                      "out=result"];
  let hasVerifier = 1;
}

class TTNN_Pool2dOp<string mnemonic, string table, int member, string what,
                    string numerics, dag more = (ins),
                    list<string> moreFields = [], string exampleBefore = "">
    : TTNN_DPSOp<mnemonic> {
  let summary = "Two-dimensional " # what # " over a window.";
  let description = [{
    As `ttir.}] # mnemonic # [{` on (1, 1, N*H*W, C), with explicit extents.
    `padding_height` is the top padding and `padding_width` the left one; bottom
    and right default to the same, unless `padding_bottom` or `padding_right` is
    given.

    Constraints:
    - (C1) the kernel is not larger than height and width.
    - (C2) the input is (1, 1, batch_size * input_height * input_width,
      channels).
    - (C3) kernel, strides and dilations are positive, paddings are not
      negative.
    - (C4) the output is (1, 1, batch_size * OH * OW, channels).

    Numerics: }] # numerics # [{

    Example:

    ```mlir
    %2 = "ttnn.}] # mnemonic # [{"(%1, %0, %device) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, }]
      # exampleBefore # [{dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x16384x32xbf16>, tensor<1x1x4096x32xbf16>, !tt.device<#device>) -> tensor<1x1x4096x32xbf16>
    ```
  }];
  let arguments = !con(
      (ins TT_Tensor:$input, TT_Tensor:$output, TT_Device:$device,
           SI32Attr:$batch_size, SI32Attr:$input_height, SI32Attr:$input_width,
           SI32Attr:$channels, SI32Attr:$kernel_height, SI32Attr:$kernel_width,
           SI32Attr:$stride_height, SI32Attr:$stride_width,
           SI32Attr:$dilation_height, SI32Attr:$dilation_width,
           BoolAttr:$ceil_mode, SI32Attr:$padding_height,
           SI32Attr:$padding_width),
      more,
      (ins OptionalAttr<SI32Attr>:$padding_bottom,
           OptionalAttr<SI32Attr>:$padding_right),
      ComputeConfigArgument);
  let results = (outs TT_Tensor:$result);
  let schemaTable = table;
  let schemaMember = member;
  let schemaFields = !listconcat([
    "in=input", "out=result", "device=device", "batch_size: uint32",
    "input_height: uint32", "input_width: uint32",
    "channels: uint32", "kernel_height: uint32",
    "kernel_width: uint32", "stride_height: uint32",
    "stride_width: uint32", "dilation_height: uint32",
    "dilation_width: uint32", "ceil_mode=ceil_mode",
    "padding_height: uint32", "padding_width: uint32",
    "padding_bottom: uint32", "padding_right: uint32"
  ], moreFields);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::ttnn::verifyPool2d(*this);
    }
  }];
}

def TTNN_MaxPool2dOp
    : TTNN_Pool2dOp<"max_pool2d", "MaxPool2dOp", 16, "maximum",
                    "exact; padding never wins.">;

def TTNN_AvgPool2dOp
    : TTNN_Pool2dOp<"avg_pool2d", "AvgPool2dOp", 32, "mean",
                    "accumulated in f32, rounded once to the result's format. "
                    "With `count_include_pad` the padding counts as zeros.",
                    (ins BoolAttr:$count_include_pad),
                    ["count_include_pad=count_include_pad"],
                    "count_include_pad = true, ">;

def TTNN_ConvTranspose2dOp : TTNN_DPSOp<"conv_transpose2d"> {
  let summary = "Transposed two-dimensional convolution.";
  let description = [{
    As `ttir.conv_transpose2d`, with explicit extents.

    Constraints:
    - (C1) those of `ttir.conv_transpose2d`.
    - (C2) the extents are those of the operands.

    Numerics: as `ttir.conv_transpose2d`.

    Example:

    ```mlir
    %3 = "ttnn.conv_transpose2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 2, 2>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>, !tt.device<#device>) -> tensor<1x32x32x8xbf16>
    ```
  }];
  let arguments = !con(
      (ins TT_Tensor:$input, TT_Tensor:$weight, Optional<TT_Tensor>:$bias,
           TT_Tensor:$output, TT_Device:$device, I32Attr:$in_channels,
           I32Attr:$out_channels, I32Attr:$batch_size, I32Attr:$input_height,
           I32Attr:$input_width, DenseI32ArrayAttr:$kernel_size,
           DenseI32ArrayAttr:$stride, DenseI32ArrayAttr:$padding,
           DenseI32ArrayAttr:$output_padding, DenseI32ArrayAttr:$dilation,
           I32Attr:$groups),
      ComputeConfigArgument);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "ConvTranspose2dOp";
  let schemaMember = 33;
  let schemaFields = [
    "input=input", "weight=weight", "bias=bias", "out=result",
    "device=device", "in_channels: uint32", "out_channels: uint32",
    "batch_size: uint32", "input_height: uint32",
    "input_width: uint32", "kernel_size=kernel_size", "stride=stride",
    "padding=padding", "output_padding=output_padding", "dilation=dilation",
    "groups: uint32"
  ];
  let hasVerifier = 1;
}

def TTNN_UpsampleOp : TTNN_DPSOp<"upsample"> {
  let summary = "Upsampling of images.";
  let description = [{
    As `ttir.upsample`, with its constraints and both scale factors.

    Numerics: as `ttir.upsample`.

    Example:

    ```mlir
    %2 = "ttnn.upsample"(%1, %0) <{mode = "bilinear", scale_factor = array<i32: 2, 2>}> : (tensor<1x32x32x3xf32>, tensor<1x64x64x3xf32>) -> tensor<1x64x64x3xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output,
                       DenseI32ArrayAttr:$scale_factor,
                       DefaultValuedAttr<StrAttr, "\"nearest\"">:$mode);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "UpsampleOp";
  let schemaMember = 34;
  let schemaFields = ["in=input", "out=result", "scale_factor=scale_factor",
                      "mode=upsampleMode(mode)"];
  let hasVerifier = 1;
}

#endif
