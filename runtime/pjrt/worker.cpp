#include "worker.h"

#include <exception>
#include <unistd.h>
#include <unordered_set>

namespace tt::pjrt {
namespace {

/// All Held there are. Never destroyed: JAX frees buffers until the very end.
struct AllHeld {
  std::mutex mutex;
  std::unordered_set<Held *> held;
};

AllHeld &allHeld() {
  static auto *all = new AllHeld;
  return *all;
}

/// Whether this thread runs a job. What a job frees may run code of the user,
/// who may ask for something that waits for the job.
thread_local bool isInJob = false;

Failure runBody(const Worker::Body &body) {
  const bool outer = std::exchange(isInJob, true);
  Failure failure;
  try {
    failure = body();
  } catch (const std::exception &error) {
    failure = makeFailure(abi::ErrorCode::Internal, error.what());
  }
  isInJob = outer;
  return failure;
}

} // namespace

Held::Held() {
  AllHeld &all = allHeld();
  const std::lock_guard lock(all.mutex);
  all.held.insert(this);
}

Held::~Held() {
  AllHeld &all = allHeld();
  PyObject *object = nullptr;
  {
    const std::lock_guard lock(all.mutex);
    all.held.erase(this);
    object = std::exchange(object_, nullptr);
  }
  if (object)
    Worker::get().drop(object);
}

void Held::set(Local object) {
  AllHeld &all = allHeld();
  PyObject *old = nullptr;
  {
    const std::lock_guard lock(all.mutex);
    old = std::exchange(object_, object.release());
  }
  Py_XDECREF(old);
}

void Held::dropAll() {
  AllHeld &all = allHeld();
  std::vector<PyObject *> objects;
  {
    const std::lock_guard lock(all.mutex);
    for (Held *held : all.held)
      if (PyObject *object = std::exchange(held->object_, nullptr))
        objects.push_back(object);
  }
  // Not under the mutex: what an object frees may be another Held.
  for (PyObject *object : objects)
    Py_DECREF(object);
}

Worker &Worker::get() {
  static auto *worker = new Worker;
  return *worker;
}

bool Worker::isForked() const {
  const pid_t process = process_;
  return process != 0 && process != getpid();
}

Failure Worker::refusal() const {
  if (isForked())
    return makeFailure(abi::ErrorCode::FailedPrecondition,
                       "the emulated chips belong to the process that this one "
                       "was forked from: start processes with the method "
                       "'spawn' of multiprocessing");
  if (stopped_)
    return makeFailure(abi::ErrorCode::Cancelled,
                       "the Python interpreter is about to end");
  return nullptr;
}

void Worker::setFunctions(Local start, Local describe) {
  start_ = std::move(start);
  describe_ = std::move(describe);
}

Failure Worker::startOnce() {
  if (started_)
    return nullptr;
  const Gil gil;
  // The lock is given up below: another thread may be as far.
  if (started_.exchange(true))
    return nullptr;
  const Local none(start_.get() ? PyObject_CallNoArgs(start_.get()) : nullptr);
  if (none)
    return nullptr;
  started_ = false;
  return PyErr_Occurred() ? takePythonError() : refusal();
}

Failure Worker::enqueue(Job job, bool wake) {
  // The mutex of a child may be locked for ever.
  if (isForked())
    return refusal();
  if (Failure failure = startOnce())
    return failure;
  {
    const std::lock_guard lock(mutex_);
    if (Failure failure = refusal())
      return failure;
    jobs_.push_back(std::move(job));
    quiet_ = quiet_ && !wake;
  }
  if (wake)
    wake_.notify_one();
  return nullptr;
}

Failure Worker::post(Body body, std::shared_ptr<Completion> done) {
  return enqueue({std::move(body), std::move(done)}, /*wake=*/true);
}

Failure Worker::postQuietly(Body body, std::shared_ptr<Completion> done) {
  return enqueue({std::move(body), std::move(done)}, /*wake=*/false);
}

Failure Worker::runOrPost(Body body, std::shared_ptr<Completion> done) {
  if (isForked())
    return refusal();
  if (Failure failure = startOnce())
    return failure;
  if (isInJob) {
    Failure failure;
    {
      const Gil gil;
      failure = runBody(body);
      body = nullptr;
    }
    done->complete(std::move(failure));
    return nullptr;
  }
  {
    const std::lock_guard lock(mutex_);
    if (Failure failure = refusal())
      return failure;
    if (busy_ || !jobs_.empty()) {
      jobs_.push_back({std::move(body), std::move(done)});
      quiet_ = false;
      body = nullptr;
    } else {
      busy_ = true;
    }
  }
  if (!body) {
    wake_.notify_one();
    return nullptr;
  }
  Failure failure;
  {
    const Gil gil;
    failure = runBody(body);
    body = nullptr;
    endTurn();
  }
  done->complete(std::move(failure));
  return nullptr;
}

void Worker::endTurn() {
  bool wake = false;
  for (;;) {
    std::vector<PyObject *> garbage;
    {
      const std::lock_guard lock(mutex_);
      if (garbage_.empty()) {
        busy_ = false;
        wake = stopped_ || hasWork();
        break;
      }
      garbage.swap(garbage_);
    }
    for (PyObject *object : garbage)
      Py_DECREF(object);
  }
  if (wake)
    wake_.notify_one();
}

void Worker::drop(PyObject *object) {
  if (isForked())
    return;
  const bool locked = Py_IsInitialized() && PyGILState_Check();
  bool here = false, wake = false;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_)
      return;
    here = locked && !busy_;
    if (here) {
      busy_ = true;
    } else {
      // Who is busy drops it in the end.
      garbage_.push_back(object);
      wake = !busy_;
    }
  }
  if (here) {
    Py_DECREF(object);
    endTurn();
  } else if (wake) {
    wake_.notify_one();
  }
}

void Worker::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_one();
}

bool Worker::hasWork() const {
  return (!jobs_.empty() && !quiet_) || !garbage_.empty();
}

void Worker::run() {
  process_ = getpid();
  PyThreadState *state = PyEval_SaveThread();
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return !busy_ && (stopped_ || hasWork()); });
    if (stopped_)
      break;
    Job job;
    if (!jobs_.empty()) {
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    quiet_ = quiet_ || jobs_.empty();
    busy_ = true;
    lock.unlock();

    PyEval_RestoreThread(state);
    Failure failure;
    if (job.body)
      failure = runBody(job.body);
    // What the job holds is free before anybody learns that it is over, and the
    // chips are free for who learns it.
    job.body = nullptr;
    endTurn();
    state = PyEval_SaveThread();
    if (job.done)
      job.done->complete(std::move(failure));
    job.done.reset();
    lock.lock();
  }
  std::deque<Job> left;
  left.swap(jobs_);
  std::vector<PyObject *> garbage;
  garbage.swap(garbage_);
  const Failure failure = refusal();
  lock.unlock();
  for (Job &job : left) {
    job.body = nullptr;
    job.done->complete(failure);
  }
  left.clear();
  PyEval_RestoreThread(state);
  for (PyObject *object : garbage)
    Py_DECREF(object);
}

} // namespace tt::pjrt
