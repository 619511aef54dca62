// Transfer of inputs to a device, and process settings.
#include "tt/runtime/runtime.h"

#include "api/binary.h"
#include "emulator/handles.h"
#include "emulator/memory.h"
#include "emulator/mesh.h"
#include "numerics/parallel.h"
#include "ttmetal/program.h"
#include "ttnn/program.h"

namespace tt::runtime {

namespace {

using emulator::TensorPtr;

/// The tensor in the form that the program expects: see emulator::takeShards().
Tensor takeShards(Binary const &executable, std::uint32_t programIndex,
                  std::uint32_t inputIndex,
                  const std::vector<std::uint32_t> &meshShape, Tensor tensor,
                  const emulator::Ownership &ownership) {
  return withProgram(executable, programIndex, [&](auto const &program) {
    if (program.inputShardings.empty() &&
        !emulator::handleOf(tensor).tensor->sharding)
      return tensor;
    const TensorPtr given = emulator::denseTensor(emulator::handleOf(tensor));
    const TensorPtr shards = emulator::takeShards(
        program.inputShardings, inputIndex, meshShape, given, ownership);
    return shards == given ? tensor : emulator::wrap(shards);
  });
}

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
  tensor = takeShards(executable, programIndex, inputIndex, mesh.meshShape,
                      std::move(tensor),
                      position ? emulator::Ownership() : chips.ownership);
  if (position) {
    if (*position >= chips.size())
      raise(ErrorCategory::Argument, "expected a position below ", chips.size(),
            ", found ", *position);
    if (TensorPtr whole = emulator::handleOf(tensor).tensor; whole->onMesh())
      tensor = emulator::wrap(emulator::shardOf(whole, *position));
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
