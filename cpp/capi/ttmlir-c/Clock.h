#ifndef TTMLIR_C_CLOCK_H
#define TTMLIR_C_CLOCK_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The cycles that all programs of a TTNN binary take; infinity if it cannot
/// tell. The runtime has one: tt::runtime::modelledCycles.
typedef double (*TTMLIRBinaryClock)(const void *binary, size_t size);

/// Lets the optimizer compare layouts by the modelled time of ops. A context
/// keeps the first clock that it gets.
MLIR_CAPI_EXPORTED void ttmlirContextAttachClock(MlirContext context,
                                                 TTMLIRBinaryClock clock);

#ifdef __cplusplus
}
#endif

#endif
