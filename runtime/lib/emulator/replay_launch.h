// What a launch took: the clock's replay of what its threads did.
#ifndef TT_RUNTIME_EMULATOR_REPLAY_LAUNCH_H
#define TT_RUNTIME_EMULATOR_REPLAY_LAUNCH_H

#include "clock/replay.h"
#include "emulator/fabric.h"
#include "emulator/launch.h"

namespace tt::runtime::emulator {

/// `result` has events. With a trace, appends slices from cycle `start` on.
clock::ReplayResult replay(const Launch &launch, const LaunchResult &result,
                           const ChipGeometry &geometry, Trace *trace = nullptr,
                           double start = 0);
/// Of a run on all chips of the fabric, whose clocks and counts start anew.
clock::ReplayResult replay(const Launch &launch, const LaunchResult &result,
                           Fabric &fabric, Trace *trace = nullptr,
                           double start = 0);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_REPLAY_LAUNCH_H
