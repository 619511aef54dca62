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

/// What a thread knows to be complete. A copy is cheap: the part from other
/// cores is shared until it changes.
class VectorClock {
public:
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
    return epochOf(access) <= epoch(indexOf(access)) ||
           (landed_ && hasLanded(access, place));
  }
  /// Learns what `from` knows.
  void join(const VectorClock &from);
  /// Learns that the transfers up to `access` have landed in `area`.
  void land(Access access, const Area &area);

private:
  struct Landed {
    Access upTo;
    Area area;
  };
  std::uint32_t epoch(std::uint32_t index) const {
    return index / kActors == core_ ? own_[index % kActors] : (*others_)[index];
  }
  bool hasLanded(Access access, const Area &place) const;
  void joinOthers(const VectorClock &from);

  std::uint32_t core_ = 0;
  std::array<std::uint32_t, kActors> own_{}; // the actors of the core
  // By index, of all cores; those of this core are unused.
  std::shared_ptr<const std::vector<std::uint32_t>> others_;
  std::shared_ptr<const std::vector<Landed>> landed_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_VECTOR_CLOCK_H
