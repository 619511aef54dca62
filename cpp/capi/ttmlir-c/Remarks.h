#ifndef TTMLIR_C_REMARKS_H
#define TTMLIR_C_REMARKS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a pass did or did not do, and why. It is valid during the call that
/// receives it.
typedef struct TTMLIRRemark {
  /// Passed, Missed, Failure or Analysis.
  MlirStringRef kind;
  /// The pass.
  MlirStringRef category;
  MlirStringRef name;
  MlirStringRef function;
  MlirLocation location;
  /// `numArgs` names and `numArgs` values.
  const MlirStringRef *keys;
  const MlirStringRef *values;
  size_t numArgs;
} TTMLIRRemark;

typedef void (*TTMLIRRemarkCallback)(const TTMLIRRemark *remark,
                                     void *userData);

/// Passes the remarks of passes that run in the context to `callback`, one at a
/// time. It replaces an earlier callback; null removes it.
MLIR_CAPI_EXPORTED void
ttmlirContextSetRemarkCallback(MlirContext context,
                               TTMLIRRemarkCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
