//===- Ops that the 'ttir' and 'ttnn' dialects share ----------------------===//
//
// An op that is the same in both dialects, operand constraints excepted, is
// described here once: operands, attributes, rules, the example and the table of
// the flatbuffer. Each dialect makes its op from the description.

#ifndef TTMLIR_SHARED_OPS_TD
#define TTMLIR_SHARED_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "dialects/TT/TTAttrs.td"
include "dialects/TT/TTTypes.td"

class SharedOp<string opName, string opMnemonic> {
  /// The C++ class without its suffix `Op`.
  string name = opName;
  string mnemonic = opMnemonic;
  /// A noun phrase.
  string summary;
  /// What the op computes and the rules that its verifier checks.
  string description;
  /// The numeric contract.
  string numerics = "Exact.";
  /// Tensors in front of the destination `output`.
  dag operands;
  dag attributes = (ins);
  /// It runs on the matrix or the vector engine of the cores.
  bit computes = 0;
  /// The 'ttnn' op can apply an activation to its result.
  bit activates = 0;
  /// There are several optional operands.
  bit segmented = 0;
  /// `shapes::infer<rule>`, with these arguments behind the op, is the output's
  /// shape.
  string rule = opName;
  string ruleArguments;
  /// The verifier is `shapes::verify<rule>`, with the output and these arguments
  /// behind the op; without it the output has that shape.
  bit ownVerifier = 0;
  /// The method of the Python builder takes the operands and the attributes as they
  /// are; without it the method is written by hand.
  bit builder = 0;
  /// The 'ttir' op becomes the 'ttnn' op with the same operands and attributes.
  bit sameCall = 1;
  string schemaTable = opName # "Op";
  /// See OpTables.td.
  int schemaMember;
  list<string> schemaFields;
  list<string> readsPart = [];
  list<string> readsShape = [];
  /// Of the example: operands, attributes in front of and behind
  /// `operandSegmentSizes`, and types.
  list<string> exampleOperands;
  list<string> exampleBefore = [];
  list<string> exampleBehind = [];
  list<string> exampleTypes;
  string exampleResult;
}

/// The verifier of an op of the class `$cppClass`.
class SharedOpVerifier<SharedOp op> {
  defvar output = "getOutput().getType()";
  string definition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return }] # !if(op.ownVerifier,
          "::mlir::tt::shapes::verify" # op.rule # "(*this, " # output # ", "
              # op.ruleArguments # ")",
          "::mlir::tt::shapes::expectShape(*this, "
              # "::mlir::tt::shapes::infer" # op.rule # "(*this, "
              # op.ruleArguments # "), " # output # ")") # [{;
    }
  }];
}

def MatmulShared : SharedOp<"Matmul", "matmul"> {
  let summary = "Matrix product of the two innermost dimensions";
  let description = [{
    Multiplies `a` (.., M, K) by `b` (.., K, N) into (.., M, N). Leading
    dimensions broadcast by NumPy's rules. With `transpose_a` or `transpose_b`,
    the two innermost dimensions of that operand are exchanged first.

    Constraints:
    - (C1) `a`, `b` and the output have one rank, which is at least 2.
    - (C2) `b` has as many rows as `a` has columns.
    - (C3) the output has the broadcast leading dimensions, the rows of `a` and
      the columns of `b`.
    - (C4) `a`, `b` and the output, and the elements of their layouts, are all
      floats or all integers.
  }];
  let numerics = "Products are accumulated in f32, K in ascending order of tiles.";
  let computes = 1;
  let activates = 1;
  let operands = (ins TT_Tensor:$a, TT_Tensor:$b);
  let attributes = (ins DefaultValuedOptionalAttr<BoolAttr, "false">:$transpose_a,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$transpose_b);
  let ownVerifier = 1;
  let ruleArguments = [{getA().getType(), getB().getType(), getTransposeA(),
      getTransposeB()}];
  let schemaMember = 8;
  let schemaFields = ["in0=a", "in1=b", "out=result", "transpose_a=transpose_a", "transpose_b=transpose_b"];
  let exampleOperands = ["%a", "%b"];
  let exampleTypes = ["tensor<64x128xbf16>", "tensor<128x96xbf16>"];
  let exampleResult = "tensor<64x96xbf16>";
}

def TransposeShared : SharedOp<"Transpose", "transpose"> {
  let summary = "Exchange of two dimensions";
  let description = [{
    Exchanges the dimensions `dim0` and `dim1`; negative ones count from the end.

    Constraints:
    - (C1) input and output have one rank, which is at least 2.
    - (C2) `dim0` and `dim1` are in [-rank, rank).
    - (C3) the output has the input's shape with the two extents exchanged.
  }];
  let numerics = "Exact.";
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins SI32Attr:$dim0, SI32Attr:$dim1);
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(), getDim0(), getDim1()}];
  let schemaMember = 12;
  let schemaFields = ["in=input", "out=result", "dim0=dim0", "dim1=dim1"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["dim0 = 0 : si32", "dim1 = 1 : si32"];
  let exampleTypes = ["tensor<64x128xbf16>"];
  let exampleResult = "tensor<128x64xbf16>";
}

def ConcatShared : SharedOp<"Concat", "concat"> {
  let summary = "Concatenation along a dimension";
  let description = [{
    Concatenates the inputs along `dim`; a negative one counts from the end.

    Constraints:
    - (C1) there is an input.
    - (C2) `dim` is in [-rank, rank).
    - (C3) the inputs have one rank, and one shape except in `dim`.
    - (C4) the output has that shape, and in `dim` the sum of the extents.
  }];
  let numerics = "Exact.";
  let operands = (ins Variadic<TT_Tensor>:$inputs);
  let attributes = (ins SI32Attr:$dim);
  let ownVerifier = 1;
  let ruleArguments = [{getInputs().getTypes(), getDim()}];
  let schemaMember = 14;
  let schemaFields = ["inputs=[inputs]", "out=result", "dim=dim"];
  let exampleOperands = ["%a", "%b"];
  let exampleBefore = ["dim = 1 : si32"];
  let exampleTypes = ["tensor<32x32xf32>", "tensor<32x64xf32>"];
  let exampleResult = "tensor<32x96xf32>";
  // The library counts the dimension from the front.
  let sameCall = 0;
}

def ReshapeShared : SharedOp<"Reshape", "reshape"> {
  let summary = "The same elements in another shape";
  let description = [{
    The elements of the input in row-major order, in the shape `shape`. One
    entry may be -1 and is then inferred.

    Constraints:
    - (C1) `shape` has one entry for each dimension of the output.
    - (C2) input and output have the same number of elements.
    - (C3) at most one entry is -1; the others are not negative and equal the
      output's extents.
  }];
  let numerics = "Exact.";
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins I32ArrayAttr:$shape);
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(), getShape()}];
  let schemaMember = 15;
  let schemaFields = ["in=input", "out=result", "shape=shape"];
  let exampleOperands = ["%a"];
  let exampleBehind = ["shape = [2 : i32, 4 : i32, 32 : i32, 32 : i32]"];
  let exampleTypes = ["tensor<8x32x32xbf16>"];
  let exampleResult = "tensor<2x4x32x32xbf16>";
}

def EmbeddingShared : SharedOp<"Embedding", "embedding"> {
  let summary = "Rows of a table by index";
  let description = [{
    For each index in the input, the row of `weight` with that number.

    Constraints:
    - (C1) `weight` has rank 2: rows and the width of a row.
    - (C2) the output has the input's shape, followed by the width of a row.
  }];
  let numerics = "Exact. An index outside the table is an error at run time.";
  let operands = (ins TT_Tensor:$input, TT_Tensor:$weight);
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(), getWeight().getType()}];
  let schemaMember = 10;
  let schemaFields = ["input=input", "weight=weight", "output=result"];
  let readsPart = ["weight"];
  let exampleOperands = ["%a", "%b"];
  let exampleTypes = ["tensor<1x32xi32>", "tensor<512x128xbf16>"];
  let exampleResult = "tensor<1x32x128xbf16>";
}

def SoftmaxShared : SharedOp<"Softmax", "softmax"> {
  let summary = "Normalised exponentials along a dimension";
  let description = [{
    exp(x - max) divided by the sum of exp(x - max) along `dimension`; a negative
    one counts from the end.

    Constraints:
    - (C1) input and output have one shape.
    - (C2) `dimension` is in [-rank, rank).
  }];
  let numerics = "Computed in f32, rounded once to the result's format.";
  let computes = 1;
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins SI32Attr:$dimension);
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(), getDimension()}];
  let schemaMember = 11;
  let schemaFields = ["in=input", "out=result", "dimension=dimension"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["dimension = -1 : si32"];
  let exampleTypes = ["tensor<64x10xf32>"];
  let exampleResult = "tensor<64x10xf32>";
}

class ReductionShared<string opName, string opMnemonic, string what,
                      string contract> : SharedOp<opName, opMnemonic> {
  let summary = "Reduction to the " # what;
  let description = [{
    The }] # what # [{ of the elements along the dimensions `dim_arg`, or along
    all dimensions if it is absent or empty. Reduced dimensions become 1 with
    `keep_dim`, and are dropped without.

    Constraints:
    - (C1) the dimensions of `dim_arg` are in [-rank, rank) and distinct.
    - (C2) the output has the reduced shape. Since older programs state it
      loosely, each of these is accepted: the shape with the reduced dimensions
      kept as 1 or dropped, whatever `keep_dim` says; that shape with a reduced
      dimension padded to a tile's 32; any shape with that number of elements.
  }];
  let numerics = contract;
  let computes = 1;
  let operands = (ins TT_Tensor:$input);
  let attributes =
      (ins BoolAttr:$keep_dim, OptionalAttr<I32ArrayAttr>:$dim_arg);
  let rule = "Reduction";
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(), getKeepDim(), getDimArgAttr()}];
  let schemaTable = "ReductionOp";
  let schemaMember = 9;
  let schemaFields = ["type=ReductionOpType::" # opName, "in=input",
                      "out=result", "dim_arg=dim_arg", "keep_dim=keep_dim"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["dim_arg = [-1 : i32]", "keep_dim = true"];
  let exampleTypes = ["tensor<512x1024xf32>"];
  let exampleResult = "tensor<512x1xf32>";
}

def SumShared : ReductionShared<"Sum", "sum", "sum",
    "Accumulated in f32, rounded once to the result's format.">;
def MeanShared : ReductionShared<"Mean", "mean", "mean",
    "The sum is accumulated in f32 and divided by the number of elements, then "
    "rounded once to the result's format.">;
def MaxShared
    : ReductionShared<"Max", "max", "maximum", "Exact; NaN if any is NaN.">;
def MinShared
    : ReductionShared<"Min", "min", "minimum", "Exact; NaN if any is NaN.">;
def ProdShared : ReductionShared<"Prod", "prod", "product",
    "Accumulated in f32, rounded once to the result's format.">;

def LinearShared : SharedOp<"Linear", "linear"> {
  let summary = "Matrix product with a bias";
  let description = [{
    Multiplies `a` (.., M, K) by `b` (.., K, N) as `matmul` does and adds
    `bias`. With `transpose_a` or `transpose_b`, the two innermost dimensions of
    that operand are exchanged first.

    Constraints:
    - (C1) those of `matmul` for `a`, `b` and the output.
    - (C2) the bias broadcasts to the output's shape by NumPy's rules, and has
      floats or integers as the output has.
  }];
  let numerics = "Accumulated in f32, the bias too, rounded once to the result's format.";
  let computes = 1;
  let activates = 1;
  let operands = (ins TT_Tensor:$a, TT_Tensor:$b,
                      Optional<TT_Tensor>:$bias);
  let attributes = (ins
      DefaultValuedOptionalAttr<BoolAttr, "false">:$transpose_a,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$transpose_b);
  let ownVerifier = 1;
  let ruleArguments = [{getA().getType(), getB().getType(),
      getBias() ? getBias().getType() : RankedTensorType(), getTransposeA(),
      getTransposeB()}];
  let schemaMember = 31;
  let schemaFields = ["in0=a", "in1=b", "bias=bias", "out=result",
                      "transpose_a=transpose_a", "transpose_b=transpose_b"];
  let exampleOperands = ["%a", "%b", "%c"];
  let exampleBehind = ["transpose_b = true"];
  let exampleTypes = ["tensor<64x128xbf16>", "tensor<96x128xbf16>",
                      "tensor<96xbf16>"];
  let exampleResult = "tensor<64x96xbf16>";
}

def ArgMaxShared : SharedOp<"ArgMax", "argmax"> {
  let summary = "Index of the maximum";
  let description = [{
    The index of the first maximum along the dimension in `dim_arg`, or in the
    flattened tensor without `dim_arg`. The dimension becomes 1 with `keep_dim`
    and is dropped without; without `dim_arg` all dimensions are dropped, except
    one of extent 1.

    Constraints:
    - (C1) `dim_arg` has one entry, in [-rank, rank).
    - (C2) the output has the reduced shape and integer elements.
  }];
  let numerics = "Exact; NaN counts as the maximum.";
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins BoolAttr:$keep_dim, OptionalAttr<I32ArrayAttr>:$dim_arg);
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(), getKeepDim(), getDimArgAttr()}];
  let schemaMember = 21;
  let schemaFields = ["in=input", "out=result", "dim=first(dim_arg)",
                      "keep_dim=keep_dim"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["dim_arg = [1 : i32]", "keep_dim = false"];
  let exampleTypes = ["tensor<64x128xf32>"];
  let exampleResult = "tensor<64xi32>";
}

def CumSumShared : SharedOp<"CumSum", "cumsum"> {
  let summary = "Running sum along a dimension";
  let description = [{
    The sum of the elements up to and including each position along `dim`; a
    negative one counts from the end.

    Constraints:
    - (C1) `dim` is in [-rank, rank).
    - (C2) input and output have one shape.
  }];
  let numerics = "Accumulated in f32, rounded once to the result's format; integers wrap.";
  let computes = 1;
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins I64Attr:$dim);
  let ruleArguments = [{getInput().getType(), getDim()}];
  let builder = 1;
  let schemaMember = 22;
  let schemaFields = ["in=input", "out=result", "dim=wide(dim)"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["dim = 1 : i64"];
  let exampleTypes = ["tensor<64x128xf32>"];
  let exampleResult = "tensor<64x128xf32>";
}

class ScanShared<string opName, string opMnemonic, int number, string what,
                 string contract> : SharedOp<opName, opMnemonic> {
  let summary = "Running " # what # " along a dimension";
  let description = [{
    The }] # what # [{ of the elements up to and including each position along
    `dim`; a negative one counts from the end.

    Constraints:
    - (C1) `dim` is in [-rank, rank).
    - (C2) input and output have one shape.
  }];
  let numerics = contract;
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins I64Attr:$dim);
  let rule = "CumSum";
  let ruleArguments = [{getInput().getType(), getDim()}];
  let builder = 1;
  let schemaMember = number;
  let schemaFields = ["in=input", "out=result", "dim=wide(dim)"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["dim = 1 : i64"];
  let exampleTypes = ["tensor<64x128xf32>"];
  let exampleResult = "tensor<64x128xf32>";
}

def CumProdShared : ScanShared<"CumProd", "cumprod", 40, "product",
    "Multiplied in f32, rounded once to the result's format; integers wrap.">;
def CumMaxShared : ScanShared<"CumMax", "cummax", 41, "maximum",
    "Exact; NaN from the first NaN on.">;
def CumMinShared : ScanShared<"CumMin", "cummin", 42, "minimum",
    "Exact; NaN from the first NaN on.">;

def ArgSortShared : SharedOp<"ArgSort", "argsort"> {
  let summary = "Indices of the elements in ascending or descending order";
  let description = [{
    The indices along `dim` that sort the input's elements; the sort is stable.
    A negative `dim` counts from the end. -0 and 0 are equal, NaNs are equal to
    each other and greater than all numbers, as in JAX, NumPy and PyTorch.

    Constraints:
    - (C1) `dim` is in [-rank, rank).
    - (C2) the output has the input's shape and integer elements of at least 16
      bits.
  }];
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins I64Attr:$dim, BoolAttr:$descending);
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(), getDim()}];
  let schemaMember = 37;
  let schemaFields = ["in=input", "out=result", "dim=wide(dim)",
                      "descending=descending"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["descending = false", "dim = 1 : i64"];
  let exampleTypes = ["tensor<64x128xf32>"];
  let exampleResult = "tensor<64x128xi32>";
}

def ScatterRowsShared : SharedOp<"ScatterRows", "scatter_rows"> {
  let summary = "A table with some rows updated";
  let description = [{
    Row `indices[i]` of the result is that of the input combined with row i of
    `updates`, one update after the other in the order of i: the sum (`sum`),
    the product (`prod`), the greater element (`max`), the smaller one (`min`),
    or the update alone (`invalid`), of which the last one stays. Updates whose
    index is not a row of the input are dropped.

    Constraints:
    - (C1) input and `updates` have rank 2 and rows of one length.
    - (C2) `indices` has rank 1, integer elements and one for each update.
    - (C3) `reduce_type` is `sum`, `prod`, `max`, `min` or `invalid`.
    - (C4) the output has the input's shape.
  }];
  let numerics = "Computed in f32, rounded once to the result's format; integers "
                 "wrap. On kernels sums and products of several updates of a row "
                 "are joined pairwise.";
  let operands = (ins TT_Tensor:$input, TT_Tensor:$indices, TT_Tensor:$updates);
  let attributes = (ins TT_ReduceTypeAttr:$reduce_type);
  let ruleArguments = [{getInput().getType(), getIndices().getType(),
      getUpdates().getType(), getReduceType()}];
  let schemaMember = 38;
  let schemaFields = ["input=input", "indices=indices", "updates=updates",
                      "out=result", "reduce_type=reduce_type"];
  let exampleOperands = ["%a", "%b", "%c"];
  let exampleBehind = ["reduce_type = #tt.reduce_type<sum>"];
  let exampleTypes = ["tensor<512x128xf32>", "tensor<32xi32>",
                      "tensor<32x128xf32>"];
  let exampleResult = "tensor<512x128xf32>";
}

def UpdateSliceShared : SharedOp<"UpdateSlice", "update_slice"> {
  let summary = "A tensor with a slice replaced at a computed position";
  let description = [{
    The input with `update` written into it. In dimension d the update begins at
    `starts[d]`, to which element i of `index` is added if `dims[i]` is d. An
    update that would exceed the input is moved inside with `clamp`, and dropped
    without.

    An `index` of rank 2 has one row per update: the op then writes several
    updates of equal size, such as a cache row for each user. They are
    concatenated along the first dimension of `update` and written in that order.
    If `dims` does not include the first dimension, they are consecutive along it
    in the output, too.

    If nothing reads the input after the op, `ttir-in-place` makes it the
    destination, so that only the update is written.

    Constraints:
    - (C1) input and `update` have the same rank, which is at least 2, and the
      same element type; no extent of an update is greater than the input's.
    - (C2) `starts` has an entry for each dimension.
    - (C3) the dimensions in `dims` are distinct; `index` has an integer for each
      of them, and is absent if there are none.
    - (C4) `index` has rank 1, or rank 2 and one row per update; the number of
      updates divides the first dimension of `update`, which is at most the
      input's unless `dims` includes it.
    - (C5) the output has the input's shape.
  }];
  let operands = (ins TT_Tensor:$input, TT_Tensor:$update,
                      Optional<TT_Tensor>:$index);
  let attributes = (ins DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$dims,
      DefaultValuedAttr<BoolAttr, "true">:$clamp);
  let ruleArguments = [{getInput().getType(), getUpdate().getType(),
      getIndex() ? getIndex().getType() : RankedTensorType(), getStarts(),
      getDims()}];
  let schemaMember = 44;
  let schemaFields = ["input=input", "update=update", "index=index", "out=result",
                      "starts=starts", "dims=dims", "clamp=clamp"];
  let exampleOperands = ["%a", "%b", "%c"];
  let exampleBefore = ["clamp = false", "dims = array<i64: 2>"];
  let exampleBehind = ["starts = array<i64: 0, 0, 0, 0>"];
  let exampleTypes = ["tensor<1x2x64x32xf32>", "tensor<1x2x1x32xf32>",
                      "tensor<1xi32>"];
  let exampleResult = "tensor<1x2x64x32xf32>";
}

def PreviousEqualShared : SharedOp<"PreviousEqual", "previous_equal"> {
  let summary = "The last earlier position with an equal element";
  let description = [{
    For each position of a list of integers from 0 to `limit` - 1, the last
    earlier position with the same number; the position itself if there is none,
    or if the number is not in that range.

    Constraints:
    - (C1) the input has rank 1 and integer elements, `limit` is positive.
    - (C2) the output has the input's shape and integer elements of at least 16
      bits.
  }];
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins I64Attr:$limit);
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(), getLimit()}];
  let schemaMember = 39;
  let schemaFields = ["in=input", "out=result", "limit=wide(limit)"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["limit = 512 : i64"];
  let exampleTypes = ["tensor<32xi32>"];
  let exampleResult = "tensor<32xi32>";
}

def BitcastConvertShared : SharedOp<"BitcastConvert", "bitcast_convert"> {
  let summary = "The same bits as elements of another type";
  let description = [{
    The elements' bits, row-major, in the output's element type. If that is n
    times smaller, the output has an additional innermost dimension of extent n,
    whose first element has the lowest bits; if it is n times larger, that
    dimension is removed.

    Constraints:
    - (C1) input and output hold no block floats.
    - (C2) the output has the input's shape except for that dimension.
  }];
  let operands = (ins TT_Tensor:$input);
  let ruleArguments = [{getInput().getType(),
      getOutput().getType()}];
  let schemaMember = 43;
  let schemaFields = ["in=input", "out=result"];
  let exampleOperands = ["%a"];
  let exampleTypes = ["tensor<64x128xf32>"];
  let exampleResult = "tensor<64x128xi32>";
}

def PermuteShared : SharedOp<"Permute", "permute"> {
  let summary = "Permutation of dimensions";
  let description = [{
    Dimension i of the output is dimension `permutation[i]` of the input.

    Constraints:
    - (C1) `permutation` contains each of 0 to rank - 1 once.
    - (C2) the output has the input's extents in that order.
  }];
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins DenseI64ArrayAttr:$permutation);
  let ruleArguments = [{getInput().getType(), getPermutation()}];
  let schemaMember = 27;
  let schemaFields = ["in=input", "out=result", "permutation=permutation"];
  let exampleOperands = ["%a"];
  let exampleBehind = ["permutation = array<i64: 2, 0, 1>"];
  let exampleTypes = ["tensor<2x32x64xf32>"];
  let exampleResult = "tensor<64x2x32xf32>";
}

def SliceShared : SharedOp<"Slice", "slice"> {
  let summary = "Part of a tensor";
  let description = [{
    The elements at begins, begins + step, ... below ends in each dimension; a
    negative begin or end counts from the end of the dimension.

    Constraints:
    - (C1) `begins`, `ends` and `step` have one entry for each dimension.
    - (C2) steps are positive, and 0 <= begin <= end <= extent.
    - (C3) the output has the extents ceil((end - begin) / step).
  }];
  let operands = (ins TT_Tensor:$input);
  let attributes =
      (ins I32ArrayAttr:$begins, I32ArrayAttr:$ends, I32ArrayAttr:$step);
  let ruleArguments = [{getInput().getType(), getBegins(), getEnds(),
      getStep()}];
  let schemaMember = 28;
  let schemaFields = ["in=input", "out=result",
                      "begins=bounds(begins)", "ends=bounds(ends)",
                      "step=wide(step)"];
  let readsPart = ["input"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["begins = [0 : i32, 32 : i32]", "ends = [64 : i32, 96 : i32]"];
  let exampleBehind = ["step = [1 : i32, 2 : i32]"];
  let exampleTypes = ["tensor<64x128xf32>"];
  let exampleResult = "tensor<64x32xf32>";
}

def PadShared : SharedOp<"Pad", "pad"> {
  let summary = "A tensor with padding around it";
  let description = [{
    Pads the input with `value`: `padding` has, for each dimension in turn, the
    number of elements before and after.

    Constraints:
    - (C1) `padding` has two entries, none negative, for each dimension.
    - (C2) the output has the extents of the input and its padding.
  }];
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins DenseI32ArrayAttr:$padding, F32Attr:$value);
  let ruleArguments = [{getInput().getType(), getPadding()}];
  let schemaMember = 29;
  let schemaFields = ["in=input", "out=result", "padding=padding",
                      "value=value"];
  let exampleOperands = ["%a"];
  let exampleBehind = ["padding = array<i32: 0, 1, 2, 2>", "value = 0.000000e+00 : f32"];
  let exampleTypes = ["tensor<31x60xf32>"];
  let exampleResult = "tensor<32x64xf32>";
}

def UnfoldShared : SharedOp<"Unfold", "unfold"> {
  let summary = "Windows over images as the rows of a matrix";
  let description = [{
    The input is (N, H, W * C): images in rows, with `channels` elements C for
    each pixel. A window of `kernel` rows and columns, whose pixels are
    `dilation` apart, slides over each image in steps of `stride`. Row (n * OH +
    y) * OW + x of the output is the window at position (y, x) of image n: the
    elements of KH x KW pixels.

    Constraints:
    - (C1) the input has rank 3; `kernel`, `stride` and `dilation` have an entry
      for rows and one for columns, and are positive.
    - (C2) `channels` is positive and divides the innermost extent.
    - (C3) OH and OW, (extent - dilation * (kernel - 1) - 1) / stride + 1,
      rounded down, are positive.
    - (C4) the output is (N * OH * OW, KH * KW * C).
  }];
  let operands = (ins TT_Tensor:$input);
  let attributes = (ins I64Attr:$channels, DenseI32ArrayAttr:$kernel,
      DenseI32ArrayAttr:$stride, DenseI32ArrayAttr:$dilation);
  let ruleArguments = [{getInput().getType(), getChannels(), getKernel(),
      getStride(), getDilation()}];
  let schemaMember = 45;
  let schemaFields = ["in=input", "out=result", "channels=wide(channels)",
                      "kernel=kernel", "stride=stride", "dilation=dilation"];
  let exampleOperands = ["%a"];
  let exampleBefore = ["channels = 16 : i64", "dilation = array<i32: 1, 1>", "kernel = array<i32: 3, 3>"];
  let exampleBehind = ["stride = array<i32: 2, 2>"];
  let exampleTypes = ["tensor<2x9x144xf32>"];
  let exampleResult = "tensor<32x144xf32>";
}

def PrepareConv2dWeightsShared
    : SharedOp<"PrepareConv2dWeights", "prepare_conv2d_weights"> {
  let summary = "Weights of a convolution as a matrix";
  let description = [{
    Reorders the weights (O, C, KH, KW) of a `conv2d` as the matrix that it
    multiplies by: (1, 1, KH * KW * C, O), with a column for each filter. A
    `conv2d` takes either form.

    Constraints:
    - (C1) the weights have rank 4.
    - (C2) the output is (1, 1, KH * KW * C, O).
  }];
  let operands = (ins TT_Tensor:$weight);
  let ruleArguments = [{getWeight().getType()}];
  let schemaMember = 46;
  let schemaFields = ["in=weight", "out=result"];
  let exampleOperands = ["%a"];
  let exampleTypes = ["tensor<64x32x3x3xbf16>"];
  let exampleResult = "tensor<1x1x288x64xbf16>";
}

def GatherShared : SharedOp<"Gather", "gather"> {
  let summary = "Slices of a tensor at given indices";
  let description = [{
    For each index vector along dimension `index_vector_dim` of `start_indices`,
    the slice of `slice_sizes` of the input that begins there: `start_index_map`
    has the input dimension of each entry of the vector. `offset_dims` are the
    output dimensions of a slice, without its `collapsed_slice_dims` (of extent
    1); the other output dimensions are those of `start_indices`.
    `operand_batching_dims` of the input correspond to
    `start_indices_batching_dims`.

    Constraints:
    - (C1) `slice_sizes` has an entry for each dimension of the input, between 0
      and its extent; 1 if the dimension is collapsed or a batch dimension.
    - (C2) all dimensions are in range and distinct, and every dimension of the
      input is an offset, collapsed or a batch dimension.
    - (C3) `start_index_map` has as many entries as an index vector.
    - (C4) the output has the resulting shape.
  }];
  let numerics =
      "Exact. A slice that leaves the input is an error at run time; with "
      "`clamp` it is moved to the nearest place inside, as in StableHLO.";
  let operands = (ins TT_Tensor:$input, TT_Tensor:$start_indices);
  let attributes = (ins DenseI64ArrayAttr:$offset_dims,
      DenseI64ArrayAttr:$collapsed_slice_dims,
      DenseI64ArrayAttr:$operand_batching_dims,
      DenseI64ArrayAttr:$start_indices_batching_dims,
      DenseI64ArrayAttr:$start_index_map, SI64Attr:$index_vector_dim,
      DenseI64ArrayAttr:$slice_sizes,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$clamp);
  let ruleArguments = [{getInput().getType(), getStartIndices().getType(),
      shapes::GatherDims{getOffsetDims(), getCollapsedSliceDims(),
                         getOperandBatchingDims(),
                         getStartIndicesBatchingDims(), getStartIndexMap(),
                         getIndexVectorDim(), getSliceSizes()} }];
  let schemaMember = 24;
  let schemaFields = ["input=input", "start_indices=start_indices",
      "out=result", "offset_dims=offset_dims",
      "collapsed_slice_dims=collapsed_slice_dims",
      "operand_batching_dims=operand_batching_dims",
      "start_indices_batching_dims=start_indices_batching_dims",
      "start_index_map=start_index_map",
      "index_vector_dim=wide(index_vector_dim)", "slice_sizes=slice_sizes",
      "clamp=clamp"];
  let readsPart = ["input"];
  let exampleOperands = ["%a", "%b"];
  let exampleBefore = ["collapsed_slice_dims = array<i64: 0>", "index_vector_dim = 1 : si64", "offset_dims = array<i64: 1>",
                       "operand_batching_dims = array<i64>"];
  let exampleBehind = ["slice_sizes = array<i64: 1, 128>", "start_index_map = array<i64: 0>", "start_indices_batching_dims = array<i64>"];
  let exampleTypes = ["tensor<64x128xf32>", "tensor<10x1xi32>"];
  let exampleResult = "tensor<10x128xf32>";
}

class NormShared<string opName, string opMnemonic, int number, string what,
                 string formula>
    : SharedOp<opName, opMnemonic> {
  let summary = what # " over the innermost dimensions";
  let description = [{
    }] # formula # [{ over the innermost dimensions, of extents
    `normalized_shape`; then multiplied by `weight` and added to `bias`, if
    given.

    Constraints:
    - (C1) `normalized_shape` has 1 to rank entries, the input's innermost
      extents.
    - (C2) weight and bias have that shape, input and output one shape.
    - (C3) `epsilon` is not negative.
  }];
  let numerics = "Computed in f32 in two passes, rounded once to the result's format.";
  let computes = 1;
  let operands = (ins TT_Tensor:$input, Optional<TT_Tensor>:$weight,
                      Optional<TT_Tensor>:$bias);
  let attributes = (ins DenseI64ArrayAttr:$normalized_shape,
      DefaultValuedAttr<F32Attr, "1e-05f">:$epsilon);
  let segmented = 1;
  let rule = "Norm";
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(),
      getWeight() ? getWeight().getType() : RankedTensorType(),
      getBias() ? getBias().getType() : RankedTensorType(),
      getNormalizedShape(), getEpsilon()}];
  let schemaMember = number;
  let schemaFields = ["input=input", "weight=weight", "bias=bias",
                      "out=result", "normalized_shape=normalized_shape",
                      "epsilon=epsilon"];
  let exampleOperands = ["%a", "%b", "%c"];
  let exampleBefore = ["epsilon = 9.99999974E-6 : f32", "normalized_shape = array<i64: 128>"];
  let exampleTypes = ["tensor<2x64x128xf32>", "tensor<128xf32>",
                      "tensor<128xf32>"];
  let exampleResult = "tensor<2x64x128xf32>";
}

def LayerNormShared : NormShared<"LayerNorm", "layer_norm", 25, "Layer normalisation",
    "(x - mean(x)) / sqrt(variance(x) + epsilon)">;
def RMSNormShared : NormShared<"RMSNorm", "rms_norm", 26, "Root mean square normalisation",
    "x / sqrt(mean(x * x) + epsilon)">;

def EmbeddingBackwardShared : SharedOp<"EmbeddingBackward", "embedding_backward"> {
  let summary = "Gradient of an embedding's table";
  let description = [{
    Row i of the output is the sum of the rows of `in_gradient` at the positions
    where the input is i.

    Constraints:
    - (C1) `weight` has rank 2, and the output its shape.
    - (C2) `in_gradient` ends in the width of a row, and has as many rows as the
      input has elements.
  }];
  let numerics = "Accumulated in f32, rounded once to the result's format. An index "
                 "outside the table is an error at run time.";
  let operands = (ins TT_Tensor:$input, TT_Tensor:$weight,
                      TT_Tensor:$in_gradient);
  let ownVerifier = 1;
  let ruleArguments = [{getInput().getType(), getWeight().getType(),
      getInGradient().getType()}];
  let schemaMember = 23;
  let schemaFields = ["input=input", "weight=weight",
                      "in_gradient=in_gradient", "out=result"];
  let readsShape = ["weight"];
  let exampleOperands = ["%a", "%b", "%c"];
  let exampleTypes = ["tensor<1x32xi32>", "tensor<512x128xbf16>",
                      "tensor<1x32x128xbf16>"];
  let exampleResult = "tensor<512x128xbf16>";
}

/// All of them, but for the embedding's gradient, which has two names.
defvar SharedOps = [
  MatmulShared, LinearShared, SumShared, MeanShared,
  MaxShared, MinShared, ProdShared, ArgMaxShared,
  CumSumShared, CumProdShared, CumMaxShared, CumMinShared,
  ArgSortShared, ScatterRowsShared, PreviousEqualShared, BitcastConvertShared,
  UpdateSliceShared, TransposeShared, PermuteShared, ConcatShared,
  ReshapeShared, SliceShared, PadShared, UnfoldShared,
  PrepareConv2dWeightsShared, GatherShared,
  EmbeddingShared, SoftmaxShared, LayerNormShared, RMSNormShared
];

#endif
