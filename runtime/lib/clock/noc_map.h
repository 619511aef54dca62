// Who is where on the network on chip.
#ifndef TT_RUNTIME_CLOCK_NOC_MAP_H
#define TT_RUNTIME_CLOCK_NOC_MAP_H

#include "common/layout.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tt::runtime::clock {

inline constexpr std::uint32_t kNocSide = 64; // coordinates are below

/// The node at each pair of coordinates; the same on both networks.
class NocMap {
public:
  NocMap() { nodes_.fill(kNobody); }
  /// Throws Error(Unsupported) for coordinates of 64 and more.
  explicit NocMap(const ChipGeometry &geometry);

  struct Node {
    enum Kind { Nobody, Worker, Dram } kind;
    std::uint32_t index; // row-major worker, or channel
  };
  Node at(std::uint32_t x, std::uint32_t y) const {
    const std::int16_t node = nodes_[y * kNocSide + x];
    if (node >= 0)
      return {Node::Worker, std::uint32_t(node)};
    if (node == kNobody)
      return {Node::Nobody, 0};
    return {Node::Dram, std::uint32_t(-2 - node)};
  }
  NocCoord worker(std::uint32_t index) const { return workers_[index]; }
  NocCoord channel(std::uint32_t index) const { return channels_[index]; }
  std::uint32_t channels() const { return std::uint32_t(channels_.size()); }

private:
  static constexpr std::int16_t kNobody = -1;
  std::array<std::int16_t, kNocSide * kNocSide> nodes_;
  std::vector<NocCoord> workers_, channels_;
};

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_NOC_MAP_H
