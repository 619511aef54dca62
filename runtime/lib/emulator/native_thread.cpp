#include "emulator/native_thread.h"

#include "emulator/engine.h"
#include "emulator/switch_stack.h"
#include "emulator/tile_slice.h"
#include "numerics/cancel.h"

#include <algorithm>
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

namespace {

constexpr std::uint32_t kResult = 31; // the register of every result
constexpr std::size_t kMostOperands = 16;
constexpr std::uint16_t kNoOperands = 0xffff; // that were set

} // namespace

/// Properties of an instruction that do not depend on its operands.
struct NativeThread::Form {
  Handler run = nullptr;
  tensix::Handler compute = nullptr;
  bool onTiles = false;
  std::uint32_t registers = 0; // a bit for each operand
  std::uint32_t ports = 0, types = 0;

  Form() = default;
  explicit Form(Opcode opcode)
      : run(handlerOf(opcode)), onTiles(tensix::isCompute(opcode)) {
    if (onTiles)
      compute = tensix::handlerFor(opcode);
    const std::string_view letters = signatureOf(opcode).operands;
    for (std::size_t i = 0; i < letters.size() && i < kMostOperands; ++i) {
      registers |= std::uint32_t(letters[i] == 'r') << i;
      ports |= std::uint32_t(letters[i] == 'c') << i;
      types |= std::uint32_t(letters[i] == 'd') << i;
    }
  }
};

const NativeThread::Form &NativeThread::formOf(std::uint32_t opcode) {
  static const auto forms = [] {
    std::array<Form, std::size_t(Opcode::MAX) + 1> result;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = Form(Opcode(i));
    return result;
  }();
  return forms[opcode];
}

NativeThread::SiteOp &NativeThread::findOp(std::uint32_t opcode,
                                           const ttk::Site &site) {
  const std::size_t hash =
      (opcode * 31 + site.line * 7 +
       (reinterpret_cast<std::uintptr_t>(site.address) >> 2)) %
      opsByHash_.size();
  for (SiteOp *op = opsByHash_[hash]; op; op = op->next)
    if (op->is(opcode, site))
      return *op;
  const Form &form = formOf(opcode);
  SiteOp &made = ops_.emplace_back();
  made.site = site;
  made.form = &form;
  made.next = std::exchange(opsByHash_[hash], &made);
  made.op.run = form.run;
  made.op.compute = form.compute;
  made.op.opcode = Opcode(opcode);
  made.op.takesTime = signatureOf(Opcode(opcode)).takesTime;
  made.op.operands = made.operands.data();
  for (std::uint32_t i = 0; i < kMostOperands; ++i)
    made.operands[i] = i;
  made.op.count = kNoOperands;
  made.op.out = kResult;
  return made;
}

void NativeThread::setImmediates(std::uint32_t count,
                                 const std::uint64_t *operands) {
  Op &op = current_->op;
  const Form &form = *current_->form;
  op.count = kNoOperands; // until they are known to be valid
  for (std::uint32_t i = 0; i < count; ++i)
    if (!(form.registers >> i & 1))
      current_->operands[i] = std::uint32_t(operands[i]);
  if (form.onTiles) {
    op.a = count;
    op.b = form.registers;
  } else {
    const auto field = [&](std::uint32_t i) {
      const bool isImmediate = i < count && !(form.registers >> i & 1);
      return isImmediate ? std::uint32_t(operands[i]) : i;
    };
    op.a = field(0);
    op.b = field(1);
    op.c = field(2);
  }
  for (std::uint32_t i = 0; i < count && (form.ports | form.types); ++i) {
    const bool isLeftOut = operands[i] == ttk::kNoBuffer &&
                           (op.opcode == Opcode::init_bcast ||
                            op.opcode == Opcode::transpose_wh_init);
    if (form.ports >> i & 1 && operands[i] >= kPorts && !isLeftOut)
      fail(*thread_, &op, FaultKind::BufferMisuse,
           "expected a circular buffer below ", kPorts, ", found ",
           std::int64_t(operands[i]));
    if (form.types >> i & 1 &&
        operands[i] > std::uint64_t(::tt::target::DataType::MAX))
      fail(*thread_, &op, FaultKind::Operand, "expected a data format, found ",
           operands[i]);
  }
  op.count = std::uint16_t(count);
}

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

void NativeThread::prepare(std::uint32_t opcode, std::uint32_t count,
                           const std::uint64_t *operands,
                           const ttk::Site &site) {
  SiteOp *found = current_->follower;
  if (!found || !found->is(opcode, site))
    current_->follower = found = &findOp(opcode, site);
  current_ = found;
  // Register i always holds operand i, and immediates are often the same as
  // before.
  const std::uint32_t registers = found->form->registers;
  bool isSame = found->op.count == count;
  for (std::uint32_t i = 0; i < count; ++i)
    if (registers >> i & 1)
      thread_->r[i] = operands[i];
    else
      isSame &= found->operands[i] == operands[i];
  if (!isSame)
    guarded([&] { setImmediates(count, operands); });
}

std::uint64_t NativeThread::execute(std::uint32_t opcode, std::uint32_t number,
                                    const std::uint64_t *operands,
                                    const ttk::Site &site) {
  Thread &t = *thread_;
  prepare(opcode, number, operands, site);
  const Op *op = &current_->op;
  for (bool done = false; !done;) {
    --host_.fuel;
    t.sinceEvent += op->takesTime;
    const Op *next = nullptr;
    guarded([&] { next = op->run(t, op); });
    done = next || t.next != op;
    if (!next) {
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
  return t.r[kResult];
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

  static void refuel(ttk::Host *host, const void *address) {
    NativeThread &n = of(host);
    n.scalar_.site = {nullptr, 0, address};
    n.thread_->next = &n.scalar_.op;
    n.leave();
  }

  static void print(ttk::Host *host, const char *text, std::size_t size,
                    bool ends) {
    NativeThread &n = of(host);
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
      const Op &op = n.findOp(std::uint32_t(Opcode::assert_that), *site).op;
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

NativeThread::NativeThread(Thread &thread,
                           std::shared_ptr<const NativeKernel> kernel) {
  start(thread, std::move(kernel));
}

NativeThread::~NativeThread() = default;

void NativeThread::start(Thread &thread,
                         std::shared_ptr<const NativeKernel> kernel) {
  static_cast<ttk::Host &>(host_) = {0,           &Api::issue, &Api::refuel,
                                     &Api::print, &Api::check, &Api::refuse,
                                     &Api::find,  {},          &Api::slice,
                                     nullptr};
  host_.thread = this;
  thread_ = &thread;
  kernel_ = std::move(kernel);
  if (auto object = kernel_->objectForThread(); object != object_) {
    object_ = std::move(object);
    ops_.clear();
    opsByHash_ = {};
    scalar_.follower = nullptr;
  }
  stopped_ = false;
  line_.clear();
  failure_ = nullptr;
  scalar_.site = start();
  current_ = &scalar_;
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
  n.execute(std::uint32_t(Opcode::ret), 0, nullptr, n.start());
  for (;;)
    n.leave();
}

std::int64_t NativeThread::run(std::int64_t budget, std::int64_t slice) {
  std::int64_t left = budget;
  stopped_ = false;
  while (!stopped_ && left > 0) {
    numerics::checkCancelled();
    const std::int64_t given = std::min(left, slice);
    host_.fuel = given;
    switchStack(&hostPointer_, kernelPointer_);
    left -= given - host_.fuel;
    if (failure_)
      std::rethrow_exception(std::exchange(failure_, nullptr));
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
