// The time of all_gather, reduce_scatter and all_reduce.
#ifndef TT_RUNTIME_COLLECTIVES_LINEAR_TIME_H
#define TT_RUNTIME_COLLECTIVES_LINEAR_TIME_H

#include "collectives/pages.h"
#include "collectives/schedule.h"

#include <vector>

namespace tt::runtime::collectives {

/// The pages that each member of a group has to send, or gets.
struct PagesOfMembers {
  std::vector<std::int64_t> counts;
  std::int64_t bytes; // of a page
  Space space;        // where they are sent from
};

/// When the operand of a collective is complete: `slices` equal parts, one
/// after another in cycles [begin, end), or all of it at 0.
struct OperandTime {
  std::uint32_t slices = 1;
  double begin = 0, end = 0;

  double readyAt(std::uint32_t slice) const {
    return begin + (end - begin) * double(slice + 1) / double(slices);
  }
  bool operator==(const OperandTime &) const = default;
};

bool isLinear(CollectiveKind kind);

/// The cycle at which a linear collective of tensors in wire form ends, if the
/// clocks of the fabric start at 0. Throws Error(SystemMismatch) if a link is
/// missing.
double linearCycles(const Collective &collective, FabricTime &fabric,
                    const ChipGeometry &chip, const Layout &in,
                    const Layout &out, const OperandTime &operand);

} // namespace tt::runtime::collectives

#endif // TT_RUNTIME_COLLECTIVES_LINEAR_TIME_H
