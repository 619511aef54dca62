// The operations behind collectives::run(), one function each.
#ifndef TT_RUNTIME_COLLECTIVES_OPERATIONS_H
#define TT_RUNTIME_COLLECTIVES_OPERATIONS_H

#include "collectives/pages.h"
#include "common/collective.h"
#include "emulator/fabric.h"

namespace tt::runtime::collectives {

/// Brings pages of chips of other ranks to this one, and those of its own to
/// others: all of a collective in one exchange.
class PageExchange {
public:
  explicit PageExchange(const emulator::Fabric &fabric);

  /// Rank `to` needs pages of the chip at position `from`. There, run() makes
  /// `pages` those that have arrived, which live as long as this object. All
  /// ranks call it in the same order.
  void bring(Pages &pages, std::uint32_t from, std::uint32_t to);
  /// The same for each rank but `from`'s that has one of the positions.
  void bringTo(Pages &pages, std::uint32_t from,
               const CollectiveGroup &positions);
  void run(CollectiveKind kind);

private:
  const emulator::Ownership &ownership_;
  std::vector<std::string> messages_;          // by rank: to it, then from it
  std::vector<std::vector<Pages *>> expected_; // by rank that sends them
};

/// Operands of a run, by position: `ins` in wire form and `targets` where the
/// results are made, in wire form with the type and tiles of `ins`.
struct Operands {
  const Collective &collective;
  emulator::Fabric &fabric;
  std::vector<TensorPtr> ins, targets;

  const ChipPtr &chip(std::uint32_t position) const {
    return fabric.chip(position);
  }
  /// Whether this rank has the chip, and so moves its data. Times are those of
  /// all chips on every rank.
  bool isLocal(std::uint32_t position) const {
    return fabric.ownership().isLocal(position);
  }
};

void allGather(const Operands &operands);
void reduceScatter(const Operands &operands);
void allReduce(const Operands &operands);
// Each returns the cycles from start to end.
double permute(const Operands &operands);
double partition(const Operands &operands);
double allToAll(const Operands &operands);
double broadcast(const Operands &operands);

} // namespace tt::runtime::collectives

#endif // TT_RUNTIME_COLLECTIVES_OPERATIONS_H
