#include "emulator/recorder.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace tt::runtime::emulator {

CostRecorder::CostRecorder(OpenDevice &device, const std::string &program)
    : device_(device), open_(device.reporting) {
  if (!open_)
    return;
  const ChipGeometry &chip = device.chips.front()->geometry();
  const ArchData &arch = archData(chip.arch);
  report_.program = program;
  report_.arch = arch.name;
  report_.workerCores = std::uint32_t(chip.gridY * chip.gridX);
  report_.clockHz = arch.cost.clockHz;
  if (device.tracing)
    trace_ = std::make_shared<Trace>(*device.tracing);
  for (auto const &opened : device_.chips)
    for (Space space : {Space::L1, Space::Dram}) {
      opened->memory(space).allocator.restartHighWater();
      opened->memory(space).allocator.startRecording();
    }
}

CostRecorder::~CostRecorder() {
  if (!open_)
    return;
  try {
    device_.report = finish();
  } catch (const std::exception &) {
    // Whatever failed is on its way to the caller.
  }
}

/// Moves what the allocators recorded to the report.
void CostRecorder::addMemory() {
  const ChipGeometry &chip = device_.chips.front()->geometry();
  for (std::size_t i = 0; i < device_.chips.size(); ++i)
    for (Space space : {Space::L1, Space::Dram}) {
      const char *name = space == Space::L1 ? "l1" : "dram";
      Holdings found =
          device_.chips[i]->memory(space).allocator.stopRecording();
      for (Holding &held : found.blocks) {
        MemoryUse use{.device = int(i),
                      .space = name,
                      .address = std::uint64_t(held.address),
                      .bytes = std::uint64_t(held.bytes),
                      .name = std::move(held.owner),
                      .begin = held.begin,
                      .end = held.end};
        // Blocks of L1 are those of all cores.
        if (space == Space::L1) {
          use.y1 = int(chip.gridY) - 1;
          use.x1 = int(chip.gridX) - 1;
        }
        report_.memory.push_back(std::move(use));
      }
      if (found.failed)
        report_.failed = MemoryRequest{
            .device = int(i),
            .space = name,
            .bytes = std::uint64_t(found.failed->bytes),
            .name = found.failed->owner,
            .available = std::uint64_t(found.failed->available),
            .largestFree = std::uint64_t(found.failed->largestFree)};
    }
}

void CostRecorder::addLink(const EthernetUse &use) {
  report_.ethernetBytes += use.bytes;
  for (EthernetUse &sum : report_.ethernetUse)
    if (sum.link == use.link && sum.fromChip == use.fromChip) {
      sum.bytes += use.bytes;
      sum.wireBytes += use.wireBytes;
      sum.packets += use.packets;
      sum.busy += use.busy;
      return;
    }
  report_.ethernetUse.push_back(use);
}

void CostRecorder::add(OpCost cost) {
  for (const EthernetUse &use : cost.ethernetUse)
    addLink(use);
  for (auto const &chip : device_.chips) {
    cost.l1HighWater =
        std::max(cost.l1HighWater,
                 std::uint64_t(chip->memory(Space::L1).allocator.highWater()));
    cost.dramHighWater = std::max(
        cost.dramHighWater,
        std::uint64_t(chip->memory(Space::Dram).allocator.highWater()));
  }
  cost.start = report_.cycles;
  report_.cycles += cost.cycles;
  report_.l1HighWater = std::max(report_.l1HighWater, cost.l1HighWater);
  report_.dramHighWater = std::max(report_.dramHighWater, cost.dramHighWater);
  report_.ops.push_back(std::move(cost));
  for (auto const &chip : device_.chips)
    for (Space space : {Space::L1, Space::Dram})
      chip->memory(space).allocator.advance(report_.cycles);
}

Report CostRecorder::finish() {
  if (std::exchange(open_, false))
    addMemory();
  report_.seconds = report_.clockHz > 0 ? report_.cycles / report_.clockHz : 0;
  if (trace_)
    trace_->finish(report_);
  report_.trace = std::move(trace_);
  return std::move(report_);
}

void modelTime(OpCost &cost, const ArchCost &data, double hostPages) {
  const double perSecond = data.clockHz;
  const double dram = double(cost.dramReadBytes + cost.dramWriteBytes) /
                      data.dramBytesPerSecond * perSecond;
  const double noc =
      double(cost.nocBytes) /
      (data.nocBytesPerCycle * double(std::max<std::uint32_t>(1, cost.cores)));
  const double pcie = std::max(double(cost.hostBytes) / data.pcieBytesPerSecond,
                               hostPages * data.hostPageSeconds) *
                      perSecond;
  // A host transfer is bound by PCIe and not by one core's network port.
  cost.memoryCycles =
      cost.hostBytes ? std::max(dram, pcie) : std::max(dram, noc);
  cost.parts.dispatch = data.dispatchSeconds * perSecond;
  const double work = std::max(cost.computeCycles, cost.memoryCycles);
  (cost.computeCycles >= cost.memoryCycles ? cost.parts.compute
   : cost.hostBytes                        ? cost.parts.host
   : dram >= noc                           ? cost.parts.dram
                                           : cost.parts.noc) = work;
  cost.cycles = cost.parts.dispatch + work;
}

} // namespace tt::runtime::emulator
