//===- All ops of the 'ttir' dialect ---------------------------------------===//
//
// Those of TTIRWindowOps.td and TTIRLinearAlgebraOps.td have C++ headers of their
// own, TTIRWindows.h and TTIRLinearAlgebra.h: only the files that expand them name
// them.

#ifndef TTMLIR_TTIR_ALL_OPS_TD
#define TTMLIR_TTIR_ALL_OPS_TD

include "dialects/TTIR/TTIROps.td"
include "dialects/TTIR/TTIRWindowOps.td"
include "dialects/TTIR/TTIRLinearAlgebraOps.td"

#endif
