#ifndef TTMLIR_C_CANCELLATION_H
#define TTMLIR_C_CANCELLATION_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Work in a context that runs on a separate thread and can be cancelled. Other
/// threads must not use the modules that it works on.
typedef struct TTMLIRTask TTMLIRTask;

/// Starts `body(data)`.
MLIR_CAPI_EXPORTED TTMLIRTask *
ttmlirTaskStart(MlirContext context, void (*body)(void *), void *data);

/// Waits until the body has returned, for so long at most; returns whether it
/// has.
MLIR_CAPI_EXPORTED bool ttmlirTaskWait(TTMLIRTask *task, unsigned milliseconds);

/// Cancels the body: passes and patterns are skipped, translations fail. The
/// modules must not be used afterwards.
MLIR_CAPI_EXPORTED void ttmlirTaskCancel(TTMLIRTask *task);

/// Waits for the end of the body, emits its diagnostics on this thread unless
/// it was cancelled, and destroys the task.
MLIR_CAPI_EXPORTED void ttmlirTaskFinish(TTMLIRTask *task);

#ifdef __cplusplus
}
#endif

#endif
