// Public devices of several chips: meshes and parts of them.
#include "common/collective.h"
#include "emulator/device.h"
#include "emulator/mesh.h"

#include "ttmlir/MeshPlacement.h"

#include <algorithm>

namespace tt::runtime {

using emulator::deviceOf;
using emulator::OpenDevice;

namespace {

using MeshShape = std::vector<std::uint32_t>;

/// The mesh of a device; 1xN of chips that were opened one by one.
MeshShape meshOf(const OpenDevice &device) {
  return device.meshShape.empty()
             ? MeshShape{1, std::uint32_t(device.chips.size())}
             : device.meshShape;
}

/// A part of a mesh must fit it on every axis.
void checkPart(const MeshShape &parent, const MeshShape &part,
               const MeshShape &offset) {
  const auto fail = [&](const auto &...found) {
    raise(ErrorCategory::Argument, "submesh ", meshString(part), " of mesh ",
          meshString(parent), ": ", found...);
  };
  if (part.size() != parent.size())
    fail("expected ", parent.size(), " extents, found ", part.size());
  if (offset.size() != parent.size())
    fail("expected an offset for each of ", parent.size(), " axes, found ",
         offset.size());
  for (std::size_t axis = 0; axis < parent.size(); ++axis)
    if (offset[axis] > parent[axis] || part[axis] > parent[axis] - offset[axis])
      fail("expected it within ", parent[axis], " chips along axis ", axis,
           ", found ", part[axis], " from offset ", offset[axis]);
}

/// The chips that the compiler chooses for the mesh.
std::vector<int> placeMesh(const SystemDesc &desc, const MeshShape &meshShape) {
  const std::uint32_t chips = desc->chip_desc_indices()->size();
  ttmlir::MeshPlacement::Links links;
  auto const *channels = desc->chip_channels();
  for (std::uint32_t i = 0; channels && i < channels->size(); ++i) {
    const std::uint32_t a = channels->Get(i)->device_id0();
    const std::uint32_t b = channels->Get(i)->device_id1();
    // A link to a chip that is not there joins nothing.
    if (std::max(a, b) < chips)
      links.emplace_back(a, b);
  }
  const auto ids = ttmlir::MeshPlacement::choose(chips, links, meshShape);
  return {ids.begin(), ids.end()};
}

} // namespace

Device openMeshDevice(MeshShape const &meshShape,
                      std::vector<int> const &deviceIds) {
  return openMeshDevice(getCurrentSystemDesc().first, meshShape, deviceIds);
}

Device openMeshDevice(SystemDesc systemDesc, MeshShape const &meshShape,
                      std::vector<int> const &deviceIds) {
  emulator::checkMeshShape(meshShape);
  const std::size_t volume = meshVolume(meshShape);
  const std::size_t known = systemDesc->chip_desc_indices()->size();
  if (volume > known)
    raise(ErrorCategory::Argument, "mesh ", meshString(meshShape),
          ": expected "
          "at most ",
          known, known == 1 ? " chip" : " chips",
          ", which the system has, found ", volume);
  if (!deviceIds.empty() && deviceIds.size() != volume)
    raise(ErrorCategory::Argument, "mesh ", meshString(meshShape),
          ": expected ", volume, " device ids, found ", deviceIds.size());
  const std::vector<int> ids =
      deviceIds.empty() ? placeMesh(systemDesc, meshShape) : deviceIds;
  try {
    Device device = openDevice(std::move(systemDesc), ids);
    deviceOf(device).meshShape = meshShape;
    return device;
  } catch (const Error &error) {
    raise(error.category(), "mesh ", meshString(meshShape), ": ", error.what());
  }
}

MeshShape getMeshShape(Device device) { return meshOf(deviceOf(device)); }

Device createSubMeshDevice(Device parent, MeshShape const &meshShape,
                           MeshShape const &offset) {
  const auto opened = std::static_pointer_cast<OpenDevice>(parent.handle);
  deviceOf(parent).checkOpen();
  const MeshShape mesh = meshOf(*opened);
  const MeshShape first = offset.empty() ? MeshShape(mesh.size(), 0) : offset;
  emulator::checkMeshShape(meshShape);
  checkPart(mesh, meshShape, first);
  auto part = std::make_shared<OpenDevice>(opened);
  part->system = opened->system;
  part->ranks = opened->ranks;
  part->owners = opened->owners;
  part->meshShape = meshShape;
  part->options = getDeviceOptions(parent);
  for (std::uint32_t p = 0; p < meshVolume(meshShape); ++p) {
    std::uint32_t rest = p, position = 0, stride = 1;
    for (std::size_t axis = mesh.size(); axis-- > 0;) {
      position += (first[axis] + rest % meshShape[axis]) * stride;
      rest /= meshShape[axis];
      stride *= mesh[axis];
    }
    part->chips.push_back(opened->chips[position]);
  }
  return Device(std::move(part), parent.associatedRuntime);
}

void releaseSubMeshDevice(Device subMesh) {
  OpenDevice &part = deviceOf(subMesh);
  if (!part.parent)
    raise(ErrorCategory::Argument, "expected a submesh, found a device that "
                                   "was opened: it is closed");
  std::lock_guard lock(part.mutex);
  part.open = false;
}

void reshapeMeshDevice(Device device, MeshShape const &meshShape) {
  OpenDevice &opened = deviceOf(device);
  opened.checkOpen();
  emulator::checkMeshShape(meshShape);
  std::lock_guard lock(opened.mutex);
  if (meshVolume(meshShape) != opened.chips.size())
    raise(ErrorCategory::Argument, "mesh ", meshString(meshOf(opened)),
          ": expected a shape of ", opened.chips.size(), " chips, found ",
          meshString(meshShape));
  opened.meshShape = meshShape;
}

} // namespace tt::runtime
