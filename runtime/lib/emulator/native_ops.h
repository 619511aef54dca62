// The instructions that kernels in C++ issue.
#ifndef TT_RUNTIME_EMULATOR_NATIVE_OPS_H
#define TT_RUNTIME_EMULATOR_NATIVE_OPS_H

#include "emulator/code.h"
#include "kernel_api/ttk/abi.h"
#include "tt/runtime/fault.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

namespace tt::runtime::emulator {

inline constexpr std::size_t kMostNativeOperands = 16;
/// The register of every result.
inline constexpr std::uint32_t kNativeResult = 31;

/// An instruction at a place of the source, with the operands that are not
/// registers. Register i has operand i. Its address is stable, since later
/// reports, such as those at the end of a round, refer to it.
struct alignas(64) SiteOp {
  Op op{};    // the first member: see NativeThread::locationOf
  Op after{}; // its address is where the thread resumes
  ttk::Site site;
  std::uint32_t immediates = 0; // a bit for each that is not a register
  /// What kernels executed after it, which they are likely to do again.
  mutable std::array<std::atomic<const SiteOp *>, 2> followers{};
  std::array<std::uint32_t, kMostNativeOperands> operands{};
  const SiteOp *next = nullptr; // with the same hash

  bool is(std::uint32_t opcode, std::uint32_t count,
          const std::uint64_t *values, const ttk::Site &at) const {
    if (std::uint32_t(op.opcode) != opcode || op.count != count ||
        site.line != at.line || site.address != at.address ||
        site.file != at.file)
      return false;
    for (std::uint32_t left = immediates; left; left &= left - 1) {
      const int i = std::countr_zero(left);
      if (operands[std::size_t(i)] != std::uint32_t(values[i]))
        return false;
    }
    return true;
  }
};

/// Those of an object, which all threads that run it share: a thread per core
/// has most of them, and copies would not stay in the cache.
class NativeOps {
public:
  /// Null if no thread has issued it.
  const SiteOp *find(std::uint32_t opcode, std::uint32_t count,
                     const std::uint64_t *values, const ttk::Site &site) const;
  /// Keeps an instruction, unless another thread was faster.
  const SiteOp &add(std::uint32_t opcode, std::uint32_t count,
                    const std::uint64_t *values, const ttk::Site &site);
  /// Whether a thread has loaded data, on which it may depend what it does.
  bool loadsData() const { return loadsData_.load(std::memory_order_relaxed); }

private:
  static std::size_t hashOf(std::uint32_t opcode, const ttk::Site &site) {
    return (opcode * 31 + site.line * 7 +
            (reinterpret_cast<std::uintptr_t>(site.address) >> 2)) %
           kHashes;
  }

  static constexpr std::size_t kHashes = 256;
  std::mutex mutex_; // of changes
  std::deque<SiteOp> all_;
  std::array<std::atomic<const SiteOp *>, kHashes> byHash_{};
  std::atomic<bool> loadsData_ = false;
};

/// Sets an instruction. Throws no faults: see invalidOperand.
void setSiteOp(SiteOp &op, std::uint32_t opcode, std::uint32_t count,
               const std::uint64_t *values, const ttk::Site &site);

/// What is wrong with an operand that is not a register; empty if nothing is.
struct InvalidOperand {
  FaultKind kind = FaultKind::Operand;
  std::string text;
};
InvalidOperand invalidOperand(std::uint32_t opcode, std::uint32_t count,
                              const std::uint64_t *values);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_NATIVE_OPS_H
