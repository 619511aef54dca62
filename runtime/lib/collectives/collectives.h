// Collective operations between the chips of a mesh, link by link.
//
// Chips pass pages of their tensors (tiles, rows) to neighbours in the format
// of the tensor, block floats with their exponents. all_gather,
// reduce_scatter and all_reduce work on a line of chips or on a ring, where
// each direction carries half; the others send along the routes of the fabric.
//
// Bytes over the busiest link in one direction, N chips in a group, T bytes of
// the gathered or reduced tensor:
//   all_gather, reduce_scatter   (N-1)/N T on a line, half of it on a ring
//   all_reduce                   T on a line, (N-1)/N T on a ring
//   all_to_all                   floor(N/2) ceil(N/2)/N of a chip's tensor on a
//                                line
//
// Order of a reduction of slice j: xj, plus the sum of the chips before j,
// nearest last, ((x0 + x1) + ..) + x(j-1), plus the sum of the chips behind,
// (x(N-1) + x(N-2)) + .. + x(j+1). A partial sum is rounded to the tensor's
// format each time a chip sends it; chip j adds the three in f32, divides by N
// for a mean, and rounds once. All chips get the same bits of an all_reduce,
// which cuts the tensor into N ranges of whole pages.
#ifndef TT_RUNTIME_COLLECTIVES_COLLECTIVES_H
#define TT_RUNTIME_COLLECTIVES_COLLECTIVES_H

#include "collectives/linear_time.h"
#include "common/collective.h"
#include "emulator/fabric.h"
#include "emulator/tensor.h"
#include "tt/runtime/report.h"

#include <vector>

namespace tt::runtime::collectives {

/// The traffic of a collective on the links, for a report.
struct CollectiveCost {
  // From start to end; behind a product that makes the operand meanwhile, what
  // is left after it.
  double cycles = 0;
  std::uint64_t bytes = 0;      // payload, each once per hop
  std::vector<EthernetUse> use; // by link and direction
};

/// Runs a collective on checked operands: `ins` and `outs` by position, all on
/// the device, with the shapes that checkStep() accepts. `outs` may share
/// memory with `ins`; layouts of the two may differ. Restarts the clocks of the
/// fabric. `operand` is its time on these clocks, of linear collectives.
/// Throws Error(SystemMismatch) where a link is missing, Error(OutOfMemory) if
/// temporary pages do not fit.
CollectiveCost run(const Collective &collective, emulator::Fabric &fabric,
                   const std::vector<emulator::TensorPtr> &ins,
                   const std::vector<emulator::TensorPtr> &outs,
                   const OperandTime &operand = {});

/// The cost of a linear collective of tensors with these layouts on all chips,
/// without them.
CollectiveCost estimate(const Collective &collective, FabricTime &fabric,
                        const ChipGeometry &chip, const Layout &in,
                        const Layout &out, const OperandTime &operand);

} // namespace tt::runtime::collectives

#endif // TT_RUNTIME_COLLECTIVES_COLLECTIVES_H
