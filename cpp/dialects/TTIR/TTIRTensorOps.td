//===- Linear algebra, reductions and shapes in the 'ttir' dialect --------===//

#ifndef TTMLIR_TTIR_TENSOR_OPS_TD
#define TTMLIR_TTIR_TENSOR_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTIR/TTIRBase.td"

def TTIR_MatmulOp : TTIR_DPSOp<"matmul"> {
  let summary = "Matrix product of the two innermost dimensions.";
  let description = [{
    Multiplies `a` (.., M, K) by `b` (.., K, N) into (.., M, N). Leading
    dimensions broadcast by NumPy's rules. With `transpose_a` or `transpose_b` the
    two innermost dimensions of that operand are exchanged first.

    Constraints:
    - (C1) `a`, `b` and the output have one rank, which is at least 2.
    - (C2) `b` has as many rows as `a` has columns.
    - (C3) the output has the broadcast leading dimensions, the rows of `a` and
      the columns of `b`.

    Numerics: products are accumulated in f32, K in ascending order of tiles.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x96xbf16>
    %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x128xbf16>, tensor<128x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b,
                       AnyRankedTensor:$output,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$transpose_a,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$transpose_b,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$a,
                   "::mlir::Value":$b, "::mlir::Value":$output,
                   "::mlir::ArrayAttr":$constraints), [{
      build($_builder, $_state, type, a, b, output, nullptr, nullptr,
            constraints);
    }]>
  ];
  let loweredTo = "MatmulOp";
  let hasVerifier = 1;
}

class TTIR_ReductionOp<string mnemonic, string what, string numerics>
    : TTIR_DPSOp<mnemonic> {
  let summary = "Reduction to the " # what # ".";
  let description = [{
    The }] # what # [{ of the elements along the dimensions `dim_arg`, or along
    all when it is absent or empty. A reduced dimension becomes 1 with
    `keep_dim` and goes away without.

    Constraints:
    - (C1) the dimensions of `dim_arg` are in [-rank, rank) and distinct.
    - (C2) the output has the reduced shape. Because older programs state it
      loosely, any of these is taken: the shape with the reduced dimensions kept
      as 1 or dropped, whatever `keep_dim` says; that shape with a reduced
      dimension padded to a tile's 32; any shape with that number of elements.

    Numerics: }] # numerics # [{

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<512x1xf32>
    %1 = "ttir.}] # mnemonic # [{"(%a, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       BoolAttr:$keep_dim,
                       OptionalAttr<I32ArrayAttr>:$dim_arg,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::shapes::verifyReduction(
          *this, getInput().getType(), getOutput().getType(), getKeepDim(),
          getDimArgAttr());
    }
  }];
}

def TTIR_SumOp : TTIR_ReductionOp<"sum", "sum",
    "accumulated in f32, rounded once to the result's format."> {
  let loweredTo = "SumOp";
}
def TTIR_MeanOp : TTIR_ReductionOp<"mean", "mean",
    "the sum is accumulated in f32 and divided by the number of elements, then "
    "rounded once to the result's format."> {
  let loweredTo = "MeanOp";
}
def TTIR_MaxOp : TTIR_ReductionOp<"max", "maximum", "exact; NaN if any is NaN."> {
  let loweredTo = "MaxOp";
}
def TTIR_MinOp : TTIR_ReductionOp<"min", "minimum", "exact; NaN if any is NaN."> {
  let loweredTo = "MinOp";
}
def TTIR_ProdOp : TTIR_ReductionOp<"prod", "product",
    "accumulated in f32, rounded once to the result's format."> {
  let loweredTo = "ProdOp";
}

def TTIR_BroadcastOp : TTIR_DPSOp<"broadcast"> {
  let summary = "Repetition of a tensor along dimensions.";
  let description = [{
    Repeats the input's elements until it has the output's shape.

    Constraints:
    - (C1) by NumPy's rules the input broadcasts to the output's shape; or
      `dimension` names, in ascending order, the output's dimension for each of
      the input's, and these are equal or the input's is 1.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.broadcast"(%a, %0) <{dimension = [0, 1], operand_constraints = [#any, #any]}> : (tensor<1x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       I64ArrayAttr:$dimension,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TTIR_TransposeOp : TTIR_DPSOp<"transpose"> {
  let summary = "Exchange of two dimensions.";
  let description = [{
    Exchanges the dimensions `dim0` and `dim1`; negative ones count from the end.

    Constraints:
    - (C1) input and output have one rank, which is at least 2.
    - (C2) `dim0` and `dim1` are in [-rank, rank).
    - (C3) the output has the input's shape with the two extents exchanged.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<128x64xbf16>
    %1 = "ttir.transpose"(%a, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xbf16>, tensor<128x64xbf16>) -> tensor<128x64xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       SI32Attr:$dim0, SI32Attr:$dim1,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
  let loweredTo = "TransposeOp";
  let hasVerifier = 1;
}

def TTIR_ConcatOp : TTIR_DPSOp<"concat"> {
  let summary = "Concatenation along a dimension.";
  let description = [{
    Puts the inputs one after the other along `dim`; a negative one counts from
    the end.

    Constraints:
    - (C1) there is an input.
    - (C2) `dim` is in [-rank, rank).
    - (C3) the inputs have one rank, and one shape but for `dim`.
    - (C4) the output has that shape, and in `dim` the sum of the extents.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<32x96xf32>
    %1 = "ttir.concat"(%a, %b, %0) <{dim = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       AnyRankedTensor:$output, SI32Attr:$dim,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TTIR_ReshapeOp : TTIR_DPSOp<"reshape"> {
  let summary = "The same elements in another shape.";
  let description = [{
    The elements of the input in row-major order, in the shape `shape`. One entry
    may be -1, which stands for what is left.

    Constraints:
    - (C1) `shape` has 1 to 5 entries, one for each dimension of the output.
    - (C2) input and output have one number of elements.
    - (C3) at most one entry is -1, the others are positive and those of the
      output.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x4x32x32xbf16>
    %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#any, #any], shape = [2 : i32, 4 : i32, 32 : i32, 32 : i32]}> : (tensor<8x32x32xbf16>, tensor<2x4x32x32xbf16>) -> tensor<2x4x32x32xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       I32ArrayAttr:$shape,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
  let loweredTo = "ReshapeOp";
  let hasVerifier = 1;
}

def TTIR_SqueezeOp : TTIR_DPSOp<"squeeze"> {
  let summary = "Removal of a dimension of extent 1.";
  let description = [{
    Removes the dimension `dim`, which has extent 1; a negative one counts from
    the end.

    Constraints:
    - (C1) `dim` is in [-rank, rank), and the input has extent 1 there.
    - (C2) the output has at least one dimension, and the input's shape without
      `dim`.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xbf16>
    %1 = "ttir.squeeze"(%a, %0) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<1x64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       SI32Attr:$dim,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TTIR_UnsqueezeOp : TTIR_DPSOp<"unsqueeze"> {
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
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       SI32Attr:$dim,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TTIR_RepeatOp : TTIR_DPSOp<"repeat"> {
  let summary = "Copies of a tensor side by side.";
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
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       DenseI64ArrayAttr:$repeat_dimensions,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TTIR_FillOp : TTIR_DPSOp<"fill"> {
  let summary = "A destination filled with given elements.";
  let description = [{
    The elements of `value` in the place of the output.

    Constraints:
    - (C1) `value`, output and result have one shape and one element type.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.fill"(%0) <{operand_constraints = [#any], value = dense<1.000000e+00> : tensor<64x128xf32>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$output, ElementsAttr:$value,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs AnyRankedTensor:$result);
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
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TTIR_ArangeOp : TTIR_Op<"arange", [Pure]> {
  let summary = "Evenly spaced numbers.";
  let description = [{
    start, start + step, ... below `end` (above, for a negative step) along
    dimension `arange_dimension`, the same in all others.

    Constraints:
    - (C1) `step` is not 0, and there is a number.
    - (C2) `arange_dimension` is in [0, rank), and the result's extent there the
      count of the numbers.

    Numerics: the numbers are rounded to the result's format.

    Example:

    ```mlir
    %0 = "ttir.arange"() <{arange_dimension = 1 : i64, end = 128 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins SI64Attr:$start, SI64Attr:$end, SI64Attr:$step,
                       I64Attr:$arange_dimension);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TTIR_ConstantOp : TTIR_Op<"constant", [Pure, ConstantLike]> {
  let summary = "A tensor of given elements.";
  let description = [{
    A tensor with the elements of `value`.

    Constraints:
    - (C1) `value` and the result have one shape and one element type.

    Example:

    ```mlir
    %0 = "ttir.constant"() <{value = dense<[0.2, 1.3]> : tensor<2xf32>}> : () -> tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$result);
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif
