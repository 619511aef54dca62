// Public runs of programs: the same for both runtimes, except for the few
// functions that are overloaded by the type of the program.
#include "api/binary.h"
#include "emulator/captured.h"
#include "emulator/donation.h"
#include "emulator/mesh.h"
#include "emulator/result_cache.h"
#include "emulator/run.h"
#include "emulator/tensor_copy.h"
#include "kernels/digest.h"
#include "tt/runtime/runtime.h"
#include "ttmetal/executor.h"
#include "ttnn/executor.h"

namespace tt::runtime {

namespace {

using emulator::Chips;
using emulator::handleOf;
using emulator::OpenDevice;
using emulator::TensorPtr;
using Tensors = std::vector<TensorPtr>;

//===-- TTNN --------------------------------------------------------------===//

/// Operations read an input where the program expects it.
TensorPtr placeInput(const ttnn::Program &program, std::size_t i,
                     const Chips &chips, TensorPtr tensor) {
  return emulator::placeInput(chips, program.mesh().meshShape,
                              program.values[program.inputs[i]].layout,
                              "input " + std::to_string(i), std::move(tensor));
}

Tensors runCallee(OpenDevice &device, const Chips &,
                  const ttnn::Program &program, const Tensors &inputs) {
  return ttnn::Executor(device, program).run(inputs);
}

Tensors execute(OpenDevice &device, const ttnn::Program &program,
                const Tensors &inputs, const Tensors &cached) {
  return ttnn::Executor(device, program).run(inputs, cached);
}

TensorPtr returned(const ttnn::Program &, std::size_t, TensorPtr tensor) {
  return tensor;
}

//===-- TTMetal -----------------------------------------------------------===//

/// The commands of the program move its inputs.
TensorPtr placeInput(const ttmetal::Program &, std::size_t, const Chips &,
                     TensorPtr tensor) {
  return tensor;
}

/// The results of a program away from the addresses that programs have for
/// themselves, where the runtime has not found them a place.
Tensors runCallee(OpenDevice &device, const Chips &chips,
                  const ttmetal::Program &program, const Tensors &inputs) {
  Tensors results = ttmetal::Executor(device, program).run(inputs);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (const ttmetal::Value &value = program.values[program.outputs[i]];
        !value.placed)
      results[i] = emulator::keepOnChips(results[i], chips, value.description);
  return results;
}

Tensors execute(OpenDevice &device, const ttmetal::Program &program,
                const Tensors &inputs, const Tensors &cached) {
  ttmetal::Executor executor(device, program);
  executor.allowHostResults();
  return executor.run(inputs, cached);
}

/// A result at an address of the program goes to the host, of a mesh as a
/// tensor for each chip.
TensorPtr returned(const ttmetal::Program &program, std::size_t i,
                   TensorPtr tensor) {
  return program.values[program.outputs[i]].placed
             ? tensor
             : emulator::withSharding(program.outputShardings, i,
                                      emulator::onHost(tensor));
}

//===-- Both --------------------------------------------------------------===//

/// Runs the program on its chips.
template <typename Program>
Tensors runOn(const Chips &chips, OpenDevice &device, const Program &program,
              std::vector<Tensor> const &inputs) {
  emulator::checkCount("inputs", program.name, emulator::numInputs(program),
                       inputs.size());
  const MeshDevice mesh = meshOf(program);
  Tensors tensors, given;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Tensor input = inputs[i];
    given.push_back(handleOf(input).tensor);
    tensors.push_back(placeInput(
        program, i, chips,
        emulator::takeShards(program.inputShardings, i, mesh.meshShape,
                             emulator::denseTensor(handleOf(input)),
                             chips.ownership)));
  }
  emulator::takeDonated(program.aliasedOutputs, inputs, program.name);
  if constexpr (std::is_same_v<Program, ttmetal::Program>)
    device.prints.clear(); // those of the last kernels
  device.notes.clear();
  return emulator::guarded(program.name, [&] {
    emulator::loadVariables(program, chips, mesh.meshShape, tensors);
    given.insert(given.end(), tensors.begin() + std::ptrdiff_t(given.size()),
                 tensors.end());
    const Tensors cached =
        emulator::loadCached(device, chips, program, tensors, given,
                             [&](const Program &callee, const Tensors &own) {
                               return runCallee(device, chips, callee, own);
                             });
    Tensors results = execute(device, program, tensors, cached);
    emulator::storeVariables(program, chips, tensors, results);
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i] = emulator::withSharding(program.outputShardings, i,
                                          std::move(results[i]));
    return results;
  });
}

/// A short one of the file, to compare it between ranks.
const std::string &digestOf(OpenDevice &device, const Binary &executable) {
  if (device.digestedBinary.lock() != executable.handle) {
    const LoadedFile &file = fileOf(executable);
    const std::string_view bytes(reinterpret_cast<const char *>(file.data()),
                                 file.size);
    device.digest = kernels::digest(bytes).substr(0, 16);
    device.digestedBinary = executable.handle;
  }
  return device.digest;
}

/// The same of all ranks that have some of the chips: an error of one of them
/// is an error of all. Throws Error(Argument) unless they run one program.
template <typename Program>
Tensors runTogether(const Chips &chips, OpenDevice &device,
                    const Binary &executable, const Program &program,
                    std::vector<Tensor> const &inputs) {
  emulator::Ranks &ranks = chips.ownership.ranks();
  const std::string name = "program '" + program.name + "'";
  ranks.requireSame(
      "program",
      name + " of file " + digestOf(device, executable) +
          (device.options.numerics == Numerics::Exact ? ", exact" : ""));
  try {
    Tensors results = runOn(chips, device, program, inputs);
    ranks.exchange("the end of " + name);
    return results;
  } catch (const Error &error) {
    ranks.announce(error.category(), error.what());
    throw;
  } catch (const std::exception &error) {
    ranks.announce(ErrorCategory::Internal, error.what());
    throw;
  }
}

/// Runs the program on a device whose mutex the caller holds.
template <typename Program>
Tensors run(OpenDevice &device, const Binary &executable,
            const Program &program, std::vector<Tensor> const &inputs) {
  device.checkOpen();
  device.checkSystem(executable);
  const Chips chips = device.select(meshOf(program));
  return chips.ownership.divided()
             ? runTogether(chips, device, executable, program, inputs)
             : runOn(chips, device, program, inputs);
}

} // namespace

Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs) {
  OpenDevice &opened = emulator::deviceOf(device);
  withProgram(executable, programIndex, [&](auto const &program) {
    emulator::runInto(opened, program, outputs,
                      [&] { return run(opened, executable, program, inputs); });
  });
  return Event(nullptr, runtimeOf(executable));
}

std::vector<Tensor> submit(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs) {
  OpenDevice &opened = emulator::deviceOf(device);
  return withProgram(executable, programIndex, [&](auto const &program) {
    std::lock_guard lock(opened.mutex);
    std::vector<Tensor> outputs;
    for (TensorPtr &tensor : run(opened, executable, program, inputs))
      outputs.push_back(
          emulator::wrap(returned(program, outputs.size(), std::move(tensor))));
    return outputs;
  });
}

} // namespace tt::runtime
