// Devices and meshes.
#include "host/host.h"

#include "clock/noc_map.h"
#include "emulator/mesh.h"
#include "tt/runtime/runtime.h"

#include <algorithm>
#include <map>

namespace tt::tt_metal {

namespace {

const std::vector<std::uint32_t> kUnit = {1, 1};

/// The devices of CreateDevice, by id. A device that the program does not close
/// is never destroyed, since objects that it needs may be destroyed first at
/// exit.
std::map<ChipId, std::unique_ptr<IDevice>> &devices() {
  static auto *all = new std::map<ChipId, std::unique_ptr<IDevice>>;
  return *all;
}

} // namespace

IDevice::IDevice(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
IDevice::~IDevice() {
  if (impl_->open().open)
    runtime::closeDevice(impl_->handle);
}

ChipId IDevice::id() const { return ChipId(impl_->chips.front()->id()); }

tt::ARCH IDevice::arch() const {
  switch (impl_->geometry().arch) {
  case ::tt::target::Arch::Grayskull:
    return tt::ARCH::GRAYSKULL;
  case ::tt::target::Arch::Blackhole:
    return tt::ARCH::BLACKHOLE;
  case ::tt::target::Arch::Wormhole_b0:
    break;
  }
  return tt::ARCH::WORMHOLE_B0;
}

CoreCoord IDevice::logical_grid_size() const {
  return {std::size_t(impl_->geometry().gridX),
          std::size_t(impl_->geometry().gridY)};
}
CoreCoord IDevice::dram_grid_size() const { return {num_dram_channels(), 1}; }
std::uint32_t IDevice::num_dram_channels() const {
  return std::uint32_t(impl_->geometry().channels);
}
std::uint32_t IDevice::l1_size_per_core() const {
  return std::uint32_t(impl_->geometry().l1Size);
}
std::uint32_t IDevice::dram_size_per_channel() const {
  return std::uint32_t(impl_->geometry().channelSize);
}

CoreCoord IDevice::worker_core_from_logical_core(const CoreCoord &core) const {
  const runtime::ChipGeometry &chip = impl_->geometry();
  if (core.x >= std::size_t(chip.gridX) || core.y >= std::size_t(chip.gridY))
    raise(ErrorCategory::Argument, "expected a core of the ", chip.gridX, "x",
          chip.gridY, " columns and rows of the chip, found ", core.str());
  const runtime::NocCoord at = runtime::clock::NocMap(chip).worker(
      std::uint32_t(core.y * std::size_t(chip.gridX) + core.x));
  return {std::size_t(at.x), std::size_t(at.y)};
}

CommandQueue &IDevice::command_queue(std::size_t id) {
  auto &queues = impl_->queues;
  while (queues.size() <= id)
    queues.push_back(
        std::make_unique<CommandQueue>(*this, std::uint32_t(queues.size())));
  return *queues[id];
}

bool IDevice::close() {
  if (!impl_->open().open)
    return false;
  runtime::closeDevice(impl_->handle);
  return true;
}

IDevice &checkDevice(IDevice *device) {
  if (!device)
    raise(ErrorCategory::Argument, "expected a device, found null");
  device->impl().open().checkOpen();
  return *device;
}

std::size_t GetNumAvailableDevices() {
  return runtime::getCurrentSystemDesc().second.size();
}

IDevice *CreateDevice(ChipId device_id, std::uint8_t, std::size_t,
                      std::size_t) {
  std::unique_ptr<IDevice> &device = devices()[device_id];
  if (!device)
    device = std::make_unique<IDevice>(std::make_unique<IDevice::Impl>(
        runtime::openDevice({device_id}), kUnit));
  return device.get();
}

bool CloseDevice(IDevice *device) {
  for (auto &[id, known] : devices())
    if (known.get() == device) {
      const bool closed = device->close();
      devices().erase(id);
      return closed;
    }
  return checkDevice(device).close();
}

namespace distributed {

std::shared_ptr<MeshDevice> MeshDevice::create(const MeshDeviceConfig &config) {
  const std::vector<std::uint32_t> mesh = {config.mesh_shape[0],
                                           config.mesh_shape[1]};
  return std::shared_ptr<MeshDevice>(new MeshDevice(std::make_unique<Impl>(
      runtime::openMeshDevice(mesh, config.physical_device_ids), mesh)));
}

std::shared_ptr<MeshDevice> MeshDevice::create_unit_mesh(int device_id) {
  return std::shared_ptr<MeshDevice>(new MeshDevice(
      std::make_unique<Impl>(runtime::openDevice({device_id}), kUnit)));
}

MeshShape MeshDevice::shape() const { return {impl().mesh[0], impl().mesh[1]}; }

} // namespace distributed
} // namespace tt::tt_metal

namespace ttmlir {

void use_system(const std::string &target_or_path) {
  namespace system_desc = tt::runtime::system_desc;
  const auto targets = system_desc::getDefaultTargets();
  const bool isTarget = std::find(targets.begin(), targets.end(),
                                  target_or_path) != targets.end();
  system_desc::setCurrentSystemDesc(
      isTarget ? system_desc::getDefaultSystemDesc(target_or_path)
               : tt::runtime::SystemDesc::loadFromPath(target_or_path.c_str()));
}

void set_options(tt::tt_metal::IDevice &device, const Options &options) {
  device.impl().options = options;
}

std::vector<std::string> last_program_notes(tt::tt_metal::IDevice &device) {
  return device.impl().notes;
}

ProgramTime last_program_time(tt::tt_metal::IDevice &device) {
  return device.impl().time;
}

} // namespace ttmlir
