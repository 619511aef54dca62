#ifndef DIALECTS_TT_CANCELLATION_H
#define DIALECTS_TT_CANCELLATION_H

#include "mlir/IR/Action.h"
#include "mlir/IR/MLIRContext.h"

#include <atomic>

namespace mlir::tt {

/// During its lifetime, a flag that any thread may set cancels the work in a
/// context: passes and patterns, which are actions, are skipped, and
/// `isCancelled` is true. After that the module verifies, or its pass has
/// failed; callers should not use it.
///
/// A context has one handler of actions. If it has another one already, that
/// one decides.
class CancellationScope {
public:
  CancellationScope(MLIRContext *context, const std::atomic<bool> &flag);
  CancellationScope(const CancellationScope &) = delete;
  ~CancellationScope();

private:
  /// Null if the context has a handler already.
  MLIRContext *context;
};

/// Whether to stop, without a diagnostic: for long work that is neither pass
/// nor pattern.
bool isCancelled(MLIRContext *context);

} // namespace mlir::tt

#endif
