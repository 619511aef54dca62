// The object behind a public Device: opened chips of one system. Programs of
// either runtime run on it.
#ifndef TT_RUNTIME_EMULATOR_DEVICE_H
#define TT_RUNTIME_EMULATOR_DEVICE_H

#include "emulator/machine.h"
#include "tt/runtime/report.h"
#include "tt/runtime/runtime.h"

#include <memory>
#include <mutex>
#include <vector>

namespace tt::runtime::emulator {

struct OpenDevice {
  std::shared_ptr<System> system;
  std::vector<std::shared_ptr<Chip>> chips;
  bool open = true;
  bool reporting = false;
  bool tracing = false; // while reporting
  Report report;
  DeviceOptions options;
  std::vector<DebugLine> prints; // of the last TTMetal run
  // The last binary found to be for this system; comparing again is not needed.
  std::weak_ptr<void> checkedBinary;
  std::mutex mutex; // one run at a time

  /// The chip of the id, or the first one for kAnyDevice. Throws
  /// Error(Argument) if it is not open.
  const std::shared_ptr<Chip> &chip(std::uint32_t id) const;

  /// Throws Error(SystemMismatch) unless the binary is for this system.
  void checkSystem(const Binary &binary);
};

/// The object of a handle, whichever runtime opened it.
OpenDevice &deviceOf(Device &device);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_DEVICE_H
