// The system that the library runs on, and its chips.
#include "common/collective.h"
#include "emitc/call.h"
#include "emulator/handles.h"
#include "emulator/mesh.h"
#include "tt/runtime/runtime.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace ttnn {
namespace library {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// The chips are opened one by one, on first use.
struct System {
  std::mutex mutex;
  std::shared_ptr<OpenDevice> device;
  // By extents of the mesh and chips; their addresses stay.
  std::map<std::pair<Numbers, Numbers>, Device> devices;
  const Device *current = nullptr;
};

System &system() {
  static System instance;
  return instance;
}

/// Opens chips of the current system; with the mutex held.
Device *open(System &system, Numbers mesh, Numbers chips) {
  const auto [known, isNew] =
      system.devices.try_emplace({mesh, chips}, Device{mesh, chips});
  if (!system.device) {
    auto device = std::make_shared<OpenDevice>();
    device->system = std::make_shared<emulator::System>(
        runtime::getCurrentSystemDesc().first);
    system.device = std::move(device);
  }
  try {
    for (std::uint32_t chip : chips)
      if (std::none_of(system.device->chips.begin(), system.device->chips.end(),
                       [&](const auto &opened) {
                         return std::uint32_t(opened->id()) == chip;
                       }))
        system.device->chips.push_back(
            system.device->system->openChip(int(chip)));
  } catch (...) {
    if (isNew)
      system.devices.erase(known);
    throw;
  }
  system.current = &known->second;
  return &known->second;
}

Device *open(Numbers mesh, Numbers chips) {
  const std::lock_guard lock(system().mutex);
  return open(system(), std::move(mesh), std::move(chips));
}

/// The system with a device, with its mutex held: that of the first chip if
/// nobody has asked for one.
System &opened() {
  System &found = system();
  if (!found.current)
    open(found, {1, 1}, {0});
  return found;
}

std::uint32_t toUnsigned(const char *name, std::int64_t number) {
  if (number < 0 || number > std::int64_t(UINT32_MAX))
    raise(ErrorCategory::Argument, "expected ", name, " from 0 to ", UINT32_MAX,
          ", found ", number);
  return std::uint32_t(number);
}

} // namespace

OpenDevice &openDevice() {
  const std::lock_guard lock(system().mutex);
  return *opened().device;
}

const Device &currentDevice() {
  const std::lock_guard lock(system().mutex);
  return *opened().current;
}

emulator::TensorPtr placeTensor(const Device &device,
                                const runtime::Layout &layout, const char *what,
                                emulator::TensorPtr tensor) {
  emulator::Chips chips;
  for (std::uint32_t chip : device.chips)
    chips.push_back(openDevice().chip(chip));
  return emulator::placeInput(chips, device.meshShape, layout, what,
                              std::move(tensor));
}

} // namespace library

Device *DeviceGetter::getInstance(int chip) {
  return library::guarded("DeviceGetter::getInstance", [&] {
    return library::open({1, 1}, {library::toUnsigned("a chip", chip)});
  });
}

Device *DeviceGetter::getInstance(const MeshShape &mesh,
                                  const std::vector<int> &chips) {
  return library::guarded("DeviceGetter::getInstance", [&] {
    library::Numbers extents, ids;
    for (std::int64_t extent : mesh)
      extents.push_back(library::toUnsigned("extents of a mesh", extent));
    for (int chip : chips) {
      ids.push_back(library::toUnsigned("chips", chip));
      if (std::count(chips.begin(), chips.end(), chip) > 1)
        library::raise(library::ErrorCategory::Argument, "mesh ",
                       library::runtime::meshString(extents),
                       ": expected each chip once, found ", chip, " twice");
    }
    library::emulator::checkMeshShape(extents);
    const std::size_t volume = library::runtime::meshVolume(extents);
    if (ids.size() != volume)
      library::raise(library::ErrorCategory::Argument, "mesh ",
                     library::runtime::meshString(extents), ": expected ",
                     volume, " chips, found ", ids.size());
    return library::open(std::move(extents), std::move(ids));
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
    opened.current = nullptr;
  });
}

} // namespace ttnn
