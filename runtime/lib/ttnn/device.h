// The object behind a public Device: opened chips of one system.
#ifndef TT_RUNTIME_TTNN_DEVICE_H
#define TT_RUNTIME_TTNN_DEVICE_H

#include "emulator/machine.h"
#include "tt/runtime/report.h"
#include "tt/runtime/types.h"

#include <memory>
#include <mutex>
#include <vector>

namespace tt::runtime::ttnn {

struct OpenDevice {
  std::shared_ptr<emulator::System> system;
  std::vector<std::shared_ptr<emulator::Chip>> chips;
  bool open = true;
  bool reporting = false;
  Report report;
  // The last binary found to be for this system; comparing again is not needed.
  std::weak_ptr<void> checkedBinary;
  std::mutex mutex; // one run at a time

  /// The chip of the id, or the first one for kAnyDevice. Throws
  /// Error(Argument) if it is not open.
  const std::shared_ptr<emulator::Chip> &chip(std::uint32_t id) const;
};

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_DEVICE_H
