// The system that the library runs on, and its chips.
#include "library/call.h"
#include "tt/runtime/runtime.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace ttnn {
namespace library {

namespace {

/// The chips are opened one by one, on first use.
struct System {
  std::mutex mutex;
  std::shared_ptr<OpenDevice> device;
  std::map<int, Device> devices;
  int current = 0;
};

System &system() {
  static System instance;
  return instance;
}

/// Opens a chip of the current system; with the mutex held.
Device *open(System &system, int chip) {
  auto known = system.devices.find(chip);
  if (known != system.devices.end()) {
    system.current = chip;
    return &known->second;
  }
  std::shared_ptr<OpenDevice> device = system.device;
  if (!device) {
    device = std::make_shared<OpenDevice>();
    device->system = std::make_shared<emulator::System>(
        runtime::getCurrentSystemDesc().first);
  }
  device->chips.push_back(device->system->openChip(chip));
  system.device = std::move(device);
  system.current = chip;
  return &system.devices.try_emplace(chip, chip).first->second;
}

Device *open(int chip) {
  const std::lock_guard lock(system().mutex);
  return open(system(), chip);
}

} // namespace

OpenDevice &openDevice() {
  System &opened = system();
  const std::lock_guard lock(opened.mutex);
  if (!opened.device)
    open(opened, 0);
  return *opened.device;
}

const std::shared_ptr<emulator::Chip> &currentChip() {
  System &opened = system();
  const std::lock_guard lock(opened.mutex);
  if (!opened.device)
    open(opened, 0);
  return opened.device->chip(std::uint32_t(opened.current));
}

} // namespace library

Device *DeviceGetter::getInstance(int chip) {
  return library::guarded("DeviceGetter::getInstance",
                          [&] { return library::open(chip); });
}

Device *DeviceGetter::getInstance(const MeshShape &mesh,
                                  const std::vector<int> &chips) {
  return library::guarded("DeviceGetter::getInstance", [&] {
    if (chips.size() == 1)
      return library::open(chips.front());
    std::string extents;
    for (std::int64_t extent : mesh)
      extents += (extents.empty() ? "" : "x") + std::to_string(extent);
    library::raise(library::ErrorCategory::Unsupported,
                   "expected a device of one chip, which the C++ library runs "
                   "on, found a mesh of ",
                   extents, " with ", chips.size(),
                   " chips; the flatbuffer of the program runs on it");
  });
}

void use_system(const std::string &targetOrPath) {
  library::guarded("use_system", [&] {
    namespace system_desc = ::tt::runtime::system_desc;
    const auto targets = system_desc::getDefaultTargets();
    const bool isTarget = std::find(targets.begin(), targets.end(),
                                    targetOrPath) != targets.end();
    library::runtime::SystemDesc desc =
        isTarget
            ? system_desc::getDefaultSystemDesc(targetOrPath)
            : library::runtime::SystemDesc::loadFromPath(targetOrPath.c_str());
    library::System &opened = library::system();
    const std::lock_guard lock(opened.mutex);
    system_desc::setCurrentSystemDesc(std::move(desc));
    opened.device.reset();
    opened.devices.clear();
    opened.current = 0;
  });
}

} // namespace ttnn
