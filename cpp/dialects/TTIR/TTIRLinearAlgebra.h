#ifndef DIALECTS_TTIR_TTIRLINEARALGEBRA_H
#define DIALECTS_TTIR_TTIRLINEARALGEBRA_H

#include "dialects/TTIR/TTIR.h"

#define GET_OP_CLASSES
#include "dialects/TTIR/TTIRLinearAlgebraOps.h.inc"

#endif
