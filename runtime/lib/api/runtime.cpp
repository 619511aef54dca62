// Inputs on their way to a device, and settings of the process.
#include "tt/runtime/runtime.h"

#include "api/binary.h"
#include "emulator/handles.h"
#include "emulator/memory.h"
#include "numerics/parallel.h"
#include "ttmetal/program.h"
#include "ttnn/program.h"

namespace tt::runtime {

namespace {

/// For one chip of the mesh if a position is given.
Tensor bringInput(Tensor tensor, Device device, Binary const &executable,
                  std::uint32_t programIndex, std::uint32_t inputIndex,
                  std::optional<std::uint32_t> position) {
  const auto layouts = executable.getProgramInputLayouts(programIndex);
  if (inputIndex >= layouts.size())
    raise(ErrorCategory::Argument, "expected an input index below ",
          layouts.size(), ", found ", inputIndex);
  MeshDevice mesh = meshOf(executable, programIndex);
  auto &opened = emulator::deviceOf(device);
  emulator::Chips chips = opened.select(mesh);
  if (position) {
    if (*position >= chips.size())
      raise(ErrorCategory::Argument, "expected a position below ", chips.size(),
            ", found ", *position);
    chips = {chips[*position]};
    mesh.meshShape = {1, 1};
  }
  if (runtimeOf(executable) == DeviceRuntime::TTNN)
    return emulator::bringTo(
        std::move(tensor), opened, chips, mesh.meshShape,
        readLayout(layouts[inputIndex], chips.front()->geometry()));
  const ttmetal::Program &program = getMetalProgram(executable, programIndex);
  const ttmetal::Value &value = program.values[program.inputs[inputIndex]];
  // The run itself brings it to an address of the program, or to programs whose
  // results are kept.
  if (!value.placed || !value.used)
    return tensor;
  return emulator::bringTo(std::move(tensor), opened, chips, mesh.meshShape,
                           value.layout, value.bankBytes);
}

} // namespace

Tensor toLayout(Tensor tensor, Device device, Binary const &executable,
                std::uint32_t programIndex, std::uint32_t inputIndex) {
  return bringInput(std::move(tensor), std::move(device), executable,
                    programIndex, inputIndex, std::nullopt);
}

Tensor toLayout(Tensor tensor, Device device, Binary const &executable,
                std::uint32_t programIndex, std::uint32_t inputIndex,
                std::uint32_t position) {
  return bringInput(std::move(tensor), std::move(device), executable,
                    programIndex, inputIndex, position);
}

void setHostMemoryLimit(std::int64_t bytes) { emulator::setHostLimit(bytes); }
void setNumThreads(int count) { numerics::setNumThreads(count); }
int getNumThreads() { return numerics::getNumThreads(); }

} // namespace tt::runtime
