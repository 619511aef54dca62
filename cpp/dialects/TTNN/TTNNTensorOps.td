//===- Linear algebra, reductions and shapes in the 'ttnn' dialect --------===//

#ifndef TTMLIR_TTNN_TENSOR_OPS_TD
#define TTMLIR_TTNN_TENSOR_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTNN/TTNNBase.td"

def TTNN_MatmulOp : TTNN_DPSOp<"matmul"> {
  let summary = "Matrix product of the two innermost dimensions.";
  let description = [{
    As `ttir.matmul`, with its constraints.

    Example:

    ```mlir
    %3 = "ttnn.matmul"(%1, %2, %0) : (tensor<64x128xbf16>, tensor<128x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b,
                       AnyRankedTensor:$output,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$transpose_a,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$transpose_b);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "MatmulOp";
  let schemaFields = ["in0=a", "in1=b", "out=result",
                      "transpose_a=transpose_a", "transpose_b=transpose_b"];
  let hasVerifier = 1;
}

class TTNN_ReductionOp<string mnemonic, string enumerator>
    : TTNN_DPSOp<mnemonic> {
  let summary = "Reduction of dimensions.";
  let description = [{
    As `ttir.}] # mnemonic # [{`, with its constraints.

    Example:

    ```mlir
    %2 = "ttnn.}] # mnemonic # [{"(%1, %0) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       BoolAttr:$keep_dim,
                       OptionalAttr<I32ArrayAttr>:$dim_arg);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "ReductionOp";
  let schemaFields = ["type=ReductionOpType::" # enumerator, "in=input",
                      "out=result", "dim_arg=dim_arg", "keep_dim=keep_dim"];
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::shapes::verifyReduction(
          *this, getInput().getType(), getOutput().getType(), getKeepDim(),
          getDimArgAttr());
    }
  }];
}

def TTNN_SumOp : TTNN_ReductionOp<"sum", "Sum">;
def TTNN_MeanOp : TTNN_ReductionOp<"mean", "Mean">;
def TTNN_MaxOp : TTNN_ReductionOp<"max", "Max">;
def TTNN_MinOp : TTNN_ReductionOp<"min", "Min">;
def TTNN_ProdOp : TTNN_ReductionOp<"prod", "Prod">;

def TTNN_RepeatOp : TTNN_DPSOp<"repeat"> {
  let summary = "Copies of a tensor side by side.";
  let description = [{
    As `ttir.repeat`, with its constraints.

    Example:

    ```mlir
    %2 = "ttnn.repeat"(%1, %0) <{repeat_dims = #ttnn.shape<1x2>}> : (tensor<64x128xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       TTNN_ShapeAttr:$repeat_dims);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "RepeatOp";
  let schemaFields = ["in=input", "out=result", "repeat_dims=repeat_dims"];
  let hasVerifier = 1;
}

def TTNN_TransposeOp : TTNN_DPSOp<"transpose"> {
  let summary = "Exchange of two dimensions.";
  let description = [{
    As `ttir.transpose`, with its constraints.

    Example:

    ```mlir
    %2 = "ttnn.transpose"(%1, %0) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<64x128xbf16>, tensor<128x64xbf16>) -> tensor<128x64xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       SI32Attr:$dim0, SI32Attr:$dim1);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "TransposeOp";
  let schemaFields = ["in=input", "out=result", "dim0=dim0", "dim1=dim1"];
  let hasVerifier = 1;
}

def TTNN_ConcatOp : TTNN_DPSOp<"concat"> {
  let summary = "Concatenation along a dimension.";
  let description = [{
    As `ttir.concat`, with its constraints.

    Example:

    ```mlir
    %3 = "ttnn.concat"(%1, %2, %0) <{dim = 1 : si32}> : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       AnyRankedTensor:$output, SI32Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "ConcatOp";
  let schemaFields = ["inputs=[inputs]", "out=result", "dim=dim"];
  let hasVerifier = 1;
}

def TTNN_ReshapeOp : TTNN_DPSOp<"reshape"> {
  let summary = "The same elements in another shape.";
  let description = [{
    As `ttir.reshape`, with its constraints.

    Example:

    ```mlir
    %2 = "ttnn.reshape"(%1, %0) <{shape = [2 : i32, 4 : i32, 32 : i32, 32 : i32]}> : (tensor<8x32x32xbf16>, tensor<2x4x32x32xbf16>) -> tensor<2x4x32x32xbf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output,
                       I32ArrayAttr:$shape);
  let results = (outs AnyRankedTensor:$result);
  let schemaTable = "ReshapeOp";
  let schemaFields = ["in=input", "out=result", "shape=shape"];
  let hasVerifier = 1;
}

#endif
