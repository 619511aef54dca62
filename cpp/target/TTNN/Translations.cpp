#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTNN/TTNN.h"
#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::tt;

void ttnn::registerTTNNToFlatbuffer() {
  static TranslateFromMLIRRegistration registration(
      "ttnn-to-flatbuffer", "translate ttnn to flatbuffer",
      [](Operation *op, raw_ostream &os) {
        return translateTTNNToFlatbuffer(op, os);
      },
      [](DialectRegistry &registry) {
        // TTIR is read too, for a better message than that it is unknown.
        registry.insert<TTDialect, TTNNDialect, ttir::TTIRDialect,
                        func::FuncDialect, emitc::EmitCDialect,
                        tensor::TensorDialect>();
      });
}
