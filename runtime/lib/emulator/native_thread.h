// A thread of a core that runs a C++ kernel: its stack, and the instructions
// that it executes.
#ifndef TT_RUNTIME_EMULATOR_NATIVE_THREAD_H
#define TT_RUNTIME_EMULATOR_NATIVE_THREAD_H

#include "emulator/code.h"
#include "emulator/native_kernel.h"

#include <cstdint>
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
  NativeThread();
  NativeThread(const NativeThread &) = delete;
  NativeThread &operator=(const NativeThread &) = delete;
  ~NativeThread();

  /// In pages of its own, above 4 GiB. The kernel accesses its host, and takes
  /// lower addresses for those of the chip; the heap of a process that is not
  /// position-independent, such as Debian's Python, may start below.
  static void *operator new(std::size_t bytes);
  static void operator delete(void *memory, std::size_t bytes);

  /// Prepares a run. Those of a `repetition`, if it is not 0, execute the same
  /// instructions: the first one records them, and others need not run the
  /// kernel.
  void start(Thread &thread, std::shared_ptr<const NativeKernel> kernel,
             std::uint64_t repetition);
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

  /// What a run executed.
  struct Recording {
    /// More are not kept: they would take more memory than the kernel's data.
    static constexpr std::size_t kMostSteps = 8192;

    /// An instruction with its operands in registers, of 32 or 64 bits.
    struct Kind {
      const SiteOp *op;
      std::uint32_t registers; // a bit for each operand
      bool isWide;
      bool operator==(const Kind &) const = default;
    };
    struct Step {
      std::uint32_t kind;
      std::uint32_t scalar; // instructions of scalar code in front of it
    };
    std::uint64_t repetition = 0;
    bool isComplete = false;
    std::vector<Kind> kinds;
    // Small, since a run reads those of the threads of all cores.
    std::vector<Step> steps;
    std::vector<std::uint32_t> operands; // of all steps

    bool repeats(std::uint64_t number) const {
      return number && repetition == number && isComplete;
    }
  };

  static void enter();
  /// Runs the kernel, or what is recorded of it.
  std::int64_t runKernel(std::int64_t budget, std::int64_t slice);
  std::int64_t runRecording(std::int64_t budget, std::int64_t slice);
  /// Adds an instruction that the kernel is about to execute.
  void record(std::uint32_t opcode, std::uint32_t count,
              const std::uint64_t *operands, const ttk::Site &site);
  bool records() const;
  /// The kernel does something that is not recorded.
  void stopRecording();
  /// Executes the current instruction.
  static void runOp(void *thread);
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
  const SiteOp &findOp(std::uint32_t opcode, std::uint32_t count,
                       const std::uint64_t *operands, const ttk::Site &site);
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
  const Op *next_ = nullptr; // what the handler returned
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::string line_; // not yet printed
  Recording recording_;
  bool repeats_ = false;             // the recording
  std::size_t step_ = 0, first_ = 0; // the next one, and its first operand
  std::int64_t scalarLeft_ = -1;     // in front of it; -1 before it is known
  int otherRuns_ = 0;                // since one repeated the recording
  /// Fuel of earlier slices of a run, of this one, and of what is recorded.
  std::int64_t usedBefore_ = 0, given_ = 0, recorded_ = 0;
  SiteOp scalar_;  // between instructions
  SiteOp invalid_; // one with wrong operands
  const SiteOp *current_ = &scalar_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_NATIVE_THREAD_H
