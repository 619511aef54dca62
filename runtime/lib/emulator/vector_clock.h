// Order between threads, by vector clocks.
//
// Memory is accessed by actors: the threads of a core, and the transfers that
// its data movement threads have started. The epoch of a thread grows with
// everything it does that another thread can wait for. The epoch of its
// transfers of one kind counts those that it has started. A barrier tells the
// thread that they are complete; threads that wait for this thread learn it
// from its clock. An access of actor a in epoch e is ordered before what a
// thread does now if the thread's clock has at least e for a.
//
// The network keeps the order of what one thread sends to one destination: a
// flag that arrives there after data means that the data has arrived, before
// any barrier and for that destination only.
#ifndef TT_RUNTIME_EMULATOR_VECTOR_CLOCK_H
#define TT_RUNTIME_EMULATOR_VECTOR_CLOCK_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tt::runtime::emulator {

/// The actors of a core, after its threads noc0, noc1 and compute. Transfers
/// are per thread: `Reads + 1` are those of the second data movement thread.
enum Actor : std::uint32_t {
  Reads = 3,
  Writes = 5, // to one core or channel, and words
  Multicasts = 7,
  FabricWrites = 9, // to other chips
  kActors = 11,
};

/// An access of an actor: (core * kActors + actor + 1) << 32 | epoch, or 0.
/// `core` is the number of a core of the run.
using Access = std::uint64_t;
constexpr Access makeAccess(std::uint32_t core, std::uint32_t actor,
                            std::uint32_t epoch) {
  return Access(core * kActors + actor + 1) << 32 | epoch;
}
constexpr std::uint32_t indexOf(Access access) {
  return std::uint32_t(access >> 32) - 1;
}
constexpr std::uint32_t coreOf(Access access) {
  return indexOf(access) / kActors;
}
constexpr std::uint32_t actorOf(Access access) {
  return indexOf(access) % kActors;
}
constexpr std::uint32_t epochOf(Access access) { return std::uint32_t(access); }

/// Places on the network of a chip that a flag has reached. The whole chip if
/// the flag came from another one.
struct Area {
  std::uint32_t device = 0;
  std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool chip = false;

  bool covers(const Area &place) const {
    return device == place.device &&
           (chip || (x0 <= place.x0 && place.x1 <= x1 && y0 <= place.y0 &&
                     place.y1 <= y1));
  }
  bool operator==(const Area &) const = default;
};

class ClockView;

/// What a thread knows to be complete. A copy is cheap: the part from other
/// cores is shared until it changes.
class VectorClock {
public:
  using Own = std::array<std::uint32_t, kActors>;

  VectorClock() = default;
  /// The clock of a thread or a semaphore of `core`, in a run of `cores` cores.
  VectorClock(
      std::uint32_t core,
      std::shared_ptr<const std::vector<std::uint32_t>> epochsOfAllCores)
      : core_(core), others_(std::move(epochsOfAllCores)) {}

  std::uint32_t of(std::uint32_t actor) const { return own_[actor]; }
  void set(std::uint32_t actor, std::uint32_t epoch) { own_[actor] = epoch; }
  void advance(std::uint32_t actor, std::uint32_t epochs) {
    own_[actor] += epochs;
  }
  /// The actor whose epoch alone differs in a later clock of the core, by
  /// `epochs`; none if there is more.
  std::optional<std::uint32_t> soleChange(const VectorClock &later,
                                          std::uint32_t epochs) const;
  /// What was accessed at `place` is over.
  bool knows(Access access, const Area &place) const {
    return knows(own_, access, place);
  }
  /// Learns what `from` knows.
  void join(const VectorClock &from);
  void join(const ClockView &from);
  /// Learns that the transfers up to `access` have landed in `area`.
  void land(Access access, const Area &area);

private:
  friend class ClockView;
  friend class ClockList;

  struct Landed {
    Access upTo;
    Area area;
  };
  /// The same with other epochs of the core.
  bool knows(const Own &own, Access access, const Area &place) const {
    return epochOf(access) <= epoch(own, indexOf(access)) ||
           (landed_ && hasLanded(access, place));
  }
  std::uint32_t epoch(const Own &own, std::uint32_t index) const {
    return index / kActors == core_ ? own[index % kActors] : (*others_)[index];
  }
  void joinOwn(const Own &from) {
    for (std::uint32_t i = 0; i < kActors; ++i)
      own_[i] = std::max(own_[i], from[i]);
  }
  /// It differs in nothing but the epochs of the core.
  bool sharesOthers(const VectorClock &with) const {
    return core_ == with.core_ && others_ == with.others_ &&
           landed_ == with.landed_;
  }
  bool hasLanded(Access access, const Area &place) const;
  void joinOthers(const VectorClock &from);

  std::uint32_t core_ = 0;
  Own own_{}; // the actors of the core
  // By index, of all cores; those of this core are unused.
  std::shared_ptr<const std::vector<std::uint32_t>> others_;
  std::shared_ptr<const std::vector<Landed>> landed_;
};

/// A clock that somebody else has.
class ClockView {
public:
  ClockView(const VectorClock &clock) : own_(clock.own_), rest_(clock) {}

  bool knows(Access access, const Area &place) const {
    return rest_.knows(own_, access, place);
  }
  std::uint32_t of(std::uint32_t actor) const { return own_[actor]; }
  VectorClock copy() const {
    VectorClock result = rest_;
    result.own_ = own_;
    return result;
  }

private:
  friend class VectorClock;
  friend class ClockList;
  ClockView(const VectorClock::Own &own, const VectorClock &rest)
      : own_(own), rest_(rest) {}

  const VectorClock::Own &own_;
  const VectorClock &rest_; // but for `own_`
};

/// Clocks of a core, of which few know more of other cores than the one before.
class ClockList {
public:
  std::size_t size() const { return clocks_.size(); }
  bool empty() const { return clocks_.empty(); }
  void push(const VectorClock &clock) {
    if (rests_.empty() || !clock.sharesOthers(rests_.back()))
      rests_.push_back(clock);
    clocks_.push_back({clock.own_, std::uint32_t(rests_.size() - 1)});
  }
  /// Valid until the list changes.
  ClockView operator[](std::size_t index) const {
    return {clocks_[index].own, rests_[clocks_[index].rest]};
  }
  void eraseFirst(std::size_t count);
  void clear() {
    clocks_.clear();
    rests_.clear();
  }
  void shrink(std::size_t bytes);

private:
  struct Clock {
    VectorClock::Own own;
    std::uint32_t rest;
  };
  std::vector<Clock> clocks_;
  std::vector<VectorClock> rests_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_VECTOR_CLOCK_H
