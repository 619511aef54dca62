//===- Ops of the 'ttir' dialect ------------------------------------------===//

#ifndef TTMLIR_TTIR_OPS_TD
#define TTMLIR_TTIR_OPS_TD

include "dialects/TTIR/TTIREltwiseOps.td"
include "dialects/TTIR/TTIRTensorOps.td"
include "dialects/TTIR/TTIRNNOps.td"
include "dialects/TTIR/TTIRSharedOps.td"
include "dialects/TTIR/TTIRMemoryOps.td"
include "dialects/TTIR/TTIRCollectiveOps.td"
include "dialects/TTIR/TTIRAttentionOps.td"
include "dialects/TTIR/TTIRCompositeOps.td"
include "dialects/TTIR/TTIRIndexOps.td"
include "dialects/TTIR/TTIRQuantOps.td"

#endif
