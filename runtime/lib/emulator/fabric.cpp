#include "emulator/fabric.h"

#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::emulator {

namespace {

/// Lines of packets through the SRAM of a core that work at the same time.
constexpr std::int64_t kLanes = 16;

/// Their ids; all chips are of one architecture.
std::vector<std::uint32_t>
idsOf(const std::vector<std::shared_ptr<Chip>> &chips) {
  std::vector<std::uint32_t> ids;
  for (const auto &chip : chips) {
    if (chip->geometry().arch != chips.front()->geometry().arch)
      raise(ErrorCategory::Unsupported, "expected chips of one architecture");
    ids.push_back(chip->id());
  }
  return ids;
}

::tt::target::Arch archOf(const std::vector<std::shared_ptr<Chip>> &chips) {
  return chips.empty() ? ChipGeometry().arch : chips.front()->geometry().arch;
}

} // namespace

Fabric::Fabric(SystemDesc desc, Chips chips,
               std::vector<std::uint32_t> meshShape)
    : FabricTime(std::move(desc), archOf(chips), idsOf(chips),
                 std::move(meshShape)),
      chips_(std::move(chips)) {}

Fabric::~Fabric() = default;

std::byte *Fabric::sram(const FabricHop &hop) {
  std::unique_ptr<Arena> &sram = srams_[{hop.from, hop.to}];
  if (!sram)
    sram = std::make_unique<Arena>(1, arch().ethernet.sramBytes);
  return sram->base() + arch().chip.eriscL1UnreservedBase;
}

void Fabric::move(std::uint32_t from, std::uint32_t to,
                  std::span<std::byte *const> sources,
                  std::span<std::byte *const> targets, std::int64_t bytes,
                  FabricWay way) {
  const std::vector<FabricHop> hops = route(from, to, way);
  const auto count = std::int64_t(sources.size());
  if (hops.size() <= 1) {
    numerics::parallelFor(0, count, numerics::grainFor(bytes),
                          [&](std::int64_t first, std::int64_t last) {
                            for (std::int64_t i = first; i < last; ++i)
                              std::memmove(targets[std::size_t(i)],
                                           sources[std::size_t(i)],
                                           std::size_t(bytes));
                          });
    return;
  }
  // The core that receives, on each chip of the route.
  std::vector<std::byte *> cores;
  for (std::size_t i = 0; i + 1 < hops.size(); ++i)
    cores.push_back(sram(hops[i]));
  const std::int64_t packet = arch().ethernet.packetBytes;
  const std::int64_t lanes =
      count > numerics::grainFor(bytes) ? std::min(count, kLanes) : 1;
  numerics::parallelFor(
      0, lanes, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t lane = first; lane < last; ++lane)
          for (std::int64_t i = count * lane / lanes;
               i < count * (lane + 1) / lanes; ++i)
            for (std::int64_t at = 0; at < bytes; at += packet) {
              const auto size = std::size_t(std::min(packet, bytes - at));
              const std::byte *held = sources[std::size_t(i)] + at;
              for (std::byte *core : cores)
                held = static_cast<std::byte *>(
                    std::memcpy(core + lane * packet, held, size));
              std::memcpy(targets[std::size_t(i)] + at, held, size);
            }
      });
}

} // namespace tt::runtime::emulator
