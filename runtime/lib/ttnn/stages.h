// The stages of a captured program: what is done once, what a replay does on
// the device, and the transfers before and behind it.
#ifndef TT_RUNTIME_TTNN_STAGES_H
#define TT_RUNTIME_TTNN_STAGES_H

#include "ttnn/program.h"

#include <array>
#include <memory>
#include <vector>

namespace tt::runtime::ttnn {

/// In the order in which values pass through them.
enum class Stage : std::uint8_t { Setup, Write, Run, Read };
inline constexpr std::size_t kStages = 4;

struct Stages {
  /// Of each stage: the operations of the program that it has.
  std::array<std::vector<bool>, kStages> operations;
  /// Values of the first two stages that later ones use, and those that the
  /// last stage reads.
  std::vector<ValueIndex> kept, written, read;
};

/// The program with its inputs in DRAM where an operation, not a transfer,
/// reads them on the host: the device has them before a run begins.
std::shared_ptr<const Program> bringInputsToDevice(const Program &program,
                                                   const ChipGeometry &chip);

/// `fixed` says which inputs are the same for all replays. Throws
/// Error(Unsupported), which names the operation, where the host has to act in
/// the middle of a run.
Stages stagesOf(const Program &program, const std::vector<bool> &fixed);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_STAGES_H
