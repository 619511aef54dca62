// Public runs of TTMetal programs.
#include "common/file.h"
#include "emulator/mesh.h"
#include "emulator/run.h"
#include "emulator/transfer.h"
#include "tt/runtime/detail/ttmetal.h"
#include "ttmetal/executor.h"

namespace tt::runtime::ttmetal {

using emulator::deviceOf;
using emulator::handleOf;

namespace {

std::vector<TensorPtr> run(OpenDevice &device, const Binary &executable,
                           const Program &program,
                           std::vector<Tensor> const &inputs) {
  device.chip(kAnyDevice); // refuses a closed device
  device.checkSystem(executable);
  emulator::checkCount("inputs", program.name, program.inputs.size(),
                       inputs.size());
  std::vector<TensorPtr> tensors;
  for (Tensor input : inputs)
    tensors.push_back(
        emulator::commonTensor(emulator::denseTensor(handleOf(input))));
  device.prints.clear();
  return emulator::guarded(
      program.name, [&] { return Executor(device, program).run(tensors); });
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
    const Layout &layout = tensor->layout;
    const Layout host =
        hostLayout(layout.shape, emulator::plainType(layout.type));
    outputs.push_back(emulator::wrap(
        layout.onDevice() ? emulator::place(tensor, host, nullptr, "result")
                          : tensor));
  }
  return outputs;
}

} // namespace tt::runtime::ttmetal
