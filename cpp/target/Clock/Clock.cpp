#include "target/Clock/Clock.h"

#include "conversion/TTIRToTTNN/TTIRToTTNN.h"
#include "dialects/TT/ProgramClock.h"
#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTNN/Transforms/Passes.h"
#include "target/TTNN/TTNNToFlatbuffer.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

#include <map>
#include <mutex>

namespace mlir::tt {

namespace {

class LoweringClock : public ProgramClock {
public:
  LoweringClock(Dialect *dialect, BinaryClock clock, KnownTimes &known)
      : ProgramClock(dialect), clock(clock), known(known) {}

  double getCycles(ModuleOp program,
                   ComputeConfigDemands &demands) const override {
    // A layout for which there is no lowering is one that is not chosen.
    ScopedDiagnosticHandler quiet(program.getContext(),
                                  [](Diagnostic &) { return success(); });
    PassManager manager(program.getContext());
    manager.addPass(createConvertTTIRToTTNN());
    if (failed(manager.run(program)))
      return kUnknownTime;
    ttnn::setComputeConfigs(program, demands);
    return getCycles(program);
  }

  double getCycles(ModuleOp program) const override {
    ScopedDiagnosticHandler quiet(program.getContext(),
                                  [](Diagnostic &) { return success(); });
    Attachments attachments;
    attachments.withTexts = false;
    auto binary = ttnn::serializeToFlatbuffer(program, attachments);
    return succeeded(binary) ? clock(binary->data.get(), binary->size)
                             : kUnknownTime;
  }

  KnownTimes &getKnownTimes() const override { return known; }

private:
  BinaryClock clock;
  KnownTimes &known;
};

/// Those of a clock outlive the contexts that it is attached to.
KnownTimes &getKnownTimesOf(BinaryClock clock) {
  static std::mutex mutex;
  static std::map<BinaryClock, KnownTimes> all;
  std::lock_guard<std::mutex> lock(mutex);
  return all[clock];
}

} // namespace

void attachClock(MLIRContext &context, BinaryClock clock) {
  context.loadDialect<ttir::TTIRDialect, ttnn::TTNNDialect>();
  auto *dialect = context.getOrLoadDialect<TTDialect>();
  if (!dialect->getRegisteredInterface<ProgramClock>())
    dialect->addInterface(std::make_unique<LoweringClock>(
        dialect, clock, getKnownTimesOf(clock)));
}

} // namespace mlir::tt
