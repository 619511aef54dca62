//===- Ops of the 'ttnn' dialect ------------------------------------------===//

#ifndef TTMLIR_TTNN_OPS_TD
#define TTMLIR_TTNN_OPS_TD

include "dialects/TTNN/TTNNEltwiseOps.td"
include "dialects/TTNN/TTNNTensorOps.td"
include "dialects/TTNN/TTNNNNOps.td"
include "dialects/TTNN/TTNNSharedOps.td"
include "dialects/TTNN/TTNNMemoryOps.td"
include "dialects/TTNN/TTNNCollectiveOps.td"

#endif
