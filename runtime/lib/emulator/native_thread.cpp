#include "emulator/native_thread.h"

#include "emulator/engine.h"
#include "emulator/switch_stack.h"
#include "emulator/tile_slice.h"
#include "numerics/cancel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace tt::runtime::emulator {

//===-- Stacks ------------------------------------------------------------===//

static std::size_t guardBytes() { return std::size_t(sysconf(_SC_PAGESIZE)); }

/// Memory in pages of its own. Throws Error(OutOfMemory).
static void *mapPages(std::size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    raise(ErrorCategory::OutOfMemory, "no memory for the stack of a kernel");
  return memory;
}

void *NativeThread::operator new(std::size_t bytes) { return mapPages(bytes); }

void NativeThread::operator delete(void *memory, std::size_t bytes) {
  munmap(memory, bytes);
}

NativeStack::NativeStack() {
  // Twice the size always contains an aligned stack.
  const std::size_t bytes = 2 * ttk::kStackBytes;
  mapped_ = mapPages(bytes);
  const auto first = reinterpret_cast<std::uintptr_t>(mapped_);
  const std::uintptr_t end =
      (first + bytes) / ttk::kStackBytes * ttk::kStackBytes;
  end_ = static_cast<std::byte *>(mapped_) + (end - first);
  mprotect(end_ - ttk::kStackBytes, guardBytes(), PROT_NONE);
}

NativeStack::~NativeStack() { munmap(mapped_, 2 * ttk::kStackBytes); }

//===-- Instructions as kernels issue them --------------------------------===//

/// Faults cannot unwind the kernel, which is compiled without exceptions: they
/// are rethrown on the scheduler's stack, and the kernel never continues.
template <typename Body> void NativeThread::guarded(const Body &body) {
  try {
    body();
    return;
  } catch (...) {
    failure_ = std::current_exception();
  }
  stopped_ = true;
  for (;;)
    leave();
}

void NativeThread::leave() { switchStack(&kernelPointer_, hostPointer_); }

const SiteOp &NativeThread::findOp(std::uint32_t opcode, std::uint32_t count,
                                   const std::uint64_t *operands,
                                   const ttk::Site &site) {
  NativeOps &ops = object_->ops();
  if (const SiteOp *found = ops.find(opcode, count, operands, site))
    return *found;
  if (const InvalidOperand wrong = invalidOperand(opcode, count, operands);
      !wrong.text.empty()) {
    setSiteOp(invalid_, opcode, count, operands, site);
    current_ = &invalid_;
    guarded([&] {
      emulator::fail(*thread_, &invalid_.op, wrong.kind, wrong.text);
    });
  }
  return ops.add(opcode, count, operands, site);
}

inline void NativeThread::prepare(std::uint32_t opcode, std::uint32_t count,
                                  const std::uint64_t *operands,
                                  const ttk::Site &site) {
  constexpr auto kAnyOrder = std::memory_order_relaxed;
  auto &[first, second] = current_->followers;
  const SiteOp *found = first.load(std::memory_order_acquire);
  if (!found || !found->is(opcode, count, operands, site)) {
    found = second.load(std::memory_order_acquire);
    if (!found || !found->is(opcode, count, operands, site)) {
      found = &findOp(opcode, count, operands, site);
      (first.load(kAnyOrder) ? second : first)
          .store(found, std::memory_order_release);
    }
  }
  current_ = found;
  // Those of immediates are not used.
  for (std::uint32_t i = 0; i < count; ++i)
    thread_->r[i] = operands[i];
}

/// On the stack of the scheduler: the handlers of the many threads then share
/// memory that stays in the cache. Faults cannot unwind the kernel.
void NativeThread::runOp(void *thread) {
  NativeThread &n = *static_cast<NativeThread *>(thread);
  const Op *op = &n.current_->op;
  try {
    n.next_ = op->run(*n.thread_, op);
  } catch (...) {
    n.next_ = nullptr;
    n.failure_ = std::current_exception();
  }
}

inline std::uint64_t NativeThread::execute(std::uint32_t opcode,
                                           std::uint32_t number,
                                           const std::uint64_t *operands,
                                           const ttk::Site &site) {
  Thread &t = *thread_;
  prepare(opcode, number, operands, site);
  const Op *op = &current_->op;
  for (bool done = false; !done;) {
    --host_.fuel;
    t.sinceEvent += op->takesTime;
    callOnStack(hostPointer_, &runOp, this);
    done = next_ || t.next != op;
    if (!next_) {
      while (failure_) { // never continues
        stopped_ = true;
        leave();
      }
      if (t.state == State::Blocked) { // it has not been executed
        ++host_.fuel;
        t.sinceEvent -= op->takesTime;
      }
      stopped_ = true;
      leave();
    }
  }
  if (host_.fuel <= 0)
    leave();
  return t.r[kNativeResult];
}

void NativeThread::pause(std::uint32_t opcode, std::uint32_t number,
                         const std::uint64_t *operands, const ttk::Site &site) {
  prepare(opcode, number, operands, site);
  thread_->next = &current_->op;
  stopped_ = true;
  leave();
}

struct NativeThread::Api {
  static NativeThread &of(ttk::Host *host) {
    return *static_cast<Host *>(host)->thread;
  }

  static std::uint64_t issue(ttk::Host *host, std::uint32_t opcode,
                             std::uint32_t count, const std::uint64_t *operands,
                             const ttk::Site *site) {
    return of(host).execute(opcode, count, operands, *site);
  }

  static std::uint64_t issuePaused(ttk::Host *host, std::uint32_t opcode,
                                   std::uint32_t count,
                                   const std::uint64_t *operands,
                                   const ttk::Site *site) {
    of(host).pause(opcode, count, operands, *site);
    return issue(host, opcode, count, operands, site);
  }

  static std::uint64_t issueRecorded(ttk::Host *host, std::uint32_t opcode,
                                     std::uint32_t count,
                                     const std::uint64_t *operands,
                                     const ttk::Site *site) {
    NativeThread &n = of(host);
    n.record(opcode, count, operands, *site);
    const std::uint64_t result = issue(host, opcode, count, operands, site);
    n.recorded_ = n.usedBefore_ + n.given_ - host->fuel;
    return result;
  }

  static void refuel(ttk::Host *host, const void *address) {
    NativeThread &n = of(host);
    n.scalar_.site = {nullptr, 0, address};
    n.thread_->next = &n.scalar_.op;
    n.leave();
  }

  static void print(ttk::Host *host, const char *text, std::size_t size,
                    bool ends) {
    NativeThread &n = of(host);
    n.stopRecording();
    n.line_.append(text, size);
    if (!ends)
      return;
    --host->fuel;
    n.guarded([&] { printLine(*n.thread_, std::exchange(n.line_, {})); });
    if (host->fuel <= 0)
      n.leave();
  }

  static void slice(ttk::Host *host, const ttk::Slice *slice,
                    const ttk::Site *site) {
    NativeThread &n = of(host);
    n.stopRecording();
    std::string text;
    n.guarded([&] {
      try {
        text = tileSliceText(*n.thread_->core, *slice);
      } catch (const Fault &) {
        throw;
      } catch (const Error &error) {
        n.scalar_.site = *site;
        emulator::fail(*n.thread_, &n.scalar_.op, FaultKind::Operand,
                       error.what());
      }
    });
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      print(host, text.data() + begin, end - begin, end < text.size());
      begin = end + 1;
    }
  }

  static void check(ttk::Host *host, bool condition, const char *message,
                    const ttk::Site *site) {
    NativeThread &n = of(host);
    if (--host->fuel <= 0)
      n.leave();
    if (condition)
      return;
    n.guarded([&] {
      const Op &op =
          n.findOp(std::uint32_t(Opcode::assert_that), 0, nullptr, *site).op;
      emulator::fail(*n.thread_, &op, FaultKind::Assertion,
                     "assertion failed: ", message);
    });
  }

  static void refuse(ttk::Host *host, const char *message,
                     const ttk::Site *site) {
    NativeThread &n = of(host);
    n.scalar_.site = *site;
    n.guarded([&] {
      emulator::fail(*n.thread_, &n.scalar_.op, FaultKind::Operand, message);
    });
  }

  static std::uint64_t find(ttk::Host *host, std::uint32_t address,
                            std::uint32_t pageBytes, bool dram,
                            const ttk::Site *site) {
    NativeThread &n = of(host);
    const std::uint32_t found = n.kernel_->find(address, pageBytes, dram);
    if (found < n.thread_->code->accessors.size())
      return found;
    n.scalar_.site = *site;
    n.guarded([&] {
      emulator::fail(*n.thread_, &n.scalar_.op, FaultKind::Operand,
                     "expected the address of a tensor in ",
                     dram ? "DRAM" : "L1", " with pages of ", pageBytes,
                     " bytes, found ", address);
    });
    return 0;
  }
};

//===-- Runs --------------------------------------------------------------===//

NativeThread::NativeThread() = default;
NativeThread::~NativeThread() = default;

void NativeThread::start(Thread &thread,
                         std::shared_ptr<const NativeKernel> kernel,
                         std::uint64_t repetition) {
  static_cast<ttk::Host &>(host_) = {0,           &Api::issue, &Api::refuel,
                                     &Api::print, &Api::check, &Api::refuse,
                                     &Api::find,  {},          &Api::slice,
                                     nullptr};
  host_.thread = this;
  thread_ = &thread;
  kernel_ = std::move(kernel);
  if (auto object = kernel_->objectForThread(); object != object_) {
    object_ = std::move(object);
    for (auto &follower : scalar_.followers)
      follower.store(nullptr);
    recording_ = {};
  }
  stopped_ = false;
  repeats_ = recording_.repeats(repetition);
  step_ = first_ = 0;
  scalarLeft_ = -1;
  usedBefore_ = given_ = recorded_ = 0;
  // Repetitions that alternate do not replace each other's recording.
  otherRuns_ = repeats_ ? 0 : otherRuns_ + 1;
  if (repetition && recording_.repetition != repetition &&
      (!recording_.repetition || otherRuns_ > 8)) {
    recording_ = {};
    recording_.repetition = repetition;
    host_.issue = &Api::issueRecorded;
  }
  line_.clear();
  failure_ = nullptr;
  scalar_.site = start();
  current_ = &scalar_;
  if (repeats_)
    return;
  std::byte *end = stack_.end() - ttk::kHostOffset;
  ttk::Host *host = &host_;
  std::memcpy(end, &host, sizeof host);
  // Stacks are aligned alike. Different distances from their ends keep those of
  // many threads in the cache.
  const std::size_t distance =
      (reinterpret_cast<std::uintptr_t>(end) / ttk::kStackBytes / 2 % 32) * 512;
  kernelPointer_ = prepareStack(
      end - distance,
      ttk::kStackBytes - ttk::kHostOffset - distance - guardBytes(), &enter);
}

void NativeThread::pauseBeforeInstructions() {
  host_.issue = &Api::issuePaused;
}

void NativeThread::enter() {
  // Finds the host like the kernel does.
  const auto here =
      reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t end = (here | (ttk::kStackBytes - 1)) + 1;
  ttk::Host *host = nullptr;
  std::memcpy(&host, reinterpret_cast<const void *>(end - ttk::kHostOffset),
              sizeof host);
  NativeThread &n = Api::of(host);
  // The first block of a kernel is not counted.
  host->fuel += ttk::kBlockInstructions;
  n.object_->info().main();
  if (!n.line_.empty())
    Api::print(host, "", 0, true);
  const ttk::Site site = n.start();
  if (n.records())
    n.record(std::uint32_t(Opcode::ret), 0, nullptr, site);
  n.execute(std::uint32_t(Opcode::ret), 0, nullptr, site);
  for (;;)
    n.leave();
}

std::int64_t NativeThread::run(std::int64_t budget, std::int64_t slice) {
  return repeats_ ? runRecording(budget, slice) : runKernel(budget, slice);
}

std::int64_t NativeThread::runKernel(std::int64_t budget, std::int64_t slice) {
  std::int64_t left = budget;
  stopped_ = false;
  while (!stopped_ && left > 0) {
    numerics::checkCancelled();
    given_ = std::min(left, slice);
    host_.fuel = given_;
    switchStack(&hostPointer_, kernelPointer_);
    const std::int64_t used = given_ - host_.fuel;
    left -= used;
    usedBefore_ += used;
    given_ = host_.fuel = 0;
    if (failure_)
      std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  if (object_->usesHost() || object_->ops().loadsData())
    thread_->machine->mesh->sawData.store(true, std::memory_order_relaxed);
  if (records())
    recording_.isComplete = thread_->state == State::Done;
  return budget - left;
}

//===-- Recordings --------------------------------------------------------===//

bool NativeThread::records() const {
  return host_.issue == &Api::issueRecorded;
}

void NativeThread::stopRecording() {
  if (!records())
    return;
  recording_.kinds = {};
  recording_.steps = {};
  recording_.operands = {};
  host_.issue = &Api::issue;
}

void NativeThread::record(std::uint32_t opcode, std::uint32_t count,
                          const std::uint64_t *operands,
                          const ttk::Site &site) {
  // How many pages there are at an instant depends on the host's threads.
  const auto kind = Opcode(opcode);
  if (kind == Opcode::cb_pages_available_at_front ||
      kind == Opcode::cb_pages_reservable_at_back ||
      recording_.steps.size() == Recording::kMostSteps) {
    stopRecording();
    return;
  }
  const SiteOp &op = findOp(opcode, count, operands, site);
  const auto isWide = [](std::uint64_t value) { return value >> 32 != 0; };
  const Recording::Kind found{&op, ((1u << count) - 1) & ~op.immediates,
                              std::any_of(operands, operands + count, isWide)};
  const auto known = std::ranges::find(recording_.kinds, found);
  const auto number = std::uint32_t(known - recording_.kinds.begin());
  if (known == recording_.kinds.end())
    recording_.kinds.push_back(found);
  const std::int64_t used = usedBefore_ + given_ - host_.fuel;
  recording_.steps.push_back({number, std::uint32_t(used - recorded_)});
  for (std::uint32_t left = found.registers; left; left &= left - 1) {
    const std::uint64_t value = operands[std::countr_zero(left)];
    recording_.operands.push_back(std::uint32_t(value));
    if (found.isWide)
      recording_.operands.push_back(std::uint32_t(value >> 32));
  }
}

std::int64_t NativeThread::runRecording(std::int64_t budget,
                                        std::int64_t slice) {
  Thread &t = *thread_;
  std::int64_t left = budget;
  for (std::int64_t check = left; left > 0;) {
    if (left <= check) {
      numerics::checkCancelled();
      check = left - slice;
    }
    const Recording::Step &step = recording_.steps[step_];
    if (scalarLeft_ < 0)
      scalarLeft_ = step.scalar;
    const std::int64_t scalar = std::min(left, scalarLeft_);
    left -= scalar;
    scalarLeft_ -= scalar;
    if (left == 0)
      break;
    const Recording::Kind &kind = recording_.kinds[step.kind];
    current_ = kind.op;
    const Op *op = &kind.op->op;
    const std::uint32_t *values = recording_.operands.data() + first_;
    for (std::uint32_t regs = kind.registers; regs; regs &= regs - 1) {
      std::uint64_t value = *values++;
      if (kind.isWide)
        value |= std::uint64_t(*values++) << 32;
      t.r[std::countr_zero(regs)] = value;
    }
    --left;
    t.sinceEvent += op->takesTime;
    const Op *next = op->run(t, op);
    if (next || t.next != op) {
      ++step_;
      first_ = std::size_t(values - recording_.operands.data());
      scalarLeft_ = -1;
    }
    if (!next) {
      if (t.state == State::Blocked) { // it has not been executed
        ++left;
        t.sinceEvent -= op->takesTime;
      }
      break;
    }
  }
  return budget - left;
}

ttk::Site NativeThread::start() const {
  const auto main = reinterpret_cast<std::uintptr_t>(object_->info().main);
  // As a return address: as if the first instruction were a call.
  return {nullptr, 0, reinterpret_cast<const void *>(main + 1)};
}

std::string NativeThread::locationOf(const Op *op) const {
  // The operation is the first member of SiteOp.
  return kernel_->describe(reinterpret_cast<const SiteOp *>(op)->site,
                           *object_);
}

} // namespace tt::runtime::emulator
