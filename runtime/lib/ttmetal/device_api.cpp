// Public runs of TTMetal programs.
#include "common/decoder.h"
#include "common/file.h"
#include "emulator/handles.h"
#include "emulator/transfer.h"
#include "tt/runtime/detail/ttmetal.h"
#include "ttmetal/executor.h"

#include <new>
#include <stdexcept>

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
    tensors.push_back(emulator::denseTensor(handleOf(input)));
  device.prints.clear();
  try {
    return Executor(device, program).run(tensors);
  } catch (const std::bad_alloc &) {
    raise(ErrorCategory::OutOfMemory, "program '", program.name,
          "': host memory exhausted");
  } catch (const std::logic_error &error) {
    // The kernels refuse what the decoder should have refused.
    raise(ErrorCategory::Internal, "program '", program.name,
          "': ", error.what());
  }
}

} // namespace

Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs) {
  OpenDevice &opened = deviceOf(device);
  const Program &program = getMetalProgram(executable, programIndex);
  emulator::checkCount("outputs", program.name, program.outputs.size(),
                       outputs.size());
  // Before anything runs: a wrong output must not cost a run.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor output = outputs[i];
    emulator::checkTensor("output " + std::to_string(i),
                          program.values[program.outputs[i]].layout,
                          handleOf(output).tensor->layout);
  }
  std::lock_guard lock(opened.mutex);
  const auto results = run(opened, executable, program, inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor output = outputs[i];
    emulator::copyInto(results[i], handleOf(output));
  }
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
