#include "emulator/checked_launches.h"

#include "emulator/host_pages.h"
#include "emulator/launch.h"

#include <algorithm>
#include <atomic>
#include <deque>

namespace tt::runtime::emulator {

namespace {

/// The marks of a tensor on each chip; none where all bytes count as written.
using Marks = std::vector<std::vector<WrittenBytes>>;

Marks marksOf(const LiveBuffer &buffer) {
  Marks marks;
  for (const auto *written : buffer.written)
    marks.push_back(written ? *written : std::vector<WrittenBytes>{});
  return marks;
}

bool areMarksOf(const Marks &marks, const LiveBuffer &buffer) {
  return std::ranges::equal(marks, buffer.written,
                            [](const auto &mark, const auto *written) {
                              return written ? mark == *written : mark.empty();
                            });
}

/// Whether kernels access host memory, which they may only read, or write.
enum class Host : std::uint8_t { None, Reads, Writes };

Host hostOf(const LiveBuffer &buffer) {
  return !buffer.host                ? Host::None
         : buffer.host->isWritable() ? Host::Writes
                                     : Host::Reads;
}

/// A tensor that lives while the launch runs.
struct CheckedTensor {
  explicit CheckedTensor(const LiveBuffer &buffer)
      : address(buffer.address), bytes(buffer.bytes), cores(buffer.cores),
        host(hostOf(buffer)), before(marksOf(buffer)) {}
  bool is(const LiveBuffer &buffer) const {
    return address == buffer.address && bytes == buffer.bytes &&
           host == hostOf(buffer) && cores == buffer.cores &&
           areMarksOf(before, buffer);
  }

  std::uint64_t address, bytes;
  std::vector<CoreRange> cores;
  Host host;
  Marks before, after; // `after` is empty if nothing has changed
};

} // namespace

/// What the checks of a launch depend on, and what they have found.
struct CheckedLaunch {
  CheckedLaunch(const LaunchChips &on, std::span<const LiveBuffer> live,
                const LaunchOptions &options)
      : chips(on.chips), kinds(options.checkKinds),
        stepLimit(options.stepLimit), tensors(live.begin(), live.end()) {}
  bool is(const LaunchChips &on, std::span<const LiveBuffer> live,
          const LaunchOptions &options) const {
    return kinds == options.checkKinds && stepLimit == options.stepLimit &&
           chips == on.chips &&
           std::ranges::equal(tensors, live, [](const auto &a, const auto &b) {
             return a.is(b);
           });
  }

  /// Unique, other than its address.
  static std::uint64_t nextNumber() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }

  const std::uint64_t number = nextNumber();
  std::vector<Chip *> chips;
  CheckKinds kinds;
  std::uint64_t stepLimit;
  std::vector<CheckedTensor> tensors;
  std::vector<std::string> notes;
};

struct CheckedLaunches::Entry {
  /// Tensors may be at several places in turn.
  static constexpr std::size_t kMost = 4;

  std::weak_ptr<const Launch> launch;
  bool repeats = true;
  std::deque<std::shared_ptr<const CheckedLaunch>> known; // the last ones
};

CheckedLaunches::CheckedLaunches() = default;
CheckedLaunches::~CheckedLaunches() = default;

CheckedLaunches::Entry &
CheckedLaunches::entryOf(const std::shared_ptr<const Launch> &launch) {
  if (entries_.size() >= most_ && !entries_.contains(launch.get())) {
    std::erase_if(entries_, [](const auto &entry) {
      return entry.second.launch.expired();
    });
    most_ = std::max(most_, 2 * entries_.size());
  }
  Entry &entry = entries_[launch.get()];
  // A launch that is gone may have been where this one is.
  if (entry.launch.owner_before(launch) || launch.owner_before(entry.launch)) {
    entry = {};
    entry.launch = launch;
  }
  return entry;
}

CheckedLaunches::Run CheckedLaunches::start(
    const std::shared_ptr<const Launch> &launch, const LaunchChips &chips,
    std::span<const LiveBuffer> live, const LaunchOptions &options) {
  Run run;
  run.all_ = this;
  run.live_ = live;
  run.launch_ = launch;
  const Entry &entry = entryOf(launch);
  if (!entry.repeats)
    return run;
  for (const auto &known : entry.known)
    if (known->is(chips, live, options)) {
      run.known_ = known.get();
      return run;
    }
  run.fresh_ = std::make_shared<CheckedLaunch>(chips, live, options);
  return run;
}

std::uint64_t CheckedLaunches::Run::repetition() const {
  return known_->number;
}

void CheckedLaunches::Run::finish(LaunchResult &result) {
  if (known_) {
    result.notes = known_->notes;
    for (std::size_t i = 0; i < live_.size(); ++i)
      for (std::size_t p = 0; p < known_->tensors[i].after.size(); ++p)
        if (auto *written = live_[i].written[p])
          *written = known_->tensors[i].after[p];
    return;
  }
  if (!fresh_)
    return;
  Entry &entry = all_->entryOf(launch_);
  entry.repeats = result.checksRepeat;
  if (!entry.repeats)
    return;
  for (std::size_t i = 0; i < live_.size(); ++i)
    if (!areMarksOf(fresh_->tensors[i].before, live_[i]))
      fresh_->tensors[i].after = marksOf(live_[i]);
  fresh_->notes = result.notes;
  if (entry.known.size() == Entry::kMost)
    entry.known.pop_front();
  entry.known.push_back(std::move(fresh_));
}

} // namespace tt::runtime::emulator
