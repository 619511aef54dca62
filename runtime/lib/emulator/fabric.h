// The Ethernet links between the chips of a mesh, with the memories that they
// join: data moves from the memory of one chip to that of another, hop by hop.
// On the chips between, it is in the SRAM of their Ethernet cores, one packet
// at a time.
#ifndef TT_RUNTIME_EMULATOR_FABRIC_H
#define TT_RUNTIME_EMULATOR_FABRIC_H

#include "clock/fabric_time.h"
#include "emulator/machine.h"

#include <map>
#include <memory>
#include <span>
#include <vector>

namespace tt::runtime::emulator {

using clock::FabricHop;
using clock::FabricLink;
using clock::FabricWay;

class Fabric : public clock::FabricTime {
public:
  /// `chips` by position. Throws Error(Argument) unless there is one for each
  /// position of the mesh and none is there twice.
  Fabric(SystemDesc desc, Chips chips, std::vector<std::uint32_t> meshShape);
  ~Fabric();

  const std::shared_ptr<Chip> &chip(std::uint32_t position) const {
    return chips_[position];
  }

  const Ownership &ownership() const { return chips_.ownership; }

  /// Moves data from the memory of one chip to that of another: `bytes` of each
  /// source to its target. Accounts nothing. Multi-threaded.
  void move(std::uint32_t from, std::uint32_t to,
            std::span<std::byte *const> sources,
            std::span<std::byte *const> targets, std::int64_t bytes,
            FabricWay way = {});
  void move(std::uint32_t from, std::uint32_t to, std::byte *source,
            std::byte *target, std::int64_t bytes) {
    move(from, to, {&source, 1}, {&target, 1}, bytes);
  }

private:
  /// Of the core that receives from a neighbour; made at first use.
  std::byte *sram(const FabricHop &hop);

  Chips chips_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::unique_ptr<Arena>>
      srams_; // by hop
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_FABRIC_H
