//===- Linear algebra, reductions and shapes in the 'ttir' dialect --------===//

#ifndef TTMLIR_TTIR_TENSOR_OPS_TD
#define TTMLIR_TTIR_TENSOR_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTIR/TTIRBase.td"

def TTIR_BroadcastOp : TTIR_DPSOp<"broadcast"> {
  let summary = "Broadcast of a tensor along dimensions.";
  let description = [{
    Repeats the input's elements until it has the output's shape. `dimension`
    has the output dimension for each of the input's, whatever the extents:
    `[0]` maps 32 elements to the rows of 32x32, `[1]` to its columns. The input
    is repeated along all other dimensions, and where its extent is 1. With the
    last dimensions these are NumPy's rules.

    Constraints:
    - (C1) `dimension` has one number for each of the input's dimensions, in
      ascending order, all in [0, rank of the output).
    - (C2) the input's extents are 1 or the output's in the dimensions that
      `dimension` names.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.broadcast"(%a, %0) <{dimension = [0, 1], operand_constraints = [#any, #any]}> : (tensor<1x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output,
                       I64ArrayAttr:$dimension,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTIR_SqueezeOp : TTIR_InferredOp<"squeeze"> {
  let summary = "Removal of a dimension of extent 1.";
  let description = [{
    Removes the dimension `dim`, which has extent 1; a negative one counts from
    the end.

    Constraints:
    - (C1) `dim` is in [-rank, rank), and the input has extent 1 there.
    - (C2) the output has the input's shape without `dim`.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xbf16>
    %1 = "ttir.squeeze"(%a, %0) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<1x64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output,
                       SI32Attr:$dim,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTIR_UnsqueezeOp : TTIR_InferredOp<"unsqueeze"> {
  let summary = "Insertion of a dimension of extent 1.";
  let description = [{
    Inserts a dimension of extent 1 that becomes dimension `dim` of the output; a
    negative one counts from the output's end.

    Constraints:
    - (C1) `dim` is in [-rank - 1, rank] of the input's rank.
    - (C2) the output has the input's shape with the 1 inserted.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x1x128xbf16>
    %1 = "ttir.unsqueeze"(%a, %0) <{dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xbf16>, tensor<64x1x128xbf16>) -> tensor<64x1x128xbf16>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output,
                       SI32Attr:$dim,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTIR_RepeatOp : TTIR_InferredOp<"repeat"> {
  let summary = "Repetition of a tensor along its dimensions.";
  let description = [{
    Repeats the input `repeat_dimensions[d]` times along dimension d.

    Constraints:
    - (C1) `repeat_dimensions` has a positive entry for each dimension.
    - (C2) the output has the input's extents times these.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x256xf32>
    %1 = "ttir.repeat"(%a, %0) <{operand_constraints = [#any, #any], repeat_dimensions = array<i64: 1, 2>}> : (tensor<64x128xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output,
                       DenseI64ArrayAttr:$repeat_dimensions,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTIR_FillOp : TTIR_DPSOp<"fill"> {
  let summary = "Fill of a destination with given elements.";
  let description = [{
    Writes the elements of `value` to the output.

    Constraints:
    - (C1) `value`, output and result have one shape and one element type.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.fill"(%0) <{operand_constraints = [#any], value = dense<1.000000e+00> : tensor<64x128xf32>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$output, ElementsAttr:$value,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTIR_FullOp : TTIR_Op<"full", [Pure]> {
  let summary = "A tensor of one value.";
  let description = [{
    A tensor of `shape` whose elements are all `fill_value`, rounded to the
    result's format.

    Constraints:
    - (C1) `shape` is the result's shape.
    - (C2) `fill_value` is an f32, or an i32 for a tensor of integers.

    Example:

    ```mlir
    %0 = "ttir.full"() <{fill_value = 5.000000e-01 : f32, shape = array<i32: 64, 128>}> : () -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins DenseI32ArrayAttr:$shape,
                       AnyAttrOf<[F32Attr, I32Attr]>:$fill_value);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTIR_ArangeOp : TTIR_Op<"arange", [Pure]> {
  let summary = "Evenly spaced numbers.";
  let description = [{
    start, start + step, ... below `end` (above, for a negative step) along
    dimension `arange_dimension`, the same in all others.

    Constraints:
    - (C1) `step` is not 0, and there is at least one number.
    - (C2) `arange_dimension` is in [0, rank), and the result's extent there is
      the count of the numbers.

    Numerics: the numbers are rounded to the result's format.

    Example:

    ```mlir
    %0 = "ttir.arange"() <{arange_dimension = 1 : i64, end = 128 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins SI64Attr:$start, SI64Attr:$end, SI64Attr:$step,
                       I64Attr:$arange_dimension);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTIR_ConstantOp : TTIR_Op<"constant", [Pure, ConstantLike]> {
  let summary = "A tensor with given elements.";
  let description = [{
    A tensor with the elements of `value`.

    Constraints:
    - (C1) `value` and the result have one shape and one element type.

    Example:

    ```mlir
    %0 = "ttir.constant"() <{value = dense<[5.000000e-01, 1.250000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs TT_Tensor:$result);
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif
