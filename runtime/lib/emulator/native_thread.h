// A thread of a core that runs a kernel in C++: its stack, and the instructions
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

/// Memory for the stack of a kernel, with a page in front that cannot be
/// accessed.
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

/// Runs a kernel on a stack of its own. Each call of the kernel becomes an
/// instruction that is executed by the function that executes it in a kernel of
/// the emulator's own instructions. If the instruction has to wait, the kernel
/// is left where it is, and goes on there.
class NativeThread {
public:
  NativeThread(Thread &thread, std::shared_ptr<const NativeKernel> kernel);
  NativeThread(const NativeThread &) = delete;
  NativeThread &operator=(const NativeThread &) = delete;
  ~NativeThread();

  /// Prepares another run.
  void start(Thread &thread, std::shared_ptr<const NativeKernel> kernel);
  /// Runs until the thread waits or has executed the instructions that it may,
  /// and returns how many it has executed. It looks at the run's cancellation
  /// every `slice` instructions. Rethrows faults.
  std::int64_t run(std::int64_t budget, std::int64_t slice);

  /// The place in the source of an instruction that the thread has issued.
  std::string locationOf(const Op *op) const;
  /// It stands for the scalar code between instructions, such as a loop without
  /// any.
  bool isScalar(const Op *op) const { return op == &scalar_.op; }
  const Op *op() const { return &current_->op; }

private:
  struct Api;
  friend struct Api;

  struct Form;
  static const Form &formOf(std::uint32_t opcode);
  /// An instruction at a place of the source. It stays where it is: what is
  /// reported later, such as at the end of a round, names it.
  struct SiteOp {
    Op op{};
    Op after{}; // its address is where the thread goes on
    std::array<std::uint32_t, 16> operands{};
    ttk::Site site;
    const Form *form = nullptr;
    SiteOp *next = nullptr; // with the same hash
  };

  static void enter();
  /// The start of the kernel's text.
  ttk::Site start() const;
  std::uint64_t execute(std::uint32_t opcode, std::uint32_t count,
                        const std::uint64_t *operands, const ttk::Site &site);
  SiteOp &opAt(std::uint32_t opcode, const ttk::Site &site);
  void setOperands(std::uint32_t count, const std::uint64_t *operands);
  /// The instructions that have been executed since it was called last are
  /// part of what the next event counts.
  void count();
  template <typename Body> void guarded(const Body &body);
  void leave();

  /// What the kernel has a pointer to.
  struct Host : ttk::Host {
    NativeThread *thread;
  } host_{};
  Thread *thread_;
  std::shared_ptr<const NativeKernel> kernel_;
  std::shared_ptr<const NativeObject> object_;
  NativeStack stack_;
  void *kernelPointer_ = nullptr, *hostPointer_ = nullptr; // of both stacks
  std::int64_t counted_ = 0;                               // of host_.fuel
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::string line_; // that is being printed
  std::deque<SiteOp> ops_;
  std::array<SiteOp *, 256> opsByHash_{};
  SiteOp scalar_;
  SiteOp *current_ = &scalar_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_NATIVE_THREAD_H
