// Public runs of TTMetal programs.
#include "common/file.h"
#include "emulator/donation.h"
#include "emulator/mesh.h"
#include "emulator/result_cache.h"
#include "emulator/run.h"
#include "emulator/tensor_copy.h"
#include "tt/runtime/detail/ttmetal.h"
#include "ttmetal/executor.h"

namespace tt::runtime::ttmetal {

using emulator::deviceOf;
using emulator::handleOf;

namespace {

/// The results of a program away from the addresses that programs have for
/// themselves, where the runtime has not found them a place.
std::vector<TensorPtr> keptResults(OpenDevice &device,
                                   const emulator::Chips &chips,
                                   const Program &program,
                                   const std::vector<TensorPtr> &inputs) {
  std::vector<TensorPtr> results = Executor(device, program).run(inputs);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (const Value &value = program.values[program.outputs[i]]; !value.placed)
      results[i] = emulator::keepOnChips(results[i], chips, value.description);
  return results;
}

std::vector<TensorPtr> run(OpenDevice &device, const Binary &executable,
                           const Program &program,
                           std::vector<Tensor> const &inputs) {
  device.checkOpen();
  device.checkSystem(executable);
  emulator::checkCount("inputs", program.name, emulator::numInputs(program),
                       inputs.size());
  std::vector<TensorPtr> tensors, given;
  for (Tensor input : inputs) {
    given.push_back(handleOf(input).tensor);
    tensors.push_back(emulator::denseTensor(handleOf(input)));
  }
  emulator::takeDonated(program.aliasedOutputs, inputs, program.name);
  device.prints.clear();
  return emulator::guarded(program.name, [&] {
    const emulator::Chips chips = device.select(program.mesh);
    emulator::loadVariables(program, chips, program.mesh.meshShape, tensors);
    given.insert(given.end(), tensors.begin() + std::ptrdiff_t(given.size()),
                 tensors.end());
    const std::vector<TensorPtr> cached = emulator::loadCached(
        device, chips, program, tensors, given,
        [&](const Program &callee, const std::vector<TensorPtr> &own) {
          return keptResults(device, chips, callee, own);
        });
    Executor executor(device, program);
    executor.allowHostResults();
    std::vector<TensorPtr> results = executor.run(tensors, cached);
    emulator::storeVariables(program, chips, tensors, results);
    return results;
  });
}

/// A result at an address of the program as the API returns it; of a mesh, a
/// tensor for each chip.
TensorPtr onHost(const TensorPtr &tensor) {
  const Layout &layout = tensor->layout;
  if (!layout.onDevice())
    return tensor;
  const Layout host =
      hostLayout(layout.shape, emulator::plainType(layout.type));
  if (!tensor->onMesh())
    return emulator::place(tensor, host, nullptr, "result");
  std::vector<TensorPtr> shards;
  for (const TensorPtr &shard : tensor->shards)
    shards.push_back(emulator::place(shard, host, nullptr, "result"));
  return emulator::meshTensor(std::move(shards), tensor->meshShape);
}

} // namespace

Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs) {
  OpenDevice &opened = deviceOf(device);
  const Program &program = getMetalProgram(executable, programIndex);
  emulator::runInto(opened, program, outputs,
                    [&] { return run(opened, executable, program, inputs); });
  return Event(nullptr, DeviceRuntime::TTMetal);
}

std::vector<Tensor> submit(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs) {
  OpenDevice &opened = deviceOf(device);
  const Program &program = getMetalProgram(executable, programIndex);
  std::lock_guard lock(opened.mutex);
  std::vector<Tensor> outputs;
  for (const TensorPtr &tensor : run(opened, executable, program, inputs)) {
    const ValueIndex value = program.outputs[outputs.size()];
    outputs.push_back(
        emulator::wrap(program.values[value].placed ? tensor : onHost(tensor)));
  }
  return outputs;
}

} // namespace tt::runtime::ttmetal
