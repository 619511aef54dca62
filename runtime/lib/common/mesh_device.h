// Which chips form a mesh.
#ifndef TT_RUNTIME_COMMON_MESH_DEVICE_H
#define TT_RUNTIME_COMMON_MESH_DEVICE_H

#include <cstdint>
#include <vector>

namespace tt::runtime {

/// Stands for "the device in use", or for a chip of it, where nothing names
/// one.
inline constexpr std::uint32_t kAnyDevice = ~std::uint32_t(0);

/// Ids of chips in the system, row-major over the mesh. Without ids, the first
/// chip of an opened device.
struct MeshDevice {
  std::vector<std::uint32_t> meshShape = {1, 1};
  std::vector<std::uint32_t> chipIds;
};

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_MESH_DEVICE_H
