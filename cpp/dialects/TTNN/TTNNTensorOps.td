//===- Linear algebra, reductions and shapes in the 'ttnn' dialect --------===//

#ifndef TTMLIR_TTNN_TENSOR_OPS_TD
#define TTMLIR_TTNN_TENSOR_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTNN/TTNNBase.td"

def TTNN_RepeatOp : TTNN_DPSOp<"repeat"> {
  let summary = "Repetition of a tensor along its dimensions.";
  let description = [{
    As `ttir.repeat`, with its constraints.

    Example:

    ```mlir
    %2 = "ttnn.repeat"(%1, %0) <{repeat_dims = #ttnn.shape<1x2>}> : (tensor<64x128xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output,
                       TTNN_ShapeAttr:$repeat_dims);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "RepeatOp";
  let schemaMember = 30;
  let schemaFields = ["in=input", "out=result", "repeat_dims=repeat_dims"];
  let hasVerifier = 1;
}

#endif
