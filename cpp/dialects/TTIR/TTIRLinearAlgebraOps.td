//===- Linear algebra in the 'ttir' dialect -------------------------------===//

#ifndef TTMLIR_TTIR_LINEAR_ALGEBRA_OPS_TD
#define TTMLIR_TTIR_LINEAR_ALGEBRA_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTIR/TTIRBase.td"

//===----------------------------------------------------------------------===//
// Composites/LinearAlgebra.cpp
//===----------------------------------------------------------------------===//

def TTIR_TriangularSolveOp : TTIR_CompositeOp<"triangular_solve",
    (ins TT_Tensor:$a, TT_Tensor:$b),
    (ins DefaultValuedAttr<BoolAttr, "true">:$left_side,
         DefaultValuedAttr<BoolAttr, "true">:$lower,
         DefaultValuedAttr<BoolAttr, "false">:$unit_diagonal,
         DefaultValuedAttr<BoolAttr, "false">:$transpose_a)> {
  let summary = "Solution of triangular systems of equations.";
  let description = [{
    The x of a * x = b for each matrix `a` (.., N, N), of which only the lower
    or the upper triangle is read, and `b` (.., N, M); without `left_side` that
    of x * a = b for `b` (.., M, N). With `transpose_a` the transpose of `a` is
    used, with `unit_diagonal` the diagonal is taken to be ones.

    Constraints:
    - (C1) `a` and `b` have one rank of 2 or more, one batch, and N is that of
      `b`.
    - (C2) `a` and `b` have floats.

    Numerics: computed in f32, 32 equations at a time with the inverse of their
    block of the triangle, and rounded once to the result's format. The error of
    a solution x is at most about N * 2^-23 of |a^-1| * |a| * |a^-1| * |b|.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x16x5xf32>
    %1 = "ttir.triangular_solve"(%a, %b, %0) <{left_side = true, lower = true, operand_constraints = [#any, #any, #any], transpose_a = false, unit_diagonal = false}> : (tensor<2x16x16xf32>, tensor<2x16x5xf32>, tensor<2x16x5xf32>) -> tensor<2x16x5xf32>
    ```
  }];
  let like = "b";
}

def TTIR_CholeskyOp : TTIR_CompositeOp<"cholesky", (ins TT_Tensor:$a),
    (ins DefaultValuedAttr<BoolAttr, "true">:$lower)> {
  let summary = "Cholesky factors of positive definite matrices.";
  let description = [{
    The lower triangle L with L * L^T = a for each matrix `a` (.., N, N), of
    which only that triangle is read; without `lower` the upper U with U^T * U =
    a. The other triangle of the result is 0. If a matrix is not positive
    definite, the result has NaN.

    Constraints:
    - (C1) `a` has rank 2 or more and square matrices of at most 4096 rows.
    - (C2) `a` has floats.

    Numerics: computed in f32, 32 rows at a time, and rounded once to the
    result's format. The backward error is at most about N * 2^-23 of |L| *
    |L^T|.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x1xf32>
    %1 = "ttir.cholesky"(%a, %0) <{lower = true, operand_constraints = [#any, #any]}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composites/Fourier.cpp
//===----------------------------------------------------------------------===//

def TTIR_FftOp : TTIR_CompositeOp<"fft",
    (ins TT_Tensor:$real, Optional<TT_Tensor>:$imaginary),
    (ins StrAttr:$fft_type, DenseI64ArrayAttr:$fft_length), 1,
    [AttrSizedOperandSegments]> {
  let summary = "Fourier transform with real and imaginary parts.";
  let description = [{
    The discrete Fourier transform along the last dimensions, one for each entry
    of `fft_length`. `fft_type` is

    - `fft` or `ifft`: complex to complex; the inverse divides by the number of
      elements;
    - `rfft`: real to complex, of which the first half plus one are kept along
      the last dimension;
    - `irfft`: the inverse of that, to real numbers.

    Complex numbers are two tensors, the real and the imaginary part; `irfft`
    has one result.

    Constraints:
    - (C1) `fft_type` is one of these.
    - (C2) `fft_length` has 1 to 3 positive entries, at most the rank, that are
      the extents of the input; for `irfft` the last extent is half of it plus
      one.
    - (C3) there is an imaginary part of the real one's shape, except for
      `rfft`.
    - (C4) its entries are at most 2^24.
    - (C5) all tensors have floats.

    Numerics: computed in f32 as products with matrices of roots of unity, one
    for each factor of the length, or as a convolution for a prime factor above
    509; and rounded once to the format of each result.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x9xf32>
    %1:2 = "ttir.fft"(%a, %0, %0) <{fft_length = array<i64: 16>, fft_type = "rfft", operandSegmentSizes = array<i32: 1, 0, 2>, operand_constraints = [#any, #any, #any]}> : (tensor<4x16xf32>, tensor<4x9xf32>, tensor<4x9xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>)
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composites/Routing.cpp
//===----------------------------------------------------------------------===//

def TTIR_TopKRouterGptOp : TTIR_CompositeOp<"topk_router_gpt",
    (ins TT_Tensor:$input, TT_Tensor:$weight, TT_Tensor:$bias),
    (ins I32Attr:$k, I32Attr:$num_experts), 1> {
  let summary = "The experts with the largest logits in each row.";
  let description = [{
    Each row of input * weight + bias has a logit for each of `num_experts`. The
    results are the positions of the `k` largest, with k rounded up to the next
    multiple of 8, and the logits themselves as weights. They are in descending
    order; of equal logits the first ones are taken, and NaN is greater than all
    numbers.

    Constraints:
    - (C1) the input is (.., M, H), the weight (H, num_experts).
    - (C2) the bias broadcasts to (.., M, num_experts).
    - (C3) `k` is positive, and rounded up to a multiple of 8 at most
      `num_experts`.
    - (C4) there are two results, with that many columns; the first one has
      integer elements, the other tensors have floats.

    Numerics: logits are computed in f32; the weights are rounded once to the
    result's format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x8xsi32>
    %1 = tensor.empty() : tensor<4x8xbf16>
    %2:2 = "ttir.topk_router_gpt"(%a, %b, %c, %0, %1) <{k = 4 : i32, num_experts = 32 : i32, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x64xbf16>, tensor<64x32xbf16>, tensor<1x32xbf16>, tensor<4x8xsi32>, tensor<4x8xbf16>) -> (tensor<4x8xsi32>, tensor<4x8xbf16>)
    ```
  }];
  let builder = 0;
  let hasVerifier = 1;
}

#endif
