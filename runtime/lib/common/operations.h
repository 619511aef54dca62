// The tables of the schema that are operations: name and decoder of each.
#ifndef TT_RUNTIME_COMMON_OPERATIONS_H
#define TT_RUNTIME_COMMON_OPERATIONS_H

#include "common/decoder.h"

namespace tt::target::ttnn {
// Members of the union that other schemas share.
using target::CollectiveOp;
using target::MeshShardOp;
} // namespace tt::target::ttnn

namespace tt::runtime {

/// X(table, name in reports and messages), in the order of the union.
#define TTMLIR_TTNN_OPERATIONS(X)                                              \
  X(GetDeviceOp, "get_device")                                                 \
  X(ToMemoryConfigOp, "to_memory_config")                                      \
  X(ToLayoutOp, "to_layout")                                                   \
  X(ToDeviceOp, "to_device")                                                   \
  X(EmptyOp, "empty")                                                          \
  X(FullOp, "full")                                                            \
  X(EltwiseOp, "eltwise")                                                      \
  X(MatmulOp, "matmul")                                                        \
  X(ReductionOp, "reduction")                                                  \
  X(EmbeddingOp, "embedding")                                                  \
  X(SoftmaxOp, "softmax")                                                      \
  X(TransposeOp, "transpose")                                                  \
  X(Conv2dOp, "conv2d")                                                        \
  X(ConcatOp, "concat")                                                        \
  X(ReshapeOp, "reshape")                                                      \
  X(MaxPool2dOp, "max_pool2d")                                                 \
  X(DeallocOp, "dealloc")                                                      \
  X(FromDeviceOp, "from_device")                                               \
  X(ConstantOp, "constant")                                                    \
  X(ArangeOp, "arange")                                                        \
  X(ArgMaxOp, "argmax")                                                        \
  X(CumSumOp, "cumsum")                                                        \
  X(EmbeddingBackwardOp, "embedding_bw")                                       \
  X(GatherOp, "gather")                                                        \
  X(LayerNormOp, "layer_norm")                                                 \
  X(RMSNormOp, "rms_norm")                                                     \
  X(PermuteOp, "permute")                                                      \
  X(SliceOp, "slice")                                                          \
  X(PadOp, "pad")                                                              \
  X(RepeatOp, "repeat")                                                        \
  X(LinearOp, "linear")                                                        \
  X(AvgPool2dOp, "avg_pool2d")                                                 \
  X(ConvTranspose2dOp, "conv_transpose2d")                                     \
  X(UpsampleOp, "upsample")                                                    \
  X(MeshShardOp, "mesh_shard")                                                 \
  X(CollectiveOp, "collective")

/// Reads the fields of a table into a step. Checks what the step no longer
/// says; the rest is left to checkStep().
#define TTMLIR_DECLARE(Table, Name)                                            \
  Step decode(Decoder &d, ::tt::target::ttnn::Table const *op);
TTMLIR_TTNN_OPERATIONS(TTMLIR_DECLARE)
#undef TTMLIR_DECLARE

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_OPERATIONS_H
