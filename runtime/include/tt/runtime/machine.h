// What pictures of a run need to know of an architecture: where its parts are
// on the die, and what they can do at most.
#ifndef TT_RUNTIME_MACHINE_H
#define TT_RUNTIME_MACHINE_H

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tt::runtime {

struct Machine {
  int gridY = 0, gridX = 0;        // cores for programs, logical
  int nocWidth = 0, nocHeight = 0; // routers
  // Columns and rows of the routers of the logical ones.
  std::vector<int> columns{}, rows{};
  std::vector<std::pair<int, int>> channels{}; // x and y of each DRAM channel's
  std::int64_t l1Size = 0, dramChannelSize = 0; // bytes
  double dramBytesPerSecond = 0;                // peak of the chip
  double nocBytesPerSecond = 0; // of both networks, to or from all cores
  // Matrix products of all cores at lofi, hifi2, hifi3 and hifi4.
  std::array<double, 4> flopsPerSecond{};
};

/// `arch` as a report names it; throws Error(Argument) for another name.
Machine getMachine(const std::string &arch);

} // namespace tt::runtime

#endif // TT_RUNTIME_MACHINE_H
