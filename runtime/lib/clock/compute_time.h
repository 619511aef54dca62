// Cycles that compute instructions take on unpacker, math and packer.
#ifndef TT_RUNTIME_CLOCK_COMPUTE_TIME_H
#define TT_RUNTIME_CLOCK_COMPUTE_TIME_H

#include "clock/events.h"
#include "common/arch.h"

namespace tt::runtime::clock {

/// Cycles of an event on each engine; 0 where it has no part.
struct ComputeCycles {
  double unpack = 0, math = 0, pack = 0;
  double flops = 0;     // of the mathematical work
  bool product = false; // in phases of the multiplier
};

ComputeCycles computeCycles(const ArchData &arch, const Event &event,
                            const ComputeConfig &compute);

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_COMPUTE_TIME_H
