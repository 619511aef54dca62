//===- Ops of the 'ttkernel' dialect -------------------------------------===//

#ifndef TTMLIR_TTKERNEL_OPS_TD
#define TTMLIR_TTKERNEL_OPS_TD

include "dialects/TTKernel/Instructions.td"
include "dialects/TTKernel/TTKernelKernelOp.td"

foreach i = !instances<KernelInstruction>() in
  def "TT" # i.record # "Op" : TTKernel_KernelOp<i>;

#endif
