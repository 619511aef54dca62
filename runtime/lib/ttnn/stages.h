// The stages of a captured program: work done once, the work of a replay on the
// device, and the transfers before and after it.
#ifndef TT_RUNTIME_TTNN_STAGES_H
#define TT_RUNTIME_TTNN_STAGES_H

#include "ttnn/program.h"

#include <array>
#include <memory>
#include <vector>

namespace tt::runtime::ttnn {

/// In the order in which values pass through the stages.
enum class Stage : std::uint8_t { Setup, Write, Run, Read };
inline constexpr std::size_t kStages = 4;

struct Stages {
  /// The operations of each stage.
  std::array<std::vector<bool>, kStages> operations;
  /// Values of the first two stages that later ones use, and those that the
  /// last stage reads.
  std::vector<ValueIndex> kept, written, read;
};

/// The program with inputs moved to DRAM if an operation other than a transfer
/// reads them on the host, so that the device has them before a run.
std::shared_ptr<const Program> bringInputsToDevice(const Program &program,
                                                   const ChipGeometry &chip);

/// `fixed` marks the inputs that are the same for all replays. Throws
/// Error(Unsupported), which names the operation, if the host must act in the
/// middle of a run.
Stages stagesOf(const Program &program, const std::vector<bool> &fixed);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_STAGES_H
