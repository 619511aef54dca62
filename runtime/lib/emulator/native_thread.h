// A thread of a core that runs a C++ kernel: its stack, and the instructions
// that it executes.
#ifndef TT_RUNTIME_EMULATOR_NATIVE_THREAD_H
#define TT_RUNTIME_EMULATOR_NATIVE_THREAD_H

#include "emulator/code.h"
#include "emulator/native_kernel.h"

#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace tt::runtime::emulator {

/// Memory for the stack of a kernel, with a guard page in front.
class NativeStack {
public:
  NativeStack();
  ~NativeStack();
  NativeStack(const NativeStack &) = delete;
  NativeStack &operator=(const NativeStack &) = delete;

  /// Its end, at a multiple of ttk::kStackBytes.
  std::byte *end() const { return end_; }

private:
  void *mapped_ = nullptr;
  std::byte *end_ = nullptr;
};

/// Runs a kernel as a coroutine on a stack of its own. Each library call of the
/// kernel executes an instruction with the same handler as in a kernel of
/// emulator instructions. If the instruction has to wait, the kernel is
/// suspended there and resumes later.
class NativeThread {
public:
  NativeThread(Thread &thread, std::shared_ptr<const NativeKernel> kernel);
  NativeThread(const NativeThread &) = delete;
  NativeThread &operator=(const NativeThread &) = delete;
  ~NativeThread();

  /// In pages of its own, above 4 GiB. The kernel accesses its host, and takes
  /// lower addresses for those of the chip; the heap of a process that is not
  /// position-independent, such as Debian's Python, may start below.
  static void *operator new(std::size_t bytes);
  static void operator delete(void *memory, std::size_t bytes);

  /// Prepares another run.
  void start(Thread &thread, std::shared_ptr<const NativeKernel> kernel);
  /// Runs until the thread waits or has executed `budget` instructions, and
  /// returns how many it executed. Checks for cancellation of the run every
  /// `slice` instructions. Rethrows faults.
  std::int64_t run(std::int64_t budget, std::int64_t slice);

  /// The source location of an instruction that the thread has issued.
  std::string locationOf(const Op *op) const;
  /// Whether the op stands for scalar code between instructions, such as a loop
  /// without instructions.
  bool isScalar(const Op *op) const { return op == &scalar_.op; }
  const Op *op() const { return &current_->op; }
  /// Whether it ran the kernel before; starting it again is then faster.
  bool isOf(const NativeKernel *kernel) const {
    return kernel_.get() == kernel;
  }
  /// From now on, run() also ends in front of each instruction, which is then
  /// the thread's next.
  void pauseBeforeInstructions();
  /// The last one that the kernel has set; null before.
  const char *waypoint() const { return host_.waypoint; }

private:
  struct Api;
  friend struct Api;

  struct Form;
  static const Form &formOf(std::uint32_t opcode);
  /// An instruction at a place of the source. Its address is stable, since
  /// later reports, such as those at the end of a round, refer to it.
  struct SiteOp {
    Op op{};
    Op after{}; // its address is where the thread resumes
    std::array<std::uint32_t, 16> operands{};
    ttk::Site site;
    const Form *form = nullptr;
    SiteOp *next = nullptr; // with the same hash
    /// What the kernel executed after it, which it is likely to do again.
    SiteOp *follower = nullptr;

    bool is(std::uint32_t opcode, const ttk::Site &at) const {
      return std::uint32_t(op.opcode) == opcode && site.line == at.line &&
             site.address == at.address && site.file == at.file;
    }
  };

  static void enter();
  /// The start of the kernel's text.
  ttk::Site start() const;
  std::uint64_t execute(std::uint32_t opcode, std::uint32_t count,
                        const std::uint64_t *operands, const ttk::Site &site);
  /// Suspends the kernel in front of an instruction.
  void pause(std::uint32_t opcode, std::uint32_t count,
             const std::uint64_t *operands, const ttk::Site &site);
  /// Makes an instruction with its operands the current one.
  void prepare(std::uint32_t opcode, std::uint32_t count,
               const std::uint64_t *operands, const ttk::Site &site);
  SiteOp &findOp(std::uint32_t opcode, const ttk::Site &site);
  /// Sets the operands of the current instruction that are not registers.
  void setImmediates(std::uint32_t count, const std::uint64_t *operands);
  template <typename Body> void guarded(const Body &body);
  void leave();

  /// The host that the kernel has a pointer to.
  struct Host : ttk::Host {
    NativeThread *thread;
  } host_{};
  Thread *thread_;
  std::shared_ptr<const NativeKernel> kernel_;
  std::shared_ptr<const NativeObject> object_;
  NativeStack stack_;
  void *kernelPointer_ = nullptr, *hostPointer_ = nullptr; // of both stacks
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::string line_; // not yet printed
  std::deque<SiteOp> ops_;
  std::array<SiteOp *, 256> opsByHash_{};
  SiteOp scalar_;
  SiteOp *current_ = &scalar_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_NATIVE_THREAD_H
