// Stands in for the emulator's launch until it is part of the library.
#include "emulator/launch.h"

namespace tt::runtime::emulator {

__attribute__((weak)) LaunchResult launch(Chip &, const Launch &,
                                          const LaunchOptions &) {
  raise(ErrorCategory::Unsupported, "this runtime cannot run kernels yet");
}

__attribute__((weak)) std::uint32_t semaphoreAddress(const ChipGeometry &,
                                                     std::uint32_t) {
  raise(ErrorCategory::Unsupported, "this runtime cannot run kernels yet");
}

} // namespace tt::runtime::emulator
