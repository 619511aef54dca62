#include "RegisterAll.h"

#include "conversion/LinalgToTTIR/LinalgToTTIR.h"
#include "conversion/SCFToTT/SCFToTT.h"
#include "conversion/TTIRToTTMetal/TTIRToTTMetal.h"
#include "conversion/TTIRToTTNN/TTIRToTTNN.h"
#include "conversion/TTKernelToEmitC/TTKernelToEmitC.h"
#include "conversion/TTNNToEmitC/TTNNToEmitC.h"
#include "conversion/TosaToTTIR/TosaToTTIR.h"
#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTKernel/TTKernel.h"
#include "dialects/TTMetal/TTMetal.h"
#include "dialects/TTNN/TTNN.h"
#include "dialects/TTNN/Transforms/Passes.h"
#include "pipelines/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

#include <mutex>

void mlir::tt::registerAllDialects(DialectRegistry &registry) {
  registry.insert<TTDialect, ttir::TTIRDialect, ttkernel::TTKernelDialect,
                  ttmetal::TTMetalDialect, ttnn::TTNNDialect>();
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  emitc::EmitCDialect, func::FuncDialect, linalg::LinalgDialect,
                  memref::MemRefDialect, ml_program::MLProgramDialect,
                  quant::QuantDialect, scf::SCFDialect, tensor::TensorDialect,
                  tosa::TosaDialect, vector::VectorDialect>();
  func::registerInlinerExtension(registry);
  // Programs with math ops on whole tensors name no dialect that loads it.
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    context->loadDialect<math::MathDialect>();
  });
}

void mlir::tt::registerAllPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerTransformsPasses();
    ttir::registerPasses();
    ttnn::registerPasses();
    registerLinalgToTTIRPasses();
    registerSCFToTTPasses();
    registerTTIRToTTMetalPasses();
    registerTTIRToTTNNPasses();
    registerTTKernelToEmitCPasses();
    registerTTNNToEmitCPasses();
    registerTosaToTTIRPasses();
    registerPipelines();
  });
}

void mlir::tt::setToolDefaults() {
  registerMLIRContextCLOptions();
  llvm::cl::Option *option =
      llvm::cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic");
  if (option)
    static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(false);
}
