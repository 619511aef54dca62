// Modelled time of programs that nobody runs.
#include "tt/runtime/runtime.h"

#include "api/binary.h"
#include "clock/op_cost.h"
#include "collectives/collectives.h"
#include "common/arch.h"
#include "emulator/device.h"
#include "tt/runtime/clock.h"
#include "ttnn/cost.h"

#include <algorithm>
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
    reason = "how often its parts run depends on values";
  if (reason)
    raise(ErrorCategory::Unsupported, "program '", program.name,
          "', operation ", &operation - program.operations.data(), " (",
          operation.name, ") cannot be estimated: ", reason);
}

/// Times collectives. Their time does not depend on the data, so they run on
/// tensors of undefined contents.
class CollectiveTimer {
public:
  /// The binary also states the system.
  CollectiveTimer(const Binary &binary, const MeshDevice &mesh)
      : desc_(binary.handle), mesh_(mesh) {}

  collectives::CollectiveCost time(const ttnn::Program &program,
                                   const ttnn::CollectiveStep &step) {
    if (!fabric_)
      open();
    const auto allocate = [&](ttnn::ValueIndex value) {
      std::vector<emulator::TensorPtr> tensors;
      for (const std::shared_ptr<emulator::Chip> &chip : chips_)
        tensors.push_back(emulator::allocateTensor(program.values[value].layout,
                                                   chip, "a collective"));
      return tensors;
    };
    return collectives::run(step.collective, *fabric_, allocate(step.in),
                            allocate(step.out));
  }

private:
  void open() {
    system_ = std::make_unique<emulator::System>(desc_);
    for (std::uint32_t id : mesh_.chipIds)
      chips_.push_back(system_->openChip(int(id)));
    fabric_ = std::make_unique<emulator::Fabric>(desc_, chips_, mesh_.meshShape);
  }

  const SystemDesc desc_;
  const MeshDevice &mesh_;
  std::unique_ptr<emulator::System> system_;
  emulator::Chips chips_;
  std::unique_ptr<emulator::Fabric> fabric_;
};

} // namespace

Report estimateReport(Binary const &executable, std::uint32_t programIndex) {
  if (runtimeOf(executable) == DeviceRuntime::TTMetal)
    raise(ErrorCategory::Unsupported,
          "programs of kernels cannot be estimated: they are timed by a run");
  const ttnn::Program &program = getProgram(executable, programIndex);
  const ChipGeometry &chip = program.costs->chip();
  const ArchData &arch = archData(chip.arch);
  const MeshDevice mesh = program.mesh();
  const std::size_t chips =
      std::max<std::size_t>(mesh.chipIds.size(), 1);
  Report report;
  report.program = program.name;
  report.arch = arch.name;
  report.workerCores = std::uint32_t(chip.gridY * chip.gridX);
  report.clockHz = arch.cost.clockHz;
  CollectiveTimer timer(executable, mesh);
  for (const ttnn::Operation &operation : program.operations) {
    checkKnown(program, operation);
    OpCost cost = program.costs->of(program, operation, nullptr, 0, chips);
    clock::repeatUses(cost, chips);
    if (auto const *step = std::get_if<ttnn::CollectiveStep>(&operation.step)) {
      collectives::CollectiveCost links = timer.time(program, *step);
      clock::addLinks(cost, links.cycles, std::move(links.use));
    }
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
    // The bytes belong to the caller.
    const char *where = "a binary";
    const std::shared_ptr<LoadedBinary> file = loadBinary(
        *loadFile({std::shared_ptr<void>(), binary}, size, where), where);
    double cycles = 0;
    for (const auto &program : file->programs)
      for (const ttnn::Operation &operation : program->operations)
        cycles += program->costs->of(*program, operation).cycles;
    return file->programs.empty() ? kUnknown : cycles;
  } catch (const std::exception &) {
    return kUnknown;
  }
}

} // namespace tt::runtime
