// Input of the generator of ttmlir/dialects/_ttir_ops_gen.py.
include "dialects/TTIR/TTIRAllOps.td"
