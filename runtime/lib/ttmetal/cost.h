// Costs of the commands of TTMetal programs.
#ifndef TT_RUNTIME_TTMETAL_COST_H
#define TT_RUNTIME_TTMETAL_COST_H

#include "collectives/collectives.h"
#include "emulator/fabric.h"
#include "emulator/launch.h"
#include "tt/runtime/report.h"
#include "ttmetal/program.h"

namespace tt::runtime::ttmetal {

/// A collective whose links took what `links` says: every chip reads its
/// operand and writes its result.
OpCost collectiveCost(const Layout &in, const Layout &out,
                      const ChipGeometry &chip,
                      const collectives::CollectiveCost &links,
                      std::size_t chips);

/// The cost of a program of kernels: bytes from what its threads did, times
/// from their replay. `result` has events, of all chips of the fabric if there
/// is one. With a trace, appends slices from cycle `start` on, at which the
/// program is dispatched.
OpCost launchCost(const emulator::Launch &launch,
                  const emulator::LaunchResult &result,
                  const ChipGeometry &chip, emulator::Fabric *fabric = nullptr,
                  Trace *trace = nullptr, double start = 0);

} // namespace tt::runtime::ttmetal

#endif // TT_RUNTIME_TTMETAL_COST_H
