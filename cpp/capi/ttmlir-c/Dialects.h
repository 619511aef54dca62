#ifndef TTMLIR_C_DIALECTS_H
#define TTMLIR_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TT, tt);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TTIR, ttir);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TTKernel, ttkernel);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TTMetal, ttmetal);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TTNN, ttnn);

/// Adds the project's dialects and the upstream dialects that its programs use.
MLIR_CAPI_EXPORTED void ttmlirRegisterAllDialects(MlirDialectRegistry registry);

/// Registers the project's passes and pipelines and upstream's general
/// transformations for textual pipelines. May be called more than once.
MLIR_CAPI_EXPORTED void ttmlirRegisterAllPasses(void);

#ifdef __cplusplus
}
#endif

#endif
