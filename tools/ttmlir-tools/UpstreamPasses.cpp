#include "Tools.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/EmitC/Transforms/Passes.h"
#include "mlir/Dialect/Func/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MLProgram/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"

void mlir::tt::registerUpstreamPasses() {
  arith::registerArithPasses();
  emitc::registerEmitCPasses();
  func::registerFuncPasses();
  registerLinalgPasses();
  math::registerMathPasses();
  ml_program::registerMLProgramPasses();
  registerSCFPasses();
  tensor::registerTensorPasses();
  tosa::registerTosaPasses();
  vector::registerVectorPasses();
  // Conversions between them.
  registerConvertArithToEmitCPass();
  registerConvertFuncToEmitCPass();
  registerConvertMathToEmitCPass();
  registerSCFToEmitCPass();
  registerConvertTensorToLinalgPassPass();
  registerLiftControlFlowToSCFPassPass();
  registerSCFToControlFlowPassPass();
  registerTosaToArithPassPass();
  registerTosaToLinalgPass();
  registerTosaToLinalgNamedPass();
  registerTosaToMLProgramPass();
  registerTosaToSCFPassPass();
  registerTosaToTensorPassPass();
  tosa::registerTosaToLinalgPipelines();
}
