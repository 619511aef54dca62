#include "conversion/TTNNToEmitC/TTNNToEmitC.h"

#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace mlir::tt {

#define GEN_PASS_DEF_CONVERTTTNNTOEMITC
#include "conversion/TTNNToEmitC/Passes.h.inc"

namespace {

class ConvertTTNNToEmitC
    : public impl::ConvertTTNNToEmitCBase<ConvertTTNNToEmitC> {
public:
  void runOnOperation() final {
    if (failed(convertTTNNToEmitC(getOperation())))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tt
