#ifndef TTMLIR_C_REMARKS_H
#define TTMLIR_C_REMARKS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TTMLIRRemarkArg {
  MlirStringRef key, value;
} TTMLIRRemarkArg;

/// What a pass did or did not do, and why.
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
  const TTMLIRRemarkArg *args;
  size_t numArgs;
} TTMLIRRemark;

typedef void (*TTMLIRRemarkCallback)(const TTMLIRRemark *remark,
                                     void *userData);

/// Remarks with their texts: at most so many of each function as a file has, or
/// all.
typedef struct TTMLIRRemarkList {
  void *ptr;
} TTMLIRRemarkList;

MLIR_CAPI_EXPORTED TTMLIRRemarkList ttmlirRemarkListCreate(bool all);
MLIR_CAPI_EXPORTED void ttmlirRemarkListDestroy(TTMLIRRemarkList list);
MLIR_CAPI_EXPORTED size_t ttmlirRemarkListGetSize(TTMLIRRemarkList list);
/// Passes the remark at `index` to `callback`. Its texts are those of the list.
MLIR_CAPI_EXPORTED void ttmlirRemarkListGet(TTMLIRRemarkList list, size_t index,
                                            TTMLIRRemarkCallback callback,
                                            void *userData);
/// Adds a copy.
MLIR_CAPI_EXPORTED void ttmlirRemarkListAdd(TTMLIRRemarkList list,
                                            const TTMLIRRemark *remark);

/// Adds the remarks of passes that run in the context to `list`: those of
/// passes whose names match the regular expression `passes`. It replaces an
/// earlier list; null removes it. Fails if there is no such expression;
/// `problem` then receives the reason.
MLIR_CAPI_EXPORTED MlirLogicalResult ttmlirContextCollectRemarks(
    MlirContext context, MlirStringRef passes, TTMLIRRemarkList list,
    MlirStringCallback problem, void *problemData);

#ifdef __cplusplus
}
#endif

#endif
