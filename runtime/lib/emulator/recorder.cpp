#include "emulator/recorder.h"

#include <algorithm>
#include <exception>
#include <map>
#include <tuple>
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

void CostRecorder::hold(MemoryUse use) {
  // A buffer may be listed several times.
  for (const MemoryUse &other : holding_)
    if (other.device == use.device && other.address == use.address &&
        other.y0 == use.y0 && other.x0 == use.x0)
      return;
  holding_.push_back(std::move(use));
}

/// Bytes that the step to come holds in the L1 of the core that has most.
std::uint64_t CostRecorder::mostHeld() const {
  std::map<std::tuple<int, int, int>, std::uint64_t> held;
  std::uint64_t most = 0;
  for (const MemoryUse &use : holding_)
    for (int y = use.y0; y <= use.y1; ++y)
      for (int x = use.x0; x <= use.x1; ++x)
        most = std::max(most, held[{use.device, y, x}] += use.bytes);
  return most;
}

void CostRecorder::add(OpCost cost) {
  for (const EthernetUse &use : cost.ethernetUse)
    addLink(use);
  const std::uint64_t buffers = mostHeld();
  for (auto const &chip : device_.chips) {
    if (buffers)
      cost.l1HighWater = std::max(
          cost.l1HighWater,
          buffers + std::uint64_t(chip->memory(Space::L1).allocator.used()));
    cost.l1HighWater =
        std::max(cost.l1HighWater,
                 std::uint64_t(chip->memory(Space::L1).allocator.highWater()));
    cost.dramHighWater = std::max(
        cost.dramHighWater,
        std::uint64_t(chip->memory(Space::Dram).allocator.highWater()));
  }
  cost.start = report_.cycles;
  report_.cycles += cost.cycles;
  for (MemoryUse &use : holding_) {
    use.begin = cost.start + cost.parts.dispatch;
    use.end = report_.cycles;
    report_.memory.push_back(std::move(use));
  }
  holding_.clear();
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

} // namespace tt::runtime::emulator
