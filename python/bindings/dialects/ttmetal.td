// Input of the generator of ttmlir/dialects/_ttmetal_ops_gen.py.
include "dialects/TTMetal/TTMetalOps.td"
