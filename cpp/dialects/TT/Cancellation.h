#ifndef DIALECTS_TT_CANCELLATION_H
#define DIALECTS_TT_CANCELLATION_H

#include "mlir/IR/Action.h"
#include "mlir/IR/MLIRContext.h"

#include <atomic>

namespace mlir::tt {

/// While it lives, a flag that somebody sets ends the work in a context soon:
/// passes and patterns, which are actions, are skipped, and `isCancelled` is
/// true. What the work leaves behind verifies, or its pass has failed; nobody
/// should use it.
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

/// Whether to give up, without a diagnostic: for long work that is neither pass
/// nor pattern.
bool isCancelled(MLIRContext *context);

} // namespace mlir::tt

#endif
