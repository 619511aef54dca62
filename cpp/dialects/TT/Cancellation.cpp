#include "dialects/TT/Cancellation.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;
using namespace mlir::tt;

namespace {
/// A place where long work may end.
struct CheckpointAction : tracing::ActionImpl<CheckpointAction> {
  using Base = tracing::ActionImpl<CheckpointAction>;
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckpointAction)
  static constexpr StringLiteral tag = "tt-checkpoint";
  static constexpr StringLiteral desc = "asks whether work is to end early";
  explicit CheckpointAction(ArrayRef<IRUnit> units) : Base(units) {}
};
} // namespace

CancellationScope::CancellationScope(MLIRContext *own,
                                     const std::atomic<bool> &flag)
    : context(own->hasActionHandler() ? nullptr : own) {
  if (!context)
    return;
  // An iteration of the greedy driver must run, since it decides whether there
  // is another one; its patterns are skipped.
  context->registerActionHandler([&flag](function_ref<void()> run,
                                         const tracing::Action &action) {
    if (!flag.load(std::memory_order_relaxed) ||
        !isa<PassExecutionAction, ApplyPatternAction, CheckpointAction>(action))
      run();
  });
}

CancellationScope::~CancellationScope() {
  if (context)
    context->registerActionHandler(nullptr);
}

bool mlir::tt::isCancelled(MLIRContext *context) {
  bool goesOn = false;
  context->executeAction<CheckpointAction>([&] { goesOn = true; }, {});
  return !goesOn;
}
