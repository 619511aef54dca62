#include "target/TTNN/Cpp.h"

#include "conversion/TTNNToEmitC/TTNNToEmitC.h"
#include "dialects/TT/Cancellation.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Target/Cpp/CppEmitter.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;

std::string ttnn::emitCpp(ModuleOp module) {
  MLIRContext *context = module.getContext();
  context->getOrLoadDialect<emitc::EmitCDialect>();
  ScopedDiagnosticHandler silence(context,
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = module.clone();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(convertTTNNToEmitC(*copy)) || isCancelled(context) ||
      failed(emitc::translateToCpp(*copy, os)))
    return {};
  return text;
}
