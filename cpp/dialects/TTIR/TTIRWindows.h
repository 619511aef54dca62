#ifndef DIALECTS_TTIR_TTIRWINDOWS_H
#define DIALECTS_TTIR_TTIRWINDOWS_H

#include "dialects/TTIR/TTIR.h"

#define GET_OP_CLASSES
#include "dialects/TTIR/TTIRWindowOps.h.inc"

#endif
