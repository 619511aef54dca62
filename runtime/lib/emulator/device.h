// The object behind a public Device: opened chips of one system, as a mesh or
// one by one. Programs of either runtime run on it.
#ifndef TT_RUNTIME_EMULATOR_DEVICE_H
#define TT_RUNTIME_EMULATOR_DEVICE_H

#include "common/mesh_device.h"
#include "emulator/checked_launches.h"
#include "emulator/launch_memory.h"
#include "emulator/machine.h"
#include "tt/runtime/debugger.h"
#include "tt/runtime/report.h"
#include "tt/runtime/runtime.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace tt::runtime::emulator {

class ResultCache;

/// A mutex on which waiting can be cancelled; see CancelScope.
class RunMutex {
public:
  /// Throws Error(ErrorCategory::Cancelled), and Error(Argument) while a
  /// debugger has stopped the run that holds it.
  void lock();
  void unlock() { mutex_.unlock(); }
  void setStopped(bool stopped) { stopped_ = stopped; }

private:
  std::timed_mutex mutex_;
  std::atomic<bool> stopped_ = false;
};

/// Closed when nobody has it any more, which a tensor on one of its chips does.
struct OpenDevice : std::enable_shared_from_this<OpenDevice> {
  explicit OpenDevice(std::shared_ptr<OpenDevice> parent = nullptr)
      : parent(std::move(parent)),
        sharedMutex(this->parent ? this->parent->sharedMutex
                                 : std::make_shared<RunMutex>()),
        mutex(*sharedMutex) {}

  std::shared_ptr<System> system;
  Chips chips;
  // Of a device that was opened as a mesh; its chips are row-major over it.
  std::vector<std::uint32_t> meshShape;
  // Among which its meshes are divided; null: this process has all chips.
  std::shared_ptr<Ranks> ranks;
  // Which of them has a chip, by its id; empty: by the position in a mesh.
  std::vector<std::uint32_t> owners;
  // Of a part of another device: it has the same chips and memory.
  std::shared_ptr<OpenDevice> parent;
  bool open = true;
  bool reporting = false;
  std::optional<TraceFilter> tracing; // while reporting
  Report report;
  DeviceOptions options;
  std::shared_ptr<Debugger> debugger; // of TTMetal runs, if there is one
  // Of the last TTMetal run.
  std::vector<DebugLine> prints;
  std::vector<std::string> notes;
  // The last binary found to be for this system; comparing again is not needed.
  std::weak_ptr<void> checkedBinary;
  // The last binary that ranks compared, and its digest.
  std::weak_ptr<void> digestedBinary;
  std::string digest;
  std::shared_ptr<RunMutex> sharedMutex;
  RunMutex &mutex; // one run at a time on the chips of a device and its parts
  // Cached results of programs, by fingerprint.
  std::multimap<std::uint64_t, std::weak_ptr<ResultCache>> resultCaches;
  LaunchMemory launches; // of the last chips that kernels ran on
  CheckedLaunches checkedLaunches;

  /// Throws Error(Argument) if the device, or the one it is a part of, was
  /// closed.
  void checkOpen() const;
  /// The chip of the id, or the first one for kAnyDevice. Throws
  /// Error(Argument) if it is not open. Whoever has the chip keeps the device
  /// open.
  std::shared_ptr<Chip> chip(std::uint32_t id) const;
  /// The chips of a mesh; throws Error(Argument), which names it, where one of
  /// them is not open.
  Chips select(const MeshDevice &mesh) const;
  /// Where tensors of the whole device go: all chips of a mesh, else the first.
  Chips target() const;

  /// Which rank emulates the chips of a mesh, whose ids are by position; throws
  /// Error(Argument) where the ranks do not divide them.
  Ownership ownershipOf(const std::vector<std::uint32_t> &meshShape,
                        const std::vector<std::uint32_t> &chipIds) const;
  /// Throws Error(SystemMismatch) unless the binary is for this system.
  void checkSystem(const Binary &binary);

private:
  /// The chip for others, who share the device with it.
  std::shared_ptr<Chip> share(const std::shared_ptr<Chip> &chip) const {
    return {shared_from_this(), chip.get()};
  }
};

/// The object of a handle, whichever runtime opened it.
OpenDevice &deviceOf(Device &device);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_DEVICE_H
