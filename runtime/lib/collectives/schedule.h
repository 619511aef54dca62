// Which chips pass a collective's pages to which, and when.
#ifndef TT_RUNTIME_COLLECTIVES_SCHEDULE_H
#define TT_RUNTIME_COLLECTIVES_SCHEDULE_H

#include "clock/fabric_time.h"
#include "common/arch.h"
#include "common/collective.h"

#include <vector>

namespace tt::runtime::collectives {

using clock::FabricTime;

/// How far a slice goes from its owner: the number of chips before and behind
/// it in the order of the group, around the ring if it is one. On a ring with
/// an even number of chips, the opposite chip counts on one side for half of
/// the pages, and on the other side for the other half.
struct Reach {
  std::uint32_t before, behind;
};

/// Pages [first, last) of a slice with the same reach.
struct Part {
  std::int64_t first, last;
  Reach reach;
};

/// The hops of pages along a group: `pages[k]` on hop k from member `start` on,
/// in the order of the group or in the reverse order.
struct Chain {
  std::uint32_t start;
  bool forward;
  std::uint32_t firstStep; // of the hops; those of one step are sent at once
  std::vector<std::int64_t> pages;
};

/// The communication of a collective on lines or rings. Throws
/// Error(SystemMismatch) if a link is missing.
class Schedule {
public:
  Schedule(const Collective &collective, const FabricTime &fabric);

  bool ring() const { return ring_; }
  /// Cuts the `pages` of the slice of a member to parts; empty ones are left
  /// out. With `before` pages of it in other messages, all together have the
  /// parts of the whole.
  std::vector<Part> parts(std::uint32_t member, std::uint32_t size,
                          std::int64_t pages, std::int64_t before = 0) const;

  /// The chains of a group whose member i sends `pages[i]` to all others, or
  /// gets that many from all others; `before[i]`, or none, as for parts().
  std::vector<Chain> gather(const std::vector<std::int64_t> &pages,
                            const std::vector<std::int64_t> &before = {}) const;
  std::vector<Chain> reduce(const std::vector<std::int64_t> &pages,
                            const std::vector<std::int64_t> &before = {}) const;

private:
  const Collective &collective_;
  bool ring_ = false;
};

/// Bytes per cycle at which one core can send pages of its chip's memory: it
/// reads a packet at a time. What comes over a link, routers forward.
double senderPace(const FabricTime &fabric, const ChipGeometry &chip,
                  Space space, std::int64_t pageBytes);

/// The measured times of a collective's kind.
const ArchCollective &timesOf(const ArchEthernet &arch, CollectiveKind kind);

/// The times in cycles; `phases` is how often the collective goes through its
/// group.
struct Pace {
  double start, step, bytesPerCycle;
};
Pace paceOf(const FabricTime &fabric, CollectiveKind kind, bool ring);

/// A chain on its way.
struct Travel {
  const CollectiveGroup *group;
  const Chain *chain;
  double ready;      // when the next hop can begin
  double sender = 0; // bytes per cycle at which the chain starts; 0: any
  std::size_t at = chain->start;
  std::size_t sent = 0; // hops
  double end = 0;       // when what was sent has arrived

  bool done() const { return sent == chain->pages.size(); }
};

/// Sends chains over the links, hop by hop; links take messages in the order of
/// the calls.
class ChainSender {
public:
  ChainSender(FabricTime &fabric, const Collective &collective, bool ring,
              std::int64_t pageBytes);

  void sendNext(Travel &travel);
  /// All chains side by side, step by step; returns the time at which the last
  /// page arrives, at least `begin`.
  double sendBySteps(std::vector<Travel> travels, double begin);

private:
  FabricTime &fabric_;
  const Collective &collective_;
  const bool ring_;
  const std::int64_t pageBytes_;
  Pace pace_;
  double latency_;
};

} // namespace tt::runtime::collectives

#endif // TT_RUNTIME_COLLECTIVES_SCHEDULE_H
