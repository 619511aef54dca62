#include "ttmetal/cost.h"

#include "emulator/noc.h"
#include "emulator/recorder.h"
#include "emulator/replay.h"

#include <algorithm>

namespace tt::runtime::ttmetal {

using emulator::EventKind;

OpCost transferCost(const Layout &device, bool toDevice,
                    const ChipGeometry &chip, std::size_t chips) {
  OpCost cost;
  const auto bytes = std::uint64_t(device.payloadBytes());
  cost.hostBytes = bytes;
  if (device.space == Space::Dram)
    (toDevice ? cost.dramWriteBytes : cost.dramReadBytes) = bytes;
  else
    (toDevice ? cost.l1WriteBytes : cost.l1ReadBytes) = bytes;
  const std::int64_t page = device.tiled ? numerics::tileBytes(device.type)
                                         : device.cols * device.elementSize();
  emulator::modelTime(cost, archData(chip.arch).cost,
                      double(bytes) / double(page));
  for (std::uint64_t *all :
       {&cost.hostBytes, &cost.dramWriteBytes, &cost.dramReadBytes,
        &cost.l1WriteBytes, &cost.l1ReadBytes})
    *all *= chips;
  return cost;
}

OpCost collectiveCost(const Layout &in, const Layout &out,
                      const ChipGeometry &chip, std::size_t chips) {
  OpCost cost;
  (in.space == Space::Dram ? cost.dramReadBytes : cost.l1ReadBytes) +=
      std::uint64_t(in.payloadBytes());
  (out.space == Space::Dram ? cost.dramWriteBytes : cost.l1WriteBytes) +=
      std::uint64_t(out.payloadBytes());
  cost.cores = std::uint32_t(chip.gridY * chip.gridX);
  emulator::modelTime(cost, archData(chip.arch).cost);
  for (std::uint64_t *all : {&cost.dramReadBytes, &cost.dramWriteBytes,
                             &cost.l1ReadBytes, &cost.l1WriteBytes})
    *all *= chips;
  return cost;
}

OpCost launchCost(const emulator::Launch &launch,
                  const emulator::LaunchResult &result,
                  const ChipGeometry &chip, emulator::Fabric *fabric,
                  Trace *trace, double start) {
  OpCost cost;
  std::vector<emulator::NocMap> maps;
  if (!fabric)
    maps.emplace_back(chip);
  for (std::uint32_t i = 0; fabric && i < fabric->positions(); ++i)
    maps.emplace_back(fabric->chip(i)->geometry());
  for (const emulator::ThreadEvents &thread : result.events) {
    const auto isDram = [&](emulator::NocPoint point,
                            std::uint32_t device = ~0u) {
      const auto &map = maps[device == ~0u ? thread.device : device];
      return map.at(point.x, point.y).kind == emulator::NocMap::Node::Dram;
    };
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
      case EventKind::FabricWrite:
        (isDram(event.remote, event.device) ? cost.dramWriteBytes
                                            : cost.l1WriteBytes) += event.bytes;
        cost.l1ReadBytes += event.bytes;
        cost.nocBytes += event.bytes;
        break;
      default:
        break;
      }
  }
  const ArchCost &data = archData(chip.arch).cost;
  cost.parts.dispatch = data.dispatchSeconds * data.clockHz;
  start += cost.parts.dispatch;
  emulator::LaunchTime time =
      fabric ? emulator::replay(launch, result, *fabric, trace, start)
             : emulator::replay(launch, result, chip, trace, start);
  cost.cores = std::uint32_t(time.cores.size());
  cost.computeCycles = time.computeCycles;
  cost.memoryCycles = time.memoryCycles;
  cost.parts.waiting = time.cycles;
  cost.cycles = cost.parts.dispatch + time.cycles;
  cost.coreUse = std::move(time.cores);
  cost.linkUse = std::move(time.links);
  cost.channelUse = std::move(time.channels);
  for (const EthernetUse &link : time.ethernet) {
    cost.ethernetBytes += link.bytes;
    cost.ethernetCycles = std::max(cost.ethernetCycles, link.busy);
  }
  cost.ethernetUse = std::move(time.ethernet);
  return cost;
}

} // namespace tt::runtime::ttmetal
