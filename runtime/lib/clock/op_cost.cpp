#include "clock/op_cost.h"

#include "common/operand_use.h"
#include "numerics/tiles.h"

#include <algorithm>
#include <utility>

namespace tt::runtime::clock {

void addDispatch(OpCost &cost, const ArchData &arch) {
  const double cycles = arch.cost.dispatchSeconds * arch.cost.clockHz;
  cost.parts.dispatch += cycles;
  cost.cycles += cycles;
}

void addReplay(OpCost &cost, ReplayResult result) {
  // Kernels begin behind the dispatch.
  for (KernelUse &kernel : result.kernels) {
    kernel.begin += cost.cycles;
    kernel.end += cost.cycles;
  }
  cost.cycles += result.cycles;
  cost.parts.compute += result.parts.compute;
  cost.parts.noc += result.parts.noc;
  cost.parts.dram += result.parts.dram;
  cost.parts.ethernet += result.parts.ethernet;
  cost.parts.waiting += result.parts.waiting;
  cost.cores = std::uint32_t(result.cores.size());
  cost.computeCycles = result.computeCycles;
  cost.memoryCycles = std::max(cost.memoryCycles, result.memoryCycles);
  cost.kernels = std::move(result.kernels);
  cost.coreUse = std::move(result.cores);
  cost.linkUse = std::move(result.links);
  cost.channelUse = std::move(result.channels);
  for (const EthernetUse &link : result.ethernet) {
    cost.ethernetBytes += link.bytes;
    cost.ethernetCycles = std::max(cost.ethernetCycles, link.busy);
  }
  cost.ethernetUse = std::move(result.ethernet);
}

void repeatUses(OpCost &cost, std::size_t chips) {
  const auto repeat = [&](auto &uses) {
    const auto own = uses;
    for (std::size_t i = 1; i < chips; ++i)
      for (auto use : own) {
        use.device = int(i);
        uses.push_back(use);
      }
  };
  repeat(cost.coreUse);
  repeat(cost.linkUse);
  repeat(cost.channelUse);
}

void addHost(OpCost &cost, const Layout &device, const ArchData &arch) {
  const bool sharded = device.placement == Placement::Sharded;
  const std::int64_t pages =
      device.tiled
          ? numerics::tilesFor(device.rows) * numerics::tilesFor(device.cols)
          : device.rows * (sharded ? device.shardsX : 1);
  addHost(cost, std::uint64_t(device.payloadBytes()), pages, arch);
}

void addHost(OpCost &cost, std::uint64_t bytes, std::int64_t pages,
             const ArchData &arch) {
  const double seconds = std::max(double(bytes) / arch.cost.pcieBytesPerSecond,
                                  double(pages) * arch.cost.hostPageSeconds);
  const double cycles = seconds * arch.cost.clockHz;
  cost.hostBytes += bytes;
  cost.memoryCycles = std::max(cost.memoryCycles, cycles);
  cost.parts.host += cycles;
  cost.cycles += cycles;
}

void addLinks(OpCost &cost, double cycles, std::vector<EthernetUse> use) {
  for (const EthernetUse &link : use) {
    cost.ethernetBytes += link.bytes;
    cost.ethernetCycles = std::max(cost.ethernetCycles, link.busy);
  }
  cost.ethernetUse = std::move(use);
  cost.parts.ethernet += cycles;
  cost.cycles += cycles;
}

void addIdeal(OpCost &cost, double flops, int phases, const ChipGeometry &chip,
              std::size_t chips) {
  const ArchCost &arch = archData(chip.arch).cost;
  constexpr double kDim = double(numerics::kTileDim);
  const double perCycle =
      phases ? 2 * kDim * kDim * kDim / (phases * arch.mvmulCyclesPerTilePhase)
             : kDim * kDim / arch.eltwiseCyclesPerTile;
  cost.flops = flops;
  cost.fidelity = fidelityName(phases);
  cost.idealComputeCycles =
      flops / (perCycle * double(chip.cores()) * double(chips));
  cost.idealMemoryCycles = double(cost.dramReadBytes + cost.dramWriteBytes) /
                           (arch.dramBytesPerSecond * double(chips)) *
                           arch.clockHz;
}

OpCost transferCost(const Layout &device, bool toDevice,
                    const ChipGeometry &chip, std::size_t chips) {
  OpCost cost;
  const ArchData &arch = archData(chip.arch);
  addDispatch(cost, arch);
  addHost(cost, device, arch);
  cost.phase = toDevice ? "upload" : "download";
  (toDevice ? cost.results : cost.operands).push_back(operandUse(device));
  cost.hostBytes *= chips;
  (device.space == Space::Dram
       ? toDevice ? cost.dramWriteBytes : cost.dramReadBytes
   : toDevice ? cost.l1WriteBytes
              : cost.l1ReadBytes) = cost.hostBytes;
  return cost;
}

OpCost copyCost(OpCost transfer, const ChipGeometry &chip) {
  const ArchCost &arch = archData(chip.arch).cost;
  OpCost cost = std::move(transfer);
  const std::uint64_t bytes = std::exchange(cost.hostBytes, 0);
  (cost.phase == "download" ? cost.dramWriteBytes : cost.dramReadBytes) +=
      bytes;
  cost.phase = "run";
  const double cycles = double(cost.dramReadBytes + cost.dramWriteBytes) /
                        arch.dramBytesPerSecond * arch.clockHz;
  cost.memoryCycles = cost.idealMemoryCycles = cycles;
  cost.cycles += cycles - cost.parts.host;
  cost.parts.host = 0;
  cost.parts.dram += cycles;
  return cost;
}

const char *fidelityName(int phases) {
  constexpr const char *kNames[] = {"", "lofi", "hifi2", "hifi3", "hifi4"};
  return kNames[std::clamp(phases, 0, 4)];
}

} // namespace tt::runtime::clock
