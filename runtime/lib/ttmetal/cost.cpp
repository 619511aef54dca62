#include "ttmetal/cost.h"

#include "emulator/noc.h"
#include "emulator/recorder.h"

#include <set>

namespace tt::runtime::ttmetal {

using emulator::EventKind;

OpCost transferCost(const Layout &device, bool toDevice,
                    const ChipGeometry &chip) {
  OpCost cost;
  const auto bytes = std::uint64_t(device.payloadBytes());
  cost.hostBytes = bytes;
  if (device.space == Space::Dram)
    (toDevice ? cost.dramWriteBytes : cost.dramReadBytes) = bytes;
  else
    (toDevice ? cost.l1WriteBytes : cost.l1ReadBytes) = bytes;
  emulator::modelTime(cost, archData(chip.arch).cost);
  return cost;
}

OpCost launchCost(const emulator::Launch &launch,
                  const emulator::LaunchResult &result,
                  const ChipGeometry &chip) {
  OpCost cost;
  const emulator::NocMap map(chip);
  const auto isDram = [&](emulator::NocPoint point) {
    return map.at(point.x, point.y).kind == emulator::NocMap::Node::Dram;
  };
  for (const emulator::ThreadEvents &thread : result.events)
    for (const emulator::Event &event : thread.events)
      switch (event.kind) {
      case EventKind::NocRead:
        (isDram(event.remote) ? cost.dramReadBytes : cost.l1ReadBytes) +=
            event.bytes;
        cost.l1WriteBytes += event.bytes;
        cost.nocBytes += event.bytes;
        break;
      case EventKind::NocWrite:
        (isDram(event.remote) ? cost.dramWriteBytes : cost.l1WriteBytes) +=
            event.bytes;
        cost.l1ReadBytes += event.bytes;
        cost.nocBytes += event.bytes;
        break;
      case EventKind::NocMulticast:
        cost.l1ReadBytes += event.bytes;
        cost.l1WriteBytes += std::uint64_t(event.bytes) * event.count;
        cost.nocBytes += std::uint64_t(event.bytes) * event.count;
        break;
      default:
        break;
      }
  std::set<std::pair<std::int64_t, std::int64_t>> cores;
  for (const emulator::Kernel &kernel : launch.kernels)
    for (const emulator::CoreRange &range : kernel.cores)
      for (std::int64_t i = 0; i < range.height * range.width; ++i)
        cores.insert({range.y + i / range.width, range.x + i % range.width});
  cost.cores = std::uint32_t(cores.size());
  emulator::modelTime(cost, archData(chip.arch).cost);
  return cost;
}

} // namespace tt::runtime::ttmetal
