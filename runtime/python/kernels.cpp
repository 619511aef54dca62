// Python bindings for compiling and running kernels in C++.
#include "bindings.h"
#include "native_call.h"

#include "tt/runtime/kernel_compiler.h"

#include <array>
#include <tuple>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace tt::runtime::python {
namespace {

/// (dispatch, kernel, object)
using KernelTuple = std::tuple<std::uint32_t, std::uint32_t, KernelObject>;
/// (address, dram, page size, aligned page size, pages, pages of a shard, grid)
using TensorTuple =
    std::tuple<std::uint32_t, bool, std::uint32_t, std::uint32_t,
               std::array<std::uint32_t, 2>, std::array<std::uint32_t, 2>,
               std::array<std::uint32_t, 2>>;

Binary withNativeKernels(const Binary &binary, std::uint32_t program,
                         const std::vector<KernelTuple> &kernels,
                         const std::vector<TensorTuple> &tensors) {
  std::vector<NativeKernelUse> uses;
  for (const auto &[dispatch, kernel, object] : kernels)
    uses.push_back({dispatch, kernel, object.path, object.hasVariables,
                    object.lines, object.unchecked});
  std::vector<NativeTensorUse> places;
  for (const auto &[address, dram, page, aligned, pages, shard, grid] : tensors)
    places.push_back({address,
                      dram,
                      page,
                      aligned,
                      pages[0],
                      pages[1],
                      shard[0],
                      shard[1],
                      {{0, 0, grid[0], grid[1]}}});
  return runtime::withNativeKernels(binary, program, uses, places);
}

} // namespace

void bindKernels(nb::module_ &m) {
  nb::class_<KernelChip>(m, "KernelChip",
                         "Properties of the chip for the macros of kernels in "
                         "C++.")
      .def(nb::init<bool, std::uint32_t, std::uint32_t, std::uint32_t,
                    std::uint32_t>(),
           nb::kw_only(), "blackhole"_a, "l1_alignment"_a, "dram_alignment"_a,
           "dram_banks"_a, "l1_banks"_a);

  nb::class_<KernelUnit>(m, "KernelUnit",
                         "A kernel in C++ and its compile options.")
      .def(nb::init<>())
      .def_rw("name", &KernelUnit::name)
      .def_rw("path", &KernelUnit::path)
      .def_rw("text", &KernelUnit::text)
      .def_rw("defines", &KernelUnit::defines)
      .def_rw("include_dirs", &KernelUnit::includeDirs)
      .def_rw("compile_args", &KernelUnit::compileArgs)
      .def_rw("named_compile_args", &KernelUnit::namedCompileArgs)
      .def_rw("common_args", &KernelUnit::commonArgs)
      .def_rw("noc", &KernelUnit::noc, nb::arg().none())
      .def_rw("fp32_dest_acc", &KernelUnit::fp32DestAcc)
      .def_rw("debug_info", &KernelUnit::debugInfo)
      .def_rw("chip", &KernelUnit::chip);

  nb::class_<KernelObject>(m, "KernelObject", "A compiled kernel in C++.")
      .def_ro("path", &KernelObject::path);

  m.def(
      "compile_kernels",
      [](const std::vector<KernelUnit> &units, const std::string &headers) {
        return nativeCall([&] { return compileKernels(units, headers); });
      },
      "units"_a, "headers"_a,
      "Compiles kernels in C++ in parallel, except for those in the cache; "
      "called by ttmlir.kernel.");
  m.def(
      "with_native_kernels",
      [](const Binary &binary, std::uint32_t program,
         const std::vector<KernelTuple> &kernels,
         const std::vector<TensorTuple> &tensors) {
        return nativeCall([&] {
          return withNativeKernels(binary, program, kernels, tensors);
        });
      },
      "binary"_a, "program_index"_a, "kernels"_a, "tensors"_a,
      "Returns the binary with compiled kernels in C++ in place of some "
      "kernels; called by ttmlir.kernel.");
  m.def(
      "get_cpp_kernels",
      [](const Binary &binary, std::uint32_t program) {
        return nativeCall([&] {
          std::vector<std::pair<
              KernelUnit, std::vector<std::pair<std::string, std::string>>>>
              kernels;
          for (CppKernel &kernel : getCppKernels(binary, program))
            kernels.emplace_back(std::move(kernel.unit),
                                 std::move(kernel.headers));
          return kernels;
        });
      },
      "binary"_a, "program_index"_a,
      "The kernels in C++ of a program of a file, each with the names and "
      "texts "
      "of the files that it includes.");
  m.def(
      "with_cpp_kernels",
      [](const Binary &binary, std::uint32_t program,
         const std::vector<KernelObject> &objects) {
        return nativeCall(
            [&] { return withCppKernels(binary, program, objects); });
      },
      "binary"_a, "program_index"_a, "objects"_a,
      "Returns the binary with compiled objects for the kernels of "
      "get_cpp_kernels.");
}

} // namespace tt::runtime::python
