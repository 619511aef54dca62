#ifndef TTMLIR_C_REMARKS_H
#define TTMLIR_C_REMARKS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a pass did or did not do, and why. The texts belong to who passes it,
/// and are valid during the call that receives it.
typedef struct TTMLIRRemark {
  /// Passed, Missed, Failure or Analysis.
  MlirStringRef kind;
  /// The pass.
  MlirStringRef category;
  MlirStringRef name;
  MlirStringRef function;
  /// file:line:column, and the name that the location has; empty without.
  MlirStringRef location;
  MlirStringRef label;
  /// `numArgs` names and `numArgs` values.
  const MlirStringRef *keys;
  const MlirStringRef *values;
  size_t numArgs;
} TTMLIRRemark;

typedef void (*TTMLIRRemarkCallback)(const TTMLIRRemark *remark,
                                     void *userData);

/// Passes the remarks of passes that run in the context to `callback`, one at a
/// time: those of passes whose names match the regular expression `passes`. It
/// replaces an earlier callback; null removes it. Fails if there is no such
/// expression; `problem` then receives the reason.
MLIR_CAPI_EXPORTED MlirLogicalResult ttmlirContextSetRemarkCallback(
    MlirContext context, MlirStringRef passes, TTMLIRRemarkCallback callback,
    void *userData, MlirStringCallback problem, void *problemData);

#ifdef __cplusplus
}
#endif

#endif
