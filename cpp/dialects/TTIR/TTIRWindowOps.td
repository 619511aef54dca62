//===- Ops of the 'ttir' dialect that slide windows over tensors -----------===//
//
// They are made of others, see Composites/Convolutions.cpp, Windows.cpp and
// Resize.cpp.

#ifndef TTMLIR_TTIR_WINDOW_OPS_TD
#define TTMLIR_TTIR_WINDOW_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTIR/TTIRBase.td"

//===----------------------------------------------------------------------===//
// Composites/Convolutions.cpp
//===----------------------------------------------------------------------===//

defvar TTIR_ConvNumerics = [{
    Numerics: products of floats are accumulated in f32 and rounded once to the
    result's format; those of integers are exact modulo 2^32, of which the
    result keeps the low bits.}];

def TTIR_ConvolutionOp : TTIR_CompositeOp<"convolution",
    (ins TT_Tensor:$input, TT_Tensor:$weight),
    (ins DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
         DenseI64ArrayAttr:$input_dilation, DenseI64ArrayAttr:$weight_dilation,
         DenseI64ArrayAttr:$input_dims, DenseI64ArrayAttr:$weight_dims,
         DenseI64ArrayAttr:$output_dims,
         DefaultValuedAttr<I64Attr, "1">:$groups,
         DefaultValuedAttr<I64Attr, "1">:$batch_groups)> {
  let summary = "Convolution over any number of dimensions.";
  let description = [{
    Convolves `input` with `weight` over n spatial dimensions. `input_dims` are
    the positions of batch, channels and spatial dimensions in the input,
    `weight_dims` those of output channels, input channels and spatial
    dimensions in the weight, `output_dims` those of batch, channels and spatial
    dimensions in the output. `padding` has the elements before and after each
    spatial dimension; negative ones are cut off. The elements of the input are
    separated by `input_dilation` - 1 zeros, those of the weight by
    `weight_dilation` - 1. With `groups`, each group of output channels only
    sees its group of input channels; with `batch_groups`, each group of output
    channels only sees its part of the batch.

    Constraints:
    - (C1) `input`, `weight` and the output have rank n + 2, and the three lists
      of positions are permutations of their dimensions.
    - (C2) `stride`, `input_dilation` and `weight_dilation` have n positive
      entries, `padding` has 2n.
    - (C3) `groups` and `batch_groups` are positive, and one of them is 1.
    - (C4) `groups` divide the channels of input and output, `batch_groups` the
      batch and the channels of the output; the weight has the input's channels
      divided by `groups`.
    - (C5) an output extent is (input + paddings - kernel) / stride + 1 of the
      dilated input and the dilated kernel, rounded down, and positive.
    - (C6) all tensors have floats or all have integers.

    }] # TTIR_ConvNumerics # [{

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x8x16x16xf32>
    %1 = "ttir.convolution"(%a, %b, %0) <{batch_groups = 1 : i64, groups = 2 : i64, input_dilation = array<i64: 1, 1>, input_dims = array<i64: 0, 1, 2, 3>, operand_constraints = [#any, #any, #any], output_dims = array<i64: 0, 1, 2, 3>, padding = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, weight_dilation = array<i64: 1, 1>, weight_dims = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x16x16xf32>, tensor<8x2x3x3xf32>, tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
    ```
  }];
}

def TTIR_Conv1dOp : TTIR_CompositeOp<"conv1d",
    (ins TT_Tensor:$input, TT_Tensor:$weight, Optional<TT_Tensor>:$bias),
    (ins DenseI32ArrayAttr:$stride, DenseI32ArrayAttr:$padding,
         DenseI32ArrayAttr:$dilation, DefaultValuedAttr<I32Attr, "1">:$groups,
         DefaultValuedAttr<I64Attr, "0">:$batch_dim,
         DefaultValuedAttr<I64Attr, "1">:$length_dim,
         DefaultValuedAttr<I64Attr, "2">:$channel_dim)> {
  let summary = "One-dimensional convolution.";
  let description = [{
    Convolves the input, whose batch, length and channels are the dimensions
    `batch_dim`, `length_dim` and `channel_dim`, with `weight` (O, C / groups,
    K) and adds `bias` of O elements if given. The output has the dimension
    order of the input. `padding` is one number for both sides, or one for each.

    Constraints:
    - (C1) `stride` and `dilation` have one entry, `padding` one or two.
    - (C2) the bias has the elements of the output's channels.
    - (C3) those of `ttir.convolution`.

    }] # TTIR_ConvNumerics # [{

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x32x8xf32>
    %1 = "ttir.conv1d"(%a, %b, %0) <{batch_dim = 0 : i64, channel_dim = 2 : i64, dilation = array<i32: 1>, groups = 1 : i32, length_dim = 1 : i64, operand_constraints = [#any, #any, #any], padding = array<i32: 1>, stride = array<i32: 1>}> : (tensor<2x32x4xf32>, tensor<8x4x3xf32>, tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
    ```
  }];
}

def TTIR_Conv3dOp : TTIR_CompositeOp<"conv3d",
    (ins TT_Tensor:$input, TT_Tensor:$weight, Optional<TT_Tensor>:$bias),
    (ins DenseI32ArrayAttr:$stride, DenseI32ArrayAttr:$padding,
         DefaultValuedAttr<I32Attr, "1">:$groups,
         DefaultValuedAttr<I64Attr, "0">:$batch_dim,
         DefaultValuedAttr<I64Attr, "1">:$depth_dim,
         DefaultValuedAttr<I64Attr, "2">:$height_dim,
         DefaultValuedAttr<I64Attr, "3">:$width_dim,
         DefaultValuedAttr<I64Attr, "4">:$channel_dim,
         DefaultValuedAttr<StrAttr, "\"zeros\"">:$padding_mode)> {
  let summary = "Three-dimensional convolution.";
  let description = [{
    Convolves the input, whose batch, depth, height, width and channels are the
    dimensions given by the attributes, with `weight` (O, C / groups, KD, KH,
    KW) and adds `bias` of O elements if given. The output has the dimension
    order of the input. `stride` and `padding` are those of depth, height and
    width; `padding` has one number for both sides of each, or one for each
    side.

    Constraints:
    - (C1) `stride` has three entries, `padding` three or six.
    - (C2) `padding_mode` is `zeros`.
    - (C3) the bias has the elements of the output's channels.
    - (C4) those of `ttir.convolution`.

    }] # TTIR_ConvNumerics # [{

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x4x8x8x8xf32>
    %1 = "ttir.conv3d"(%a, %b, %0) <{batch_dim = 0 : i64, channel_dim = 4 : i64, depth_dim = 1 : i64, groups = 1 : i32, height_dim = 2 : i64, operand_constraints = [#any, #any, #any], padding = array<i32: 1, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>, width_dim = 3 : i64}> : (tensor<1x4x8x8x4xf32>, tensor<8x4x3x3x3xf32>, tensor<1x4x8x8x8xf32>) -> tensor<1x4x8x8x8xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composites/Windows.cpp
//===----------------------------------------------------------------------===//

def TTIR_ReduceWindowOp : TTIR_CompositeOp<"reduce_window",
    (ins TT_Tensor:$input),
    (ins StrAttr:$kind, DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$stride,
         DenseI64ArrayAttr:$base_dilation, DenseI64ArrayAttr:$window_dilation,
         DenseI64ArrayAttr:$padding)> {
  let summary = "Sum, product, maximum or minimum over windows.";
  let description = [{
    Slides a window of the extents `window` over all dimensions of the input,
    and combines its elements by `kind`: `sum`, `prod`, `max` or `min`. The
    elements of the input are separated by `base_dilation` - 1 gaps, those of
    the window by `window_dilation` - 1. `padding` has the gaps before and after
    each dimension; negative ones are elements that are cut off. Gaps count as 0
    in a sum and as 1 in a product, and are ignored by a maximum or minimum.

    Constraints:
    - (C1) `window`, `stride`, `base_dilation` and `window_dilation` have a
      positive entry for each dimension, `padding` has two.
    - (C2) `kind` is `sum`, `prod`, `max` or `min`.
    - (C3) an output extent is (input + paddings - window) / stride + 1 of the
      dilated input and the dilated window, rounded down, and positive.

    Numerics: float sums and products are computed in f32 and rounded once to
    the result's format, integer ones modulo the range of the format; maxima and
    minima are exact, NaN if an element is NaN.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x16x16x8xf32>
    %1 = "ttir.reduce_window"(%a, %0) <{base_dilation = array<i64: 1, 1, 1, 1>, kind = "max", operand_constraints = [#any, #any], padding = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>, stride = array<i64: 1, 2, 2, 1>, window = array<i64: 1, 3, 3, 1>, window_dilation = array<i64: 1, 1, 1, 1>}> : (tensor<1x32x32x8xf32>, tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    ```
  }];
}

def TTIR_SelectAndScatterOp : TTIR_CompositeOp<"select_and_scatter",
    (ins TT_Tensor:$operand, TT_Tensor:$source),
    (ins StrAttr:$kind, DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$stride,
         DenseI64ArrayAttr:$padding)> {
  let summary = "Scatter of elements to the maximum or minimum of windows.";
  let description = [{
    The gradient of a pooling op: each element of `source` belongs to a window
    over `operand`, and is added to the output, which is 0 otherwise, at the
    window's first maximum, or with `kind` = `min` at its first minimum.
    `padding` has the elements before and after each dimension, which never win
    against a finite number.

    Constraints:
    - (C1) `window` and `stride` have a positive entry for each dimension,
      `padding` two that are not negative.
    - (C2) `kind` is `max` or `min`.
    - (C3) `source` has an element for each window; the output has the shape of
      `operand`.
    - (C4) a window has at most 4096 elements.

    Numerics: float sums are computed in f32 and rounded once to the result's
    format, integer sums modulo the range of the format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x16x16x8xf32>
    %1 = "ttir.select_and_scatter"(%a, %b, %0) <{kind = "max", operand_constraints = [#any, #any, #any], padding = array<i64: 0, 0, 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 2, 2, 1>, window = array<i64: 1, 2, 2, 1>}> : (tensor<1x16x16x8xf32>, tensor<1x8x8x8xf32>, tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    ```
  }];
}

def TTIR_MaxPool2dWithIndicesOp : TTIR_CompositeOp<"max_pool2d_with_indices",
    (ins TT_Tensor:$input),
    (ins DenseI32ArrayAttr:$kernel, DenseI32ArrayAttr:$stride,
         DenseI32ArrayAttr:$dilation, DenseI32ArrayAttr:$padding,
         BoolAttr:$ceil_mode), /*several=*/1> {
  let summary = "Two-dimensional maximum over a window, with its position.";
  let description = [{
    The maximum over a window that slides over height and width of the input (N,
    H, W, C), and its position, row * W + column of the first maximum. If
    elements are NaN, the last one is the maximum. `padding` has height and
    width, or top, left, bottom and right.

    Constraints:
    - (C1) the input has rank 4; there are two results, the second of integers.
    - (C2) `kernel`, `stride` and `dilation` have two positive entries,
      `padding` two or four that are not negative.
    - (C3) an output extent is that of `ttir.max_pool2d`.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x8x8x4xf32>
    %1 = tensor.empty() : tensor<1x8x8x4xsi32>
    %2:2 = "ttir.max_pool2d_with_indices"(%a, %0, %1) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, operand_constraints = [#any, #any, #any], padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x4xf32>, tensor<1x8x8x4xf32>, tensor<1x8x8x4xsi32>) -> (tensor<1x8x8x4xf32>, tensor<1x8x8x4xsi32>)
    ```
  }];
  let builder = 0;
}

def TTIR_GlobalAvgPool2dOp
    : TTIR_CompositeOp<"global_avg_pool2d", (ins TT_Tensor:$input)> {
  let summary = "Two-dimensional mean of whole images.";
  let description = [{
    The mean over height and width of the input (N, H, W, C), which keeps them as
    dimensions of extent 1.

    Constraints:
    - (C1) the input has rank 4.

    Numerics: accumulated in f32, rounded once to the result's format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x1x1x64xf32>
    %1 = "ttir.global_avg_pool2d"(%a, %0) <{operand_constraints = [#any, #any]}> : (tensor<1x7x7x64xf32>, tensor<1x1x1x64xf32>) -> tensor<1x1x1x64xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composites/Resize.cpp
//===----------------------------------------------------------------------===//

def TTIR_ResizeOp : TTIR_CompositeOp<"resize", (ins TT_Tensor:$input),
    (ins DenseI64ArrayAttr:$sizes, StrAttr:$mode,
         DefaultValuedAttr<StrAttr, "\"half_pixel\"">:$coordinates,
         DefaultValuedAttr<StrAttr, "\"round_prefer_floor\"">:$nearest,
         DefaultValuedAttr<F32Attr, "-0.75f">:$cubic_coefficient,
         DefaultValuedAttr<BoolAttr, "false">:$exclude_outside,
         DefaultValuedAttr<BoolAttr, "false">:$antialias,
         OptionalAttr<DenseF32ArrayAttr>:$scales,
         OptionalAttr<DenseF32ArrayAttr>:$region,
         DefaultValuedAttr<F32Attr, "0.0f">:$extrapolation)> {
  let summary = "Interpolation of a tensor to other extents.";
  let description = [{
    Resizes the input to the extents `sizes`, like ONNX's Resize. `coordinates`
    maps an element of the output to the input: `half_pixel`,
    `half_pixel_symmetric`, `pytorch_half_pixel`, `align_corners`, `asymmetric`
    or `tf_crop_and_resize`. `mode` is `nearest`, `linear` or `cubic`; `nearest`
    rounds a position by `round_prefer_floor`, `round_prefer_ceil`, `floor` or
    `ceil`; `cubic` has the coefficient `cubic_coefficient`. With
    `exclude_outside`, weights beyond the edge are 0 and the others add up to 1;
    otherwise the edge continues. `antialias` widens linear and cubic weights
    when the output is smaller. `scales` are the factors if they differ from
    those of the extents. `tf_crop_and_resize` takes the `region` of the input,
    the starts of all dimensions and then their ends as fractions of it, and
    returns `extrapolation` beyond the input.

    Constraints:
    - (C1) `sizes` has a positive entry for each dimension, and so has `scales`;
      `region` has two, and is given for `tf_crop_and_resize` only.
    - (C2) `mode`, `coordinates` and `nearest` are among those above.

    Numerics: `nearest` is exact; others are computed in f32, dimension by
    dimension, and rounded once to the result's format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x24x24x3xf32>
    %1 = "ttir.resize"(%a, %0) <{antialias = false, coordinates = "half_pixel", cubic_coefficient = -7.500000e-01 : f32, exclude_outside = false, extrapolation = 0.000000e+00 : f32, mode = "linear", nearest = "round_prefer_floor", operand_constraints = [#any, #any], sizes = array<i64: 1, 24, 24, 3>}> : (tensor<1x16x16x3xf32>, tensor<1x24x24x3xf32>) -> tensor<1x24x24x3xf32>
    ```
  }];
  let builder = 0;
}

//===----------------------------------------------------------------------===//
// Composites/Activations.cpp
//===----------------------------------------------------------------------===//

def TTIR_ClampTensorOp : TTIR_CompositeOp<"clamp_tensor",
    (ins TT_Tensor:$input, TT_Tensor:$min, TT_Tensor:$max)> {
  let summary = "Elementwise clamping to limits that are tensors.";
  let description = [{
    Every element of the result is x, raised to at least that of `min` and then
    limited to at most that of `max`.

    Constraints:
    - (C1) the shapes are broadcast-compatible by NumPy's rules, and the result
      has the broadcast shape.
    - (C2) all tensors have floats or all have integers.

    Numerics: exact; NaN if one of the three is NaN.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.clamp_tensor"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<1x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
}

def TTIR_GeluBwOp : TTIR_CompositeOp<"gelu_bw",
    (ins TT_Tensor:$lhs, TT_Tensor:$rhs),
    (ins DefaultValuedAttr<StrAttr, "\"none\"">:$approximate)> {
  let summary = "Gradient of the Gaussian error linear unit.";
  let description = [{
    The gradient `lhs` times the derivative of gelu at the input `rhs`: of x / 2
    * (1 + erf(x / sqrt(2))), or with `approximate` = `tanh` of x / 2 * (1 +
    tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).

    Constraints:
    - (C1) the shapes are broadcast-compatible by NumPy's rules, and the result
      has the broadcast shape.
    - (C2) `approximate` is `none` or `tanh`.
    - (C3) all tensors have floats.

    Numerics: each step is computed in f32; the result is rounded once to its
    format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.gelu_bw"(%a, %b, %0) <{approximate = "none", operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
}

#endif
