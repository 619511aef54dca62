// The thread that runs everything that touches the emulated chips.
#ifndef TT_PJRT_WORKER_H
#define TT_PJRT_WORKER_H

#include "failure.h"
#include "python_object.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <vector>

namespace tt::pjrt {

/// One queue of jobs and one thread for the whole process: a device and its
/// tensors may be used from one thread at a time. Jobs run in the order in
/// which they come.
///
/// The thread is one of Python (`run`), so that the interpreter knows it. It is
/// stopped before the interpreter ends; jobs that are left fail then.
class Worker {
public:
  /// With the interpreter's lock; its result ends the job.
  using Body = std::function<Failure()>;

  /// Lives until the end of the process.
  static Worker &get();

  /// Runs `body` on the thread and then ends `done`. The body is destroyed
  /// without the interpreter's lock, before `done` ends. An error if the
  /// worker is stopped, or belongs to the parent of this process; `done` is
  /// left alone then.
  Failure post(Body body, std::shared_ptr<Completion> done);

  /// The loop of the thread, with the interpreter's lock. Returns after stop().
  void run();
  /// Ends the loop behind the job that runs.
  void stop();

  /// Drops an object on the thread, which has the interpreter's lock then; the
  /// object stays for ever if the thread is stopped.
  void drop(PyObject *object);

  /// The function of Python that makes a code and a message of an exception;
  /// the interpreter's lock guards it.
  void setDescribe(Local function) { describe_ = std::move(function); }
  PyObject *describe() const { return describe_.get(); }

private:
  struct Job {
    Body body;
    std::shared_ptr<Completion> done;
  };

  Worker() = default;
  bool isForked() const;
  Failure refusal() const;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  std::vector<PyObject *> garbage_;
  bool stopped_ = false;
  std::atomic<pid_t> process_ = 0; // that of the thread, once it runs
  Local describe_;
};

} // namespace tt::pjrt

#endif // TT_PJRT_WORKER_H
