// Captured TTNN programs.
#ifndef TT_RUNTIME_TTNN_CAPTURED_H
#define TT_RUNTIME_TTNN_CAPTURED_H

#include "emulator/captured.h"
#include "ttnn/program.h"

namespace tt::runtime::ttnn {

/// Runs a program once on `inputs` and captures it. `given` are the caller's
/// inputs, which `inputs` has in the layouts of the program; `fixed` marks
/// those that are part of the trace. The device is locked.
std::unique_ptr<emulator::CapturedProgram>
capture(emulator::OpenDevice &device, const Program &program,
        const std::vector<emulator::TensorPtr> &inputs,
        const std::vector<emulator::TensorPtr> &given,
        const std::vector<bool> &fixed);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_CAPTURED_H
