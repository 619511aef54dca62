// Public devices and runs.
#include "common/file.h"
#include "tt/runtime/detail/ttnn.h"
#include "tt/runtime/utils.h"
#include "ttnn/handles.h"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace tt::runtime::ttnn {

namespace target = ::tt::target;
using kernels::DType;

namespace {

OpenDevice &deviceOf(Device &device) {
  return device.as<OpenDevice>(DeviceRuntime::TTNN);
}

std::string typeName(DType type) {
  return utils::dataTypeName(target::DataType(type));
}

/// Host arrays of Float32 stand for narrower floats, and any float array for
/// block floats, which a host language does not have.
bool acceptsType(DType expected, const Layout &found) {
  if (found.type == expected)
    return true;
  if (found.onDevice() || !kernels::isFloat(expected))
    return false;
  return found.type == DType::F32 ||
         (kernels::isBlockFloat(expected) && kernels::isFloat(found.type));
}

void checkTensor(const std::string &what, const Layout &expected,
                 const Layout &found) {
  if (found.shape != expected.shape)
    raise(ErrorCategory::Argument, what, ": expected shape ",
          shapeString(expected.shape), ", found ", shapeString(found.shape));
  if (!acceptsType(expected.type, found))
    raise(ErrorCategory::Argument, what, ": expected data type ",
          typeName(expected.type), ", found ", typeName(found.type));
}

void checkCount(const char *what, const Program &program, std::size_t expected,
                std::size_t found) {
  if (expected != found)
    raise(ErrorCategory::Argument, "program '", program.name, "': expected ",
          expected, " ", what, ", found ", found);
}

std::vector<TensorPtr> run(OpenDevice &device, const Binary &executable,
                           const Program &program,
                           std::vector<Tensor> const &inputs) {
  if (device.checkedBinary.lock() != executable.handle) {
    checkSameSystem(executable.getSystemDesc(), device.system->desc().get());
    device.checkedBinary = executable.handle;
  }
  checkCount("inputs", program, program.inputs.size(), inputs.size());
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

TensorPtr placeInput(const std::shared_ptr<emulator::Chip> &chip,
                     const Layout &layout, const std::string &what,
                     TensorPtr tensor) {
  checkTensor(what, layout, tensor->layout);
  tensor->buffer->base(); // refuses one that was deallocated
  if (tensor->layout.samePages(layout) &&
      (!tensor->onDevice() || tensor->buffer->chip() == chip))
    return tensor;
  return place(tensor, layout, chip, what);
}

Device openDevice(SystemDesc systemDesc, std::vector<int> const &deviceIds) {
  if (deviceIds.empty())
    raise(ErrorCategory::Argument, "expected at least one device id, found "
                                   "none");
  auto device = std::make_shared<OpenDevice>();
  device->system = std::make_shared<emulator::System>(std::move(systemDesc));
  for (std::size_t i = 0; i < deviceIds.size(); ++i) {
    if (std::count(deviceIds.begin(), deviceIds.end(), deviceIds[i]) != 1)
      raise(ErrorCategory::Argument, "expected each device id once, found ",
            deviceIds[i], " more than once");
    device->chips.push_back(device->system->openChip(deviceIds[i]));
  }
  return Device(std::move(device), DeviceRuntime::TTNN);
}

void closeDevice(Device device) {
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  opened.open = false;
  for (auto const &chip : opened.chips)
    chip->deallocateAll();
}

void deallocateBuffers(Device device) {
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  for (auto const &chip : opened.chips)
    chip->deallocateAll();
}

DeviceIds getDeviceIds(Device device) {
  DeviceIds ids;
  for (auto const &chip : deviceOf(device).chips)
    ids.push_back(int(chip->id()));
  return ids;
}

SystemDesc getDeviceSystemDesc(Device device) {
  return deviceOf(device).system->desc();
}

Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs) {
  OpenDevice &opened = deviceOf(device);
  const Program &program = getProgram(executable, programIndex);
  checkCount("outputs", program, program.outputs.size(), outputs.size());
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

void wait(Event event) {
  if (!event.matchesRuntime(DeviceRuntime::TTNN))
    raise(ErrorCategory::Argument,
          "expected an event of the TTNN runtime, "
          "found one of the ",
          deviceRuntimeName(event.associatedRuntime), " runtime");
}

void enableReport(Device device, bool enabled) {
  deviceOf(device).reporting = enabled;
}

Report getReport(Device device) {
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  return opened.report;
}

} // namespace tt::runtime::ttnn
