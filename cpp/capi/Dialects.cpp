#include "ttmlir-c/Dialects.h"

#include "RegisterAll.h"
#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTKernel/TTKernel.h"
#include "dialects/TTMetal/TTMetal.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TT, tt, mlir::tt::TTDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TTIR, ttir, mlir::tt::ttir::TTIRDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TTKernel, ttkernel,
                                      mlir::tt::ttkernel::TTKernelDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TTMetal, ttmetal,
                                      mlir::tt::ttmetal::TTMetalDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TTNN, ttnn, mlir::tt::ttnn::TTNNDialect)

void ttmlirRegisterAllDialects(MlirDialectRegistry registry) {
  mlir::tt::registerAllDialects(*unwrap(registry));
}

void ttmlirRegisterAllPasses() { mlir::tt::registerAllPasses(); }
