// Functions of the emulator that tt-metal's host API does not have.
#ifndef TTM_EMULATOR_H
#define TTM_EMULATOR_H

#include "ttm/device.h"

namespace ttmlir {

/// Selects the system of devices opened later: a target such as "n150" (the
/// default), "n300" or "p150", or a system file (.ttsys).
TTM_EXPORT void use_system(const std::string &target_or_path);

struct Options {
  /// Keeps the modelled time of each program.
  bool times = true;
  /// Reports errors that a chip would not, such as races and missing barriers.
  bool checks = true;
  /// The enabled checks: "transfers", "buffers", "memory", "races", "init" and
  /// "leftovers"; the default is all but the last.
  std::vector<std::string> check_kinds = {};
  /// Computes with the chip's exact numerics, bit by bit.
  bool exact_numerics = false;
  /// The maximum number of instructions of a kernel thread.
  std::uint64_t step_limit = 2'000'000'000;
};
/// Sets the options of programs that run later on the device.
TTM_EXPORT void set_options(tt::tt_metal::IDevice &device,
                            const Options &options);

/// The modelled time of a kernel, in cycles.
struct KernelTime {
  std::string name;
  std::string thread; // "noc0", "noc1" or "compute"
  std::uint32_t cores = 0;
  double begin = 0, end = 0; // from the start of the program
  double busy = 0;           // of the thread that works most
};

/// The modelled time of a program on the device.
struct ProgramTime {
  double cycles = 0; // from dispatch to the end
  double seconds = 0;
  double clock_hz = 0;
  std::vector<KernelTime> kernels;
  std::uint64_t dram_read_bytes = 0, dram_write_bytes = 0, noc_bytes = 0;
};
/// The time of the last program that ran on the device.
TTM_EXPORT ProgramTime last_program_time(tt::tt_metal::IDevice &device);

/// Findings of the checks in that program that may be intended, such as pages
/// left in a circular buffer.
TTM_EXPORT std::vector<std::string>
last_program_notes(tt::tt_metal::IDevice &device);

} // namespace ttmlir

#endif // TTM_EMULATOR_H
