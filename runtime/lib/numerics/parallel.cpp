#include "numerics/parallel.h"

#include "numerics/cancel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <system_error>
#include <thread>

namespace tt::runtime::numerics {
namespace {

/// True on a worker and on a thread whose loop is running: loops inside run
/// inline.
thread_local bool insideLoop = false;

/// How long a piece of a loop that can be cancelled should take at most, if its
/// grains allow; much more than the look whether it was.
constexpr int64_t kPieceMilliseconds = 8;

struct Job {
  void (*body)(void *, int64_t, int64_t);
  void *context;
  int64_t begin, end, grain, grains;
  int64_t step;                         // grains of a piece at most
  Cancellation *cancellation = nullptr; // of the thread whose loop it is
  std::atomic<int64_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex errorMutex{};
  std::exception_ptr error{};

  void run() {
    // A loop that can be cancelled begins with small pieces, since nobody knows
    // yet how long they take.
    int64_t piece = cancellation ? 1 : step;
    int64_t start = cancellation ? coarseTime() : 0;
    while (!failed.load(std::memory_order_relaxed)) {
      int64_t first = next.fetch_add(piece, std::memory_order_relaxed);
      if (first >= grains)
        return;
      int64_t last = std::min(first + piece, grains);
      try {
        checkCancelled();
        body(context, begin + first * grain,
             std::min(end, begin + last * grain));
        if (piece < step) {
          int64_t now = coarseTime();
          if (now - start < kPieceMilliseconds)
            piece = std::min(2 * piece, step);
          start = now;
        }
      } catch (...) {
        std::lock_guard<std::mutex> lock(errorMutex);
        if (!error)
          error = std::current_exception();
        failed.store(true, std::memory_order_relaxed);
      }
    }
  }
};

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// The workers and the job that they share. Never destroyed: detached workers
/// may still wait on it while the process exits.
class Pool {
public:
  /// Held by the thread whose loop uses the workers.
  std::mutex owner;

  void run(Job &job, int threads) {
    ensureWorkers(threads - 1);
    {
      std::lock_guard<std::mutex> lock(mutex);
      current = &job;
      seats = threads - 1;
      generation.fetch_add(1, std::memory_order_release);
    }
    wake.notify_all();
    job.run();
    {
      std::lock_guard<std::mutex> lock(mutex);
      current = nullptr;
    }
    // The last bodies usually end at about the same time, so spin before
    // sleeping.
    for (int spin = 0; spin < 2000; ++spin) {
      if (active.load(std::memory_order_acquire) == 0)
        return;
      relax();
    }
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock,
              [&] { return active.load(std::memory_order_acquire) == 0; });
  }

private:
  void ensureWorkers(int count) {
    try {
      for (; workers < count; ++workers)
        std::thread([this] { work(); }).detach();
    } catch (const std::system_error &) {
      // The system gives no more threads: the loop runs on those it gave.
    }
  }

  void work() {
    insideLoop = true;
    uint64_t seen = 0;
    for (;;) {
      for (int spin = 0;
           spin < 4000 && generation.load(std::memory_order_acquire) == seen;
           ++spin)
        relax();
      Job *job = nullptr;
      {
        std::unique_lock<std::mutex> lock(mutex);
        wake.wait(lock, [&] {
          return generation.load(std::memory_order_relaxed) != seen;
        });
        seen = generation.load(std::memory_order_relaxed);
        if (!current || seats == 0)
          continue;
        --seats;
        job = current;
        active.fetch_add(1, std::memory_order_relaxed);
      }
      // Its polls are the business of the thread whose loop it is.
      Cancellation inherited;
      inherited.outer = job->cancellation;
      inherited.worker = true;
      cancellation = job->cancellation ? &inherited : nullptr;
      job->run();
      cancellation = nullptr;
      {
        std::lock_guard<std::mutex> lock(mutex);
        active.fetch_sub(1, std::memory_order_release);
      }
      done.notify_one();
    }
  }

  std::mutex mutex;
  std::condition_variable wake, done;
  Job *current = nullptr;
  int seats = 0;
  int workers = 0;
  std::atomic<int> active{0};
  std::atomic<uint64_t> generation{0};
};

std::atomic<Pool *> poolPointer{nullptr};
std::atomic<int> threadCount{0};

void forgetPoolInChild() {
  // The child has none of the workers, and a lock may be held by a thread that
  // no longer exists: leave the old pool alone and make a new one on demand.
  poolPointer.store(nullptr, std::memory_order_relaxed);
  insideLoop = false;
}

Pool &pool() {
  Pool *existing = poolPointer.load(std::memory_order_acquire);
  if (existing)
    return *existing;
  static std::once_flag registered;
  std::call_once(registered,
                 [] { pthread_atfork(nullptr, nullptr, forgetPoolInChild); });
  auto created = std::make_unique<Pool>();
  if (poolPointer.compare_exchange_strong(existing, created.get(),
                                          std::memory_order_acq_rel))
    return *created.release();
  return *existing;
}

int availableCpus() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

} // namespace

void setNumThreads(int count) {
  threadCount.store(count < 1 ? availableCpus() : count);
}

int getNumThreads() {
  int count = threadCount.load(std::memory_order_relaxed);
  if (count == 0) {
    setNumThreads(0);
    count = threadCount.load(std::memory_order_relaxed);
  }
  return count;
}

void detail::parallelForImpl(int64_t begin, int64_t end, int64_t grain,
                             void (*body)(void *, int64_t, int64_t),
                             void *context) {
  int64_t grains = (end - begin + grain - 1) / grain;
  int threads = int(std::min<int64_t>(getNumThreads(), grains));
  Job job{body, context, begin, end, grain, grains, grains, cancellation};
  auto runHere = [&] {
    if (!cancellation)
      return body(context, begin, end);
    job.run();
    if (job.error)
      std::rethrow_exception(job.error);
  };
  if (threads <= 1 || insideLoop)
    return runHere();
  Pool &workers = pool();
  std::unique_lock<std::mutex> lock(workers.owner, std::try_to_lock);
  if (!lock.owns_lock())
    return runHere();
  job.step = std::max<int64_t>(1, grains / (int64_t(threads) * 8));
  insideLoop = true;
  workers.run(job, threads);
  insideLoop = false;
  if (job.error)
    std::rethrow_exception(job.error);
}

} // namespace tt::runtime::numerics
