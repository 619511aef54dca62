#include "conversion/TosaToTTIR/TosaToTTIR.h"

#include "conversion/LinalgToTTIR/LinalgToTTIR.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::tt {

#define GEN_PASS_DEF_CONVERTTOSATOTTIR
#include "conversion/TosaToTTIR/Passes.h.inc"

void addTosaRules(frontend::Rules &rules) {
  addTosaElementwiseRules(rules);
  addTosaTensorRules(rules);
  addTosaWindowRules(rules);
  addTosaQuantizedRules(rules);
}

namespace {

constexpr Remarks kTosaRemarks("convert-tosa-to-ttir");

class ConvertTosaToTTIR
    : public impl::ConvertTosaToTTIRBase<ConvertTosaToTTIR> {
public:
  void runOnOperation() final {
    frontend::Rules rules;
    addTosaRules(rules);
    addLinalgRules(rules);
    frontend::addTensorRules(rules);
    frontend::addScalarRules(rules);
    if (failed(checkTosa(getOperation())))
      return signalPassFailure();
    if (failed(frontend::Translator(getOperation(), rules, kTosaRemarks).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::tt
