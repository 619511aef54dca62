//===- Ops of the 'ttir' dialect that are made of others ------------------===//

#ifndef TTMLIR_TTIR_COMPOSITE_OPS_TD
#define TTMLIR_TTIR_COMPOSITE_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTIR/TTIRBase.td"

//===----------------------------------------------------------------------===//
// Composites/Products.cpp
//===----------------------------------------------------------------------===//

def TTIR_DotGeneralOp : TTIR_CompositeOp<"dot_general",
    (ins TT_Tensor:$lhs, TT_Tensor:$rhs),
    (ins DenseI64ArrayAttr:$batch_dims_lhs,
         DenseI64ArrayAttr:$contract_dims_lhs,
         DenseI64ArrayAttr:$batch_dims_rhs,
         DenseI64ArrayAttr:$contract_dims_rhs)> {
  let summary = "Product of two tensors along any dimensions.";
  let description = [{
    Sums the products of elements along the pairs of `contract_dims_lhs` and
    `contract_dims_rhs`, for each index in the pairs of `batch_dims_lhs` and
    `batch_dims_rhs`. The output has the batch dimensions, then the other
    dimensions of `lhs`, then those of `rhs`.

    Constraints:
    - (C1) `lhs` and `rhs` have the same number of batch dimensions, and of
      contracted dimensions.
    - (C2) they are in [0, rank), and none occurs twice.
    - (C3) the extents of a pair are equal.
    - (C4) `lhs`, `rhs` and the output all have floats or all have integers.

    Numerics: those of `ttir.matmul`.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x32x64xbf16>
    %1 = "ttir.dot_general"(%a, %b, %0) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 1>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 0>, operand_constraints = [#any, #any, #any]}> : (tensor<4x32x16xbf16>, tensor<16x4x64xbf16>, tensor<4x32x64xbf16>) -> tensor<4x32x64xbf16>
    ```
  }];
}

def TTIR_SparseMatmulOp : TTIR_CompositeOp<"sparse_matmul",
    (ins TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$sparsity),
    (ins DefaultValuedAttr<BoolAttr, "false">:$is_input_a_sparse,
         DefaultValuedAttr<BoolAttr, "true">:$is_input_b_sparse,
         OptionalAttr<I64Attr>:$nnz)> {
  let summary = "Products of the matrices selected by a mask.";
  let description = [{
    Multiplies matrices of `a` by those of `b` (1, E, K, N), the experts, where
    `sparsity` is not 0; other products are 0. `nnz`, the number of products,
    does not affect the result.

    | sparse | `a` | `sparsity` | output |
    | --- | --- | --- | --- |
    | `b` | (A, B, M, K) | (A, B, 1, E) | (A, B, 1, E, M, N) |
    | `a` | (A, E, M, K) | (1, 1, A, E) | (A, E, M, N) |
    | both | (1, E, M, K) | (1, 1, 1, E) | (1, E, M, N) |

    Constraints:
    - (C1) `is_input_a_sparse` or `is_input_b_sparse` is true.
    - (C2) `a` has rank 4, `b` is (1, E, K, N).
    - (C3) a sparse `a` has a matrix for each expert, of one batch if both are
      sparse.
    - (C4) `sparsity` has the shape of the table.

    Numerics: those of `ttir.matmul`.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x3x1x4x32x64xbf16>
    %1 = "ttir.sparse_matmul"(%a, %b, %c, %0) <{is_input_a_sparse = false, is_input_b_sparse = true, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x3x32x16xbf16>, tensor<1x4x16x64xbf16>, tensor<2x3x1x4xbf16>, tensor<2x3x1x4x32x64xbf16>) -> tensor<2x3x1x4x32x64xbf16>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composites/Norms.cpp
//===----------------------------------------------------------------------===//

def TTIR_BatchNormInferenceOp : TTIR_CompositeOp<"batch_norm_inference",
    (ins TT_Tensor:$operand, TT_Tensor:$scale, TT_Tensor:$offset,
         TT_Tensor:$mean, TT_Tensor:$variance),
    (ins F32Attr:$epsilon, I32Attr:$dimension)> {
  let summary = "Batch normalization with given statistics.";
  let description = [{
    (operand - mean) / sqrt(variance + epsilon) * scale + offset, with one
    number of each of the four tensors for each index along `dimension`.

    Constraints:
    - (C1) `dimension` is in [0, rank).
    - (C2) scale, offset, mean and variance have rank 1 and the extent of
      `dimension`.

    Numerics: computed in f32, rounded once to the result's format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x8x8x3xf32>
    %1 = "ttir.batch_norm_inference"(%a, %b, %c, %d, %e, %0) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<2x8x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x8x8x3xf32>) -> tensor<2x8x8x3xf32>
    ```
  }];
}

def TTIR_BatchNormTrainingOp : TTIR_CompositeOp<"batch_norm_training",
    (ins TT_Tensor:$operand, TT_Tensor:$scale, TT_Tensor:$offset,
         TT_Tensor:$running_mean, TT_Tensor:$running_variance),
    (ins F32Attr:$epsilon, I32Attr:$dimension, F32Attr:$momentum), 1> {
  let summary = "Batch normalization with the statistics of the batch.";
  let description = [{
    (operand - mean) / sqrt(variance + epsilon) * scale + offset, with mean and
    variance over all dimensions except `dimension`. The variance is that of the
    batch, divided by the number of elements. The results are the normalized
    tensor, mean and variance of the batch, and the running mean and variance:
    `momentum` times those of the batch plus 1 - momentum times the previous
    ones.

    Constraints:
    - (C1) `dimension` is in [0, rank).
    - (C2) scale, offset, running mean and variance have rank 1 and the extent
      of `dimension`.
    - (C3) there are five results.

    Numerics: computed in f32, rounded once to the format of each result.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x8x8x3xf32>
    %1 = tensor.empty() : tensor<3xf32>
    %2:5 = "ttir.batch_norm_training"(%a, %b, %c, %d, %e, %0, %1, %1, %1, %1) <{dimension = 3 : i32, epsilon = 9.99999974E-6 : f32, momentum = 1.000000e-01 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any, #any, #any, #any, #any]}> : (tensor<2x8x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x8x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x8x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
    ```
  }];
}

def TTIR_GroupNormOp : TTIR_CompositeOp<"group_norm",
    (ins TT_Tensor:$input, Optional<TT_Tensor>:$weight,
         Optional<TT_Tensor>:$bias),
    (ins I64Attr:$num_groups, DefaultValuedAttr<F32Attr, "1e-12f">:$epsilon,
         DefaultValuedAttr<I64Attr, "3">:$channel_dim),
    0, [AttrSizedOperandSegments]> {
  let summary = "Normalization of groups of channels.";
  let description = [{
    For each index along the first dimension and each of `num_groups` groups of
    consecutive channels along `channel_dim`: the elements minus their mean,
    divided by the square root of their variance plus `epsilon`; then multiplied
    by the weight of the channel, plus its bias.

    Constraints:
    - (C1) `channel_dim` is in [1, rank).
    - (C2) `num_groups` divides its extent.
    - (C3) weight and bias have rank 1 and its extent.

    Numerics: computed in f32, rounded once to the result's format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x8x8x6xf32>
    %1 = "ttir.group_norm"(%a, %b, %c, %0) <{channel_dim = 3 : i64, epsilon = 9.99999974E-6 : f32, num_groups = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x8x8x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<2x8x8x6xf32>) -> tensor<2x8x8x6xf32>
    ```
  }];
}

class TTIR_DistributedNormOp<string mnemonic, dag compositeInputs>
    : TTIR_CompositeOp<mnemonic, compositeInputs,
    (ins UI32Attr:$cluster_axis,
         DefaultValuedAttr<F32Attr, "1e-05f">:$epsilon),
    0, [AttrSizedOperandSegments]>;

def TTIR_DistributedRMSNormOp : TTIR_DistributedNormOp<"distributed_rms_norm",
    (ins TT_Tensor:$input, Optional<TT_Tensor>:$weight,
         Optional<TT_Tensor>:$residual)> {
  let summary = "RMS normalization of a tensor sharded over chips.";
  let description = [{
    The last dimension of the tensor is sharded over the chips along axis
    `cluster_axis` of the mesh, in equal parts. Each chip returns its part of
    (input + residual) divided by the square root of the mean square of the
    whole dimension plus `epsilon`, times its part of `weight`.

    Constraints:
    - (C1) the input has rank 1 or more.
    - (C2) the weight has rank 1 and the extent of the last dimension.
    - (C3) the residual has the input's shape.

    Numerics: computed in f32, rounded once to the result's format; the means of
    the chips are combined as by `ttir.all_reduce`.

    Example: a mesh of 1x2.

    ```mlir
    %0 = tensor.empty() : tensor<32x64xbf16>
    %1 = "ttir.distributed_rms_norm"(%a, %b, %0) <{cluster_axis = 1 : ui32, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x64xbf16>, tensor<64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
}

def TTIR_DistributedLayerNormOp
    : TTIR_DistributedNormOp<"distributed_layer_norm",
    (ins TT_Tensor:$input, Optional<TT_Tensor>:$weight,
         Optional<TT_Tensor>:$bias, Optional<TT_Tensor>:$residual)> {
  let summary = "Layer normalization of a tensor sharded over chips.";
  let description = [{
    Like `ttir.distributed_rms_norm`, for (input + residual) minus its mean,
    plus the chip's part of `bias`.

    Constraints:
    - (C1) those of `ttir.distributed_rms_norm`.
    - (C2) the bias has rank 1 and the extent of the last dimension.

    Numerics: those of `ttir.distributed_rms_norm`.

    Example: a mesh of 1x2.

    ```mlir
    %0 = tensor.empty() : tensor<32x64xbf16>
    %1 = "ttir.distributed_layer_norm"(%a, %b, %c, %0) <{cluster_axis = 1 : ui32, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<32x64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composites/Steps.cpp
//===----------------------------------------------------------------------===//

class TTIR_LogicReductionOp<string mnemonic, string what>
    : TTIR_CompositeOp<mnemonic, (ins TT_Tensor:$input),
                       (ins BoolAttr:$keep_dim,
                            OptionalAttr<I32ArrayAttr>:$dim_arg)> {
  let summary = "Whether " # what # " are true.";
  let description = [{
    1 if }] # what # [{ along the dimensions `dim_arg` are not 0, otherwise 0;
    along all dimensions if it is absent or empty. NaN is not 0.

    Constraints:
    - (C1) the dimensions of `dim_arg` are in [-rank, rank) and distinct.
    - (C2) the output has the reduced shape.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x1xi8>
    %1 = "ttir.}] # mnemonic # [{"(%a, %0) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<64x128xi8>, tensor<64x1xi8>) -> tensor<64x1xi8>
    ```
  }];
  // Written by hand beside the other reductions.
  let builder = 0;
}

def TTIR_ReduceAndOp : TTIR_LogicReductionOp<"reduce_and", "all elements">;
def TTIR_ReduceOrOp : TTIR_LogicReductionOp<"reduce_or", "any elements">;

class TTIR_SameEverywhereOp<string mnemonic, string what>
    : TTIR_CompositeOp<mnemonic, (ins), (ins DenseI32ArrayAttr:$shape)> {
  let summary = "A tensor of " # what # ".";
  let description = [{
    A tensor of shape `shape` filled with }] # what # [{.

    Constraints:
    - (C1) `shape` has extents of 0 or more, those of the output.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.}] # mnemonic # [{"(%0) <{operand_constraints = [#any], shape = array<i32: 64, 128>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_ZerosOp : TTIR_SameEverywhereOp<"zeros", "zeros">;
def TTIR_OnesOp : TTIR_SameEverywhereOp<"ones", "ones">;

def TTIR_AdamWOp : TTIR_CompositeOp<"adamw",
    (ins TT_Tensor:$param, TT_Tensor:$grad, TT_Tensor:$exp_avg,
         TT_Tensor:$exp_avg_sq, Optional<TT_Tensor>:$max_exp_avg_sq),
    (ins F32Attr:$lr, F32Attr:$beta1, F32Attr:$beta2, F32Attr:$beta1_pow,
         F32Attr:$beta2_pow, F32Attr:$epsilon, F32Attr:$weight_decay,
         DefaultValuedAttr<BoolAttr, "false">:$stochastic_rounding),
    1, [AttrSizedOperandSegments]> {
  let summary = "A step of AdamW.";
  let description = [{
    The new parameter, the new running means of the gradient and of its square,
    and, if `max_exp_avg_sq` is given, the largest of the latter (AMSGrad):

    - exp_avg = beta1 * exp_avg + (1 - beta1) * grad
    - exp_avg_sq = beta2 * exp_avg_sq + (1 - beta2) * grad * grad
    - param = (1 - lr * weight_decay) * param - lr / (1 - beta1_pow) * exp_avg /
      (sqrt(exp_avg_sq) / sqrt(1 - beta2_pow) + epsilon)

    `beta1_pow` and `beta2_pow` are the betas raised to the step number.

    Constraints:
    - (C1) all tensors have the parameter's shape.
    - (C2) `stochastic_rounding` is false.

    Numerics: computed in f32, rounded once to the format of each result.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1:3 = "ttir.adamw"(%a, %b, %c, %d, %0, %0, %0) <{beta1 = 0.899999976 : f32, beta1_pow = 0.899999976 : f32, beta2 = 9.990000e-01 : f32, beta2_pow = 9.990000e-01 : f32, epsilon = 9.99999993E-9 : f32, lr = 1.000000e-03 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 3>, operand_constraints = [#any, #any, #any, #any, #any, #any, #any], stochastic_rounding = false, weight_decay = 0.00999999977 : f32}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>)
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composites/Movement.cpp
//===----------------------------------------------------------------------===//

def TTIR_RearrangeOp : TTIR_CompositeOp<"rearrange", (ins TT_Tensor:$input),
                                        (ins StrAttr:$pattern)> {
  let summary = "Rearrangement of dimensions by a pattern of names.";
  let description = [{
    `pattern` names the dimensions of the input, an arrow, and the dimensions of
    the output in terms of these names: `b c h w -> b (h w) c`. Names in
    parentheses are one dimension, of which the last name varies fastest; `1` is
    a dimension of extent 1; `...` stands for all unnamed dimensions.

    Constraints:
    - (C1) the pattern has one arrow and matching parentheses; between them are
      names, `1` and `...`.
    - (C2) the left side has a term for each dimension of the input, and `1`
      only where its extent is 1.
    - (C3) each name occurs once on the left and once on the right.
    - (C4) a term of several names occurs on the right only: the pattern does
      not give their extents.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x20x3xf32>
    %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "b c h w -> b (h w) c"}> : (tensor<2x3x4x5xf32>, tensor<2x20x3xf32>) -> tensor<2x20x3xf32>
    ```
  }];
}

#endif
