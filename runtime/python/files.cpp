#include "bindings.h"
#include "native_call.h"

#include "api/binary.h"
#include "tt/runtime/machine.h"
#include "tt/runtime/runtime.h"
#include "tt/runtime/types.h"
#include "tt/runtime/variables.h"
#include "ttmlir/Target/TTMetal/binary_generated.h"
#include "ttmlir/Target/TTNN/binary_generated.h"

#include <algorithm>
#include <cctype>

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

namespace target = ::tt::target;

/// os.fspath(object) in the encoding of the file system.
std::string pathOf(nb::handle object) {
  PyObject *bytes = nullptr;
  if (!PyUnicode_FSConverter(object.ptr(), &bytes))
    throw nb::python_error();
  nb::object owner = nb::steal(bytes);
  return PyBytes_AsString(bytes);
}

template <typename Class> Class fromPath(nb::handle path) {
  const std::string text = pathOf(path);
  return nativeCall([&] { return Class::loadFromPath(text.c_str()); });
}

/// The compiler's hand-over: a capsule with a pointer to a shared pointer to
/// the buffer, whose bytes begin with their number.
Binary loadBinaryFromCapsule(nb::capsule capsule) {
  const char *name = capsule.name();
  if (name && std::string_view(name) != "ttmlir.flatbuffer")
    raise(ErrorCategory::Argument,
          "expected a capsule named 'ttmlir.flatbuffer', found '", name, "'");
  auto *pointer = static_cast<std::shared_ptr<void> *>(capsule.data(name));
  if (!pointer || !*pointer)
    raise(ErrorCategory::Argument,
          "expected a capsule that holds a flatbuffer, found an empty one");
  return Binary::loadFromHandle(*pointer);
}

/// Where each input or output lies, for people.
std::vector<std::string> layouts(const Binary &binary, std::uint32_t index,
                                 bool inputs) {
  std::vector<std::string> result;
  for (const Layout *layout : argumentLayouts(binary, index, inputs))
    result.push_back(layout->describe());
  return result;
}

target::DebugInfo const *debugInfo(const Binary &binary, std::uint32_t index) {
  argumentLayouts(binary, index, true); // checks version and index
  if (runtimeOf(binary) == DeviceRuntime::TTMetal)
    return target::metal::GetSizePrefixedTTMetalBinary(binary.data())
        ->programs()
        ->Get(index)
        ->debug_info();
  return target::ttnn::GetSizePrefixedTTNNBinary(binary.data())
      ->programs()
      ->Get(index)
      ->debug_info();
}

/// Key, shape, data type and elements of each golden of a program.
nb::list goldens(const Binary &binary, std::uint32_t index) {
  const auto *info = debugInfo(binary, index);
  nb::list result;
  if (!info || !info->golden_info() || !info->golden_info()->golden_map())
    return result;
  for (const auto *entry : *info->golden_info()->golden_map()) {
    const auto *tensor = entry->value();
    if (!entry->key() || !tensor || !tensor->shape() || !tensor->data())
      raise(ErrorCategory::Format, "golden without key, shape or data");
    nb::list shape;
    for (std::int64_t extent : *tensor->shape())
      shape.append(extent);
    const auto *data = tensor->data();
    result.append(nb::make_tuple(
        entry->key()->str(), nb::tuple(shape), tensor->dtype(),
        nb::bytes(reinterpret_cast<const char *>(data->data()), data->size())));
  }
  return result;
}

std::string text(const flatbuffers::String *string) {
  return string ? string->str() : "";
}

/// Kind, pass, name, function, place, label and arguments of each remark that
/// the file has of a program; and how many there were.
nb::tuple remarks(const Binary &binary, std::uint32_t index) {
  const auto *info = debugInfo(binary, index);
  nb::list result;
  if (!info || !info->remarks())
    return nb::make_tuple(result, 0);
  for (const auto *remark : *info->remarks()) {
    nb::dict args;
    if (remark->args())
      for (const auto *arg : *remark->args())
        args[nb::cast(text(arg->key()))] = text(arg->value());
    result.append(
        nb::make_tuple(text(remark->kind()), text(remark->pass_name()),
                       text(remark->name()), text(remark->function()),
                       text(remark->location()), text(remark->label()), args));
  }
  return nb::make_tuple(result, info->num_remarks());
}

/// "2 chips wormhole_b0 of 8x8 cores".
std::string summary(const SystemDesc &system) {
  const auto *indices = system->chip_desc_indices();
  const auto *chip = system->chip_descs()->Get(indices->Get(0));
  std::string arch = target::EnumNameArch(chip->arch());
  std::transform(arch.begin(), arch.end(), arch.begin(), ::tolower);
  return std::to_string(indices->size()) +
         (indices->size() == 1 ? " chip " : " chips ") + arch + " of " +
         std::to_string(chip->grid_size()->y()) + "x" +
         std::to_string(chip->grid_size()->x()) + " cores";
}

template <typename Class> Class fromBytes(nb::bytes bytes) {
  return nativeCall(
      [&] { return Class::loadFromMemory(bytes.c_str(), bytes.size()); });
}

} // namespace

void bindFiles(nb::module_ &m) {
  nb::class_<Flatbuffer>(m, "Flatbuffer", "A loaded and verified file.")
      .def_prop_ro("version", &Flatbuffer::getVersion,
                   "Version of the compiler that wrote it: major.minor.patch.")
      .def_prop_ro(
          "ttmlir_git_hash",
          [](const Flatbuffer &self) {
            return std::string(self.getTTMLIRGitHash());
          },
          "Revision of that compiler.")
      .def_prop_ro(
          "file_identifier",
          [](const Flatbuffer &self) {
            return std::string(self.getFileIdentifier());
          },
          "TTNN, TTM0 or TTSY.")
      .def(
          "as_json",
          [](const Flatbuffer &self, bool elements) {
            return nativeCall([&] { return self.asJson(elements); });
          },
          "elements"_a = true,
          "The content as JSON with the names of the schema; without "
          "`elements`, the bytes of constants and goldens are left out.")
      .def(
          "store",
          [](const Flatbuffer &self, nb::handle path) {
            self.store(pathOf(path).c_str());
          },
          "path"_a,
          nb::sig("def store(self, path: str | os.PathLike[str]) -> None"),
          "Writes the file; nothing is left at `path` if that fails.")
      .def(
          "to_bytes",
          [](const Flatbuffer &self) {
            return nb::bytes(self.data(), self.size());
          },
          "The bytes of the file.");

  nb::class_<SystemDesc, Flatbuffer>(m, "SystemDesc",
                                     "Description of a system (.ttsys).")
      .def_prop_ro("num_chips",
                   [](const SystemDesc &self) {
                     return self->chip_desc_indices()->size();
                   })
      .def("__repr__", [](const SystemDesc &self) {
        return "<ttmlir.runtime.SystemDesc " + summary(self) + ">";
      });

  nb::class_<Binary, Flatbuffer>(m, "Binary",
                                 "Compiled programs (.ttnn or .ttm).")
      .def_prop_ro("num_programs", &Binary::getNumPrograms)
      .def(
          "get_program_name",
          [](const Binary &self, std::uint32_t index) {
            return std::string(self.getProgramName(index));
          },
          "program_index"_a, "The name of the function in the module.")
      .def("get_program_inputs", &Binary::getProgramInputs, "program_index"_a,
           "Shapes and data types of the inputs.")
      .def("get_program_outputs", &Binary::getProgramOutputs, "program_index"_a,
           "Shapes and data types of the outputs.")
      .def(
          "get_program_arguments",
          [](const Binary &self, std::uint32_t index) {
            std::vector<std::tuple<std::string, std::string, int>> result;
            for (auto &argument : self.getProgramArguments(index)) {
              std::string type = EnumNameArgumentType(argument.type);
              type.front() = char(std::tolower(type.front()));
              result.emplace_back(std::move(argument.name), std::move(type),
                                  argument.aliasedOutput);
            }
            return result;
          },
          "program_index"_a,
          "Name and type of each argument, and the output that has its memory: "
          "the name is empty if the source has none, the type is input, "
          "parameter, constant or default, the output is -1 unless the caller "
          "gives the argument up.")
      .def(
          "get_program_kept",
          [](const Binary &self, std::uint32_t index) {
            std::vector<std::pair<std::uint64_t, std::int64_t>> result;
            for (auto const &kept : self.getProgramKept(index))
              result.emplace_back(kept.fingerprint, kept.dramBytes);
            return result;
          },
          "program_index"_a,
          "The results that the program keeps because their inputs do not "
          "change: "
          "a fingerprint of each function, and their bytes in a DRAM "
          "channel of each chip. Programs share those with the same "
          "fingerprint.")
      .def(
          "release_kept", [](const Binary &self) { self.releaseKept(); },
          "Frees cached results of tensors that do not change.")
      .def("get_program_variables", &getProgramVariables, "program_index"_a,
           "The names of the variables that the program reads or writes.")
      .def("reset_variables", &resetVariables,
           "Resets the variables to their initial values.")
      .def(
          "get_program_hosts",
          [](const Binary &self, std::uint32_t index, bool inputs) {
            std::vector<
                std::optional<std::pair<std::string, std::vector<int64_t>>>>
                result;
            for (auto &host : inputs ? self.getProgramInputHosts(index)
                                     : self.getProgramOutputHosts(index)) {
              if (!host)
                result.emplace_back();
              else
                result.emplace_back(
                    std::pair(std::string(EnumNameHostType(host->type)),
                              std::move(host->shape)));
            }
            return result;
          },
          "program_index"_a, "inputs"_a,
          "Element type and shape of the source of each input or output that "
          "has others in the program, else None.")
      .def(
          "get_program_input_layouts",
          [](const Binary &self, std::uint32_t index) {
            return layouts(self, index, true);
          },
          "program_index"_a, "Layouts of the inputs, as text for people.")
      .def(
          "get_program_output_layouts",
          [](const Binary &self, std::uint32_t index) {
            return layouts(self, index, false);
          },
          "program_index"_a, "Layouts of the outputs, as text for people.")
      .def("get_program_mesh", &Binary::getProgramMesh, "program_index"_a,
           "Extents of the mesh that the program runs on and the ids of its "
           "chips; without ids the first chip of the device.")
      .def(
          "get_program_remarks",
          [](const Binary &self, std::uint32_t index) {
            return remarks(self, index);
          },
          "program_index"_a,
          nb::sig("def get_program_remarks(self, program_index: int) -> "
                  "tuple[list[tuple[str, str, str, str, str, str, "
                  "dict[str, str]]], int]"),
          "Remarks of the compiler's passes, for ttmlir.Remark.from_raw(), and "
          "how many there were, including those that the file omits.")
      .def(
          "get_program_kernels",
          [](const Binary &self, std::uint32_t index) {
            std::vector<std::pair<std::string, std::string>> result;
            for (KernelText &kernel : self.getProgramKernels(index))
              result.emplace_back(std::move(kernel.fileName),
                                  std::move(kernel.text));
            return result;
          },
          "program_index"_a,
          "File name and C++ of each kernel of a TTMetal program.")
      .def("get_program_goldens", goldens, "program_index"_a,
           nb::sig("def get_program_goldens(self, program_index: int) -> "
                   "list[tuple[str, tuple[int, ...], DataType, bytes]]"),
           "Inputs and expected outputs of the program: key (input_<i> or "
           "output_<i>), shape, data type and elements.")
      .def(
          "check_version", [](const Binary &self) { checkVersion(self); },
          "Raises VersionError unless this version wrote the file.");

  m.def(
      "load_from_path", &fromPath<Flatbuffer>, "path"_a,
      nb::sig("def load_from_path(path: str | os.PathLike[str]) -> Flatbuffer"),
      "Loads and verifies any file of the compiler.");
  m.def(
      "load_binary_from_path", &fromPath<Binary>, "path"_a,
      nb::sig(
          "def load_binary_from_path(path: str | os.PathLike[str]) -> Binary"),
      "Loads and verifies compiled programs.");
  m.def("load_binary_from_bytes", fromBytes<Binary>, "data"_a,
        "The same from the bytes of a file.");
  m.def("load_binary_from_capsule", loadBinaryFromCapsule, "capsule"_a,
        "The same from what ttmlir.passes.ttnn_to_flatbuffer_binary returns.");
  m.def("load_system_desc_from_path", &fromPath<SystemDesc>, "path"_a,
        nb::sig("def load_system_desc_from_path(path: str | os.PathLike[str]) "
                "-> SystemDesc"),
        "Loads and verifies the description of a system.");
  m.def("load_system_desc_from_bytes", fromBytes<SystemDesc>, "data"_a,
        "The same from the bytes of a file.");
  m.def("get_default_system_desc", &system_desc::getDefaultSystemDesc,
        "target"_a, "Description of a named system.");
  m.def(
      "get_default_system_desc_bytes",
      [](const std::string &target) {
        SystemDesc desc = system_desc::getDefaultSystemDesc(target);
        return nb::bytes(desc.data(), desc.size());
      },
      "target"_a, "The same as the bytes of a .ttsys file.");
  m.def("get_default_targets", &system_desc::getDefaultTargets,
        "The names of the systems that come with the emulator.");

  nb::class_<Machine>(m, "Machine",
                      "Where the parts of an architecture are on the die, and "
                      "what they can do at most.")
      .def_ro("grid_y", &Machine::gridY)
      .def_ro("grid_x", &Machine::gridX)
      .def_ro("noc_width", &Machine::nocWidth)
      .def_ro("noc_height", &Machine::nocHeight)
      .def_ro("columns", &Machine::columns)
      .def_ro("rows", &Machine::rows)
      .def_ro("channels", &Machine::channels)
      .def_ro("l1_size", &Machine::l1Size)
      .def_ro("dram_channel_size", &Machine::dramChannelSize)
      .def_ro("dram_bytes_per_second", &Machine::dramBytesPerSecond)
      .def_ro("noc_bytes_per_second", &Machine::nocBytesPerSecond)
      .def_ro("flops_per_second", &Machine::flopsPerSecond);
  m.def("get_machine", &getMachine, "arch"_a,
        "The machine that a report names `arch`.");
}

} // namespace tt::runtime::python
