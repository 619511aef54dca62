//===- Ops of places, orders and random numbers in the 'ttir' dialect ------===//
//
// They are made of others. Their C++ is in Composites/.

#ifndef TTMLIR_TTIR_INDEX_OPS_TD
#define TTMLIR_TTIR_INDEX_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TT/TTAttrs.td"
include "dialects/TTIR/TTIRBase.td"

//===----------------------------------------------------------------------===//
// Composites/Sorting.cpp
//===----------------------------------------------------------------------===//

def TTIR_SortOp : TTIR_CompositeOp<"sort",
    (ins Variadic<TT_Tensor>:$inputs),
    (ins DefaultValuedAttr<SI32Attr, "-1">:$dim,
         DefaultValuedAttr<BoolAttr, "false">:$descending,
         DefaultValuedAttr<BoolAttr, "false">:$stable,
         DefaultValuedAttr<I32Attr, "1">:$num_keys), 1, [AttrSizedOperandSegments]> {
  let summary = "Sort of tensors by the first ones.";
  let description = [{
    Sorts along `dim` (a negative one counts from the end) by the first input,
    then by the second, and so on for `num_keys` inputs, and reorders all inputs
    accordingly. The results are the reordered inputs, followed by the original
    positions of the elements. The sort is always stable, whatever `stable`
    says.

    -0 and 0 are equal, NaNs are equal to each other and greater than all
    numbers, as in JAX's `lax.sort`, NumPy and PyTorch.

    Constraints:
    - (C1) there is an input, and all have one shape.
    - (C2) `dim` is in [-rank, rank).
    - (C3) `num_keys` is between 1 and the number of inputs.
    - (C4) there is a result for each input, of its shape, and one more, of
      integers, for the positions.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x50xf32>
    %1 = tensor.empty() : tensor<4x50xsi32>
    %2:2 = "ttir.sort"(%a, %0, %1) <{descending = true, dim = -1 : si32, num_keys = 1 : i32, operandSegmentSizes = array<i32: 1, 2>, operand_constraints = [#any, #any, #any], stable = false}> : (tensor<4x50xf32>, tensor<4x50xf32>, tensor<4x50xsi32>) -> (tensor<4x50xf32>, tensor<4x50xsi32>)
    ```
  }];
  let builder = 0;
  let hasVerifier = 1;
}

def TTIR_TopKOp : TTIR_CompositeOp<"topk",
    (ins TT_Tensor:$input),
    (ins I32Attr:$k,
         DefaultValuedAttr<I32Attr, "-1">:$dim,
         DefaultValuedAttr<BoolAttr, "true">:$largest,
         DefaultValuedAttr<BoolAttr, "true">:$sorted), 1, []> {
  let summary = "The k largest or smallest elements along a dimension.";
  let description = [{
    The `k` largest elements along `dim` (a negative one counts from the end),
    or without `largest` the `k` smallest, and their positions. They are in
    descending, or ascending, order, whatever `sorted` says. Of equal elements
    the first ones are taken, and NaN is greater than all numbers.

    Constraints:
    - (C1) `dim` is in [-rank, rank).
    - (C2) `k` is between 1 and the extent of `dim`.
    - (C3) there are two results, with extent `k` in `dim`; the second one has
      integer elements.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x5xf32>
    %1 = tensor.empty() : tensor<4x5xsi32>
    %2:2 = "ttir.topk"(%a, %0, %1) <{dim = -1 : i32, k = 5 : i32, largest = true, operand_constraints = [#any, #any, #any], sorted = true}> : (tensor<4x50xf32>, tensor<4x5xf32>, tensor<4x5xsi32>) -> (tensor<4x5xf32>, tensor<4x5xsi32>)
    ```
  }];
  let builder = 0;
  let hasVerifier = 1;
}

def TTIR_GatherDimOp : TTIR_CompositeOp<"gather_dim",
    (ins TT_Tensor:$input, TT_Tensor:$index),
    (ins I32Attr:$dim)> {
  let summary = "Elements at given positions along a dimension.";
  let description = [{
    Each element of the output is the input's element at the same position,
    except that its position along `dim` (a negative one counts from the end) is
    given by `index`: PyTorch's `gather`, NumPy's `take_along_axis`. Indices are
    clamped to the input.

    Constraints:
    - (C1) `dim` is in [-rank, rank).
    - (C2) `index` has integer elements, the input's rank, and in the other
      dimensions at most the input's extents.
    - (C3) the output has the shape of `index`.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x7xf32>
    %1 = "ttir.gather_dim"(%a, %b, %0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x50xf32>, tensor<4x7xsi32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    ```
  }];
  let builder = 0;
}

//===----------------------------------------------------------------------===//
// Composites/Scatters.cpp
//===----------------------------------------------------------------------===//

def TTIR_ScatterOp : TTIR_CompositeOp<"scatter",
    (ins TT_Tensor:$input, TT_Tensor:$scatter_indices, TT_Tensor:$updates),
    (ins DenseI64ArrayAttr:$update_window_dims,
         DenseI64ArrayAttr:$inserted_window_dims,
         DenseI64ArrayAttr:$input_batching_dims,
         DenseI64ArrayAttr:$scatter_indices_batching_dims,
         DenseI64ArrayAttr:$scatter_dims_to_operand_dims,
         SI64Attr:$index_vector_dim,
         TT_ReduceTypeAttr:$reduce_type)> {
  let summary = "A tensor with windows of it updated at given positions.";
  let description = [{
    For each index vector along dimension `index_vector_dim` of
    `scatter_indices`, a window of the input begins there:
    `scatter_dims_to_operand_dims` has the input dimension of each entry of the
    vector. `update_window_dims` are the dimensions of `updates` in a window,
    which has extent 1 in the dimensions `inserted_window_dims`; the other
    dimensions of `updates` are those of `scatter_indices`.
    `input_batching_dims` correspond to `scatter_indices_batching_dims`. This is
    StableHLO's scatter.

    The window's elements are combined with those of `updates`, one window after
    the other in row-major order of the index vectors: `sum`, `prod`, `max`,
    `min`, or `invalid` for the update alone, of which the last one stays.
    Windows that are not inside the input are dropped, as in XLA.

    Constraints:
    - (C1) all dimensions are in range and distinct, those of windows and
      batches ascending, and every dimension of the input is one of the
      window's, inserted or a batch dimension.
    - (C2) `scatter_dims_to_operand_dims` has as many entries as an index
      vector.
    - (C3) `updates` has the extents of `scatter_indices` before those of the
      windows, each in its position, and no window is larger than the input.
    - (C4) `scatter_indices` has integer elements, and `reduce_type` is `sum`,
      `prod`, `max`, `min` or `invalid`.
    - (C5) the output has the input's shape.

    Numerics: those of `ttir.scatter_rows`.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.scatter"(%a, %b, %c, %0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<64x128xf32>, tensor<10x1xsi32>, tensor<10x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_ScatterDimOp : TTIR_CompositeOp<"scatter_dim",
    (ins TT_Tensor:$input, TT_Tensor:$index, TT_Tensor:$source),
    (ins I32Attr:$dim,
         TT_ReduceTypeAttr:$reduce_type)> {
  let summary =
      "A tensor with elements updated at given positions along a dimension.";
  let description = [{
    Each element of `source` at a position of `index` is combined with the
    input's element at the same position, except that its position along `dim`
    (a negative one counts from the end) is given by `index`: PyTorch's
    `scatter`, and `scatter_reduce` with `sum`, `prod`, `max` or `min`. With
    `invalid` it replaces the element, and the last one stays. Updates outside
    the input are dropped.

    Constraints:
    - (C1) `dim` is in [-rank, rank).
    - (C2) `index` has integer elements and the input's rank, at most the
      extents of `source`, and in the other dimensions at most the input's.
    - (C3) `reduce_type` is `sum`, `prod`, `max`, `min` or `invalid`.
    - (C4) the output has the input's shape.

    Numerics: those of `ttir.scatter_rows`.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x50xf32>
    %1 = "ttir.scatter_dim"(%a, %b, %c, %0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<invalid>}> : (tensor<4x50xf32>, tensor<4x7xsi32>, tensor<4x7xf32>, tensor<4x50xf32>) -> tensor<4x50xf32>
    ```
  }];
  let builder = 0;
}

//===----------------------------------------------------------------------===//
// Composites/Slices.cpp
//===----------------------------------------------------------------------===//

def TTIR_DynamicSliceOp : TTIR_CompositeOp<"dynamic_slice",
    (ins TT_Tensor:$input, TT_Tensor:$start_indices),
    (ins DenseI64ArrayAttr:$slice_sizes)> {
  let summary = "A slice of a tensor at a computed position.";
  let description = [{
    The `slice_sizes` elements of each dimension starting at `start_indices`. A
    slice that would exceed the input is moved inside, as in StableHLO.

    Constraints:
    - (C1) `start_indices` has rank 1, integer elements and one for each
      dimension of the input.
    - (C2) `slice_sizes` has an entry for each dimension, between 0 and its
      extent.
    - (C3) the output has the extents `slice_sizes`.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x128xf32>
    %1 = "ttir.dynamic_slice"(%a, %b, %0) <{operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 1, 128>}> : (tensor<64x128xf32>, tensor<2xsi32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_DynamicUpdateSliceOp : TTIR_CompositeOp<"dynamic_update_slice",
    (ins TT_Tensor:$input, TT_Tensor:$update, TT_Tensor:$start_indices),
    (ins)> {
  let summary = "A tensor with a slice replaced at a computed position.";
  let description = [{
    The input with `update` written into it at `start_indices`. An update that
    would exceed the input is moved inside, as in StableHLO.

    Constraints:
    - (C1) `update` has the input's rank, and no extent is greater than the
      input's.
    - (C2) `start_indices` has rank 1, integer elements and one for each
      dimension of the input.
    - (C3) the output has the input's shape.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.dynamic_update_slice"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x128xf32>, tensor<1x128xf32>, tensor<2xsi32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_SliceDynamicOp : TTIR_CompositeOp<"slice_dynamic",
    (ins TT_Tensor:$input, TT_Tensor:$begins, TT_Tensor:$ends),
    (ins OptionalAttr<I32ArrayAttr>:$step,
         DenseI64ArrayAttr:$shape)> {
  let summary = "A slice of a tensor between computed positions.";
  let description = [{
    The elements at begins, begins + step, ... of each dimension, `shape` of
    them; a negative begin counts from the end of the dimension. `ends` is
    redundant with `shape`. A slice that would exceed the input is moved inside.

    Constraints:
    - (C1) `begins` and `ends` have rank 1, integer elements and one for each
      dimension of the input.
    - (C2) `shape` and, if given, `step` have an entry for each dimension; steps
      are positive, and the slice is no longer than the input.
    - (C3) the output has the shape `shape`.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x64xf32>
    %1 = "ttir.slice_dynamic"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any], shape = array<i64: 2, 64>, step = [1 : i32, 2 : i32]}> : (tensor<64x128xf32>, tensor<2xsi32>, tensor<2xsi32>, tensor<2x64xf32>) -> tensor<2x64xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_IndexOp : TTIR_CompositeOp<"index",
    (ins TT_Tensor:$input),
    (ins I32Attr:$dim,
         I32Attr:$begin,
         I32Attr:$end,
         I32Attr:$step)> {
  let summary = "A slice of a tensor along one dimension.";
  let description = [{
    The elements at begin, begin + step, ... below `end` of dimension `dim`; a
    negative dimension, begin or end counts from the end.

    Constraints:
    - (C1) `dim` is in [-rank, rank).
    - (C2) `step` is positive, and 0 <= begin <= end <= extent.
    - (C3) the output has the extent ceil((end - begin) / step) there.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x32xf32>
    %1 = "ttir.index"(%a, %0) <{begin = 32 : i32, dim = 1 : i32, end = 96 : i32, operand_constraints = [#any, #any], step = 2 : i32}> : (tensor<64x128xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_IndexSelectOp : TTIR_CompositeOp<"index_select",
    (ins TT_Tensor:$input),
    (ins SI32Attr:$dim,
         SI32Attr:$begin,
         SI32Attr:$length,
         DefaultValuedAttr<SI32Attr, "1">:$stride)> {
  let summary = "Elements of a tensor along one dimension, by count.";
  let description = [{
    `length` elements of dimension `dim`, from `begin` on and `stride` apart; a
    negative dimension or begin counts from the end.

    Constraints:
    - (C1) `dim` is in [-rank, rank).
    - (C2) `length` and `stride` are positive, and the elements in the input.
    - (C3) the output has the extent `length` there.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x32xf32>
    %1 = "ttir.index_select"(%a, %0) <{begin = 32 : si32, dim = 1 : si32, length = 32 : si32, operand_constraints = [#any, #any], stride = 2 : si32}> : (tensor<64x128xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_RepeatInterleaveOp : TTIR_CompositeOp<"repeat_interleave",
    (ins TT_Tensor:$input),
    (ins UI32Attr:$repeats,
         SI32Attr:$dim)> {
  let summary = "Repetition of every element.";
  let description = [{
    Repeats each element along `dim` `repeats` times, copies next to each other;
    a negative dimension counts from the end.

    Constraints:
    - (C1) `dim` is in [-rank, rank).
    - (C2) `repeats` is positive.
    - (C3) the output has `repeats` times the extent there.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x24x16xf32>
    %1 = "ttir.repeat_interleave"(%a, %0) <{dim = 1 : si32, operand_constraints = [#any, #any], repeats = 3 : ui32}> : (tensor<4x8x16xf32>, tensor<4x24x16xf32>) -> tensor<4x24x16xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_ReverseOp : TTIR_CompositeOp<"reverse",
    (ins TT_Tensor:$input),
    (ins DenseI64ArrayAttr:$dimensions)> {
  let summary = "Reversal of dimensions.";
  let description = [{
    The input with the elements along each of `dimensions` in reverse order.

    Constraints:
    - (C1) `dimensions` are in [0, rank), and none occurs twice.
    - (C2) the output has the input's shape.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.reverse"(%a, %0) <{dimensions = array<i64: 0>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_GetDimensionSizeOp : TTIR_CompositeOp<"get_dimension_size",
    (ins TT_Tensor:$operand),
    (ins I32Attr:$dimension)> {
  let summary = "The extent of a dimension.";
  let description = [{
    The extent of dimension `dimension` of the operand, as a tensor of one element.

    Constraints:
    - (C1) `dimension` is in [0, rank).
    - (C2) the output has one element, an integer.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1xsi32>
    %1 = "ttir.get_dimension_size"(%a, %0) <{dimension = 1 : i32, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<1xsi32>) -> tensor<1xsi32>
    ```
  }];
  let builder = 0;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Composites/Random.cpp
//===----------------------------------------------------------------------===//

def TTIR_Threefry2x32Op : TTIR_CompositeOp<"threefry2x32",
    (ins TT_Tensor:$key, TT_Tensor:$counts),
    (ins)> {
  let summary = "Random bits from counters, by the Threefry cipher.";
  let description = [{
    Threefry 2x32 with 20 rounds, as `jax.extend.random.threefry_2x32`. The
    counts are taken in row-major order and paired, first half with second half;
    an odd number of counts is padded with a 0.

    Constraints:
    - (C1) all tensors have 32-bit integers.
    - (C2) `key` has the shape 2.
    - (C3) the output has the shape of `counts`.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x32xi32>
    %1 = "ttir.threefry2x32"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2xi32>, tensor<4x32xi32>, tensor<4x32xi32>) -> tensor<4x32xi32>
    ```
  }];
  let builder = 0;
}

def TTIR_RngBitGeneratorOp : TTIR_CompositeOp<"rng_bit_generator",
    (ins TT_Tensor:$initial_state),
    (ins StrAttr:$algorithm,
         DenseI64ArrayAttr:$shape), 1, []> {
  let summary = "Random bits and the new state of the generator.";
  let description = [{
    Random bits, as 32-bit integers, from the algorithm `three_fry` or `philox`,
    as XLA's RngBitGenerator computes them on a CPU. The results are the new
    state and the bits. A state consists of pairs of words, the lower half of
    each 64-bit number first: key and counter of Threefry 2x32 (20 rounds) or of
    Philox 4x32 (10 rounds), whose counter may have two numbers.

    Constraints:
    - (C1) `algorithm` is `three_fry` or `philox`.
    - (C2) the state has the shape 4, or for `philox` 4 or 6.
    - (C3) all tensors have 32-bit integers.
    - (C4) there are two results, of the state's shape and of `shape`.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4xi32>
    %1 = tensor.empty() : tensor<8x32xi32>
    %2:2 = "ttir.rng_bit_generator"(%a, %0, %1) <{algorithm = "three_fry", operand_constraints = [#any, #any, #any], shape = array<i64: 8, 32>}> : (tensor<4xi32>, tensor<4xi32>, tensor<8x32xi32>) -> (tensor<4xi32>, tensor<8x32xi32>)
    ```
  }];
  let builder = 0;
}

def TTIR_RandOp : TTIR_CompositeOp<"rand",
    (ins),
    (ins DenseI64ArrayAttr:$shape,
         DefaultValuedAttr<F32Attr, "0.0f">:$low,
         DefaultValuedAttr<F32Attr, "1.0f">:$high,
         DefaultValuedAttr<UI32Attr, "0">:$seed)> {
  let summary = "Uniform random numbers in an interval.";
  let description = [{
    Numbers in [low, high) from `seed`, the same in every run and on every chip:
    those of `jax.random.uniform(jax.random.key(seed), shape, jnp.float32, low,
    high)`, which uses 23 bits of Threefry 2x32 of the position for each.

    Constraints:
    - (C1) `low` is less than `high`, and both are finite.
    - (C2) the output has the shape `shape` and floats.

    Numerics: computed in f32, rounded once to the result's format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.rand"(%0) <{high = 1.000000e+00 : f32, low = -1.000000e+00 : f32, operand_constraints = [#any], seed = 7 : ui32, shape = array<i64: 64, 128>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let builder = 0;
  let hasVerifier = 1;
}

def TTIR_DropoutOp : TTIR_CompositeOp<"dropout",
    (ins TT_Tensor:$input),
    (ins DefaultValuedAttr<F32Attr, "0.0f">:$prob,
         DefaultValuedAttr<F32Attr, "1.0f">:$scale,
         DefaultValuedAttr<UI32Attr, "0">:$seed)> {
  let summary = "Random zeroing of elements.";
  let description = [{
    `scale` times the elements where `ttir.rand` with the same `seed` and the
    input's shape is at least `prob`, 0 elsewhere.

    Constraints:
    - (C1) `prob` is in [0, 1].
    - (C2) the output has the input's shape, and both have floats.

    Numerics: computed in f32, rounded once to the result's format.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<64x128xf32>
    %1 = "ttir.dropout"(%a, %0) <{operand_constraints = [#any, #any], prob = 2.500000e-01 : f32, scale = 2.000000e+00 : f32, seed = 7 : ui32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let builder = 0;
}

def TTIR_SamplingOp : TTIR_CompositeOp<"sampling",
    (ins TT_Tensor:$input_values, TT_Tensor:$input_indices, TT_Tensor:$k, TT_Tensor:$p, TT_Tensor:$temp),
    (ins DefaultValuedAttr<UI32Attr, "0">:$seed)> {
  let summary = "A random sample from each row of logits.";
  let description = [{
    In each row of `input_values`, keeps the `k` largest, takes the softmax of
    these divided by `temp`, and keeps the first of them up to the one at which
    their sum reaches `p`. Of these it draws the first one at which the sum of
    the probabilities exceeds u times the total, where u is the number of
    `ttir.rand` for that row, with `seed` and the rows' shape. The result is the
    corresponding element of `input_indices`.

    Constraints:
    - (C1) `input_values` and `input_indices` have rank 2 and one shape.
    - (C2) `k`, `p` and `temp` have rank 1 and an element for each row.
    - (C3) `input_indices`, `k` and the output have integer elements, the others
      are floats.
    - (C4) the output has rank 1 and an element for each row.

    Numerics: probabilities and their sums are computed in f32.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<32xsi32>
    %1 = "ttir.sampling"(%a, %b, %c, %d, %e, %0) <{operand_constraints = [#any, #any, #any, #any, #any, #any], seed = 7 : ui32}> : (tensor<32x64xf32>, tensor<32x64xsi32>, tensor<32xsi32>, tensor<32xf32>, tensor<32xf32>, tensor<32xsi32>) -> tensor<32xsi32>
    ```
  }];
  let builder = 0;
  let hasVerifier = 1;
}

#endif
