#include "ttnn/cost.h"

#include "clock/op_cost.h"
#include "common/operand_use.h"
#include "numerics/tiles.h"
#include "ttnn/caches.h"
#include "ttnn/streams/steps.h"

#include <algorithm>

namespace tt::runtime::ttnn {

namespace {

/// What an operation reads and writes, each operand once.
void addTraffic(OpCost &cost, const Program &program, const Step &step,
                std::span<const std::int64_t> positions) {
  const auto layout = [&](ValueIndex value) -> const Layout & {
    return program.values[value].layout;
  };
  const auto add = [&](const Layout &l, std::int64_t bytes, std::uint64_t &dram,
                       std::uint64_t &l1) {
    if (l.onDevice())
      (l.space == Space::Dram ? dram : l1) += std::uint64_t(bytes);
  };
  const OptionalValue out = resultOf(step);
  // An in-place update does not touch most pages, and attention does not read
  // later positions.
  const auto *const update = std::get_if<UpdateSliceStep>(&step);
  const auto *const attention =
      std::get_if<ScaledDotProductAttentionStep>(&step);
  const auto bytes = [&](ValueIndex value, const Layout &part) {
    if (attention && (value == attention->key || value == attention->value)) {
      // A paged cache includes all blocks, which batches may share.
      const double all = double(part.payloadBytes()) *
                         double(layout(attention->query).shape[0] *
                                keysOf(program, *attention)) /
                         std::max(1.0, double(part.shape[0] * part.shape[2]));
      return std::int64_t(all *
                          streams::shareOfKeys(program, *attention, positions));
    }
    return update && update->out == update->input && value == update->input
               ? streams::pagesOfUpdate(part, layout(update->update),
                                        updatesOf(program, *update)) *
                     part.pageBytes
               : part.payloadBytes();
  };
  for (const auto &[value, reads] : operandsOf(step)) {
    if (reads == Reads::Shape)
      continue;
    const Layout &part = layout(reads == Reads::Part ? *out : value);
    add(layout(value), bytes(value, part), cost.dramReadBytes,
        cost.l1ReadBytes);
  }
  for (ValueIndex value : resultsOf(step))
    add(layout(value), bytes(value, layout(value)), cost.dramWriteBytes,
        cost.l1WriteBytes);
}

void addOperands(OpCost &cost, const Program &program, const Step &step) {
  const auto use = [&](ValueIndex value) {
    return operandUse(program.values[value].layout);
  };
  for (const Operand &operand : operandsOf(step))
    cost.operands.push_back(use(operand.value));
  for (ValueIndex value : resultsOf(step))
    cost.results.push_back(use(value));
}

/// Operands on the host, such as weights of a convolution, are brought by the
/// operation itself, in tiles.
void addHostOperands(OpCost &cost, const Program &program, const Step &step,
                     const ArchData &arch) {
  for (const auto &[value, reads] : operandsOf(step))
    if (const Layout &layout = program.values[value].layout;
        reads != Reads::Shape && !layout.onDevice()) {
      const std::int64_t bytes = layout.payloadBytes();
      const std::int64_t pages = bytes / numerics::tileBytes(layout.type) + 1;
      clock::addHost(cost, std::uint64_t(bytes), pages, arch);
    }
}

bool usesDevice(const Program &program, const Step &step) {
  const auto onDevice = [&](ValueIndex value) {
    return program.values[value].layout.onDevice();
  };
  bool uses = false;
  for (ValueIndex value : resultsOf(step))
    uses |= onDevice(value);
  for (const Operand &operand : operandsOf(step))
    uses |= onDevice(operand.value);
  return uses;
}

} // namespace

collectives::OperandTime operandTime(const Program &program,
                                     const CollectiveStep &step) {
  if (!step.product)
    return {};
  const Operation &product = program.operations[*step.product];
  const OpCost cost = program.costs->of(program, product);
  return {product.slices, cost.parts.dispatch, cost.cycles};
}

std::vector<std::int64_t> positionsFor(const Program &program,
                                       const Operation &operation,
                                       std::int64_t last) {
  const auto *const step =
      std::get_if<ScaledDotProductAttentionStep>(&operation.step);
  if (!step || !step->positions)
    return {};
  const auto &query = program.values[step->query].layout.shape;
  std::vector<std::int64_t> positions(std::size_t(query[0] * query[2]));
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] = last - (query[2] - 1) + std::int64_t(i) % query[2];
  return positions;
}

OpCost Costs::of(const Program &program, const Operation &operation,
                 Trace *trace, double start, std::size_t chips,
                 std::span<const std::int64_t> positions) {
  std::lock_guard lock(mutex_);
  if (trace || !positions.empty())
    return make(program, operation, trace, start, chips, positions);
  const auto found = known_.find(&operation);
  if (found != known_.end())
    return found->second;
  return known_.emplace(&operation, make(program, operation, nullptr, 0, 1, {}))
      .first->second;
}

OpCost Costs::make(const Program &program, const Operation &operation,
                   Trace *trace, double start, std::size_t chips,
                   std::span<const std::int64_t> positions) {
  const ArchData &arch = archData(chip_.arch);
  OpCost cost;
  cost.name = operation.name;
  cost.location = operation.location;
  addOperands(cost, program, operation.step);
  if (!usesDevice(program, operation.step))
    return cost;
  streams::Work work;
  const auto stream = [&](streams::Builder &builder) {
    work = {};
    streams::streamOf(program, operation, positions, builder, work);
  };
  streams::Builder builder(chip_, streams::kMostBlocks);
  stream(builder);
  if (!work.dispatched)
    return cost;
  cost.phase = work.phase;
  addTraffic(cost, program, operation.step, positions);
  if (!work.joins)
    clock::addDispatch(cost, arch);
  if (work.host)
    clock::addHost(cost, *work.host, arch);
  else
    addHostOperands(cost, program, operation.step, arch);
  if (!builder.threads().empty()) {
    const std::uint64_t key = builder.hash();
    auto found = streams_.find(key);
    if (found == streams_.end())
      found = streams_.emplace(key, streams::timeOf(builder, stream)).first;
    for (std::uint32_t i = 0; trace && i < chips; ++i)
      builder.draw(*trace, i, start + cost.cycles, found->second);
    cost.nocBytes = found->second.traffic.noc;
    clock::addReplay(cost, found->second);
  }
  clock::addIdeal(cost, work.flops, work.phases, chip_);
  return cost;
}

} // namespace tt::runtime::ttnn
