#ifndef TTMLIR_C_CANCELLATION_H
#define TTMLIR_C_CANCELLATION_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Work in a context that runs on a thread of its own and can be cancelled.
/// Nobody else may touch the modules that it works on.
typedef struct TTMLIRTask TTMLIRTask;

/// Starts `body(data)`.
MLIR_CAPI_EXPORTED TTMLIRTask *
ttmlirTaskStart(MlirContext context, void (*body)(void *), void *data);

/// Waits until the body has returned, for so long at most; returns whether it
/// has.
MLIR_CAPI_EXPORTED bool ttmlirTaskWait(TTMLIRTask *task, unsigned milliseconds);

/// Lets the body end soon: passes and patterns are skipped, translations fail.
/// What it leaves behind is of no use.
MLIR_CAPI_EXPORTED void ttmlirTaskCancel(TTMLIRTask *task);

/// Waits for the end of the body, emits its diagnostics on this thread unless
/// it was cancelled, and destroys the task.
MLIR_CAPI_EXPORTED void ttmlirTaskFinish(TTMLIRTask *task);

#ifdef __cplusplus
}
#endif

#endif
