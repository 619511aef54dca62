// Input of the generator of ttmlir/dialects/_ttkernel_enum_gen.py: without the
// enumerations of tt.
include "dialects/TTKernel/TTKernelEnums.td"
