// Input of the generator of ttmlir/dialects/_ttnn_enum_gen.py: without the
// enumerations of tt, some of which have the same names.
include "dialects/TTNN/TTNNEnums.td"
