// Public devices: what does not depend on the kind of program.
#include "emulator/device.h"

#include "emulator/debug_session.h"

#include "common/collective.h"
#include "common/file.h"
#include "numerics/cancel.h"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace tt::runtime {

using emulator::deviceOf;
using emulator::OpenDevice;

namespace emulator {

void RunMutex::lock() {
  while (!mutex_.try_lock_for(std::chrono::milliseconds(20))) {
    if (stopped_)
      raise(ErrorCategory::Argument,
            "the device runs a program that a debugger has stopped; expected a "
            "program that has ended, or another device");
    numerics::checkCancelled();
  }
}

void OpenDevice::checkOpen() const {
  if (!open)
    raise(ErrorCategory::Argument, "expected an open device, found one that "
                                   "was closed");
  if (parent)
    parent->checkOpen();
}

std::shared_ptr<Chip> OpenDevice::chip(std::uint32_t id) const {
  checkOpen();
  if (id == kAnyDevice)
    return share(chips.front());
  for (auto const &chip : chips)
    if (chip->id() == id)
      return share(chip);
  std::string known;
  for (auto const &chip : chips)
    known += (known.empty() ? "" : ", ") + std::to_string(chip->id());
  raise(ErrorCategory::Argument, "expected a chip among the opened devices (",
        known, "), found ", id);
}

Chips OpenDevice::select(const MeshDevice &mesh) const {
  if (mesh.chipIds.empty())
    return {chip(kAnyDevice)};
  Chips selected;
  try {
    for (std::uint32_t id : mesh.chipIds)
      selected.push_back(chip(id));
  } catch (const Error &error) {
    if (mesh.chipIds.size() == 1)
      throw;
    raise(error.category(), "mesh ", meshString(mesh.meshShape), ": ",
          error.what());
  }
  selected.ownership = ownershipOf(mesh.meshShape, mesh.chipIds);
  return selected;
}

Ownership
OpenDevice::ownershipOf(const std::vector<std::uint32_t> &mesh,
                        const std::vector<std::uint32_t> &chipIds) const {
  if (owners.empty())
    return {ranks, mesh};
  std::vector<std::uint32_t> byPosition;
  for (std::uint32_t id : chipIds)
    byPosition.push_back(owners[id]);
  return {ranks, mesh, std::move(byPosition)};
}

Chips OpenDevice::target() const {
  checkOpen();
  if (meshShape.empty())
    return {share(chips.front())};
  Chips all;
  std::vector<std::uint32_t> ids;
  for (auto const &chip : chips) {
    all.push_back(share(chip));
    ids.push_back(chip->id());
  }
  all.ownership = ownershipOf(meshShape, ids);
  return all;
}

void OpenDevice::checkSystem(const Binary &binary) {
  if (checkedBinary.lock() == binary.handle)
    return;
  checkSameSystem(systemOf(binary), system->desc().get());
  checkedBinary = binary.handle;
}

OpenDevice &deviceOf(Device &device) {
  return device.as<OpenDevice>(device.associatedRuntime);
}

} // namespace emulator

namespace {

std::atomic<DeviceRuntime> currentRuntime{DeviceRuntime::TTNN};

struct DefaultOptions {
  std::mutex mutex;
  DeviceOptions options;
};

DefaultOptions &defaultOptions() {
  static DefaultOptions options;
  return options;
}

void checkOptions(const DeviceOptions &options) {
  if (options.numerics != Numerics::Fast && options.numerics != Numerics::Exact)
    raise(ErrorCategory::Argument, "expected numerics Fast or Exact, found ",
          int(options.numerics));
}

} // namespace

DeviceRuntime getCurrentRuntime() { return currentRuntime; }

std::vector<DeviceRuntime> getAvailableRuntimes() {
  return {DeviceRuntime::TTNN, DeviceRuntime::TTMetal};
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
  currentRuntime = runtimeOf(binary);
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
  device->options = getDefaultDeviceOptions();
  device->ranks = emulator::currentRanks();
  return Device(std::move(device), getCurrentRuntime());
}

void setChipOwners(Device device, std::vector<std::uint32_t> owners) {
  OpenDevice &opened = deviceOf(device);
  const auto chips = std::size_t(opened.system->numChips());
  if (owners.size() != chips)
    raise(ErrorCategory::Argument, "expected a rank for each of ", chips,
          " chips, found ", owners.size());
  const std::uint32_t size = opened.ranks ? opened.ranks->size() : 1;
  for (std::uint32_t rank : owners)
    if (rank >= size)
      raise(ErrorCategory::Argument, "expected ranks below ", size, ", found ",
            rank);
  std::lock_guard lock(opened.mutex);
  opened.owners = std::move(owners);
}

void closeDevice(Device device) {
  OpenDevice &opened = deviceOf(device);
  if (opened.parent)
    raise(ErrorCategory::Argument,
          "expected a device that was opened, found a submesh of one: it is "
          "released");
  std::lock_guard lock(opened.mutex);
  opened.open = false;
  for (auto const &chip : opened.chips)
    chip->deallocateAll();
}

void detail::deallocateBuffers(Device device) {
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

void wait(Event event) {
  if (event.matchesRuntime(DeviceRuntime::Disabled))
    raise(ErrorCategory::Argument, "expected an event of a run, found one of "
                                   "the Disabled runtime");
}

void setDeviceOptions(Device device, const DeviceOptions &options) {
  checkOptions(options);
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  opened.options = options;
}

DeviceOptions getDeviceOptions(Device device) {
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  return opened.options;
}

void setDebugger(Device device, std::shared_ptr<Debugger> debugger) {
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  if (opened.debugger)
    opened.debugger->session().setDevice(nullptr);
  if (debugger)
    debugger->session().setDevice(opened.sharedMutex);
  opened.debugger = std::move(debugger);
}

void setDefaultDeviceOptions(const DeviceOptions &options) {
  checkOptions(options);
  DefaultOptions &defaults = defaultOptions();
  std::lock_guard lock(defaults.mutex);
  defaults.options = options;
}

DeviceOptions getDefaultDeviceOptions() {
  DefaultOptions &defaults = defaultOptions();
  std::lock_guard lock(defaults.mutex);
  return defaults.options;
}

std::vector<DebugLine> getDebugPrints(Device device) {
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  return opened.prints;
}

std::vector<std::string> getNotes(Device device) {
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  return opened.notes;
}

void enableReport(Device device, bool enabled,
                  std::optional<TraceFilter> trace) {
  if (trace)
    checkFilter(*trace);
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  if (enabled)
    opened.report = {};
  opened.reporting = enabled;
  opened.tracing = enabled ? std::move(trace) : std::nullopt;
}

Report getReport(Device device) {
  OpenDevice &opened = deviceOf(device);
  std::lock_guard lock(opened.mutex);
  return opened.report;
}

} // namespace tt::runtime
