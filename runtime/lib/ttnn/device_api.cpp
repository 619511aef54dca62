// Public runs of TTNN programs.
#include "common/decoder.h"
#include "common/file.h"
#include "emulator/handles.h"
#include "tt/runtime/detail/ttnn.h"
#include "ttnn/executor.h"

#include <new>
#include <stdexcept>

namespace tt::runtime::ttnn {

using emulator::checkCount;
using emulator::checkTensor;
using emulator::copyInto;
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
  checkCount("inputs", program.name, program.inputs.size(), inputs.size());
  std::vector<TensorPtr> tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Tensor input = inputs[i];
    tensors.push_back(placeInput(
        device.chip(kAnyDevice), program.values[program.inputs[i]].layout,
        "input " + std::to_string(i), denseTensor(handleOf(input))));
  }
  try {
    Executor executor(device, program);
    return executor.run(tensors);
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
  const Program &program = getProgram(executable, programIndex);
  checkCount("outputs", program.name, program.outputs.size(), outputs.size());
  // Before anything runs: a wrong output must not cost a run.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor output = outputs[i];
    checkTensor("output " + std::to_string(i),
                program.values[program.outputs[i]].layout,
                handleOf(output).tensor->layout);
  }
  std::lock_guard lock(opened.mutex);
  const auto results = run(opened, executable, program, inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor output = outputs[i];
    copyInto(results[i], handleOf(output));
  }
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
