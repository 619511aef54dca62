// Captured TTMetal programs.
#ifndef TT_RUNTIME_TTMETAL_CAPTURED_H
#define TT_RUNTIME_TTMETAL_CAPTURED_H

#include "emulator/captured.h"
#include "ttmetal/program.h"

namespace tt::runtime::ttmetal {

/// Runs a program once on `inputs` and captures it. `given` are the caller's
/// inputs, which `inputs` has in the layouts of the program; `fixed` marks
/// those that are part of the trace. The device is locked.
std::unique_ptr<emulator::CapturedProgram>
capture(emulator::OpenDevice &device, const Program &program,
        const std::vector<emulator::TensorPtr> &inputs,
        const std::vector<emulator::TensorPtr> &given,
        const std::vector<bool> &fixed);

} // namespace tt::runtime::ttmetal

#endif // TT_RUNTIME_TTMETAL_CAPTURED_H
