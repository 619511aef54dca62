// Input of the generators of ttmlir/dialects/_tt_*_gen.py.
include "dialects/TT/TTOps.td"
