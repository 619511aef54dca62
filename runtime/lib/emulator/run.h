// Runs of programs on tensors of the API, as both runtimes do them.
#ifndef TT_RUNTIME_EMULATOR_RUN_H
#define TT_RUNTIME_EMULATOR_RUN_H

#include "emulator/handles.h"
#include "emulator/variables.h"

#include <new>
#include <stdexcept>

namespace tt::runtime::emulator {

/// What `execute()` returns. Host memory that is exhausted, or a step that a
/// kernel refuses, becomes an Error that names the program.
template <typename Execute>
std::vector<TensorPtr> guarded(const std::string &program,
                               const Execute &execute) {
  try {
    return execute();
  } catch (const std::bad_alloc &) {
    raise(ErrorCategory::OutOfMemory, "program '", program,
          "': host memory exhausted");
  } catch (const std::logic_error &error) {
    // The kernels refuse what the decoder should have refused.
    raise(ErrorCategory::Internal, "program '", program, "': ", error.what());
  }
}

/// Copies the results of `run()`, which runs the program, to `outputs`. Throws
/// Error(Argument) if these are not of the program's shapes and types.
template <typename Program, typename Run>
void runInto(OpenDevice &device, const Program &program,
             const std::vector<Tensor> &outputs, const Run &run) {
  checkCount("outputs", program.name, numOutputs(program), outputs.size());
  // Before anything runs: a wrong output must not cost a run.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor output = outputs[i];
    const TensorPtr target = handleOf(output).tensor;
    // A single tensor receives the joined shards.
    Layout expected = program.values[program.outputs[i]].layout;
    if (!target->onMesh())
      expected.shape = wholeShape(program.outputShardings, i, expected);
    checkTensor("output " + std::to_string(i), expected, target->layout);
  }
  std::lock_guard lock(device.mutex);
  const std::vector<TensorPtr> results = run();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor output = outputs[i];
    copyInto(results[i], handleOf(output));
  }
}

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_RUN_H
