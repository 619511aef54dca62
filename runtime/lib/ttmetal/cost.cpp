#include "ttmetal/cost.h"

#include "emulator/noc.h"
#include "emulator/recorder.h"
#include "emulator/replay.h"

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
                  const ChipGeometry &chip, emulator::Trace *trace,
                  double start) {
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
  const ArchCost &data = archData(chip.arch).cost;
  cost.dispatchCycles = data.dispatchSeconds * data.clockHz;
  emulator::LaunchTime time = emulator::replay(launch, result, chip, trace,
                                               start + cost.dispatchCycles);
  cost.cores = std::uint32_t(time.cores.size());
  cost.computeCycles = time.computeCycles;
  cost.memoryCycles = time.memoryCycles;
  cost.cycles = cost.dispatchCycles + time.cycles;
  cost.coreUse = std::move(time.cores);
  cost.linkUse = std::move(time.links);
  cost.channelUse = std::move(time.channels);
  return cost;
}

} // namespace tt::runtime::ttmetal
