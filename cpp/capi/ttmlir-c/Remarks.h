#ifndef TTMLIR_C_REMARKS_H
#define TTMLIR_C_REMARKS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a pass has to say about what it did or did not do. All of it lives as
/// long as the call that hands it over.
typedef struct TTMLIRRemark {
  /// Passed, Missed, Failure or Analysis.
  MlirStringRef kind;
  /// The pass.
  MlirStringRef category;
  MlirStringRef name;
  MlirStringRef function;
  MlirLocation location;
  /// `numArgs` names and as many values.
  const MlirStringRef *keys;
  const MlirStringRef *values;
  size_t numArgs;
} TTMLIRRemark;

typedef void (*TTMLIRRemarkCallback)(const TTMLIRRemark *remark,
                                     void *userData);

/// Hands the remarks of passes that run in the context to `callback`, one at a
/// time, instead of to whoever got them before; to nobody if it is null.
MLIR_CAPI_EXPORTED void
ttmlirContextSetRemarkCallback(MlirContext context,
                               TTMLIRRemarkCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
