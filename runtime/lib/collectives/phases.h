// The two phases of collectives on lines and rings: pages go from each chip to
// all others, or are combined at one. They move and combine data; sendChains()
// has their time.
#ifndef TT_RUNTIME_COLLECTIVES_PHASES_H
#define TT_RUNTIME_COLLECTIVES_PHASES_H

#include "collectives/pages.h"
#include "collectives/schedule.h"

namespace tt::runtime::collectives {

/// `at[k][i]` are the pages of slice i on member k. Slice i is on member i and
/// goes from chip to chip to all others; members without pages there pass it
/// on.
void spread(const Schedule &schedule,
            const std::vector<std::vector<Pages>> &at);

/// How pages are combined: `count` elements (tiles of 1024) of a type a page.
struct Combine {
  ReduceKind kind;
  numerics::DType type;
  std::int64_t count;
};

/// `at[k][i]` is what member k adds to slice i; the results go to `outs[i]` on
/// member i, which may be `at[i][i]`. Slices without pages there are left out.
void gatherSums(const Schedule &schedule, const Combine &combine,
                const std::vector<ChipPtr> &chips,
                const std::vector<std::vector<Pages>> &at,
                const std::vector<Pages> &outs);

/// Copies pages, if both are there.
void copyPages(const Pages &from, const Pages &to);

} // namespace tt::runtime::collectives

#endif // TT_RUNTIME_COLLECTIVES_PHASES_H
