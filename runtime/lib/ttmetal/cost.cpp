#include "ttmetal/cost.h"

#include "clock/op_cost.h"
#include "common/operand_use.h"
#include "emulator/replay_launch.h"

namespace tt::runtime::ttmetal {

OpCost collectiveCost(const Layout &in, const Layout &out,
                      const ChipGeometry &chip,
                      const collectives::CollectiveCost &links,
                      std::size_t chips) {
  OpCost cost;
  (in.space == Space::Dram ? cost.dramReadBytes : cost.l1ReadBytes) =
      std::uint64_t(in.payloadBytes()) * chips;
  (out.space == Space::Dram ? cost.dramWriteBytes : cost.l1WriteBytes) =
      std::uint64_t(out.payloadBytes()) * chips;
  cost.operands.push_back(operandUse(in));
  cost.results.push_back(operandUse(out));
  clock::addDispatch(cost, archData(chip.arch));
  clock::addLinks(cost, links.cycles, links.use);
  return cost;
}

OpCost launchCost(const emulator::Launch &launch,
                  const emulator::LaunchResult &result,
                  const ChipGeometry &chip, emulator::Fabric *fabric,
                  Trace *trace, double start) {
  OpCost cost;
  clock::addDispatch(cost, archData(chip.arch));
  start += cost.cycles;
  clock::ReplayResult time =
      fabric ? emulator::replay(launch, result, *fabric, trace, start)
             : emulator::replay(launch, result, chip, trace, start);
  cost.dramReadBytes = time.traffic.dramRead;
  cost.dramWriteBytes = time.traffic.dramWrite;
  cost.l1ReadBytes = time.traffic.l1Read;
  cost.l1WriteBytes = time.traffic.l1Write;
  cost.nocBytes = time.traffic.noc;
  const double flops = time.flops;
  const int phases = time.phases;
  clock::addReplay(cost, std::move(time));
  clock::addIdeal(cost, flops, phases, chip, fabric ? fabric->positions() : 1);
  return cost;
}

} // namespace tt::runtime::ttmetal
