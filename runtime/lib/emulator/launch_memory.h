// What launches on the same chips keep from one to the next.
#ifndef TT_RUNTIME_EMULATOR_LAUNCH_MEMORY_H
#define TT_RUNTIME_EMULATOR_LAUNCH_MEMORY_H

#include <memory>

namespace tt::runtime::emulator {

struct Mesh;

/// The machines of the last launch that ended well: the next one on these chips
/// starts with their memory and with the kernels that they have decoded, and
/// with nothing of what they did. Its chips must outlive it. Not for two
/// launches at once.
class LaunchMemory {
public:
  LaunchMemory();
  ~LaunchMemory();
  LaunchMemory(const LaunchMemory &) = delete;
  LaunchMemory &operator=(const LaunchMemory &) = delete;

  std::unique_ptr<Mesh> mesh;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_LAUNCH_MEMORY_H
