// Cycles that compute instructions take on unpacker, math and packer.
#ifndef TT_RUNTIME_EMULATOR_COMPUTE_TIME_H
#define TT_RUNTIME_EMULATOR_COMPUTE_TIME_H

#include "common/arch.h"
#include "emulator/events.h"

namespace tt::runtime::emulator {

/// Cycles of an event on each engine; 0 where it has no part.
struct ComputeCycles {
  double unpack = 0, math = 0, pack = 0;
};

/// `phases` of the multiplier: 1 (LoFi) to 4 (HiFi4).
ComputeCycles computeCycles(const ArchData &arch, const Event &event,
                            int phases);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_COMPUTE_TIME_H
