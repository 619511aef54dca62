// Modelled time of programs without a run.
#include "tt/runtime/runtime.h"

#include "api/binary.h"
#include "clock/op_cost.h"
#include "collectives/collectives.h"
#include "common/arch.h"
#include "emulator/device.h"
#include "tt/runtime/clock.h"
#include "ttnn/cost.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>
#include <variant>

namespace tt::runtime {

namespace {

/// Throws Error(Unsupported) for an operation whose time is known only when it
/// has run.
void checkKnown(const ttnn::Program &program,
                const ttnn::Operation &operation) {
  const char *reason = nullptr;
  if (std::holds_alternative<ttnn::ControlFlowStep>(operation.step))
    reason = "the number of times that its parts run depends on values";
  if (reason)
    raise(ErrorCategory::Unsupported, "program '", program.name,
          "', operation ", &operation - program.operations.data(), " (",
          operation.name, ") cannot be estimated: ", reason);
}

/// Times collectives. Their time does not depend on the data: those that are
/// not linear run on tensors of undefined contents.
class CollectiveTimer {
public:
  CollectiveTimer(SystemDesc desc, const ttnn::Program &program)
      : desc_(std::move(desc)), program_(program), mesh_(program.mesh()) {}

  const collectives::CollectiveCost &time(const ttnn::CollectiveStep &step) {
    const Layout &in = program_.values[step.in].layout;
    const Layout &out = program_.values[step.out].layout;
    const collectives::OperandTime operand = ttnn::operandTime(program_, step);
    for (const Known &known : known_)
      if (known.collective == step.collective && known.in == in &&
          known.out == out && known.operand == operand)
        return known.cost;
    known_.push_back({step.collective, in, out, operand,
                      collectives::isLinear(step.collective.kind)
                          ? estimate(step, operand)
                          : run(step)});
    return known_.back().cost;
  }

private:
  collectives::CollectiveCost
  estimate(const ttnn::CollectiveStep &step,
           const collectives::OperandTime &operand) {
    const ChipGeometry &chip = program_.costs->chip();
    if (!links_)
      links_ = std::make_unique<clock::FabricTime>(
          desc_, chip.arch, mesh_.chipIds, mesh_.meshShape);
    return collectives::estimate(step.collective, *links_, chip,
                                 program_.values[step.in].layout,
                                 program_.values[step.out].layout, operand);
  }

  collectives::CollectiveCost run(const ttnn::CollectiveStep &step) {
    if (!fabric_)
      open();
    const auto allocate = [&](ttnn::ValueIndex value) {
      std::vector<emulator::TensorPtr> tensors;
      for (const std::shared_ptr<emulator::Chip> &chip : chips_)
        tensors.push_back(emulator::allocateTensor(
            program_.values[value].layout, chip, "a collective"));
      return tensors;
    };
    return collectives::run(step.collective, *fabric_, allocate(step.in),
                            allocate(step.out));
  }
  void open() {
    system_ = std::make_unique<emulator::System>(desc_);
    for (std::uint32_t id : mesh_.chipIds)
      chips_.push_back(system_->openChip(int(id)));
    fabric_ =
        std::make_unique<emulator::Fabric>(desc_, chips_, mesh_.meshShape);
  }

  /// Layers of a model have the same collectives.
  struct Known {
    Collective collective;
    Layout in, out;
    collectives::OperandTime operand;
    collectives::CollectiveCost cost;
  };
  std::deque<Known> known_; // references stay valid

  const SystemDesc desc_;
  const ttnn::Program &program_;
  const MeshDevice mesh_;
  std::unique_ptr<clock::FabricTime> links_;
  std::unique_ptr<emulator::System> system_;
  emulator::Chips chips_;
  std::unique_ptr<emulator::Fabric> fabric_;
};

/// The bytes of tensors on a chip: most of a core's L1 and of a DRAM channel.
class MemoryMeter {
public:
  explicit MemoryMeter(const ttnn::Program &program)
      : program_(program), live_(program.values.size(), false) {
    for (ttnn::ValueIndex value : program.inputs)
      add(value);
    for (const ttnn::CachedResults &results : program.cached)
      for (ttnn::ValueIndex value : results.outputs)
        add(value);
  }

  /// Values with the same index share memory, as in an in-place operation.
  void run(const ttnn::Operation &operation, OpCost &cost) {
    for (ttnn::ValueIndex value : ttnn::resultsOf(operation.step))
      add(value);
    cost.l1HighWater = std::uint64_t(used(Space::L1));
    cost.dramHighWater = std::uint64_t(used(Space::Dram));
    if (auto const *step = std::get_if<ttnn::DeallocStep>(&operation.step))
      remove(step->in);
  }

private:
  std::int64_t &used(Space space) { return space == Space::L1 ? l1_ : dram_; }
  void add(ttnn::ValueIndex value) {
    const Layout &layout = program_.values[value].layout;
    if (live_[value] || !layout.onDevice())
      return;
    live_[value] = true;
    used(layout.space) += layout.bankBytes;
  }
  void remove(ttnn::ValueIndex value) {
    if (!live_[value])
      return;
    live_[value] = false;
    const Layout &layout = program_.values[value].layout;
    used(layout.space) -= layout.bankBytes;
  }

  const ttnn::Program &program_;
  std::vector<bool> live_;
  std::int64_t l1_ = 0, dram_ = 0;
};

} // namespace

Report estimateReport(Binary const &executable, std::uint32_t programIndex,
                      std::optional<std::int64_t> position) {
  if (runtimeOf(executable) == DeviceRuntime::TTMetal)
    raise(ErrorCategory::Unsupported,
          "programs of kernels cannot be estimated: only a run times them");
  if (position && *position < 0)
    raise(ErrorCategory::Argument, "expected a position of at least 0, found ",
          *position);
  const ttnn::Program &program = getProgram(executable, programIndex);
  const ChipGeometry &chip = program.costs->chip();
  const ArchData &arch = archData(chip.arch);
  const std::size_t chips =
      std::max<std::size_t>(program.mesh().chipIds.size(), 1);
  Report report;
  report.program = program.name;
  report.arch = arch.name;
  report.workerCores = std::uint32_t(chip.gridY * chip.gridX);
  report.clockHz = arch.cost.clockHz;
  // The binary also describes the system.
  CollectiveTimer timer(SystemDesc(executable.handle), program);
  MemoryMeter memory(program);
  for (const ttnn::Operation &operation : program.operations) {
    checkKnown(program, operation);
    std::vector<std::int64_t> positions;
    if (position)
      positions = ttnn::positionsFor(program, operation, *position);
    OpCost cost =
        program.costs->of(program, operation, nullptr, 0, chips, positions);
    clock::repeatUses(cost, chips);
    if (auto const *step = std::get_if<ttnn::CollectiveStep>(&operation.step)) {
      const collectives::CollectiveCost &links = timer.time(*step);
      clock::addLinks(cost, links.cycles, links.use);
    }
    memory.run(operation, cost);
    report.l1HighWater = std::max(report.l1HighWater, cost.l1HighWater);
    report.dramHighWater = std::max(report.dramHighWater, cost.dramHighWater);
    cost.start = report.cycles;
    report.cycles += cost.cycles;
    report.ops.push_back(std::move(cost));
  }
  report.seconds = report.cycles / report.clockHz;
  return report;
}

double modelledCycles(const void *binary, std::size_t size) noexcept {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  try {
    // The caller owns the bytes.
    const char *where = "a binary";
    const std::shared_ptr<LoadedBinary> file = loadBinary(
        *loadFile({std::shared_ptr<void>(), binary}, size, where), where);
    double cycles = 0;
    for (const auto &program : file->programs) {
      CollectiveTimer timer(SystemDesc(file), *program);
      for (const ttnn::Operation &operation : program->operations) {
        cycles += program->costs->of(*program, operation).cycles;
        if (auto const *step =
                std::get_if<ttnn::CollectiveStep>(&operation.step))
          cycles += timer.time(*step).cycles;
      }
    }
    return file->programs.empty() ? kUnknown : cycles;
  } catch (const std::exception &) {
    return kUnknown;
  }
}

} // namespace tt::runtime
