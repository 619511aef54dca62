// Costs of the commands of TTMetal programs.
#ifndef TT_RUNTIME_TTMETAL_COST_H
#define TT_RUNTIME_TTMETAL_COST_H

#include "emulator/launch.h"
#include "emulator/trace.h"
#include "tt/runtime/report.h"
#include "ttmetal/program.h"

namespace tt::runtime::ttmetal {

/// A copy between the host and a tensor of the device.
OpCost transferCost(const Layout &device, bool toDevice,
                    const ChipGeometry &chip);

/// A program of kernels: bytes from what its threads did, times from their
/// replay. `result` has events. With a trace, appends slices from cycle `start`
/// on, at which the program is dispatched.
OpCost launchCost(const emulator::Launch &launch,
                  const emulator::LaunchResult &result,
                  const ChipGeometry &chip, emulator::Trace *trace = nullptr,
                  double start = 0);

} // namespace tt::runtime::ttmetal

#endif // TT_RUNTIME_TTMETAL_COST_H
