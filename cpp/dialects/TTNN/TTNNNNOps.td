//===- Neural network ops of the 'ttnn' dialect ---------------------------===//

#ifndef TTMLIR_TTNN_NN_OPS_TD
#define TTMLIR_TTNN_NN_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTNN/TTNNBase.td"

def TTNN_EmbeddingOp : TTNN_DPSOp<"embedding"> {
  let summary = "Rows of a table by index.";
  let description = [{
    As `ttir.embedding`, with its constraints.

    Example:

    ```mlir
    %3 = "ttnn.embedding"(%1, %2, %0) : (tensor<1x32xi32>, tensor<512x128xbf16>, tensor<1x32x128xbf16>) -> tensor<1x32x128xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$weight,
                       AnyRankedTensor:$output);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "EmbeddingOp";
  let schemaFields = ["input=input", "weight=weight", "output=result"];
  let hasVerifier = 1;
}

def TTNN_SoftmaxOp : TTNN_DPSOp<"softmax"> {
  let summary = "Normalised exponentials along a dimension.";
  let description = [{
    As `ttir.softmax`, with its constraints.

    Example:

    ```mlir
    %2 = "ttnn.softmax"(%1, %0) <{dimension = -1 : si32}> : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       SI32Attr:$dimension);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "SoftmaxOp";
  let schemaFields = ["in=input", "out=result", "dimension=dimension"];
  let hasVerifier = 1;
}

def TTNN_Conv2dOp : TTNN_DPSOp<"conv2d"> {
  let summary = "Two-dimensional convolution.";
  let description = [{
    As `ttir.conv2d`, with the extents written out and one padding for both sides
    of a dimension.

    Constraints:
    - (C1) the input has rank >= 3, the weight rank 4, the bias rank 4.
    - (C2) the bias has extent 1 but for its last dimension.

    Example:

    ```mlir
    %3 = "ttnn.conv2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#device>) -> tensor<1x32x32x64xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$weight,
                       Optional<AnyRankedTensor>:$bias, AnyRankedTensor:$output,
                       TT_Device:$device, I32Attr:$in_channels,
                       I32Attr:$out_channels, I32Attr:$batch_size,
                       I32Attr:$input_height, I32Attr:$input_width,
                       I32Attr:$kernel_height, I32Attr:$kernel_width,
                       I32Attr:$stride_height, I32Attr:$stride_width,
                       I32Attr:$padding_height, I32Attr:$padding_width,
                       I32Attr:$dilation_height, I32Attr:$dilation_width,
                       I32Attr:$groups);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "Conv2dOp";
  let schemaFields = [
    "input=input", "weight=weight", "bias=bias", "out=result",
    "device=device", "in_channels=in_channels", "out_channels=out_channels",
    "batch_size=batch_size", "input_height=input_height",
    "input_width=input_width", "kernel_height=kernel_height",
    "kernel_width=kernel_width", "stride_height=stride_height",
    "stride_width=stride_width", "padding_height=padding_height",
    "padding_width=padding_width", "dilation_height=dilation_height",
    "dilation_width=dilation_width", "groups=groups"
  ];
  let hasVerifier = 1;
}

def TTNN_MaxPool2dOp : TTNN_DPSOp<"max_pool2d"> {
  let summary = "Two-dimensional maximum over a window.";
  let description = [{
    As `ttir.max_pool2d` of an input (1, 1, N*H*W, C), with the extents written
    out and one padding for both sides of a dimension.

    Constraints:
    - (C1) the kernel is not larger than the input's height and width.
    - (C2) the input has rank 4 and the shape (1, 1, N*H*W, C).

    Example:

    ```mlir
    %2 = "ttnn.max_pool2d"(%1, %0, %device) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x16384x32xbf16>, tensor<1x1x4096x32xbf16>, !tt.device<#device>) -> tensor<1x1x4096x32xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       TT_Device:$device, SI32Attr:$batch_size,
                       SI32Attr:$input_height, SI32Attr:$input_width,
                       SI32Attr:$channels, SI32Attr:$kernel_height,
                       SI32Attr:$kernel_width, SI32Attr:$stride_height,
                       SI32Attr:$stride_width, SI32Attr:$dilation_height,
                       SI32Attr:$dilation_width, BoolAttr:$ceil_mode,
                       SI32Attr:$padding_height, SI32Attr:$padding_width);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "MaxPool2dOp";
  let schemaFields = [
    "in=input", "out=result", "device=device", "batch_size=batch_size",
    "input_height=input_height", "input_width=input_width",
    "channels=channels", "kernel_height=kernel_height",
    "kernel_width=kernel_width", "stride_height=stride_height",
    "stride_width=stride_width", "dilation_height=dilation_height",
    "dilation_width=dilation_width", "ceil_mode=ceil_mode",
    "padding_height=padding_height", "padding_width=padding_width"
  ];
  let hasVerifier = 1;
}

#endif
