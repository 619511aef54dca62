//===- All ops of the 'ttir' dialect ---------------------------------------===//
//
// Those of TTIRWindowOps.td have a C++ header of their own, TTIRWindows.h: only
// the files that expand them name them.

#ifndef TTMLIR_TTIR_ALL_OPS_TD
#define TTMLIR_TTIR_ALL_OPS_TD

include "dialects/TTIR/TTIROps.td"
include "dialects/TTIR/TTIRWindowOps.td"

#endif
