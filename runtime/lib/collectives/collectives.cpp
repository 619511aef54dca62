#include "collectives/collectives.h"

#include "collectives/operations.h"

#include <algorithm>

namespace tt::runtime::collectives {

using emulator::Fabric;

namespace {

void checkOperands(const Collective &collective, const Fabric &fabric,
                   const std::vector<TensorPtr> &ins,
                   const std::vector<TensorPtr> &outs) {
  if (collective.meshShape != fabric.meshShape())
    raise(ErrorCategory::Argument, "expected mesh ",
          meshString(collective.meshShape), ", found mesh ",
          meshString(fabric.meshShape()));
  for (const auto *tensors : {&ins, &outs}) {
    if (tensors->size() != fabric.positions())
      raise(ErrorCategory::Argument, "expected a tensor for each of ",
            fabric.positions(), " chips of mesh ",
            meshString(fabric.meshShape()), ", found ", tensors->size());
    for (std::uint32_t i = 0; i < fabric.positions(); ++i) {
      const TensorPtr &tensor = (*tensors)[i];
      if (!tensor->onDevice() || tensor->buffer->chip() != fabric.chip(i))
        raise(ErrorCategory::Argument, "expected a tensor on chip ",
              fabric.chip(i)->id(), " at position ", i, ", found ",
              tensor->layout.describe());
    }
  }
}

double runOn(const Operands &operands) {
  switch (operands.collective.kind) {
  case CollectiveKind::AllGather:
    return allGather(operands);
  case CollectiveKind::ReduceScatter:
    return reduceScatter(operands);
  case CollectiveKind::AllReduce:
    return allReduce(operands);
  case CollectiveKind::Permute:
    return permute(operands);
  case CollectiveKind::Partition:
    return partition(operands);
  case CollectiveKind::AllToAll:
    return allToAll(operands);
  case CollectiveKind::Broadcast:
    return broadcast(operands);
  }
  raise(ErrorCategory::Internal, "unknown collective");
}

} // namespace

CollectiveCost run(const Collective &collective, Fabric &fabric,
                   const std::vector<TensorPtr> &ins,
                   const std::vector<TensorPtr> &outs) {
  checkOperands(collective, fabric, ins, outs);
  fabric.restart();
  Operands operands{collective, fabric, {}, {}};
  // An all_reduce has read a page on all chips before it writes it.
  const bool inPlace = collective.kind == CollectiveKind::AllReduce;
  for (std::uint32_t i = 0; i < fabric.positions(); ++i) {
    operands.ins.push_back(wireForm(ins[i], fabric.chip(i)));
    operands.targets.push_back(wireTarget(outs[i], operands.ins[i]->layout,
                                          inPlace ? nullptr : operands.ins[i],
                                          fabric.chip(i)));
  }
  CollectiveCost cost;
  cost.cycles = runOn(operands);
  for (std::uint32_t i = 0; i < fabric.positions(); ++i)
    store(operands.targets[i], outs[i]);
  cost.use = fabric.use();
  for (const EthernetUse &use : cost.use)
    cost.bytes += use.bytes;
  return cost;
}

void addCost(OpCost &cost, const CollectiveCost &links) {
  cost.ethernetBytes += links.bytes;
  cost.ethernetCycles += links.cycles;
  cost.ethernetUse = links.use;
  cost.cycles =
      std::max(cost.cycles, cost.dispatchCycles + cost.ethernetCycles);
}

} // namespace tt::runtime::collectives
