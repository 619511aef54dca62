#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTMetal/TTMetal.h"
#include "dialects/TTNN/TTNN.h"
#include "target/TTMetal/TTMetalToFlatbuffer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::tt;

void ttmetal::registerTTMetalToFlatbuffer() {
  static TranslateFromMLIRRegistration registration(
      "ttmetal-to-flatbuffer", "translate ttmetal dialect to flatbuffer",
      [](Operation *op, raw_ostream &os) {
        return translateTTMetalToFlatbuffer(op, os);
      },
      [](DialectRegistry &registry) {
        // TTIR is read too, for a better message than that it is unknown.
        registry.insert<TTDialect, TTMetalDialect, ttkernel::TTKernelDialect,
                        ttir::TTIRDialect, ttnn::TTNNDialect,
                        arith::ArithDialect, cf::ControlFlowDialect,
                        emitc::EmitCDialect, func::FuncDialect, scf::SCFDialect,
                        tensor::TensorDialect>();
      });
}
