#include "emulator/recorder.h"

#include <algorithm>

namespace tt::runtime::emulator {

CostRecorder::CostRecorder(OpenDevice &device, const std::string &program)
    : device_(device) {
  if (!device.reporting)
    return;
  const ChipGeometry &chip = device.chips.front()->geometry();
  const ArchData &arch = archData(chip.arch);
  report_.program = program;
  report_.arch = arch.name;
  report_.clockHz = arch.cost.clockHz;
  if (device.tracing)
    trace_ = std::make_shared<Trace>(*device.tracing);
  for (auto const &opened : device_.chips)
    for (Space space : {Space::L1, Space::Dram})
      opened->memory(space).allocator.restartHighWater();
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
}

Report CostRecorder::finish() {
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
