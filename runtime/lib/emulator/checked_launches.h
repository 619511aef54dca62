// Launches that the checks need not watch again.
#ifndef TT_RUNTIME_EMULATOR_CHECKED_LAUNCHES_H
#define TT_RUNTIME_EMULATOR_CHECKED_LAUNCHES_H

#include "emulator/written.h"
#include "tt/runtime/checks.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tt::runtime::emulator {

class Chip;
struct CheckedLaunch;
struct Launch;
struct LaunchChips;
struct LaunchOptions;
struct LaunchResult;
struct LiveBuffer;

/// What checked launches of a device have found. Kernels that load no data do
/// the same in every run: they access the same bytes in the same order. So if
/// one run with checks has ended well, another one with tensors at the same
/// places, of which the same bytes were written, finds nothing either. It runs
/// without checks, and the tensors are marked as the first one left them. Not
/// thread-safe.
class CheckedLaunches {
public:
  CheckedLaunches();
  ~CheckedLaunches();

  /// A launch that is about to run with checks. `live` and the tensors' marks
  /// must stay until it has ended.
  class Run {
  public:
    /// Whether it need not be checked.
    bool isKnown() const { return known_ != nullptr; }
    /// With isKnown(), LaunchOptions::repetition.
    std::uint64_t repetition() const;
    /// After the launch: keeps what the checks have found, or with isKnown()
    /// adds it to the result and marks the tensors.
    void finish(LaunchResult &result);

  private:
    friend class CheckedLaunches;
    CheckedLaunches *all_ = nullptr;
    std::span<const LiveBuffer> live_;
    const CheckedLaunch *known_ = nullptr;
    std::shared_ptr<CheckedLaunch> fresh_; // null: it does not repeat
    std::shared_ptr<const Launch> launch_;
  };

  /// `launch` is that of the program. Addresses of tensors that it gets as
  /// arguments are those of `live`.
  Run start(const std::shared_ptr<const Launch> &launch,
            const LaunchChips &chips, std::span<const LiveBuffer> live,
            const LaunchOptions &options);

private:
  struct Entry;
  Entry &entryOf(const std::shared_ptr<const Launch> &launch);

  std::unordered_map<const Launch *, Entry> entries_;
  std::size_t most_ = 1024; // launches before some are forgotten
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_CHECKED_LAUNCHES_H
