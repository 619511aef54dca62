// Input of the generator of ttmlir/dialects/_ttnn_ops_gen.py.
include "dialects/TTNN/TTNNOps.td"
