// Replaces kernels of a file by kernels in C++.
#include "tt/runtime/native_kernels.h"

#include "api/binary.h"
#include "emulator/launch.h"
#include "emulator/native_kernel.h"
#include "tt/runtime/kernel_compiler.h"
#include "ttmetal/program.h"

#include <algorithm>

namespace tt::runtime {

namespace {

void replaceKernels(emulator::Launch &launch, std::uint32_t dispatch,
                    const std::vector<NativeKernelUse> &kernels,
                    const std::vector<NativeTensorUse> &tensors) {
  for (const NativeKernelUse &use : kernels) {
    if (use.dispatch != dispatch)
      continue;
    if (use.kernel >= launch.kernels.size())
      raise(ErrorCategory::Argument, "expected a kernel below ",
            launch.kernels.size(), " of dispatch ", dispatch, ", found ",
            use.kernel);
    emulator::Kernel &kernel = launch.kernels[use.kernel];
    kernel.native =
        std::make_shared<const emulator::NativeKernel>(use, tensors);
    kernel.program = kernel.native->program();
    kernel.unchecked = use.unchecked;
  }
}

} // namespace

std::vector<CppKernel> getCppKernels(const Binary &binary,
                                     std::uint32_t program) {
  std::vector<CppKernel> result;
  std::uint32_t dispatch = 0;
  for (const ttmetal::Queue &queue : getMetalProgram(binary, program).queues)
    for (const ttmetal::Command &command : queue.commands)
      if (auto *run = std::get_if<ttmetal::RunStep>(&command.step)) {
        const auto &kernels = run->launch->kernels;
        for (std::uint32_t i = 0; i < kernels.size(); ++i)
          if (kernels[i].cpp) {
            result.push_back(*kernels[i].cpp);
            result.back().dispatch = dispatch;
            result.back().kernel = i;
          }
        ++dispatch;
      }
  return result;
}

Binary withNativeKernels(const Binary &binary, std::uint32_t program,
                         const std::vector<NativeKernelUse> &kernels,
                         const std::vector<NativeTensorUse> &tensors) {
  auto made =
      std::make_shared<ttmetal::Program>(getMetalProgram(binary, program));
  std::uint32_t dispatch = 0;
  for (ttmetal::Queue &queue : made->queues)
    for (ttmetal::Command &command : queue.commands)
      if (auto *run = std::get_if<ttmetal::RunStep>(&command.step)) {
        auto launch = std::make_shared<emulator::Launch>(*run->launch);
        replaceKernels(*launch, dispatch++, kernels, tensors);
        run->launch = std::move(launch);
      }
  for (const NativeKernelUse &use : kernels)
    if (use.dispatch >= dispatch)
      raise(ErrorCategory::Argument, "expected a dispatch below ", dispatch,
            ", found ", use.dispatch);
  auto file = std::make_shared<LoadedBinary>(
      static_cast<const LoadedBinary &>(fileOf(binary)));
  file->metalPrograms[program] = std::move(made);
  // The concrete type to erase, as in binary.cpp.
  return Binary(std::shared_ptr<LoadedFile>(std::move(file)));
}

Binary withCppKernels(const Binary &binary, std::uint32_t program,
                      const std::vector<KernelObject> &objects) {
  const std::vector<CppKernel> kernels = getCppKernels(binary, program);
  if (kernels.size() != objects.size())
    raise(ErrorCategory::Argument, "expected objects for ", kernels.size(),
          " kernels in C++, found ", objects.size());
  Binary result = binary;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelObject &object = objects[i];
    result = withNativeKernels(
        result, program,
        {{kernels[i].dispatch, kernels[i].kernel, object.path,
          object.hasVariables, object.lines, object.unchecked}},
        kernels[i].tensors);
  }
  return result;
}

} // namespace tt::runtime
