#include "target/Clock/Clock.h"

#include "conversion/TTIRToTTNN/TTIRToTTNN.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Optimizer/OpTimer.h"
#include "dialects/TTNN/Transforms/Passes.h"
#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::tt {

namespace {

class LoweringClock : public ttir::ProgramClock {
public:
  LoweringClock(Dialect *dialect, BinaryClock clock)
      : ProgramClock(dialect), clock(clock) {}

  double getCycles(ModuleOp program,
                   ComputeConfigDemands &demands) const override {
    // A layout for which there is no lowering is one that is not chosen.
    ScopedDiagnosticHandler quiet(program.getContext(),
                                  [](Diagnostic &) { return success(); });
    PassManager manager(program.getContext());
    manager.addPass(createConvertTTIRToTTNN());
    if (failed(manager.run(program)))
      return ttir::kUnknownTime;
    ttnn::setComputeConfigs(program, demands);
    Attachments attachments;
    attachments.withCpp = false;
    auto binary = ttnn::serializeToFlatbuffer(program, attachments);
    return succeeded(binary) ? clock(binary->data.get(), binary->size)
                             : ttir::kUnknownTime;
  }

private:
  BinaryClock clock;
};

} // namespace

void attachClock(MLIRContext &context, BinaryClock clock) {
  context.loadDialect<ttnn::TTNNDialect>();
  auto *dialect = context.getOrLoadDialect<ttir::TTIRDialect>();
  if (!dialect->getRegisteredInterface<ttir::ProgramClock>())
    dialect->addInterface(std::make_unique<LoweringClock>(dialect, clock));
}

} // namespace mlir::tt
