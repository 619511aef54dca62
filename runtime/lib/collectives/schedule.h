// Which chips pass a collective's pages to which, and when.
#ifndef TT_RUNTIME_COLLECTIVES_SCHEDULE_H
#define TT_RUNTIME_COLLECTIVES_SCHEDULE_H

#include "common/arch.h"
#include "common/collective.h"
#include "emulator/fabric.h"

#include <vector>

namespace tt::runtime::collectives {

/// How far a slice is from its owner: chips on either side of it in the order
/// of the group, around the ring where it is one. On a ring of an even number
/// of chips the chip opposite is one of either side: half of the pages go there
/// one way and half the other way.
struct Reach {
  std::uint32_t before, behind;
};

/// Pages [first, last) of a slice that travel alike.
struct Part {
  std::int64_t first, last;
  Reach reach;
};

/// The way of pages along a group: `pages[k]` on hop k from member `start` on,
/// in the order of the group or against it.
struct Chain {
  std::uint32_t start;
  bool forward;
  std::uint32_t firstStep; // of the hops; those of one step leave at once
  std::vector<std::int64_t> pages;
};

/// What a collective on lines or rings needs of a fabric. Throws
/// Error(SystemMismatch) where a link is missing.
class Schedule {
public:
  Schedule(const Collective &collective, const emulator::Fabric &fabric);

  bool ring() const { return ring_; }
  /// Cuts the `pages` of the slice of a member to parts; empty ones are left
  /// out.
  std::vector<Part> parts(std::uint32_t member, std::uint32_t size,
                          std::int64_t pages) const;

  /// The chains of a group whose member i sends `pages[i]` to all others, or
  /// gets that many from all others.
  std::vector<Chain> gather(const std::vector<std::int64_t> &pages) const;
  std::vector<Chain> reduce(const std::vector<std::int64_t> &pages) const;

private:
  const Collective &collective_;
  bool ring_ = false;
};

/// Sends the chains of all groups over the links, from `begin` on; returns when
/// the last page is there.
double sendChains(emulator::Fabric &fabric, const Collective &collective,
                  bool ring, const std::vector<std::vector<Chain>> &chains,
                  std::int64_t pageBytes, double begin);

/// The measured times of a collective's kind.
const ArchCollective &timesOf(const ArchEthernet &arch, CollectiveKind kind);

/// The times in cycles; `phases` is how often the collective crosses its group.
struct Pace {
  double start, step, bytesPerCycle;
};
Pace paceOf(const emulator::Fabric &fabric, CollectiveKind kind, bool ring);

} // namespace tt::runtime::collectives

#endif // TT_RUNTIME_COLLECTIVES_SCHEDULE_H
