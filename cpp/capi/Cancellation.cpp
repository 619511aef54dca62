#include "ttmlir-c/Cancellation.h"

#include "dialects/TT/Cancellation.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/thread.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

using namespace mlir;

/// Passes recurse as deep as regions are nested. Pages that are never touched
/// cost nothing.
static constexpr unsigned kStackBytes = 64 << 20;

struct TTMLIRTask {
  TTMLIRTask(MLIRContext *context, void (*body)(void *), void *data)
      : context(context), scope(context, cancelled) {
    handler = context->getDiagEngine().registerHandler([this](Diagnostic &d) {
      std::lock_guard<std::mutex> lock(mutex);
      diagnostics.push_back(std::move(d));
      return success();
    });
    thread =
        llvm::thread(std::optional<unsigned>(kStackBytes), [this, body, data] {
          body(data);
          std::lock_guard<std::mutex> lock(mutex);
          done = true;
          ended.notify_all();
        });
  }

  MLIRContext *context;
  std::atomic<bool> cancelled{false};
  mlir::tt::CancellationScope scope;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  /// For handlers that expect the thread that started the task.
  std::vector<Diagnostic> diagnostics;
  DiagnosticEngine::HandlerID handler;
  llvm::thread thread;
};

TTMLIRTask *ttmlirTaskStart(MlirContext context, void (*body)(void *),
                            void *data) {
  return new TTMLIRTask(unwrap(context), body, data);
}

bool ttmlirTaskWait(TTMLIRTask *task, unsigned milliseconds) {
  std::unique_lock<std::mutex> lock(task->mutex);
  return task->ended.wait_for(lock, std::chrono::milliseconds(milliseconds),
                              [&] { return task->done; });
}

void ttmlirTaskCancel(TTMLIRTask *task) { task->cancelled = true; }

void ttmlirTaskFinish(TTMLIRTask *task) {
  task->thread.join();
  DiagnosticEngine &engine = task->context->getDiagEngine();
  engine.eraseHandler(task->handler);
  if (!task->cancelled)
    for (Diagnostic &diagnostic : task->diagnostics)
      engine.emit(std::move(diagnostic));
  delete task;
}
