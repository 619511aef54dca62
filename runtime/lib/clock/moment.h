// A time, with what the path that led to it was spent on.
#ifndef TT_RUNTIME_CLOCK_MOMENT_H
#define TT_RUNTIME_CLOCK_MOMENT_H

#include "tt/runtime/report.h"

#include <array>
#include <cstdint>

namespace tt::runtime::clock {

enum class Part : std::uint8_t { Compute, Noc, Dram, Ethernet };

struct Moment {
  double time = 0;
  std::array<double, 4> parts{}; // cycles by Part; the rest is waiting

  void spend(Part part, double cycles) {
    time += cycles;
    parts[std::size_t(part)] += cycles;
  }
  Moment after(Part part, double cycles) const {
    Moment result = *this;
    result.spend(part, cycles);
    return result;
  }
  /// Waits for another path, whose parts count from then on.
  void await(const Moment &other) {
    if (other.time > time)
      *this = other;
  }

  TimeParts timeParts() const {
    TimeParts result;
    result.compute = parts[0];
    result.noc = parts[1];
    result.dram = parts[2];
    result.ethernet = parts[3];
    result.waiting = time - parts[0] - parts[1] - parts[2] - parts[3];
    return result;
  }
};

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_MOMENT_H
