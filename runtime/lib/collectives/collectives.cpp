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
/// matrix is cut. Whether the layouts of operand and result become such.
bool padRows(const Collective &collective, Layout &in, Layout &out) {
  Layout paddedIn = withPaddedRows(in), paddedOut = withPaddedRows(out);
  if (padsAlong(collective, in, paddedIn) ||
      padsAlong(collective, out, paddedOut) ||
      !movesPages(collective, paddedIn, paddedOut))
    return false;
  in = std::move(paddedIn);
  out = std::move(paddedOut);
  return true;
}

TensorPtr viewAs(const TensorPtr &tensor, const Layout &layout) {
  auto view = std::make_shared<emulator::TensorData>(*tensor);
  view->layout = layout;
  return view;
}

/// The same for the tensors of all chips, which have one layout.
void padRows(const Collective &collective, std::vector<TensorPtr> &ins,
             std::vector<TensorPtr> &outs) {
  Layout in = ins.front()->layout, out = outs.front()->layout;
  if (!padRows(collective, in, out))
    return;
  for (std::size_t i = 0; i < ins.size(); ++i) {
    ins[i] = viewAs(ins[i], in);
    outs[i] = viewAs(outs[i], out);
  }
}

/// Moves the data; returns the cycles of a collective that is not linear.
double runOn(const Operands &operands) {
  switch (operands.collective.kind) {
  case CollectiveKind::AllGather:
    allGather(operands);
    return 0;
  case CollectiveKind::ReduceScatter:
    reduceScatter(operands);
    return 0;
  case CollectiveKind::AllReduce:
    allReduce(operands);
    return 0;
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

CollectiveCost costOf(double cycles, const FabricTime &fabric,
                      const OperandTime &operand) {
  CollectiveCost cost;
  cost.cycles = std::max(0.0, cycles - operand.end);
  cost.use = fabric.use();
  for (const EthernetUse &use : cost.use)
    cost.bytes += use.bytes;
  return cost;
}

} // namespace

CollectiveCost run(const Collective &collective, Fabric &fabric,
                   const std::vector<TensorPtr> &given,
                   const std::vector<TensorPtr> &results,
                   const OperandTime &operand) {
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
  double cycles = runOn(operands);
  if (isLinear(collective.kind))
    cycles = linearCycles(collective, fabric, fabric.chip(0)->geometry(),
                          operands.ins.front()->layout,
                          operands.targets.front()->layout, operand);
  for (std::uint32_t i = 0; i < fabric.positions(); ++i)
    store(operands.targets[i], outs[i]);
  return costOf(cycles, fabric, operand);
}

CollectiveCost estimate(const Collective &collective, FabricTime &fabric,
                        const ChipGeometry &chip, const Layout &given,
                        const Layout &result, const OperandTime &operand) {
  Layout in = given, out = result;
  padRows(collective, in, out);
  fabric.restart();
  return costOf(linearCycles(collective, fabric, chip, wireLayout(in, chip),
                             wireLayout(out, chip), operand),
                fabric, operand);
}

} // namespace tt::runtime::collectives
