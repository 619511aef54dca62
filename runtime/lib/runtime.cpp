// The public functions: each goes to the runtime that is current in the
// process.
#include "tt/runtime/runtime.h"

#include "common/file.h"
#include "emulator/memory.h"
#include "kernels/parallel.h"
#include "tt/runtime/detail/ttnn.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace tt::runtime {

namespace {

std::atomic<DeviceRuntime> currentRuntime{DeviceRuntime::TTNN};

struct CurrentSystem {
  std::mutex mutex;
  SystemDesc desc;
};

CurrentSystem &currentSystem() {
  static CurrentSystem system;
  return system;
}

void requireTTNN() {
  if (currentRuntime != DeviceRuntime::TTNN)
    raise(ErrorCategory::Unsupported, "the ", deviceRuntimeName(currentRuntime),
          " runtime is not enabled");
}

} // namespace

namespace system_desc {

std::pair<SystemDesc, DeviceIds> getCurrentSystemDesc() {
  CurrentSystem &system = currentSystem();
  std::lock_guard lock(system.mutex);
  if (!system.desc.handle)
    system.desc = getDefaultSystemDesc("n150");
  DeviceIds ids;
  for (std::uint32_t i = 0; i < system.desc->chip_desc_indices()->size(); ++i)
    ids.push_back(int(i));
  return {system.desc, ids};
}

void setCurrentSystemDesc(SystemDesc systemDesc) {
  systemDesc.get(); // refuses another version
  CurrentSystem &system = currentSystem();
  std::lock_guard lock(system.mutex);
  system.desc = std::move(systemDesc);
}

} // namespace system_desc

std::pair<SystemDesc, DeviceIds> getCurrentSystemDesc() {
  return system_desc::getCurrentSystemDesc();
}

DeviceRuntime getCurrentRuntime() { return currentRuntime; }

std::vector<DeviceRuntime> getAvailableRuntimes() {
  return {DeviceRuntime::TTNN};
}

void setCurrentRuntime(const DeviceRuntime &runtime) {
  const auto available = getAvailableRuntimes();
  if (std::find(available.begin(), available.end(), runtime) == available.end())
    raise(ErrorCategory::Unsupported, "the ", deviceRuntimeName(runtime),
          " runtime is not enabled");
  currentRuntime = runtime;
}

void setCompatibleRuntime(const Binary &binary) {
  checkVersion(binary);
  if (binary.getFileIdentifier() != "TTNN")
    raise(ErrorCategory::Unsupported,
          "unsupported binary file identifier or runtime not enabled: "
          "expected 'TTNN', found '",
          binary.getFileIdentifier(), "'");
  currentRuntime = DeviceRuntime::TTNN;
}

void detail::deallocateBuffers(Device device) {
  requireTTNN();
  ttnn::deallocateBuffers(std::move(device));
}

Tensor createTensor(std::shared_ptr<void> data,
                    std::vector<std::uint32_t> const &shape,
                    std::vector<std::uint32_t> const &stride,
                    std::uint32_t itemsize, ::tt::target::DataType dataType) {
  requireTTNN();
  return ttnn::createTensor(std::move(data), shape, stride, itemsize, dataType);
}

Tensor createEmptyTensor(std::vector<std::uint32_t> const &shape,
                         ::tt::target::DataType dataType) {
  requireTTNN();
  return ttnn::createEmptyTensor(shape, dataType);
}

::tt::target::DataType getTensorDataType(Tensor tensor) {
  return ttnn::getTensorDataType(std::move(tensor));
}
TensorDesc getTensorDesc(Tensor tensor) {
  return ttnn::getTensorDesc(std::move(tensor));
}
std::string describeTensor(Tensor tensor) {
  return ttnn::describeTensor(std::move(tensor));
}
bool isOnDevice(Tensor tensor) { return ttnn::isOnDevice(std::move(tensor)); }
bool isRowMajorHost(Tensor tensor) {
  return ttnn::isRowMajorHost(std::move(tensor));
}
void deallocateTensor(Tensor tensor) {
  ttnn::deallocateTensor(std::move(tensor));
}

Device openDevice(std::vector<int> const &deviceIds,
                  std::vector<std::uint8_t> const &numHWCQs) {
  if (!numHWCQs.empty() && numHWCQs.size() != deviceIds.size())
    raise(ErrorCategory::Argument,
          "expected one number of command queues per "
          "device (",
          deviceIds.size(), "), found ", numHWCQs.size());
  return openDevice(getCurrentSystemDesc().first, deviceIds);
}

Device openDevice(SystemDesc systemDesc, std::vector<int> const &deviceIds) {
  requireTTNN();
  return ttnn::openDevice(std::move(systemDesc), deviceIds);
}

void closeDevice(Device device) { ttnn::closeDevice(std::move(device)); }
DeviceIds getDeviceIds(Device device) {
  return ttnn::getDeviceIds(std::move(device));
}
SystemDesc getDeviceSystemDesc(Device device) {
  return ttnn::getDeviceSystemDesc(std::move(device));
}

Tensor toLayout(Tensor tensor, Device device,
                ::tt::target::TensorDesc const *tensorDesc) {
  requireTTNN();
  return ttnn::toLayout(std::move(tensor), std::move(device), tensorDesc);
}

Tensor toHost(Tensor tensor, std::optional<::tt::target::DataType> dataType) {
  return ttnn::toHost(std::move(tensor), dataType);
}

void toHost(Tensor tensor, ::tt::target::DataType dataType, void *memory,
            std::size_t size) {
  ttnn::toHost(std::move(tensor), dataType, memory, size);
}

Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs) {
  requireTTNN();
  return ttnn::submit(std::move(device), std::move(executable), programIndex,
                      inputs, outputs);
}

std::vector<Tensor> submit(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs) {
  requireTTNN();
  return ttnn::submit(std::move(device), std::move(executable), programIndex,
                      inputs);
}

void wait(Event event) {
  requireTTNN();
  ttnn::wait(std::move(event));
}

void enableReport(Device device, bool enabled) {
  ttnn::enableReport(std::move(device), enabled);
}

Report getReport(Device device) { return ttnn::getReport(std::move(device)); }

void setHostMemoryLimit(std::int64_t bytes) { emulator::setHostLimit(bytes); }
void setNumThreads(int count) { kernels::setNumThreads(count); }
int getNumThreads() { return kernels::getNumThreads(); }

} // namespace tt::runtime
