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
/// The thread is one of Python (`run`), so that the interpreter knows it. It
/// starts with the first job: JAX makes clients also for somebody who does not
/// use them. It is stopped before the interpreter ends; jobs that are left fail
/// then.
class Worker {
public:
  /// With the interpreter's lock; its result ends the job.
  using Body = std::function<Failure()>;

  /// Lives until the end of the process.
  static Worker &get();

  /// Runs `body` on the thread and then ends `done`. The body is destroyed
  /// before `done` ends. An error if the worker is stopped, or belongs to the
  /// parent of this process; `done` is left alone then.
  Failure post(Body body, std::shared_ptr<Completion> done);
  /// The same for a job that nobody waits for: it runs with the next one.
  Failure postQuietly(Body body, std::shared_ptr<Completion> done);
  /// The same for a caller who waits anyway: runs `body` on this thread if the
  /// worker has nothing to do, which saves two changes of threads.
  Failure runOrPost(Body body, std::shared_ptr<Completion> done);

  /// The loop of the thread, with the interpreter's lock. Returns after stop().
  void run();
  /// Ends the loop behind the job that runs.
  void stop();

  /// Drops an object: at once, if this thread has the interpreter's lock and
  /// nobody uses the chips, else soon. It stays for ever if the worker is
  /// stopped.
  void drop(PyObject *object);

  /// Functions of Python, which the interpreter's lock guards: `start` starts
  /// the thread, `describe` makes a code and a message of an exception.
  void setFunctions(Local start, Local describe);
  PyObject *describe() const { return describe_.get(); }

private:
  struct Job {
    Body body;
    std::shared_ptr<Completion> done;
  };

  Worker() = default;
  bool isForked() const;
  Failure startOnce();
  Failure enqueue(Job job, bool wake);
  bool hasWork() const;
  /// Drops what was to be dropped meanwhile; then others may use the chips.
  /// With the interpreter's lock.
  void endTurn();
  Failure refusal() const;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  std::vector<PyObject *> garbage_;
  bool stopped_ = false;
  bool busy_ = false;              // a job runs, here or there
  bool quiet_ = true;              // nobody waits for any of the jobs
  std::atomic<pid_t> process_ = 0; // that of the thread, once it runs
  std::atomic<bool> started_ = false;
  Local start_, describe_;
};

} // namespace tt::pjrt

#endif // TT_PJRT_WORKER_H
