// Modelled time of programs that nobody runs.
#include "tt/runtime/runtime.h"

#include "api/binary.h"
#include "clock/op_cost.h"
#include "common/arch.h"
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
  if (std::holds_alternative<ttnn::CollectiveStep>(operation.step))
    reason = "links between chips are timed by a run";
  if (reason)
    raise(ErrorCategory::Unsupported, "program '", program.name,
          "', operation ", &operation - program.operations.data(), " (",
          operation.name, ") cannot be estimated: ", reason);
}

} // namespace

Report estimateReport(Binary const &executable, std::uint32_t programIndex) {
  if (runtimeOf(executable) == DeviceRuntime::TTMetal)
    raise(ErrorCategory::Unsupported,
          "programs of kernels cannot be estimated: they are timed by a run");
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
  for (const ttnn::Operation &operation : program.operations) {
    checkKnown(program, operation);
    OpCost cost = program.costs->of(program, operation, nullptr, 0, chips);
    clock::repeatUses(cost, chips);
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
