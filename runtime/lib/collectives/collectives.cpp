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

/// True if a collective passes pages of such tensors on as they are.
bool movesPages(const Collective &c, const Layout &in, const Layout &out) {
  switch (c.kind) {
  case CollectiveKind::AllReduce:
  case CollectiveKind::Permute:
  case CollectiveKind::Broadcast:
    return in.shape == out.shape;
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter: {
    const bool joins = c.kind == CollectiveKind::AllGather;
    const Layout &whole = joins ? out : in, &slice = joins ? in : out;
    const auto count = std::int64_t(c.groups.front().size());
    std::vector<std::int64_t> shape = slice.shape;
    shape[std::size_t(c.dim)] *= count;
    return shape == whole.shape && cutsPages(whole, c.dim, count);
  }
  default:
    return false;
  }
}

/// Whether rows are padded along the dimension that chips cut or join: then the
/// padding is between the rows of the chips in one tensor, and after all of
/// them in the other.
bool padsAlong(const Collective &c, const Layout &layout,
               const Layout &padded) {
  const auto dim = std::size_t(c.dim);
  switch (c.kind) {
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
    return layout.shape[dim] != padded.shape[dim];
  default:
    return false;
  }
}

/// Tensors whose matrices have tiles of their own are sent in those tiles if no
/// matrix is cut.
void padRows(const Collective &collective, std::vector<TensorPtr> &ins,
             std::vector<TensorPtr> &outs) {
  std::vector<TensorPtr> paddedIns, paddedOuts;
  for (std::size_t i = 0; i < ins.size(); ++i) {
    paddedIns.push_back(withPaddedRows(ins[i]));
    paddedOuts.push_back(withPaddedRows(outs[i]));
    const Layout &in = paddedIns[i]->layout, &out = paddedOuts[i]->layout;
    if (padsAlong(collective, ins[i]->layout, in) ||
        padsAlong(collective, outs[i]->layout, out) ||
        !movesPages(collective, in, out))
      return;
  }
  ins = std::move(paddedIns);
  outs = std::move(paddedOuts);
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
                   const std::vector<TensorPtr> &given,
                   const std::vector<TensorPtr> &results) {
  checkOperands(collective, fabric, given, results);
  std::vector<TensorPtr> ins = given, outs = results;
  padRows(collective, ins, outs);
  fabric.restart();
  Operands operands{collective, fabric, {}, {}};
  // An all_reduce has read a page on all chips before it writes it.
  const bool inPlace = collective.kind == CollectiveKind::AllReduce;
  for (std::uint32_t i = 0; i < fabric.positions(); ++i) {
    operands.ins.push_back(wireForm(ins[i], fabric.chip(i)));
    operands.targets.push_back(
        wireTarget(outs[i], operands.ins[i], inPlace, fabric.chip(i)));
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

} // namespace tt::runtime::collectives
