// The operations behind collectives::run(), one function each.
#ifndef TT_RUNTIME_COLLECTIVES_OPERATIONS_H
#define TT_RUNTIME_COLLECTIVES_OPERATIONS_H

#include "collectives/pages.h"
#include "common/collective.h"
#include "emulator/fabric.h"

namespace tt::runtime::collectives {

/// Operands of a run, by position: `ins` in wire form and `targets` where the
/// results are made, in wire form with the type and tiles of `ins`.
struct Operands {
  const Collective &collective;
  emulator::Fabric &fabric;
  std::vector<TensorPtr> ins, targets;

  const ChipPtr &chip(std::uint32_t position) const {
    return fabric.chip(position);
  }
};

// Each returns the cycles from start to end.
double allGather(const Operands &operands);
double reduceScatter(const Operands &operands);
double allReduce(const Operands &operands);
double permute(const Operands &operands);
double partition(const Operands &operands);
double allToAll(const Operands &operands);
double broadcast(const Operands &operands);

} // namespace tt::runtime::collectives

#endif // TT_RUNTIME_COLLECTIVES_OPERATIONS_H
