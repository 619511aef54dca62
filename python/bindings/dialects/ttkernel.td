// Input of the generator of ttmlir/dialects/_ttkernel_ops_gen.py.
include "dialects/TTKernel/TTKernelOps.td"
