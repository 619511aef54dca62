// Public runs of TTNN programs.
#include "common/file.h"
#include "emulator/donation.h"
#include "emulator/result_cache.h"
#include "emulator/run.h"
#include "tt/runtime/detail/ttnn.h"
#include "ttnn/executor.h"

namespace tt::runtime::ttnn {

using emulator::checkCount;
using emulator::denseTensor;
using emulator::deviceOf;
using emulator::handleOf;
using emulator::placeInput;
using emulator::wrap;

namespace {

std::vector<TensorPtr> run(OpenDevice &device, const Binary &executable,
                           const Program &program,
                           std::vector<Tensor> const &inputs) {
  device.checkSystem(executable);
  checkCount("inputs", program.name, emulator::numInputs(program),
             inputs.size());
  const MeshDevice mesh = program.mesh();
  const emulator::Chips chips = device.select(mesh);
  std::vector<TensorPtr> tensors, given;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Tensor input = inputs[i];
    given.push_back(handleOf(input).tensor);
    tensors.push_back(placeInput(
        chips, mesh.meshShape, program.values[program.inputs[i]].layout,
        "input " + std::to_string(i), denseTensor(handleOf(input))));
  }
  emulator::takeDonated(program.aliasedOutputs, inputs, program.name);
  return emulator::guarded(program.name, [&] {
    emulator::loadVariables(program, chips, mesh.meshShape, tensors);
    given.insert(given.end(), tensors.begin() + std::ptrdiff_t(given.size()),
                 tensors.end());
    const std::vector<TensorPtr> cached = emulator::loadCached(
        device, chips, program, tensors, given,
        [&](const Program &callee, const std::vector<TensorPtr> &own) {
          return Executor(device, callee).run(own);
        });
    std::vector<TensorPtr> results =
        Executor(device, program).run(tensors, cached);
    emulator::storeVariables(program, chips, tensors, results);
    return results;
  });
}

} // namespace

Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs) {
  OpenDevice &opened = deviceOf(device);
  const Program &program = getProgram(executable, programIndex);
  emulator::runInto(opened, program, outputs,
                    [&] { return run(opened, executable, program, inputs); });
  return Event(nullptr, DeviceRuntime::TTNN);
}

std::vector<Tensor> submit(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs) {
  OpenDevice &opened = deviceOf(device);
  const Program &program = getProgram(executable, programIndex);
  std::lock_guard lock(opened.mutex);
  std::vector<Tensor> outputs;
  for (TensorPtr &tensor : run(opened, executable, program, inputs))
    outputs.push_back(wrap(std::move(tensor)));
  return outputs;
}

} // namespace tt::runtime::ttnn
